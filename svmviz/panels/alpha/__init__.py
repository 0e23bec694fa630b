"""The Alpha panel: one bar per point."""
