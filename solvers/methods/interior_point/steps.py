"""Mehrotra's predictor and corrector: the Newton system and the ratio test of one iteration.

:mod:`solvers.methods.interior_point.interior_point` states the problem and the conditions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from solvers.geometry.separation import separation
from solvers.kernels.gram_factor import Indefinite
from solvers.methods.interior_point.last_step import finish, solution_at_bounds, support_changed
from solvers.methods.interior_point.state import (
    INDEFINITE,
    INSEPARABLE,
    LOWER_MULTIPLIER,
    RUNNING,
    STALLED,
    UNBOUNDED,
    State,
    Work,
    primal_and_gap,
)

# A step goes at most this fraction of the way to where the first distance or multiplier is 0.
STEP_FRACTION = 0.995
# With a hard margin: the convex hulls of the classes may meet if ``a' Q a / (sum a)^2`` is at most
# this number. Up to a factor, this ratio is the squared distance of two points of the hulls,
# relative to the size of the data.
MAX_MEETING_DISTANCE = 1e-14
# Limits of a useful step: the minimum length, the minimum mean product of distance and multiplier,
# and the maximum sum of a.
MIN_LENGTH, MIN_MU, MAX_SUM = 1e-7, 1e-24, 1e14
# A step has no correct digit if the new gap exceeds both the old gap and the old sum of products
# distance * multiplier by more than this factor.
MAX_GAP_GROWTH = 100.0
# Number of iterative refinements of each solution of the linear system.
REFINEMENTS = 2
# A function that maps the desired change of ``distance * multiplier`` to ``(da, db, dmultiplier)``,
# the step that causes this change to first order.
Direction = Callable[[np.ndarray], tuple[np.ndarray, float, np.ndarray]]


def step(work: Work, state: State, event: Any, mark: np.ndarray) -> int:
    """Take one iteration in place; return RUNNING, or the stop code if no step was possible."""
    distance, multiplier, scalars = state.distance, state.multiplier, state.scalars[0]
    a, b = distance[0], float(scalars["bias"])
    # With a hard margin alpha has no upper bound. Such a large sum means that alpha grows for ever.
    if math.isinf(work.u) and float(a.sum()) > MAX_SUM:
        return UNBOUNDED
    solution = solution_at_bounds(work, state)
    if solution is not None:
        return finish(work, state, solution, event, mark)
    code = _hard_margin_code(work, a)
    if code:
        return code
    try:
        solve = _newton(work, state)
    except Indefinite:
        return INDEFINITE
    mu = (distance * multiplier).mean()

    # Predictor: aim at the product 0 for all distances and multipliers, and find the longest step.
    da, db, dmultiplier = solve(-distance * multiplier)
    ddistance = work.distance_slope * da
    max_length, event["first"] = _step_to_bound(
        work.S, distance, ddistance, multiplier, dmultiplier
    )
    predicted = min(1.0, max_length)
    # The mean product after the predictor step.
    mu_affine = ((distance + predicted * ddistance) * (multiplier + predicted * dmultiplier)).mean()

    # Corrector: sigma is small if a long predictor step is possible. The product ddistance *
    # dmultiplier is the second-order error of the predictor, and is subtracted.
    sigma = min(1.0, max(0.0, mu_affine / mu)) ** 3
    da, db, dmultiplier = solve(sigma * mu - distance * multiplier - ddistance * dmultiplier)
    ddistance = work.distance_slope * da
    max_length, event["blocking"] = _step_to_bound(
        work.S, distance, ddistance, multiplier, dmultiplier
    )
    length = min(1.0, STEP_FRACTION * max_length)
    new_distance = distance + length * ddistance
    new_multiplier = multiplier + length * dmultiplier
    new_bias = b + length * db
    primal, gap = (work.S * value for value in primal_and_gap(work, new_distance[0], new_bias))
    # The sum of products is a bound on the gap. It is compared too, since in a regression the gap
    # may start at 0, where both alphas of every point are equal, and rise before it falls.
    max_gap = MAX_GAP_GROWTH * max(abs(scalars["gap"]), work.S * mu * distance.size)
    if not _is_sound(length, mu, new_distance, new_multiplier) or gap > max_gap:
        return STALLED

    mark[0] = support_changed(work, distance, new_distance)
    distance[:], multiplier[:] = new_distance, new_multiplier
    scalars["bias"], scalars["gap"] = new_bias, gap
    scalars["steps"] += 1
    event["mu"], event["mu_affine"], event["sigma"] = work.S * mu, work.S * mu_affine, sigma
    event["predicted"], event["length"] = predicted, length
    event["primal"], event["gap"] = primal, gap
    return RUNNING


def _newton(work: Work, state: State) -> Direction:
    """Factorise the Newton system, and return the function that solves it.

    The function maps a change of the products ``distance * multiplier``, shape (k, N), to ``(da,
    db, dmultiplier)``. Eliminating the multipliers gives ``(Q + diag(D)) da + s db = rhs`` and
    ``s' da = -s' a``, with ``D = sum multiplier / distance`` over the bounds.
    """
    distance, multiplier, distance_slope, s = (
        state.distance,
        state.multiplier,
        work.distance_slope,
        work.s,
    )
    D = (multiplier / distance).sum(axis=0)
    inverse = work.K.factorise(D / work.S)

    def solve(rhs: np.ndarray) -> np.ndarray:
        return s * inverse(s * rhs) / work.S

    solution_for_s = solve(s)

    def solve_with_equality(rhs: np.ndarray, imbalance: Any) -> tuple[np.ndarray, Any]:
        da = solve(rhs)
        if not work.free:
            return da, 0.0
        db = (s @ da - imbalance) / (s @ solution_for_s)
        return da - db * solution_for_s, db

    b = float(state.scalars["bias"][0])
    dual_residual = work.excess(distance[0], b) - (distance_slope * multiplier).sum(axis=0)

    def direction(change: np.ndarray) -> tuple[np.ndarray, float, np.ndarray]:
        rhs = (distance_slope * change / distance).sum(axis=0) - dual_residual
        imbalance = -float(s @ distance[0])
        da, db = solve_with_equality(rhs, imbalance)
        # Iterative refinement is needed because the factorisation loses digits if D has very large
        # and very small entries.
        for _ in range(REFINEMENTS):
            da_correction, db_correction = solve_with_equality(
                rhs - work.times(da) - D * da - db * s, imbalance - float(s @ da)
            )
            da, db = da + da_correction, db + db_correction
        return da, db, (change - multiplier * distance_slope * da) / distance

    return direction


def _step_to_bound(
    S: float, distance: Any, ddistance: Any, multiplier: Any, dmultiplier: Any
) -> tuple[float, tuple]:
    """Return the largest length of a step that keeps all distances and multipliers at least 0.

    The second result is a :data:`.state.BLOCKING` record of the distance or multiplier that limits
    this length. In the record, a distance is in units of alpha and not of a. If no distance or
    multiplier falls, the length is infinite, and ``variable`` in the record is -1.
    """
    values = np.concatenate([distance, multiplier])
    change = np.concatenate([ddistance, dmultiplier])
    ratio = np.where(change < 0, -values / change, np.inf)
    row, variable = np.unravel_index(int(np.argmin(ratio)), ratio.shape)
    max_length = float(ratio[row, variable])
    if math.isinf(max_length):
        return max_length, (-1, -1, 0.0, 0.0)
    is_distance = row < len(distance)
    kind = row if is_distance else LOWER_MULTIPLIER + row - len(distance)
    unit = S if is_distance else 1.0
    return max_length, (kind, variable, unit * values[row, variable], unit * change[row, variable])


def _is_sound(length: float, mu: float, distance: np.ndarray, multiplier: np.ndarray) -> bool:
    """Return whether a step ends strictly inside the box, and is not lost in rounding error.

    Rounding error prevails if the step, or the mean product mu before it, is tiny.
    """
    inside = bool((distance > 0).all() and (multiplier > 0).all())
    finite = bool(np.isfinite(distance).all() and np.isfinite(multiplier).all())
    return finite and inside and length > MIN_LENGTH and mu > MIN_MU


def _hard_margin_code(work: Work, a: np.ndarray) -> int:
    """Return INSEPARABLE or UNBOUNDED if a hard margin cannot be reached, otherwise RUNNING.

    ``sqrt(a' Q a) / sum a`` is half the distance of two points of the hulls, relative to the size
    of the data. If it is tiny, the hulls may meet, and :func:`separation` decides whether they do:
    the code is INSEPARABLE if they meet, otherwise UNBOUNDED.
    """
    if not math.isinf(work.u):
        return RUNNING
    total = float(a.sum())
    if float(a @ work.times(a)) > MAX_MEETING_DISTANCE * total * total:
        return RUNNING
    return INSEPARABLE if separation(work.problem).separable is False else UNBOUNDED
