"""Certificates against explicit sums, and against the theory."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from solvers import KERNELS, RBF, SMO, Expansion, Linear, Problem, certify, solve
from solvers.problem.certificate import BOUND, FREE, ZERO, is_feasible, repair
from tests.solvers.problems import (
    EIGHT_ALPHA,
    EIGHT_LABELS,
    EIGHT_POINTS,
    cloud,
    define_gram,
    kernels_of,
    random_problem,
)

KERNEL_CASES = [kernels_of(kind)[-1] for kind in KERNELS.values()]
BIASES = ["free", "none", "augmented"]
# Positive semi-definite kernels: only with them the optima of dual and primal agree.
MERCER = [kernel for kernel in KERNEL_CASES if kernel.name != "sigmoid"]


def problem_of(seed, kernel=None, C=2.3, bias="free", n=14) -> Problem:
    return Problem(*cloud(n, seed, noise=1.0), kernel=kernel or RBF(0.7), C=C, bias=bias)


def with_alpha(problem: Problem, alpha: np.ndarray, b: float) -> Expansion:
    """Return the f with these alpha; b is what the problem makes it, or as given if it is free."""
    biases = {"free": b, "augmented": float(alpha @ problem.y), "none": 0.0}
    return Expansion(problem.kernel, problem.X, problem.y * alpha, biases[problem.bias])


def feasible_alpha(problem: Problem, seed: int) -> np.ndarray:
    """Return a random alpha in the box, with equal sums if the bias is free; many at a bound."""
    rng = np.random.default_rng(seed)
    top = problem.C if not problem.hard else 3.0
    alpha = np.clip(rng.normal(0.5, 1.0, problem.n), 0, 1) * top
    return repair(problem, alpha)


@pytest.mark.parametrize("kernel", KERNEL_CASES, ids=lambda kernel: kernel.name)
@pytest.mark.parametrize("bias", BIASES)
@pytest.mark.parametrize("seed", range(4))
def test_everything_is_the_sum_of_its_formula(kernel, bias, seed):
    problem = problem_of(seed, kernel, bias=bias)
    alpha = feasible_alpha(problem, seed)
    expansion = with_alpha(problem, alpha, b=0.37)
    y, C, n = problem.y, problem.C, problem.n
    K = define_gram(kernel, problem.X, problem.X)
    f = [sum(alpha[i] * y[i] * K[i, j] for i in range(n)) + expansion.bias for j in range(n)]
    xi = [max(0.0, 1 - y[j] * f[j]) for j in range(n)]
    norm = sum(alpha[i] * alpha[j] * y[i] * y[j] * K[i, j] for i in range(n) for j in range(n))
    norm += expansion.bias**2 if bias == "augmented" else 0.0
    certificate = certify(problem, expansion)
    np.testing.assert_allclose(certificate.decision, f, atol=1e-10)
    np.testing.assert_allclose(certificate.slack, xi, atol=1e-10)
    assert certificate.alpha.tolist() == alpha.tolist()
    assert certificate.primal == pytest.approx(0.5 * norm + C * sum(xi), abs=1e-9)
    assert certificate.dual == pytest.approx(sum(alpha) - 0.5 * norm, abs=1e-9)
    assert certificate.norm == pytest.approx(math.sqrt(max(norm, 0)), abs=1e-6)
    assert certificate.gap == certificate.primal - certificate.dual
    assert not certificate.repaired


def test_slack_that_is_only_rounding_is_0():
    raw = []
    y = np.array([1.0, -1.0])
    for seed in range(40):
        X = np.random.default_rng(seed).normal(size=(2, 2))
        apart = X[0] - X[1]
        alpha = 2.0 / float(apart @ apart)
        w = alpha * apart
        # By hand: the two margin lines pass through the two points.
        bias = -0.5 * float(w @ (X[0] + X[1]))
        problem = Problem(X, y, kernel=Linear(), C=2.0 * alpha)
        found = certify(problem, Expansion(problem.kernel, X, y * alpha, bias))
        raw.append(float((1.0 - y * found.decision).max()))
        assert found.slack.tolist() == [0.0, 0.0]
        # Slack above the rounding error is unchanged.
        nearer = certify(problem, Expansion(problem.kernel, X, 0.9 * y * alpha, 0.9 * bias))
        assert nearer.slack == pytest.approx([0.1, 0.1])
    assert 0.0 < max(raw) < 1e-13


@given(
    seed=st.integers(0, 10**6),
    bias=st.sampled_from(BIASES),
    kernel=st.sampled_from(KERNEL_CASES),
    C=st.floats(-3, 3).map(lambda power: 10**power),
    b=st.floats(-5, 5),
)
@example(seed=0, bias="none", kernel=Linear(), C=0.1, b=1.0)
def test_gap_is_never_negative(seed, bias, kernel, C, b):
    problem = problem_of(seed, kernel, C, bias)
    certificate = certify(problem, with_alpha(problem, feasible_alpha(problem, seed), b))
    assert not certificate.repaired
    assert certificate.gap >= -1e-9 * (1 + C) * max(1.0, abs(certificate.dual))
    assert certificate.relative_gap >= -1e-9


@given(
    seed=st.integers(0, 10**6),
    bias=st.sampled_from(BIASES),
    C=st.floats(-3, 3).map(lambda power: 10**power),
    size=st.floats(-2, 12).map(lambda power: 10**power),
)
def test_repaired_alpha_is_feasible(seed, bias, C, size):
    problem = problem_of(seed, C=C, bias=bias)
    alpha = np.random.default_rng(seed).normal(size=problem.n) * size
    repaired = repair(problem, alpha)
    assert is_feasible(problem, repaired)
    assert repair(problem, repaired) == pytest.approx(repaired, rel=1e-12)
    assert (repaired[alpha <= 0] == 0).all()


@pytest.mark.parametrize("kernel", MERCER, ids=lambda kernel: kernel.name)
@pytest.mark.parametrize("seed", range(6))
def test_every_certificate_brackets_the_optimum(kernel, seed):
    problem = problem_of(seed, kernel)
    best = solve(problem, SMO(tol=1e-8)).certificate
    optimum = best.dual
    assert best.primal == pytest.approx(optimum, rel=1e-6)
    rng = np.random.default_rng(seed)
    for size in (0.01, 1.0, 100.0):
        # Infeasible: beta of any sign and size.
        wild = Expansion(kernel, problem.X, rng.normal(size=problem.n) * size, float(rng.normal()))
        certificate = certify(problem, wild)
        assert certificate.repaired
        assert 0.0 <= certificate.dual <= optimum * (1 + 1e-9)
        assert certificate.primal >= optimum * (1 - 1e-9)


def test_feasibility_is_exact_at_the_box_and_relative_to_alpha():
    problem = problem_of(0, C=2.0)
    plus, minus = np.argmax(problem.y), np.argmin(problem.y)
    alpha = np.zeros(problem.n)
    alpha[[plus, minus]] = 2.0
    assert is_feasible(problem, alpha)
    alpha[plus] = np.nextafter(2.0, 3.0)
    assert not is_feasible(problem, alpha)
    alpha[[plus, minus]] = 1.0, 1.0 + 1e-7
    assert not is_feasible(problem, alpha)
    alpha[[plus, minus]] = 1.0, 1.0 + 1e-12
    assert is_feasible(problem, alpha)
    alpha[[plus, minus]] = 1e-12, 3e-12
    assert not is_feasible(problem, alpha)
    alpha[minus] = alpha[plus] = -1e-300
    assert not is_feasible(problem, alpha)
    unbound = dataclasses.replace(problem, bias="none")
    assert is_feasible(unbound, np.eye(problem.n)[0])


def test_kinds_and_kkt():
    X = np.array([[-3.0], [-1.0], [-0.5], [0.5], [1.0], [3.0]])
    y = np.array([-1.0, -1.0, -1.0, 1.0, 1.0, 1.0])
    problem = Problem(X, y, kernel=Linear(), C=0.5)
    # f(x) = x: the margins y f are 3, 1, .5, .5, 1, 3.
    margins = np.array([3, 1, 0.5, 0.5, 1, 3])
    for alpha, kinds, violation in (
        ([0, 0, 0, 0, 0, 0], [ZERO] * 6, np.maximum(0, 1 - margins)),
        ([0.5] * 6, [BOUND] * 6, np.maximum(0, margins - 1)),
        ([0.1, 0.2, 0.3, 0.4, 0.2, 0.1], [FREE] * 6, np.abs(1 - margins)),
        ([0, 0.1, 0.5, 0.5, 0.1, 0], [ZERO, FREE, BOUND, BOUND, FREE, ZERO], np.zeros(6)),
    ):
        beta = y * np.array(alpha)
        scale = beta @ X[:, 0]
        wanted = Expansion(Linear(), X, beta, 0.0)
        # Only the box of alpha matters here; f is set by scaling the points.
        stretched = X / (scale or 1.0)
        certificate = certify(problem, dataclasses.replace(wanted, X=stretched))
        assert certificate.kinds.tolist() == kinds
        assert [certificate.count(kind) for kind in (ZERO, FREE, BOUND)] == [
            kinds.count(kind) for kind in (ZERO, FREE, BOUND)
        ]
        if scale:
            np.testing.assert_allclose(certificate.decision, X[:, 0])
            np.testing.assert_allclose(certificate.violation, violation, atol=1e-12)
            assert certificate.kkt == pytest.approx(violation.max(), abs=1e-12)
        else:
            assert certificate.violation.tolist() == [1.0] * 6


def test_a_hard_margin_is_scaled_to_one():
    problem = Problem(EIGHT_POINTS, EIGHT_LABELS, kernel=Linear(), C=math.inf)
    alpha = np.array(EIGHT_ALPHA)
    for factor in (1e-60, 0.3, 1 - 1e-15, 1.0, 2.0, 1e20):
        certificate = certify(problem, with_alpha(problem, alpha * factor, 0.0))
        # w = (0, factor), so that min y f = factor: scaled back, P = 1/2 whatever the factor.
        assert certificate.primal == pytest.approx(0.5)
        assert certificate.gap >= -1e-12
    for separated_not_yet in (np.zeros(8), -alpha):
        certificate = certify(problem, with_alpha(problem, separated_not_yet, 0.0))
        assert certificate.primal == math.inf
        assert certificate.gap == math.inf
        assert certificate.relative_gap == math.inf
    assert certify(problem, with_alpha(problem, np.zeros(8), 0.0)).margin == math.inf


def test_optimum_is_zero_gap_and_zero_violation():
    problem = Problem(EIGHT_POINTS, EIGHT_LABELS, kernel=Linear(), C=2.0)
    certificate = certify(problem, with_alpha(problem, np.array(EIGHT_ALPHA), 0.0))
    assert certificate.gap == pytest.approx(0, abs=1e-14)
    assert certificate.kkt == pytest.approx(0, abs=1e-14)
    assert certificate.margin == pytest.approx(1)
    assert certificate.relative_gap == pytest.approx(0, abs=1e-14)


@pytest.mark.parametrize("seed", range(5))
def test_regularised_bias_is_one_more_coordinate(seed):
    # k + 1 on x is k on (x, 1) without a bias: everything must agree.
    X, y = cloud(14, seed)
    augmented = Problem(X, y, kernel=Linear(), C=1.7, bias="augmented")
    lifted = Problem(np.column_stack([X, np.ones(14)]), y, kernel=Linear(), C=1.7, bias="none")
    alpha = feasible_alpha(augmented, seed)
    one = certify(augmented, with_alpha(augmented, alpha, 0.0))
    two = certify(lifted, with_alpha(lifted, alpha, 0.0))
    np.testing.assert_allclose(one.decision, two.decision, atol=1e-12)
    for name in ("primal", "dual", "norm", "kkt"):
        assert getattr(one, name) == pytest.approx(getattr(two, name), rel=1e-12)


def test_arrays_are_frozen():
    certificate = solve(random_problem(1)).certificate
    for field in dataclasses.fields(certificate):
        value = getattr(certificate, field.name)
        if isinstance(value, np.ndarray):
            assert not value.flags.writeable
