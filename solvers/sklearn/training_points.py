"""The points of a fit: coordinates, which may be sparse, or a given Gram matrix.

A method needs dense points. Sparse points with at most as many features as points are stored
densely; any kernel and method then works as on dense points. Sparse points with more features are
replaced by their Gram matrix, which is smaller, and whose values come from sparse products. All
machines of a fit share it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers.errors import BadInput
from solvers.kernels.items.given import Given, given_rows
from solvers.kernels.kernel import Kernel
from solvers.kernels.standard import RBF, Linear, Polynomial
from solvers.problem.expansion import Expansion

# Maximum size of sparse points when they are stored densely, and of their Gram matrix, in bytes. A
# run takes some four times as much memory, since it has copies of its points.
MAX_BYTES = 200_000_000
# Maximum number of kernel values that are computed at once to predict from sparse points.
BLOCK = 4_000_000


@dataclass(frozen=True, eq=False)
class SparseExpansion:
    """A decision function with sparse support vectors.

    Attributes
    ----------
    kernel : Kernel
    X : CSR matrix, shape (n, d); the support vectors
    beta : array, shape (n,)
    bias : float
    """

    kernel: Kernel
    X: Any
    beta: np.ndarray
    bias: float

    def __call__(self, points: Any) -> np.ndarray:
        """Return f at points, CSR of shape (m, d); shape (m,)."""
        f = np.full(points.shape[0], self.bias)
        rows = max(1, BLOCK // max(1, len(self.beta)))
        for start in range(0, len(f), rows):
            block = slice(start, start + rows)
            f[block] += sparse_gram(self.kernel, points[block], self.X) @ self.beta
        return f


@dataclass(frozen=True, eq=False)
class GivenExpansion:
    """A decision function of points that are rows of kernel values.

    Attributes
    ----------
    support : int array, shape (m,); which training points are support vectors
    beta : array, shape (m,)
    bias : float
    """

    support: np.ndarray
    beta: np.ndarray
    bias: float

    def __call__(self, K: np.ndarray) -> np.ndarray:
        """Return f, shape (l,), from the kernel values with all training points, shape (l, n)."""
        return K[:, self.support] @ self.beta + self.bias


class DensePoints:
    """Points with coordinates, shape (n, d), and their kernel."""

    def __init__(self, X: np.ndarray, kernel: Kernel) -> None:
        self.X, self.kernel = X, kernel

    def part(self, rows: np.ndarray) -> tuple[np.ndarray, Kernel]:
        """Return the points and the kernel of a problem with some of the points."""
        return (self.X if len(rows) == len(self.X) else self.X[rows]), self.kernel

    def at(self, rows: np.ndarray) -> np.ndarray:
        """Return some of the points, as a machine takes them."""
        return self.X[rows]

    def machine(self, rows: np.ndarray, solution: Expansion) -> Expansion:
        """Return the solution of a problem without the points whose beta is 0."""
        kept = solution.support
        return Expansion(self.kernel, solution.X[kept], solution.beta[kept], solution.bias)


class GramPoints:
    """Points without dense coordinates: their Gram matrix, and their kernel if it is known."""

    def __init__(self, K: np.ndarray, X: Any = None, kernel: Kernel | None = None) -> None:
        if K.shape[0] != K.shape[1]:
            raise BadInput(f"A Gram matrix must be square: got {K.shape}.")
        self.K, self.X, self.kernel = K, X, kernel

    def part(self, rows: np.ndarray) -> tuple[np.ndarray, Kernel]:
        """Return the points and the kernel of a problem with some of the points."""
        is_whole = len(rows) == len(self.K)
        return given_rows(self.K if is_whole else self.K[np.ix_(rows, rows)]), Given()

    def at(self, rows: np.ndarray) -> Any:
        """Return some of the points, as a machine takes them."""
        return self.K[rows] if self.kernel is None else self.X[rows]

    def machine(self, rows: np.ndarray, solution: Expansion) -> SparseExpansion | GivenExpansion:
        """Return the solution of a problem without the points whose beta is 0."""
        kept = solution.support
        beta, bias = solution.beta[kept], solution.bias
        if self.kernel is None:
            return GivenExpansion(rows[kept], beta, bias)
        return SparseExpansion(self.kernel, self.X[rows[kept]], beta, bias)


def points_of(X: Any, kernel: Kernel) -> DensePoints | GramPoints:
    """Return points (n, d), dense or CSR, in the form in which they are solved.

    Raises
    ------
    BadInput
        If sparse points are too large.
    """
    if isinstance(X, np.ndarray):
        return DensePoints(X, kernel)
    n, d = X.shape
    # Only these kernels are functions of inner products of the points.
    has_gram = isinstance(kernel, Linear | Polynomial | RBF)
    columns = min(n, d) if has_gram else d
    if 8 * n * columns > MAX_BYTES:
        what = "feature" if columns == d else "point"
        raise BadInput(
            f"Sparse points are stored by {what}s, which takes {8e-6 * n * columns:,.0f} MB for"
            f" {n:,} points with {d:,} features; at most {MAX_BYTES // 10**6} MB are allowed."
        )
    if columns == d:
        return DensePoints(X.toarray(), kernel)
    return GramPoints(sparse_gram(kernel, X, X), X, kernel)


def sparse_gram(kernel: Kernel, A: Any, B: Any) -> np.ndarray:
    """Return ``k(a_i, b_j)``, shape (m, n), of CSR points; linear, polynomial or RBF kernel."""
    products = (A @ B.T).toarray()
    if isinstance(kernel, Polynomial):
        return (kernel.coef0 + kernel.gamma * products) ** kernel.degree
    if isinstance(kernel, RBF):
        norms = [np.asarray(P.multiply(P).sum(axis=1)).reshape(-1) for P in (A, B)]
        squared = norms[0][:, None] + norms[1] - 2.0 * products
        return np.exp(-kernel.gamma * np.maximum(squared, 0.0))
    return products
