"""The published choices of the set; the fast one is in :mod:`.choice`.

Sources: Osuna, Freund and Girosi 1997 (grow by the violators, drop the zeros); Joachims 1999 (a
set of fixed size, half of it from either side).
"""

from __future__ import annotations

import numpy as np

from solvers.jit.separate import compiled_when_reached
from solvers.methods.working_set.state import State, Work
from solvers.problem.problem import DualForm


@compiled_when_reached
def mark_worst(dual_form: DualForm, state: State, work: Work) -> None:
    """Mark the points that violate most: half of the set should grow, half should shrink.

    This is compiled, because with small sets a replay spends most of its time here.
    """
    beta, F, chosen, worst = state.beta, state.F, work.chosen, work.delta
    current = state.round[0]
    half = max(1, current.next_size // 2)
    middle = 0.5 * (current.m + current.M)
    if not np.isfinite(middle):
        middle = 0.0
    for sign in (1.0, -1.0):
        found = 0
        for k in range(len(F)):
            over = sign * (F[k] - middle)
            moves = beta[k] < dual_form.upper[k] if sign > 0.0 else beta[k] > dual_form.lower[k]
            # The violators found so far are sorted by violation; of equal ones the first point is
            # kept.
            if moves and (found < half or over > worst[found - 1]):
                r = found = min(found + 1, half)
                while r > 1 and worst[r - 2] < over:
                    r -= 1
                    worst[r], chosen[r] = worst[r - 1], chosen[r - 1]
                worst[r - 1], chosen[r - 1] = over, k
        for r in range(found):
            work.member[chosen[r]] = True


def mark_as_osuna(dual_form: DualForm, state: State, member: np.ndarray, tol: float) -> None:
    """Mark the last set without its zeros, and all points that violate by more than ``tol / 2``.

    The first set is arbitrary: points at equal distances in the list. If the set would be too large
    for the memory, only its first points are taken.
    """
    current = state.round
    mark_worst_pair(dual_form, state, member)
    if current["number"][0] == 0:
        member[np.linspace(0, len(member) - 1, int(current["next_size"][0])).astype(int)] = True
    else:
        before = state.points[: current["size"][0]]
        member[before[state.beta[before] != 0.0]] = True
        grow, shrink = _violations(dual_form, state)
        member[np.maximum(grow, shrink) > 0.5 * tol] = True
    # Points of the maximal violating pair may have been dropped with the rest. It is marked again,
    # because a round raises the dual only if its set contains that pair.
    beyond = np.flatnonzero(member)[len(state.points) - 2 :]
    if len(np.flatnonzero(member)) > len(state.points):
        member[beyond] = False
        mark_worst_pair(dual_form, state, member)


def mark_worst_pair(dual_form: DualForm, state: State, member: np.ndarray) -> None:
    """Mark the maximal violating pair."""
    for over in _violations(dual_form, state):
        k = int(np.argmax(over))
        if over[k] > -np.inf:
            member[k] = True


def _violations(dual_form: DualForm, state: State) -> tuple[np.ndarray, np.ndarray]:
    """Return how far F is above the middle if beta can grow, and below it if it can shrink."""
    beta, F = state.beta, state.F
    up, low = beta < dual_form.upper, beta > dual_form.lower
    middle = 0.5 * (F[up].max(initial=-np.inf) + F[low].min(initial=np.inf))
    if not np.isfinite(middle):
        middle = 0.0
    return np.where(up, F - middle, -np.inf), np.where(low, middle - F, -np.inf)
