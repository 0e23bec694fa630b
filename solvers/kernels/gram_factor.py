"""The Gram matrix Q of all points: stored, or as ``G G'`` with a factor G of few columns.

The entries are ``Q_ij = k(x_i, x_j)``, plus 1 if the bias is augmented. A method that changes all
variables at once needs products ``Q v`` and solutions of ``(Q + diag(D)) x = r``.

In the plane, the Gram matrix of the linear kernel has rank 2, and that of a cubic kernel rank 10,
for any n. If the rank r is small, ``Q = G G'`` with G of shape (n, r), and the Woodbury identity
gives solutions in ``O(n r^2)`` operations. Otherwise Q is stored and factorised, which takes ``n^3
/ 3`` operations.

Source of the low-rank route: Fine and Scheinberg 2001 (pivoted Cholesky, interior points).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from solvers.kernels.kernel import Kernel
from solvers.kernels.mercer import centered
from solvers.kernels.standard import Linear

# Maximum n of a stored matrix. The matrix takes 128 MB, and its Cholesky factor as much again.
MAX_DENSE = 4000
# Maximum rank r of the factor G, and maximum of ``r / n``. If ``r / n`` is larger, a stored Q is
# faster, so this maximum is not applied if n is too large for a stored Q.
MAX_RANK = 400
MAX_RANK_FRACTION = 0.25
# Maximum d of the linear kernel, whose factor G is X itself. A step on 20,000 x 784 takes a second.
MAX_COORDINATES = 2000
# Pivots up to this fraction of the largest diagonal entry are rounding error.
MIN_PIVOT = 4e-15
# Numbers that are added to the diagonal of Q, as fractions of n times the largest diagonal entry.
# They are tried in this order until the Cholesky factorisation succeeds, since rounding errors of
# this size can make a positive semi-definite matrix indefinite.
RIDGES = (0.0, 1e-15, 1e-13, 1e-11)
# Maximum number of rows per call of LAPACK. Such a call takes one or two milliseconds.
BLOCK = 128

# Returns the solution x of ``(Q + diag(D)) x = r`` for a right side r, both of shape (n,).
Solve = Callable[[np.ndarray], np.ndarray]


class Indefinite(ArithmeticError):
    """Raised if ``Q + diag(D)`` is not positive definite."""


class Dense:
    """The Gram matrix Q, stored.

    Parameters
    ----------
    Q : array, shape (n, n)

    Attributes
    ----------
    evaluations : int
        Number of kernel values in the matrix.
    diagonal : array, shape (n,)
    """

    def __init__(self, Q: np.ndarray) -> None:
        self.Q = Q
        self.evaluations = Q.size
        self.diagonal = np.diagonal(Q).copy()

    def times(self, v: np.ndarray) -> np.ndarray:
        """Return ``Q v``, shape (n,)."""
        return self.Q @ v

    def block(self, rows: np.ndarray) -> np.ndarray:
        """Return the block of ``Q`` with these rows and the same columns."""
        return self.Q[np.ix_(rows, rows)]

    def factorise(self, D: np.ndarray) -> Solve:
        """Return the function ``r -> (Q + diag(D))^-1 r``, or raise :class:`Indefinite`."""
        ridge_unit = float(np.abs(self.diagonal).max(initial=0.0)) * len(D)
        for ridge in RIDGES:
            L = self.Q.copy()
            L[np.diag_indices_from(L)] += D + ridge * ridge_unit
            if cholesky(L):
                return lambda r: substitute(L, r)
        raise Indefinite


class Centered(Dense):
    """The Gram matrix of points moved to their mean in feature space, stored.

    ``means``, shape (n,), are those of the columns of Q. If ``sum beta = 0``, moving the points
    lowers all entries of ``Q beta`` by ``means @ beta``.
    """

    def __init__(self, Q: np.ndarray) -> None:
        super().__init__(centered(Q))
        self.means = Q.mean(axis=0)


class LowRank:
    """The matrix ``Q = G G'``, of which only G is stored.

    Parameters
    ----------
    G : array, shape (n, r)

    Attributes
    ----------
    evaluations : int
        Number of entries of G. The computation of each takes one kernel value.
    diagonal : array, shape (n,)
    """

    def __init__(self, G: np.ndarray) -> None:
        self.G = G
        self.evaluations = G.size
        self.diagonal = np.einsum("ij,ij->i", G, G)

    def times(self, v: np.ndarray) -> np.ndarray:
        """Return ``Q v``, shape (n,)."""
        return self.G @ (self.G.T @ v)

    def block(self, rows: np.ndarray) -> np.ndarray:
        """Return the block of ``Q`` with these rows and the same columns."""
        return self.G[rows] @ self.G[rows].T

    def factorise(self, D: np.ndarray) -> Solve:
        """Return the function ``r -> (Q + diag(D))^-1 r``, or raise :class:`Indefinite`.

        By the Woodbury identity, ``(D + G G')^-1 = D^-1 - D^-1 G (I + G' D^-1 G)^-1 G' D^-1``.
        """
        root = np.sqrt(D)
        H = self.G / root[:, None]
        # numpy computes only half of a product of a matrix with its own transpose.
        L = np.eye(H.shape[1]) + H.T @ H
        if not cholesky(L):
            raise Indefinite

        def solve(r: np.ndarray) -> np.ndarray:
            scaled = r / root
            return (scaled - H @ substitute(L, H.T @ scaled)) / root

        return solve


def cholesky(L: np.ndarray) -> bool:
    """Factor a symmetric matrix A, shape (n, n); return whether A is positive definite.

    The argument contains A at the call. Its lower triangle is replaced by L with ``L L' = A``. Each
    call of LAPACK works on one block only, because scipy holds the interpreter lock during a call,
    and a long call would freeze the window.
    """
    from scipy.linalg.blas import dtrsm  # pyright: ignore[reportAttributeAccessIssue]
    from scipy.linalg.lapack import dpotrf  # pyright: ignore[reportAttributeAccessIssue]

    for start in range(0, len(L), BLOCK):
        end = min(start + BLOCK, len(L))
        diagonal_block, error = dpotrf(L[start:end, start:end], lower=1)
        if error or not np.isfinite(diagonal_block[-1, -1]):
            return False
        L[start:end, start:end] = diagonal_block
        if end == len(L):
            break
        below = dtrsm(1.0, diagonal_block, L[end:, start:end], side=1, lower=1, trans_a=1)
        L[end:, start:end] = below
        # Only entries on and below the diagonal are updated, since no others are read.
        for row in range(end, len(L), 4 * BLOCK):
            rows = slice(row, row + 4 * BLOCK)
            L[rows, end : row + 4 * BLOCK] -= (
                below[row - end : row - end + 4 * BLOCK] @ below[: row - end + 4 * BLOCK].T
            )
    return True


def substitute(L: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Return the solution x of ``L L' x = r``, shape (n,), block by block."""
    from scipy.linalg.lapack import dtrtrs  # pyright: ignore[reportAttributeAccessIssue]

    x = np.array(r)
    starts = range(0, len(L), BLOCK)
    for start in starts:
        block = slice(start, start + BLOCK)
        x[block] -= L[block, :start] @ x[:start]
        x[block] = dtrtrs(L[block, block], x[block], lower=1)[0]
    for start in reversed(starts):
        block = slice(start, start + BLOCK)
        x[block] -= L[start + BLOCK :, block].T @ x[start + BLOCK :]
        x[block] = dtrtrs(L[block, block], x[block], lower=1, trans=1)[0]
    return x


