"""The last step: set the variables that are at a bound at the optimum to exactly this bound.

All earlier steps stay strictly inside the box and only approach the bounds.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from solvers.methods.interior_point.state import RUNNING, State, Work, primal_and_gap
from solvers.rounding import EPS
from solvers.run.trace import SUPPORT_CHANGED

# The last step sets a variable to a bound in any case if its distance to the bound is at most this
# fraction of the largest a.
MAX_DISTANCE_AT_BOUND = 1e-7
# At a larger distance, the last step sets the variable to the bound only if f hardly changes (see
# solution_at_bounds), and the distance is at most this fraction of the upper bound u. With a hard
# margin u is infinite, and the largest a takes its place.
MAX_DISTANCE_NEAR_BOUND = 1e-3
# The free variables are corrected at most MAX_CORRECTIONS times, and only if there are at most
# MAX_FREE of them; otherwise the run continues with another step inside the box.
MAX_CORRECTIONS, MAX_FREE = 4, 1000
# More than FEW_FREE variables are corrected only once the gap is at most this fraction of
# ``sum |q a|``, which is of the size of the objectives. Before, most variables are free, and a
# correction fails: on 1,000 points in the plane it took 20 ms per step, and all else 1 ms.
FEW_FREE, MAX_GAP = 100, 1e-4


def solution_at_bounds(work: Work, state: State) -> tuple[np.ndarray, float] | None:
    """Return ``(a, b)`` with variables set to bounds, or None if the run must continue.

    A variable is set to a bound if its distance is at most 1e-7 of the largest a. It is also set to
    the bound if its distance is at most 1e-3 of u (hard margin: of the largest a), and the move
    changes f at its point by at most 1e-3 of the multiplier. All other variables are free, and
    ``Q a + q + b s = 0`` is solved for them. A free variable that this moves to a bound, up to
    rounding, is set to it.

    The result must violate KKT by at most tol / 2, and with a free bias satisfy ``s' a = 0`` up to
    rounding. Until it does, the free variables are corrected. Return None if they cannot be
    corrected, because there are none or more than MAX_FREE; if there are many, and the gap is
    large; if a correction moves a free variable across a bound; or if MAX_CORRECTIONS corrections
    do not suffice.
    """
    distance, multiplier, u = state.distance, state.multiplier, work.u
    largest_a = distance[0].max()
    # The left side of the comparison with `multiplier` is the change of f at the variable's point
    # if the variable moves to the bound. At the optimum the multiplier is the size of the excess,
    # so a change of at most 1e-3 of it does not change the sign of the excess.
    is_near_bound = (distance <= MAX_DISTANCE_AT_BOUND * largest_a) | (
        (distance * np.abs(work.S * work.K.diagonal) <= 1e-3 * multiplier)
        & (distance <= MAX_DISTANCE_NEAR_BOUND * (largest_a if math.isinf(u) else u))
    )
    a = np.where(is_near_bound[0], 0.0, distance[0])
    if len(distance) == 2:
        a = np.where(is_near_bound[1] & ~is_near_bound[0], u, a)
    b, is_free = float(state.scalars["bias"][0]), (a > 0) & (a < u)
    has_small_gap = state.scalars["gap"][0] <= MAX_GAP * work.S * np.abs(work.q * a).sum()
    max_free = MAX_FREE if has_small_gap else FEW_FREE
    for _ in range(MAX_CORRECTIONS):
        b, violation = _violation(work, a, b, is_free)
        is_balanced = not work.free or abs(float(work.s @ a)) <= 1e-12 * float(a.sum())
        if is_balanced and violation <= 0.5 * work.tol:
            return a, b
        if not 0 < np.count_nonzero(is_free) <= max_free:
            return None
        a = _snapped(_correct_free(work, a, b, is_free), u, largest_a)
        if not ((a >= 0) & (a <= u)).all():
            return None
        is_free = (a > 0) & (a < u)
    return None


def _snapped(a: np.ndarray, u: float, largest_a: float) -> np.ndarray:
    """Return ``a`` with variables that are at a bound up to rounding set to this bound."""
    rounding = 64.0 * EPS * largest_a
    a = np.where(np.abs(a) <= rounding, 0.0, a)
    return np.where(np.abs(a - u) <= rounding, u, a)


def _violation(work: Work, a: np.ndarray, b: float, is_free: np.ndarray) -> tuple[float, float]:
    """Return the best bias for ``a``, and the largest KKT violation with this bias.

    The rounding error of f is added to the violation. For example, if ``|f| = 1e20``, no digit of
    ``y f - 1`` is correct.
    """
    product = work.times(a)
    excess = product + work.q
    if work.free:
        b = _bias(work, a, excess, is_free)
        excess = excess + b * work.s
    growth_violation = np.where(a < work.u, np.maximum(0.0, -excess), 0.0)
    shrink_violation = np.where(a > 0, np.maximum(0.0, excess), 0.0)
    rounding = EPS * (float(np.abs(product).max()) + abs(b))
    return b, float(np.maximum(growth_violation, shrink_violation).max()) + rounding


def _correct_free(work: Work, a: np.ndarray, b: float, is_free: np.ndarray) -> np.ndarray:
    """Return ``a`` with the free variables moved so that their excess is 0 and ``s' a = 0``.

    All other variables stay at their bounds. A small number is added to the diagonal of the matrix,
    so that the solution is unique. The next call reduces the error that this causes.
    """
    free = np.flatnonzero(is_free)
    matrix = np.zeros((len(free) + 1, len(free) + 1))
    matrix[:-1, :-1] = work.S * work.K.block(free) * np.outer(work.s[free], work.s[free])
    matrix[:-1, -1] = matrix[-1, :-1] = work.s[free]
    matrix[np.diag_indices(len(free))] += 1e-11 * max(float(matrix.diagonal().max()), 1e-300)
    rhs = np.append(-work.excess(a, b)[free], -float(work.s @ a))
    # Without a free bias there is no equality. The last unknown, the change of b, is set to 0.
    if not work.free:
        matrix[-1, :] = matrix[:, -1] = 0.0
        matrix[-1, -1], rhs[-1] = 1.0, 0.0
    try:
        change = np.linalg.solve(matrix, rhs)[:-1]
    except np.linalg.LinAlgError:
        return a
    a = a.copy()
    a[free] += change
    return a


def _bias(work: Work, a: np.ndarray, excess: np.ndarray, is_free: np.ndarray) -> float:
    """Return the best b: each free variable has one b at which its excess is 0; take their mean.

    Without free variables, return the middle of the interval of b that KKT allows. ``excess`` is
    ``Q a + q``, without b.
    """
    biases = -work.s * excess
    if is_free.any():
        return float(biases[is_free].mean())
    # KKT bounds b from below where beta can grow, and from above where beta can shrink.
    beta_grows = np.where(work.s > 0, a < work.u, a > 0)
    lower = biases[beta_grows].max(initial=-np.inf)
    upper = biases[np.where(work.s > 0, a > 0, a < work.u)].min(initial=np.inf)
    return float(0.5 * (lower + upper))


def finish(work: Work, state: State, solution: Any, event: Any, mark: np.ndarray) -> int:
    """Take the last step, to the ``(a, b)`` of :func:`solution_at_bounds`.

    Return RUNNING, as after every step; the scalar ``is_done`` makes ``InteriorPoint.advance`` end
    the run.
    """
    a, b = solution
    event["mu"] = work.S * float((state.distance * state.multiplier).mean())
    event["mu_affine"], event["sigma"], event["predicted"], event["length"] = 0.0, 0.0, 1.0, 1.0
    event["first"] = event["blocking"] = (-1, -1, 0.0, 0.0)
    distance = np.stack([a, np.where(a == work.u, 0.0, work.u - a)])[: len(state.distance)]
    mark[0] = support_changed(work, state.distance, distance)
    state.distance[:] = distance
    event["primal"], event["gap"] = (work.S * value for value in primal_and_gap(work, a, b))
    scalars = state.scalars[0]
    scalars["bias"], scalars["gap"] = b, event["gap"]
    scalars["steps"] += 1
    scalars["is_done"] = 1
    return RUNNING


def support_changed(work: Work, before: np.ndarray, after: np.ndarray) -> int:
    """Return SUPPORT_CHANGED if a point became a support vector or ceased to be one, otherwise 0.

    ``before`` and ``after`` are the distances before and after a step. A support vector has a beta
    other than 0.
    """
    return SUPPORT_CHANGED * int(((work.beta(before) != 0) ^ (work.beta(after) != 0)).any())
