"""Convex hulls in a kernel's space: whether they meet, their nearest points, and boundaries."""
