"""The step of SMO, compiled: how far a pair moves, and what that changes.

Every choice of the pair shares it. The choices are in files of their own, one a source, each with
its loop over steps: :mod:`solvers.methods.smo.most_violating_pair`,
:mod:`solvers.methods.smo.platt` and :mod:`solvers.methods.smo.random_pair`.
"""

from __future__ import annotations

import numpy as np

from solvers.jit.compiled import compiled, inlined
from solvers.jit.separate import compiled_apart
from solvers.jit.signatures import Vector
from solvers.jit.simd import larger, smaller
from solvers.kernels.rows import kernel_row
from solvers.methods.smo.state import (
    BEST,
    INDEFINITE,
    LEAST,
    MOVED,
    ROUNDING,
    STEPS,
    STUCK,
    UNBOUNDED,
    VALUES,
    Points,
)

# Stands for a curvature that is not above 0: identical points, an indefinite kernel (LIBSVM's tau).
TAU = 1e-12
# Relative rounding of a kernel value; a violation of a few such units of F is rounding, too.
EPS = float(np.finfo(float).eps)
NOISE = 4 * EPS
# Longest step: the square of it and of the kernel still fit into a double.
LONGEST, LARGEST_RISE = 1e130, 1e260
# Points looked at together: their largest value is found in vector registers, then its place.
BLOCK = 256


@inlined
def curvature(K_ii, K_jj, K_ij):
    """``eta = K_ii + K_jj - 2 K_ij``, or TAU where that is not above 0."""
    eta = K_ii + K_jj - 2.0 * K_ij
    return eta if eta > 0.0 else TAU


@inlined
def step_length(eta, size, difference, room):
    """To the top of the parabola or to the first wall, whichever comes first.

    Where the parabola has no top, to the wall; where there is no wall either (hard margin), as
    far as a curvature that is lost in the rounding of kernel values of this size may lead.
    """
    length = difference / eta
    if eta <= 0.0:
        length = difference / (EPS * size) if room == np.inf else room
    return min(length, room)


@compiled
def place_of(values, closed, block, value, last):
    """The first (or last) index in a block with ``values + closed = value``.

    A reduction of integers, since a loop that stops early cannot use vector registers, nor one
    that turns integers into floats. ``~k`` has the order of ``-k``.
    """
    part, shut = values[block : block + BLOCK], closed[block : block + BLOCK]
    flip = -1 if last else 0
    place = len(values)
    for k in range(len(part)):
        place = min(place, k ^ flip if part[k] + shut[k] == value else len(values))
    return block + (place ^ flip)


@compiled_apart
def update(
    F: Vector,
    closed_up: Vector,
    closed_low: Vector,
    change_i: float,
    change_j: float,
    K_i: Vector,
    K_j: Vector,
    last: bool,
) -> tuple[float, int, float, int]:
    """``F -= change_i K_i + change_j K_j``; return m, its i, M, its j of the new F, in one go.

    ``last`` says which of equal points is taken: the last or the first. The changes are opposite
    but for rounding, so ``change_i (K_i - K_j) + (change_i + change_j) K_j`` keeps more digits. As
    LIBSVM (``last``) the sum is taken as it stands: after a step F_i = F_j but for rounding, so
    who is next depends on it.
    """
    share = 0.0 if last else 1.0
    rest = change_j if last else change_i + change_j
    m, M = -np.inf, np.inf
    block_m, block_M = 0, 0
    for start in range(0, len(F), BLOCK):
        stop = start + BLOCK
        part, row_i, row_j = F[start:stop], K_i[start:stop], K_j[start:stop]
        up, low = closed_up[start:stop], closed_low[start:stop]
        top, bottom = -np.inf, np.inf
        for k in range(len(part)):
            value = part[k] - (change_i * (row_i[k] - share * row_j[k]) + rest * row_j[k])
            part[k] = value
            top = larger(top, value + up[k])
            bottom = smaller(bottom, value + low[k])
        if top > m or (last and top == m):
            m, block_m = top, start
        if bottom < M or (last and bottom == M):
            M, block_M = bottom, start
    i = place_of(F, closed_up, block_m, m, last)
    j = place_of(F, closed_low, block_M, M, last)
    return m, i, M, j


