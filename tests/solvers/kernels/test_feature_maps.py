"""Feature maps: inner products of phi are the kernel."""

import numpy as np
import pytest

from solvers import (
    RBF,
    Composed,
    FullQuadratic,
    HomogeneousQuadratic,
    Laplacian,
    Linear,
    Polynomial,
    Quadratic,
)
from solvers.kernels.feature_maps import feature_map, gaussian_field

FINITE = [
    Linear(),
    *(Polynomial(gamma=g, coef0=c, degree=q)
      for g, c, q in ((1.0, 1.0, 2), (0.5, 0.0, 3), (2.0, 0.3, 5), (1.0, 1.0, 10))),
    Quadratic(),
    HomogeneousQuadratic(),
    FullQuadratic(),
    Composed("(1 + 2*linear)^3"),
    Composed("0.5*quadratic + homogeneous_quadratic*linear"),
    Composed("(linear + 0.5)^2 + 3"),
    Composed("linear + 0"),
]  # fmt: skip


@pytest.mark.parametrize("kernel", FINITE, ids=repr)
@pytest.mark.parametrize("d", [1, 2, 3])
def test_inner_products_are_the_kernel(kernel, d):
    X = np.random.default_rng(d).uniform(-1.5, 1.5, size=(200, d))
    phi = feature_map(kernel, d)(X)
    K = kernel(X, X)
    np.testing.assert_allclose(phi @ phi.T, K, rtol=1e-12, atol=1e-12 * np.abs(K).max())


@pytest.mark.parametrize("gamma", [0.1, 1.0, 3.0])
def test_the_map_of_the_rbf_kernel_comes_near_it_term_by_term(gamma):
    X = np.random.default_rng(1).uniform(-1.0, 1.0, size=(60, 2))
    K = RBF(gamma)(X, X)
    errors = []
    for terms in (0, 1, 2, 4, 8, 16, 30):
        phi = feature_map(RBF(gamma), 2, terms)(X)
        errors.append(np.abs(phi @ phi.T - K).max())
    assert (np.diff(errors) <= 1e-15).all()
    assert errors[-1] < 1e-6
    # The series of exp(2 g <x, z>) up to 4 factors, written out.
    inner = X @ X.T
    squares = np.einsum("ij,ij->i", X, X)
    series = sum((2 * gamma * inner) ** k / float(np.prod(range(1, k + 1))) for k in range(5))
    expected = np.exp(-gamma * (squares[:, None] + squares)) * series
    phi = feature_map(RBF(gamma), 2, 4)(X)
    np.testing.assert_allclose(phi @ phi.T, expected, atol=1e-12)


def letters(kernel):
    return [coordinate.letters for coordinate in feature_map(kernel, 2).coordinates]


def test_the_maps_of_the_notes_as_they_are_printed():
    assert letters(HomogeneousQuadratic()) == ["x_{1}^{2}", "x_{2}^{2}", r"\sqrt{2} x_{1} x_{2}"]
    assert letters(Quadratic()) == ["x_{1}", "x_{2}", "x_{1}^2 + x_{2}^2"]
    assert letters(FullQuadratic())[:3] == ["1", "x_{1}", "x_{2}"]
    assert letters(Composed("quadratic^2"))[-1] == r"\|x\|^{4}"
    for kernel in (Laplacian(1.0), Composed("rbf + linear"), Composed("linear - 1")):
        assert feature_map(kernel, 2) is None


@pytest.mark.parametrize("terms", [0, 1, 4, 20])
def test_the_field_of_the_cut_map_is_that_of_its_inner_products(terms):
    rng = np.random.default_rng(terms)
    X, beta = rng.normal(size=(30, 2)), rng.normal(size=30)
    xs, ys = np.linspace(-2.0, 2.0, 7), np.linspace(-1.0, 3.0, 5)
    nodes = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    phi = feature_map(RBF(0.8), 2, terms)
    expected = phi(nodes) @ (beta @ phi(X))
    found = gaussian_field(X, beta, 0.8, terms, xs, ys)
    np.testing.assert_allclose(found.ravel(), expected, atol=1e-12)


def test_the_cut_map_has_numbers_beside_huge_coordinates():
    phi = feature_map(RBF(2.0), 2, 60)(np.array([[1e200, 3.0], [-5.0, 0.0], [0.0, 0.0]]))
    assert np.isfinite(phi).all()
    assert not phi[0].any()
    assert (np.abs(phi) <= 1.0).all()
    assert phi[2].sum() == 1.0
