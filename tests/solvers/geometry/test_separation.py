"""Whether hulls meet: against linear programming, in exact cases, and near rounding error."""

import numpy as np
import pytest
from scipy.optimize import linprog

from solvers import (
    RBF,
    Linear,
    Polynomial,
    Problem,
    Sigmoid,
    largest_separating_mu,
    separation,
)
from solvers.geometry.separation import margin_through_origin, smallest_mu
from tests.solvers.problems import (
    EIGHT_LABELS,
    EIGHT_POINTS,
    XOR_LABELS,
    XOR_POINTS,
    cloud,
    contradictory,
    separated,
)


def hulls_meet(X, y, mu=1.0):
    """Return whether both (reduced) hulls contain a common point, by linear programming."""
    equations = np.vstack([(y * X.T), y > 0, y < 0]).astype(float)
    right = np.append(np.zeros(X.shape[1]), [1.0, 1.0])
    return linprog(np.zeros(len(X)), A_eq=equations, b_eq=right, bounds=(0, mu)).status == 0


def random_points(seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(4, 40)), int(rng.integers(1, 5))
    if seed % 3 == 0:
        X, y = separated(n, seed, gap=0.05)
        return np.column_stack([X, rng.normal(size=(n, d))]), y
    if seed % 3 == 1:
        return contradictory(max(n, 8), seed)
    return cloud(n, seed, noise=0.3, d=d)


@pytest.mark.parametrize("seed", range(40))
def test_agrees_with_linear_programming(seed):
    X, y = random_points(seed)
    found = separation(Problem(X, y, kernel=Linear()))
    assert found.separable is not hulls_meet(X, y)
    for sign in (1, -1):
        assert found.weights[y == sign].sum() == pytest.approx(1.0)
    assert found.weights.min() >= 0.0
    p_minus_q = (y * found.weights) @ X
    if found.separable:
        nearest, farthest = (X[y > 0] @ p_minus_q).min(), (X[y < 0] @ p_minus_q).max()
        assert nearest > farthest
    else:
        assert np.abs(p_minus_q).max() <= 1e-6 * np.abs(X).max()
        assert found.steps <= 12


@pytest.mark.parametrize("seed", range(12))
def test_largest_mu_agrees_with_linear_programming(seed):
    X, y = cloud(24, seed, noise=0.8)
    mu = largest_separating_mu(Problem(X, y, kernel=Linear()))
    smallest = smallest_mu(Problem(X, y))
    if mu is None:
        assert hulls_meet(X, y, smallest)
        return
    assert smallest <= mu <= 1.0
    assert not hulls_meet(X, y, mu * (1 - 1e-4)) or mu == smallest
    if mu < 1.0:
        assert hulls_meet(X, y, mu * (1 + 1e-4))


def test_exact_cases():
    eight = separation(Problem(EIGHT_POINTS, EIGHT_LABELS, kernel=Linear()), exact=True)
    assert eight.separable
    assert eight.distance == pytest.approx(2.0, abs=1e-12)
    np.testing.assert_allclose(eight.weights, [0, 0, 1, 0, 0.5, 0, 0.5, 0], atol=1e-12)
    xor = separation(Problem(XOR_POINTS, XOR_LABELS, kernel=Linear()))
    assert xor.separable is False
    np.testing.assert_allclose(xor.weights, 0.5)
    curved = separation(Problem(XOR_POINTS, XOR_LABELS, kernel=Polynomial(1, 1, 2)), exact=True)
    # ||w||^2 = sum alpha = 1/2, and the distance is 2 / ||w||.
    assert curved.distance == pytest.approx(2 / np.sqrt(0.5))


def test_without_a_bias_the_hull_must_not_contain_the_origin():
    beside = [[1.0, 0.0], [2.0, 1.0]]
    assert separation(Problem(beside, [-1, 1], kernel=Linear())).separable
    assert separation(Problem(beside, [-1, 1], kernel=Linear(), bias="none")).separable
    behind = [[1.0, 0.0], [2.0, 0.0]]
    assert separation(Problem(behind, [-1, 1], kernel=Linear(), bias="none")).separable is False
    ahead = Problem([[-3.0, 1.0], [3.0, 1.0]], [-1, 1], kernel=Linear(), bias="none")
    assert margin_through_origin(ahead) == pytest.approx(3.0)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_units_and_origin_do_not_matter(scale, offset):
    X, y = separated(30, 1, gap=0.02)
    assert separation(Problem(scale * (X + offset), y, kernel=Linear())).separable is True
    X, y = cloud(30, 1)
    assert separation(Problem(scale * (X + offset), y, kernel=Linear())).separable is False


def test_hulls_within_rounding_error_count_as_meeting():
    gap = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1e-9], [1.0, 1e-9]])
    assert separation(Problem(gap, [1, 1, -1, -1], kernel=Linear())).separable is False
    assert separation(Problem(1e3 * gap * [1, 1e4], [1, 1, -1, -1], kernel=Linear())).separable


def test_an_indefinite_kernel_proves_nothing():
    X, y = cloud(12, 3)
    assert separation(Problem(X, y, kernel=Sigmoid(1.0, -1.0))).separable is None


@pytest.mark.parametrize("n", [60, 400])
def test_many_points_and_a_sharp_kernel(n):
    X, y = cloud(n, 2, noise=1.0)
    for gamma in (0.3, 30.0):
        found = separation(Problem(X, y, kernel=RBF(gamma)))
        if gamma == 30.0:
            assert found.separable
    twice = np.vstack([X, X[:1]]), np.append(y, -y[0])
    assert separation(Problem(*twice, kernel=RBF(30.0))).separable is False
