"""Sub-gradients of the primal of a classification with the linear kernel.

A sub-gradient of a convex function P at w is a vector g with

    P(v) >= P(w) + <g, v - w>   for all v.

The plane on the right supports P at w: it touches P there and is nowhere above it. The set of all
sub-gradients is the *sub-differential* of P at w. For the hinge loss ``max(0, 1 - z)`` it is -1
left of the kink z = 1, 0 right of it, and every number from -1 to 0 at the kink. So

    g_w = w - sum_i C_i s_i y_i x_i,    g_b = - sum_i C_i s_i y_i,

where ``s_i`` is 1 for points inside their margin, 0 outside, and any number from 0 to 1 for points
on it. If the bias is regularised, ``g_b`` also contains b. Source: Shor 1985, Rockafellar 1970.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from solvers.problem.problem import Problem

# Values of y f that differ from 1 by at most this number count as 1.
NEAR = 1e-9
# With more points than this on the margin, only sub-gradients with the same s for all of them are
# considered.
MAX_KINKS = 5


@dataclass(frozen=True, eq=False)
class Subdifferential:
    """All sub-gradients of P at ``(w, b)``.

    Attributes
    ----------
    base : array, shape (d + 1,)
        The sub-gradient ``(g_w, g_b)`` with ``s_i = 0`` for the points on the margin: the one that
        sub-gradient descent takes. Without a bias its last entry is 0.
    kinks : int array, shape (k,)
        The points on the margin.
    moves : array, shape (k, d + 1)
        What ``s_i = 1`` adds to ``base``, for each of them: ``-C_i y_i (x_i, 1)``.
    """

    base: np.ndarray
    kinks: np.ndarray
    moves: np.ndarray

    def at(self, shares: np.ndarray) -> np.ndarray:
        """Return the sub-gradient with these ``s_i``, from 0 to 1, of the points on the margin."""
        return self.base + np.asarray(shares) @ self.moves

    def corners(self, b_free: bool = False) -> np.ndarray:
        """Return sub-gradients whose hull is the sub-differential, shape (m, d + 1).

        If ``b_free``, only sub-gradients with ``g_b = 0`` count. They are those of
        ``min_b P(w, b)`` at w, if b is where P is smallest.
        """
        moves = self.moves
        if len(moves) > MAX_KINKS:
            moves = moves.sum(axis=0, keepdims=True)
        count = len(moves)
        shares = np.array([*itertools.product((0.0, 1.0), repeat=count)]).reshape(2**count, count)
        corners = self.base + shares @ moves
        return _with_zero_last(corners, shares) if b_free else corners


def _with_zero_last(corners: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return the points with last entry 0 on edges: between corners that differ in one share."""
    size = 1e-9 * (1.0 + np.abs(corners).max())
    found = [corner for corner in corners if abs(corner[-1]) <= size]
    for i, j in itertools.combinations(range(len(corners)), 2):
        low, high = corners[i][-1], corners[j][-1]
        if np.abs(shares[i] - shares[j]).sum() == 1.0 and low * high < -size * size:
            found.append(corners[i] + low / (low - high) * (corners[j] - corners[i]))
    return np.array(found).reshape(-1, corners.shape[1])


def subdifferential(problem: Problem, w: np.ndarray, b: float) -> Subdifferential:
    """Return the sub-differential of P at ``(w, b)``.

    Parameters
    ----------
    problem : Problem
        A classification with finite C and the linear kernel.
    w : array, shape (d,)
    b : float
    """
    z = problem.y * (problem.centered @ w + b)
    on_margin = np.abs(z - 1.0) <= NEAR * (1.0 + np.abs(problem.centered @ w) + abs(b))
    inside = (z < 1.0) & ~on_margin
    has_bias = problem.bias != "none"
    columns = np.column_stack([problem.centered, np.full(problem.n, 1.0 if has_bias else 0.0)])
    pulls = -(problem.bounds * problem.y)[:, None] * columns
    base = np.append(w, b if problem.bias == "augmented" else 0.0) + pulls[inside].sum(axis=0)
    kinks = np.flatnonzero(on_margin)
    return Subdifferential(base, kinks, pulls[kinks])
