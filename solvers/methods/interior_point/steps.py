"""Mehrotra's predictor and corrector: the arithmetic of one iteration.

:mod:`solvers.methods.interior_point.interior_point` states the problem and the conditions; here are
the state, the Newton system, the step to the boundary, and the end of the path: which variables lie
on a bound.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from solvers.geometry.separation import separation
from solvers.kernels.gram import Dense, Indefinite, LowRank
from solvers.problem.problem import Problem
from solvers.run.trace import SUPPORT_CHANGED

# What ends a step: the place in ALPHA..UPPER_PRICE, the variable, its value and how that changes.
WALL = np.dtype([("kind", "i4"), ("place", "i4"), ("now", "f8"), ("change", "f8")])
ALPHA, ROOM_TO_C, LOWER_PRICE, UPPER_PRICE = range(4)
EVENT = np.dtype(
    [(name, "f8") for name in ("mu", "affine", "sigma", "predicted", "length", "primal", "gap")]
    + [("first", WALL), ("wall", WALL)]
)
# Codes of the end. Only OPTIMAL is written into the state: the others took no step.
RUNNING, OPTIMAL, STUCK, INDEFINITE, INSEPARABLE, UNBOUNDED = range(6)
# Rooms below this part of the largest alpha are on their bound (the last step says so).
SNAP = 1e-7
# What lies further inside, as a part of its room, is between its bounds whatever its price.
NEAR = 1e-3
# How near to the end of its room or price a step may come.
NEARLY = 0.995
# When the distance of the hulls over the size of the data is below this, squared, they meet.
MEETING = 1e-14
# Steps, products of room and price, and sums of a beyond these are rounding, or lead nowhere.
SHORTEST, SMALLEST_MU, LARGEST = 1e-7, 1e-24, 1e14
SMALLEST = 1e-300
# A step that multiplies the gap by this was solved with no right digit.
SPOILED = 100.0
REFINEMENTS = 2
# Rounds of Newton's method on the variables between their bounds, when there are few enough.
POLISHES, FREE_UP_TO = 4, 1000
# Places in State.level and State.count.
BIAS, GAP = range(2)
STEPS, EVALUATIONS, DONE = range(3)


# From a wanted change of ``room * price`` to the step ``(da, db, dprice)``.
Direction = Callable[[np.ndarray], tuple[np.ndarray, float, np.ndarray]]


class State(NamedTuple):
    """Raw variables, k = 2 bounds (1 for the hard margin).

    Attributes
    ----------
    room : float64 array, shape (k, n); ``a`` and ``u - a``
    price : float64 array, shape (k, n); their multipliers
    level : float64 array, shape (2,); the bias and the duality gap
    count : int64 array, shape (3,); steps taken, kernel values asked for, whether done
    """

    room: np.ndarray
    price: np.ndarray
    level: np.ndarray
    count: np.ndarray


class Work(NamedTuple):
    """The scaled problem: no part of the state, for it follows from the problem alone.

    Attributes
    ----------
    problem : Problem
    K : the Gram matrix, stored or of low rank
    S, u : float; the unit of a, and its upper bound
    s, q : arrays, shape (n,)
    toward : array, shape (k, 1); +1 and -1: how a room changes when a grows
    free : bool; whether the equality holds
    tol : float
    """

    problem: Problem
    K: Dense | LowRank
    S: float
    u: float
    s: np.ndarray
    q: np.ndarray
    toward: np.ndarray
    free: bool
    tol: float

    def beta(self, room: np.ndarray) -> np.ndarray:
        """``s S a`` of the points, with 0 and C only where the last step has put a on a bound."""
        alpha = np.maximum(self.S * room[0], np.where(room[0] > 0, SMALLEST, 0.0))
        if len(room) == 2:
            below = np.nextafter(self.problem.C, 0.0)
            alpha = np.where(room[1] > 0, np.minimum(alpha, below), self.problem.C)
        return self.problem.fold(self.s * alpha + 0.0)

    def times(self, a: np.ndarray) -> np.ndarray:
        """``Q a``, shape (n,)."""
        return self.S * self.s * self.K.times(self.s * a)

    def excess(self, a: np.ndarray, b: float) -> np.ndarray:
        """``g = Q a + q + b s``; ``y f - 1`` in classification; shape (n,)."""
        return self.times(a) + self.q + b * self.s


def step(work: Work, state: State, event: Any, mark: np.ndarray) -> int:
    """One iteration in place; returns RUNNING, or why there was none."""
    room, price, level = state.room, state.price, state.level
    a, b = room[0], float(level[BIAS])
    found = _settled(work, state)
    if found is not None:
        return _finish(work, state, found, event, mark)
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

    mark[0] = _support_changed(work, room, moved[0])
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


def _settled(work: Work, state: State) -> tuple[np.ndarray, float] | None:
    """``(a, b)`` with what is nearly on its bound put there, if that is optimal within tol.

    Nearly: within 1e-7 of the largest a, or so near that moving there changes f by much less than
    the price says it may, and not most of the way. The variables between then solve their equations
    exactly.
    """
    room, price, u = state.room, state.price, work.u
    largest = room[0].max()
    near = (room <= SNAP * largest) | (
        (room * np.abs(work.S * work.K.diagonal) <= 1e-3 * price)
        & (room <= NEAR * (largest if math.isinf(u) else u))
    )
    a = np.where(near[0], 0.0, room[0])
    if len(room) == 2:
        a = np.where(near[1] & ~near[0], u, a)
    b, between = float(state.level[BIAS]), (a > 0) & (a < u)
    for _ in range(POLISHES):
        b, violation = _violation(work, a, b, between)
        balanced = not work.free or abs(float(work.s @ a)) <= 1e-12 * float(a.sum())
        if balanced and violation <= 0.5 * work.tol:
            return a, b
        if not 0 < np.count_nonzero(between) <= FREE_UP_TO:
            return None
        a = _polished(work, a, b, between)
        if not ((a[between] > 0) & (a[between] < u)).all():
            return None
    return None


def _violation(work: Work, a: np.ndarray, b: float, between: np.ndarray) -> tuple[float, float]:
    """The best bias for ``a``, and the largest violation of a KKT condition with it.

    What rounding may have hidden counts as violated: at ``|f| = 1e20`` no ``y f - 1`` is left.
    """
    own = work.times(a)
    excess = own + work.q
    if work.free:
        b = _bias(work, a, excess, between)
        excess = excess + b * work.s
    grows = np.where(a < work.u, np.maximum(0.0, -excess), 0.0)
    shrinks = np.where(a > 0, np.maximum(0.0, excess), 0.0)
    hidden = np.finfo(float).eps * (float(np.abs(own).max()) + abs(b))
    return b, float(np.maximum(grows, shrinks).max()) + hidden


def _polished(work: Work, a: np.ndarray, b: float, between: np.ndarray) -> np.ndarray:
    """``a`` with the variables between their bounds moved to where ``g = 0`` and ``s' a = 0``.

    The others stay on their bounds. A ridge picks one solution where there are many, and what it
    spoils is made good by the next round.
    """
    free = np.flatnonzero(between)
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


def _bias(work: Work, a: np.ndarray, excess: np.ndarray, between: np.ndarray) -> float:
    """Mean of what the free variables ask for, else the middle of what the others allow."""
    wanted = -work.s * excess
    if between.any():
        return float(wanted[between].mean())
    grows = np.where(work.s > 0, a < work.u, a > 0)
    least = wanted[grows].max(initial=-np.inf)
    most = wanted[np.where(work.s > 0, a > 0, a < work.u)].min(initial=np.inf)
    return float(0.5 * (least + most))


def _finish(work: Work, state: State, found: Any, event: Any, mark: np.ndarray) -> int:
    """The last step: on the bounds, where the path only led near them."""
    a, b = found
    event["mu"] = work.S * float((state.room * state.price).mean())
    event["affine"], event["sigma"], event["predicted"], event["length"] = 0.0, 0.0, 1.0, 1.0
    event["first"] = event["wall"] = (-1, -1, 0.0, 0.0)
    room = np.stack([a, np.where(a == work.u, 0.0, work.u - a)])[: len(state.room)]
    mark[0] = _support_changed(work, state.room, room)
    state.room[:] = room
    state.level[BIAS] = b
    event["primal"], event["gap"] = (work.S * value for value in values_of(work, a, b))
    state.level[GAP] = event["gap"]
    state.count[STEPS] += 1
    state.count[DONE] = 1
    return RUNNING


def _support_changed(work: Work, before: np.ndarray, after: np.ndarray) -> int:
    """The mark of a step: in a regression a beta is 0 where its two alphas are equal."""
    return SUPPORT_CHANGED * int(((work.beta(before) != 0) ^ (work.beta(after) != 0)).any())


def _hopeless(work: Work, a: np.ndarray) -> int:
    """Whether a hard margin cannot be reached: the hulls meet, or alpha has left every scale.

    ``sqrt(a' Q a) / sum a`` is half the distance of two points of the hulls. With an augmented
    bias, which is part of Q, they may seem to meet where the points are only near each other.
    """
    if not math.isinf(work.u):
        return RUNNING
    total = float(a.sum())
    if float(a @ work.times(a)) <= MEETING * total * total:
        return INSEPARABLE if separation(work.problem).separable is False else UNBOUNDED
    return UNBOUNDED if total > LARGEST else RUNNING


def middle(work: Work) -> np.ndarray:
    """The middle of the box, the larger class taken down until the equality holds.

    The hard margin's box has no middle: there it is the best multiple of that direction.
    """
    positive = work.s > 0
    d = np.ones(len(work.s))
    if work.free:
        fewer = min(np.count_nonzero(positive), np.count_nonzero(~positive))
        d = np.where(positive, fewer / positive.sum(), fewer / (~positive).sum())
    if not math.isinf(work.u):
        return d * 0.5 * work.u
    curvature, slope = float(d @ work.times(d)), -float(work.q @ d)
    return d * (slope / curvature if curvature > 0 else 1.0)


def values_of(work: Work, a: np.ndarray, b: float) -> tuple[float, float]:
    """``P`` and ``P - D`` in units of S; the hard margin's P is that of ``(w, b)`` over min y f.

    Where two variables of a point pull against each other, D is that of what remains of them.
    """
    own = work.times(a)
    excess = own + work.q + b * work.s
    norm = float(a @ own)
    a = work.s * work.problem.unfold(work.problem.fold(work.s * a))
    if not math.isinf(work.u):
        slack = work.u * float(np.maximum(0.0, -excess).sum())
        return 0.5 * norm + slack, norm + float(work.q @ a) + slack
    nearest = float((excess - work.q).min())
    primal = 0.5 * norm / nearest / nearest if nearest > 0 else math.inf
    return primal, primal + float(work.q @ a) + 0.5 * norm
