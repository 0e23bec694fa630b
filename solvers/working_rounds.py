"""The rounds of the working-set method, compiled: choose, move inside, test the rest, again.

A *round* is one choice, some inner steps and one test, each of them one step of the run. The test
brings F up to date for all points at once: a block of points stays in the fastest memory while all
changed variables are taken out of it.
"""

from __future__ import annotations

import numpy as np

from solvers.compiled import compiled, inlined
from solvers.kernels import LINEAR
from solvers.pairs import EPS, MOVED, NOISE, OPTIMAL, STUCK
from solvers.rows import evaluate
from solvers.simd import larger
from solvers.trace import SUPPORT_CHANGED, SWEEP_STARTED
from solvers.working_choice import FIRST_WAIT, choose, extremes
from solvers.working_inner import pair_step, see_row
from solvers.working_newton import find_free, newton_step
from solvers.working_state import (
    CHOICE,
    CODE,
    DRIFT,
    EVALUATIONS,
    FAST,
    INSIDE,
    LARGEST,
    LEVEL_LOW,
    LEVEL_M,
    LOCAL_LOW,
    LOCAL_M,
    MOVES,
    NEWTON,
    NEWTON_MOST,
    PAIR,
    ROUND,
    SINCE,
    SIZE,
    STEPS,
    STREAK,
    TARGET,
    TEST,
    WAIT,
    Local,
)

# F is believed while rounding cannot have moved it by more than this part of the tolerance.
BELIEVED = 0.01
# A round ends after so many steps a point, and some: with a hard margin the wait would be long
# where none exists; else F would gather rounding.
STEPS_A_POINT, STEPS_A_POINT_HARD, SOME_STEPS = 100, 2, 100
# Newton steps in a row, while each meets a wall.
LONGEST_STREAK = 8
# Kernel values after which a call returns, so that the window hears of it every few milliseconds.
PATIENCE = 4_000_000


@compiled
def load(form, state, memory):
    """Fetch the box and the points of the set; rows of its Gram matrix come when they are used."""
    count, size = state.count, state.count[SIZE]
    whole = size == len(state.F)
    if whole and memory.held[1] == 1:
        memory.held[0] = count[ROUND]
        return
    d = form.XT.shape[0]
    XT = memory.XT[: d * size].reshape(d, size)
    for r in range(size):
        k = state.points[r]
        for c in range(d):
            XT[c, r] = form.XT[c, k]
        memory.lower[r] = form.lower[k]
        memory.upper[r] = form.upper[k]
        memory.diagonal[r] = form.diagonal[k]
        memory.known[r] = False
    memory.held[0], memory.held[1] = count[ROUND], whole


@compiled
def take_out(form, rest, changed, F):
    """``F -= sum delta_c K_c`` over the changed variables; the linear kernel by one vector w."""
    if len(form.ops) == 1 and form.ops[0] == LINEAR:
        for c in range(form.XT.shape[0]):
            w, column = 0.0, form.XT[c]
            for r in range(changed):
                w += rest.delta[r] * column[rest.changed[r]]
            for k in range(len(F)):
                F[k] -= w * column[k]
        return
    if rest.kept.shape[0] > 1:
        for r in range(changed):
            k, delta = rest.changed[r], rest.delta[r]
            whole = rest.kept[k]
            if not rest.met[k]:
                evaluate(form.ops, form.args, form.XT, form.X[k], whole, rest.stack)
                rest.met[k] = True
            for k in range(len(F)):
                F[k] -= delta * whole[k]
        return
    width, row = rest.blocks.shape[2], rest.row
    for b in range(rest.blocks.shape[0]):
        part = F[b * width : (b + 1) * width]
        for r in range(changed):
            x, delta = form.X[rest.changed[r]], rest.delta[r]
            evaluate(form.ops, form.args, rest.blocks[b], x, row, rest.stack)
            for k in range(len(part)):
                part[k] -= delta * row[k]


@compiled
def find_changed(state, rest):
    """Fill in which beta changed in this round, and by how much; return how many did."""
    changed = 0
    for r in range(state.count[SIZE]):
        moved = state.local_beta[r] - state.old_beta[r]
        rest.changed[changed] = state.points[r]
        rest.delta[changed] = moved
        changed += moved != 0.0
    return changed


@compiled
def size_of_sum(form, state):
    """A bound of all partial sums of F: ``max |target| + max |K| sum |beta|``."""
    total, target = 0.0, 0.0
    for k in range(len(state.beta)):
        total += abs(state.beta[k])
        target = larger(target, abs(form.target[k]))
    return target + state.level[LARGEST] * total


@compiled
def bring_up_to_date(form, rule, state, rest):
    """F for all points after a round, and how far rounding may have moved it."""
    count, n = state.count, len(state.F)
    changed = find_changed(state, rest)
    if count[SIZE] == n:
        for k in range(n):
            state.F[k] = state.local_F[k]
        operations = count[MOVES] * 4.0
    else:
        take_out(form, rest, changed, state.F)
        count[EVALUATIONS] += changed * n
        operations = changed
    if rule.bounded:
        state.level[DRIFT] += EPS * operations * 2.0 * size_of_sum(form, state)
    elif changed > 0:
        state.level[DRIFT] = np.inf


