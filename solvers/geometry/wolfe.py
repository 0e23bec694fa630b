"""Wolfe's method for the point z of a hull that is nearest to the origin, compiled.

The method has a set of *free* points, the corral. A *major cycle* begins by adding a point of the
pair with the largest gradient gap (see :mod:`solvers.geometry.min_norm_point`) to the corral. Then
z moves towards the *best point*. This is the point nearest to the origin among those that z can
reach if only the weights of the corral change, without bounds, and their sum in each group stays.
If no weight is at the cap, the points that z can reach are the affine hull of the corral. If a
weight reaches a bound on the way, z stops there, the point of this weight leaves the corral, and z
moves on in the next step. The cycle ends with a step in which no weight reaches a bound.

Source: Wolfe 1976, "Finding the nearest point in a polytope". Bounds on the weights are treated as
in active-set methods.
"""

from __future__ import annotations

import numpy as np

from solvers.geometry.min_norm_point import (
    RUNNING,
    STALLED,
    Corral,
    Hull,
    Weights,
    gradient_gap,
    max_gradient_low,
    measure_gap,
    min_gradient_up,
    recompute,
)
from solvers.jit.compiled import compiled, inner
from solvers.kernels.kernel_rows import slot_of
from solvers.problem.problem import DualForm
from solvers.rounding import EPS

# A pivot up to this fraction of the diagonal entry in the same row is rounding error. The point of
# this row is then affinely dependent on earlier points.
MIN_PIVOT = 1e-13
# After more than this number of successive major cycles without progress, the run stops. A few such
# cycles are normal if several weights reach their bounds together.
MAX_IDLE_CYCLES = 12
# Number of steps after which S is recomputed, because rounding errors accumulate in it.
RECOMPUTE_INTERVAL = 32


@inner
def free_point(hull, state):
    """Free one point of the pair with the largest gradient gap, and return its index.

    The pair of a group consists of the point i of ``min_gradient_up``, whose weight should grow,
    and the point j of ``max_gradient_low``, whose weight should shrink. If no point of the group is
    free, both points of the pair are freed.
    """
    group, i, j, largest_gap = 0, -1, -1, -1.0
    for candidate in range(2):
        grow, shrink = (
            min_gradient_up(hull, state, candidate),
            max_gradient_low(hull, state, candidate),
        )
        gap = gradient_gap(hull, state, grow, shrink)
        if grow >= 0 and shrink >= 0 and gap > largest_gap:
            group, i, j, largest_gap = candidate, grow, shrink, gap
    mean_gradient, n_free = 0.0, 0
    for k in range(len(state.S)):
        if state.free[k] and hull.group[k] == group:
            mean_gradient += hull.sign[k] * state.S[k]
            n_free += 1
    if n_free == 0:
        state.free[i] = True
        state.free[j] = True
        return i
    # The free points of a group have equal gradients up to rounding error. Free the point of the
    # pair whose gradient differs more from their mean.
    mean_gradient /= n_free
    below = mean_gradient - hull.sign[i] * state.S[i]
    above = hull.sign[j] * state.S[j] - mean_gradient
    added = i if below >= above else j
    state.free[added] = True
    return added


@inner
def list_corral(state, work):
    """Write the free points into ``order``, in the order they were added; return their number.

    Points that were added in the same step are in the order of their indices. Points that stay free
    keep their order. So the columns of the Cholesky factor before the first change in ``order``
    remain valid.
    """
    order, scalars, m = state.order, state.scalars[0], 0
    for i in range(len(state.free)):
        work.listed[i] = False
    for r in range(scalars.corral_size):
        i = order[r]
        if state.free[i]:
            order[m] = i
            work.listed[i] = True
            m += 1
    n_stayed = m
    for i in range(len(state.free)):
        if state.free[i] and not work.listed[i]:
            order[m] = i
            m += 1
    scalars.corral_size = m
    # Count the kernel values of the new points. The count must depend on the state alone, so that a
    # replay, whose working memory may differ, gets the same count.
    scalars.evaluations += (m - n_stayed) * m
    return m


