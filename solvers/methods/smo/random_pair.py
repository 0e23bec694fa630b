"""A random second point, compiled: the "simplified SMO" of many courses.

Sweeps visit all points in turn. One that breaks its KKT condition by more than tol is moved with a
partner drawn at random, if that pair can move. It ends with a sweep in which none breaks its
condition, or after some sweeps in which none moved: then that is no optimum, only bad luck.
Nothing guarantees that it converges.
"""

from __future__ import annotations

from solvers.jit.compiled import compiled, inlined
from solvers.jit.signatures import Marks
from solvers.kernels.rows import kernel_row
from solvers.methods.smo.state import (
    DUE,
    IDLE,
    MOVED,
    MOVES,
    NEXT,
    PASSED,
    PLACE,
    STEPS,
    SWEEP,
    PairEvents,
    Points,
)
from solvers.methods.smo.steps import open_sides
from solvers.methods.smo.threshold import Rule, movers, take_step, violation, worth_moving
from solvers.run.random_numbers import draw
from solvers.run.trace import SUPPORT_CHANGED, SWEEP_STARTED

# Sweeps without a move before it gives up.
MOST_IDLE = 10


@inlined
def step(points, rule, event):
    """Sweep on until a pair moves; return MOVED or why not, and whether support changed."""
    count, n = points.count, len(points.order)
    place, moves, sweep = count[PLACE], count[MOVES], count[SWEEP]
    # A sweep that may end in this step without a move also began in it: these need not be kept.
    violating, idle = 0, 0
    while True:
        if place == n:
            if moves == 0 and violating == 0:
                return PASSED, False
            idle = idle + 1 if moves == 0 else 0
            if idle == MOST_IDLE:
                return IDLE, False
            place, moves, violating, sweep = 0, 0, 0, sweep + 1
        i = place
        place += 1
        if violation(points, i) > rule.tol:
            violating += 1
            j = draw(rule.seed, sweep, i, n - 1)
            j += 1 if j >= i else 0
            i, j = movers(points, i, j, rule.twins)
            K_i = kernel_row(points, points.rows, i, 0)
            if worth_moving(points, i, j, K_i[j]):
                code, changed = take_step(points, i, j, rule.tol, event)
                if code == MOVED:
                    count[PLACE], count[MOVES], count[SWEEP] = place, moves + 1, sweep
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
