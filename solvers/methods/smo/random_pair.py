"""A random second point, compiled: the "simplified SMO" of many courses.

Sweeps visit all points in turn. A point that violates its KKT condition by more than tol is moved
with a partner drawn at random, if that pair can move. The run ends with a sweep in which no point
violates its condition, or after some sweeps in which none moved: that is no optimum, only bad luck.
Nothing guarantees convergence.
"""

from __future__ import annotations

from solvers.jit.compiled import inlined
from solvers.kernels.kernel_rows import kernel_row
from solvers.methods.smo.state import GAVE_UP, MOVED, NO_MOVE_IN_PASS
from solvers.methods.smo.threshold import movers, take_step, violation, worth_moving
from solvers.run.random_numbers import draw

# Sweeps without a move before the run gives up.
MAX_IDLE_SWEEPS = 10


@inlined
def step(points, params, event):
    """Sweep on until a pair moves.

    Returns MOVED or the reason against it, and whether the set of support vectors changed.
    """
    scalars, n = points.scalars[0], len(points.order)
    position, moves, sweep = scalars.sweep_position, scalars.sweep_moves, scalars.sweep
    # A sweep that may end in this step without a move also began in it, so the state need not
    # hold these two.
    violating, idle = 0, 0
    while True:
        if position == n:
            if moves == 0 and violating == 0:
                return NO_MOVE_IN_PASS, False
            idle = idle + 1 if moves == 0 else 0
            if idle == MAX_IDLE_SWEEPS:
                return GAVE_UP, False
            position, moves, violating, sweep = 0, 0, 0, sweep + 1
        i = position
        position += 1
        if violation(points, i) > params.tol:
            violating += 1
            j = draw(params.seed, sweep, i, n - 1)
            j += 1 if j >= i else 0
            i, j = movers(points, i, j, params.twins)
            K_i = kernel_row(points, points.rows, i, 0)
            if worth_moving(points, i, j, K_i[j]):
                code, changed = take_step(points, i, j, params.tol, event)
                if code == MOVED:
                    scalars.sweep_position = position
                    scalars.sweep_moves, scalars.sweep = moves + 1, sweep
                return code, changed
