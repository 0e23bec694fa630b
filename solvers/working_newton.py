"""A Newton step on the free variables of the working set, compiled.

With the others held where they are, the optimum of the free variables f solves::

    K_ff d + b 1 = F_f,   sum d = 0        so   d = u - b v,  K_ff u = F_f,  K_ff v = 1,
                                                b = sum u / sum v

A small ridge keeps ``K_ff`` definite where points repeat or the kernel has few features; along d
the dual still rises as far as ``t = 1``, for the ridge only makes the step shorter. Where the way
meets a wall first, it ends there, and the variable is put on its wall.
"""

from __future__ import annotations

from solvers.compiled import compiled
from solvers.pairs import LONGEST
from solvers.working_choice import extremes
from solvers.working_state import LOCAL_LOW, LOCAL_M, NEWTON_MOST

# Relative to the diagonal.
RIDGE = 1e-10


@compiled
def find_free(local, free):
    """Fill in the members strictly inside their box; return how many, at most one too many."""
    f = 0
    for k in range(len(local.F)):
        if local.lower[k] < local.beta[k] < local.upper[k] and f <= NEWTON_MOST:
            free[f] = k
            f += 1
    return f


@compiled
def factorise(local, free, f, matrix):
    """``K_ff + ridge = U' D U`` into rows of the flat matrix; return whether it is definite."""
    size = len(local.F)
    for a in range(f):
        K_a = local.gram[free[a] * size : (free[a] + 1) * size]
        row = matrix[a * f : (a + 1) * f]
        for c in range(a, f):
            row[c] = K_a[free[c]]
        row[a] *= 1.0 + RIDGE
    for a in range(f):
        pivot = matrix[a * f + a]
        if not pivot > 0.0:
            return False
        source = matrix[a * f : (a + 1) * f]
        for c in range(a + 1, f):
            factor = source[c] / pivot
            # Slices from c on, so that the loop begins at 0 and vectorises.
            under, above = matrix[c * f + c : (c + 1) * f], source[c:]
            for k in range(len(under)):
                under[k] -= factor * above[k]
    return True


@compiled
def solve_factorised(matrix, f, x):
    """``x <- (U' D U)^-1 x``; rows of the matrix hold ``D U``."""
    for a in range(f):
        value = x[a] / matrix[a * f + a]
        source, rest = matrix[a * f + a + 1 : (a + 1) * f], x[a + 1 : f]
        for k in range(len(rest)):
            rest[k] -= value * source[k]
    for a in range(f - 1, -1, -1):
        total = x[a]
        for k in range(a + 1, f):
            total -= matrix[a * f + k] * x[k]
        x[a] = total / matrix[a * f + a]


@compiled
def direction(local, free, f, matrix, d, v):
    """Fill in the step d, shape (f,); return its slope, ``d' F``, or 0 if there is none."""
    mean = 0.0
    for a in range(f):
        mean += local.F[free[a]] / f
    for a in range(f):
        d[a] = local.F[free[a]] - mean
        v[a] = 1.0
    if not factorise(local, free, f, matrix):
        return 0.0
    solve_factorised(matrix, f, d)
    solve_factorised(matrix, f, v)
    sum_u, sum_v = 0.0, 0.0
    for a in range(f):
        sum_u += d[a]
        sum_v += v[a]
    slope = 0.0
    for a in range(f):
        d[a] -= sum_u / sum_v * v[a]
        slope += d[a] * (local.F[free[a]] - mean)
    return slope


@compiled
def way_to_wall(local, free, f, d):
    """How much of d fits into the box, at most 1, and the member whose wall is met (or -1)."""
    t, first, longest = 1.0, -1, 0.0
    for a in range(f):
        k = free[a]
        longest = max(longest, abs(d[a]))
        wall = local.upper[k] if d[a] > 0.0 else local.lower[k]
        if d[a] != 0.0 and (wall - local.beta[k]) / d[a] < t:
            t, first = (wall - local.beta[k]) / d[a], a
    return t, first, longest


@compiled
def take(state, local, free, f, d, t, first):
    """Move the free variables; return whether any moved, and whether one became zero."""
    beta, roomiest, most, excess = local.beta, 0, -1.0, 0.0
    moved = False
    for a in range(f):
        k = free[a]
        new = beta[k] + t * d[a]
        if a == first:
            new = local.upper[k] if d[a] > 0.0 else local.lower[k]
        new = min(max(new, local.lower[k]), local.upper[k])
        d[a] = new - beta[k]
        moved = moved or d[a] != 0.0
        excess += d[a]
        beta[k] = new
        room = min(local.upper[k] - new, new - local.lower[k])
        if room > most:
            roomiest, most = a, room
    # What rounding left of the equality goes to the variable with the most room.
    if abs(excess) < most:
        k = free[roomiest]
        old = beta[k]
        beta[k] = old - excess
        d[roomiest] += beta[k] - old
    zero = False
    for a in range(f):
        state.beta[state.points[free[a]]] = beta[free[a]]
        zero = zero or beta[free[a]] == 0.0
    return moved, zero


@compiled
def newton_step(state, local, memory, f):
    """Take the step; return whether there was one, whether it met a wall, whether a zero came."""
    d, v, free = memory.vectors[0][:f], memory.vectors[1][:f], memory.free
    slope = direction(local, free, f, memory.matrix, d, v)
    t, first, longest = way_to_wall(local, free, f, d)
    if not (slope > 0.0 and t > 0.0 and longest < LONGEST):
        return False, False, False
    moved, zero = take(state, local, free, f, d, t, first)
    if not moved:
        return False, False, False
    size = len(local.F)
    for a in range(f):
        K_a, change = local.gram[free[a] * size : (free[a] + 1) * size], d[a]
        if change != 0.0:
            for k in range(size):
                local.F[k] -= change * K_a[k]
    m, M = extremes(local.beta, local.F, local.lower, local.upper)
    state.level[LOCAL_M], state.level[LOCAL_LOW] = m, M
    return True, first >= 0, zero
