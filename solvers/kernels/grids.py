"""The field ``sum_i beta_i k(s_i, (x, y))`` on a grid of nodes (x, y).

RBF, Laplacian, linear and polynomial kernels are *separable*: for each support point s, the value
at (x, y) is a sum of terms, and each term is the product of a function of x and a function of y.
Sums and products of separable kernels are separable as well. The field of a separable kernel takes
a few matrix products. The field of another kernel is evaluated node by node.
"""

from __future__ import annotations

import math

import numpy as np

from solvers.jit.compiled import compiled, inner
from solvers.jit.signatures import FixedMatrix, Matrices, Matrix, Switches, Vector
from solvers.kernels.evaluator import kernel_sums
from solvers.kernels.programs import Program

# Maximum number of terms. With more terms, evaluating the kernel at every node takes no longer.
MAX_TERMS = 24

# Maximum number of floats that a `GridMemory` stores per grid, and maximum number of its grids.
MAX_CACHED_NUMBERS, MAX_CACHED_GRIDS = 4_000_000, 2
# A path of `climb` ends where y f differs from 1 by at most END, or where y f has a maximum that is
# below 1 by at most TOP: that is the tip of f at a free support vector, which a grid cuts off.
END, TOP = 0.005, 0.05
# The shortest step of `climb`, in cells. If the cosine between two of its directions is below TURN,
# their mean is taken.
SHORTEST, TURN = 0.1, 0.6

# The terms of a separable kernel for m support points: pairs (p, q) of arrays with shapes (len(xs)
# or 1, m) and (len(ys) or 1, m). The kernel value of point i and the node in column a and row c of
# the grid is the sum of p[a, i] q[c, i] over the pairs.
Terms = list[tuple[np.ndarray, np.ndarray]]


class GridField:
    """The base class of kernels and of the parts of composed kernels: their fields on a grid."""

    def program(self) -> Program:
        """Return the kernel's program for compiled loops."""
        raise NotImplementedError

    def separable_terms(self, S: np.ndarray, xs: np.ndarray, ys: np.ndarray) -> Terms | None:
        """Return the terms of a separable kernel for support points S, shape (m, 2), or None."""
        return None

    def on_grid(
        self, beta: np.ndarray, S: np.ndarray, xs: np.ndarray, ys: np.ndarray
    ) -> np.ndarray:
        """Return ``sum_i beta_i k(s_i, (x, y))`` on a grid, shape (len(ys), len(xs)).

        Kernels override this if they have a faster exact method.

        Parameters
        ----------
        beta : array, shape (m,)
        S : array, shape (m, 2)
        xs, ys : arrays
            Coordinates of the nodes, in the units of S.
        """
        terms = self.separable_terms(S, xs, ys)
        if terms is None or len(terms) > MAX_TERMS:
            return values_on_grid(self.program(), beta, S, xs, ys)
        return sum_terms(terms, beta, len(xs), len(ys))


def sum_terms(terms: Terms, beta: np.ndarray, width: int, height: int) -> np.ndarray:
    """Return the field of a separable kernel, shape (height, width): a matrix product per term."""
    values = np.zeros((height, width))
    for p, q in terms:
        values += (q * beta) @ p.T
    return values


class GridMemory:
    """Computes the field of one kernel for many beta, on a few grids.

    The terms of a separable kernel do not depend on beta, and computing them takes most of the
    time. So the terms of each point that has been a support vector are cached, for the two grids
    that were used last.

    Parameters
    ----------
    kernel : GridField
    X : array, shape (n, 2)
    """

    def __init__(self, kernel: GridField, X: np.ndarray) -> None:
        self._kernel, self._X = kernel, X
        # Whether the terms of the kernel are cached, if it has any. Kernels that override on_grid
        # are fast without a cache.
        self._separable = type(kernel).on_grid is GridField.on_grid
        self._grids: dict[bytes, CachedTerms] = {}

    def on_grid(self, beta: np.ndarray, xs: np.ndarray, ys: np.ndarray) -> np.ndarray:
        """Return ``sum_i beta_i k(x_i, (x, y))`` at the nodes, shape (len(ys), len(xs))."""
        support = np.flatnonzero(beta)
        if self._separable and len(self._X) * (len(xs) + len(ys)) <= MAX_CACHED_NUMBERS:
            key = xs.tobytes() + ys.tobytes()
            # The entry is removed and added again, so that grids are in the order of their last
            # use.
            cached = self._grids.pop(key, None) or CachedTerms(len(self._X))
            self._grids[key] = cached
            if len(self._grids) > MAX_CACHED_GRIDS:
                del self._grids[next(iter(self._grids))]
            if cached.add(self._kernel, self._X, support, xs, ys):
                return cached.sum(beta, support, len(xs), len(ys))
        return self._kernel.on_grid(beta[support], self._X[support], xs, ys)


