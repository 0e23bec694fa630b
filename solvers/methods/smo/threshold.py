"""The threshold b of Platt's choice and of the random choice, and KKT violations at this threshold.

Platt's error is ``E_k = f(x_k) - y_k = b - F_k``. So the array F, together with b, serves as his
error cache. F gives the errors of all points, while Platt caches those of free points only. Platt
writes ``u = w.x - b`` for the decision function; here it is ``f = w.x + b``.

m is the largest F of the points whose beta can grow, M is the smallest F of those whose beta can
shrink.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.jit.compiled import inner
from solvers.methods.smo.state import MOVED, PairEvent, Points
from solvers.methods.smo.steps import move_pair, step_length

# A pair moves only if it reaches a bound, or if its step t exceeds this fraction of ``|beta_i| +
# |beta_j|``. Platt calls the fraction eps; his value, 1e-3, can end a run before the tolerance is
# met.
MIN_MOVE = 1e-10


class Params(NamedTuple):
    """The settings for compiled code.

    ``hierarchy`` is True for Platt's choice and False for the random choice. In a regression
    ``twins`` is the number of points: the variables k and ``k + twins``, alpha* and alpha of one
    point, are twins of each other. In a classification ``twins`` is 0.
    """

    hierarchy: bool
    tol: float
    seed: int
    twins: int


@inner
def is_free(points, k):
    """Return whether ``0 < alpha_k < C``."""
    return points.up_mask[k] == 0.0 and points.low_mask[k] == 0.0


@inner
def violation(points, k):
    """Return by how much point k violates its KKT condition at the threshold b, in units of f.

    The number is negative if the condition holds with room to spare. It exceeds tol in the two
    cases of Platt's test: ``y E < -tol`` and alpha can grow, or ``y E > tol`` and alpha can shrink.
    """
    b, F = points.scalars[0].b, points.F[k]
    return max((F + points.up_mask[k]) - b, b - (F + points.low_mask[k]))


@inner
def twin_that_moves(points, k, grows, twins):
    """Return the variable, k or its twin, that moves to make the sum of their betas grow or shrink.

    The sum is to grow if ``grows`` is true, and to shrink otherwise. Only in a regression do
    variables have twins: beta of alpha* is alpha*, and beta of alpha is -alpha. To make the sum
    grow, alpha falls if it is positive; if alpha is 0, alpha* rises. To make the sum shrink, alpha*
    falls if it is positive; if alpha* is 0, alpha rises. So one of the two is always 0, as at the
    optimum. Lowering the positive variable also raises the dual more than raising its twin.
    """
    starred = k if k < twins else k - twins
    if grows:
        return starred + twins if points.up_mask[starred + twins] == 0.0 else starred
    return starred if points.low_mask[starred] == 0.0 else starred + twins


@inner
def variables_that_move(points, i, j, twins):
    """Return the variables that move for the pair (i, j): each is the given one or its twin."""
    if twins > 0:
        grows = points.F[i] > points.F[j]
        i = twin_that_moves(points, i, grows, twins)
        j = twin_that_moves(points, j, not grows, twins)
    return i, j


@inner
def is_worth_moving(points, i, j, K_ij):
    """Return whether the pair can reach a bound, or move by more than MIN_MOVE.

    MIN_MOVE is relative to ``|beta_i| + |beta_j|``. A move to a bound is worth taking however short
    it is. If short moves to a bound were not taken, a variable could stay just inside its bound
    because of rounding: it would count as free, and its F would determine b. Platt rounds such
    variables to the bound.
    """
    beta, F = points.beta, points.F
    up, down = (i, j) if F[i] > F[j] else (j, i)
    K_ii, K_jj = points.diagonal[i], points.diagonal[j]
    to_bound = min(points.upper[up] - beta[up], beta[down] - points.lower[down])
    difference = F[up] - F[down]
    t = step_length(K_ii + K_jj - 2.0 * K_ij, abs(K_ii) + abs(K_jj), difference, to_bound)
    min_t = 0.0 if t == to_bound else MIN_MOVE * (abs(beta[i]) + abs(beta[j]))
    return difference > 0.0 and t > min_t


@inner
def take_step(points: Points, i: int, j: int, tol: float, event: PairEvent) -> tuple[int, bool]:
    """Move the pair and update b.

    Return MOVED or the reason that the pair did not move, and whether the set of support vectors
    changed.

    If ``m - M < tol`` after the step, b becomes ``(m + M) / 2``. Otherwise b becomes F of a free
    point of the pair, or ``(F_i + F_j) / 2`` if neither point is free. If b were computed from the
    pair even when ``m - M < tol``, other points could violate their conditions for ever (Keerthi et
    al. 2001).
    """
    up, down = (i, j) if points.F[i] > points.F[j] else (j, i)
    code, changed, _ = move_pair(points, up, down, False, event)
    if code == MOVED:
        scalars = points.scalars[0]
        if scalars.m - scalars.M < tol:
            scalars.b = 0.5 * (scalars.m + scalars.M)
        elif is_free(points, i):
            scalars.b = points.F[i]
        elif is_free(points, j):
            scalars.b = points.F[j]
        else:
            scalars.b = 0.5 * (points.F[i] + points.F[j])
    return code, changed


def violations(dual_form, beta: np.ndarray, F: np.ndarray, b: float) -> np.ndarray:
    """Return :func:`violation` of every variable, shape (N,), computed by numpy."""
    should_grow = np.where(beta < dual_form.upper, F - b, -np.inf)
    should_shrink = np.where(beta > dual_form.lower, b - F, -np.inf)
    return np.maximum(should_grow, should_shrink)
