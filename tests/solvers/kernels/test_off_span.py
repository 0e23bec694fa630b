"""A direction off the span is 0 at the points, and has length 1 in the feature space."""

import numpy as np
import pytest

from solvers import RBF, FullQuadratic, Laplacian, Linear, Polynomial
from solvers.kernels.feature_geometry import off_span

X = np.random.default_rng(3).normal(size=(40, 2))


def places(seed=0):
    return np.random.default_rng(seed).uniform(-3.0, 3.0, (64, 2))


@pytest.mark.parametrize("kernel", [RBF(0.5), RBF(5.0), Laplacian(1.0)], ids=repr)
@pytest.mark.parametrize("seed", range(3))
def test_it_is_0_at_the_points_and_of_length_1(kernel, seed):
    found = off_span(kernel, X, places(seed))
    assert np.abs(found(X)).max() < 1e-3
    square = found.weights @ kernel(found.X, found.X) @ found.weights
    assert square == pytest.approx(1.0, abs=1e-3)
    assert found(found.X[-1:])[0] == pytest.approx(np.abs(found(places(seed))).max())
    # By the inequality of Cauchy and Schwarz, and it is not 0 elsewhere.
    others = np.random.default_rng(seed).uniform(-4.0, 4.0, (300, 2))
    assert np.abs(found(others)).max() <= np.sqrt(kernel.diagonal(others).max()) + 1e-6
    assert np.abs(found(others)).max() > 1e-2


def test_added_to_w_it_only_raises_the_norm():
    kernel, beta = RBF(1.0), np.random.default_rng(0).normal(size=len(X))
    found = off_span(kernel, X, places())
    both = 0.7 * found.weights + np.append(beta, 0.0)
    square = both @ kernel(found.X, found.X) @ both
    assert square == pytest.approx(beta @ kernel(X, X) @ beta + 0.49, rel=1e-4)


@pytest.mark.parametrize("kernel", [Linear(), FullQuadratic(), Polynomial(degree=3)])
def test_points_that_span_a_finite_feature_space_leave_nothing(kernel):
    assert off_span(kernel, X, places()) is None


def test_few_points_leave_something_of_every_kernel():
    found = off_span(Polynomial(degree=3), X[:4], places())
    assert np.abs(found(X[:4])).max() < 1e-6
