"""The choices of the points of a round, compiled.

Each beta, a variable of the dual, has a lower and an upper bound, and ``F = target - K beta``. m is
the largest F of the points whose beta may rise. M is the smallest F of the points whose beta may
fall. At the optimum ``m <= M``. A point *violates* if its F is on the wrong side of the middle
``(m + M) / 2``: above the middle although beta may rise, or below it although beta may fall.

In the fast choice every set contains the points that attain m and M, so every round can move at
least this pair. The other violators are drawn at random. Those with the largest violations are not
preferred: they frequently lie close together, and moving one of them also corrects its neighbours.

Two choices are as published: Osuna, Freund and Girosi 1997 (add all violators, remove the points
with alpha = 0), and Joachims 1999 (a set of fixed size: one half are the worst violators whose beta
should rise, the other half are the worst violators whose beta should fall).
"""

from __future__ import annotations

import numpy as np

from solvers.jit.compiled import called_by_address, inner
from solvers.jit.simd import PAD, call_at, larger, smaller
from solvers.methods.working_set.inner import FIRST_NEWTON_WAIT
from solvers.methods.working_set.state import (
    CHOICE,
    FAST,
    OSUNA,
    WORST,
    Params,
    State,
    StepEvent,
    Work,
)
from solvers.problem.problem import DualForm
from solvers.run.random_numbers import draw

# The pair and Newton steps of a round end when m - M over the set is below this fraction of m - M
# over all points at the start of the round. There are two exceptions: a set of all points, and
# Osuna's sets (see `choose`).
INNER_FRACTION = 0.3
# A violator may be drawn only if its F differs from the middle by more than this fraction of m - M.
BAND = 0.05
# Points per block. The maximum and the minimum of each block are computed in vector registers. The
# index of an overall extreme value is then searched from the start of the block that contains it.
BLOCK = 256


@inner
def store_extremes(dual_form: DualForm, state: State) -> None:
    """Write m, M, and the points i and j that attain them into the state."""
    F, beta, current = state.F, state.beta, state.round[0]
    m, M, i, j = -np.inf, np.inf, 0, 0
    for start in range(0, len(F), BLOCK):
        stop = start + BLOCK
        F_block, beta_block = F[start:stop], beta[start:stop]
        lower, upper = dual_form.lower[start:stop], dual_form.upper[start:stop]
        top, bottom = -np.inf, np.inf
        for k in range(len(F_block)):
            top = larger(top, F_block[k] if beta_block[k] < upper[k] else -np.inf)
            bottom = smaller(bottom, F_block[k] if beta_block[k] > lower[k] else np.inf)
        if top > m:
            m, i = top, start
        if bottom < M:
            M, j = bottom, start
    # i and j are the first indices of the blocks that contain m and M. Search there for the points.
    while i < len(F) - 1 and not (F[i] == m and beta[i] < dual_form.upper[i]):
        i += 1
    while j < len(F) - 1 and not (F[j] == M and beta[j] > dual_form.lower[j]):
        j += 1
    current.i, current.j = i, j
    # Adding 0.0 turns -0.0 into 0.0. Which of the two a maximum returns depends on the compiler.
    current.m, current.M = m + 0.0, M + 0.0


@inner
def mark_free_members(dual_form, params, state, member, max_marked):
    """Mark up to ``max_marked`` free points of the previous set, by True in ``member``.

    A point is free if its beta is strictly between its bounds. Points that are already marked are
    passed over. Return the number of all free points in the previous set, and the number of points
    that this function has marked. The search starts at a random point of the set. So if more than
    ``max_marked`` points are free, different rounds mark different points.
    """
    current = state.round[0]
    n_free, n_marked, size = 0, 0, current.size
    r = draw(params.seed, current.number, len(member), size) if size > 0 else 0
    for _ in range(size):
        k, beta = state.points[r], state.local_beta[r]
        if dual_form.lower[k] < beta < dual_form.upper[k]:
            n_free += 1
            if n_marked < max_marked and not member[k]:
                member[k] = True
                n_marked += 1
        r = r + 1 if r + 1 < size else 0
    return n_free, n_marked


