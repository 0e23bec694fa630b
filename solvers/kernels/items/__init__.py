"""Kernels of items without coordinates: words, and a given Gram matrix."""
