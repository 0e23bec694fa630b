"""Two choices of the pair that compare F of all points, compiled: maximal violation, second order.

The set *up* contains the points whose beta can grow, the set *low* the points whose beta can
shrink. ``m`` is the maximum of F over up, and ``M`` is the minimum of F over low. The run stops if
``m - M < tol`` (Keerthi et al. 2001). The first point of the pair, i, attains m. The second point,
j, is in low. In the maximal violating pair, j attains M. In the second-order choice, j has the
largest ``(m - F_j)^2 / eta_ij``, where ``eta_ij = K_ii + K_jj - 2 K_ij`` (WSS 2 of Fan, Chen and
Lin 2005).
"""

from __future__ import annotations

from typing import NamedTuple

from solvers.jit.compiled import compiled, inner
from solvers.jit.signatures import Marks
from solvers.jit.simd import larger
from solvers.kernels.kernel_rows import slot_of
from solvers.methods.smo.state import CHECK_DUE, MOVED, OPTIMAL, STALLED, PairEvents, Points
from solvers.methods.smo.steps import BLOCK, TAU, find_extremes, index_of, move_pair
from solvers.rounding import NOISE
from solvers.run.trace import SUPPORT_CHANGED, SWEEP_STARTED


class Params(NamedTuple):
    """The settings for compiled code.

    ``second_order`` is True for the second-order choice and False for the maximal violation. If
    several points are equally good, the first of them is taken, or the last if ``last`` is true, as
    in LIBSVM. ``n`` is the number of variables of the problem.
    """

    second_order: bool
    last: bool
    tol: float
    n: int


@inner
def best_partner(points: Points, i: int, last: bool) -> int:
    """Return the j in low for which the predicted rise of the dual by the pair (i, j) is largest.

    The predicted rise is ``(F_i - F_j)^2 / (2 eta)``: the dual rises by this if the step ends
    inside the box.
    """
    F, low_mask, diagonal, gain = points.F, points.low_mask, points.diagonal, points.gain
    K_i, m, K_ii = points.rows.cached[slot_of(points.rows, i)], F[i], diagonal[i]
    best, block = 0.0, 0
    for start in range(0, len(F), BLOCK):
        stop = start + BLOCK
        F_block, mask, K_jj = F[start:stop], low_mask[start:stop], diagonal[start:stop]
        K_ij, rise = K_i[start:stop], gain[start:stop]
        top = 0.0
        for k in range(len(F_block)):
            difference = larger(m - (F_block[k] + mask[k]), 0.0)
            eta = K_ii + K_jj[k] - 2.0 * K_ij[k]
            rise[k] = difference * difference / (eta if eta > 0.0 else TAU)
            top = larger(top, rise[k])
        if top > best or (last and top == best):
            best, block = top, start
    return index_of(gain, low_mask, block, best, last)


@inner
def is_hidden_by_rounding(scalars):
    """Return whether ``m - M`` is not larger than its rounding error."""
    m, M = scalars.m, scalars.M
    return not m - M > max(scalars.F_error, NOISE * max(abs(m), abs(M)))


@compiled
def advance(points: Points, params: Params, events: PairEvents, marks: Marks) -> tuple[int, int]:
    """Take up to ``len(marks)`` steps; end early if the run ends or a check (SMO._check) is due.

    Return the number of steps, and MOVED, CHECK_DUE or the reason that the run ends.
    """
    extremes = find_extremes(points, params.last)
    scalars = points.scalars[0]
    for k in range(len(marks)):
        # These choices do not sweep over the points. Instead, every n steps count as a sweep.
        sweep = SWEEP_STARTED if scalars.steps % params.n == 0 else 0
        if scalars.m - scalars.M < params.tol:
            return k, OPTIMAL
        if is_hidden_by_rounding(scalars):
            return k, STALLED
        i, j = extremes[1], extremes[3]
        if params.second_order:
            j = best_partner(points, i, params.last)
        code, changed, extremes = move_pair(points, i, j, params.last, events[k])
        if code != MOVED:
            return k, code
        marks[k] = sweep | (SUPPORT_CHANGED if changed else 0)
        if scalars.m - scalars.M < params.tol or scalars.steps >= scalars.next_check:
            return k + 1, CHECK_DUE
    return len(marks), MOVED
