"""Panels on the geometry of the linear problem: convex hulls, and the plane of w."""
