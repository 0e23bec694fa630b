"""Pegasos: stochastic sub-gradient descent on the primal."""
