"""The last step: find the variables that lie on a bound, and set them to it.

All earlier steps stay inside the box, and only come near the bounds.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from solvers.methods.interior_point.state import RUNNING, State, Work, values_of
from solvers.rounding import EPS
from solvers.run.trace import SUPPORT_CHANGED

# A variable nearer to its bound than this fraction of the largest alpha is set to it (last step).
AT_BOUND = 1e-7
# A variable farther from its bound than this fraction of C is free, whatever its multiplier.
NEAR_BOUND = 1e-3
# Rounds of Newton's method on the free variables, and their maximum number.
POLISH_ROUNDS, MAX_FREE = 4, 1000


def solution_at_bounds(work: Work, state: State) -> tuple[np.ndarray, float] | None:
    """Return ``(a, b)`` with variables near a bound set to it, if that is optimal within tol.

    A variable is near a bound at a distance of at most 1e-7 of the largest a. It is also near at a
    distance of at most 1e-3 of C if moving it changes f by at most 1e-3 of the multiplier. The free
    variables then solve their equations exactly.
    """
    distance, multiplier, u = state.distance, state.multiplier, work.u
    largest = distance[0].max()
    is_near_bound = (distance <= AT_BOUND * largest) | (
        (distance * np.abs(work.S * work.K.diagonal) <= 1e-3 * multiplier)
        & (distance <= NEAR_BOUND * (largest if math.isinf(u) else u))
    )
    a = np.where(is_near_bound[0], 0.0, distance[0])
    if len(distance) == 2:
        a = np.where(is_near_bound[1] & ~is_near_bound[0], u, a)
    b, is_free = float(state.scalars["bias"][0]), (a > 0) & (a < u)
    for _ in range(POLISH_ROUNDS):
        b, violation = _violation(work, a, b, is_free)
        balanced = not work.free or abs(float(work.s @ a)) <= 1e-12 * float(a.sum())
        if balanced and violation <= 0.5 * work.tol:
            return a, b
        if not 0 < np.count_nonzero(is_free) <= MAX_FREE:
            return None
        a = _polished(work, a, b, is_free)
        if not ((a[is_free] > 0) & (a[is_free] < u)).all():
            return None
    return None


def _violation(work: Work, a: np.ndarray, b: float, is_free: np.ndarray) -> tuple[float, float]:
    """Return the best bias for ``a``, and the largest violation of a KKT condition with it.

    The rounding error of f is added: at ``|f| = 1e20`` no digit of ``y f - 1`` is left.
    """
    product = work.times(a)
    excess = product + work.q
    if work.free:
        b = _bias(work, a, excess, is_free)
        excess = excess + b * work.s
    grows = np.where(a < work.u, np.maximum(0.0, -excess), 0.0)
    shrinks = np.where(a > 0, np.maximum(0.0, excess), 0.0)
    hidden = EPS * (float(np.abs(product).max()) + abs(b))
    return b, float(np.maximum(grows, shrinks).max()) + hidden


def _polished(work: Work, a: np.ndarray, b: float, is_free: np.ndarray) -> np.ndarray:
    """Return ``a`` with the free variables moved so that their g is 0 and ``s' a = 0``.

    The others stay on their bounds. A ridge picks one solution if there are many; the next round
    corrects its error.
    """
    free = np.flatnonzero(is_free)
    M = np.zeros((len(free) + 1, len(free) + 1))
    M[:-1, :-1] = work.S * work.K.block(free) * np.outer(work.s[free], work.s[free])
    M[:-1, -1] = M[-1, :-1] = work.s[free]
    M[np.diag_indices(len(free))] += 1e-11 * max(float(M.diagonal().max()), 1e-300)
    rhs = np.append(-work.excess(a, b)[free], -float(work.s @ a))
    if not work.free:
        M[-1, :] = M[:, -1] = 0.0
        M[-1, -1], rhs[-1] = 1.0, 0.0
    try:
        change = np.linalg.solve(M, rhs)[:-1]
    except np.linalg.LinAlgError:
        return a
    a = a.copy()
    a[free] += change
    return a


def _bias(work: Work, a: np.ndarray, excess: np.ndarray, is_free: np.ndarray) -> float:
    """Return the mean bias over the free variables, else the middle of the interval allowed."""
    wanted = -work.s * excess
    if is_free.any():
        return float(wanted[is_free].mean())
    grows = np.where(work.s > 0, a < work.u, a > 0)
    least = wanted[grows].max(initial=-np.inf)
    most = wanted[np.where(work.s > 0, a > 0, a < work.u)].min(initial=np.inf)
    return float(0.5 * (least + most))


def finish(work: Work, state: State, found: Any, event: Any, mark: np.ndarray) -> int:
    """Take the last step: set variables to the bounds that the path only approached."""
    a, b = found
    event["mu"] = work.S * float((state.distance * state.multiplier).mean())
    event["affine"], event["sigma"], event["predicted"], event["length"] = 0.0, 0.0, 1.0, 1.0
    event["first"] = event["blocking"] = (-1, -1, 0.0, 0.0)
    distance = np.stack([a, np.where(a == work.u, 0.0, work.u - a)])[: len(state.distance)]
    mark[0] = support_changed(work, state.distance, distance)
    state.distance[:] = distance
    event["primal"], event["gap"] = (work.S * value for value in values_of(work, a, b))
    scalars = state.scalars[0]
    scalars["bias"], scalars["gap"] = b, event["gap"]
    scalars["steps"] += 1
    scalars["is_done"] = 1
    return RUNNING


def support_changed(work: Work, before: np.ndarray, after: np.ndarray) -> int:
    """Return the mark of a step; in a regression a beta is 0 if its two alphas are equal."""
    return SUPPORT_CHANGED * int(((work.beta(before) != 0) ^ (work.beta(after) != 0)).any())
