"""The choices of the set that papers print; the fast one is in :mod:`solvers.working_choice`.

Sources: Osuna, Freund and Girosi 1997 (grow by the violators, drop the zeros); Joachims 1999 (a
set of fixed size, half of it from either side).
"""

from __future__ import annotations

import numpy as np

from solvers.problem import DualForm
from solvers.working_state import QUOTA, ROUND, SIZE, State


def mark_worst(form: DualForm, state: State, member: np.ndarray) -> None:
    """Mark the points that violate most: half of the set from those to grow, half to shrink."""
    half = max(1, int(state.count[QUOTA]) // 2)
    for over in _violations(form, state):
        # Stable, so that ties go to the first points.
        worst = np.argsort(-over, kind="stable")[:half]
        member[worst[over[worst] > -np.inf]] = True


def mark_as_osuna(form: DualForm, state: State, member: np.ndarray, tol: float) -> None:
    """Mark the set before without its zeros, and all points that violate by more than ``tol / 2``.

    The first set is arbitrary: points at equal distances in the list. A set that would be larger
    than there is memory for takes the first points.
    """
    mark_worst_pair(form, state, member)
    if state.count[ROUND] == 0:
        member[np.linspace(0, len(member) - 1, int(state.count[QUOTA])).astype(int)] = True
    else:
        before = state.points[: state.count[SIZE]]
        member[before[state.beta[before] != 0.0]] = True
        grow, shrink = _violations(form, state)
        member[np.maximum(grow, shrink) > 0.5 * tol] = True
    # The pair is marked again, since it is what makes a round rise.
    beyond = np.flatnonzero(member)[len(state.points) - 2 :]
    if len(np.flatnonzero(member)) > len(state.points):
        member[beyond] = False
        mark_worst_pair(form, state, member)


def mark_worst_pair(form: DualForm, state: State, member: np.ndarray) -> None:
    """Mark the two points that contradict each other most."""
    for over in _violations(form, state):
        k = int(np.argmax(over))
        if over[k] > -np.inf:
            member[k] = True


def _violations(form: DualForm, state: State) -> tuple[np.ndarray, np.ndarray]:
    """How far F is above the middle where beta can grow, and below it where it can shrink."""
    beta, F = state.beta, state.F
    up, low = beta < form.upper, beta > form.lower
    middle = 0.5 * (F[up].max(initial=-np.inf) + F[low].min(initial=np.inf))
    if not np.isfinite(middle):
        middle = 0.0
    return np.where(up, F - middle, -np.inf), np.where(low, middle - F, -np.inf)
