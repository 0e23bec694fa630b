"""The choices of the pair, and the loops over steps, compiled.

Two choices compare F of all points: *maximal violation* and *second order*. The set *up* contains
the points whose beta may rise, the set *low* the points whose beta may fall. ``m`` is the maximum
of F over up, and ``M`` is the minimum of F over low. The run stops if ``m - M < tol`` (Keerthi et
al. 2001). The first point of the pair, i, attains m. The second point, j, is in low. In the maximal
violating pair, j attains M. In the second-order choice, j has the largest ``(m - F_j)^2 / eta_ij``,
where ``eta_ij = K_ii + K_jj - 2 K_ij`` (WSS 2 of Fan, Chen and Lin 2005).

Two choices sweep over the points, and compare each F with a threshold b: Platt's and the random
choice. Platt's error is ``E_k = b - F_k``, so F and b together serve as his error cache. F gives
the errors of all points, while Platt caches those of free points only. Platt writes
``u = w.x - b`` for the decision function; here it is ``f = w.x + b``.

A point is *free* if ``0 < alpha < C``. Platt calls a point that violates its KKT condition point 2,
and its partner point 1; E1 and E2 are their errors. His loops are (Platt 1998, section 2.3)::

    repeat
        pass over all points; end the run if no point moves in this pass
        pass over the free points again and again, until no point moves in such a pass
    in each pass, for each point 2 that violates its KKT condition by more than tol:
        try as point 1, until the pair can move
            1. the free point with the largest |E1 - E2|
            2. the free points in turn, from a random start
            3. all points in turn, from a random start

Each step of the run moves one pair; the state stores the position in the loops. If the curvature
``K_11 + K_22 - 2 K_12`` of the pair is not positive, Platt compares the dual at both ends of the
segment on which the pair can move. Here the pair moves to the end towards which the dual rises.

The random choice is the "simplified SMO" of many courses. Sweeps visit all points in turn. If a
point violates its KKT condition by more than tol, a partner is drawn at random, and the pair moves
if it can. The run ends after a sweep in which no point violates its condition. It also ends after
MAX_IDLE_SWEEPS successive sweeps without a move; the result then need not be an optimum, so
convergence is not guaranteed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.jit.compiled import compiled, inner
from solvers.jit.signatures import Marks
from solvers.jit.simd import larger
from solvers.kernels.kernel_rows import slot_of
from solvers.methods.smo.steps import (
    BLOCK,
    CHECK_DUE,
    GAVE_UP,
    MOVED,
    NO_MOVE_IN_PASS,
    OPTIMAL,
    STALLED,
    TAU,
    PairEvent,
    PairEvents,
    Points,
    fill_masks,
    find_extremes,
    index_of,
    move_pair,
    step_length,
)
from solvers.rounding import NOISE
from solvers.run.random_numbers import draw
from solvers.run.trace import SUPPORT_CHANGED, SWEEP_STARTED

# The values of the setting ``pair`` that sweep over the points; the others compare errors.
SWEEPING = ("platt", "random")
# A pair moves only if it reaches a bound, or if its step t exceeds this fraction of ``|beta_i| +
# |beta_j|``. Platt calls the fraction eps; his value, 1e-3, can end a run before the tolerance is
# met.
MIN_MOVE = 1e-10
# Kinds of sweeps; each pass of the loops above is a sweep.
ALL_POINTS, FREE_POINTS = 0, 1
# The run gives up after this many successive sweeps without a move.
MAX_IDLE_SWEEPS = 10


class ErrorParams(NamedTuple):
    """The settings of a choice that compares F of all points, for compiled code.

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
def advance_by_errors(
    points: Points, params: ErrorParams, events: PairEvents, marks: Marks
) -> tuple[int, int]:
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


class SweepParams(NamedTuple):
    """The settings of a choice that sweeps over the points, for compiled code.

    ``hierarchy`` is True for Platt's choice and False for the random choice. In a regression
    ``twins`` is the number of points: the variables k and ``k + twins``, alpha* and alpha of one
    point, are twins of each other. In a classification ``twins`` is 0.
    """

    hierarchy: bool
    tol: float
    seed: int
    twins: int


@inner
def is_free(points, k):
    """Return whether ``0 < alpha_k < C``."""
    return points.up_mask[k] == 0.0 and points.low_mask[k] == 0.0


