"""The regularisation path: slack over C, and the C of a budget."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize

from solvers import RBF, InteriorPoint, Linear, Problem, solve
from solvers.cancelling import Cancelled, cancel_when
from solvers.data.datasets import DATASETS
from solvers.data.regression_datasets import CURVES
from solvers.problem.regression import Regression
from solvers.selection.budget_path import (
    budget_path,
    penalties,
    penalty_for,
    penalty_within,
)


def problem_of(seed, **changes):
    data = DATASETS["gaussians"].generate(30, 0.8, seed)
    values = {"kernel": [Linear(), RBF(0.5)][seed % 2], **changes}
    return Problem(data.points, data.labels.astype(float), **values)


@pytest.mark.parametrize(
    "seed", [*range(6), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(6, 60))]
)
def test_the_path_is_that_of_another_method_at_each_C(seed):
    problem = problem_of(seed, bias=["free", "free", "augmented"][seed % 3])
    Cs = penalties(0.7, 1e-2, 1e2, 19)
    assert len(Cs) == 20
    assert 0.7 in Cs
    for point, C in zip(budget_path(problem, Cs), Cs, strict=True):
        slack, norm = optimum_of(problem, float(C))
        assert point.converged
        assert point.C == C
        assert point.slack == pytest.approx(slack, rel=1e-3, abs=1e-3)
        assert point.norm == pytest.approx(norm, rel=1e-3)


def optimum_of(problem, C):
    """Slack and norm of a solution by another method, whose duality gap proves it the optimum."""
    found = solve(replace(problem, C=C), InteriorPoint(tol=1e-9))
    beta, b, y = found.expansion.beta, found.expansion.bias, problem.y
    K = problem.kernel(problem.X, problem.X)
    slack = np.maximum(0.0, 1.0 - y * (K @ beta + b)).sum()
    if problem.bias == "augmented":
        K = K + 1.0
    else:
        assert beta.sum() == pytest.approx(0.0, abs=1e-8 * C)
    assert ((y * beta >= 0.0) & (y * beta <= C)).all()
    square = float(beta @ K @ beta)
    primal, dual = 0.5 * square + C * slack, float(y @ beta) - 0.5 * square
    assert primal - dual <= 1e-6 * primal
    return slack, np.sqrt(square)


def test_slack_falls_and_w_grows():
    points = list(budget_path(problem_of(1), penalties(1.0)))
    assert (np.diff([point.slack for point in points]) <= 1e-3).all()
    assert (np.diff([point.norm for point in points]) >= -1e-3).all()


def test_a_budget_has_the_optimum_of_its_penalty():
    """The problem with the budget, by a method for constrained problems, has the same w."""
    problem = problem_of(2)
    points = list(budget_path(problem, penalties(1.0, 1e-2, 1e2, 21)))
    budget = 0.5 * (points[4].slack + points[15].slack)
    near = penalty_for(points, budget)
    C = penalty_within(problem, budget, 0.5 * near, 2.0 * near)
    # With the slacks as variables, as in the notes: minimise |w|^2 / 2 over (w, b, xi).
    n, X, y = problem.n, problem.X, problem.y
    columns = np.column_stack([y[:, None] * X, y, np.eye(n)])
    found = minimize(
        lambda v: 0.5 * v[:2] @ v[:2],
        np.concatenate([np.zeros(3), np.ones(n)]),
        jac=lambda v: np.concatenate([v[:2], np.zeros(n + 1)]),
        bounds=[(None, None)] * 3 + [(0.0, None)] * n,
        constraints=[
            {"type": "ineq", "fun": lambda v: columns @ v - 1.0, "jac": lambda _: columns},
            {
                "type": "ineq",
                "fun": lambda v: budget - v[3:].sum(),
                "jac": lambda _: -np.concatenate([np.zeros(3), np.ones(n)]),
            },
        ],
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-12},
    )
    assert found.success
    run = solve(replace(problem, C=C), InteriorPoint(tol=1e-9))
    assert run.certificate.slack.sum() == pytest.approx(budget, rel=1e-3)
    assert run.expansion.w == pytest.approx(found.x[:2], rel=1e-3, abs=1e-3)


def test_a_regression_has_a_path():
    data = CURVES["noisy_sine"].generate(30, 0.2, 1)
    problem = Regression(data.points[:, :1], data.points[:, 1], RBF(1.0), epsilon=0.1)
    points = list(budget_path(problem, penalties(1.0, 1e-2, 1e2, 9)))
    assert points[0].slack > 2.0 * points[-1].slack > 0.0


def test_budgets_beyond_the_path_have_the_C_of_its_end():
    points = list(budget_path(problem_of(0), [0.1, 1.0, 10.0]))
    assert penalty_for(points, 1e9) == pytest.approx(0.1)
    assert penalty_for(points, -1.0) == pytest.approx(10.0)


def test_a_path_can_be_cancelled():
    path = budget_path(problem_of(0), [1.0, 2.0])
    with cancel_when(lambda: True), pytest.raises(Cancelled):
        next(path)
