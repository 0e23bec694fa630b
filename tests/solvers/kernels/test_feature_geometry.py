"""The feature space: kernel PCA, distances and a direction off the span, against explicit maps."""

import numpy as np
import pytest
import scipy.linalg

from solvers import RBF, FullQuadratic, Laplacian, Linear, Polynomial, Sigmoid
from solvers.kernels.feature_geometry import (
    components,
    distances_to_mean,
    feature_distance,
    off_span,
    refuting_points,
)
from solvers.kernels.kernel_text import Composed

KERNELS = [Linear(), RBF(0.7), Polynomial(gamma=0.5, coef0=1.0, degree=3), FullQuadratic()]
X = np.random.default_rng(0).normal(size=(40, 2))


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
@pytest.mark.parametrize("centred", [True, False])
def test_eigenpairs_are_those_of_scipy_and_components_are_their_projections(kernel, centred):
    H = np.eye(len(X)) - centred / len(X)
    K = H @ kernel(X, X) @ H
    found = components(kernel, X, centred=centred)
    values = scipy.linalg.eigh(K, eigvals_only=True)[::-1][: len(found.values)]
    np.testing.assert_allclose(found.values, values, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(K @ found.vectors, found.vectors * found.values, atol=1e-8)
    z = found.at(X)
    np.testing.assert_allclose(z, found.vectors * np.sqrt(found.values), atol=1e-6)
    # All components together give the kernel back.
    np.testing.assert_allclose(z @ z.T, K, atol=1e-7)


def test_with_the_linear_kernel_it_is_pca():
    centred = X - X.mean(axis=0)
    spread = np.linalg.svd(centred)[1] ** 2
    np.testing.assert_allclose(components(Linear(), X).values, spread)
    new = np.array([[0.3, -2.0], [5.0, 1.0]])
    lengths = np.linalg.norm(components(Linear(), X).at(new), axis=1)
    np.testing.assert_allclose(lengths, np.linalg.norm(new - X.mean(axis=0), axis=1))


def test_few_points_refute_what_is_no_kernel():
    for kernel in (Composed("1 - 0.5*linear()"), Sigmoid(gamma=2.0, coef0=-1.0)):
        K = kernel(X, X)
        points = refuting_points(K)
        assert 0 < len(points) <= 3
        assert np.linalg.eigvalsh(K[np.ix_(points, points)])[0] < 0.0
    assert refuting_points(RBF(1.0)(X, X)) == ()


def test_distances_are_those_of_the_feature_map():
    def phi(points):
        x, z = points.T
        return np.column_stack([np.sqrt(2) * x, np.sqrt(2) * z, x**2, z**2, np.sqrt(2) * x * z])

    kernel = Polynomial(gamma=1.0, coef0=1.0, degree=2)
    full = np.column_stack([np.ones(len(X)), phi(X)])
    np.testing.assert_allclose(full @ full.T, kernel(X, X))
    for i, j in ((0, 1), (3, 17)):
        found = feature_distance(kernel, X[i], X[j])
        assert found.plane == pytest.approx(np.linalg.norm(X[i] - X[j]))
        assert found.feature == pytest.approx(np.linalg.norm(full[i] - full[j]))
        cosine = full[i] @ full[j] / np.linalg.norm(full[i]) / np.linalg.norm(full[j])
        assert np.cos(np.radians(found.angle)) == pytest.approx(cosine)
    expected = np.linalg.norm(full - full[:10].mean(axis=0), axis=1)
    np.testing.assert_allclose(distances_to_mean(kernel, X, X[:10]), expected)


@pytest.mark.parametrize("unit", [1e-155, 1.0, 1e80])
def test_the_angle_does_not_depend_on_the_unit(unit):
    x = np.array([1.0, 0.0])
    for z, angle in (([0.0, 2.0], 90.0), ([3.0, 3.0], 45.0), ([5.0, 0.0], 0.0)):
        found = feature_distance(Linear(), unit * x, unit * np.array(z))
        assert found.angle == pytest.approx(angle, abs=1e-4)


SAMPLE = np.random.default_rng(3).normal(size=(40, 2))


def places(seed=0):
    return np.random.default_rng(seed).uniform(-3.0, 3.0, (64, 2))


@pytest.mark.parametrize("kernel", [RBF(0.5), RBF(5.0), Laplacian(1.0)], ids=repr)
@pytest.mark.parametrize("seed", range(3))
def test_a_direction_off_the_span_is_0_at_the_points_and_of_length_1(kernel, seed):
    found = off_span(kernel, SAMPLE, places(seed))
    assert np.abs(found(SAMPLE)).max() < 1e-3
    square = found.weights @ kernel(found.X, found.X) @ found.weights
    assert square == pytest.approx(1.0, abs=1e-3)
    assert found(found.X[-1:])[0] == pytest.approx(np.abs(found(places(seed))).max())
    # By the inequality of Cauchy and Schwarz, and it is not 0 elsewhere.
    others = np.random.default_rng(seed).uniform(-4.0, 4.0, (300, 2))
    assert np.abs(found(others)).max() <= np.sqrt(kernel.diagonal(others).max()) + 1e-6
    assert np.abs(found(others)).max() > 1e-2


def test_added_to_w_it_only_raises_the_norm():
    kernel, beta = RBF(1.0), np.random.default_rng(0).normal(size=len(SAMPLE))
    found = off_span(kernel, SAMPLE, places())
    both = 0.7 * found.weights + np.append(beta, 0.0)
    square = both @ kernel(found.X, found.X) @ both
    assert square == pytest.approx(beta @ kernel(SAMPLE, SAMPLE) @ beta + 0.49, rel=1e-4)


@pytest.mark.parametrize("kernel", [Linear(), FullQuadratic(), Polynomial(degree=3)])
def test_points_that_span_a_finite_feature_space_leave_nothing(kernel):
    assert off_span(kernel, SAMPLE, places()) is None


def test_few_points_leave_something_of_every_kernel():
    found = off_span(Polynomial(degree=3), SAMPLE[:4], places())
    assert np.abs(found(SAMPLE[:4])).max() < 1e-6
