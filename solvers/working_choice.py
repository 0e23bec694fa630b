"""Which points a round works on, compiled; :mod:`solvers.working_printed` has two other choices.

A point *violates* if its F contradicts the middle of m and M: ``F > middle`` where beta can still
grow, ``F < middle`` where it can still shrink. Every choice contains the two points that violate
most, so every round can move at least that pair. Violators are drawn at random, because in the
plane the worst ones all lie in one place, and one of them stands for its neighbours.
"""

from __future__ import annotations

import numpy as np

from solvers.compiled import compiled
from solvers.draws import draw
from solvers.simd import larger, smaller
from solvers.working_state import (
    FAST,
    INSIDE,
    LARGEST,
    LEVEL_LOW,
    LEVEL_M,
    LOCAL_LOW,
    LOCAL_M,
    MOVES,
    OSUNA,
    QUOTA,
    ROUND,
    SINCE,
    SIZE,
    STREAK,
    TARGET,
    WAIT,
)

# The inner steps end at this part of the violation of the whole problem.
INNER_PART = 0.3
# Inner pair steps before the first Newton step of a round.
FIRST_WAIT = 50
# How far beyond the middle a point has to be to be drawn, as a part of the largest violation.
BAND = 0.05


@compiled
def extremes(beta, F, lower, upper):
    """``m = max F over up`` and ``M = min F over low``."""
    m, M = -np.inf, np.inf
    for k in range(len(F)):
        m = larger(m, F[k] if beta[k] < upper[k] else -np.inf)
        M = smaller(M, F[k] if beta[k] > lower[k] else np.inf)
    # Plus 0.0, since which of 0.0 and -0.0 is the larger one is up to the compiler.
    return m + 0.0, M + 0.0


@compiled
def mark_extremes(form, state, member):
    """Make members of the first point with F = m in up, and of the first with F = M in low."""
    beta, F = state.beta, state.F
    m, M = state.level[LEVEL_M], state.level[LEVEL_LOW]
    for k in range(len(F)):
        if F[k] == m and beta[k] < form.upper[k]:
            member[k] = True
            break
    for k in range(len(F)):
        if F[k] == M and beta[k] > form.lower[k]:
            member[k] = True
            break


@compiled
def mark_free_members(form, state, member, most):
    """Keep up to ``most`` free variables of the set before; return how many were free."""
    free = 0
    for r in range(state.count[SIZE]):
        k, beta = state.points[r], state.local_beta[r]
        if form.lower[k] < beta < form.upper[k]:
            free += 1
            if free <= most:
                member[k] = True
    return free


@compiled
def mark_random_violators(form, rule, state, rest, room):
    """Make members of up to ``room`` violators, drawn without replacement."""
    beta, F, member = state.beta, state.F, rest.member
    m, M = state.level[LEVEL_M], state.level[LEVEL_LOW]
    middle, band = 0.5 * (m + M), BAND * (m - M)
    found, pool = 0, rest.changed
    for k in range(len(F)):
        grows = F[k] > middle + band and beta[k] < form.upper[k]
        shrinks = F[k] < middle - band and beta[k] > form.lower[k]
        pool[found] = k
        found += (grows or shrinks) and not member[k]
    for r in range(min(room, found)):
        if found > room:
            other = r + draw(rule.seed, state.count[ROUND], r, found - r)
            pool[r], pool[other] = pool[other], pool[r]
        member[pool[r]] = True


@compiled
def mark_members(form, rule, state, rest):
    """Mark the points of the next set: the extremes, some free members, random violators."""
    count = state.count
    mark_extremes(form, state, rest.member)
    most = min(count[QUOTA] // 2, count[QUOTA] - 2)
    free = mark_free_members(form, state, rest.member, most)
    # Free variables crowd out the violators: a larger set.
    if 2 * free > count[QUOTA] and 2 * count[QUOTA] <= len(state.points):
        count[QUOTA] *= 2
    room = count[QUOTA] - min(free, most) - 2
    mark_random_violators(form, rule, state, rest, max(room, 0))


@compiled
def choose(form, rule, state, rest, event):
    """Begin a round: measure, choose the set, and copy it into the local problem."""
    count, level, F, beta = state.count, state.level, state.F, state.beta
    n = len(F)
    m, M = extremes(beta, F, form.lower, form.upper)
    level[LEVEL_M], level[LEVEL_LOW] = m, M
    if count[ROUND] == 0:
        for k in range(n):
            level[LARGEST] = max(level[LARGEST], abs(form.diagonal[k]))
    whole = n <= count[QUOTA]
    if not whole and rule.choice == FAST:
        mark_members(form, rule, state, rest)
    size = 0
    for k in range(n):
        if whole or rest.member[k]:
            state.points[size] = k
            rest.member[k] = False
            size += 1
    # m and M of the set, which are those of all points but for ties in rounding.
    level[LOCAL_M], level[LOCAL_LOW] = -np.inf, np.inf
    for r in range(size):
        k = state.points[r]
        state.local_F[r] = F[k]
        state.local_beta[r] = state.old_beta[r] = beta[k]
        if beta[k] < form.upper[k]:
            level[LOCAL_M] = max(level[LOCAL_M], F[k])
        if beta[k] > form.lower[k]:
            level[LOCAL_LOW] = min(level[LOCAL_LOW], F[k])
    all_of_it = whole or rule.choice == OSUNA
    level[TARGET] = rule.tol if all_of_it else INNER_PART * (m - M)
    count[SIZE] = size
    count[ROUND] += 1
    count[INSIDE] = 1
    count[MOVES] = count[SINCE] = count[STREAK] = 0
    count[WAIT] = FIRST_WAIT
    event.i, event.j = -1, -1
    event.m, event.M = m, M
