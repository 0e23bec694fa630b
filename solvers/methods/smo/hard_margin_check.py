"""SMO with a hard margin: between two steps, ask whether there is one at all.

How that is found out is in :mod:`solvers.geometry.hard_margin`; here the answer is written into the
state. The working-set method has the same places in its state and asks here, too.
"""

from __future__ import annotations

import numpy as np

from solvers.geometry.hard_margin import look_for_margin, next_ask
from solvers.methods.smo.state import (
    ASK,
    DISTANCE,
    INDEFINITE,
    INSEPARABLE,
    STEPS,
    UNBOUNDED,
    VERDICT,
    State,
)
from solvers.methods.smo.steps import EPS
from solvers.problem.problem import Problem


def ask_for_separability(problem: Problem, state: State) -> None:
    """Write a verdict into the state, or when to ask again."""
    count, level = state.count, state.level
    found = look_for_margin(problem, problem.target - state.F)
    if found is not None and found.separable is False:
        count[VERDICT] = INSEPARABLE
        level[DISTANCE] = found.distance
    elif falls_without_end(problem, state):
        count[VERDICT], count[INDEFINITE] = UNBOUNDED, 1
    count[ASK] = next_ask(found, int(count[STEPS]))


def falls_without_end(problem: Problem, state: State) -> bool:
    """Whether ``beta' K beta < 0``: an indefinite kernel, whose dual rises along beta for ever."""
    beta = state.beta
    own = float(beta @ (problem.form.target - state.F))
    size = float(np.abs(beta) @ np.sqrt(np.abs(problem.form.diagonal)))
    return own < -EPS * 100 * size * size
