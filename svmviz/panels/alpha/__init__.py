"""The panel of alpha values: one bar per point."""
