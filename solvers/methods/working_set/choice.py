"""The choice of the points of a round, compiled; :mod:`.published_choices` has two other choices.

beta are the variables of the dual, between a lower and an upper bound, and ``F = target - K beta``.
m is the largest F of the points whose beta can grow, M the smallest F of those whose beta can
shrink; at the optimum ``m <= M``. A point *violates* if its F is on the wrong side of the middle
``(m + M) / 2``: above it if beta can grow, below it if beta can shrink. Every choice contains the
points that attain m and M, so every round can move at least this pair. The other violators are
drawn at random: in the plane those that violate most lie close together, and one of them is enough
for its neighbours.
"""

from __future__ import annotations

import numpy as np

from solvers.jit.compiled import compiled, inlined
from solvers.jit.separate import compiled_apart
from solvers.jit.simd import PAD, larger, smaller
from solvers.methods.working_set.inner import FIRST_NEWTON_WAIT
from solvers.methods.working_set.published_choices import mark_worst
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

# The inner steps end at this fraction of the violation of the whole problem.
INNER_FRACTION = 0.3
# Only violators whose F is farther from the middle than this fraction of m - M may be drawn.
BAND = 0.05
# Points per block. The extreme of a block is found first, in vector registers; then its index.
BLOCK = 256


@compiled_apart
def store_extremes(dual_form: DualForm, state: State) -> None:
    """Write ``m = max F over up``, ``M = min F over low``, and their points into the state."""
    F, beta, current = state.F, state.beta, state.round[0]
    m, M, top_at, bottom_at = -np.inf, np.inf, 0, 0
    for start in range(0, len(F), BLOCK):
        stop = start + BLOCK
        part, here = F[start:stop], beta[start:stop]
        lower, upper = dual_form.lower[start:stop], dual_form.upper[start:stop]
        top, bottom = -np.inf, np.inf
        for k in range(len(part)):
            top = larger(top, part[k] if here[k] < upper[k] else -np.inf)
            bottom = smaller(bottom, part[k] if here[k] > lower[k] else np.inf)
        if top > m:
            m, top_at = top, start
        if bottom < M:
            M, bottom_at = bottom, start
    while top_at < len(F) - 1 and not (F[top_at] == m and beta[top_at] < dual_form.upper[top_at]):
        top_at += 1
    while bottom_at < len(F) - 1 and not (
        F[bottom_at] == M and beta[bottom_at] > dual_form.lower[bottom_at]
    ):
        bottom_at += 1
    current.i, current.j = top_at, bottom_at
    # Of 0.0 and -0.0, machine code may return either one as the larger. Adding 0.0 makes both 0.0.
    current.m, current.M = m + 0.0, M + 0.0


@compiled
def mark_free_members(dual_form, params, state, member, most):
    """Mark up to ``most`` free points of the previous set: those with beta between its bounds.

    Return how many points of that set are free, and how many have been marked here. The search
    starts at a random point of the set: if there are more than ``most``, each round marks others.
    """
    current = state.round[0]
    free, marked, size = 0, 0, current.size
    r = draw(params.seed, current.number, len(member), size) if size > 0 else 0
    for _ in range(size):
        k, beta = state.points[r], state.local_beta[r]
        if dual_form.lower[k] < beta < dual_form.upper[k]:
            free += 1
            if marked < most and not member[k]:
                member[k] = True
                marked += 1
        r = r + 1 if r + 1 < size else 0
    return free, marked


@compiled_apart
def mark_random_violators(
    dual_form: DualForm, params: Params, state: State, work: Work, room: int
) -> None:
    """Mark up to ``room`` violators, drawn without replacement."""
    beta, F, member, lower, upper = (
        state.beta,
        state.F,
        work.member,
        dual_form.lower,
        dual_form.upper,
    )
    m, M, number = state.round[0].m, state.round[0].M, state.round[0].number
    high, low = 0.5 * (m + M) + BAND * (m - M), 0.5 * (m + M) - BAND * (m - M)
    found, pool = 0, work.chosen
    for k in range(len(F)):
        # No branch: a processor cannot predict which points violate.
        grows = (F[k] > high) & (beta[k] < upper[k])
        shrinks = (F[k] < low) & (beta[k] > lower[k])
        pool[found] = k
        found += (grows | shrinks) & (not member[k])
    for r in range(min(room, found)):
        if found > room:
            other = r + draw(params.seed, number, r, found - r)
            pool[r], pool[other] = pool[other], pool[r]
        member[pool[r]] = True


@inlined
def mark_members(dual_form, params, state, work):
    """Mark the points of the next set: the extremes, some free members, random violators."""
    current, member = state.round[0], work.member
    member[current.i] = member[current.j] = True
    size = current.next_size
    most = min(size // 2, size - 2)
    free, marked = mark_free_members(dual_form, params, state, member, most)
    # More than half of the previous set was free: from now on a set may have twice as many points.
    if 2 * free > size:
        current.next_size = min(2 * size, len(state.points))
    mark_random_violators(dual_form, params, state, work, max(current.next_size - marked - 2, 0))


@compiled_apart
def choose(dual_form: DualForm, params: Params, state: State, work: Work, event: StepEvent) -> None:
    """Begin a round: choose the set, and copy it into the local problem."""
    current, F, beta = state.round[0], state.F, state.beta
    n = len(F)
    if current.number == 0:
        store_extremes(dual_form, state)
        for k in range(n):
            current.max_kernel = max(current.max_kernel, abs(dual_form.diagonal[k]))
    m, M = current.m, current.M
    # The members of Osuna's choice are marked already, by `mark_as_osuna`.
    whole = n <= current.next_size
    if not whole and params.choice == FAST:
        mark_members(dual_form, params, state, work)
    elif not whole and params.choice == WORST:
        mark_worst(dual_form, state, work)
    size = 0
    for k in range(n):
        if whole or work.member[k]:
            state.points[size] = k
            work.member[k] = False
            size += 1
    for r in range(size):
        k = state.points[r]
        state.local_F[r] = F[k]
        state.local_beta[r] = state.old_beta[r] = beta[k]
    for r in range(size, -(-size // PAD) * PAD):
        state.local_F[r] = state.local_beta[r] = state.old_beta[r] = 0.0
    # The whole problem and Osuna's sets are solved to the tolerance of the run; otherwise a round
    # ends earlier.
    to_full_tolerance = whole or params.choice == OSUNA
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
