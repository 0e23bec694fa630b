"""The KKT conditions by errors of variables and by the staircase, against the definitions."""

import math

import numpy as np
import pytest

from solvers import RBF, SMO, Linear, Pegasos, Problem, Regression, certify, solve
from solvers.problem.kkt import errors, may_fall, may_rise, nearest
from tests.solvers.problems import cloud, wave

DRAWN = np.random.default_rng(8)
X = DRAWN.normal(size=(40, 2))
LABELS = np.where(X[:, 0] + 0.4 * DRAWN.normal(size=40) > 0, 1.0, -1.0)
PROBLEMS = {
    "soft": Problem(X, LABELS, RBF(1.0), C=2.0),
    "no bias": Problem(X, LABELS, Linear(), C=0.3, bias="none"),
    "hard": Problem(X, np.sign(X[:, 0]), RBF(2.0), C=math.inf),
    "regression": Regression(X[:, :1], np.sin(X[:, 0]), RBF(1.0), C=3.0, epsilon=0.1),
    "no tube": Regression(X[:, :1], np.sin(X[:, 0]), RBF(1.0), C=0.5, epsilon=0.0),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_distance_to_the_staircase_is_the_violation(name):
    problem = PROBLEMS[name]
    method = Pegasos(max_steps=200) if problem.bias == "none" else SMO(tol=1e-8)
    run = solve(problem, method)
    for step in (0, 1, 2, run.steps // 2, run.steps):
        f = run.at(step).expansion
        found = certify(problem, f)
        places = problem.kkt_coordinates(found.decision, f.beta)
        ways = np.abs(nearest(problem.kkt_corners, places) - places[:, 0])
        assert ways == pytest.approx(found.violation, rel=1e-9, abs=1e-12)
    if isinstance(method, SMO):
        assert ways.max() < 1e-6


def test_a_level_outside_of_the_staircase_counts_as_its_end():
    corners = PROBLEMS["soft"].kkt_corners
    assert nearest(corners, np.array([(3.0, 5.0), (-1.0, 5.0), (0.5, -2.0)])).tolist() == [
        1.0,
        -1.0,
        1.0,
    ]


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