@inner
def mark_random_violators(
    dual_form: DualForm, params: Params, state: State, work: Work, max_marked: int
) -> None:
    """Mark up to ``max_marked`` unmarked violators, drawn without replacement."""
    beta, F, member, lower, upper = (
        state.beta,
        state.F,
        work.member,
        dual_form.lower,
        dual_form.upper,
    )
    m, M, number = state.round[0].m, state.round[0].M, state.round[0].number
    high, low = 0.5 * (m + M) + BAND * (m - M), 0.5 * (m + M) - BAND * (m - M)
    # The first `n_violators` entries of `violators` are the violators found so far.
    n_violators, violators = 0, work.indices
    for k in range(len(F)):
        # An `if` would be slower, since the processor cannot predict which points violate.
        rises = (F[k] > high) & (beta[k] < upper[k])
        falls = (F[k] < low) & (beta[k] > lower[k])
        violators[n_violators] = k
        n_violators += (rises | falls) & (not member[k])
    for r in range(min(max_marked, n_violators)):
        if n_violators > max_marked:
            other = r + draw(params.seed, number, r, n_violators - r)
            violators[r], violators[other] = violators[other], violators[r]
        member[violators[r]] = True


@inner
def mark_members(dual_form, params, state, work):
    """Mark the points of the next set.

    These are the maximal violating pair, free points of the previous set, and random violators.
    """
    current, member = state.round[0], work.member
    member[current.i] = member[current.j] = True
    size = current.next_size
    max_kept = min(size // 2, size - 2)
    n_free, n_marked = mark_free_members(dual_form, params, state, member, max_kept)
    # If the previous set has more free points than half the maximum size of the next set, this
    # maximum is doubled for all later sets too.
    if 2 * n_free > size:
        current.next_size = min(2 * size, len(state.points))
    mark_random_violators(dual_form, params, state, work, max(current.next_size - n_marked - 2, 0))


@called_by_address
def choose(dual_form: DualForm, params: Params, state: State, work: Work, event: StepEvent) -> None:
    """Begin a round: choose the set, and copy its F and beta into the local problem (state.py)."""
    current, F, beta = state.round[0], state.F, state.beta
    n = len(F)
    if current.number == 0:
        store_extremes(dual_form, state)
        for k in range(n):
            current.max_kernel = max(current.max_kernel, abs(dual_form.diagonal[k]))
    m, M = current.m, current.M
    # For Osuna's choice, `mark_as_osuna` has already marked the members.
    has_all = n <= current.next_size
    if not has_all and params.choice == FAST:
        mark_members(dual_form, params, state, work)
    elif not has_all and params.choice == WORST:
        call_at(work.parts.mark_worst, (dual_form, state, work), None)
    size = 0
    for k in range(n):
        if has_all or work.member[k]:
            state.points[size] = k
            work.member[k] = False
            size += 1
    for r in range(size):
        k = state.points[r]
        state.local_F[r] = F[k]
        state.local_beta[r] = state.old_beta[r] = beta[k]
    for r in range(size, -(-size // PAD) * PAD):
        state.local_F[r] = state.local_beta[r] = state.old_beta[r] = 0.0
    # On a set of all points, and on Osuna's sets, steps continue to the tolerance of the run. On
    # other sets that would waste steps, since the next round has another set.
    to_full_tolerance = has_all or params.choice == OSUNA
    current.inner_tol = params.tol if to_full_tolerance else INNER_FRACTION * (m - M)
    current.size = size
    current.number += 1
    current.is_open = 1
    current.steps = current.pairs_since_newton = current.newton_streak = 0
    current.newton_wait = FIRST_NEWTON_WAIT
    state.scalars[0].steps += 1
    event.kind, event.size = CHOICE, size
    event.i, event.j = -1, -1
    event.m, event.M = m, M


@called_by_address
def mark_worst(dual_form: DualForm, state: State, work: Work) -> None:
    """Mark the points that violate most: beta of one half should rise, of the other half fall.

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
        rise, fall = _violations(dual_form, state)
        member[np.maximum(rise, fall) > 0.5 * tol] = True
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

    The first array is -inf where beta may not rise, the second is -inf where beta may not fall.
    """
    beta, F = state.beta, state.F
    up, low = beta < dual_form.upper, beta > dual_form.lower
    middle = 0.5 * (F[up].max(initial=-np.inf) + F[low].min(initial=np.inf))
    if not np.isfinite(middle):
        middle = 0.0
    return np.where(up, F - middle, -np.inf), np.where(low, middle - F, -np.inf)
