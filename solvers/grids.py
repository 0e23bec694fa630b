"""Fields on a grid, for kernels that factor into x and y, and for those that do not."""

from __future__ import annotations

import numpy as np

from solvers.evaluator import combine
from solvers.programs import Program

# Nodes of a grid that are evaluated together.
BLOCK = 2048
# Beyond so many products of a function of x and one of y, evaluating every node is as quick.
MOST_TERMS = 24

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