class CachedTerms:
    """The terms of the points that have been support vectors, for one grid."""

    def __init__(self, n: int) -> None:
        # For each point, whether its terms are in the cache.
        self._is_cached = np.zeros(n, dtype=bool)
        # Like `Terms`, but each array is transposed, so that the numbers of a point are contiguous.
        self._rows: Terms = []
        # Working memory for ``beta_i q[:, i]`` of one term, where q is as in `Terms`.
        self._scaled = np.empty((n, 0))

    def add(
        self, kernel: GridField, X: np.ndarray, support: np.ndarray, xs: np.ndarray, ys: np.ndarray
    ) -> bool:
        """Cache the terms of support points that are not cached; return whether this succeeded.

        Return False if the kernel is not separable, or if the terms do not fit into the cache.
        """
        uncached = support[~self._is_cached[support]]
        if len(uncached):
            terms = kernel.separable_terms(X[uncached], xs, ys)
            if terms is None or len(terms) * len(X) * (len(xs) + len(ys)) > MAX_CACHED_NUMBERS:
                return False
            if not self._rows:
                self._rows = [
                    (np.zeros((len(X), len(p))), np.zeros((len(X), len(q)))) for p, q in terms
                ]
                self._scaled = np.empty((len(X), len(ys)))
            for (p, q), (x_factors, y_factors) in zip(terms, self._rows, strict=True):
                x_factors[uncached], y_factors[uncached] = p.T, q.T
            self._is_cached[uncached] = True
        return True

    def sum(self, beta: np.ndarray, support: np.ndarray, width: int, height: int) -> np.ndarray:
        """Return the field of beta, shape (height, width), after :meth:`add` for its support."""
        values = np.zeros((height, width))
        for x_factors, y_factors in self._rows:
            if 2 * len(support) < len(beta):
                values += (y_factors[support].T * beta[support]) @ x_factors[support]
            else:
                # Multiply the rows of all points, also those with beta = 0, and store the product
                # in memory that is reused. Allocating new memory would take longer.
                values += np.multiply(y_factors, beta[:, None], out=self._scaled).T @ x_factors
        return values


def values_on_grid(
    program: Program, beta: np.ndarray, S: np.ndarray, xs: np.ndarray, ys: np.ndarray
) -> np.ndarray:
    """Return a field by evaluating the kernel at every node, shape (len(ys), len(xs))."""
    nodes = np.column_stack([np.tile(xs, len(ys)), np.repeat(ys, len(xs))])
    return kernel_sums(program, S, beta[None, :], nodes).reshape(len(ys), len(xs))


@inner
def sample(values: FixedMatrix, x: float, y: float) -> tuple[float, float, float]:
    """Return f and its slopes along x and y at a place in cells, by bilinear interpolation."""
    rows, columns = values.shape
    column, row = min(int(x), columns - 2), min(int(y), rows - 2)
    across, up = x - column, y - row
    low, high = values[row, column], values[row + 1, column]
    below, above = values[row, column + 1] - low, values[row + 1, column + 1] - high
    rise = high - low
    value = low + across * below + up * (rise + across * (above - below))
    return value, below + up * (above - below), rise + across * (above - below)


@compiled
def climb(
    values: FixedMatrix,
    places: Matrix,
    signs: Vector,
    metric: Vector,
    longest: float,
    paths: Matrices,
    is_open: Switches,
) -> None:
    """Follow the gradient of y f on a grid, from each place until y f is 1.

    Parameters
    ----------
    values : array, shape (rows, columns)
        f at the nodes, at least 2 x 2.
    places : array, shape (m, 2)
        In cells, on the grid.
    signs : array, shape (m,)
        y of each place.
    metric : array, shape (2,)
        Factors from the gradient per cell to the direction of a path.
    longest : float
        Length of a first step, in cells.
    paths : array, shape (m, k, 2)
        Gets the places of each path, the last one repeated.
    is_open : array, shape (m,)
        Gets whether a path does not reach y f = 1: it leaves the grid, k is too small, or y f has a
        maximum on it.
    """
    right, top = values.shape[1] - 1.0, values.shape[0] - 1.0
    for i in range(len(places)):
        x, y, sign, step = places[i, 0], places[i, 1], signs[i], longest
        value, slope_x, slope_y = sample(values, x, y)
        value *= sign
        before_x = before_y = 0.0
        moves = value < 1.0 - END
        for k in range(paths.shape[1]):
            paths[i, k, 0], paths[i, k, 1] = x, y
            # A step is tried until y f rises on it.
            accepted = False
            while moves and not accepted:
                across, up = sign * metric[0] * slope_x, sign * metric[1] * slope_y
                length = math.sqrt(across * across + up * up)
                if length == 0.0:
                    moves = False
                    break
                across, up = across / length, up / length
                # Along a ridge the gradient points to and fro across it; its mean, along it.
                if (
                    before_x != 0.0 or before_y != 0.0
                ) and across * before_x + up * before_y < TURN:
                    across, up = across + before_x, up + before_y
                    length = math.sqrt(across * across + up * up) + 1e-9
                    across, up = across / length, up / length
                u, v = x + step * across, y + step * up
                is_inside = 0.0 <= u <= right and 0.0 <= v <= top
                reached = new_x = new_y = 0.0
                if is_inside:
                    reached, new_x, new_y = sample(values, u, v)
                    reached *= sign
                if not is_inside or reached <= value:
                    # The step was too long, or there is a maximum.
                    step *= 0.4
                    moves = is_inside and step >= SHORTEST
                elif reached > 1.0 + END:
                    # As long as it takes if f is linear.
                    step *= min(0.9, (1.0 - value) / (reached - value))
                else:
                    x, y, value, slope_x, slope_y = u, v, reached, new_x, new_y
                    before_x, before_y, accepted = across, up, True
                    moves = value < 1.0 - END
        is_open[i] = value < 1.0 - TOP
