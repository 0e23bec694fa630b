"""The end of a sweep of coordinate ascent, compiled: look at all points, go on or stop.

What is kept of f (w for the linear kernel, the sums ``f(x_i)`` for the others) is updated from
step to step, which gathers rounding; so it is computed afresh before a state is called optimal.
"""

from __future__ import annotations

import math

from solvers.jit.compiled import compiled, inlined
from solvers.jit.signatures import Vector
from solvers.kernels.rows import kernel_row
from solvers.methods.coordinate_ascent.state import (
    ACTIVE,
    CALM,
    CODE,
    MOVED,
    OPTIMAL,
    PLACE,
    SINCE,
    STUCK,
    SWEEP,
    UNREACHED,
    VALUES,
    WORST,
    Rule,
    State,
)
from solvers.problem.problem import DualForm
from solvers.rounding import NOISE

# The hard margin is given up when no margin above this part of the data's radius is left.
SMALLEST_MARGIN = 1e-5
# From this sweep on, those with a power of two for a number ask whether rounding is in the way.
PATIENCE = 1024
# A sweep looks calm when its violations are below the tolerance, or this part of those of all.
CALMER = 0.3


@inlined
def projected(F: float, beta: float, lower: float, upper: float) -> float:
    """The part of the slope F along which beta may move: 0 where it would leave the box."""
    return (max(F, 0.0) if beta < upper else 0.0) + (min(F, 0.0) if beta > lower else 0.0)


@compiled
def add_kernel_row(form, state, work, i, amount):
    """``f <- f + amount k(x_i, .)`` at all points."""
    K_i = kernel_row(form, work.rows, i, 0)
    for j in range(len(K_i)):
        state.sums[j] += amount * K_i[j]
    state.count[VALUES] += len(K_i)


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
def decisions(form: DualForm, rule: Rule, state: State, f: Vector) -> None:
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
