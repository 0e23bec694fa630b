"""A memory of grids makes fields quicker, and does not change them."""

import numpy as np
import pytest

from solvers import KERNELS, RBF, Expansion
from solvers.kernels.grids import MAX_CACHED_GRIDS, GridMemory

XS, YS = np.linspace(-2.0, 2.0, 17), np.linspace(-1.0, 1.5, 11)


class Counted(RBF):
    """A kernel that counts the points for which it computes terms."""

    def __init__(self, asked: list[int]) -> None:
        super().__init__(0.7)
        object.__setattr__(self, "asked", asked)

    def separable_terms(self, S, xs, ys):
        self.asked.append(len(S))  # type: ignore[attr-defined]
        return super().separable_terms(S, xs, ys)


def some_points(n: int) -> np.ndarray:
    return np.random.default_rng(n).normal(size=(n, 2))


def betas(n: int, count: int):
    """Return the coefficients of successive steps, with changing support."""
    generator = np.random.default_rng(1)
    for _ in range(count):
        yield generator.normal(size=n) * (generator.random(n) < 0.4)


@pytest.mark.parametrize("name", KERNELS)
def test_the_field_is_the_same_for_every_kernel(name):
    kernel, X = KERNELS[name](), some_points(40)
    memory = GridMemory(kernel, X)
    for beta in betas(40, 5):
        f = Expansion(kernel, X, beta, 0.25)
        expected = f.on_grid(XS, YS)
        size = max(1.0, float(np.abs(expected).max()))
        np.testing.assert_allclose(f.on_grid(XS, YS, memory), expected, atol=1e-12 * size)


def test_terms_of_a_point_are_computed_once():
    asked: list[int] = []
    X = some_points(30)
    memory = GridMemory(Counted(asked), X)
    met = np.zeros(30, dtype=bool)
    for beta in betas(30, 8):
        memory.on_grid(beta, XS, YS)
        met |= beta != 0.0
    assert sum(asked) == met.sum() < 8 * 30 * 0.4
    # Without any support vector f is the bias.
    assert not memory.on_grid(np.zeros(30), XS, YS).any()


def test_unused_grids_are_forgotten():
    asked: list[int] = []
    memory, beta = GridMemory(Counted(asked), some_points(10)), np.ones(10)
    for shift in [*range(MAX_CACHED_GRIDS), *range(MAX_CACHED_GRIDS)]:
        memory.on_grid(beta, XS + shift, YS)
    assert sum(asked) == 10 * MAX_CACHED_GRIDS
    memory.on_grid(beta, XS + MAX_CACHED_GRIDS, YS)
    memory.on_grid(beta, XS, YS)
    assert sum(asked) == 10 * (MAX_CACHED_GRIDS + 2)


def test_terms_that_take_too_much_memory_are_not_kept(monkeypatch):
    monkeypatch.setattr("solvers.kernels.grids.MAX_CACHED_NUMBERS", 100)
    asked: list[int] = []
    X, beta = some_points(20), np.ones(20)
    memory = GridMemory(Counted(asked), X)
    for _ in range(2):
        values = memory.on_grid(beta, XS, YS)
    assert asked == [20, 20]
    np.testing.assert_array_equal(values, RBF(0.7).on_grid(beta, X, XS, YS))
