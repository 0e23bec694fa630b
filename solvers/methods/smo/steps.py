"""The step of SMO, compiled: how far a pair moves, and what that changes.

Every choice of the pair shares it. Each choice has a file of its own with its loop over steps:
:mod:`solvers.methods.smo.most_violating_pair`, :mod:`solvers.methods.smo.platt` and
:mod:`solvers.methods.smo.random_pair`.
"""

from __future__ import annotations

import numpy as np

from solvers.jit.compiled import compiled, inlined
from solvers.jit.separate import compiled_apart
from solvers.jit.signatures import Vector
from solvers.jit.simd import larger, smaller
from solvers.kernels.kernel_rows import kernel_row
from solvers.methods.smo.state import MOVED, STALLED, UNBOUNDED, Points
from solvers.rounding import EPS, NOISE

# Replaces a curvature that is not above 0, as of identical points (LIBSVM's tau).
TAU = 1e-12
# The longest step, and the largest square of a step times a kernel value: beyond them a number of
# the step would not fit into a double.
MAX_STEP, MAX_RISE = 1e130, 1e260
# Points per block. The largest value of a block is found first, in vector registers; its place
# second.
BLOCK = 256


@inlined
def curvature(K_ii, K_jj, K_ij):
    """Return ``eta = K_ii + K_jj - 2 K_ij``, or TAU if that is not above 0."""
    eta = K_ii + K_jj - 2.0 * K_ij
    return eta if eta > 0.0 else TAU


@inlined
def step_length(eta, size, difference, room):
    """Return the distance to the top of the parabola or to the first bound, if that is nearer.

    If eta is not above 0, the parabola has no top, and the step goes to the bound. With a hard
    margin there may be no bound either. The step then is the one of the smallest eta that can be
    told from 0 beside kernel values of this size.
    """
    length = difference / eta
    if eta <= 0.0:
        length = difference / (EPS * size) if room == np.inf else room
    return min(length, room)


@compiled
def place_of(values, mask, block, value, last):
    """Return the first (or last) index in a block with ``values + mask = value``.

    This is a reduction of integers, since a loop that stops early cannot use vector registers, nor
    one that turns integers into floats. With ``flip = -1`` the bits of k are inverted, ``k ^ -1 =
    -k - 1``: the smallest of these numbers is that of the last k.
    """
    part, masked = values[block : block + BLOCK], mask[block : block + BLOCK]
    flip = -1 if last else 0
    place = len(values)
    for k in range(len(part)):
        place = min(place, k ^ flip if part[k] + masked[k] == value else len(values))
    return block + (place ^ flip)


@compiled_apart
def update(
    F: Vector,
    up_mask: Vector,
    low_mask: Vector,
    change_i: float,
    change_j: float,
    K_i: Vector,
    K_j: Vector,
    last: bool,
) -> tuple[float, int, float, int]:
    """Subtract ``change_i K_i + change_j K_j`` from F; return m, its i, M and its j of the new F.

    ``last`` says which of equal points is taken: the last or the first. The changes are opposite up
    to rounding error, so ``change_i (K_i - K_j) + (change_i + change_j) K_j`` keeps more digits.
    With ``last`` the sum is computed as LIBSVM computes it, ``change_i K_i + change_j K_j``. After
    a step F_i = F_j up to rounding error, so these digits decide which pair is next.
    """
    # The part of K_j that is subtracted from K_i before the product.
    part_of_j = 0.0 if last else 1.0
    rest = change_j if last else change_i + change_j
    m, M = -np.inf, np.inf
    block_m, block_M = 0, 0
    for start in range(0, len(F), BLOCK):
        stop = start + BLOCK
        part, row_i, row_j = F[start:stop], K_i[start:stop], K_j[start:stop]
        up, low = up_mask[start:stop], low_mask[start:stop]
        top, bottom = -np.inf, np.inf
        for k in range(len(part)):
            value = part[k] - (change_i * (row_i[k] - part_of_j * row_j[k]) + rest * row_j[k])
            part[k] = value
            top = larger(top, value + up[k])
            bottom = smaller(bottom, value + low[k])
        if top > m or (last and top == m):
            m, block_m = top, start
        if bottom < M or (last and bottom == M):
            M, block_M = bottom, start
    i = place_of(F, up_mask, block_m, m, last)
    j = place_of(F, low_mask, block_M, M, last)
    return m, i, M, j


