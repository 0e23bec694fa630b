"""Each kernel four ways: the definition, the Gram matrix, the compiled program, the grid."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers import (
    KERNELS,
    RBF,
    SMO,
    Expansion,
    FullQuadratic,
    HomogeneousQuadratic,
    Laplacian,
    Linear,
    Polynomial,
    Problem,
    Quadratic,
    Reason,
    Sigmoid,
    solve,
)
from solvers.jit.compiled import compiled
from solvers.jit.simd import bits_of, float_of, larger, multiply_add, smaller
from solvers.kernels.arithmetic import fast_exp, fast_tanh
from solvers.kernels.evaluator import kernel_sums
from solvers.kernels.programs import ADD, CONSTANT, Program, plus_one
from tests.solvers.problems import (
    cloud,
    contradictory,
    define_gram,
    kernels_of,
    nothing_is_nan,
    size_of_gram,
)

# Kernels whose features are infinitely many or unknown.
WITHOUT_FEATURES = ("rbf", "laplacian", "sigmoid", "composed", "custom")
ALL = [kernel for kind in KERNELS.values() for kernel in kernels_of(kind)]
# Formulas are for the plane only, other kernels for any number of coordinates.
CASES = [(kernel, d) for kernel in ALL for d in (1, 2, 5) if d == 2 or kernel.name != "custom"]
every_case = pytest.mark.parametrize(("kernel", "d"), CASES, ids=repr)
every_kernel = pytest.mark.parametrize("kernel", ALL, ids=repr)


def rows_of(program: Program, A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Return the Gram matrix from the compiled program."""
    return kernel_sums(program, A, np.eye(len(A)), B)


