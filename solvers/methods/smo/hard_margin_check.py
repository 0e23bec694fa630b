"""The test whether the classes are separable, made between two steps of SMO with a hard margin.

:mod:`solvers.geometry.hard_margin` makes the test. This module writes the result into the state of
SMO, or into that of the working-set method, which has the same scalars.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.geometry.hard_margin import decide_separability, next_check
from solvers.methods.smo.state import INSEPARABLE, UNBOUNDED
from solvers.problem.problem import Problem
from solvers.rounding import EPS


def check_separability(problem: Problem, state: Any) -> None:
    """Test separability; write the step of the next test into the state, and perhaps a stop code.

    The stop code is INSEPARABLE if the classes are not separable, and UNBOUNDED if the dual is
    found to be unbounded.
    """
    scalars = state.scalars
    separation = decide_separability(problem, problem.target - state.F)
    if separation is not None and separation.separable is False:
        scalars["stop_code"][0] = INSEPARABLE
        scalars["hull_distance"][0] = separation.distance
    elif is_unbounded(problem, state):
        scalars["stop_code"][0], scalars["indefinite"][0] = UNBOUNDED, 1
    scalars["next_margin_check"][0] = next_check(separation, int(scalars["steps"][0]))


def is_unbounded(problem: Problem, state: Any) -> bool:
    """Return whether ``beta' K beta < 0``, beyond rounding error; the dual is then unbounded."""
    beta = state.beta
    squared_norm = float(beta @ (problem.dual_form.target - state.F))
    # For a positive semi-definite K the absolute values of the terms of beta' K beta sum to at most
    # extent^2, by the inequality of Cauchy and Schwarz. So the rounding error is a small multiple
    # of EPS * extent^2.
    extent = float(np.abs(beta) @ np.sqrt(np.abs(problem.dual_form.diagonal)))
    return squared_norm < -EPS * 100 * extent * extent
