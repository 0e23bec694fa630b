"""What the choices of Platt's kind share: one threshold b, and points held against it.

Platt's error is ``E_k = f(x_k) - y_k = b - F_k``, so the array F together with b is his error
cache, for all points and not only the free ones. He writes ``u = w.x - b``; here it is ``+ b``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.jit.compiled import inlined
from solvers.jit.separate import compiled_apart
from solvers.kernels.rows import kernel_row
from solvers.methods.smo.state import BEST, BIAS, LEAST, MOVED, PairEvent, Points
from solvers.methods.smo.steps import move_pair, step_length

# The smallest change of a pair that counts, relative to the pair: Platt's eps. His 1e-3 can end a
# run before the tolerance is met.
LEAST_MOVE = 1e-10


class Rule(NamedTuple):
    """The settings as compiled code takes them.

    ``twins`` is how far apart the two variables of a point are in a regression, else 0.
    """

    tol: float
    seed: int
    twins: int


@inlined
def is_free(points, k):
    """Whether ``0 < alpha_k < C``."""
    return points.closed_up[k] == 0.0 and points.closed_low[k] == 0.0


@inlined
def violation(points, k):
    """How far point k is from its KKT condition at the threshold b, in units of f.

    Platt's test: above tol where ``y E < -tol`` and alpha can grow, or ``y E > tol`` and it can
    shrink.
    """
    b, F = points.level[BIAS], points.F[k]
    return max((F + points.closed_up[k]) - b, b - (F + points.closed_low[k]))


@inlined
def mover(points, k, grows, twins):
    """Of the two variables of k's point in a regression, the one that takes beta up or down.

    What is above 0 goes down to 0 before the other rises, so one of alpha* and alpha is always 0,
    as at the optimum. Of the two it is also the one that raises the dual more.
    """
    starred = k if k < twins else k - twins
    if grows:
        return starred + twins if points.closed_up[starred + twins] == 0.0 else starred
    return starred if points.closed_low[starred] == 0.0 else starred + twins


@inlined
def movers(points, i, j, twins):
    """The variables that move when i and j are taken: those two, or others of their points."""
    if twins > 0:
        grows = points.F[i] > points.F[j]
        i, j = mover(points, i, grows, twins), mover(points, j, not grows, twins)
    return i, j


@inlined
def worth_moving(points, i, j, K_ij):
    """Whether the pair can move by more than LEAST_MOVE of itself, or put one on its wall.

    The latter however near it is: by rounding a point can be free that ought to be at its bound,
    and would decide over b. Platt rounds such points to the bound.
    """
    beta, F = points.beta, points.F
    up, down = (i, j) if F[i] > F[j] else (j, i)
    K_ii, K_jj = points.diagonal[i], points.diagonal[j]
    room = min(points.upper[up] - beta[up], beta[down] - points.lower[down])
    difference = F[up] - F[down]
    t = step_length(K_ii + K_jj - 2.0 * K_ij, abs(K_ii) + abs(K_jj), difference, room)
    least = 0.0 if t == room else LEAST_MOVE * (abs(beta[i]) + abs(beta[j]))
    return difference > 0.0 and t > least


@compiled_apart
def take_step(points: Points, i: int, j: int, tol: float, event: PairEvent) -> tuple[int, bool]:
    """Move the pair, and find the new threshold: F of a free one of the two, else their middle.

    When ``m - M < tol`` every b between is good; then the middle of all is taken, because the
    middle of two points at a bound may contradict others for ever (Keerthi et al. 2001).
    """
    up, down = (i, j) if points.F[i] > points.F[j] else (j, i)
    K_up = kernel_row(points, points.rows, up, 0)
    K_down = kernel_row(points, points.rows, down, 1)
    code, changed, _ = move_pair(points, up, down, K_up, K_down, False, event)
    if code == MOVED:
        level = points.level
        if level[BEST] - level[LEAST] < tol:
            level[BIAS] = 0.5 * (level[BEST] + level[LEAST])
        elif is_free(points, i):
            level[BIAS] = points.F[i]
        elif is_free(points, j):
            level[BIAS] = points.F[j]
        else:
            level[BIAS] = 0.5 * (points.F[i] + points.F[j])
    return code, changed


def violations(form, beta: np.ndarray, F: np.ndarray, b: float) -> np.ndarray:
    """:func:`violation` of every variable, in numpy."""
    short = np.where(beta < form.upper, F - b, -np.inf)
    return np.maximum(short, np.where(beta > form.lower, b - F, -np.inf))
