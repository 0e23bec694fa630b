"""A random second point, compiled: the "simplified SMO" of many courses.

Sweeps visit all points in turn. If a point violates its KKT condition by more than tol, a partner
is drawn at random, and the pair moves if it can. The run ends after a sweep in which no point
violates its condition. It also ends after MAX_IDLE_SWEEPS successive sweeps without a move; the
result then need not be an optimum, so convergence is not guaranteed.
"""

from __future__ import annotations

from solvers.jit.compiled import inner
from solvers.kernels.kernel_rows import slot_of
from solvers.methods.smo.state import GAVE_UP, MOVED, NO_MOVE_IN_PASS
from solvers.methods.smo.threshold import is_worth_moving, take_step, variables_that_move, violation
from solvers.run.random_numbers import draw

# The run gives up after this many successive sweeps without a move.
MAX_IDLE_SWEEPS = 10


@inner
def step(points, params, event):
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