def points(d: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(d)
    A, B = 2 * rng.normal(size=(7, d)), 2 * rng.normal(size=(37, d))
    B[3] = A[2]
    B[4] = 0.0
    return A, B


def test_registry_names_every_kernel():
    assert {name: kind.name for name, kind in KERNELS.items()} == {name: name for name in KERNELS}
    for kind in KERNELS.values():
        assert kind.label
        assert kind.notation
        assert kind.help.endswith(".")


@every_case
def test_gram_matrix_is_the_definition(kernel, d):
    A, B = points(d)
    tolerance = 1e-14 * size_of_gram(kernel, A, B)
    definition = define_gram(kernel, A, B)
    assert (np.abs(kernel(A, B) - definition) <= tolerance).all()
    assert (np.abs(rows_of(kernel.program(), A, B) - definition) <= 2 * tolerance).all()


@every_case
def test_diagonal(kernel, d):
    _, B = points(d)
    np.testing.assert_allclose(kernel.diagonal(B), np.diag(define_gram(kernel, B, B)), rtol=1e-13)


@every_kernel
def test_an_augmented_bias_adds_one(kernel):
    X, y = cloud(12, 0)
    dual_form = Problem(X, y, kernel=kernel, bias="augmented").dual_form
    program = Program(dual_form.ops, dual_form.args)
    np.testing.assert_allclose(rows_of(program, X, X), kernel(X, X) + 1, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(dual_form.diagonal, np.diag(kernel(X, X)) + 1, rtol=1e-12)
    plain = Problem(X, y, kernel=kernel).dual_form
    np.testing.assert_allclose(plain.diagonal, np.diag(kernel(X, X)), rtol=1e-12)


@every_kernel
def test_sums_of_programs(kernel):
    # k + 1 + k + k, with both operands deep in the stack: (k 1 (k k +) +) +
    A, B = points(2)
    twice = kernel.program().then(kernel.program(), Program.of(ADD))
    one = Program.of(CONSTANT, 1.0)
    nested = kernel.program().then(one, twice, Program.of(ADD), Program.of(ADD))
    expected = 3 * kernel(A, B) + 1
    np.testing.assert_allclose(rows_of(nested, A, B), expected, rtol=1e-11, atol=1e-11)
    flat = plus_one(twice.then(kernel.program(), Program.of(ADD)))
    np.testing.assert_allclose(rows_of(flat, A, B), expected, rtol=1e-11, atol=1e-11)


@every_kernel
def test_combination_of_rows(kernel):
    S, B = points(2)
    weights = np.stack([np.linspace(-1, 2, len(S)), np.arange(len(S)) % 2.0])
    out = kernel_sums(kernel.program(), S, weights, B)
    np.testing.assert_allclose(out, weights @ kernel(S, B), rtol=1e-10, atol=1e-10)


@every_kernel
@pytest.mark.parametrize("far", [0.0, 30.0])
def test_expansion_at_points_and_on_a_grid(kernel, far):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(25, 2)) + far
    beta = rng.normal(size=25) * (rng.random(25) < 0.7)
    f = Expansion(kernel, X, beta, bias=0.3)
    xs, ys = np.linspace(-3, 3, 9) + far, np.linspace(-1, 2, 5) + far
    nodes = np.array([(x, y) for y in ys for x in xs])
    expected = define_gram(kernel, nodes, X) @ beta + 0.3
    tolerance = 1e-12 * (size_of_gram(kernel, nodes, X) @ np.abs(beta))
    assert (np.abs(f(nodes) - expected) <= tolerance).all()
    grid = f.on_grid(xs, ys)
    assert grid.shape == (5, 9)
    assert (np.abs(grid.ravel() - expected) <= tolerance).all()
    assert f.support.tolist() == np.flatnonzero(beta).tolist()
    if isinstance(kernel, Linear):
        np.testing.assert_allclose(f(nodes), nodes @ f.w + 0.3, atol=1e-10)
    else:
        assert f.w is None


@every_kernel
def test_expansion_without_support_is_its_bias(kernel):
    f = Expansion(kernel, np.ones((4, 2)), np.zeros(4), bias=-2.0)
    assert f(np.zeros((3, 2))).tolist() == [-2.0] * 3
    assert f(np.zeros((0, 2))).tolist() == []
    assert (f.on_grid(np.arange(3.0), np.arange(2.0)) == np.full((2, 3), -2.0)).all()


@every_case
def test_feature_map_gives_the_gram_matrix(kernel, d):
    A, B = points(d)
    features = kernel.feature_map(A)
    if features is None:
        assert kernel.name in WITHOUT_FEATURES, (
            f"{kernel.name} has no feature_map: write it, or add the kernel to WITHOUT_FEATURES if"
            " its features are infinitely many or unknown"
        )
        return
    size = size_of_gram(kernel, A, B)
    assert (np.abs(features @ kernel.feature_map(B).T - kernel(A, B)) <= 1e-13 * size).all()


def test_feature_maps_are_those_of_the_lecture():
    x = np.array([[3.0, -2.0]])
    root = math.sqrt(2.0)
    for kernel, features in (
        (Linear(), [3, -2]),
        (Quadratic(), [3, -2, 13]),
        (HomogeneousQuadratic(), [9, 4, -6 * root]),
        (FullQuadratic(), [1, 3, -2, 9, 4, -6 * root]),
        (Polynomial(1.0, 1.0, 2), [1, 3 * root, -2 * root, 9, -6 * root, 4]),
        (Polynomial(1.0, 0.0, 1), [0, 3, -2]),
    ):
        found = kernel.feature_map(x)
        assert found is not None
        np.testing.assert_allclose(found, [features], rtol=1e-14)


def test_a_feature_map_with_too_many_features_is_none():
    assert Polynomial(degree=10).feature_map(np.ones((2, 40))) is None
    assert Polynomial(degree=10).feature_map(np.ones((2, 3))).shape == (2, 286)


@every_kernel
def test_kernels_positive_by_construction_have_no_negative_eigenvalue(kernel):
    for seed in range(5):
        X = contradictory(40, seed)[0] * 10.0 ** (seed - 3)
        K = kernel(X, X)
        if kernel.mercer:
            assert np.linalg.eigvalsh(K).min() >= -1e-10 * len(X) * np.abs(K).max()


@every_kernel
def test_problems_are_solved_with_every_kernel(kernel):
    X, y = cloud(40, 3)
    run = solve(Problem(X, y, kernel=kernel, C=0.5), SMO(tol=1e-5, max_steps=20_000))
    assert nothing_is_nan(run.expansion.beta, run.certificate.dual)
    if kernel.mercer:
        assert run.reason is Reason.CONVERGED
        assert run.certificate.kkt <= 1.01e-5
        assert run.certificate.gap <= 1e-3 * max(1.0, run.certificate.dual)


@pytest.mark.parametrize(
    "kernel", [RBF(1e9), RBF(1e-9), Laplacian(1e300), Sigmoid(1e300), Sigmoid(1e-9)], ids=repr
)
def test_distant_points_cause_no_overflow(kernel):
    # Warnings are errors: numpy must not complain, and nothing may be NaN.
    X = np.array([[1e99, 0], [-1e99, 1e99], [1e99, -1e99], [1e-99, 0]])
    for K in (kernel(X, X), rows_of(kernel.program(), X, X)):
        assert np.isfinite(K).all()
        assert np.abs(K).max() <= 1.0
    np.testing.assert_allclose(kernel(X, X), rows_of(kernel.program(), X, X), atol=1e-15)
    values = kernel.on_grid(np.ones(4), X, np.array([0.0, 1e99]), np.array([-1e99]))
    assert np.isfinite(values).all()


@given(st.floats(-708, 709, exclude_min=True))
def test_fast_exp(x):
    assert fast_exp(x) == pytest.approx(math.exp(x), rel=4e-16, abs=0)


def test_fast_exp_at_the_ends_of_its_range():
    assert fast_exp(0.0) == 1.0
    assert fast_exp(-0.0) == 1.0
    assert fast_exp(-708.0) == fast_exp(-1e300) == fast_exp(-math.inf) == 0.0
    assert fast_exp(1e300) == fast_exp(math.inf) == fast_exp(709.0) < math.inf
    x = np.sort(np.random.default_rng(0).uniform(-709, 709, 4000))
    values = np.array([fast_exp(one) for one in x])
    # Never falls by more than its rounding.
    assert (values[1:] >= values[:-1] * (1 - 4e-16)).all()


@given(st.floats(-25.0, 25.0) | st.floats(-1e-3, 1e-3) | st.sampled_from([1e-300, -1e-17, 1e-9]))
def test_fast_tanh_keeps_the_digits_of_tiny_values(x):
    # 1 - 2 / (exp(2x) + 1) would be 0 below 1e-16.
    assert fast_tanh(x) == pytest.approx(math.tanh(x), rel=6e-16, abs=5e-324)
    kernel = Sigmoid(1.0, 0.0)
    row = rows_of(kernel.program(), np.array([[1.0, 0.0]]), np.array([[x, 2.0]]))
    assert row.item() == pytest.approx(math.tanh(x), rel=6e-16, abs=5e-324)


def test_fast_tanh_at_the_ends_of_its_range():
    assert fast_tanh(1e300) == fast_tanh(math.inf) == fast_tanh(25.0) == 1.0
    assert fast_tanh(-1e300) == fast_tanh(-math.inf) == fast_tanh(-25.0) == -1.0
    assert fast_tanh(0.0) == 0.0


@given(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9))
def test_operations_of_simd_are_the_same_in_python_and_compiled(a, b):
    compiled_results = operations_of(a, b)
    assert compiled_results[:2] == (larger(a, b), smaller(a, b))
    assert compiled_results[2] == pytest.approx(multiply_add(a, b, a), rel=1e-15, abs=1e-6)
    assert compiled_results[3:] == (bits_of(a), a) == (bits_of(a), float_of(bits_of(a)))


@compiled
def operations_of(a: float, b: float) -> tuple[float, float, float, int, float]:
    """Return the results of all operations."""
    return larger(a, b), smaller(a, b), multiply_add(a, b, a), bits_of(a), float_of(bits_of(a))


def test_polynomial_of_odd_degree_keeps_signs():
    A, B = np.array([[1.0, 0.0]]), np.array([[-2.0, 5.0]])
    assert Polynomial(1.0, 0.0, 3)(A, B).item() == -8.0
    assert rows_of(Polynomial(1.0, 0.0, 3).program(), A, B).item() == -8.0


@pytest.mark.parametrize("kernel", [Polynomial(degree=10), Quadratic(), FullQuadratic()])
def test_values_of_huge_points_overflow_without_a_warning(kernel):
    huge = np.array([[1e100, 1e-100], [-1e90, 1e120]])
    assert np.isinf(kernel(huge, huge)).any()
    assert np.isinf(kernel.diagonal(huge)).any()
