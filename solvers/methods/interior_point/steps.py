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
    values_of,
)

# The fraction of the way to the first bound that a step may go.
STEP_FRACTION = 0.995
# Hulls meet if their squared distance, relative to the squared size of the data, is below this.
MAX_MEETING_DISTANCE = 1e-14
# Limits of a useful step: the minimum length, the minimum mean product of distance and multiplier,
# and the maximum sum of a.
MIN_LENGTH, MIN_MU, MAX_SUM = 1e-7, 1e-24, 1e14
# If a step multiplies the gap, or the sum of products, by more than this, it has no correct digit.
MAX_GAP_GROWTH = 100.0
# Number of iterative refinements of a solution.
REFINEMENTS = 2
# Maps a requested change of ``distance * multiplier`` to the step ``(da, db, dmultiplier)``.
Direction = Callable[[np.ndarray], tuple[np.ndarray, float, np.ndarray]]


def step(work: Work, state: State, event: Any, mark: np.ndarray) -> int:
    """Take one iteration in place; return RUNNING, or the stop code if no step was possible."""
    distance, multiplier, scalars = state.distance, state.multiplier, state.scalars[0]
    a, b = distance[0], float(scalars["bias"])
    # With a hard margin, such a large sum means that alpha is unbounded.
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

    # Predictor: aim at mu = 0, and find the longest step.
    da, db, dmultiplier = solve(-distance * multiplier)
    ddistance = work.distance_slope * da
    furthest, event["first"] = _step_to_bound(work.S, distance, ddistance, multiplier, dmultiplier)
    predicted = min(1.0, furthest)
    # The mean product that the predictor step would leave.
    left = ((distance + predicted * ddistance) * (multiplier + predicted * dmultiplier)).mean()

    # Corrector: sigma is small if the predictor step is long. Subtract the predictor's second-order
    # error.
    sigma = min(1.0, max(0.0, left / mu)) ** 3
    da, db, dmultiplier = solve(sigma * mu - distance * multiplier - ddistance * dmultiplier)
    ddistance = work.distance_slope * da
    furthest, event["blocking"] = _step_to_bound(
        work.S, distance, ddistance, multiplier, dmultiplier
    )
    length = min(1.0, STEP_FRACTION * furthest)
    moved = distance + length * ddistance, multiplier + length * dmultiplier
    primal, gap = (work.S * value for value in values_of(work, moved[0][0], b + length * db))
    # The sum of products is a bound on the gap. It is used as well, since in a regression the gap
    # may start at 0, where both alphas of every point are equal, and rise before it falls.
    largest = MAX_GAP_GROWTH * max(abs(scalars["gap"]), work.S * mu * distance.size)
    if not _is_sound(length, mu, *moved) or gap > largest:
        return STALLED

    mark[0] = support_changed(work, distance, moved[0])
    distance[:], multiplier[:] = moved
    scalars["bias"], scalars["gap"] = b + length * db, gap
    scalars["steps"] += 1
    event["mu"], event["affine"], event["sigma"] = work.S * mu, work.S * left, sigma
    event["predicted"], event["length"] = predicted, length
    event["primal"], event["gap"] = primal, gap
    return RUNNING


def _newton(work: Work, state: State) -> Direction:
    """Factorise the Newton system, and return the function that solves it.

    The function maps a change of the products ``distance * multiplier``, shape (k, n), to ``(da,
    db, dmultiplier)``. Eliminating the multipliers leaves ``(Q + diag(D)) da + s db = rhs`` and
    ``s' da = -s' a``, with ``D = sum multiplier / distance``.
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

    along = solve(s)

    def solve_with_equality(rhs: np.ndarray, missing: Any) -> tuple[np.ndarray, Any]:
        da = solve(rhs)
        if not work.free:
            return da, 0.0
        db = (s @ da - missing) / (s @ along)
        return da - db * along, db

    b = float(state.scalars["bias"][0])
    dual = work.excess(distance[0], b) - (distance_slope * multiplier).sum(axis=0)

    def direction(change: np.ndarray) -> tuple[np.ndarray, float, np.ndarray]:
        rhs, missing = (
            (distance_slope * change / distance).sum(axis=0) - dual,
            -float(s @ distance[0]),
        )
        da, db = solve_with_equality(rhs, missing)
        # Iterative refinement is needed because the factorisation loses digits if D has very large
        # and very small entries.
        for _ in range(REFINEMENTS):
            more, shift = solve_with_equality(
                rhs - work.times(da) - D * da - db * s, missing - float(s @ da)
            )
            da, db = da + more, db + shift
        return da, db, (change - multiplier * distance_slope * da) / distance

    return direction


def _step_to_bound(
    S: float, distance: Any, ddistance: Any, multiplier: Any, dmultiplier: Any
) -> tuple[float, tuple]:
    """Return the largest step that keeps distances and multipliers at least 0, and its limit.

    The limit is a :data:`BLOCKING` record, with distances in units of alpha. Its ``variable`` is -1
    if no distance or multiplier falls.
    """
    now, change = np.concatenate([distance, multiplier]), np.concatenate([ddistance, dmultiplier])
    ratio = np.where(change < 0, -now / change, np.inf)
    row, variable = np.unravel_index(int(np.argmin(ratio)), ratio.shape)
    furthest = float(ratio[row, variable])
    if math.isinf(furthest):
        return furthest, (-1, -1, 0.0, 0.0)
    is_distance = row < len(distance)
    kind = row if is_distance else LOWER_MULTIPLIER + row - len(distance)
    unit = S if is_distance else 1.0
    return furthest, (kind, variable, unit * now[row, variable], unit * change[row, variable])


def _is_sound(length: float, mu: float, distance: np.ndarray, multiplier: np.ndarray) -> bool:
    """Return whether a step is finite, strictly inside, and longer than rounding error."""
    inside = bool((distance > 0).all() and (multiplier > 0).all())
    finite = bool(np.isfinite(distance).all() and np.isfinite(multiplier).all())
    return finite and inside and length > MIN_LENGTH and mu > MIN_MU


def _hard_margin_code(work: Work, a: np.ndarray) -> int:
    """Return INSEPARABLE or UNBOUNDED if a hard margin cannot be reached, otherwise RUNNING.

    ``sqrt(a' Q a) / sum a`` is half the distance of two points of the hulls. If it is tiny, the
    hulls may meet, and :func:`separation` decides it.
    """
    if not math.isinf(work.u):
        return RUNNING
    total = float(a.sum())
    if float(a @ work.times(a)) > MAX_MEETING_DISTANCE * total * total:
        return RUNNING
    return INSEPARABLE if separation(work.problem).separable is False else UNBOUNDED
