"""Compiled steps towards the nearest points of two hulls: the pairwise sweep, and MDM.

*Pairwise*, the relaxed form, with sums u and v of ``lambda x`` that are not normalised::

    min ||u - v||^2 - sum lambda+ - sum lambda-   s.t. lambda >= 0, sum lambda+ = sum lambda-

A sweep takes every pair of a positive point i and a negative point j; both weights change by the
same delta, the vertex of a parabola, but not below ``M = max(-lambda_i, -lambda_j)``, where one
of them is 0::

    delta = max(M, (1 - <u - v, x_i - x_j>) / ||x_i - x_j||^2)

and u and v are updated before the next pair. Pairs with delta = 0 are skipped, so each step
moves something. *MDM* (Mitchell, Dem'yanov and Malozemov 1974) moves weight within one
class, from the point that is farthest along p - q to the nearest, with sums that stay 1.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from solvers.geometry.nearest import (
    CODE,
    GOING,
    NORM,
    OPTIMAL,
    STEPS,
    STUCK,
    UNBOUNDED,
    VALUES,
    Corral,
    Hull,
    Weights,
    gradient_gap,
    max_gradient_low,
    measure_gap,
    min_gradient_up,
    recompute,
)
from solvers.geometry.wolfe import wolfe_step
from solvers.jit.compiled import compiled, inlined
from solvers.jit.separate import compiled_apart
from solvers.jit.signatures import Contiguous, Indices, Marks
from solvers.kernels.rows import kernel_row
from solvers.problem.problem import DualForm
from solvers.run.trace import SUPPORT_CHANGED, SWEEP_STARTED

# More indices into Weights.level: beta = SCALE * lambda in the expansion; the largest
# 2 |delta| eta of this sweep, which is in units of f.
SCALE, LARGEST = 4, 5
# More indices into Weights.count: the next pair, as indices into Work.plus and Work.minus; sweeps
# done; pairs skipped before it; whether it is the first of a sweep; moves in this sweep.
PLUS, MINUS, SWEEP, PASSED, FIRST, MOVES = range(5, 11)
# The largest weight: its square is still a finite double.
MAX_WEIGHT = 1e130
EVENT = np.dtype(
    [("i", "i4"), ("j", "i4"), ("passed", "i8")]
    + [(name, "f8") for name in ("delta", "unclipped", "low")]
)
Events = Annotated[np.ndarray, Contiguous(EVENT, 1)]


class Work(NamedTuple):
    """The constants of a run, and working memory.

    Attributes
    ----------
    form : DualForm; of the centred points if the kernel is linear
    hull : Hull
    corral : Corral
    plus, minus : int64 arrays, shapes (n+,) and (n-,); the classes
    """

    form: DualForm
    hull: Hull
    corral: Corral
    plus: Indices
    minus: Indices


@compiled
def kernel_value(work, i, j):
    """Return ``k(x_i, x_j)``; the row of i is cached for the next j."""
    row = kernel_row(work.form, work.corral.rows, i, 0)
    return row[j]


@compiled
def distance_of(work: Work, i: int, j: int) -> float:
    """Return ``||x_i - x_j||^2`` in the kernel's space."""
    diagonal = work.form.diagonal
    return diagonal[i] + diagonal[j] - 2.0 * kernel_value(work, i, j)


@compiled
def best_move(state, work, i, j):
    """Return delta, unclipped delta, M and ``||x_i - x_j||^2`` of a pair; delta = 0 for no move."""
    lam, S = state.lam, state.S
    low = max(-lam[i], -lam[j])
    slope = 1.0 - (S[i] - S[j])
    if slope <= 0.0 and low == 0.0:
        return 0.0, 0.0, low, 0.0
    eta = distance_of(work, i, j)
    # Only an indefinite kernel leads here: coincident points of two labels were found at the start.
    if eta <= 0.0:
        return 0.0, 0.0, low, eta
    delta = max(low, slope / eta)
    if lam[i] + delta == lam[i] and lam[j] + delta == lam[j]:
        delta = 0.0
    return delta, slope / eta, low, eta


