"""Fields on a grid, for kernels that factor into x and y, and for those that do not.

RBF, Laplacian, linear and polynomial kernels are sums of products of a function of x and one of y,
and so are their sums and products: a field of theirs is a few matrix products. Other kernels are
evaluated node by node.
"""

from __future__ import annotations

import numpy as np

from solvers.kernels.evaluator import combine
from solvers.kernels.programs import Program

# Nodes of a grid that are evaluated together.
BLOCK = 2048
# Beyond so many products of a function of x and one of y, evaluating every node is as quick.
MOST_TERMS = 24

# Numbers that a `GridMemory` keeps for one grid, and grids that it keeps.
MOST_KEPT, GRIDS = 4_000_000, 2

# Pairs (p, q) of shapes (len(xs) or 1, m) and (len(ys) or 1, m) for m support points: the kernel
# of point i and the node (x, y) is the sum of p[x, i] q[y, i].
Terms = list[tuple[np.ndarray, np.ndarray]]


class OnGrid:
    """What has a program and a field on a grid: a kernel, or a part of a composed one."""

    def program(self) -> Program:
        """The same kernel for compiled loops."""
        raise NotImplementedError

    def separated(self, S: np.ndarray, xs: np.ndarray, ys: np.ndarray) -> Terms | None:
        """The kernel as a sum of products of a function of x and one of y, or None."""
        return None

    def on_grid(
        self, beta: np.ndarray, S: np.ndarray, xs: np.ndarray, ys: np.ndarray
    ) -> np.ndarray:
        """``sum_i beta_i k(s_i, (x, y))`` on a grid, shape (len(ys), len(xs)).

        By a few matrix products where it is separated, else node by node, which is slow; what has
        a faster exact way replaces this.

        Parameters
        ----------
        beta : array, shape (m,)
        S : array, shape (m, 2)
        xs, ys : arrays
            Coordinates of the nodes, in the units of S.
        """
        terms = self.separated(S, xs, ys)
        if terms is None or len(terms) > MOST_TERMS:
            return values_on_grid(self.program(), beta, S, xs, ys)
        return sum_terms(terms, beta, len(xs), len(ys))


def sum_terms(terms: Terms, beta: np.ndarray, width: int, height: int) -> np.ndarray:
    """A field from a separated kernel by one matrix product a term, shape (height, width)."""
    values = np.zeros((height, width))
    for p, q in terms:
        values += (q * beta) @ p.T
    return values


class GridMemory:
    """Fields of one kernel and one set of points on a few grids, for one beta after the other.

    Of a separated kernel everything but beta stays the same, and is most of the work: it is kept,
    for each point from its first time as a support vector on.

    Parameters
    ----------
    kernel : OnGrid
    X : array, shape (n, 2)
    """

    def __init__(self, kernel: OnGrid, X: np.ndarray) -> None:
        self._kernel, self._X = kernel, X
        # What has a quicker way than its terms keeps to it.
        self._separable = type(kernel).on_grid is OnGrid.on_grid
        self._grids: dict[bytes, KeptTerms] = {}

    def on_grid(self, beta: np.ndarray, xs: np.ndarray, ys: np.ndarray) -> np.ndarray:
        """``sum_i beta_i k(x_i, (x, y))`` at the nodes, shape (len(ys), len(xs)); beta: (n,)."""
        support = np.flatnonzero(beta)
        if self._separable and len(self._X) * (len(xs) + len(ys)) <= MOST_KEPT:
            key = xs.tobytes() + ys.tobytes()
            # Taken out and put back, so that the grid asked for last is the last to be forgotten.
            kept = self._grids.pop(key, None) or KeptTerms(len(self._X))
            self._grids[key] = kept
            if len(self._grids) > GRIDS:
                del self._grids[next(iter(self._grids))]
            if kept.learn(self._kernel, self._X, support, xs, ys):
                return kept.sum(beta, support, len(xs), len(ys))
        return self._kernel.on_grid(beta[support], self._X[support], xs, ys)


class KeptTerms:
    """The functions of x and of y of the points that were met so far, on one grid."""

    def __init__(self, n: int) -> None:
        self._known = np.zeros(n, dtype=bool)
        # As `Terms`, but a row a point, whose numbers then lie together.
        self._rows: Terms = []
        self._scaled = np.empty((n, 0))

    def learn(
        self, kernel: OnGrid, X: np.ndarray, support: np.ndarray, xs: np.ndarray, ys: np.ndarray
    ) -> bool:
        """Have the rows of points; False where the kernel has none, or more than are kept."""
        new = support[~self._known[support]]
        if len(new):
            terms = kernel.separated(X[new], xs, ys)
            if terms is None or len(terms) * len(X) * (len(xs) + len(ys)) > MOST_KEPT:
                return False
            if not self._rows:
                self._rows = [
                    (np.zeros((len(X), len(p))), np.zeros((len(X), len(q)))) for p, q in terms
                ]
                self._scaled = np.empty((len(X), len(ys)))
            for (p, q), (across, up) in zip(terms, self._rows, strict=True):
                across[new], up[new] = p.T, q.T
            self._known[new] = True
        return True

    def sum(self, beta: np.ndarray, support: np.ndarray, width: int, height: int) -> np.ndarray:
        """The field of a beta whose support is known, shape (height, width)."""
        values = np.zeros((height, width))
        for across, up in self._rows:
            if 2 * len(support) < len(beta):
                values += (up[support].T * beta[support]) @ across[support]
            else:
                # All points at once, in memory that stays: the pages of new arrays of a megabyte
                # take longer than multiplying by zeros.
                values += np.multiply(up, beta[:, None], out=self._scaled).T @ across
        return values


def values_on_grid(
    program: Program, beta: np.ndarray, S: np.ndarray, xs: np.ndarray, ys: np.ndarray
) -> np.ndarray:
    """A field by evaluating the kernel at every node, shape (len(ys), len(xs)).

    In compiled code, in blocks that stay in the processor's cache.
    """
    ends, weights = np.array(S, order="C"), np.array(beta, dtype=float)[None, :]
    values = np.empty(len(xs) * len(ys))
    for start in range(0, len(values), BLOCK):
        nodes = np.arange(start, min(start + BLOCK, len(values)))
        m = len(nodes)
        columns = np.stack([xs[nodes % len(xs)], ys[nodes // len(xs)]])
        out, stack = np.empty((1, m)), np.empty((len(program.ops) + 1, m))
        combine(program.ops, program.args, columns, ends, weights, out, np.empty(m), stack)
        values[start : start + m] = out[0]
    return values.reshape(len(ys), len(xs))
