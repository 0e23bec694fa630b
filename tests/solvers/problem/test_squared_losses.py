"""The best squared losses against a general minimiser, and by their optimality conditions."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from solvers import RBF, Custom, Linear, Problem, Regression, Sigmoid
from solvers.problem.smooth_losses import least_squared
from tests.solvers.problems import cloud, wave


def squared(problem, f):
    if problem.task == "regression":
        return ((problem.y - f) ** 2).sum()
    return (np.maximum(0.0, 1.0 - problem.y * f) ** 2).sum()


@pytest.mark.parametrize("bias", ["free", "none", "augmented"])
@pytest.mark.parametrize("C", [0.01, 1.0, 300.0])
@pytest.mark.parametrize("seed", range(3))
def test_the_squared_hinge_of_lines(seed, C, bias):
    problem = Problem(*cloud(25, seed), Linear(), C, bias)

    def primal(p):
        w, b = p[:2], 0.0 if bias == "none" else p[2]
        regulariser = 0.5 * (w @ w + (b * b if bias == "augmented" else 0.0))
        return regulariser + C * squared(problem, problem.X @ w + b)

    wanted = minimize(primal, np.zeros(3), method="BFGS", options={"gtol": 1e-9}).fun
    assert least_squared(problem).primal == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize("kernel", [RBF(3.0), Custom("1 - (x1 - z1)^2 - (x2 - z2)^2")])
def test_the_squared_hinge_with_a_kernel_is_a_hard_margin_with_a_ridge(kernel):
    # max sum alpha - 1/2 beta' (K + I / (2 C)) beta over alpha >= 0 with sum beta = 0.
    X, y = cloud(20, 1)
    problem = Problem(X, y, kernel, 2.0)
    Q = np.outer(y, y) * (kernel(X, X) + np.eye(20) / 4.0)
    found = minimize(
        lambda alpha: 0.5 * alpha @ Q @ alpha - alpha.sum(), np.full(20, 0.1),
        jac=lambda alpha: Q @ alpha - 1.0, bounds=[(0.0, None)] * 20, method="SLSQP",
        constraints=[{"type": "eq", "fun": lambda alpha: alpha @ y, "jac": lambda _: y}],
        options={"ftol": 1e-13, "maxiter": 1000},
    )  # fmt: skip
    assert least_squared(problem).primal == pytest.approx(-found.fun, rel=1e-6)


@pytest.mark.parametrize("bias", ["free", "augmented"])
def test_the_squared_error_is_ridge_regression(bias):
    x, y = wave(30, 1)
    problem = Regression(x, y, RBF(2.0), 5.0, bias, epsilon=0.1)
    K = problem.kernel(x, x) + (1.0 if bias == "augmented" else 0.0)

    def primal(p):
        beta, b = p[:-1], p[-1] if bias == "free" else 0.0
        return 0.5 * beta @ K @ beta + 5.0 * squared(problem, K @ beta + b)

    def slope(p):
        beta, b = p[:-1], p[-1] if bias == "free" else 0.0
        error = K @ beta + b - y
        return np.append(K @ beta + 10.0 * K @ error, 10.0 * error.sum() * (bias == "free"))

    wanted = minimize(primal, np.zeros(31), jac=slope, options={"maxiter": 5000, "gtol": 1e-9})
    assert least_squared(problem).primal == pytest.approx(wanted.fun, rel=1e-5)
    assert least_squared(problem).primal <= wanted.fun * (1 + 1e-12)


def test_without_a_minimum_there_is_none():
    X, y = cloud(20, 1)
    assert least_squared(Problem(X, y, RBF(), math.inf)) is None
    assert least_squared(Problem(X, y, Sigmoid(1.0, -1.0), 1.0)) is None
