"""One step of dual coordinate ascent, compiled: visit a point, move its alpha.

The mathematics is at the top of :mod:`solvers.methods.coordinate_ascent.coordinate_ascent`; as in
:mod:`solvers.methods.smo.smo` the variables are signed, ``beta_i = y_i alpha_i``. What is kept of f
(w for the linear kernel, the sums ``f(x_i)`` for the others) is updated from step to step, which
gathers rounding; so it is computed afresh before a state is called optimal.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from solvers.jit.compiled import compiled, compiled_strictly, inlined
from solvers.jit.simd import larger, multiply_add, smaller
from solvers.kernels.rows import Rows, kernel_row
from solvers.run.random_numbers import draw
from solvers.run.trace import SUPPORT_CHANGED, SWEEP_STARTED

VISITED, OPTIMAL, STUCK, UNBOUNDED, COINCIDENT, UNREACHED, INSEPARABLE = range(7)
# Relative rounding of a sum of products.
NOISE = 4 * float(np.finfo(float).eps)
# Largest alpha: its square times the kernel still fits into a double.
LARGEST_ALPHA, LARGEST_NORM = 1e130, 1e260
# Stands for 1 / k(x, x) where that is not above 0. Finite, since 0 times it has to be 0.
ENDLESS = 1e300
# The hard margin is given up when no margin above this part of the data's radius is left.
SMALLEST_MARGIN = 1e-5
# From this sweep on, those with a power of two for a number ask whether rounding is in the way.
PATIENCE = 1024
# A sweep looks calm when its violations are below the tolerance, or this part of those of all.
CALMER = 0.3
# Places in State.level and State.count.
WORST, CALM, DISTANCE = range(3)
STEPS, VALUES, SWEEP, PLACE, ACTIVE, SINCE, MOVED, CODE, ASK = range(9)

EVENT = np.dtype([("i", "i4")])


class State(NamedTuple):
    """Raw variables of coordinate ascent.

    Attributes
    ----------
    beta : float64 array, shape (n,)
    w : float64 array, shape (D,); ``sum_i beta_i z_i`` (linear kernel only)
    sums : float64 array, shape (n,); ``f(x_i)`` (empty for the linear kernel)
    order : int32 array, shape (n,); the points of this sweep come first, as many as are active
    level : float64 array, shape (3,); the largest violation of this sweep, up to where a sweep
        looks calm, and how near the hulls were found to be where there is no hard margin
    count : int64 array, shape (9,); steps, kernel values asked for, sweeps done, place in the
        sweep, active points, visits since all points were looked at, whether any of them moved
        something, the reason to stop, and the step to ask for separability after
    """

    beta: np.ndarray
    w: np.ndarray
    sums: np.ndarray
    order: np.ndarray
    level: np.ndarray
    count: np.ndarray


class Rule(NamedTuple):
    """The settings as compiled code takes them."""

    tol: float
    seed: int
    C: float
    hard: bool
    shuffled: bool
    shrinking: bool
    linear: bool


class Work(NamedTuple):
    """Working memory of the steps.

    Attributes
    ----------
    rows : Rows
    inverse : float64 array, shape (n,); ``1 / k(x_i, x_i)``, or ENDLESS
    f : float64 array, shape (n,); ``f(x_i)`` when all points are looked at
    table : float64 array, shape (n, D + 2); what a visit needs of a point, side by side in memory:
        ``y_i``, ``1 / k(x_i, x_i)``, and ``z_i = (1, x_i)``, filled up with zeros to D = 3 at
        least; for 1 stands 0 where there is no bias (linear kernel only)
    """

    rows: Rows
    inverse: np.ndarray
    f: np.ndarray
    table: np.ndarray


@inlined
def projected(F, beta, lower, upper):
    """The part of the slope F along which beta may move: 0 where it would leave the box."""
    return (max(F, 0.0) if beta < upper else 0.0) + (min(F, 0.0) if beta > lower else 0.0)


@compiled_strictly
def moved_by(old, new):
    """``new - old`` as rounded, so that w belongs to beta and not to what was wished."""
    return new - old


@compiled
def add_kernel_row(form, state, work, i, amount):
    """``f <- f + amount k(x_i, .)`` at all points."""
    K_i = kernel_row(form, work.rows, i, 0)
    for j in range(len(K_i)):
        state.sums[j] += amount * K_i[j]
    state.count[VALUES] += len(K_i)


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
def advance(form, rule, state, work, events, marks):
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


@compiled
def end_sweep(form, rule, state, work):
    """Look back on a sweep: go on with the same points, or look at all, or stop."""
    level, count = state.level, state.count
    calm = level[WORST] <= level[CALM]
    level[WORST] = 0.0
    count[SWEEP] += 1
    count[SINCE] += count[PLACE]
    count[PLACE] = 0
    long = rule.shrinking and count[SINCE] >= len(state.beta)
    rare = count[SWEEP] >= PATIENCE and count[SWEEP] & (count[SWEEP] - 1) == 0
    still = count[MOVED] == 0
    if not (calm or long or rare or still):
        return
    count[SINCE] = count[MOVED] = 0
    violation = look_at_all(form, rule, state, work)
    if violation <= rule.tol or rare or still:
        rounding = compute_afresh(form, rule, state, work)
        violation = look_at_all(form, rule, state, work)
        if violation <= rule.tol:
            count[CODE] = OPTIMAL
        elif still or violation <= rounding:
            count[CODE] = STUCK
        elif rule.hard and no_margin_left(form, state, work):
            count[CODE] = UNREACHED
    level[CALM] = max(rule.tol, CALMER * violation)


@compiled
def look_at_all(form, rule, state, work):
    """Choose the points of the next sweeps; return the largest violation of all points.

    With shrinking, points that rest at a bound, as they should, are set aside until the next look.
    """
    f, order, beta = work.f, state.order, state.beta
    decisions(form, rule, state, f)
    worst, active = 0.0, 0
    for i in range(len(f)):
        lower, upper = form.lower[i], form.upper[i]
        slope = projected(form.target[i] - f[i], beta[i], lower, upper)
        worst = max(worst, abs(slope))
        # Written without a branch: who rests cannot be predicted.
        order[active] = i
        rests = (slope == 0.0) & ((beta[i] <= lower) | (beta[i] >= upper)) & rule.shrinking
        active += 1 - rests
    state.count[ACTIVE] = active
    return worst


@compiled
def decisions(form, rule, state, f):
    """``f(x_i)`` at all points, into f."""
    n, d = form.X.shape
    if not rule.linear:
        for i in range(n):
            f[i] = state.sums[i]
        return
    f[:] = state.w[0]
    for c in range(d):
        w_c, column = state.w[c + 1], form.XT[c]
        for i in range(n):
            f[i] += w_c * column[i]


@compiled
def compute_afresh(form, rule, state, work):
    """Make w or the sums from beta alone; return how far rounding may have moved an f(x_i).

    The sums are bounded by ``|k(x_i, x_j)| <= sqrt(k(x_i, x_i) k(x_j, x_j))``.
    """
    if rule.linear:
        return compute_w(state, work.table)
    state.sums[:] = 0.0
    size, widest = 0.0, 0.0
    for i in range(len(state.beta)):
        if state.beta[i] != 0.0:
            add_kernel_row(form, state, work, i, state.beta[i])
        length = math.sqrt(abs(form.diagonal[i]))
        size += abs(state.beta[i]) * length
        widest = max(widest, length)
    return NOISE * size * widest


@compiled
def compute_w(state, table):
    """``w = sum_i beta_i z_i`` from nothing; return the rounding of f.

    That is bounded by the rounding of ``sum_c |z_c| sum_i |beta_i z_ic|``.
    """
    size = 0.0
    for c in range(len(state.w)):
        total, weight, widest = 0.0, 0.0, 0.0
        for i in range(len(table)):
            z_ic = table[i, 2 + c]
            total += state.beta[i] * z_ic
            weight += abs(state.beta[i] * z_ic)
            widest = max(widest, abs(z_ic))
        state.w[c] = total
        size += weight * widest
    return NOISE * size


@compiled
def no_margin_left(form, state, work):
    """Whether a margin, if there is one, is too small to be worth the search.

    Any margin is at most ``||w|| / sum_i alpha_i``: ``<w, w*> >= margin sum_i alpha_i`` for the
    unit vector w* of the widest one.
    """
    total, squared_norm, radius = 0.0, 0.0, 0.0
    for i in range(len(work.f)):
        total += abs(state.beta[i])
        squared_norm += state.beta[i] * work.f[i]
        radius = max(radius, form.diagonal[i])
    smallest = SMALLEST_MARGIN * math.sqrt(radius) * total
    return squared_norm < smallest * smallest
