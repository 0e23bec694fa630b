"""SMO's test of whether the classes are separable; with a hard margin, between two steps.

:mod:`solvers.geometry.hard_margin` has the test itself; here the answer is written into the state.
The working-set method has the same scalars in its state and calls this test, too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.geometry.hard_margin import decide_separability, next_check
from solvers.methods.smo.state import INSEPARABLE, UNBOUNDED
from solvers.problem.problem import Problem
from solvers.rounding import EPS


def check_separability(problem: Problem, state: Any) -> None:
    """Write a stop code into the state, or the step of the next test."""
    scalars = state.scalars
    found = decide_separability(problem, problem.target - state.F)
    if found is not None and found.separable is False:
        scalars["stop_code"][0] = INSEPARABLE
        scalars["hull_distance"][0] = found.distance
    elif is_unbounded(problem, state):
        scalars["stop_code"][0], scalars["indefinite"][0] = UNBOUNDED, 1
    scalars["next_margin_check"][0] = next_check(found, int(scalars["steps"][0]))


def is_unbounded(problem: Problem, state: Any) -> bool:
    """Return whether ``beta' K beta < 0``: then the dual rises along beta without bound."""
    beta = state.beta
    square = float(beta @ (problem.dual_form.target - state.F))
    size = float(np.abs(beta) @ np.sqrt(np.abs(problem.dual_form.diagonal)))
    return square < -EPS * 100 * size * size