@compiled_apart
def follow(state: Weights, work: Work, i: int, j: int, t: float) -> None:
    """Update S and ``||z||^2`` after z moved by ``t (phi(x_i) - phi(x_j))``."""
    rows, S, n = work.corral.rows, state.S, len(state.S)
    eta = distance_of(work, i, j)
    state.level[NORM] = max(0.0, state.level[NORM] + 2.0 * t * (S[i] - S[j]) + t * t * eta)
    row_i = kernel_row(work.form, rows, i, 0)
    row_j = kernel_row(work.form, rows, j, 1)
    for k in range(n):
        S[k] += t * (row_i[k] - row_j[k])
    state.count[VALUES] += 2 * n


@compiled
def refresh(state, work):
    """Recompute S and ``||z||^2``, without the rounding errors accumulated by steps."""
    recompute(work.form, work.hull, state, work.corral.rows)


@compiled
def violation(state, work):
    """Return the largest KKT violation of ``f = 2 <u - v, x> + b``, f = 0 midway of p and q."""
    lam, S, sign = state.lam, state.S, work.hull.sign
    plus, minus, mean_plus, mean_minus = 0.0, 0.0, 0.0, 0.0
    for i in range(len(S)):
        if sign[i] > 0.0:
            plus += lam[i]
            mean_plus += lam[i] * S[i]
        else:
            minus += lam[i]
            mean_minus += lam[i] * S[i]
    if plus == 0.0 or minus == 0.0:
        return np.inf
    b = -(mean_plus / plus + mean_minus / minus)
    worst = 0.0
    for i in range(len(S)):
        short = 1.0 - sign[i] * (2.0 * S[i] + b)
        worst = max(worst, abs(short) if lam[i] > 0.0 else short)
    return worst


@compiled
def end_sweep(tol, state, work):
    """End a sweep; return GOING, or the reason to stop."""
    count = state.count
    if state.level[LARGEST] <= tol:
        refresh(state, work)
        if violation(state, work) <= tol:
            return OPTIMAL
    if count[MOVES] == 0:
        return STUCK
    count[SWEEP] += 1
    count[FIRST] = 1
    count[MOVES] = 0
    state.level[LARGEST] = 0.0
    return GOING


@compiled_apart
def find_pair(tol: float, state: Weights, work: Work) -> None:
    """Advance from the pair in ``count`` to the first that moves, or set the reason to stop."""
    count = state.count
    count[PASSED] = 0
    while True:
        if count[PLUS] == len(work.plus):
            count[PLUS] = 0
            code = end_sweep(tol, state, work)
            if code != GOING:
                count[CODE] = code
                return
        i, j = work.plus[count[PLUS]], work.minus[count[MINUS]]
        delta = best_move(state, work, i, j)[0]
        if max(state.lam[i], state.lam[j]) + delta > MAX_WEIGHT:
            count[CODE] = UNBOUNDED
        if delta != 0.0:
            return
        count[PASSED] += 1
        next_pair(state, work)


@compiled
def next_pair(state, work):
    """Advance to the next pair: all negative points for each positive one."""
    count = state.count
    count[MINUS] += 1
    if count[MINUS] == len(work.minus):
        count[MINUS] = 0
        count[PLUS] += 1


@inlined
def pairwise_step(tol, state, work, event):
    """Move the pair in ``count``; return whether the support changed."""
    count, lam = state.count, state.lam
    i, j = work.plus[count[PLUS]], work.minus[count[MINUS]]
    delta, unclipped, low, eta = best_move(state, work, i, j)
    event.i, event.j, event.passed = i, j, count[PASSED]
    event.delta, event.unclipped, event.low = delta, unclipped, low
    zero_i, zero_j = lam[i] == 0.0, lam[j] == 0.0

    # At M one weight is 0, and is set to it exactly.
    lam[i] = 0.0 if delta == -lam[i] else lam[i] + delta
    lam[j] = 0.0 if delta == -lam[j] else lam[j] + delta
    follow(state, work, i, j, delta)

    state.level[LARGEST] = max(state.level[LARGEST], 2.0 * abs(delta) * eta)
    count[STEPS] += 1
    count[MOVES] += 1
    count[FIRST] = 0
    next_pair(state, work)
    find_pair(tol, state, work)
    return zero_i != (lam[i] == 0.0) or zero_j != (lam[j] == 0.0)


