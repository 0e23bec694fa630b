"""The end of a sweep of coordinate ascent, compiled: check all points, continue or stop.

Each step updates w (linear kernel) or the sums ``f(x_i)`` (other kernels), so their rounding errors
accumulate. Before a run ends, w or the sums are recomputed from beta.
"""

from __future__ import annotations

import math

from solvers.jit.compiled import compiled, inner
from solvers.jit.simd import larger, multiply_add, smaller
from solvers.kernels.kernel_rows import slot_of
from solvers.methods.coordinate_ascent.state import (
    MARGIN_TOO_SMALL,
    OPTIMAL,
    STALLED,
    Params,
    State,
    Work,
)
from solvers.rounding import NOISE

# With a hard margin the run stops if the margin is below this fraction of the radius of the data,
# which is the largest ||phi(x_i)||.
MIN_MARGIN = 1e-5
# After sweep number 1024, 2048, 4096 and so on, it is checked whether the run stalls: whether the
# violation is only rounding error, or the hard margin is negligible.
FIRST_STALL_CHECK = 1024
# All points are checked after a sweep whose largest violation is at most the tolerance, or at most
# this fraction of the largest violation that the last check of all points found.
CHECK_FRACTION = 0.3


@compiled
def projected_slope(F: float, beta: float, lower: float, upper: float) -> float:
    """Return the slope F, or 0 if beta is at a bound and F points out of [lower, upper]."""
    return (max(F, 0.0) if beta < upper else 0.0) + (min(F, 0.0) if beta > lower else 0.0)


@inner
def best_beta(params, F, old, y, inverse):
    """Return beta_i at the vertex of the parabola, clipped to the box, and the KKT violation.

    F is the slope of the dual along beta_i, ``old`` is beta_i, and ``inverse`` is
    ``1 / k(x_i, x_i)``. The violation is the size of the slope, or 0 if beta_i is at a bound and
    the slope points out of the box.
    """
    # The bounds are computed, since reading them from dual_form would take longer.
    bound = params.C * y
    lower, upper = min(bound, 0.0), max(bound, 0.0)
    new = smaller(larger(multiply_add(F, inverse, old), lower), upper)
    return new, abs(projected_slope(F, old, lower, upper))


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
    """Return whether no visit can change alpha: a sweep that changed nothing may have missed some.

    A sweep that visits every active point misses none.
    """
    for r in range(state.scalars[0].n_active if params.uniform else 0):
        i = state.order[r]
        y, old = dual_form.target[i], state.beta[i]
        if best_beta(params, y - work.f[i], old, y, work.inverse[i])[0] != old:
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
