"""The state of coordinate ascent, and its steps, compiled: visit a point, move its alpha.

The mathematics is at the top of :mod:`solvers.methods.coordinate_ascent.coordinate_ascent`. As in
:mod:`solvers.methods.smo.smo`, the variables have signs: ``beta_i = y_i alpha_i``. For the linear
kernel, point i has the features ``z_i = (1, x_i)``, or ``(0, x_i)`` without a bias, padded with
zeros to D >= 3 entries. Other kernels have no features: D = 0.

At the end of a sweep all points may be checked; then the run continues or stops. Each step updates
w (linear kernel) or the sums ``f(x_i)`` (other kernels), so their rounding errors accumulate.
Before a run ends, w or the sums are recomputed from beta.
"""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

import numpy as np

from solvers.jit.compiled import compiled, inner
from solvers.jit.signatures import Contiguous, Marks, Matrix, Vector
from solvers.jit.simd import larger, multiply_add, smaller
from solvers.kernels.kernel_rows import Rows, slot_of
from solvers.problem.problem import DualForm
from solvers.rounding import NOISE
from solvers.run.random_numbers import draw
from solvers.run.trace import SUPPORT_CHANGED, SWEEP_STARTED

# Stop codes. RUNNING: the run continues. OPTIMAL: the tolerance is met. STALLED: the violation is
# rounding error. The others are only for a hard margin. UNBOUNDED: alpha would overflow.
# COINCIDENT: two points of different classes coincide. MARGIN_TOO_SMALL: there is no margin, or it
# is so small that alpha would be huge. INSEPARABLE: the convex hulls of the classes meet.
RUNNING, OPTIMAL, STALLED, UNBOUNDED, COINCIDENT, MARGIN_TOO_SMALL, INSEPARABLE = range(7)
# Replaces 1 / k(x, x) if k(x, x) is not above 0, or if 1 / k(x, x) is larger. HUGE_INVERSE is
# finite, so that its product with a slope of 0 is 0.
HUGE_INVERSE = 1e300
# The scalars of a state.
SCALARS = np.dtype(
    [
        # The largest KKT violation at the points visited so far in this sweep.
        ("violation", "f8"),
        # If no violation in a sweep was above this number, all points are checked after the sweep,
        # also those that the sweep skipped. `end_sweep` names other occasions of this check.
        ("check_below", "f8"),
        # Computed distance of the convex hulls of the classes, if the code is INSEPARABLE.
        ("hull_distance", "f8"),
        ("steps", "i8"),
        # Kernel evaluations; cached values count too.
        ("evaluations", "i8"),
        # Number of completed sweeps, and the position in the current sweep.
        ("sweep", "i8"),
        ("sweep_position", "i8"),
        # Number of active points: the sweep visits these and skips all others; see `check_all`.
        ("n_active", "i8"),
        # Since all points were last checked: the number of visits, and 1 if any of these visits
        # changed alpha, otherwise 0.
        ("visits_since_check", "i8"),
        ("has_moved", "i8"),
        # Why the run ended; RUNNING before its end.
        ("stop_code", "i8"),
        # Separability is checked next after this many steps.
        ("next_margin_check", "i8"),
    ]
)
# The record of a step: the visited point.
EVENT = np.dtype([("i", "i4")])
Events = Annotated[np.ndarray, Contiguous(EVENT, 1)]
Order = Annotated[np.ndarray, Contiguous(np.uint32, 1)]
# With a hard margin the run stops if the margin is below this fraction of the radius of the data,
# which is the largest ||phi(x_i)||.
MIN_MARGIN = 1e-5
# After sweep number 1024, 2048, 4096 and so on, it is checked whether the run stalls: whether the
# violation is only rounding error, or the hard margin is negligible.
FIRST_STALL_CHECK = 1024
# All points are checked after a sweep whose largest violation is at most the tolerance, or at most
# this fraction of the largest violation that the last check of all points found.
CHECK_FRACTION = 0.3
# Limits of alpha, and of alpha^2 k(x_i, x_i). If alpha exceeds them, a later number may overflow.
MAX_ALPHA, MAX_NORM = 1e130, 1e260


class State(NamedTuple):
    """The variables of coordinate ascent.

    Attributes
    ----------
    beta : float64 array, shape (n,)
    w : float64 array, shape (D,); ``sum_i beta_i z_i`` (linear kernel only)
    sums : float64 array, shape (n,); ``f(x_i)`` (empty for the linear kernel)
    order : uint32 array, shape (n,); the active points of this sweep come first
    scalars : structured array, shape (1,); see :data:`SCALARS`
    """

    beta: Vector
    w: Vector
    sums: Vector
    order: Order
    scalars: Annotated[np.ndarray, Contiguous(SCALARS, 1)]