@inlined
def mdm_step(tol, state, work, event):
    """Move weight from the worst point of a class to its best; return whether support changed."""
    hull, lam = work.hull, state.lam
    i, j = min_gradient_up(hull, state, 0), max_gradient_low(hull, state, 0)
    low, high = min_gradient_up(hull, state, 1), max_gradient_low(hull, state, 1)
    if gradient_gap(hull, state, low, high) > gradient_gap(hull, state, i, j):
        i, j = low, high
    gap = gradient_gap(hull, state, i, j)
    eta = distance_of(work, i, j)
    max_delta = min(lam[j], hull.cap - lam[i])
    unclipped = gap / eta if eta > 0.0 else max_delta
    t = min(max_delta, unclipped)
    event.i, event.j, event.passed = i, j, 0
    event.delta, event.unclipped, event.low = t, unclipped, max_delta
    zero_i, zero_j = lam[i] == 0.0, lam[j] == 0.0
    idle = lam[i] + t == lam[i] and lam[j] - t == lam[j]
    lam[i] = hull.cap if t == hull.cap - lam[i] else lam[i] + t
    lam[j] = 0.0 if t == lam[j] else lam[j] - t
    follow(state, work, i, j, hull.sign[i] * t)

    code = measure_gap(hull, tol, state)
    if code != GOING or idle:
        refresh(state, work)
        code = measure_gap(hull, tol, state)
        if code == GOING and idle:
            code = STUCK
    state.count[STEPS] += 1
    state.count[CODE] = code
    return zero_i != (lam[i] == 0.0) or zero_j != (lam[j] == 0.0)


@compiled
def begin(tol: float, state: Weights, work: Work) -> None:
    """Compute S before the first step of MDM or Wolfe's method, and whether to stop already."""
    refresh(state, work)
    state.count[CODE] = measure_gap(work.hull, tol, state)


@compiled
def begin_pairwise(tol: float, state: Weights, work: Work) -> None:
    """Compute S before the first step, and find the first pair that moves."""
    refresh(state, work)
    state.count[FIRST] = 1
    find_pair(tol, state, work)


# One loop per algorithm, so that only the one used is compiled.


@compiled
def advance_pairwise(
    tol: float, state: Weights, work: Work, events: Events, marks: Marks
) -> tuple[int, int]:
    """Step until a reason to stop or the end of ``marks``."""
    for k in range(len(marks)):
        if state.count[CODE] != GOING:
            return k, state.count[CODE]
        sweep = SWEEP_STARTED if state.count[FIRST] != 0 else 0
        changed = pairwise_step(tol, state, work, events[k])
        marks[k] = sweep | (SUPPORT_CHANGED if changed else 0)
    return len(marks), state.count[CODE]


@compiled
def advance_mdm(
    tol: float, state: Weights, work: Work, events: Events, marks: Marks
) -> tuple[int, int]:
    """Step until a reason to stop or the end of ``marks``."""
    for k in range(len(marks)):
        if state.count[CODE] != GOING:
            return k, state.count[CODE]
        changed = mdm_step(tol, state, work, events[k])
        marks[k] = SUPPORT_CHANGED if changed else 0
    return len(marks), state.count[CODE]


@compiled
def advance_wolfe(
    tol: float, state: Weights, work: Work, events: Events, marks: Marks
) -> tuple[int, int]:
    """Step until a reason to stop or the end of ``marks``."""
    for k in range(len(marks)):
        if state.count[CODE] != GOING:
            return k, state.count[CODE]
        added, dropped, changed = wolfe_step(work.form, work.hull, tol, state, work.corral)
        events[k].i, events[k].j = added, dropped
        marks[k] = SUPPORT_CHANGED if changed else 0
    return len(marks), state.count[CODE]
