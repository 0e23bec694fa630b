"""Nested powers: the work grows with the length of the text, not tenfold with each level."""

import numpy as np
import pytest

from solvers import Composed
from solvers.kernels.standard import RBF, Linear

NESTED = "((((((rbf(1))^10)^10)^10)^10)^10)^10"
POINTS = np.random.default_rng(0).normal(size=(5, 2))
NODES = np.linspace(-1.0, 1.0, 4)


@pytest.mark.parametrize(
    ("expression", "ask"),
    [
        (NESTED, "separable_terms"),
        ("((((linear())^10)^10)^10)^10", "separable_terms"),
        ("((((((1*rbf(1))^10)^10)^10)^10)^10)^10", "separable_terms"),
        ("((((linear())^3)^2)^1)^1", "feature_map"),
        ("(((((scale(norm, rbf(1)))^10)^10)^10)^10)^10", "feature_map"),
    ],
)
def test_a_part_is_computed_once_per_occurrence(monkeypatch, expression, ask):
    calls = []

    def count(kind):
        answer = getattr(kind, ask)
        monkeypatch.setattr(kind, ask, lambda self, *rest: calls.append(1) or answer(self, *rest))

    for kind in (Linear, RBF):
        count(kind)
    kernel = Composed(expression)
    if ask == "feature_map":
        kernel.feature_map(POINTS)
    else:
        kernel.on_grid(np.ones(len(POINTS)), POINTS, NODES, NODES)
    assert len(calls) == 1


@pytest.mark.parametrize(
    "expression", ["(((rbf(0.01))^2)^3)^4", "((linear() + 1)^2)^2", "(poly(2)^2)^1"]
)
def test_random_nested_powers_are_correct(expression):
    kernel = Composed(expression)
    beta = np.linspace(-1.0, 1.0, len(POINTS))
    x, y = np.meshgrid(NODES, NODES)
    nodes = np.column_stack([x.ravel(), y.ravel()])
    drawn = kernel.on_grid(beta, POINTS, NODES, NODES)
    np.testing.assert_allclose(drawn.ravel(), kernel(nodes, POINTS) @ beta, rtol=1e-9, atol=1e-9)
    features = kernel.feature_map(POINTS)
    if features is not None:
        np.testing.assert_allclose(features @ features.T, kernel(POINTS, POINTS), rtol=1e-9)
