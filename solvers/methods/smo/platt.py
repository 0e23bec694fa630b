"""Platt's two loops and his hierarchy of second choices, compiled (Platt 1998, section 2.3).

A point is *free* if ``0 < alpha < C``. Platt calls a point that violates its KKT condition point 2,
and its partner point 1; E1 and E2 are their errors. His loops are::

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
"""

from __future__ import annotations

from solvers.jit.compiled import inner
from solvers.kernels.kernel_rows import slot_of
from solvers.methods.smo.state import MOVED, NO_MOVE_IN_PASS, Points
from solvers.methods.smo.threshold import (
    is_free,
    is_worth_moving,
    take_step,
    variables_that_move,
    violation,
)
from solvers.run.random_numbers import draw

# Kinds of sweeps; each pass of the loops above is a sweep.
ALL_POINTS, FREE_POINTS = 0, 1


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
def step(points, params, event):
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
