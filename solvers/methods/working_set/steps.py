"""The rounds of the working-set method, compiled.

A *round* consists of the choice of a set, pair and Newton steps within the set, and a test of all
points. The choice, each pair or Newton step, and the test are steps of the run. The test updates F
of all points.
"""

from __future__ import annotations

import numpy as np

from solvers.jit.compiled import called_by_address, compiled, inner
from solvers.jit.signatures import Marks
from solvers.jit.simd import call_at, larger
from solvers.kernels.kernel_rows import PLAN, subtract_rows
from solvers.methods.smo.steps import MOVED, OPTIMAL, STALLED
from solvers.methods.working_set.choice import store_extremes
from solvers.methods.working_set.inner import MAX_EVALUATIONS
from solvers.methods.working_set.state import (
    OSUNA,
    TEST,
    Params,
    State,
    StepEvent,
    StepEvents,
    Work,
)
from solvers.problem.problem import DualForm
from solvers.rounding import EPS, NOISE
from solvers.run.trace import SWEEP_STARTED

# Before a run ends, F is recomputed if the rounding error of F may exceed this fraction of the
# tolerance.
MAX_F_ERROR = 0.01


@inner
def max_partial_sum(dual_form, state):
    """Bound the size of F and of every partial sum while F = target - K beta is computed.

    Return ``max |target| + max |K_ii| sum |beta|``. This is a bound unless some ``|K_ij|`` is
    larger than ``max |K_ii|``.
    """
    sum_beta, max_target = 0.0, 0.0
    for k in range(len(state.beta)):
        sum_beta += abs(state.beta[k])
        max_target = larger(max_target, abs(dual_form.target[k]))
    return max_target + state.round[0].max_kernel * sum_beta


@inner
def find_changed(dual_form, state, work):
    """Store the variables that this round changed, and their changes; return their number.

    A free variable (strictly between its bounds) mostly moves again in the next round, so its row
    may replace another one in the cache. A variable that ends a round at a bound mostly stays.
    """
    n_changed = 0
    for r in range(state.round[0].size):
        k, beta = state.points[r], state.local_beta[r]
        moved = beta - state.old_beta[r]
        work.indices[n_changed] = k
        work.delta[n_changed] = moved
        is_free = dual_form.lower[k] < beta < dual_form.upper[k]
        work.rows.slots[PLAN, n_changed] = 1 if is_free else 0
        n_changed += moved != 0.0
    return n_changed


@inner
def reset_F(dual_form, state, work):
    """Set ``F = target``; store each nonzero beta as a change from 0; return their number."""
    n_changed = 0
    for k in range(len(state.F)):
        state.F[k] = dual_form.target[k]
        work.indices[n_changed] = k
        work.delta[n_changed] = state.beta[k]
        work.rows.slots[PLAN, n_changed] = 0
        n_changed += state.beta[k] != 0.0
    return n_changed


@inner
def update_F(dual_form, params, state, work, from_scratch):
    """Update F of all points after a round, and bound the rounding error of F.

    If ``from_scratch``, F is recomputed from beta. Otherwise only the changes of the round are
    subtracted.
    """
    current, n = state.round[0], len(state.F)
    n_changed = (
        reset_F(dual_form, state, work) if from_scratch else find_changed(dual_form, state, work)
    )
    # How many terms were subtracted from each entry of F. If the set has all points, F was updated
    # by the steps of the round; each pair or Newton step is counted as 4 terms.
    operations = float(n_changed)
    if current.size == n and not from_scratch:
        for k in range(n):
            state.F[k] = state.local_F[k]
        operations = current.steps * 4.0
    else:
        state.scalars[0].evaluations += n_changed * n
        indices, delta, F = work.indices, work.delta, state.F
        # With few features, F is updated by monomials (features.py): if there are at most twice as
        # many of them as changed variables.
        if 0 < len(work.features) <= 2 * n_changed:
            terms = (work.features, work.weights, indices, delta, n_changed, F)
            call_at(work.parts.subtract_polynomial, terms, None)
        else:
            subtract_rows(work.rows, indices, delta, n_changed, F)
    if from_scratch:
        current.F_error = NOISE * max_partial_sum(dual_form, state)
    elif params.bounded:
        current.F_error += EPS * operations * 2.0 * max_partial_sum(dual_form, state)
    elif n_changed > 0:
        # Without a bound on |K_ij| the error is unknown.
        current.F_error = np.inf


@called_by_address
def end_round(
    dual_form: DualForm, params: Params, state: State, work: Work, event: StepEvent
) -> None:
    """End a round: update F, find m and M, and decide whether the run ends.

    If the rounding error of F could affect this decision, or the round took no step, F is first
    recomputed from scratch.
    """
    current, scalars = state.round[0], state.scalars[0]
    no_steps, from_scratch = current.steps == 0, False
    while True:
        update_F(dual_form, params, state, work, from_scratch)
        store_extremes(dual_form, state)
        m, M, F_error = current.m, current.M, current.F_error
        looks_optimal = m - M < params.tol and F_error > MAX_F_ERROR * params.tol
        is_rounding = params.tol <= m - M <= F_error < np.inf
        if from_scratch or not (looks_optimal or no_steps or is_rounding):
            break
        from_scratch = True
    if m - M < params.tol:
        scalars.stop_code = OPTIMAL
    elif scalars.stop_code == MOVED and (no_steps or m - M <= NOISE * max(abs(m), abs(M))):
        scalars.stop_code = STALLED
    current.is_open = 0
    scalars.steps += 1
    event.kind, event.size = TEST, current.size
    event.i, event.j = -1, -1
    event.m, event.M = m, M


@compiled
def advance(
    dual_form: DualForm, params: Params, state: State, work: Work, events: StepEvents, marks: Marks
) -> tuple[int, int]:
    """Take steps until the run ends, ``marks`` is full, or MAX_EVALUATIONS is exceeded.

    Return the number of steps, and MOVED or the reason that the run ends. For Osuna's choice, and
    with a hard margin, also return after each round: the caller then marks the next set, or tests
    separability.
    """
    current, scalars, parts, k = state.round[0], state.scalars[0], work.parts, 0
    max_evaluations = scalars.evaluations + MAX_EVALUATIONS
    returns_after_round = params.choice == OSUNA or params.hard
    while k < len(marks) and scalars.stop_code == MOVED and scalars.evaluations <= max_evaluations:
        if current.is_open == 0:
            if returns_after_round and k > 0:
                break
            call_at(parts.choose, (dual_form, params, state, work, events[k]), None)
            marks[k] = SWEEP_STARTED
            k += 1
        else:
            n_steps, is_over = call_at(
                parts.inner_steps,
                (dual_form, params, state, work, max_evaluations, events[k:], marks[k:]),
                (0, False),
            )
            k += n_steps
            if is_over and k < len(marks):
                call_at(parts.end_round, (dual_form, params, state, work, events[k]), None)
                marks[k] = 0
                k += 1
    return k, scalars.stop_code
