"""Mehrotra's predictor and corrector: the arithmetic of one iteration.

:mod:`solvers.methods.interior_point.interior_point` states the problem and the conditions; here are
the Newton system and the step to the boundary.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from solvers.geometry.separation import separation
from solvers.kernels.gram_factor import Indefinite
from solvers.methods.interior_point.ending import finish, settled, support_changed
from solvers.methods.interior_point.state import (
    BIAS,
    GAP,
    INDEFINITE,
    INSEPARABLE,
    LOWER_PRICE,
    RUNNING,
    STEPS,
    STUCK,
    UNBOUNDED,
    State,
    Work,
    values_of,
)

# How near to the end of its room or price a step may come.
NEARLY = 0.995
# When the distance of the hulls over the size of the data is below this, squared, they meet.
MEETING = 1e-14
# Steps, products of room and price, and sums of a beyond these are rounding, or lead nowhere.
SHORTEST, SMALLEST_MU, LARGEST = 1e-7, 1e-24, 1e14
# A step that multiplies the gap by this was solved with no right digit.
SPOILED = 100.0
REFINEMENTS = 2
# From a wanted change of ``room * price`` to the step ``(da, db, dprice)``.
Direction = Callable[[np.ndarray], tuple[np.ndarray, float, np.ndarray]]


def step(work: Work, state: State, event: Any, mark: np.ndarray) -> int:
    """One iteration in place; returns RUNNING, or why there was none."""
    room, price, level = state.room, state.price, state.level
    a, b = room[0], float(level[BIAS])
    # A hard margin of which alpha has left every scale cannot be reached.
    if math.isinf(work.u) and float(a.sum()) > LARGEST:
        return UNBOUNDED
    found = settled(work, state)
    if found is not None:
        return finish(work, state, found, event, mark)
    code = _hopeless(work, a)
    if code:
        return code
    try:
        solve = _newton(work, state)
    except Indefinite:
        return INDEFINITE
    mu = (room * price).mean()

    # Predictor: aim at mu = 0, and see how far that goes.
    da, db, dprice = solve(-room * price)
    droom = work.toward * da
    furthest, event["first"] = _reach(work.S, room, droom, price, dprice)
    predicted = min(1.0, furthest)
    left = ((room + predicted * droom) * (price + predicted * dprice)).mean()

    # Corrector: the better the predictor, the less centring; its second-order error is taken off.
    sigma = min(1.0, max(0.0, left / mu)) ** 3
    da, db, dprice = solve(sigma * mu - room * price - droom * dprice)
    droom = work.toward * da
    furthest, event["wall"] = _reach(work.S, room, droom, price, dprice)
    length = min(1.0, NEARLY * furthest)
    moved = room + length * droom, price + length * dprice
    primal, gap = (work.S * value for value in values_of(work, moved[0][0], b + length * db))
    if not _is_sound(length, mu, *moved) or gap > SPOILED * abs(level[GAP]):
        return STUCK

    mark[0] = support_changed(work, room, moved[0])
    room[:], price[:] = moved
    level[BIAS], level[GAP] = b + length * db, gap
    state.count[STEPS] += 1
    event["mu"], event["affine"], event["sigma"] = work.S * mu, work.S * left, sigma
    event["predicted"], event["length"] = predicted, length
    event["primal"], event["gap"] = primal, gap
    return RUNNING


def _newton(work: Work, state: State) -> Direction:
    """The map from a wanted change of ``room * price`` to the step ``(da, db, dprice)``.

    Eliminating the prices leaves ``(Q + diag(D)) da + s db = rhs`` and ``s' da = -s' a``, with
    ``D = sum price / room``.
    """
    room, price, toward, s = state.room, state.price, work.toward, work.s
    D = (price / room).sum(axis=0)
    inverse = work.K.factorise(D / work.S)

    def solve(rhs: np.ndarray) -> np.ndarray:
        return s * inverse(s * rhs) / work.S

    along = solve(s)

    def both(rhs: np.ndarray, missing: Any) -> tuple[np.ndarray, Any]:
        da = solve(rhs)
        if not work.free:
            return da, 0.0
        db = (s @ da - missing) / (s @ along)
        return da - db * along, db

    dual = work.excess(room[0], float(state.level[BIAS])) - (toward * price).sum(axis=0)

    def direction(change: np.ndarray) -> tuple[np.ndarray, float, np.ndarray]:
        rhs, missing = (toward * change / room).sum(axis=0) - dual, -float(s @ room[0])
        da, db = both(rhs, missing)
        # Again on what is left, because the factorisation loses digits as D spreads.
        for _ in range(REFINEMENTS):
            more, shift = both(rhs - work.times(da) - D * da - db * s, missing - float(s @ da))
            da, db = da + more, db + shift
        return da, db, (change - price * toward * da) / room

    return direction


def _reach(S: float, room: Any, droom: Any, price: Any, dprice: Any) -> tuple[float, tuple]:
    """The ratio test: the largest step that keeps rooms and prices at 0 or above, and its wall.

    The wall is as in :data:`WALL`, rooms in units of alpha; its variable is -1 where nothing falls.
    """
    now, change = np.concatenate([room, price]), np.concatenate([droom, dprice])
    ratio = np.where(change < 0, -now / change, np.inf)
    row, place = np.unravel_index(int(np.argmin(ratio)), ratio.shape)
    furthest = float(ratio[row, place])
    if math.isinf(furthest):
        return furthest, (-1, -1, 0.0, 0.0)
    is_room = row < len(room)
    kind = row if is_room else LOWER_PRICE + row - len(room)
    unit = S if is_room else 1.0
    return furthest, (kind, place, unit * now[row, place], unit * change[row, place])


def _is_sound(length: float, mu: float, room: np.ndarray, price: np.ndarray) -> bool:
    """Whether a step is worth taking: finite, inside, and longer than rounding."""
    inside = bool((room > 0).all() and (price > 0).all())
    finite = bool(np.isfinite(room).all() and np.isfinite(price).all())
    return finite and inside and length > SHORTEST and mu > SMALLEST_MU


def _hopeless(work: Work, a: np.ndarray) -> int:
    """Whether a hard margin cannot be reached: the hulls meet.

    ``sqrt(a' Q a) / sum a`` is half the distance of two points of the hulls. With an augmented
    bias, which is part of Q, they may seem to meet where the points are only near each other.
    """
    if not math.isinf(work.u):
        return RUNNING
    total = float(a.sum())
    if float(a @ work.times(a)) > MEETING * total * total:
        return RUNNING
    return INSEPARABLE if separation(work.problem).separable is False else UNBOUNDED
