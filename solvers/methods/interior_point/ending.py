"""The end of the path: which variables lie on a bound, and the last step, which sets them there.

The path itself stays inside the box, and only leads near the bounds.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from solvers.methods.interior_point.state import (
    BIAS,
    DONE,
    GAP,
    RUNNING,
    STEPS,
    State,
    Work,
    values_of,
)
from solvers.rounding import EPS
from solvers.run.trace import SUPPORT_CHANGED

# Rooms below this part of the largest alpha are on their bound (the last step says so).
SNAP = 1e-7
# What lies further inside, as a part of its room, is between its bounds whatever its price.
NEAR = 1e-3
# Rounds of Newton's method on the variables between their bounds, when there are few enough.
POLISHES, FREE_UP_TO = 4, 1000


def settled(work: Work, state: State) -> tuple[np.ndarray, float] | None:
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
    hidden = EPS * (float(np.abs(own).max()) + abs(b))
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


def finish(work: Work, state: State, found: Any, event: Any, mark: np.ndarray) -> int:
    """The last step: on the bounds, where the path only led near them."""
    a, b = found
    event["mu"] = work.S * float((state.room * state.price).mean())
    event["affine"], event["sigma"], event["predicted"], event["length"] = 0.0, 0.0, 1.0, 1.0
    event["first"] = event["wall"] = (-1, -1, 0.0, 0.0)
    room = np.stack([a, np.where(a == work.u, 0.0, work.u - a)])[: len(state.room)]
    mark[0] = support_changed(work, state.room, room)
    state.room[:] = room
    state.level[BIAS] = b
    event["primal"], event["gap"] = (work.S * value for value in values_of(work, a, b))
    state.level[GAP] = event["gap"]
    state.count[STEPS] += 1
    state.count[DONE] = 1
    return RUNNING


def support_changed(work: Work, before: np.ndarray, after: np.ndarray) -> int:
    """The mark of a step: in a regression a beta is 0 where its two alphas are equal."""
    return SUPPORT_CHANGED * int(((work.beta(before) != 0) ^ (work.beta(after) != 0)).any())
