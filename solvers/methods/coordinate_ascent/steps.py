"""Compiled steps of dual coordinate ascent: visit a point, move its alpha.

The mathematics is at the top of :mod:`solvers.methods.coordinate_ascent.coordinate_ascent`.
"""

from __future__ import annotations

from solvers.jit.compiled import compiled, inner
from solvers.jit.signatures import Marks
from solvers.jit.simd import larger, multiply_add
from solvers.methods.coordinate_ascent.state import (
    RUNNING,
    UNBOUNDED,
    Events,
    Params,
    State,
    Work,
)
from solvers.methods.coordinate_ascent.sweeps import add_kernel_row, best_beta, end_sweep
from solvers.problem.problem import DualForm
from solvers.run.random_numbers import draw
from solvers.run.trace import SUPPORT_CHANGED, SWEEP_STARTED

# Limits of alpha, and of alpha^2 k(x_i, x_i). If alpha exceeds them, a later number may overflow.
MAX_ALPHA, MAX_NORM = 1e130, 1e260


@inner
def rounded_change(old, new):
    """Return ``new - old``, the change of the rounded beta.

    w must change by exactly this. With fastmath flags the compiler could return the unrounded step
    that was added to ``old``.
    """
    return new - old


@inner
def is_overflowing(dual_form, beta, i):
    """Return whether beta is so large that a later number may overflow."""
    return abs(beta) > MAX_ALPHA or beta * beta * dual_form.diagonal[i] > MAX_NORM


@inner
def point_at(params, state, position):
    """Return the point at a position of the sweep.

    If the order is random, first swap the point at this position with itself or a random later
    point: one step of Fisher-Yates shuffling. If every point is drawn anew, swap it with any
    active point, so that all are equally likely at every visit.
    """
    order, scalars = state.order, state.scalars[0]
    i = order[position]
    if params.shuffled or params.uniform:
        first = position if params.shuffled else 0
        other = first + draw(params.seed, scalars.sweep, position, scalars.n_active - first)
        order[position], order[other] = order[other], i
        i = order[position]
    return i


@inner
def inner_product(w, z):
    """Return ``<w, z>`` by eight partial sums, which do not wait for each other."""
    s_0 = s_1 = s_2 = s_3 = s_4 = s_5 = s_6 = s_7 = 0.0
    whole = len(w) // 8 * 8
    for c in range(0, whole, 8):
        s_0 = multiply_add(w[c], z[c], s_0)
        s_1 = multiply_add(w[c + 1], z[c + 1], s_1)
        s_2 = multiply_add(w[c + 2], z[c + 2], s_2)
        s_3 = multiply_add(w[c + 3], z[c + 3], s_3)
        s_4 = multiply_add(w[c + 4], z[c + 4], s_4)
        s_5 = multiply_add(w[c + 5], z[c + 5], s_5)
        s_6 = multiply_add(w[c + 6], z[c + 6], s_6)
        s_7 = multiply_add(w[c + 7], z[c + 7], s_7)
    for c in range(whole, len(w)):
        s_0 = multiply_add(w[c], z[c], s_0)
    return ((s_0 + s_1) + (s_2 + s_3)) + ((s_4 + s_5) + (s_6 + s_7))


@inner
def visit_linear(dual_form, params, state, work, visits, marks):
    """Visit points, and update w by each clipped change of beta; return the number of visits.

    Reading and writing w takes most of the time, so its first three entries are kept in local
    variables. For points in the plane w has no other entries: the three are b and the weights of
    the two coordinates.
    """
    beta, w, scalars, table = state.beta, state.w, state.scalars[0], work.table
    w_0, w_1, w_2 = w[0], w[1], w[2]
    max_violation, has_moved = scalars.violation, False
    for k in range(visits):
        i = point_at(params, state, scalars.sweep_position + k)
        y, inverse, z = table[i, 0], table[i, 1], table[i, 2:]
        F = multiply_add(-w_2, z[2], multiply_add(-w_1, z[1], multiply_add(-w_0, z[0], y)))
        if len(w) > 3:
            F -= inner_product(w[3:], z[3:])
        old = beta[i]
        new, violation = best_beta(params, F, old, y, inverse)
        max_violation = larger(max_violation, violation)
        if params.hard and is_overflowing(dual_form, new, i):
            new, scalars.stop_code = old, UNBOUNDED
        beta[i] = new
        change = rounded_change(old, new)
        w_0 = multiply_add(change, z[0], w_0)
        w_1 = multiply_add(change, z[1], w_1)
        w_2 = multiply_add(change, z[2], w_2)
        if change != 0.0:
            for c in range(3, len(w)):
                w[c] = multiply_add(change, z[c], w[c])
        has_moved |= new != old
        marks[k] = SUPPORT_CHANGED if (old == 0.0) != (new == 0.0) else 0
        if scalars.stop_code != RUNNING:
            visits = k + 1
            break
    w[0], w[1], w[2] = w_0, w_1, w_2
    scalars.violation = max_violation
    scalars.has_moved |= has_moved
    return visits


@inner
def visit_with_sums(dual_form, params, state, work, visits, marks):
    """Visit points, and update f at all points by each change; return the number of visits."""
    beta, scalars = state.beta, state.scalars[0]
    for k in range(visits):
        i = point_at(params, state, scalars.sweep_position + k)
        y, old = dual_form.target[i], beta[i]
        new, violation = best_beta(params, y - state.sums[i], old, y, work.inverse[i])
        scalars.violation = max(scalars.violation, violation)
        if params.hard and is_overflowing(dual_form, new, i):
            new, scalars.stop_code = old, UNBOUNDED
        beta[i] = new
        if new != old:
            add_kernel_row(dual_form, state, work, i, rounded_change(old, new))
            scalars.has_moved = 1
        marks[k] = SUPPORT_CHANGED if (old == 0.0) != (new == 0.0) else 0
        if scalars.stop_code != RUNNING:
            return k + 1
    return visits


@compiled
def advance(
    dual_form: DualForm, params: Params, state: State, work: Work, events: Events, marks: Marks
) -> tuple[int, int]:
    """Visit points until there is a reason to stop, or ``marks`` is full.

    Return the number of visits and the stop code.
    """
    scalars, n_taken = state.scalars[0], 0
    while n_taken < len(marks) and scalars.stop_code == RUNNING:
        start = scalars.sweep_position
        visits = min(scalars.n_active - start, len(marks) - n_taken)
        if params.linear:
            visits = visit_linear(dual_form, params, state, work, visits, marks[n_taken:])
        else:
            visits = visit_with_sums(dual_form, params, state, work, visits, marks[n_taken:])
        marks[n_taken] |= SWEEP_STARTED if start == 0 else 0
        # The trace of this method keeps no events (`keeps_events`). So only the first entry is
        # used: it gets the last visit.
        events[0].i = state.order[start + visits - 1]
        n_taken += visits
        scalars.steps += visits
        scalars.sweep_position += visits
        if scalars.sweep_position >= scalars.n_active and scalars.stop_code == RUNNING:
            end_sweep(dual_form, params, state, work)
    return n_taken, scalars.stop_code
