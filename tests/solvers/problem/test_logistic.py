"""Logistic regression against a general minimiser, scikit-learn, and its optimality conditions."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

from solvers import RBF, Linear, Problem, Sigmoid
from solvers.problem.smooth_losses import logistic_regression
from tests.solvers.problems import cloud


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


def test_without_a_minimum_there_is_none():
    problem = Problem(*cloud(20, 1), RBF(), 1.0)
    assert logistic_regression(replace(problem, C=math.inf)) is None
    assert logistic_regression(replace(problem, kernel=Sigmoid(1.0, -1.0))) is None