@inner
def gather_free(
    dual_form: DualForm, hull: Hull, state: Weights, work: Corral
) -> tuple[int, int, int]:
    """List the free points, heads first, and compute their Gram matrix.

    The head of a group is its first free point. Return the number m of listed points, the number of
    heads, and how many entries at the front of the list are the same as in the previous step.
    """
    n_free, order = list_corral(state, work), state.order
    m, head, other_head = 0, -1, -1
    for group in range(2):
        for r in range(n_free):
            if hull.group[order[r]] == group:
                head, other_head = other_head, order[r]
                work.points[m] = order[r]
                m += 1
                break
    n_heads = m
    for r in range(n_free):
        i = order[r]
        if i != head and i != other_head and m < len(work.points):
            work.points[m] = i
            m += 1
    n_unchanged, sizes = 0, work.sizes[0]
    while (
        n_unchanged < min(m, sizes.previous)
        and work.points[n_unchanged] == work.previous_points[n_unchanged]
    ):
        n_unchanged += 1
    if n_unchanged < n_heads or n_heads != sizes.heads:
        n_unchanged = 0
    for a in range(n_unchanged, m):
        i = work.points[a]
        row = work.rows.cached[slot_of(work.rows, i)]
        for c in range(a + 1):
            j = work.points[c]
            work.gram[a, c] = hull.sign[i] * hull.sign[j] * row[j]
        work.previous_points[a] = i
    sizes.previous, sizes.heads = m, n_heads
    return m, n_heads, n_unchanged


@inner
def head_of(hull, work, n_heads, a):
    """Return the index in ``work.points`` of the head of the group of point ``work.points[a]``."""
    group = hull.group[work.points[a]]
    return 0 if n_heads < 2 or hull.group[work.points[0]] == group else 1


@inner
def add_column(a, n_heads, work):
    """Extend the Cholesky factor U by the a-th point, whose matrix entries are in ``column``.

    If the point is affinely dependent on earlier points, its pivot is rounding error. Then the
    pivot is set to infinity, so that the weight of this point does not change.
    """
    U, x = work.factor, work.column
    diagonal = x[a]
    for k in range(n_heads, a):
        x[k] /= U[k, k]
        entry, row, remaining = x[k], U[k, k + 1 : a], x[k + 1 : a]
        for e in range(len(remaining)):
            remaining[e] -= entry * row[e]
        x[a] -= entry * entry
        U[k, a] = entry
    U[a, a] = np.sqrt(x[a]) if x[a] > MIN_PIVOT * diagonal else np.inf


@inner
def solve_equations(m, n_heads, work):
    """Solve ``U' U x = move`` for the rows after the heads, and store x in ``move``."""
    U, x = work.factor, work.move
    for k in range(n_heads, m):
        x[k] /= U[k, k]
        for i in range(k + 1, m):
            x[i] -= U[k, i] * x[k]
    for k in range(m - 1, n_heads - 1, -1):
        total = x[k]
        for i in range(k + 1, m):
            total -= U[k, i] * x[i]
        x[k] = total / U[k, k]


@inner
def compute_move(
    hull: Hull, state: Weights, work: Corral, m: int, n_heads: int, n_unchanged: int
) -> None:
    """Compute ``move``, the change of the weights that takes z to the best point.

    The docstring of this file says what the best point is.
    """
    gram = work.gram
    for a in range(n_heads, m):
        f = head_of(hull, work, n_heads, a)
        i, head = work.points[a], work.points[f]
        work.move[a] = hull.sign[head] * state.S[head] - hull.sign[i] * state.S[i]
    for a in range(max(n_heads, n_unchanged), m):
        f = head_of(hull, work, n_heads, a)
        for c in range(n_heads, a + 1):
            g = head_of(hull, work, n_heads, c)
            head_product = gram[max(f, g), min(f, g)]
            work.column[c] = gram[a, c] - gram[a, g] - gram[c, f] + head_product
        add_column(a, n_heads, work)
    solve_equations(m, n_heads, work)
    for h in range(n_heads):
        work.move[h] = 0.0
    for a in range(n_heads, m):
        work.move[head_of(hull, work, n_heads, a)] -= work.move[a]


