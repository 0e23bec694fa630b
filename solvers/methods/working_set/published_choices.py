"""The published choices of the set; the fast choice is in :mod:`.choice`.

Sources: Osuna, Freund and Girosi 1997 (add all violators, remove the points with alpha = 0);
Joachims 1999 (a set of fixed size: one half are the worst violators whose beta should grow, the
other half are the worst violators whose beta should shrink).
"""

from __future__ import annotations

import numpy as np

from solvers.jit.compiled import called_by_address
from solvers.methods.working_set.state import State, Work
from solvers.problem.problem import DualForm


@called_by_address
def mark_worst(dual_form: DualForm, state: State, work: Work) -> None:
    """Mark the points that violate most: beta of one half should grow, of the other half shrink.

    The function is compiled: with small sets, most of the time of a replay of recorded steps is
    spent here. Only the choice of the worst violators loads it.
    """
    beta, F = state.beta, state.F
    # The worst violators found so far and their violations; the largest violation comes first.
    indices, violations = work.indices, work.delta
    current = state.round[0]
    half = max(1, current.next_size // 2)
    middle = 0.5 * (current.m + current.M)
    if not np.isfinite(middle):
        middle = 0.0
    for sign in (1.0, -1.0):
        count = 0
        for k in range(len(F)):
            violation = sign * (F[k] - middle)
            can_move = beta[k] < dual_form.upper[k] if sign > 0.0 else beta[k] > dual_form.lower[k]
            # Insert the point by its violation. Among equal violations the first point stays.
            if can_move and (count < half or violation > violations[count - 1]):
                r = count = min(count + 1, half)
                while r > 1 and violations[r - 2] < violation:
                    r -= 1
                    violations[r], indices[r] = violations[r - 1], indices[r - 1]
                violations[r - 1], indices[r - 1] = violation, k
        for r in range(count):
            work.member[indices[r]] = True


def mark_as_osuna(dual_form: DualForm, state: State, member: np.ndarray, tol: float) -> None:
    """Mark the points of the last set with nonzero beta, and all violators.

    Let the middle be ``(m + M) / 2``. A violator is a point whose F is on the wrong side of the
    middle, at a distance of more than ``tol / 2``. The maximal violating pair is always marked. The
    first set is arbitrary: points with evenly spaced indices. If a set would be larger than working
    memory allows, only its first points and the maximal violating pair are marked.
    """
    current = state.round
    mark_worst_pair(dual_form, state, member)
    if current["number"][0] == 0:
        member[np.linspace(0, len(member) - 1, int(current["next_size"][0])).astype(int)] = True
    else:
        last_set = state.points[: current["size"][0]]
        member[last_set[state.beta[last_set] != 0.0]] = True
        grow, shrink = _violations(dual_form, state)
        member[np.maximum(grow, shrink) > 0.5 * tol] = True
    members = np.flatnonzero(member)
    if len(members) > len(state.points):
        # Leave room for the maximal violating pair, since only a set that contains this pair is
        # sure to raise the dual.
        member[members[len(state.points) - 2 :]] = False
        mark_worst_pair(dual_form, state, member)


def mark_worst_pair(dual_form: DualForm, state: State, member: np.ndarray) -> None:
    """Mark the maximal violating pair: the points that attain m and M."""
    for violations in _violations(dual_form, state):
        k = int(np.argmax(violations))
        if violations[k] > -np.inf:
            member[k] = True


def _violations(dual_form: DualForm, state: State) -> tuple[np.ndarray, np.ndarray]:
    """Return ``F - middle`` and ``middle - F``, shape (n,) each, with the middle ``(m + M) / 2``.

    The first array is -inf where beta cannot grow, the second is -inf where beta cannot shrink.
    """
    beta, F = state.beta, state.F
    up, low = beta < dual_form.upper, beta > dual_form.lower
    middle = 0.5 * (F[up].max(initial=-np.inf) + F[low].min(initial=np.inf))
    if not np.isfinite(middle):
        middle = 0.0
    return np.where(up, F - middle, -np.inf), np.where(low, middle - F, -np.inf)