class Params(NamedTuple):
    """The settings for compiled code.

    The order is random if ``shuffled`` or ``uniform``: points are then drawn without or with
    replacement.
    """

    tol: float
    seed: int
    hard: bool
    shuffled: bool
    uniform: bool
    shrinking: bool
    linear: bool


class Work(NamedTuple):
    """Working memory of the steps.

    Attributes
    ----------
    rows : Rows
    inverse : float64 array, shape (n,); ``1 / k(x_i, x_i)``, at most HUGE_INVERSE
    f : float64 array, shape (n,); ``f(x_i)``, written when all points are checked
    table : float64 array, shape (n, D + 2); for the linear kernel, the data of a visit:
        ``C_i y_i``, ``1 / k(x_i, x_i)``, and the features z_i
    """

    rows: Rows
    inverse: Vector
    f: Vector
    table: Matrix


@compiled
def projected_slope(F: float, beta: float, lower: float, upper: float) -> float:
    """Return the slope F, or 0 if beta is at a bound and F points out of [lower, upper]."""
    return (max(F, 0.0) if beta < upper else 0.0) + (min(F, 0.0) if beta > lower else 0.0)


@inner
def best_beta(F, old, bound, inverse):
    """Return beta_i at the vertex of the parabola, clipped to the box, and the KKT violation.

    F is the slope of the dual along beta_i, ``old`` is beta_i, ``bound`` is ``C_i y_i``, the end of
    its box that is not 0, and ``inverse`` is ``1 / k(x_i, x_i)``. The violation is the size of the
    slope, or 0 if beta_i is at a bound and the slope points out of the box.
    """
    lower, upper = min(bound, 0.0), max(bound, 0.0)
    new = smaller(larger(multiply_add(F, inverse, old), lower), upper)
    return new, abs(projected_slope(F, old, lower, upper))


@inner
def bound_of(dual_form, i):
    """Return ``C_i y_i``; the other end of the box is 0."""
    return dual_form.lower[i] + dual_form.upper[i]


@inner
def add_kernel_row(dual_form, state, work, i, amount):
    """Add ``amount k(x_i, x_j)`` to f(x_j), which ``sums`` contains, for every point j."""
    K_i = work.rows.cached[slot_of(work.rows, i)]
    for j in range(len(K_i)):
        state.sums[j] += amount * K_i[j]
    state.scalars[0].evaluations += len(K_i)


@inner
def end_sweep(dual_form, params, state, work):
    """End a sweep: continue with the active points, or check all points and perhaps stop.

    All points are checked in each of four cases: the violations in the sweep were small
    (``check_below``); with shrinking, there were n visits since the last check; a check for a stall
    is due; no visit since the last check changed alpha.
    """
    scalars = state.scalars[0]
    is_near_tolerance = scalars.violation <= scalars.check_below
    scalars.violation = 0.0
    scalars.sweep += 1
    scalars.visits_since_check += scalars.sweep_position
    scalars.sweep_position = 0
    is_check_due = params.shrinking and scalars.visits_since_check >= len(state.beta)
    is_power_of_two = scalars.sweep & (scalars.sweep - 1) == 0
    may_stall = scalars.sweep >= FIRST_STALL_CHECK and is_power_of_two
    is_unchanged = scalars.has_moved == 0
    if not (is_near_tolerance or is_check_due or may_stall or is_unchanged):
        return
    scalars.visits_since_check = scalars.has_moved = 0
    violation = check_all(dual_form, params, state, work)
    if violation <= params.tol or may_stall or is_unchanged:
        rounding = recompute(dual_form, params, state, work)
        violation = check_all(dual_form, params, state, work)
        if violation <= params.tol:
            scalars.stop_code = OPTIMAL
        elif (is_unchanged and is_stuck(dual_form, params, state, work)) or violation <= rounding:
            scalars.stop_code = STALLED
        elif params.hard and is_margin_negligible(dual_form, state, work):
            scalars.stop_code = MARGIN_TOO_SMALL
    scalars.check_below = max(params.tol, CHECK_FRACTION * violation)


@inner
def is_stuck(dual_form, params, state, work):
    """Return whether no visit can change alpha, after a sweep in which no visit did.

    If every point is drawn anew, the sweep may have missed points, so all active points are tested.
    Any other sweep has visited them.
    """
    for r in range(state.scalars[0].n_active if params.uniform else 0):
        i = state.order[r]
        y, old = dual_form.target[i], state.beta[i]
        bound = bound_of(dual_form, i)
        if best_beta(y - work.f[i], old, bound, work.inverse[i])[0] != old:
            return False
    return True


