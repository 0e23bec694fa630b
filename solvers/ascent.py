"""One step of dual coordinate ascent, compiled: visit a point, move its alpha.

The mathematics is at the top of :mod:`solvers.coordinate`. What is kept of f (w for the linear
kernel, the sums ``f(x_i)`` for the others) is updated from step to step, which gathers rounding;
so it is computed afresh now and then, and always before a state is called optimal.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from solvers.compiled import compiled, compiled_strictly, inlined
from solvers.draws import draw
from solvers.rows import kernel_row
from solvers.trace import SUPPORT_CHANGED, SWEEP_STARTED

VISITED, OPTIMAL, STUCK, UNBOUNDED, INSEPARABLE, UNREACHED = range(6)
# Relative rounding of a sum of products.
NOISE = 4 * float(np.finfo(float).eps)
# Largest alpha: its square times the kernel still fits into a double.
LARGEST_ALPHA, LARGEST_NORM = 1e130, 1e260
# The hard margin is given up when no margin above this part of the data's radius is left.
SMALLEST_MARGIN = 1e-5
# Places in State.level and State.count.
WORST, SHRINK_ABOVE, ROUNDING = range(3)
STEPS, VALUES, SWEEP, PLACE, ACTIVE, MOVED, CODE = range(7)

EVENT = np.dtype([("i", "i4")])


class State(NamedTuple):
    """Raw variables of coordinate ascent.

    Attributes
    ----------
    alpha : float64 array, shape (n,)
    w : float64 array, shape (d + 1,); ``sum_i alpha_i y_i (x_i, 1)`` (linear kernel only)
    sums : float64 array, shape (n,); ``f(x_i)`` (empty for the linear kernel)
    order : int32 array, shape (n,); the points of this sweep, those set aside at the end
    level : float64 array, shape (3,); largest violation of this sweep, and of the last one (above
        it points at a bound are set aside), and the rounding of f when it was last made afresh
    count : int64 array, shape (7,); steps, kernel values asked for, sweeps done, place in the
        sweep, points not set aside, whether this sweep moved any, and the reason to stop
    """

    alpha: np.ndarray
    w: np.ndarray
    sums: np.ndarray
    order: np.ndarray
    level: np.ndarray
    count: np.ndarray


class Rule(NamedTuple):
    """The settings as compiled code takes them."""

    C: float
    tol: float
    seed: int
    shuffled: bool
    shrinking: bool
    augmented: bool
    linear: bool


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
def projected(G, alpha, C):
    """The part of the gradient G along which alpha may move down: 0 where the box forbids it."""
    if alpha <= 0.0:
        return min(G, 0.0)
    if alpha >= C:
        return max(G, 0.0)
    return G


@inlined
def best_alpha(alpha, G, K_ii, C):
    """The alpha at the top of the parabola, clipped to [0, C].

    Where the parabola has no top (``k(x, x) = 0``, or an indefinite kernel) the dual rises all
    the way to a bound.
    """
    if K_ii > 0.0:
        return min(max(alpha - G / K_ii, 0.0), C)
    return C if G < 0.0 else 0.0


@compiled_strictly
def moved_by(old, new):
    """``new - old`` as rounded."""
    return new - old


@compiled
def add_kernel_row(form, state, work, i, amount):
    """``f <- f + amount k(x_i, .)`` at all points."""
    K_i = kernel_row(form, work, i, 0)
    for j in range(len(K_i)):
        state.sums[j] += amount * K_i[j]
    state.count[VALUES] += len(K_i)


@inlined
def add_point(form, rule, state, work, i, amount):
    """``w <- w + amount x_i``, as w or as the sums of f."""
    if rule.linear:
        x = form.X[i]
        for c in range(len(x)):
            state.w[c] += amount * x[c]
        state.w[-1] += amount
    else:
        add_kernel_row(form, state, work, i, amount)


@compiled
def compute_afresh(form, rule, state, work):
    """Make w or the sums from alpha alone; return how far rounding may have moved an f(x_i)."""
    n, d = form.X.shape
    if not rule.linear:
        return compute_sums(form, state, work)
    state.w[:] = 0.0
    for i in range(n):
        if state.alpha[i] != 0.0:
            amount = state.alpha[i] * form.target[i]
            for c in range(d):
                state.w[c] += amount * form.X[i, c]
            state.w[d] += amount
    # The rounding of f(x) is bounded by that of sum_c |x_c| sum_i alpha_i |x_ic|.
    size = 0.0
    for c in range(d):
        weight, widest = 0.0, 0.0
        for i in range(n):
            weight += state.alpha[i] * abs(form.X[i, c])
            widest = max(widest, abs(form.X[i, c]))
        size += weight * widest
    if rule.augmented:
        for i in range(n):
            size += state.alpha[i]
    return NOISE * size


@compiled
def compute_sums(form, state, work):
    """``f(x_j) = sum_i alpha_i y_i k(x_i, x_j)`` from nothing; return its rounding."""
    sums, size = state.sums, 0.0
    sums[:] = 0.0
    for i in range(len(sums)):
        if state.alpha[i] != 0.0:
            amount = state.alpha[i] * form.target[i]
            K_i = kernel_row(form, work, i, 0)
            widest = 0.0
            for j in range(len(sums)):
                sums[j] += amount * K_i[j]
                widest = max(widest, abs(K_i[j]))
            size += state.alpha[i] * widest
    return NOISE * size


@compiled
def largest_violation(form, rule, state):
    """The largest projected gradient of all points."""
    worst = 0.0
    for i in range(len(state.alpha)):
        G = form.target[i] * decision(form, rule, state, i) - 1.0
        worst = max(worst, abs(projected(G, state.alpha[i], rule.C)))
    return worst


@compiled
def no_margin_left(form, rule, state):
    """Whether a margin, if there is one, is too small to be worth the search.

    Any margin is at most ``||w|| / sum_i alpha_i``: ``<w, w*> >= margin sum_i alpha_i`` for the
    unit vector w* of the widest one.
    """
    total, squared_norm, radius = 0.0, 0.0, 0.0
    for i in range(len(state.alpha)):
        total += state.alpha[i]
        f = decision(form, rule, state, i)
        squared_norm += state.alpha[i] * form.target[i] * f
        radius = max(radius, form.diagonal[i])
    smallest = SMALLEST_MARGIN * math.sqrt(radius) * total
    return squared_norm < smallest * smallest


@compiled
def end_sweep(form, rule, state, work):
    """Look back on a sweep: optimal, out of reach, or once more, perhaps with fewer points."""
    level, count = state.level, state.count
    worst, narrowed = level[WORST], count[ACTIVE] < len(state.alpha)
    count[SWEEP] += 1
    count[PLACE] = 0
    count[CODE] = VISITED
    level[WORST] = 0.0
    level[SHRINK_ABOVE] = worst if worst > 0.0 else np.inf
    sweeps = count[SWEEP]
    calm = worst <= rule.tol or count[MOVED] == 0
    count[MOVED] = 0
    if not calm and sweeps & (sweeps - 1) != 0:
        return
    # Calm, or one of the sweeps 1, 2, 4, 8, ... in which rounding is looked at anyway.
    rounding = compute_afresh(form, rule, state, work)
    violation = largest_violation(form, rule, state)
    level[ROUNDING] = rounding
    if calm and narrowed:
        call_back(rule, state)
    if violation <= rule.tol:
        count[CODE] = OPTIMAL
    elif violation <= rounding or (calm and not narrowed and worst > rule.tol):
        count[CODE] = STUCK
    elif np.inf == rule.C and no_margin_left(form, rule, state):
        count[CODE] = UNREACHED


@compiled
def call_back(rule, state):
    """The points that were set aside take part again."""
    state.count[ACTIVE] = len(state.order)
    state.level[SHRINK_ABOVE] = np.inf
    if not rule.shuffled:
        for k in range(len(state.order)):
            state.order[k] = k


@inlined
def visit(rule, state):
    """The point at this place of the sweep; a sweep is shuffled while it is read."""
    place = state.count[PLACE]
    if rule.shuffled:
        left = state.count[ACTIVE] - place
        other = place + draw(rule.seed, state.count[SWEEP], place, left)
        i = state.order[other]
        state.order[other] = state.order[place]
        state.order[place] = i
        return i
    return state.order[place]


@inlined
def set_aside(state):
    """Take the point at this place out of the coming sweeps until all look calm."""
    last = state.count[ACTIVE] - 1
    place = state.count[PLACE]
    i = state.order[place]
    state.order[place] = state.order[last]
    state.order[last] = i
    state.count[ACTIVE] = last


@inlined
def step(form, rule, state, work, event):
    """Visit one point and move its alpha; return whether the set of support vectors changed."""
    alpha, level, count = state.alpha, state.level, state.count
    i = visit(rule, state)
    y_i, K_ii, old = form.target[i], form.diagonal[i], alpha[i]
    event.i = i

    # The dual falls by G a unit of alpha_i; in the box only its projection counts.
    G = y_i * decision(form, rule, state, i) - 1.0
    violation = abs(projected(G, old, rule.C))
    level[WORST] = max(level[WORST], violation)

    new = old
    if violation > 0.0:
        new = best_alpha(old, G, K_ii, rule.C)
        if new > LARGEST_ALPHA or new * new * K_ii > LARGEST_NORM:
            new = old
            count[CODE] = UNBOUNDED
    if new != old:
        alpha[i] = new
        count[MOVED] = 1
        # By the clipped change as it was rounded, so that w belongs to alpha.
        add_point(form, rule, state, work, i, moved_by(old, new) * y_i)
    if rule.shrinking and violation == 0.0 and abs(G) > level[SHRINK_ABOVE]:
        set_aside(state)
    else:
        count[PLACE] += 1
    count[STEPS] += 1
    if count[PLACE] >= count[ACTIVE] and count[CODE] == VISITED:
        end_sweep(form, rule, state, work)
    return (old == 0.0) != (new == 0.0)


@compiled
def advance(form, rule, state, work, events, marks):
    """Step until a reason to stop or the end of ``marks``."""
    for k in range(len(marks)):
        if state.count[CODE] != VISITED:
            return k, state.count[CODE]
        sweep = SWEEP_STARTED if state.count[PLACE] == 0 else 0
        changed = step(form, rule, state, work, events[0])
        marks[k] = sweep | (SUPPORT_CHANGED if changed else 0)
    return len(marks), state.count[CODE]