@inner
def violation(points, k):
    """Return by how much point k violates its KKT condition at the threshold b, in units of f.

    The number is negative if the condition holds with room to spare. It exceeds tol in the two
    cases of Platt's test: ``y E < -tol`` and alpha may rise, or ``y E > tol`` and alpha may fall.
    """
    b, F = points.scalars[0].b, points.F[k]
    return max((F + points.up_mask[k]) - b, b - (F + points.low_mask[k]))


@inner
def twin_that_moves(points, k, rises, twins):
    """Return the variable, k or its twin, that moves to make the sum of their betas rise or fall.

    The sum is to rise if ``rises`` is true, and to fall otherwise. Only in a regression do
    variables have twins: beta of alpha* is alpha*, and beta of alpha is -alpha. To make the sum
    rise, alpha falls if it is positive; if alpha is 0, alpha* rises. To make the sum fall, alpha*
    falls if it is positive; if alpha* is 0, alpha rises. So one of the two is always 0, as at the
    optimum. Lowering the positive variable also raises the dual more than raising its twin.
    """
    starred = k if k < twins else k - twins
    if rises:
        return starred + twins if points.up_mask[starred + twins] == 0.0 else starred
    return starred if points.low_mask[starred] == 0.0 else starred + twins


@inner
def variables_that_move(points, i, j, twins):
    """Return the variables that move for the pair (i, j): each is the given one or its twin."""
    if twins > 0:
        rises = points.F[i] > points.F[j]
        i = twin_that_moves(points, i, rises, twins)
        j = twin_that_moves(points, j, not rises, twins)
    return i, j


@inner
def is_worth_moving(points, i, j, K_ij):
    """Return whether the pair can reach a bound, or move by more than MIN_MOVE.

    MIN_MOVE is relative to ``|beta_i| + |beta_j|``. A move to a bound is worth taking however short
    it is. If short moves to a bound were not taken, a variable could stay just inside its bound
    because of rounding: it would count as free, and its F would determine b. Platt rounds such
    variables to the bound.
    """
    beta, F = points.beta, points.F
    up, down = (i, j) if F[i] > F[j] else (j, i)
    K_ii, K_jj = points.diagonal[i], points.diagonal[j]
    to_bound = min(points.upper[up] - beta[up], beta[down] - points.lower[down])
    difference = F[up] - F[down]
    t = step_length(K_ii + K_jj - 2.0 * K_ij, abs(K_ii) + abs(K_jj), difference, to_bound)
    min_t = 0.0 if t == to_bound else MIN_MOVE * (abs(beta[i]) + abs(beta[j]))
    return difference > 0.0 and t > min_t


@inner
def take_step(points: Points, i: int, j: int, tol: float, event: PairEvent) -> tuple[int, bool]:
    """Move the pair and update b.

    Return MOVED or the reason that the pair did not move, and whether the set of support vectors
    changed.

    If ``m - M < tol`` after the step, b becomes ``(m + M) / 2``. Otherwise b becomes F of a free
    point of the pair, or ``(F_i + F_j) / 2`` if neither point is free. If b were computed from the
    pair even when ``m - M < tol``, other points could violate their conditions for ever (Keerthi et
    al. 2001).
    """
    up, down = (i, j) if points.F[i] > points.F[j] else (j, i)
    code, changed, _ = move_pair(points, up, down, False, event)
    if code == MOVED:
        scalars = points.scalars[0]
        if scalars.m - scalars.M < tol:
            scalars.b = 0.5 * (scalars.m + scalars.M)
        elif is_free(points, i):
            scalars.b = points.F[i]
        elif is_free(points, j):
            scalars.b = points.F[j]
        else:
            scalars.b = 0.5 * (points.F[i] + points.F[j])
    return code, changed


def violations(dual_form, beta: np.ndarray, F: np.ndarray, b: float) -> np.ndarray:
    """Return :func:`violation` of every variable, shape (N,), computed by numpy."""
    rise_violation = np.where(beta < dual_form.upper, F - b, -np.inf)
    fall_violation = np.where(beta > dual_form.lower, b - F, -np.inf)
    return np.maximum(rise_violation, fall_violation)


@inner
def furthest(points, i2):
    """Return the free point with the largest ``|E1 - E2|``, or i2 if no other point is free."""
    best, i1 = -1.0, i2
    for k in range(len(points.order)):
        if k != i2 and is_free(points, k):
            distance = abs(points.F[k] - points.F[i2])
            if distance > best:
                best, i1 = distance, k
    return i1