def make_gram(kernel: Kernel, X: np.ndarray, augmented: bool) -> Dense | LowRank | None:
    """Return the Gram matrix of points (n, d): as a factor if possible, otherwise stored.

    Return None if the factor and the matrix are both too large. ``augmented`` adds 1 to the kernel.
    """
    n, d = X.shape
    is_large = n > MAX_DENSE
    if isinstance(kernel, Linear) and d <= (MAX_COORDINATES if is_large else n // 2):
        return LowRank(np.column_stack([X, np.ones(n)]) if augmented else X)
    max_rank = min(MAX_RANK, n if is_large else int(MAX_RANK_FRACTION * n))
    if kernel.mercer and max_rank > 0:
        # Every k-th point, where k is ``n / (2 MAX_RANK)``, rounded up.
        sample = X[:: -(-n // (2 * MAX_RANK))]
        # With many points, first factor the matrix of a sample, which is quick. If the rank of the
        # sample is too large, so is that of all points.
        if not is_large or pivoted_cholesky(kernel, sample, augmented, max_rank) is not None:
            G = pivoted_cholesky(kernel, X, augmented, max_rank)
            if G is not None:
                return LowRank(G)
    return None if is_large else Dense(gram(kernel, X, X, augmented))


def gram(kernel: Kernel, A: np.ndarray, B: np.ndarray, augmented: bool) -> np.ndarray:
    """Return ``k(a_i, b_j)``, plus 1 if the bias is augmented; shape (len(A), len(B))."""
    return kernel(A, B) + (1.0 if augmented else 0.0)


def pivoted_cholesky(
    kernel: Kernel, X: np.ndarray, augmented: bool, max_rank: int
) -> np.ndarray | None:
    """Return G, shape (n, r), with ``Q = G G'`` up to rounding; None if r exceeds ``max_rank``.

    Each column of G belongs to a point, its pivot: the point with the largest diagonal entry of
    ``Q - G G'``, with the columns of G so far.
    """
    # The diagonal of Q - G G', with the columns of G so far.
    remaining = np.array(kernel.diagonal(X)) + (1.0 if augmented else 0.0)
    min_pivot = MIN_PIVOT * float(remaining.max())
    columns = np.empty((max_rank, len(X)))
    for r in range(max_rank + 1):
        p = int(np.argmax(remaining))
        if remaining[p] <= min_pivot:
            return np.array(columns[:r].T, order="C")
        if r == max_rank:
            break
        column = gram(kernel, X, X[p : p + 1], augmented)[:, 0] - columns[:r].T @ columns[:r, p]
        columns[r] = column / np.sqrt(remaining[p])
        remaining -= columns[r] ** 2
        remaining[p] = 0.0
    return None
