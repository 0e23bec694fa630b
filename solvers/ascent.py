"""One step of dual coordinate ascent, compiled: visit a point, move its alpha.

The mathematics is at the top of :mod:`solvers.coordinate`; as in :mod:`solvers.smo` the variables
are signed, ``beta_i = y_i alpha_i``. What is kept of f (w for the linear kernel, the sums
``f(x_i)`` for the others) is updated from step to step, which gathers rounding; so it is computed
afresh before a state is called optimal.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from solvers.compiled import compiled, compiled_strictly, inlined
from solvers.draws import draw
from solvers.rows import Rows, kernel_row
from solvers.trace import SUPPORT_CHANGED, SWEEP_STARTED

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
    w : float64 array, shape (d + 1,); ``sum_i beta_i (x_i, 1)`` (linear kernel only)
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
    hard: bool
    shuffled: bool
    shrinking: bool
    augmented: bool
    linear: bool


class Work(NamedTuple):
    """Working memory of the steps.

    Attributes
    ----------
    rows : Rows
    inverse : float64 array, shape (n,); ``1 / k(x_i, x_i)``, or ENDLESS
    f : float64 array, shape (n,); ``f(x_i)`` when all points are looked at
    """

    rows: Rows
    inverse: np.ndarray
    f: np.ndarray


@inlined
def decision(form, rule, state, i):
    """``f(x_i)``."""
    if rule.linear:
        total = state.w[-1] if rule.augmented else 0.0
        x = form.X[i]
        for c in range(len(x)):
            total += state.w[c] * x[c]
    else:
        total = state.sums[i]
    return total


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
def add_point(form, rule, state, work, i, amount):
    """``w <- w + amount x_i``, as w or as the sums of f."""
    if rule.linear:
        # Also when the amount is 0: cheaper than a branch that cannot be predicted.
        x = form.X[i]
        for c in range(len(x)):
            state.w[c] += amount * x[c]
        state.w[-1] += amount
    elif amount != 0.0:
        add_kernel_row(form, state, work, i, amount)


@inlined
def visit(rule, state):
    """The point at this place of the sweep; a sweep is shuffled while it is read."""
    place = state.count[PLACE]
    i = state.order[place]
    if rule.shuffled:
        other = place + draw(rule.seed, state.count[SWEEP], place, state.count[ACTIVE] - place)
        i = state.order[other]
        state.order[other] = state.order[place]
        state.order[place] = i
    return i


@inlined
def step(form, rule, state, work, event):
    """Visit one point and move its alpha; return whether the set of support vectors changed."""
    beta, level, count = state.beta, state.level, state.count
    i = visit(rule, state)
    old, lower, upper = beta[i], form.lower[i], form.upper[i]
    event.i = i

    # The dual rises by F a unit of beta_i; in the box only its projection counts.
    F = form.target[i] - decision(form, rule, state, i)
    level[WORST] = max(level[WORST], abs(projected(F, old, lower, upper)))

    # To the top of the parabola, or to the wall before it, by the clipped change.
    new = min(max(old + F * work.inverse[i], lower), upper)
    if rule.hard and (abs(new) > LARGEST_ALPHA or new * new * form.diagonal[i] > LARGEST_NORM):
        new = old
        count[CODE] = UNBOUNDED
    beta[i] = new
    count[MOVED] |= new != old
    add_point(form, rule, state, work, i, moved_by(old, new))

    count[PLACE] += 1
    if count[PLACE] >= count[ACTIVE] and count[CODE] == VISITED:
        end_sweep(form, rule, state, work)
    return (old == 0.0) != (new == 0.0)


@compiled
def advance(form, rule, state, work, events, marks):
    """Step until a reason to stop or the end of ``marks``."""
    taken = 0
    while taken < len(marks) and state.count[CODE] == VISITED:
        sweep = SWEEP_STARTED if state.count[PLACE] == 0 else 0
        changed = step(form, rule, state, work, events[0])
        marks[taken] = sweep | (SUPPORT_CHANGED if changed else 0)
        taken += 1
    state.count[STEPS] += taken
    return taken, state.count[CODE]


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
    f[:] = state.w[d] if rule.augmented else 0.0
    for c in range(d):
        w_c, column = state.w[c], form.XT[c]
        for i in range(n):
            f[i] += w_c * column[i]


@compiled
def compute_afresh(form, rule, state, work):
    """Make w or the sums from beta alone; return how far rounding may have moved an f(x_i).

    The sums are bounded by ``|k(x_i, x_j)| <= sqrt(k(x_i, x_i) k(x_j, x_j))``.
    """
    if rule.linear:
        return compute_w(form, rule, state)
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
def compute_w(form, rule, state):
    """``w = sum_i beta_i (x_i, 1)`` from nothing; return the rounding of f.

    That is bounded by the rounding of ``sum_c |x_c| sum_i |beta_i x_ic|``.
    """
    n, d = form.X.shape
    size = 0.0
    for c in range(d + 1):
        total, weight, widest = 0.0, 0.0, 0.0
        for i in range(n):
            x_ic = form.X[i, c] if c < d else 1.0
            total += state.beta[i] * x_ic
            weight += abs(state.beta[i] * x_ic)
            widest = max(widest, abs(x_ic))
        state.w[c] = total
        size += weight * widest if c < d or rule.augmented else 0.0
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
