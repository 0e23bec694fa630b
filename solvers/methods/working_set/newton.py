"""A Newton step on the free variables of the working set, compiled.

Let ``F = target - K beta``. A variable is *free* if its beta is strictly between its bounds. S are
the free variables that the step moves, and f is their number. If the other variables are fixed, the
dual is maximised by the change d of the variables in S that solves, with a vector 1 of ones::

    K_SS d + b 1 = F_S,   sum d = 0

The solution is ``d = u - b v`` with ``K_SS u = F_S``, ``K_SS v = 1`` and ``b = sum u / sum v``.

A small ridge, added to the diagonal, keeps ``K_SS`` positive definite if points repeat or the
kernel has few features. The ridge only shortens d, so the dual still rises along ``t d`` for
t from 0 to 1. If a variable reaches its bound before ``t = 1``, the step ends there, and the
variable is set to its bound.

A step moves at most ``MAX_NEWTON`` variables (:mod:`solvers.methods.working_set.state`). If the
kernel has few features, say D, a step moves at most D + 2 variables, or ``MIN_NEWTON`` if this is
more. If more variables are free, successive steps move different variables.

Suppose that a step moves at least D + 2 variables. Then some change of these variables, with the
sum 0, leaves the decision function unchanged, and the dual is linear in this direction. Only the
ridge limits the Newton step in this direction, so the step is long and ends at a bound. Each such
step makes a variable no longer free, until at most D + 1 variables are free.
"""

from __future__ import annotations

from solvers.jit.compiled import called_by_address, inner
from solvers.jit.signatures import Indices, Vector
from solvers.jit.simd import PAD
from solvers.methods.smo.steps import MAX_STEP, Points
from solvers.methods.working_set.state import Work
from solvers.rounding import EPS
from solvers.run.random_numbers import draw

# The ridge, as a fraction of the diagonal entry of K_SS to which it is added.
RIDGE = 1e-10
# ``sum d`` counts as 0 if it is at most this fraction of ``sum |d|``.
MAX_IMBALANCE = 1e-6


@inner
def find_free(points, free, max_free, seed):
    """Fill ``free`` with up to ``max_free`` free variables of the working set.

    Return the number of variables in ``free``, and the number of all free variables. If there are
    more than ``max_free``, the search starts at a random variable. So different steps find
    different variables.
    """
    f, n_free, size = 0, 0, len(points.order)
    up, low = points.up_mask, points.low_mask
    for k in range(size):
        # A mask is 0 if the variable may move in the direction of the mask, and infinite if not.
        # Both masks of a free variable are 0. A variable at a bound may move in one direction only,
        # so its masks differ.
        n_free += up[k] == low[k]
    k = draw(seed, points.scalars[0].steps, 0, size) if n_free > max_free else 0
    for _ in range(size):
        if f < max_free and up[k] == low[k]:
            free[f] = k
            f += 1
        k = k + 1 if k + 1 < size else 0
    return f, n_free


@inner
def gather(points, free, f, matrix, width):
    """Fill ``matrix`` with ``K_SS``, its ridge, and two right sides; return the mean of F_S.

    ``matrix`` has f rows of ``width`` entries, one after another. The right sides are
    ``F_S - mean`` and ones. Subtracting the mean changes b but not d, and reduces rounding errors.
    """
    mean, F = 0.0, points.F
    for a in range(f):
        mean += F[free[a]] / f
    for a in range(f):
        K_a, row = points.rows.cached[free[a]], matrix[a * width : (a + 1) * width]
        for c in range(f):
            row[c] = K_a[free[c]]
        row[a] *= 1.0 + RIDGE
        row[f], row[f + 1] = F[free[a]] - mean, 1.0
        for c in range(f + 2, width):
            row[c] = 0.0
    return mean


@inner
def eliminate(matrix: Vector, f: int, width: int, lower: Vector) -> bool:
    """Factor ``K_SS = U' D U``, and multiply the right sides by ``U^-T``; return whether D > 0.

    D is diagonal, and U is an upper triangle with ones on its diagonal. ``matrix`` is overwritten
    by ``D U`` and the new right sides, and ``lower`` by the triangle ``U'``. The loop eliminates a
    *block* of four columns at a time; only the last block can have fewer. Each row is updated in
    whole vector registers, beginning with the register that contains its diagonal entry. Entries
    below the diagonal are never read.
    """
    for a in range(0, f, 4):
        stop = min(a + 4, f)
        for p in range(a, stop):
            pivot = matrix[p * width + p]
            if not pivot > 0.0:
                return False
            pivot_row, inverse = matrix[p * width : (p + 1) * width], 1.0 / pivot
            for c in range(p + 1, f):
                lower[c * width + p] = pivot_row[c] * inverse
            begin = p // PAD * PAD
            for c in range(p + 1, stop):
                factor = lower[c * width + p]
                above, row = pivot_row[begin:], matrix[c * width + begin : (c + 1) * width]
                for k in range(len(row)):
                    row[k] -= factor * above[k]
        for c in range(stop, f):
            # There are rows below this block, so it is not the last and has all four columns.
            begin = c // PAD * PAD
            at = c * width + a
            u_0, u_1, u_2, u_3 = lower[at], lower[at + 1], lower[at + 2], lower[at + 3]
            above_0 = matrix[a * width + begin : (a + 1) * width]
            above_1 = matrix[(a + 1) * width + begin : (a + 2) * width]
            above_2 = matrix[(a + 2) * width + begin : (a + 3) * width]
            above_3 = matrix[(a + 3) * width + begin : (a + 4) * width]
            row = matrix[c * width + begin : (c + 1) * width]
            for k in range(len(row)):
                first_two = u_0 * above_0[k] + u_1 * above_1[k]
                row[k] -= first_two + (u_2 * above_2[k] + u_3 * above_3[k])
    return True


