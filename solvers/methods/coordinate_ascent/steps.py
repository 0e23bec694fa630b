"""One step of dual coordinate ascent, compiled: visit a point, move its alpha.

The mathematics is at the top of :mod:`solvers.methods.coordinate_ascent.coordinate_ascent`.
"""

from __future__ import annotations

from solvers.jit.compiled import compiled, compiled_strictly, inlined
from solvers.jit.signatures import Marks
from solvers.jit.simd import larger, multiply_add, smaller
from solvers.methods.coordinate_ascent.state import (
    ACTIVE,
    CODE,
    MOVED,
    PLACE,
    STEPS,
    SWEEP,
    UNBOUNDED,
    VISITED,
    WORST,
    Events,
    Rule,
    State,
    Work,
)
from solvers.methods.coordinate_ascent.sweeps import add_kernel_row, end_sweep, projected
from solvers.problem.problem import DualForm
from solvers.run.random_numbers import draw
from solvers.run.trace import SUPPORT_CHANGED, SWEEP_STARTED

# Largest alpha: its square times the kernel still fits into a double.
LARGEST_ALPHA, LARGEST_NORM = 1e130, 1e260


@compiled_strictly
def moved_by(old, new):
    """``new - old`` as rounded, so that w belongs to beta and not to what was wished."""
    return new - old


@inlined
def best_beta(rule, F, old, y, inverse):
    """To the top of the parabola, or to the wall before it; and how far it was from optimal.

    The dual rises by F a unit of beta_i; in the box only its projection counts.
    """
    # Two arrays less to fetch from memory at random than with form.lower and form.upper.
    wall = rule.C * y
    lower, upper = min(wall, 0.0), max(wall, 0.0)
    new = smaller(larger(multiply_add(F, inverse, old), lower), upper)
    return new, abs(projected(F, old, lower, upper))


@inlined
def is_endless(form, beta, i):
    """Whether beta has grown beyond all that has a square."""
    return abs(beta) > LARGEST_ALPHA or beta * beta * form.diagonal[i] > LARGEST_NORM


@inlined
def point_at(rule, state, place):
    """The point at this place of the sweep; a sweep is shuffled while it is read."""
    order, count = state.order, state.count
    i = order[place]
    if rule.shuffled:
        other = place + draw(rule.seed, count[SWEEP], place, count[ACTIVE] - place)
        order[place], order[other] = order[other], i
        i = order[place]
    return i


@compiled
def visit_linear(form, rule, state, work, visits, marks):
    """Visits with w, and w by the clipped change of alpha; return how many.

    The processor waits for w most of the time: three entries, all that there are in the plane, are
    variables of their own, which takes less time than to write them and read them again.
    """
    beta, w, count, table = state.beta, state.w, state.count, work.table
    w_0, w_1, w_2 = w[0], w[1], w[2]
    worst, moved = state.level[WORST], False
    for k in range(visits):
        i = point_at(rule, state, count[PLACE] + k)
        y, inverse, z = table[i, 0], table[i, 1], table[i, 2:]
        F = multiply_add(-w_2, z[2], multiply_add(-w_1, z[1], multiply_add(-w_0, z[0], y)))
        for c in range(3, len(w)):
            F = multiply_add(-w[c], z[c], F)
        old = beta[i]
        new, violation = best_beta(rule, F, old, y, inverse)
        worst = larger(worst, violation)
        if rule.hard and is_endless(form, new, i):
            new, count[CODE] = old, UNBOUNDED
        beta[i] = new
        change = moved_by(old, new)
        w_0 = multiply_add(change, z[0], w_0)
        w_1 = multiply_add(change, z[1], w_1)
        w_2 = multiply_add(change, z[2], w_2)
        for c in range(3, len(w)):
            w[c] = multiply_add(change, z[c], w[c])
        moved |= new != old
        marks[k] = SUPPORT_CHANGED if (old == 0.0) != (new == 0.0) else 0
        if count[CODE] != VISITED:
            visits = k + 1
            break
    w[0], w[1], w[2] = w_0, w_1, w_2
    state.level[WORST] = worst
    count[MOVED] |= moved
    return visits


@compiled
def visit_with_sums(form, rule, state, work, visits, marks):
    """Visits with f of all points, and f by the clipped change of alpha; return how many."""
    beta, level, count = state.beta, state.level, state.count
    for k in range(visits):
        i = point_at(rule, state, count[PLACE] + k)
        y, old = form.target[i], beta[i]
        new, violation = best_beta(rule, y - state.sums[i], old, y, work.inverse[i])
        level[WORST] = max(level[WORST], violation)
        if rule.hard and is_endless(form, new, i):
            new, count[CODE] = old, UNBOUNDED
        beta[i] = new
        if new != old:
            add_kernel_row(form, state, work, i, moved_by(old, new))
            count[MOVED] = 1
        marks[k] = SUPPORT_CHANGED if (old == 0.0) != (new == 0.0) else 0
        if count[CODE] != VISITED:
            return k + 1
    return visits


@compiled
def advance(
    form: DualForm, rule: Rule, state: State, work: Work, events: Events, marks: Marks
) -> tuple[int, int]:
    """Visit points until a reason to stop or the end of ``marks``, a part of a sweep at a time."""
    count, taken = state.count, 0
    while taken < len(marks) and count[CODE] == VISITED:
        first = count[PLACE]
        visits = min(count[ACTIVE] - first, len(marks) - taken)
        if rule.linear:
            visits = visit_linear(form, rule, state, work, visits, marks[taken:])
        else:
            visits = visit_with_sums(form, rule, state, work, visits, marks[taken:])
        marks[taken] |= SWEEP_STARTED if first == 0 else 0
        events[0].i = state.order[first + visits - 1]
        taken += visits
        count[STEPS] += visits
        count[PLACE] += visits
        if count[PLACE] >= count[ACTIVE] and count[CODE] == VISITED:
            end_sweep(form, rule, state, work)
    return taken, count[CODE]
