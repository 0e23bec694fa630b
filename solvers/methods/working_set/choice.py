"""Which points a round works on, compiled; :mod:`.published_choices` has two other choices.

A point *violates* if its F contradicts the middle of m and M: ``F > middle`` where beta can still
grow, ``F < middle`` where it can still shrink. Every choice contains the two points that violate
most, so every round can move at least that pair. Violators are drawn at random, because in the
plane the worst ones all lie in one place, and one of them stands for its neighbours.
"""

from __future__ import annotations

import numpy as np

from solvers.jit.compiled import compiled, inlined
from solvers.jit.separate import compiled_apart
from solvers.jit.simd import PAD, larger, smaller
from solvers.methods.smo.state import STEPS
from solvers.methods.working_set.inner import FIRST_WAIT
from solvers.methods.working_set.published_choices import mark_worst
from solvers.methods.working_set.state import (
    BOTTOM,
    CHOICE,
    FAST,
    INNER,
    INSIDE,
    LARGEST,
    LEVEL_LOW,
    LEVEL_M,
    OSUNA,
    QUOTA,
    ROUND,
    SINCE,
    SIZE,
    STREAK,
    TARGET,
    TOP,
    WAIT,
    WORST,
    Rule,
    State,
    StepEvent,
    Work,
)
from solvers.problem.problem import DualForm
from solvers.run.random_numbers import draw

# The inner steps end at this part of the violation of the whole problem.
INNER_PART = 0.3
# How far beyond the middle a point has to be to be drawn, as a part of the largest violation.
BAND = 0.05
# Points among which an extreme is found in vector registers, before its place is looked for.
CHUNK = 256


@compiled_apart
def measure(form: DualForm, state: State) -> None:
    """Find ``m = max F over up`` and ``M = min F over low`` over all points, and who has them."""
    F, beta, count = state.F, state.beta, state.count
    m, M, top_at, bottom_at = -np.inf, np.inf, 0, 0
    for start in range(0, len(F), CHUNK):
        stop = start + CHUNK
        part, here = F[start:stop], beta[start:stop]
        lower, upper = form.lower[start:stop], form.upper[start:stop]
        top, bottom = -np.inf, np.inf
        for k in range(len(part)):
            top = larger(top, part[k] if here[k] < upper[k] else -np.inf)
            bottom = smaller(bottom, part[k] if here[k] > lower[k] else np.inf)
        if top > m:
            m, top_at = top, start
        if bottom < M:
            M, bottom_at = bottom, start
    while top_at < len(F) - 1 and not (F[top_at] == m and beta[top_at] < form.upper[top_at]):
        top_at += 1
    while bottom_at < len(F) - 1 and not (
        F[bottom_at] == M and beta[bottom_at] > form.lower[bottom_at]
    ):
        bottom_at += 1
    count[TOP], count[BOTTOM] = top_at, bottom_at
    # Plus 0.0, since which of 0.0 and -0.0 is the larger one is up to the compiler.
    state.level[LEVEL_M], state.level[LEVEL_LOW] = m + 0.0, M + 0.0


@compiled
def mark_free_members(form, rule, state, member, most):
    """Keep up to ``most`` free variables of the set before; return how many were free.

    The round begins at another member each time, so that with too many of them all get their turn.
    """
    free, kept, size = 0, 0, state.count[SIZE]
    r = draw(rule.seed, state.count[ROUND], len(member), size) if size > 0 else 0
    for _ in range(size):
        k, beta = state.points[r], state.local_beta[r]
        if form.lower[k] < beta < form.upper[k]:
            free += 1
            if kept < most and not member[k]:
                member[k] = True
                kept += 1
        r = r + 1 if r + 1 < size else 0
    return free, kept


@compiled_apart
def mark_random_violators(form: DualForm, rule: Rule, state: State, work: Work, room: int) -> None:
    """Make members of up to ``room`` violators, drawn without replacement."""
    beta, F, member, lower, upper = state.beta, state.F, work.member, form.lower, form.upper
    m, M = state.level[LEVEL_M], state.level[LEVEL_LOW]
    high, low = 0.5 * (m + M) + BAND * (m - M), 0.5 * (m + M) - BAND * (m - M)
    found, pool = 0, work.chosen
    for k in range(len(F)):
        # Without a branch: which points violate is hard to foresee.
        grows = (F[k] > high) & (beta[k] < upper[k])
        shrinks = (F[k] < low) & (beta[k] > lower[k])
        pool[found] = k
        found += (grows | shrinks) & (not member[k])
    for r in range(min(room, found)):
        if found > room:
            other = r + draw(rule.seed, state.count[ROUND], r, found - r)
            pool[r], pool[other] = pool[other], pool[r]
        member[pool[r]] = True


@inlined
def mark_members(form, rule, state, work):
    """Mark the points of the next set: the extremes, some free members, random violators."""
    count, member = state.count, work.member
    member[count[TOP]] = member[count[BOTTOM]] = True
    quota = count[QUOTA]
    most = min(quota // 2, quota - 2)
    free, kept = mark_free_members(form, rule, state, member, most)
    # Free variables crowd out the violators: a larger set.
    if 2 * free > quota:
        count[QUOTA] = min(2 * quota, len(state.points))
    mark_random_violators(form, rule, state, work, max(count[QUOTA] - kept - 2, 0))


@compiled_apart
def choose(form: DualForm, rule: Rule, state: State, work: Work, event: StepEvent) -> None:
    """Begin a round: choose the set, and copy it into the local problem."""
    count, level, F, beta = state.count, state.level, state.F, state.beta
    n = len(F)
    if count[ROUND] == 0:
        measure(form, state)
        for k in range(n):
            level[LARGEST] = max(level[LARGEST], abs(form.diagonal[k]))
    m, M = level[LEVEL_M], level[LEVEL_LOW]
    whole = n <= count[QUOTA]
    if not whole and rule.choice == FAST:
        mark_members(form, rule, state, work)
    elif not whole and rule.choice == WORST:
        mark_worst(form, state, work)
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
    all_of_it = whole or rule.choice == OSUNA
    level[TARGET] = rule.tol if all_of_it else INNER_PART * (m - M)
    count[SIZE] = size
    count[STEPS] += 1
    count[ROUND] += 1
    count[INSIDE] = 1
    count[INNER] = count[SINCE] = count[STREAK] = 0
    count[WAIT] = FIRST_WAIT
    event.kind, event.size = CHOICE, size
    event.i, event.j = -1, -1
    event.m, event.M = m, M
