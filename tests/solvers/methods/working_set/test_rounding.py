"""Working sets near rounding error: every run ends with a true reason and without a NaN."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import RBF, Linear, Polynomial, Problem, Reason, WorkingSet, solve
from tests.solvers.extremes import ends_with_a_true_reason, extreme_points, kernels, penalties
from tests.solvers.problems import cloud, contradictory, is_one_sentence, nothing_is_nan

methods = st.sampled_from(
    [
        WorkingSet(max_steps=3000),
        WorkingSet(max_steps=3000, choice="worst", size=3),
        WorkingSet(max_steps=3000, choice="osuna", size=2),
        WorkingSet(max_steps=3000, size=4),
    ]
)


@settings(max_examples=300)
@given(extreme_points(), kernels, penalties, methods)
def test_extreme_input_ends_with_a_true_reason(points, kernel, C, method):
    X, y = points
    ends_with_a_true_reason(solve(Problem(X, y, kernel=kernel, C=C), method))


@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_a_tolerance_below_rounding_ends_with_a_reason(shift):
    X, y = cloud(30, 0, noise=0.8)
    run = solve(Problem(X + shift, y, kernel=Linear()), WorkingSet(tol=1e-12, max_steps=50_000))
    assert run.reason in (Reason.STALLED, Reason.CONVERGED, Reason.STEP_LIMIT)
    best = solve(Problem(X, y, kernel=Linear()), WorkingSet(tol=1e-9)).certificate
    assert run.certificate.dual == pytest.approx(best.dual, rel=1e-3)


def test_a_run_converges_only_if_the_certificate_agrees():
    # Kernel values of 1e5 times 1e4 of alpha: f has 7 digits after the point, and loses them too.
    ends = []
    for seed, scale, power in itertools.product(range(4), (3.0, 5.0, 8.0), range(5, 9)):
        X, y = cloud(300, seed, noise=0.8)
        tol = 10.0**-power
        problem = Problem(X * scale, y, Polynomial(1.0, 1.0, 3), C=100.0)
        run = solve(problem, WorkingSet(tol=tol, max_steps=10_000))
        ends.append((run.reason, "computed from scratch" in run.stop.sentence))
        assert is_one_sentence(run.stop.sentence)
        if run.reason is Reason.CONVERGED:
            assert run.certificate.kkt <= tol
        elif ends[-1][1]:
            # As good as it can be: P is known to rounding, and is the optimum to rounding.
            assert run.certificate.kkt > tol
            assert run.certificate.relative_gap < 1e-6
    assert ends.count((Reason.STALLED, True)) >= 4
    assert ends.count((Reason.CONVERGED, False)) >= 12


@pytest.mark.parametrize("C", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("kernel", [Linear(), RBF(1e-9), RBF(1e9)], ids=["linear", "flat", "sharp"])
def test_points_with_both_labels(C, kernel):
    X, y = contradictory(400, 5)
    run = solve(Problem(X, y, kernel=kernel, C=C), WorkingSet(max_steps=200_000))
    assert is_one_sentence(run.stop.sentence)
    assert nothing_is_nan(run.certificate.dual, run.certificate.gap)
    assert run.reason is Reason.CONVERGED
    assert run.certificate.kkt <= 1e-3 * (1 + 1e-6)
    assert run.certificate.gap <= 1e-3 * C * 400 + 1e-9 * abs(run.certificate.primal)


@pytest.mark.parametrize("n", [2, 7, 300])
def test_one_point_with_both_labels(n):
    y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    run = solve(Problem(np.ones((n, 2)), y, C=3.0), WorkingSet())
    assert run.reason is Reason.CONVERGED
    assert run.certificate.primal == pytest.approx(2 * 3.0 * (n // 2))
    assert run.expansion.bias == (1.0 if n % 2 else 0.0)


@pytest.mark.parametrize("tiny", [1e-20, 5.4e-41, 1e-90])
def test_newton_steps_keep_the_sum_where_kernel_values_differ_most(tiny):
    X, y = np.array([[100.0], [tiny], [-100.0]]), np.array([1, -1, 1])
    problem = Problem(X, y, kernel=Linear(), C=1.0)
    run = solve(problem, WorkingSet(max_steps=3000))
    for step in range(run.steps + 1):
        assert abs(run.at(step).expansion.beta.sum()) <= 1e-12
