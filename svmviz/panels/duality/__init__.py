"""Panels on the dual: derivations, landscape, quadratic program, and sums over the points."""
