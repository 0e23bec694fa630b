"""The choice of the points of a round, compiled; :mod:`.published_choices` has two other choices.

Each beta, a variable of the dual, has a lower and an upper bound, and ``F = target - K beta``. m is
the largest F of the points whose beta can grow. M is the smallest F of the points whose beta can
shrink. At the optimum ``m <= M``. A point *violates* if its F is on the wrong side of the middle
``(m + M) / 2``: above the middle although beta can grow, or below it although beta can shrink.

Every set contains the points that attain m and M, so every round can move at least this pair. The
other violators are drawn at random. Those with the largest violations are not preferred: they
frequently lie close together, and moving one of them also corrects its neighbours.
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
        grows = (F[k] > high) & (beta[k] < upper[k])
        shrinks = (F[k] < low) & (beta[k] > lower[k])
        violators[n_violators] = k
        n_violators += (grows | shrinks) & (not member[k])
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
