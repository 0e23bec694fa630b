"""Variables that may rise or fall, and their errors, against the definitions."""

import numpy as np
import pytest

from solvers import RBF, SMO, Problem, Regression, solve
from solvers.problem.kkt import errors, may_fall, may_rise
from tests.solvers.problems import cloud, wave


@pytest.mark.parametrize("task", ["classes", "regression"])
def test_at_the_optimum_the_errors_have_the_right_signs(task):
    problem = Problem(*cloud(40, 1), RBF(0.8), C=1.0)
    if task == "regression":
        problem = Regression(*wave(30, 1), RBF(0.8), C=1.0, epsilon=0.1)
    run = solve(problem, SMO(tol=1e-8))
    beta = problem.variables_of(run.expansion.beta)
    E = errors(problem, run.expansion(problem.X))
    rise, fall = may_rise(problem, beta), may_fall(problem, beta)
    assert rise.any()
    assert fall.any()
    assert E[rise].min() >= -1e-7
    assert E[fall].max() <= 1e-7
    alpha = problem.sign * beta
    up = np.where(problem.sign > 0, alpha < problem.C, alpha > 0)
    assert (rise == up).all()
