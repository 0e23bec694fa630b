"""The kernel of a given Gram matrix: the points have no coordinates, only their kernel values.

Point i is the row ``(i, K_i1, ..., K_in)``: its number, counted from 0, and its row of the matrix.
So ``k(x, z)`` is the entry of x at the number of z. The same kernel is valid for any subset of such
points, so solvers and splits can use them like other points.

Source: Chang and Lin 2011, LIBSVM, section 3 (precomputed kernels, with the same numbering).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from solvers.errors import BadInput
from solvers.kernels.kernel import MAX_CHECKED_POINTS, Kernel, refuse_values, sample_of
from solvers.kernels.programs import GIVEN_, Program

# k(x, z) and k(z, x) count as equal if they differ by at most this fraction of the largest |k|.
MAX_ASYMMETRY = 1e-9


def given_rows(K: Any) -> np.ndarray:
    """Return the points of :class:`Given`, shape (n, n + 1), for a Gram matrix of shape (n, n).

    >>> from solvers import Given, Problem, given_rows
    >>> problem = Problem(given_rows([[2.0, 1.0], [1.0, 2.0]]), [-1, 1], kernel=Given())

    Raises
    ------
    BadInput
        If K is not a square matrix of numbers.
    """
    try:
        matrix = np.array(K, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise BadInput("A Gram matrix must be an array of numbers.") from None
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise BadInput(f"A Gram matrix must be square: got {matrix.shape}.")
    return np.column_stack([np.arange(len(matrix), dtype=np.float64), matrix])


@dataclass(frozen=True)
class Given(Kernel):
    """``k(x_i, x_j) = K_ij`` for points made by :func:`given_rows`."""

    name: ClassVar[str] = "given"
    label: ClassVar[str] = "Given matrix"
    notation: ClassVar[str] = "Kᵢⱼ"
    help: ClassVar[str] = "The kernel values of all pairs of points are given as a matrix."
    domain: ClassVar[str] = "matrix"

    @property
    def mercer(self) -> bool:
        """Return False, because a matrix can have negative eigenvalues."""
        return False

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        A = np.asarray(A, float)
        return A[:, 1 + _numbers_of(B, A.shape[1] - 1)]

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        X = np.asarray(X, float)
        return X[np.arange(len(X)), 1 + _numbers_of(X, X.shape[1] - 1)]

    def program(self) -> Program:
        return Program.of(GIVEN_)

    def check(self, X: np.ndarray, max_points: int = MAX_CHECKED_POINTS) -> None:
        numbers, n = X[:, 0], X.shape[1] - 1
        if n < 1 or not ((numbers >= 0) & (numbers < n) & (numbers == np.floor(numbers))).all():
            raise BadInput("The points of a given matrix must be made by given_rows.")
        refuse_values(self, X, max_points)
        sample, indices = sample_of(X, max_points)
        K = self(sample, sample)
        asymmetry = np.abs(K - K.T)
        if asymmetry.max(initial=0.0) > MAX_ASYMMETRY * np.abs(K).max():
            i, j = np.unravel_index(int(asymmetry.argmax()), asymmetry.shape)
            raise BadInput(
                f"The matrix is not symmetric: for points {indices[i] + 1} and {indices[j] + 1} "
                f"it has {K[i, j]:.4g} and {K[j, i]:.4g}."
            )


def _numbers_of(points: np.ndarray, n: int) -> np.ndarray:
    """Return the numbers of points, int, shape (m,); those out of range become 0 or n - 1."""
    with np.errstate(invalid="ignore"):
        return np.clip(np.asarray(points, float)[:, 0], 0, max(n - 1, 0)).astype(np.int64)
