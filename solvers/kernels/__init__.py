"""Kernels: Gram matrices, rows, fields on a grid, Mercer's check; nothing here uses labels."""