@inlined
def fill_masks(points):
    """Write down which variables can grow and which can shrink."""
    beta, lower, upper = points.beta, points.lower, points.upper
    up_mask, low_mask = points.up_mask, points.low_mask
    for k in range(len(beta)):
        up_mask[k] = 0.0 if beta[k] < upper[k] else -np.inf
        low_mask[k] = 0.0 if beta[k] > lower[k] else np.inf


@inlined
def find_extremes(points, last):
    """Fill in the masks; return m, its i, M and its j."""
    fill_masks(points)
    # A move by 0 changes nothing, whatever stands in the rows.
    row = points.diagonal
    return update(points.F, points.up_mask, points.low_mask, 0.0, 0.0, row, row, last)


@inlined
def move_pair(points, i, j, K_i, K_j, last, event):
    """Move beta_i up and beta_j down as far as it raises the dual and the box allows.

    Returns ``(code, changed, extremes)``: MOVED or the reason against it, whether the set of
    support vectors changed, and m, i, M, j after the step. Fills in ``event``.
    """
    beta, F, scalars = points.beta, points.F, points.scalars[0]
    room_i = points.upper[i] - beta[i]
    room_j = beta[j] - points.lower[j]
    eta = points.diagonal[i] + points.diagonal[j] - 2.0 * K_i[j]
    size = abs(points.diagonal[i]) + abs(points.diagonal[j])
    t = step_length(eta, size, F[i] - F[j], min(room_i, room_j))

    # A variable that reaches its bound is set to it, so that its zero (or C) is exact.
    old_i, old_j = beta[i], beta[j]
    new_i = points.upper[i] if t == room_i else old_i + t
    new_j = points.lower[j] if t == room_j else old_j - t
    # The other variable is computed from the sum of the two, which stays the same: this has a
    # smaller rounding error than adding t.
    if t == room_i and t < room_j:
        new_j = max(points.lower[j], (old_i + old_j) - new_i)
    elif t == room_j and t < room_i:
        new_i = min(points.upper[i], (old_i + old_j) - new_j)
    # The change after rounding, so that F matches beta and not the requested step.
    change_i, change_j = new_i - old_i, new_j - old_j
    extremes = (0.0, 0, 0.0, 0)
    code = MOVED
    if t > MAX_STEP or t * t * size > MAX_RISE:
        code = UNBOUNDED
    elif change_i == 0.0 and change_j == 0.0:
        code = STALLED
    else:
        beta[i], beta[j] = new_i, new_j
        up, low = points.up_mask, points.low_mask
        up[i], low[i] = 0.0 if new_i < points.upper[i] else -np.inf, 0.0
        up[j], low[j] = 0.0, 0.0 if new_j > points.lower[j] else np.inf
        extremes = update(F, up, low, change_i, change_j, K_i, K_j, last)
        if eta < -8.0 * NOISE * size:
            scalars.indefinite = 1
        scalars.steps += 1
        scalars.evaluations += 2 * len(points.order)
        event.i, event.j = points.order[i], points.order[j]
        event.beta_i, event.beta_j = new_i, new_j
        event.m, event.M = scalars.m, scalars.M
        # Adding 0.0 turns -0.0 into 0.0. Which of the two a maximum returns depends on the
        # compiler.
        scalars.m, scalars.M = extremes[0] + 0.0, extremes[2] + 0.0
        scalars.F_error = 0.0
    changed = (old_i == 0.0) != (new_i == 0.0) or (old_j == 0.0) != (new_j == 0.0)
    return code, changed, extremes


@compiled
def subtract(points: Points, weights: Vector, F: Vector, size: Vector) -> None:
    """Subtract ``sum_i weights_i K_ik`` from F_k; add the sizes of the terms to ``size_k``."""
    for i in range(len(points.order)):
        weight = weights[i]
        if weight != 0.0:
            K_i = kernel_row(points, points.rows, i, 0)
            for k in range(len(F)):
                term = weight * K_i[k]
                F[k] -= term
                size[k] += abs(term)
