"""Panels on the dual: why it is as it is, and its numbers."""
