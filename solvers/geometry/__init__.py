"""Convex hulls in a kernel's space: whether they meet, where they are nearest, what follows."""
