"""Reduced hulls and the nu-SVM: one direction, two boundaries."""

import math

import numpy as np
import pytest
from sklearn.svm import NuSVC

from solvers import (
    RBF,
    BadInput,
    Cursor,
    Hulls,
    Linear,
    Problem,
    Reason,
    bisector,
    largest_separating_mu,
    nu_boundary,
    solve,
)
from solvers.geometry.separation import smallest_mu
from tests.solvers.problems import cloud, separated


def solved(problem, mu, algorithm="wolfe"):
    method = Hulls(algorithm=algorithm, mu=mu, tol=1e-9)
    run = solve(problem, method)
    assert run.reason is Reason.CONVERGED
    return method.weights(problem, Cursor(run).state(run.steps)), run


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("kernel", [Linear(), RBF(0.7)], ids=lambda kernel: kernel.name)
def test_nu_boundary_is_the_nu_svm(seed, kernel):
    X, y = cloud(40, seed, noise=0.6)
    problem = Problem(X, y, kernel, math.inf)
    largest, smallest = largest_separating_mu(problem), smallest_mu(problem)
    if largest is None:
        pytest.fail("choose other points: these cannot be reduced")
    mu = smallest + 0.7 * (0.98 * largest - smallest)
    weights, _ = solved(problem, mu)
    ours = nu_boundary(problem, weights, mu)
    reference = NuSVC(nu=2 / (mu * 40), kernel=kernel, tol=1e-10).fit(X, y)
    decision = reference.decision_function(X)
    np.testing.assert_allclose(ours.expansion(X), decision, atol=2e-3 * np.abs(decision).max())
    # The bisector has the same direction, but another position or width.
    other = bisector(problem, weights)
    slopes = np.ptp(other.expansion(X)) / np.ptp(ours.expansion(X))
    assert slopes > 1.001 or not np.isclose(weights, mu).any()
    assert slopes >= 1.0 - 1e-9
    np.testing.assert_allclose(
        other.expansion(X) - other.expansion.bias,
        slopes * (ours.expansion(X) - ours.expansion.bias),
        atol=1e-7 * np.abs(decision).max() * slopes,
    )
    assert other.width * slopes == pytest.approx(ours.width)


def test_whole_hulls_have_one_boundary():
    problem = Problem(*separated(30, 3, gap=0.5), Linear(), math.inf)
    weights, run = solved(problem, 1.0)
    for boundary in (bisector(problem, weights), nu_boundary(problem, weights, 1.0)):
        np.testing.assert_allclose(boundary.expansion.beta, run.expansion.beta, rtol=1e-9)
        assert boundary.expansion.bias == pytest.approx(run.expansion.bias)
        assert boundary.width == pytest.approx(2 * run.certificate.margin)


@pytest.mark.parametrize("algorithm", ["mdm", "wolfe"])
def test_the_cap_holds_at_every_step(algorithm):
    problem = Problem(*separated(30, 4, gap=0.5), Linear(), math.inf)
    method = Hulls(algorithm=algorithm, mu=0.13, tol=1e-6)
    run = solve(problem, method)
    cursor = Cursor(run)
    for step in range(run.steps + 1):
        tau = cursor.state(step).tau
        assert 0.0 <= tau.min() <= tau.max() <= 0.13
        assert tau[problem.y > 0].sum() == pytest.approx(1.0, abs=1e-12)
        assert tau[problem.y < 0].sum() == pytest.approx(1.0, abs=1e-12)
    assert (cursor.state(run.steps).tau == 0.13).any()


@pytest.mark.parametrize("algorithm", ["mdm", "wolfe"])
def test_without_free_vectors_the_middle_of_the_interval(algorithm):
    # mu = 1/2: the two nearest points of each class have all weight; r+ is between 2 and 5.
    X = [[1.0], [2.0], [5.0], [-1.0], [-3.0], [-10.0]]
    problem = Problem(np.array(X), np.array([1, 1, 1, -1, -1, -1.0]), Linear(), math.inf)
    weights, _ = solved(problem, 0.5, algorithm)
    np.testing.assert_allclose(weights, [0.5, 0.5, 0, 0.5, 0.5, 0], atol=1e-12)
    middle = bisector(problem, weights)
    assert middle.width == pytest.approx(3.5)
    np.testing.assert_allclose(middle.expansion(np.array([[1.5], [-2.0]])), [1, -1])
    nu = nu_boundary(problem, weights, 0.5)
    assert nu.width == pytest.approx(3.5 + 6.5)
    np.testing.assert_allclose(nu.expansion(np.array([[3.5], [-6.5]])), [1, -1])
    assert nu.label != middle.label


def test_the_smallest_cap_leaves_the_mean_of_the_smaller_class():
    X, y = separated(21, 6)
    problem = Problem(X, y, Linear(), math.inf)
    mu = smallest_mu(problem)
    weights, _ = solved(problem, mu)
    smaller = y > 0 if (y > 0).sum() < (y < 0).sum() else y < 0
    np.testing.assert_allclose(weights[smaller], mu)


def test_one_point_has_no_boundary():
    problem = Problem(np.array([[1.0], [1.0]]), np.array([1.0, -1.0]), Linear(), math.inf)
    for make in (bisector, lambda p, w: nu_boundary(p, w, 1.0)):
        with pytest.raises(BadInput, match="coincide"):
            make(problem, np.ones(2))
