"""Panels on kernels: the kernel matrix and its eigenvalues."""
