"""The best smooth losses against a general minimiser, and by their optimality conditions."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

from solvers import RBF, Custom, Linear, Problem, Regression, Sigmoid
from solvers.problem.smooth_losses import least_squared, logistic_regression
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


def total(problem, f, squared_norm):
    losses = np.log1p(np.exp(-np.clip(problem.y * f, -700.0, None)))
    return 0.5 * squared_norm + problem.C * losses.sum()


@pytest.mark.parametrize("bias", ["free", "none", "augmented"])
@pytest.mark.parametrize("C", [0.01, 1.0, 300.0])
@pytest.mark.parametrize("seed", range(3))
def test_no_other_line_has_a_smaller_sum(seed, C, bias):
    problem = Problem(*cloud(25, seed), Linear(), C, bias)

    def primal(p):
        w, b = p[:2], 0.0 if bias == "none" else p[2]
        return total(problem, problem.X @ w + b, w @ w + (b * b if bias == "augmented" else 0.0))

    wanted = minimize(primal, np.zeros(3), method="BFGS", options={"gtol": 1e-9})
    found = logistic_regression(problem)
    least = primal(np.append(found.w, found.bias))
    assert least == pytest.approx(wanted.fun, rel=1e-8)
    assert least <= wanted.fun * (1 + 1e-12)
    assert found.w == pytest.approx(wanted.x[:2], abs=1e-3 * np.abs(wanted.x).max())


@pytest.mark.parametrize("C", [0.1, 1.0, 30.0])
def test_it_is_the_line_of_scikit_learn_with_the_same_C(C):
    X, y = cloud(40, 3)
    found = logistic_regression(Problem(X, y, Linear(), C))
    theirs = LogisticRegression(C=C, tol=1e-10, max_iter=10_000).fit(X, y)
    assert found.w == pytest.approx(theirs.coef_[0], rel=1e-5)
    assert found.bias == pytest.approx(float(theirs.intercept_[0]), rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("bias", ["free", "augmented"])
def test_with_a_kernel_every_beta_is_what_the_loss_says(bias):
    problem = Problem(*cloud(40, 1), RBF(2.0), 5.0, bias)
    found = logistic_regression(problem)
    y, f = problem.y, found(problem.X)
    assert found.beta == pytest.approx(problem.C * y / (1.0 + np.exp(y * f)), rel=1e-7)
    if bias == "free":
        assert found.beta.sum() == pytest.approx(0.0, abs=1e-8)
    else:
        assert found.beta.sum() == pytest.approx(found.bias)


def test_classes_that_are_far_apart_and_points_far_out_are_fitted():
    X = np.array([[-1e3, 0.0], [-1e3, 5.0], [1e3, 0.0], [2e4, 1.0]])
    problem = Problem(X, np.array([-1.0, -1.0, 1.0, 1.0]), Linear(), 1e4)
    found = logistic_regression(problem)
    assert (problem.y * found(X) > 0.0).all()


def test_without_a_minimum_there_is_no_logistic_regression():
    problem = Problem(*cloud(20, 1), RBF(), 1.0)
    assert logistic_regression(replace(problem, C=math.inf)) is None
    assert logistic_regression(replace(problem, kernel=Sigmoid(1.0, -1.0))) is None
