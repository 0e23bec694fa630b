"""The Kernel matrix panel: the Gram matrix and its eigenvalues."""
