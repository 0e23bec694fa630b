"""The hulls of the classes: outlines, nearest points, supporting lines, boundaries, and numbers."""
