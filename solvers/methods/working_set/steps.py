"""The rounds of the working-set method, compiled: choose, move inside, test the rest, again.

A *round* is one choice, some inner steps and one test, each of them one step of the run. The test
brings F up to date for all points at once: a block of points stays in the fastest memory while all
changed variables are taken out of it.
"""

from __future__ import annotations

import numpy as np

from solvers.jit.compiled import compiled, inlined
from solvers.jit.separate import compiled_apart
from solvers.jit.signatures import Marks
from solvers.jit.simd import larger
from solvers.methods.smo.state import MOVED, OPTIMAL, STEPS, STUCK, VALUES, VERDICT
from solvers.methods.smo.steps import EPS, NOISE
from solvers.methods.working_set.choice import choose, measure
from solvers.methods.working_set.features import take_out_polynomial
from solvers.methods.working_set.inner import PATIENCE, inner_steps
from solvers.methods.working_set.rows import take_out_rows
from solvers.methods.working_set.state import (
    DRIFT,
    INNER,
    INSIDE,
    LARGEST,
    LEVEL_LOW,
    LEVEL_M,
    OSUNA,
    ROUND,
    SIZE,
    TEST,
    Rule,
    State,
    StepEvent,
    StepEvents,
    Work,
)
from solvers.problem.problem import DualForm
from solvers.run.trace import SWEEP_STARTED

# F is believed while rounding cannot have moved it by more than this part of the tolerance.
BELIEVED = 0.01


@inlined
def take_out(form, state, work, changed):
    """``F -= sum delta_r K_r`` over the changed variables, by monomials or by rows of K."""
    chosen, delta, beta, F = work.chosen, work.delta, state.beta, state.F
    if 0 < len(work.features) <= 2 * changed:
        take_out_polynomial(work.features, work.weights, chosen, delta, changed, F)
    else:
        change, now = (chosen, delta, changed), state.count[ROUND]
        take_out_rows(form, work.kept, work.held, beta, F, change, work.scratch, now)


@compiled
def size_of_sum(form, state):
    """A bound of all partial sums of F: ``max |target| + max |K| sum |beta|``."""
    total, target = 0.0, 0.0
    for k in range(len(state.beta)):
        total += abs(state.beta[k])
        target = larger(target, abs(form.target[k]))
    return target + state.level[LARGEST] * total


@inlined
def find_changed(state, work):
    """Note which beta changed in this round, and by how much; return how many did."""
    changed = 0
    for r in range(state.count[SIZE]):
        moved = state.local_beta[r] - state.old_beta[r]
        work.chosen[changed] = state.points[r]
        work.delta[changed] = moved
        changed += moved != 0.0
    return changed


@inlined
def begin_afresh(form, state, work):
    """Let ``F = target``, from which all beta are to be taken out; return how many there are."""
    changed = 0
    for k in range(len(state.F)):
        state.F[k] = form.target[k]
        work.chosen[changed] = k
        work.delta[changed] = state.beta[k]
        changed += state.beta[k] != 0.0
    return changed


@inlined
def bring_up_to_date(form, rule, state, work, afresh):
    """F for all points after a round (or from nothing), and how far rounding may have moved it."""
    count, level, n = state.count, state.level, len(state.F)
    changed = begin_afresh(form, state, work) if afresh else find_changed(state, work)
    operations = float(changed)
    if count[SIZE] == n and not afresh:
        for k in range(n):
            state.F[k] = state.local_F[k]
        operations = count[INNER] * 4.0
    else:
        take_out(form, state, work, changed)
        count[VALUES] += changed * n
    if afresh:
        level[DRIFT] = NOISE * size_of_sum(form, state)
    elif rule.bounded:
        level[DRIFT] += EPS * operations * 2.0 * size_of_sum(form, state)
    elif changed > 0:
        level[DRIFT] = np.inf


@compiled_apart
def test(form: DualForm, rule: Rule, state: State, work: Work, event: StepEvent) -> None:
    """End a round: bring F up to date, measure, and decide whether this is the end."""
    count, level = state.count, state.level
    still, afresh = count[INNER] == 0, False
    while True:
        bring_up_to_date(form, rule, state, work, afresh)
        measure(form, state)
        m, M = level[LEVEL_M], level[LEVEL_LOW]
        looks_optimal = m - M < rule.tol and level[DRIFT] > BELIEVED * rule.tol
        lost = m - M <= level[DRIFT] < np.inf
        if afresh or not (looks_optimal or still or lost):
            break
        afresh = True
    if m - M < rule.tol:
        count[VERDICT] = OPTIMAL
    elif count[VERDICT] == MOVED and (still or m - M <= NOISE * max(abs(m), abs(M))):
        count[VERDICT] = STUCK
    count[INSIDE] = 0
    count[STEPS] += 1
    event.kind, event.size = TEST, count[SIZE]
    event.i, event.j = -1, -1
    event.m, event.M = m, M


@compiled
def advance(
    form: DualForm, rule: Rule, state: State, work: Work, events: StepEvents, marks: Marks
) -> tuple[int, int]:
    """Step until a reason to stop, the end of ``marks``, or some milliseconds of work.

    Where the choice of the set is Osuna's, which is not made here, or the margin is hard, step
    until the next choice is due.
    """
    count, k = state.count, 0
    most = count[VALUES] + PATIENCE
    asks = rule.choice == OSUNA or rule.hard
    while k < len(marks) and count[VERDICT] == MOVED and count[VALUES] <= most:
        if count[INSIDE] == 0:
            if asks and k > 0:
                break
            choose(form, rule, state, work, events[k])
            marks[k] = SWEEP_STARTED
            k += 1
        else:
            taken, over = inner_steps(form, rule, state, work, most, events[k:], marks[k:])
            k += taken
            if over and k < len(marks):
                test(form, rule, state, work, events[k])
                marks[k] = 0
                k += 1
    return k, count[VERDICT]
