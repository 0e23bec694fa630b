"""Whether the dual is concave depends on the betas that it allows; then P is never below D."""

import dataclasses

import numpy as np
import pytest

from solvers import (
    RBF,
    SMO,
    BadInput,
    Composed,
    Custom,
    Hulls,
    InteriorPoint,
    Linear,
    Problem,
    Reason,
    Regression,
    Sigmoid,
    certify,
    solve,
)
from solvers.kernels.mercer import MAX_POINTS, check_concavity
from solvers.problem.certificate import proves_optimum
from solvers.problem.expansion import Expansion
from tests.solvers.problems import cloud

DISTANCE = Custom("1 - (x1 - z1)^2 - (x2 - z2)^2")
X, Y = cloud(30, 1)


def smallest_eigenvalue_where_allowed(problem):
    """Return the smallest eigenvalue of K on an orthonormal basis of the allowed betas."""
    K, n = problem.kernel(problem.X, problem.X), problem.n
    if problem.bias == "augmented":
        K = K + 1.0
    basis = np.eye(n)
    if problem.bias == "free":
        basis = np.linalg.svd(np.ones((1, n)))[2][1:].T
    return np.linalg.eigvalsh(basis.T @ K @ basis)[0]


@pytest.mark.parametrize("bias", ["free", "none", "augmented"])
@pytest.mark.parametrize(
    "kernel",
    [
        DISTANCE,
        Custom("-0.5 - (x1 - z1)^2 - (x2 - z2)^2"),
        Sigmoid(1.0, -1.0),
        Sigmoid(0.01, 0.0),
        Custom("x1*z1 + x2*z2 - 1"),
        Custom("-abs(x1 - z1)"),
        Custom("x1*z1 - 0.5*x2*z2"),
        RBF(2.0),
        Composed("rbf - 0.3"),
    ],
)
def test_only_allowed_betas_count(kernel, bias):
    problem = Problem(X, Y, kernel, 1.0, bias)
    smallest = smallest_eigenvalue_where_allowed(problem)
    limit = 1e-10 * problem.n * np.abs(kernel(X, X)).max()
    assert problem.concavity.concave is bool(smallest >= -limit)


def test_the_free_bias_and_the_regularised_one_make_kernels_of_some_that_are_none():
    free, none, augmented = (
        Problem(X, Y, kernel, 1.0, bias).concavity
        for kernel, bias in (
            (DISTANCE, "free"),
            (DISTANCE, "none"),
            (Custom("x1*z1 + x2*z2 - 1"), "augmented"),
        )
    )
    assert [each.concave for each in (free, none, augmented)] == [True, False, True]
    assert all(each.mercer.refuted for each in (free, none, augmented))
    assert "With a free bias only β with Σ β = 0 count" in free.sentence
    assert none.sentence.endswith("several maxima, and no gap proves an optimum.")
    assert "With the regularised bias K + 1 counts" in augmented.sentence


@pytest.mark.parametrize("seed", range(20))
def test_primal_is_never_below_dual_if_the_gap_is_a_proof(seed):
    random = np.random.default_rng(seed)
    problem = Problem(X, Y, DISTANCE, 2.0)
    alpha = random.uniform(0.0, 2.0, problem.n)
    for sign in (1.0, -1.0):
        of_class = sign == Y
        alpha[of_class] *= min(alpha[Y == 1].sum(), alpha[Y == -1].sum()) / alpha[of_class].sum()
    expansion = Expansion(DISTANCE, X, alpha * Y, random.normal())
    certificate = certify(problem, expansion)
    assert proves_optimum(problem, expansion)
    assert not certificate.repaired
    assert certificate.gap >= -1e-9 * certificate.primal


def test_beta_with_another_sum_is_no_proof():
    problem = Problem(X, Y, DISTANCE, 2.0)
    ones = Expansion(DISTANCE, X, np.full(problem.n, 1.0), 0.0)
    assert not proves_optimum(problem, ones)
    assert certify(problem, ones).norm == 0.0 or certify(problem, ones).primal < 0.0
    assert proves_optimum(Problem(X, Y, RBF(), 2.0), ones)


