"""Batch sub-gradient descent on the primal."""
