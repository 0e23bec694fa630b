"""One pair moved within the working set, compiled: SMO on a dense local Gram matrix.

The mathematics is at the top of :mod:`solvers.smo`, and pieces of it are shared. The rows are at
hand and short, so moving the pair, updating F and finding m and M are one loop.
"""

from __future__ import annotations

import numpy as np

from solvers.compiled import compiled, inlined
from solvers.pairs import (
    COINCIDENT,
    LARGEST_RISE,
    LONGEST,
    MOVED,
    STUCK,
    UNBOUNDED,
    curvature,
    step_length,
)
from solvers.rows import evaluate
from solvers.simd import larger, smaller
from solvers.working_state import EVALUATIONS, LOCAL_LOW, LOCAL_M, SIZE


@compiled
def compute_row(form, memory, points, r):
    """Row r of the Gram matrix of the set."""
    d, size = form.XT.shape[0], len(points)
    XT = memory.XT[: d * size].reshape(d, size)
    row = memory.gram[r * size : (r + 1) * size]
    evaluate(form.ops, form.args, XT, form.X[points[r]], row, memory.stack)
    memory.known[r] = True


@inlined
def see_row(form, state, memory, r):
    """See that row r of the Gram matrix is there."""
    if not memory.known[r]:
        compute_row(form, memory, state.points[: state.count[SIZE]], r)


@compiled
def first_up(local, value):
    """The first member that can grow with ``F = value``, or -1; without a branch in the loop."""
    F, beta, upper, index = local.F, local.beta, local.upper, local.index
    place = np.inf
    for k in range(len(F)):
        place = smaller(place, index[k] if F[k] == value and beta[k] < upper[k] else np.inf)
    return int(place) if place < np.inf else -1


@compiled
def first_low(local, value):
    """The first member that can shrink with ``F = value``, or -1."""
    F, beta, lower, index = local.F, local.beta, local.lower, local.index
    place = np.inf
    for k in range(len(F)):
        place = smaller(place, index[k] if F[k] == value and beta[k] > lower[k] else np.inf)
    return int(place) if place < np.inf else -1


@compiled
def best_partner(local, i, m, K_i):
    """The member whose pair with i promises the largest rise, ``(m - F_j)^2 / eta``; or -1."""
    F, beta, lower, diagonal, gain = local.F, local.beta, local.lower, local.diagonal, local.gain
    K_ii, best = diagonal[i], 0.0
    for k in range(len(F)):
        difference = m - F[k]
        rise = difference * difference / curvature(K_ii, diagonal[k], K_i[k])
        gain[k] = rise if beta[k] > lower[k] and difference > 0.0 else 0.0
        best = larger(best, gain[k])
    if best == 0.0:
        return -1
    place, index = np.inf, local.index
    for k in range(len(F)):
        place = smaller(place, index[k] if gain[k] == best else np.inf)
    return int(place)


@compiled
def update(local, K_i, K_j, moved, excess):
    """Take the move of a pair out of F; return m and M of the set."""
    F, beta, lower, upper = local.F, local.beta, local.lower, local.upper
    m, M = -np.inf, np.inf
    for k in range(len(F)):
        new = F[k] - (moved * (K_i[k] - K_j[k]) + excess * K_i[k])
        F[k] = new
        m = larger(m, new if beta[k] < upper[k] else -np.inf)
        M = smaller(M, new if beta[k] > lower[k] else np.inf)
    return m + 0.0, M + 0.0


@compiled
def coincide(form, i, j):
    """Whether two points are one."""
    same = True
    for c in range(form.X.shape[1]):
        same = same and form.X[i, c] == form.X[j, c]
    return same


@inlined
def move(form, state, local, i, j):
    """Move members i and j as far as the parabola and the box allow; return a code and a flag."""
    F, beta, size = local.F, local.beta, len(local.F)
    K_i, K_j = local.gram[i * size : (i + 1) * size], local.gram[j * size : (j + 1) * size]
    K_ii, K_jj = local.diagonal[i], local.diagonal[j]
    room_i = local.upper[i] - beta[i]
    room_j = beta[j] - local.lower[j]
    room = min(room_i, room_j)
    if room == np.inf and coincide(form, state.points[i], state.points[j]):
        return COINCIDENT, False
    sizes = abs(K_ii) + abs(K_jj)
    t = step_length(K_ii + K_jj - 2.0 * K_i[j], sizes, F[i] - F[j], room)
    if t > LONGEST or t * t * sizes > LARGEST_RISE:
        return UNBOUNDED, False
    # A variable that meets its wall is put on it, so that its zero (or C) is exact.
    old_i, old_j = beta[i], beta[j]
    new_i = local.upper[i] if t == room_i else old_i + t
    new_j = local.lower[j] if t == room_j else old_j - t
    moved = old_j - new_j
    excess = (new_i - old_i) - moved
    if moved == 0.0 and excess == 0.0:
        return STUCK, False
    beta[i], beta[j] = new_i, new_j
    state.beta[state.points[i]], state.beta[state.points[j]] = new_i, new_j
    m, M = update(local, K_i, K_j, moved, excess)
    state.level[LOCAL_M], state.level[LOCAL_LOW] = m, M
    return MOVED, (old_i == 0.0) != (new_i == 0.0) or (old_j == 0.0) != (new_j == 0.0)


@inlined
def pair_step(form, state, memory, local, event):
    """Choose a pair of the set and move it; return a code and whether the support changed."""
    m, M = state.level[LOCAL_M], state.level[LOCAL_LOW]
    event.m, event.M = m, M
    i = first_up(local, m)
    size = len(local.F)
    see_row(form, state, memory, i)
    j = best_partner(local, i, m, local.gram[i * size : (i + 1) * size])
    code, changed = STUCK, False
    if j >= 0:
        see_row(form, state, memory, j)
        code, changed = move(form, state, local, i, j)
    if code == STUCK:
        # The pair that promised most is lost in rounding; the one that violates most may not be.
        j = first_low(local, M)
        see_row(form, state, memory, j)
        code, changed = move(form, state, local, i, j)
    state.count[EVALUATIONS] += 2 * size
    event.i, event.j = state.points[i], state.points[j]
    return code, changed
