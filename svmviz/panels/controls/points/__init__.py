"""The Points panel: all points as a table."""