@inner
def check_all(dual_form, params, state, work):
    """Find the active points for the next sweeps; return the largest violation of all points.

    With the setting ``shrinking``, points at a bound that satisfy KKT are inactive until the next
    check, and all other points are active. Without it, all points are active.
    """
    f, order, beta = work.f, state.order, state.beta
    compute_f(params, state, work)
    max_violation, n_active = 0.0, 0
    for i in range(len(f)):
        lower, upper = dual_form.lower[i], dual_form.upper[i]
        slope = projected_slope(dual_form.target[i] - f[i], beta[i], lower, upper)
        max_violation = max(max_violation, abs(slope))
        # There is no branch, since the processor could not predict which points are active: index
        # i is always written, and if point i is inactive, the next index overwrites it.
        order[n_active] = i
        is_shrunk = (slope == 0.0) & ((beta[i] <= lower) | (beta[i] >= upper)) & params.shrinking
        n_active += 1 - is_shrunk
    state.scalars[0].n_active = n_active
    return max_violation


@compiled
def compute_f(params: Params, state: State, work: Work) -> None:
    """Fill ``work.f`` with ``f(x_i)`` of all points, computed from w or copied from the sums."""
    f, n = work.f, len(state.beta)
    if not params.linear:
        for i in range(n):
            f[i] = state.sums[i]
        return
    f[:] = state.w[0]
    for c in range(len(state.w) - 1):
        w_c, column = state.w[c + 1], work.rows.blocks[0, c]
        for i in range(n):
            f[i] += w_c * column[i]


@inner
def recompute(dual_form, params, state, work):
    """Recompute w or the sums from beta alone; return a bound on the rounding error of f(x_i).

    The bound uses ``|k(x_i, x_j)| <= sqrt(k(x_i, x_i) k(x_j, x_j))``.
    """
    if params.linear:
        return compute_w(state, work.table)
    state.sums[:] = 0.0
    error_scale, max_length = 0.0, 0.0
    for i in range(len(state.beta)):
        if state.beta[i] != 0.0:
            add_kernel_row(dual_form, state, work, i, state.beta[i])
        length = math.sqrt(abs(dual_form.diagonal[i]))
        error_scale += abs(state.beta[i]) * length
        max_length = max(max_length, length)
    return NOISE * error_scale * max_length


@inner
def compute_w(state, table):
    """Recompute ``w = sum_i beta_i z_i``; return a bound on the rounding error of f.

    The bound is ``NOISE`` times the sum over c of ``max_i |z_ic| sum_i |beta_i z_ic|``.
    """
    error_scale = 0.0
    for c in range(len(state.w)):
        total, absolute_sum, max_z = 0.0, 0.0, 0.0
        for i in range(len(table)):
            z_ic = table[i, 2 + c]
            total += state.beta[i] * z_ic
            absolute_sum += abs(state.beta[i] * z_ic)
            max_z = max(max_z, abs(z_ic))
        state.w[c] = total
        error_scale += absolute_sum * max_z
    return NOISE * error_scale


@inner
def is_margin_negligible(dual_form, state, work):
    """Return whether the margin is certainly below ``MIN_MARGIN`` times the radius of the data.

    The margin is at most ``||w|| / sum_i alpha_i``, because the unit vector w* with the largest
    margin satisfies ``||w|| >= <w, w*> >= margin sum_i alpha_i``.
    """
    alpha_sum, squared_norm, squared_radius = 0.0, 0.0, 0.0
    for i in range(len(work.f)):
        alpha_sum += abs(state.beta[i])
        squared_norm += state.beta[i] * work.f[i]
        squared_radius = max(squared_radius, dual_form.diagonal[i])
    min_norm = MIN_MARGIN * math.sqrt(squared_radius) * alpha_sum
    return squared_norm < min_norm * min_norm


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
        # A visit reads one row of memory: y is the sign of the bound.
        bound, inverse, z = table[i, 0], table[i, 1], table[i, 2:]
        y = math.copysign(1.0, bound)
        F = multiply_add(-w_2, z[2], multiply_add(-w_1, z[1], multiply_add(-w_0, z[0], y)))
        if len(w) > 3:
            F -= inner_product(w[3:], z[3:])
        old = beta[i]
        new, violation = best_beta(F, old, bound, inverse)
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
        new, violation = best_beta(y - state.sums[i], old, bound_of(dual_form, i), work.inverse[i])
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
