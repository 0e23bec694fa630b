"""The loop over steps for the choices that sweep over the points: Platt's and the random choice."""

from __future__ import annotations

from solvers.jit.compiled import compiled
from solvers.jit.signatures import Marks
from solvers.methods.smo.platt import step as step_of_platt
from solvers.methods.smo.random_pair import step as step_with_random_partner
from solvers.methods.smo.state import CHECK_DUE, MOVED, PairEvents, Points
from solvers.methods.smo.steps import fill_masks
from solvers.methods.smo.threshold import Params
from solvers.run.trace import SUPPORT_CHANGED, SWEEP_STARTED


@compiled
def advance(points: Points, params: Params, events: PairEvents, marks: Marks) -> tuple[int, int]:
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