@inlined
def open_sides(points):
    """Write down who can grow and who can shrink."""
    beta, lower, upper = points.beta, points.lower, points.upper
    closed_up, closed_low = points.closed_up, points.closed_low
    for k in range(len(beta)):
        closed_up[k] = 0.0 if beta[k] < upper[k] else -np.inf
        closed_low[k] = 0.0 if beta[k] > lower[k] else np.inf


@inlined
def look(points, last):
    """Open the sides, and find m, its i, M and its j: moving nothing only looks."""
    open_sides(points)
    nothing = points.diagonal
    return update(points.F, points.closed_up, points.closed_low, 0.0, 0.0, nothing, nothing, last)


@inlined
def move_pair(points, i, j, K_i, K_j, last, event):
    """Move beta_i up and beta_j down, as far as it raises the dual and the box allows.

    Returns ``(code, changed, extremes)``: MOVED or why not, whether the set of support vectors
    changed, and m, i, M, j after it. Writes who moved where into ``event``.
    """
    beta, F, level, count = points.beta, points.F, points.level, points.count
    room_i = points.upper[i] - beta[i]
    room_j = beta[j] - points.lower[j]
    eta = points.diagonal[i] + points.diagonal[j] - 2.0 * K_i[j]
    size = abs(points.diagonal[i]) + abs(points.diagonal[j])
    t = step_length(eta, size, F[i] - F[j], min(room_i, room_j))

    # A variable that meets its wall is put on it, so that its zero (or C) is exact.
    old_i, old_j = beta[i], beta[j]
    new_i = points.upper[i] if t == room_i else old_i + t
    new_j = points.lower[j] if t == room_j else old_j - t
    # The other then takes what is left of the sum, which rounds less than t does.
    if t == room_i and t < room_j:
        new_j = max(points.lower[j], (old_i + old_j) - new_i)
    elif t == room_j and t < room_i:
        new_i = min(points.upper[i], (old_i + old_j) - new_j)
    # What was moved after rounding, so that F belongs to beta and not to what was wished.
    change_i, change_j = new_i - old_i, new_j - old_j
    extremes = (0.0, 0, 0.0, 0)
    code = MOVED
    if t > LONGEST or t * t * size > LARGEST_RISE:
        code = UNBOUNDED
    elif change_i == 0.0 and change_j == 0.0:
        code = STUCK
    else:
        beta[i], beta[j] = new_i, new_j
        up, low = points.closed_up, points.closed_low
        up[i], low[i] = 0.0 if new_i < points.upper[i] else -np.inf, 0.0
        up[j], low[j] = 0.0, 0.0 if new_j > points.lower[j] else np.inf
        extremes = update(F, up, low, change_i, change_j, K_i, K_j, last)
        if eta < -8.0 * NOISE * size:
            count[INDEFINITE] = 1
        count[STEPS] += 1
        count[VALUES] += 2 * len(points.order)
        event.i, event.j = points.order[i], points.order[j]
        event.beta_i, event.beta_j = new_i, new_j
        event.m, event.M = level[BEST], level[LEAST]
        # Plus 0.0, since which of 0.0 and -0.0 is the larger one is up to the compiler.
        level[BEST], level[LEAST] = extremes[0] + 0.0, extremes[2] + 0.0
        level[ROUNDING] = 0.0
    changed = (old_i == 0.0) != (new_i == 0.0) or (old_j == 0.0) != (new_j == 0.0)
    return code, changed, extremes


@compiled
def subtract(points: Points, weights: Vector, F: Vector, size: Vector) -> None:
    """``F_k -= sum_i weights_i K_ik``; adds to ``size_k`` how large the terms are."""
    for i in range(len(points.order)):
        weight = weights[i]
        if weight != 0.0:
            K_i = kernel_row(points, points.rows, i, 0)
            for k in range(len(F)):
                term = weight * K_i[k]
                F[k] -= term
                size[k] += abs(term)