@inner
def apply_move(hull, state, work, m):
    """Add ``move`` to the weights, up to the first bound.

    Return the point whose weight reached its bound, or -1, and whether any weight changed from 0 to
    a nonzero value or back. ``move`` becomes the actual change of the weights.
    """
    tau, t, limiting, changed = state.tau, 1.0, -1, False
    for a in range(m):
        i, move = work.points[a], work.move[a]
        to_bound = tau[i] if move < 0.0 else hull.cap - tau[i]
        if abs(move) * t > to_bound:
            t = to_bound / abs(move)
            limiting = a
    for a in range(m):
        i = work.points[a]
        # The limiting weight is set to its bound. Other weights are clipped, since rounding could
        # take them past their bounds.
        new_weight = min(max(tau[i] + t * work.move[a], 0.0), hull.cap)
        if a == limiting:
            new_weight = 0.0 if work.move[a] < 0.0 else hull.cap
        changed = changed or (tau[i] == 0.0) != (new_weight == 0.0)
        work.move[a] = new_weight - tau[i]
        tau[i] = new_weight
    return work.points[limiting] if limiting >= 0 else -1, changed


@inner
def update_S(dual_form, hull, state, work, m):
    """Update S and ``||z||^2`` after the weights of the m listed points changed by ``move``."""
    S, n = state.S, len(state.S)
    for a in range(m):
        i = work.points[a]
        weight = hull.sign[i] * work.move[a]
        if weight != 0.0:
            row = work.rows.cached[slot_of(work.rows, i)]
            for k in range(n):
                S[k] += weight * row[k]
            state.scalars[0].evaluations += n
    total = 0.0
    for i in range(n):
        total += hull.sign[i] * state.tau[i] * S[i]
    state.scalars[0].squared_norm = max(total, 0.0)


@inner
def wolfe_step(
    dual_form: DualForm, hull: Hull, tol: float, state: Weights, work: Corral
) -> tuple[int, int, bool]:
    """Move z once; if the last major cycle has ended, begin a new one first.

    Return the point added to the corral and the point that left it, each -1 if there is none, and
    whether the set of points with nonzero weight changed.
    """
    added, scalars = -1, state.scalars[0]
    if scalars.has_dropped == 0:
        scalars.earlier_squared_norm = scalars.squared_norm
        added = free_point(hull, state)
    m, n_heads, n_unchanged = gather_free(dual_form, hull, state, work)
    compute_move(hull, state, work, m, n_heads, n_unchanged)
    dropped, changed = apply_move(hull, state, work, m)
    for a in range(m):
        i = work.points[a]
        if i == dropped or state.tau[i] <= 0.0 or state.tau[i] >= hull.cap:
            state.free[i] = False
    scalars.has_dropped = 1 if dropped >= 0 else 0
    scalars.steps += 1
    update_S(dual_form, hull, state, work, m)
    code = measure_gap(hull, tol, state)
    # Rounding errors accumulate, so the end of a run is decided on a recomputed S.
    if code != RUNNING or scalars.steps % RECOMPUTE_INTERVAL == 0:
        recompute(dual_form, hull, state, work.rows)
        code = measure_gap(hull, tol, state)
    # After many cycles without progress, the remaining gap is rounding error.
    if dropped < 0:
        nearer = scalars.squared_norm < scalars.earlier_squared_norm * (1.0 - 4.0 * EPS)
        scalars.idle_cycles = 0 if nearer else scalars.idle_cycles + 1
    if code == RUNNING and scalars.idle_cycles > MAX_IDLE_CYCLES:
        code = STALLED
    scalars.stop_code = code
    return added, dropped, changed


@compiled
def begin(dual_form: DualForm, hull: Hull, tol: float, state: Weights, work: Corral) -> int:
    """Compute S from the weights; return RUNNING or the reason to stop."""
    recompute(dual_form, hull, state, work.rows)
    return measure_gap(hull, tol, state)


@compiled
def advance(dual_form: DualForm, hull: Hull, tol: float, state: Weights, work: Corral) -> int:
    """Take one step; return RUNNING or the reason to stop."""
    wolfe_step(dual_form, hull, tol, state, work)
    return state.scalars[0].stop_code
