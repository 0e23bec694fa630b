"""The KKT staircase: the horizontal distance of a point is its violation."""

import math

import numpy as np
import pytest

from solvers import RBF, SMO, Linear, Pegasos, Problem, Regression, certify, solve
from solvers.problem.kkt import nearest

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
