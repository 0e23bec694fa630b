"""Mercer's check refutes indefinite kernels, and claims no more than it checked."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers import RBF, BadInput, Composed, Custom, Laplacian, Linear, Sigmoid
from solvers.kernels.kernel import Kernel
from solvers.kernels.mercer import MAX_POINTS, check_mercer
from tests.solvers.problems import cloud, is_one_sentence

X = cloud(30, 1)[0]


class Lopsided(Linear):
    """A kernel that is not symmetric and claims nothing."""

    @property
    def mercer(self) -> bool:
        return False

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        return super().__call__(A, 2.0 * B) + A[:, :1]


def test_kernels_positive_by_construction_are_not_computed():
    for kernel in (RBF(), Linear(), Laplacian(), Composed("exp(poly(2))*rbf + 2")):
        verdict = check_mercer(kernel, X)
        assert (verdict.by_construction, verdict.refuted, verdict.checked) == (True, False, 0)
        assert verdict.sentence == "Valid kernel: all eigenvalues of its matrix K are ≥ 0."


def test_the_lectures_counterexamples_are_refuted():
    for kernel in (Custom("1 - (x1 - z1)^2 - (x2 - z2)^2"), Sigmoid(1.0, -1.0), Composed("-rbf")):
        verdict = check_mercer(kernel, X)
        assert verdict.refuted
        smallest = np.linalg.eigvalsh(kernel(X, X)).min()
        assert verdict.smallest == pytest.approx(smallest)
        assert verdict.sentence.startswith("Not positive semi-definite: on these points the small")
        assert is_one_sentence(verdict.sentence)


def test_a_kernel_that_is_not_refuted_is_not_proved():
    for kernel in (Custom("x1*z1 + x2*z2"), Composed("2*rbf - rbf")):
        verdict = check_mercer(kernel, X)
        assert not verdict.refuted
        assert not verdict.by_construction
        assert verdict.sentence == (
            "Positive semi-definite on these points; it may not be on others."
        )


def test_negative_eigenvalues_within_rounding_error_do_not_refute():
    # Rank 2 on 30 points: 28 eigenvalues are 0 up to rounding, on either side.
    verdict = check_mercer(Custom("1e50*(x1*z1 + x2*z2)"), X)
    assert verdict.smallest < 0.0
    assert not verdict.refuted


def test_symmetry_is_checked_first():
    verdict = check_mercer(Lopsided(), X)
    assert verdict.refuted
    assert verdict.sentence == "Not a kernel: the function is not symmetric on these points."
    with pytest.raises(BadInput, match="not symmetric"):
        check_mercer(Custom("x1*z2"), X)


def test_many_points_are_sampled_and_it_says_so():
    many = np.random.default_rng(0).normal(size=(5000, 2))
    verdict = check_mercer(Sigmoid(), many)
    assert (verdict.checked, verdict.n) == (MAX_POINTS, 5000)
    assert "on a sample of 400 of these points" in verdict.sentence


def test_one_point_is_enough_for_the_check():
    assert not check_mercer(Sigmoid(), X[:1]).refuted
    assert check_mercer(Composed("-rbf"), X[:1]).refuted
    assert not check_mercer(Sigmoid(), X[:0]).refuted


LEAVES = ["linear", "rbf(gamma=3)", "poly(2, 0.5, 0)", "laplacian", "quadratic", "1.5"]
JOINED = st.recursive(
    st.sampled_from(LEAVES),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(" + ".join).map("({})".format),
        st.tuples(inner, inner).map(" * ".join).map("({})".format),
        inner.map("exp({}/100)".format),
        inner.map("scale(inverse_norm, {})".format),
        inner.map("scale(gaussian(0.1), {})".format),
        inner.map("({})^2".format),
    ),
    max_leaves=4,
)


@given(JOINED, st.integers(0, 5))
def test_eigenvalues_never_contradict_the_closure_rules(text, seed):
    kernel: Kernel = Composed(text)
    points = cloud(25, seed)[0]
    assert kernel.mercer
    K = kernel(points, points)
    if np.isfinite(K).all():
        assert np.linalg.eigvalsh(K).min() >= -1e-10 * len(K) * np.abs(K).max()
    assert not Composed(f"-({text})").mercer
    assert not Composed(f"{text} - rbf").mercer
    assert not Composed(f"sigmoid * {text}").mercer


@pytest.mark.parametrize("kernel", [Custom("log(x1*z1)"), Composed("-exp(9*poly(9))")])
def test_a_point_without_a_value_is_named_by_its_number_among_all_points(kernel):
    points = np.full((1000, 2), 0.1)
    # The point 18 is the eighth of the sample.
    points[17] = -3.0
    with pytest.raises(BadInput, match=r" (1|18) and 18[: ]"):
        check_mercer(kernel, points)
