"""Sub-gradient descent against twenty naive lines, its bound, and with steps that are too long."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import (
    RBF,
    SMO,
    BadInput,
    CoordinateAscent,
    Cursor,
    Linear,
    Polynomial,
    Problem,
    Reason,
    Sigmoid,
    Subgradient,
    certify,
    solve,
)
from solvers.run.formulas import number
from tests.solvers.extremes import extreme_points, kernels, magnitudes
from tests.solvers.problems import cloud, define_gram, is_one_sentence, nothing_is_nan, separated

KERNELS = [Linear(), Polynomial(0.5, 1.0, 2), RBF(0.8), Sigmoid(0.3, 0.1)]
RATES = ["inverse", "constant", "root"]
every_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
every_rate = pytest.mark.parametrize("rate", RATES)
every_bias = pytest.mark.parametrize("bias", ["free", "none", "augmented"])


def run_naively(problem, method, steps):
    """Run the printed algorithm; yield (beta, b, objective) after each step."""
    y, lam, n = problem.y, problem.lam, problem.n
    K = define_gram(problem.kernel, problem.X, problem.X) + (problem.bias == "augmented")
    beta, b = np.zeros(n), 0.0
    for t in range(1, steps + 1):
        eta = {"inverse": 1 / (lam * t), "constant": method.eta0, "root": method.eta0 / t**0.5}
        eta = eta[method.rate]
        inside = y * (K @ beta + b) < 1
        beta = (1 - eta * lam) * beta + eta / n * inside * y
        if problem.bias == "free":
            b += eta / n * (inside * y).sum()
        slack = np.maximum(0, 1 - y * (K @ beta + b))
        yield beta, b, lam / 2 * beta @ K @ beta + slack.mean()


@every_kernel
@every_rate
@every_bias
@pytest.mark.parametrize("C", [0.31, 7.3])
def test_equals_the_naive_version(kernel, rate, bias, C):
    # More than 256 steps, after which ``pull`` is recomputed.
    problem = Problem(*cloud(23, 2, noise=1.0), kernel=kernel, C=C, bias=bias)
    method = Subgradient(rate=rate, eta0=0.71, max_steps=300)
    run = solve(problem, method)
    best = solve(problem, Subgradient(rate=rate, eta0=0.71, max_steps=300, best=True))
    cursor, best_cursor = Cursor(run), Cursor(best)
    lowest, kept = 1.0, (np.zeros(23), 0.0)
    for t, (beta, b, value) in enumerate(run_naively(problem, method, 300), start=1):
        if value < lowest:
            lowest, kept = value, (beta, b)
        for one, (wanted, bias_wanted) in ((cursor, (beta, b)), (best_cursor, kept)):
            shown = one.seek(t, with_event=False).expansion
            np.testing.assert_allclose(shown.beta, wanted, atol=1e-9 * C)
            if bias == "augmented":
                bias_wanted = wanted.sum()
            assert shown.bias == pytest.approx(bias_wanted, abs=1e-9 * C)
        assert run.trace.event(t)["value"] == pytest.approx(value, rel=1e-9)


@every_rate
@every_bias
@pytest.mark.parametrize("kernel", [Linear(), RBF(0.8)], ids=lambda kernel: kernel.name)
def test_the_bound_holds(rate, bias, kernel):
    problem = Problem(*cloud(40, 4, noise=1.0), kernel=kernel, C=2.0, bias=bias)
    other = SMO(tol=1e-9) if bias == "free" else CoordinateAscent(tol=1e-9)
    optimum = solve(problem, other)
    unit = problem.C * problem.n
    lowest = optimum.certificate.primal / unit
    free = optimum.expansion.bias if bias == "free" else 0.0
    squared_distance = optimum.certificate.norm**2 + free**2
    for eta0 in (0.1, 2.0):
        run = solve(problem, Subgradient(rate=rate, eta0=eta0, max_steps=400))
        cursor = Cursor(run)
        best, total, squares, longest = 1.0, 0.0, 0.0, 0.0
        for t in range(1, 401):
            event = cursor.seek(t).event
            longest = max(longest, event.values["gradient_norm"])
            total, squares = total + event.values["eta"], squares + event.values["eta"] ** 2
            best = min(best, event.values["value"])
            bound = (squared_distance + longest**2 * squares) / (2 * total)
            assert -1e-9 <= best - lowest <= bound
            assert event.values["best"] == pytest.approx(best, rel=1e-9)


@every_bias
def test_events_describe_the_step(bias):
    problem = Problem(*cloud(21, 3, noise=1.0), kernel=RBF(0.8), C=1.7, bias=bias)
    K = problem.kernel(problem.X, problem.X) + (bias == "augmented")
    run = solve(problem, Subgradient(rate="root", eta0=3.0, max_steps=120))
    cursor = Cursor(run)
    before = cursor.seek(0)
    for t in range(1, 121):
        after = cursor.seek(t)
        event, values = after.event, after.event.values
        old, new = (certify(problem, shown.expansion) for shown in (before, after))
        assert (values["t"], values["eta"]) == (t, pytest.approx(3.0 / t**0.5))
        assert values["violating"] == np.flatnonzero(problem.y * old.decision < 1).tolist()
        assert values["eta_lam"] == pytest.approx(values["eta"] * problem.lam)
        assert values["norm"] == pytest.approx(new.norm)
        assert values["value_before"] == pytest.approx(old.primal * problem.lam)
        assert values["value"] == pytest.approx(new.primal * problem.lam)
        assert values["best"] <= values["value"]
        assert values["best_step"] <= t
        signed = np.zeros(21)
        signed[list(values["violating"])] = problem.y[list(values["violating"])] / problem.n
        g = problem.lam * before.expansion.beta - signed
        share = signed.sum() ** 2 if bias == "free" else 0.0
        assert values["gradient_norm"] == pytest.approx(math.sqrt(g @ K @ g + share))
        numbers = [formula.numbers for formula in event.formulas]
        assert numbers[0].endswith(f"= {number(values['eta'])}")
        assert rf"\left(1 - {number(values['eta_lam'])}\right)" in numbers[1]
        assert (f" {number(values['eta'] / problem.n)}" in numbers[1]) == bool(values["violating"])
        assert len(numbers) == (2 if bias == "none" else 3)
        if bias != "none":
            assert values["b"] == pytest.approx(after.expansion.bias)
            assert numbers[2].endswith(f"= {number(values['b'])}")
        before = after


@every_bias
def test_decreasing_steps_come_near_the_optimum(bias):
    problem = Problem(*cloud(60, 4, noise=1.0), kernel=Linear(), C=0.5, bias=bias)
    other = SMO(tol=1e-6) if bias == "free" else CoordinateAscent(tol=1e-6)
    lowest = solve(problem, other).certificate.primal
    for rate in ("inverse", "root"):
        method = Subgradient(rate=rate, best=True, max_steps=20_000)
        assert lowest <= solve(problem, method).certificate.primal < 1.01 * lowest


@every_bias
def test_alpha_stays_in_the_box_of_short_steps(bias):
    problem = Problem(*cloud(30, 4, noise=1.0), kernel=RBF(), C=0.5, bias=bias)
    for rate, eta0 in (("inverse", 1.0), ("constant", 0.9 / problem.lam), ("root", 14.9)):
        assert eta0 * problem.lam <= 1
        cursor = Cursor(solve(problem, Subgradient(rate=rate, eta0=eta0, max_steps=200)))
        for t in range(201):
            alpha = problem.y * cursor.seek(t, with_event=False).expansion.beta
            assert alpha.min() >= 0.0
            assert alpha.max() <= problem.C * (1 + 1e-12)


@every_kernel
@every_bias
def test_too_long_steps_end_with_a_true_reason(kernel, bias):
    problem = Problem(*cloud(20, 4, noise=1.0), kernel=kernel, C=0.5, bias=bias)
    run = solve(problem, Subgradient(rate="constant", eta0=2.5 / problem.lam))
    assert run.reason is Reason.STALLED
    assert "w grows without bound, since steps of size 25 are above 2/λ = 20" in run.stop.sentence
    assert 100 < run.steps < 5000
    certificate = run.certificate
    assert certificate.alpha.max() > 1e100
    assert nothing_is_nan(certificate.primal, certificate.dual, certificate.gap, certificate.kkt)
    # Below the limit it may oscillate, but does not diverge.
    run = solve(problem, Subgradient(rate="constant", eta0=1.9 / problem.lam))
    assert run.reason is Reason.STEP_LIMIT
    assert np.abs(run.certificate.alpha).max() < 100 * problem.C


def test_stopping_when_slow():
    problem = Problem(*separated(30, 4), kernel=Linear(), C=1.0)
    run = solve(problem, Subgradient(stop_early=True, progress=1e-2))
    assert run.reason is Reason.STALLED
    assert "no proof of an optimum" in run.stop.sentence
    assert run.steps % 100 == 0
    values = [run.trace.event(t)["value"] for t in range(1, run.steps + 1)]
    judged = [min([1.0, *values[:t]]) for t in range(0, run.steps + 1, 100)]
    lowered = [1 - after / before for before, after in itertools.pairwise(judged)]
    assert lowered[-1] <= 1e-2 < min(lowered[:-1])


@every_rate
def test_a_guess_is_clipped_to_the_box(rate):
    problem = Problem(*cloud(20, 4, noise=1.0), kernel=RBF(), C=1.0, bias="augmented")
    run = solve(problem, Subgradient(rate=rate, max_steps=50), guess=np.linspace(-9, 9, 20))
    alpha = problem.y * run.at(0).expansion.beta
    assert alpha.min() == 0.0
    assert alpha.max() == (0.0 if rate == "inverse" else 1.0)
    best = solve(problem, CoordinateAscent(tol=1e-8))
    warm = Subgradient(rate=rate, eta0=1e-3, best=True, max_steps=50)
    warm_run = solve(problem, warm, guess=best.expansion.beta)
    if rate != "inverse":
        assert warm_run.certificate.primal == pytest.approx(best.certificate.primal, rel=1e-2)


def test_two_starts_meet():
    X, y = cloud(30, 2, noise=1.0)
    problem = Problem(X, y, kernel=Linear(), C=1.0)
    best = solve(problem, SMO(tol=1e-8)).certificate.primal
    means = X[y > 0].mean(axis=0) - X[y < 0].mean(axis=0)
    for begin, side in (("means", 1.0), ("against", -1.0), ("zero", 0.0)):
        method = Subgradient(begin=begin, rate="root", eta0=3.0, best=True, max_steps=3000)
        run = solve(problem, method)
        assert run.at(0).expansion.w == pytest.approx(side * means, abs=1e-12)
        assert best <= run.certificate.primal <= 1.02 * best


def test_the_hard_margin_is_refused():
    problem = Problem(*separated(8, 1), kernel=Linear(), C=math.inf)
    with pytest.raises(BadInput, match="Sub-gradient descent needs a finite C"):
        solve(problem, Subgradient())


@settings(max_examples=300)
@given(
    extreme_points(),
    kernels,
    magnitudes(-6, 6),
    st.sampled_from(["free", "none", "augmented"]),
    st.sampled_from(RATES),
    magnitudes(-9, 9),
    st.booleans(),
    st.booleans(),
)
def test_extreme_input_ends_with_a_true_reason(points, kernel, C, bias, rate, eta0, best, early):
    problem = Problem(*points, kernel=kernel, C=C, bias=bias)
    method = Subgradient(rate=rate, eta0=eta0, best=best, stop_early=early, max_steps=700)
    run = solve(problem, method)
    certificate, expansion = run.certificate, run.expansion
    assert is_one_sentence(run.stop.sentence)
    assert np.isfinite(expansion.beta).all()
    assert math.isfinite(expansion.bias)
    assert nothing_is_nan(certificate.primal, certificate.dual, certificate.gap, certificate.kkt)
    assert is_one_sentence(run.at(run.steps).event.sentence if run.steps else "None.")
    if run.reason is Reason.STEP_LIMIT:
        assert run.steps == 700
    elif "grows without bound" in run.stop.sentence:
        assert rate != "inverse"
        assert eta0 * problem.lam > 2
    else:
        assert early
        assert "no proof of an optimum" in run.stop.sentence
