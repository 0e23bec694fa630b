"""Platt's two loops and his hierarchy of second choices, compiled (Platt 1998, section 2.3).

::

    outer loop: all points, then the free ones again and again until none moves, then all again;
                the end is a pass over all in which none moves
    for each point 2 that breaks its KKT condition by more than tol, try as point 1
        1. the free point with the largest |E1 - E2|
        2. the free points in turn, from a random place
        3. all points in turn, from a random place
    until a pair moves

A step is a pair that moves; the loops go on inside it, and where they stand is in the state. Where
the curvature is not positive, he compares both ends of the segment; here the pair goes to the end
towards which the dual rises.
"""

from __future__ import annotations

from solvers.jit.compiled import compiled, inlined
from solvers.jit.separate import compiled_apart
from solvers.jit.signatures import Marks
from solvers.kernels.rows import kernel_row
from solvers.methods.smo.state import (
    DUE,
    MOVED,
    MOVES,
    NEXT,
    PASSED,
    PLACE,
    STEPS,
    SWEEP,
    SWEEP_KIND,
    PairEvents,
    Points,
)
from solvers.methods.smo.steps import open_sides
from solvers.methods.smo.threshold import Rule, is_free, movers, take_step, violation, worth_moving
from solvers.run.random_numbers import draw
from solvers.run.trace import SUPPORT_CHANGED, SWEEP_STARTED

EVERYONE, FREE_ONES = 0, 1


@inlined
def furthest(points, i2):
    """The free point with the largest ``|E1 - E2|``, or i2 itself if no other is free."""
    best, i1 = -1.0, i2
    for k in range(len(points.order)):
        if k != i2 and is_free(points, k):
            distance = abs(points.F[k] - points.F[i2])
            if distance > best:
                best, i1 = distance, k
    return i1


@compiled_apart
def second_choice(points: Points, seed: int, twins: int, i2: int) -> tuple[int, int]:
    """The first pair of the hierarchy that moves, or (i2, i2) if there is none."""
    n, now = len(points.order), points.count[STEPS]
    K_2 = kernel_row(points, points.rows, i2, 1)
    for attempt in range(2 * n + 1):
        if attempt == 0:
            i1 = furthest(points, i2)
        else:
            among_all = attempt > n
            first = draw(seed, now, 2 * i2 + (1 if among_all else 0), n)
            i1 = (first + attempt) % n
            if not (among_all or is_free(points, i1)):
                i1 = i2
        first, second = movers(points, i1, i2, twins)
        if i1 != i2 and worth_moving(points, first, second, K_2[i1]):
            return first, second
    return i2, i2


@inlined
def step(points, rule, event):
    """Go on with the loops until a pair moves; return MOVED or why not, and if support changed."""
    count, n = points.count, len(points.order)
    place, kind, moves, sweep = count[PLACE], count[SWEEP_KIND], count[MOVES], count[SWEEP]
    while True:
        if place == n:
            if kind == EVERYONE and moves == 0:
                return PASSED, False
            kind = EVERYONE if kind == FREE_ONES and moves == 0 else FREE_ONES
            place, moves, sweep = 0, 0, sweep + 1
        i2 = place
        place += 1
        if (kind == EVERYONE or is_free(points, i2)) and violation(points, i2) > rule.tol:
            i1, i2 = second_choice(points, rule.seed, rule.twins, i2)
            if i1 != i2:
                code, changed = take_step(points, i1, i2, rule.tol, event)
                if code == MOVED:
                    count[PLACE], count[SWEEP_KIND] = place, kind
                    count[MOVES], count[SWEEP] = moves + 1, sweep
                return code, changed


@compiled
def advance(points: Points, rule: Rule, events: PairEvents, marks: Marks) -> tuple[int, int]:
    """Step until a reason to stop, the end of ``marks``, or something is due between two steps."""
    count = points.count
    open_sides(points)
    for k in range(len(marks)):
        before = count[SWEEP] if count[STEPS] > 0 else -1
        code, changed = step(points, rule, events[k])
        if code != MOVED:
            return k, code
        marks[k] = SWEEP_STARTED if count[SWEEP] != before else 0
        marks[k] |= SUPPORT_CHANGED if changed else 0
        if count[STEPS] >= count[NEXT]:
            return k + 1, DUE
    return len(marks), MOVED