@compiled
def compute_afresh(form, rule, state, rest):
    """``F = target - K beta`` from nothing."""
    F, changed = state.F, 0
    for k in range(len(F)):
        F[k] = form.target[k]
        rest.changed[changed] = k
        rest.delta[changed] = state.beta[k]
        changed += state.beta[k] != 0.0
    take_out(form, rest, changed, F)
    state.count[EVALUATIONS] += changed * len(F)
    state.level[DRIFT] = NOISE * size_of_sum(form, state)


@compiled
def test(form, rule, state, rest, event):
    """End a round: bring F up to date, measure, and decide whether this is the end."""
    count, level, beta = state.count, state.level, state.beta
    bring_up_to_date(form, rule, state, rest)
    m, M = extremes(beta, state.F, form.lower, form.upper)
    still = count[MOVES] == 0
    looks_optimal = m - M < rule.tol and level[DRIFT] > BELIEVED * rule.tol
    lost = m - M <= level[DRIFT] < np.inf
    if looks_optimal or still or lost:
        compute_afresh(form, rule, state, rest)
        m, M = extremes(beta, state.F, form.lower, form.upper)
    level[LEVEL_M], level[LEVEL_LOW] = m, M
    if m - M < rule.tol:
        count[CODE] = OPTIMAL
    elif count[CODE] != MOVED:
        pass
    elif still or m - M <= NOISE * max(abs(m), abs(M)):
        count[CODE] = STUCK
    count[INSIDE] = 0
    event.i, event.j = -1, -1
    event.m, event.M = m, M


@compiled
def try_newton(state, local, memory, f, event):
    """A Newton step if it is possible; return whether it was, and its mark."""
    count, level = state.count, state.level
    count[SINCE] = 0
    event.m, event.M = level[LOCAL_M], level[LOCAL_LOW]
    taken, met, zero = newton_step(state, local, memory, f)
    if not taken:
        count[STREAK] = 0
        count[WAIT] *= 2
        return False, 0
    # The next one costs about f^3 / 6 operations, a pair step some hundreds.
    count[WAIT] = FIRST_WAIT + f * f * f // 10_000
    count[STREAK] = count[STREAK] + 1 if met and count[STREAK] + 1 < LONGEST_STREAK else 0
    event.kind, event.i, event.j = NEWTON, f, -1
    return True, SUPPORT_CHANGED if zero else 0


@inlined
def inner_step(form, rule, state, work, event):
    """One Newton step or one pair; else the test that ends the round. Return the mark."""
    count, size = state.count, state.count[SIZE]
    if work.set.held[0] != count[ROUND]:
        load(form, state, work.set)
    local = Local(
        state.local_F[:size],
        state.local_beta[:size],
        work.set.lower[:size],
        work.set.upper[:size],
        work.set.diagonal[:size],
        work.set.gain[:size],
        work.set.index[:size],
        work.set.gram[: size * size],
    )
    most = (STEPS_A_POINT_HARD if rule.hard else STEPS_A_POINT) * size + SOME_STEPS
    violated = state.level[LOCAL_M] - state.level[LOCAL_LOW] >= state.level[TARGET]
    if violated and count[MOVES] < most:
        if rule.newton and (count[SINCE] >= count[WAIT] or count[STREAK] > 0):
            f = find_free(local, work.newton.free)
            taken, mark = False, 0
            if 2 < f <= NEWTON_MOST:
                count[EVALUATIONS] += f * size
                for a in range(f):
                    see_row(form, state, work.set, work.newton.free[a])
                taken, mark = try_newton(state, local, work.newton, f, event)
            else:
                count[SINCE] = count[STREAK] = 0
            if taken:
                count[MOVES] += 1
                return mark
        code, changed = pair_step(form, state, work.set, local, event)
        if code == MOVED:
            count[MOVES] += 1
            count[SINCE] += 1
            event.kind = PAIR
            return SUPPORT_CHANGED if changed else 0
        if code != STUCK:
            count[CODE] = code
    test(form, rule, state, work.rest, event)
    event.kind = TEST
    return 0


@inlined
def step(form, rule, state, work, event):
    """One event of the run; return its mark."""
    count = state.count
    count[STEPS] += 1
    if count[INSIDE] == 0:
        choose(form, rule, state, work.rest, event)
        event.kind = CHOICE
        mark = SWEEP_STARTED
    else:
        mark = inner_step(form, rule, state, work, event)
    event.size = count[SIZE]
    return mark


@compiled
def advance(form, rule, state, work, events, marks):
    """Step until a reason to stop, the end of ``marks``, or some milliseconds of work.

    Where the choice of the set is not made here, or the margin is hard, step until the next choice
    is due.
    """
    begun = state.count[EVALUATIONS]
    for k in range(len(marks)):
        if state.count[CODE] != MOVED:
            return k, state.count[CODE]
        asks = (rule.choice != FAST or rule.hard) and state.count[INSIDE] == 0
        if (asks and k > 0) or state.count[EVALUATIONS] - begun > PATIENCE:
            return k, MOVED
        marks[k] = step(form, rule, state, work, events[k])
    return len(marks), MOVED