@inner
def second_choice(points: Points, seed: int, twins: int, i2: int) -> tuple[int, int]:
    """Return the first pair (i1, i2) that can move, with i1 tried in Platt's order.

    Return (i2, i2) if no pair can move. In a regression, each of i1 and i2 can be replaced by its
    twin, the other variable of the same point.
    """
    n, steps = len(points.order), points.scalars[0].steps
    K_2 = points.rows.cached[slot_of(points.rows, i2)]
    for attempt in range(2 * n + 1):
        if attempt == 0:
            i1 = furthest(points, i2)
        else:
            among_all = attempt > n
            start = draw(seed, steps, 2 * i2 + (1 if among_all else 0), n)
            i1 = (start + attempt) % n
            if not (among_all or is_free(points, i1)):
                i1 = i2
        moving_1, moving_2 = variables_that_move(points, i1, i2, twins)
        if i1 != i2 and is_worth_moving(points, moving_1, moving_2, K_2[i1]):
            return moving_1, moving_2
    return i2, i2


@inner
def step_of_platt(points, params, event):
    """Continue the loops until a pair moves.

    Return MOVED or the reason to stop, and whether the set of support vectors changed.
    """
    scalars, n = points.scalars[0], len(points.order)
    position, kind = scalars.sweep_position, scalars.sweep_kind
    moves, sweep = scalars.sweep_moves, scalars.sweep
    while True:
        if position == n:
            if kind == ALL_POINTS and moves == 0:
                return NO_MOVE_IN_PASS, False
            kind = ALL_POINTS if kind == FREE_POINTS and moves == 0 else FREE_POINTS
            position, moves, sweep = 0, 0, sweep + 1
        i2 = position
        position += 1
        if (kind == ALL_POINTS or is_free(points, i2)) and violation(points, i2) > params.tol:
            i1, i2 = second_choice(points, params.seed, params.twins, i2)
            if i1 != i2:
                code, changed = take_step(points, i1, i2, params.tol, event)
                if code == MOVED:
                    scalars.sweep_position, scalars.sweep_kind = position, kind
                    scalars.sweep_moves, scalars.sweep = moves + 1, sweep
                return code, changed


@inner
def step_with_random_partner(points, params, event):
    """Continue the sweep until a pair moves.

    Return MOVED or the reason to stop, and whether the set of support vectors changed.
    """
    scalars, n = points.scalars[0], len(points.order)
    position, moves, sweep = scalars.sweep_position, scalars.sweep_moves, scalars.sweep
    # The number of violating points in this sweep, and of successive sweeps without a move. The
    # state need not store them: both matter only in sweeps without a move, and such sweeps begin
    # and end within one step.
    n_violating, idle_sweeps = 0, 0
    while True:
        if position == n:
            if moves == 0 and n_violating == 0:
                return NO_MOVE_IN_PASS, False
            idle_sweeps = idle_sweeps + 1 if moves == 0 else 0
            if idle_sweeps == MAX_IDLE_SWEEPS:
                return GAVE_UP, False
            position, moves, n_violating, sweep = 0, 0, 0, sweep + 1
        i = position
        position += 1
        if violation(points, i) > params.tol:
            n_violating += 1
            j = draw(params.seed, sweep, i, n - 1)
            j += 1 if j >= i else 0
            i, j = variables_that_move(points, i, j, params.twins)
            K_i = points.rows.cached[slot_of(points.rows, i)]
            if is_worth_moving(points, i, j, K_i[j]):
                code, changed = take_step(points, i, j, params.tol, event)
                if code == MOVED:
                    scalars.sweep_position = position
                    scalars.sweep_moves, scalars.sweep = moves + 1, sweep
                return code, changed


@compiled
def advance_by_sweeps(
    points: Points, params: SweepParams, events: PairEvents, marks: Marks
) -> tuple[int, int]:
    """Take up to ``len(marks)`` steps; end early if the run ends or a check (SMO._check) is due.

    Return the number of steps, and MOVED, CHECK_DUE or the reason that the run ends.
    """
    scalars = points.scalars[0]
    fill_masks(points)
    for k in range(len(marks)):
        before = scalars.sweep if scalars.steps > 0 else -1
        if params.hierarchy:
            code, changed = step_of_platt(points, params, events[k])
        else:
            code, changed = step_with_random_partner(points, params, events[k])
        if code != MOVED:
            return k, code
        marks[k] = SWEEP_STARTED if scalars.sweep != before else 0
        marks[k] |= SUPPORT_CHANGED if changed else 0
        if scalars.steps >= scalars.next_check:
            return k + 1, CHECK_DUE
    return len(marks), MOVED
