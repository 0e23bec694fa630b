"""Kernel sums over the points of one problem, again and again."""

from __future__ import annotations

import numpy as np

from solvers.expansion import kernel_sums
from solvers.kernels import Kernel

# Up to so many points the Gram matrix is kept (32 MB).
MOST = 2000
# Its rows that are computed in one call: under 2 ms of work.
ROWS = 256


class KernelSums:
    """``sum_i w_i k(x_i, x_j)`` at the points of a problem themselves.

    Kernel values are kept, never sums: each sum is made afresh from the weights, and is the same
    whatever was asked before, but for rounding. A product with stored values takes a third of the
    time of computing them. The first call stores nothing, for the problems of a drag are asked
    once; every later one adds some rows, so that none takes long.

    Parameters
    ----------
    kernel : Kernel
    X : array, shape (n, d)
    """

    def __init__(self, kernel: Kernel, X: np.ndarray) -> None:
        self._kernel = kernel
        self._X = X
        self._stored = np.empty((0, len(X)))
        self._known = 0
        self._asked = False

    def __call__(self, weights: np.ndarray) -> np.ndarray:
        """The sums for weights of shape (r, n); shape (r, n)."""
        if self._asked and self._known < len(self._X) <= MOST:
            self._store()
        self._asked = True
        known = self._known
        sums = np.zeros((len(weights), len(self._X)))
        for start in range(0, known, ROWS):
            # All sums of some rows while these are near, and one by one, for BLAS is slow with
            # products of so flat a matrix.
            rows = slice(start, start + ROWS)
            for total, row in zip(sums, weights, strict=True):
                total += row[rows] @ self._stored[rows]
        if known == len(self._X):
            return sums
        return sums + kernel_sums(self._kernel, self._X[known:], weights[:, known:], self._X)

    def _store(self) -> None:
        """Compute more rows with the same compiled code: ``K_ij`` is a sum with one weight 1."""
        if not self._known:
            self._stored = np.empty((len(self._X), len(self._X)))
        rows = self._X[self._known : self._known + ROWS]
        ones = np.eye(len(rows))
        self._stored[self._known : self._known + len(rows)] = kernel_sums(
            self._kernel, rows, ones, self._X
        )
        self._known += len(rows)
