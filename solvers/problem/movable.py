"""Variables that may rise or fall, and the errors by which pairs of them are compared.

For variable v of the dual (:class:`solvers.problem.problem.DualForm`), let
``E_v = f(x_v) - target_v``. The variable may rise if ``beta_v < upper_v``, and may fall if
``beta_v > lower_v``. At the optimum there is a b such that ``E_v >= 0`` for every variable that may
rise and ``E_v <= 0`` for every variable that may fall. Differences of E do not depend on b.
"""

from __future__ import annotations

import numpy as np

from solvers.problem.problem import Problem


def errors(problem: Problem, decision: np.ndarray) -> np.ndarray:
    """Return ``E = f - target`` of each variable, shape (N,), from f at the points, shape (n,)."""
    return problem.to_variables(decision) - problem.target


def may_rise(problem: Problem, beta: np.ndarray) -> np.ndarray:
    """Return which variables may rise, bool, shape (N,); ``beta`` has the variables, shape (N,)."""
    return beta < problem.dual_form.upper


def may_fall(problem: Problem, beta: np.ndarray) -> np.ndarray:
    """Return which variables may fall, bool, shape (N,); ``beta`` has the variables, shape (N,)."""
    return beta > problem.dual_form.lower
