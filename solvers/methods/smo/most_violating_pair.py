"""The full-width choices of the pair, compiled.

With ``m = max F over up`` at i and ``M = min F over low``, the stop is ``m - M < tol`` (Keerthi
et al. 2001). The partner of i is the point of M (the maximal violating pair), or the j of the low
set that promises most: ``(m - F_j)^2 / eta_ij`` (WSS 2 of Fan, Chen and Lin 2005).
"""

from __future__ import annotations

from typing import NamedTuple

from solvers.jit.compiled import compiled, inlined
from solvers.jit.separate import compiled_apart
from solvers.jit.signatures import Marks, Vector
from solvers.jit.simd import larger
from solvers.kernels.rows import kernel_row
from solvers.methods.smo.state import (
    BEST,
    DUE,
    LEAST,
    MOVED,
    NEXT,
    OPTIMAL,
    ROUNDING,
    STEPS,
    STUCK,
    PairEvents,
    Points,
)
from solvers.methods.smo.steps import BLOCK, NOISE, TAU, look, move_pair, place_of
from solvers.run.trace import SUPPORT_CHANGED, SWEEP_STARTED


class Rule(NamedTuple):
    """The settings as compiled code takes them.

    ``last`` takes the last of equal candidates, as LIBSVM does, and not the first.
    """

    second_order: bool
    last: bool
    tol: float
    n: int


@compiled_apart
def best_partner(
    F: Vector, closed_low: Vector, diagonal: Vector, gain: Vector, i: int, K_i: Vector, last: bool
) -> int:
    """The j of the low set whose pair with i promises the largest rise of the dual.

    Along the pair the dual rises by ``(F_i - F_j)^2 / (2 eta)`` if the box does not interfere.
    """
    m, K_ii = F[i], diagonal[i]
    best, block = 0.0, 0
    for start in range(0, len(F), BLOCK):
        stop = start + BLOCK
        part, closed, own = F[start:stop], closed_low[start:stop], diagonal[start:stop]
        row, rise = K_i[start:stop], gain[start:stop]
        top = 0.0
        for k in range(len(part)):
            difference = larger(m - (part[k] + closed[k]), 0.0)
            eta = K_ii + own[k] - 2.0 * row[k]
            rise[k] = difference * difference / (eta if eta > 0.0 else TAU)
            top = larger(top, rise[k])
        if top > best or (last and top == best):
            best, block = top, start
    return place_of(gain, closed_low, block, best, last)


@inlined
def step(points, rule, extremes, event):
    """Move one pair; return MOVED or why not, whether support changed, and the next extremes."""
    m, M, rounding = points.level[BEST], points.level[LEAST], points.level[ROUNDING]
    code, changed = OPTIMAL, False
    if m - M >= rule.tol:
        code = STUCK
        if m - M > max(rounding, NOISE * max(abs(m), abs(M))):
            i, j = extremes[1], extremes[3]
            K_i = kernel_row(points, points.rows, i, 0)
            if rule.second_order:
                F, closed = points.F, points.closed_low
                j = best_partner(F, closed, points.diagonal, points.gain, i, K_i, rule.last)
            K_j = kernel_row(points, points.rows, j, 1)
            code, changed, extremes = move_pair(points, i, j, K_i, K_j, rule.last, event)
    return code, changed, extremes


@compiled
def advance(points: Points, rule: Rule, events: PairEvents, marks: Marks) -> tuple[int, int]:
    """Step until a reason to stop, the end of ``marks``, or something is due between two steps."""
    extremes = look(points, rule.last)
    count, level = points.count, points.level
    for k in range(len(marks)):
        sweep = SWEEP_STARTED if count[STEPS] % rule.n == 0 else 0
        code, changed, extremes = step(points, rule, extremes, events[k])
        if code != MOVED:
            return k, code
        marks[k] = sweep | (SUPPORT_CHANGED if changed else 0)
        if level[BEST] - level[LEAST] < rule.tol or count[STEPS] >= count[NEXT]:
            return k + 1, DUE
    return len(marks), MOVED