@inner
def substitute(matrix: Vector, f: int, width: int, lower: Vector, u: Vector, v: Vector) -> None:
    """Solve ``D U u = r`` and ``D U v = s`` by back substitution; r and s are the right sides."""
    for a in range(f):
        row = matrix[a * width : (a + 1) * width]
        u[a], v[a] = row[f] / row[a], row[f + 1] / row[a]
    for a in range(f - 1, 0, -1):
        u_a, v_a, row = u[a], v[a], lower[a * width : a * width + a]
        for k in range(len(row)):
            u[k] -= u_a * row[k]
            v[k] -= v_a * row[k]


@inner
def slope_along(points: Points, free: Indices, f: int, mean: float, d: Vector, v: Vector) -> float:
    """Turn u, which ``d`` contains, into ``d = u - b v``, and return the slope ``d' F``.

    Return 0 if ``sum d`` is not 0 because of rounding error, which occurs if kernel values differ
    very much in size.
    """
    sum_u, sum_v = 0.0, 0.0
    for a in range(f):
        sum_u += d[a]
        sum_v += v[a]
    slope, total, size = 0.0, 0.0, 0.0
    for a in range(f):
        d[a] -= sum_u / sum_v * v[a]
        slope += d[a] * (points.F[free[a]] - mean)
        total += d[a]
        size += abs(d[a])
    return slope if abs(total) <= MAX_IMBALANCE * size else 0.0


@inner
def step_to_bound(points, free, f, d):
    """Return the fraction of d that fits into the box, the limiting variable, and max |d|.

    The limiting variable is given by its position in ``free``; it is -1 if all of d fits.
    """
    t, limiting, max_change = 1.0, -1, 0.0
    for a in range(f):
        k = free[a]
        max_change = max(max_change, abs(d[a]))
        bound = points.upper[k] if d[a] > 0.0 else points.lower[k]
        if d[a] != 0.0 and (bound - points.beta[k]) / d[a] < t:
            t, limiting = (bound - points.beta[k]) / d[a], a
    return t, limiting, max_change


@inner
def move_free(points, free, f, d, t, limiting, new_beta):
    """Move the free variables by ``t d``; return whether any moved, and whether any became zero.

    The *excess* is the sum of the changes. It would be 0 if d were not rounded and the new values
    were not clipped to the box. The excess is subtracted from the variable that is farthest from
    its bounds, if this variable then stays in its box. If the variable would leave its box, an
    excess that is only rounding error of the sum is ignored; with a larger excess no variable
    moves.

    ``limiting`` is the position in ``free`` of the variable that reaches its bound, or -1. ``d``
    is overwritten by the actual changes. ``new_beta`` is working memory, shape (f,).
    """
    beta, lower, upper = points.beta, points.lower, points.upper
    farthest, max_distance, excess, max_beta, moved = 0, -1.0, 0.0, 0.0, False
    for a in range(f):
        k = free[a]
        value = beta[k] + t * d[a]
        if a == limiting:
            value = upper[k] if d[a] > 0.0 else lower[k]
        new_beta[a] = value = min(max(value, lower[k]), upper[k])
        d[a] = value - beta[k]
        moved = moved or d[a] != 0.0
        excess += d[a]
        max_beta = max(max_beta, abs(value))
        distance = min(upper[k] - value, value - lower[k])
        if distance > max_distance:
            farthest, max_distance = a, distance
    if abs(excess) < max_distance:
        new_beta[farthest] -= excess
        d[farthest] = new_beta[farthest] - beta[free[farthest]]
    elif abs(excess) > f * EPS * max_beta:
        return False, False
    any_zero = False
    for a in range(f):
        beta[free[a]] = new_beta[a]
        any_zero = any_zero or new_beta[a] == 0.0
    return moved, any_zero


@called_by_address
def newton_step(points: Points, work: Work, f: int) -> tuple[bool, bool, bool]:
    """Take a Newton step on the first f variables of ``work.free``.

    Return whether the step was taken, whether it reached a bound, and whether it made some beta 0.
    Rows ``work.free`` of the Gram matrix must have been computed.
    """
    d, v, free = work.vectors[0][:f], work.vectors[1][:f], work.free
    matrix, lower, width = work.systems[0], work.systems[1], -(-(f + 2) // PAD) * PAD
    points.scalars[0].evaluations += f * len(points.order)
    mean = gather(points, free, f, matrix, width)
    # If K_SS is not definite, there is no step.
    if not eliminate(matrix, f, width, lower):
        return False, False, False
    substitute(matrix, f, width, lower, d, v)
    slope = slope_along(points, free, f, mean, d, v)
    t, limiting, max_change = step_to_bound(points, free, f, d)
    if not (slope > 0.0 and t > 0.0 and max_change < MAX_STEP):
        return False, False, False
    moved, any_zero = move_free(points, free, f, d, t, limiting, v)
    if not moved:
        return False, False, False
    F = points.F
    for a in range(f):
        K_a, change = points.rows.cached[free[a]], d[a]
        if change != 0.0:
            for k in range(len(F)):
                F[k] -= change * K_a[k]
    return True, limiting >= 0, any_zero