def test_smo_and_interior_point_reach_one_optimum_with_a_conditionally_positive_kernel():
    problem = Problem(X, Y, DISTANCE, 3.0)
    # 1 - |x - z|^2 is 2 <x, z> where sum beta = 0.
    linear = Problem(X, Y, Custom("2*(x1*z1 + x2*z2)"), 3.0)
    runs = [solve(problem, SMO(tol=1e-9)), solve(problem, InteriorPoint(tol=1e-9))]
    wanted = solve(linear, InteriorPoint(tol=1e-9)).certificate
    for run in runs:
        assert run.reason is Reason.CONVERGED
        assert "better optimum" not in run.stop.sentence
        assert run.certificate.primal == pytest.approx(wanted.primal, rel=1e-7)
        assert run.certificate.gap == pytest.approx(0.0, abs=1e-6 * wanted.primal)
        assert run.certificate.decision == pytest.approx(wanted.decision, abs=1e-5)


def test_interior_point_of_a_conditionally_positive_regression():
    x = np.linspace(-1.0, 2.0, 25)[:, None]
    targets = np.sin(3.0 * x[:, 0]) + 4.0
    kernel = Composed("rbf(gamma=2) - 3")
    problem = Regression(x, targets, kernel, 5.0, epsilon=0.05)
    assert problem.concavity.mercer.refuted
    run = solve(problem, InteriorPoint(tol=1e-9))
    assert run.reason is Reason.CONVERGED
    assert run.certificate.kkt <= 1e-8
    assert run.certificate.gap == pytest.approx(0.0, abs=1e-6)


def test_interior_point_says_that_the_dual_is_not_concave_only_if_it_is_not():
    run = solve(Problem(X, Y, Custom("x1*z1 - 2*x2*z2"), 10.0), InteriorPoint())
    if run.reason is not Reason.CONVERGED:
        assert "the dual is not concave" in run.stop.sentence
        assert run.problem.concavity.concave is False
    for seed in range(5):
        points, labels = cloud(20, seed)
        run = solve(Problem(points, labels, DISTANCE, 10.0), InteriorPoint())
        assert run.reason is Reason.CONVERGED


def test_a_dual_that_is_not_concave_may_have_several_maxima():
    # K = (1, -3; -3, 1), so D = a + b - a^2 / 2 - b^2 / 2 - 3 a b: (1, 0) and (0, 1) are maxima.
    kernel = Custom("1 - 4*abs(x1 - z1)")
    problem = Problem(
        np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([1.0, -1.0]), kernel, 1.0, "none"
    )
    assert problem.concavity.concave is False
    ends = []
    for beta in ([1.0, 0.0], [0.0, -1.0]):
        expansion = Expansion(kernel, problem.X, np.array(beta), 0.0)
        certificate = certify(problem, expansion)
        assert certificate.kkt == 0.0
        assert not proves_optimum(problem, expansion)
        ends.append(certificate.dual)
    assert ends == [0.5, 0.5]


def test_of_many_points_a_sample_refutes_and_proves_nothing():
    many = np.random.default_rng(0).normal(size=(MAX_POINTS + 50, 2))
    undecided = check_concavity(DISTANCE, many, "free")
    assert undecided.concave is None
    assert "on all points it may not be" in undecided.sentence
    assert check_concavity(DISTANCE, many, "none").concave is False
    assert check_concavity(RBF(), many, "none").concave is True


def test_a_kernel_without_a_value_proves_nothing():
    problem = Problem(X, Y, RBF(), 1.0)
    broken = dataclasses.replace(problem)

    class NoValue(RBF):
        @property
        def mercer(self):
            return False

        def check(self, points, max_points=0):
            raise BadInput("The kernel has no value.")

    object.__setattr__(broken, "kernel", NoValue())
    assert not proves_optimum(broken, Expansion(RBF(), X, np.zeros(len(X)), 0.0))


@pytest.mark.parametrize("algorithm", ["mdm", "wolfe"])
def test_hulls_meet_also_with_a_conditionally_positive_kernel(algorithm):
    ends = [
        solve(Problem(X, Y, kernel, np.inf), Hulls(algorithm=algorithm)).stop
        for kernel in (DISTANCE, Linear())
    ]
    assert ends[0] == ends[1]
    assert ends[0].reason is Reason.NOT_SEPARABLE
