"""Kernels: Gram matrices, rows, fields on a grid, Mercer's check; labels are unknown here."""
