"""Coordinate ascent against twenty naive lines, against other solvers, and its stops."""

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.svm import LinearSVC

from solvers import (
    RBF,
    BadInput,
    CoordinateAscent,
    Cursor,
    InteriorPoint,
    Linear,
    Polynomial,
    Problem,
    Reason,
    Sigmoid,
    certify,
    separation,
    solve,
)
from solvers.run.formulas import number
from tests.solvers.extremes import extreme_points, kernels, penalties
from tests.solvers.problems import (
    cloud,
    contradictory,
    define_gram,
    is_one_sentence,
    nothing_is_nan,
    separated,
)
from tests.solvers.states import same_state

KERNELS = [Linear(), Polynomial(0.5, 1.0, 2), RBF(0.8), Sigmoid(2.0, -0.5)]
every_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
every_bias = pytest.mark.parametrize("bias", ["none", "augmented"])
every_order = pytest.mark.parametrize("order", ["random", "uniform", "cyclic"])


def gram(problem):
    K = define_gram(problem.kernel, problem.X, problem.X)
    return K + 1.0 if problem.bias == "augmented" else K


def run_naively(problem, visits):
    """Run the printed algorithm on f instead of w; yield alpha after each visit."""
    y, C, K = problem.y, problem.C, gram(problem)
    alpha = np.zeros(problem.n)
    for i in visits:
        G = y[i] * (K[i] @ (alpha * y)) - 1
        if K[i, i] > 0:
            alpha[i] = min(max(alpha[i] - G / K[i, i], 0.0), C)
        elif G != 0:
            alpha[i] = C if G < 0 else 0.0
        yield alpha.copy()


def events_of(run, steps):
    cursor = Cursor(run)
    return [cursor.seek(step).event for step in range(1, min(steps, run.steps) + 1)]


def primal_of(problem, w, b):
    """Return ``P`` with the bias regularised."""
    slack = np.maximum(0.0, 1.0 - problem.y * (problem.X @ w + b))
    return 0.5 * (w @ w + b * b) + problem.C * slack.sum()


@every_kernel
@every_bias
@every_order
@pytest.mark.parametrize("shrinking", [True, False], ids=["shrinking", "all"])
@pytest.mark.parametrize("C", [0.31, 27.3])
def test_equals_the_naive_version(kernel, bias, order, shrinking, C):
    problem = Problem(*cloud(23, 2, noise=1.0), kernel=kernel, C=C, bias=bias)
    run = solve(problem, CoordinateAscent(order=order, shrinking=shrinking, max_steps=400))
    events = events_of(run, 400)
    cursor = Cursor(run)
    naive = run_naively(problem, [event.values["i"] for event in events])
    for step, alpha in enumerate(naive, start=1):
        beta = cursor.seek(step, with_event=False).expansion.beta
        np.testing.assert_allclose(problem.y * beta, alpha, rtol=1e-9, atol=1e-9 * C)


def divisor_in(formula):
    """Return the number below the line of the last fraction."""
    return float(re.search(r"\}\{([\d.]+)\} = ", formula)[1])


@every_kernel
@every_bias
def test_events_describe_the_step(kernel, bias):
    problem = Problem(*cloud(17, 3, noise=1.0), kernel=kernel, C=2.7, bias=bias)
    run = solve(problem, CoordinateAscent(max_steps=300))
    cursor, K = Cursor(run), gram(problem)
    before = cursor.seek(0)
    fewest = problem.n
    for step in range(1, run.steps + 1):
        after = cursor.seek(step)
        event, values = after.event, after.event.values
        i = values["i"]
        old, new = (certify(problem, snapshot.expansion) for snapshot in (before, after))
        assert (values["old"], values["new"]) == (old.alpha[i], new.alpha[i])
        assert values["margin"] == pytest.approx(problem.y[i] * old.decision[i], abs=1e-9)
        assert values["gradient"] == values["margin"] - 1.0
        assert values["curvature"] == pytest.approx(K[i, i])
        assert values["rise"] == pytest.approx(new.dual - old.dual, abs=1e-8)
        assert values["rise"] >= -1e-12
        if values["curvature"] > 0:
            assert values["new"] == pytest.approx(min(max(values["unclipped"], 0.0), problem.C))
        outward = values["gradient"] > 0 if values["old"] == 0 else values["gradient"] < 0
        at_bound = values["old"] in (0.0, problem.C)
        assert values["projected_gradient"] == (0.0 if at_bound and outward else values["gradient"])
        numbers = [formula.numbers for formula in event.formulas]
        assert numbers[0].endswith(f"= {number(values['gradient'])}")
        if not values["projected_gradient"]:
            assert numbers[1].endswith(rf"\leftarrow {number(values['old'])}")
            assert len(numbers) == 2
        else:
            # Without a curvature the parabola has no vertex to show.
            told = 1 + (values["curvature"] > 0)
            if values["curvature"] > 0:
                assert numbers[1].endswith(f"= {number(values['unclipped'])}")
                # Letters and numbers have the same denominator.
                letters = event.formulas[1].letters
                divisor = "k(x_i, x_i) + 1" if bias == "augmented" else "k(x_i, x_i)"
                assert rf"\frac{{G_i}}{{{divisor}}}" in letters
                assert divisor_in(numbers[1]) == pytest.approx(values["curvature"], rel=1e-3)
            assert numbers[told].endswith(number(values["new"]))
            assert len(numbers) == 2 + told + (bias == "augmented")
            if bias == "augmented":
                assert numbers[-1].endswith(f"= {number(after.expansion.bias)}")
        fewest = min(fewest, values["active"])
        before = after
    assert 0 < fewest < problem.n


@every_bias
def test_every_sweep_visits_every_point_once(bias):
    problem = Problem(*cloud(19, 5, noise=1.0), kernel=RBF(), C=3.0, bias=bias)
    sweeps = {}
    for order in ("random", "cyclic"):
        for seed in (0, 1):
            method = CoordinateAscent(order=order, seed=seed, shrinking=False, max_steps=19 * 6)
            events = events_of(solve(problem, method), 19 * 6)
            visited = np.array([event.values["i"] for event in events]).reshape(6, 19)
            assert (np.sort(visited, axis=1) == np.arange(19)).all()
            assert [event.values["sweep"] for event in events] == [
                s for s in range(1, 7) for _ in range(19)
            ]
            sweeps[order, seed] = {tuple(sweep) for sweep in visited.tolist()}
    assert sweeps["cyclic", 0] == sweeps["cyclic", 1] == {tuple(range(19))}
    assert len(sweeps["random", 0] | sweeps["random", 1]) == 12


def test_random_orders_are_uniform():
    # Positions of point 0 of 5 in a sweep: all equally frequent.
    X, y = cloud(5, 1)
    method = CoordinateAscent(shrinking=False, tol=1e-12, max_steps=5000)
    problem = Problem(X[:, :1] * 1e-3, y, kernel=Linear(), C=1e9, bias="augmented")
    events = events_of(solve(problem, method), 5000)
    visited = np.array([event.values["i"] for event in events]).reshape(1000, 5)
    for i in range(5):
        places = np.bincount(np.argwhere(visited == i)[:, 1], minlength=5)
        # Chi-squared with 4 degrees of freedom is above 26 less than once in 10,000 seeds.
        assert ((places - 200) ** 2 / 200).sum() < 26


def test_an_index_is_drawn_uniformly_with_replacement():
    X, y = cloud(20, 1, noise=0.9)
    problem = Problem(X, y, kernel=RBF(0.01), C=1e3, bias="none")
    method = CoordinateAscent(order="uniform", shrinking=False, tol=1e-12, max_steps=4000)
    events = events_of(solve(problem, method), 4000)
    visited = np.array([event.values["i"] for event in events])
    # Chi-squared with 19 degrees of freedom is above 50 less than twice in 10,000 seeds.
    assert ((np.bincount(visited, minlength=20) - 200.0) ** 2 / 200.0).sum() < 50.0
    # Of any two visits in turn, 1 of 20 is to the same point: 200 of 4,000, deviation 13.8.
    assert abs((visited[1:] == visited[:-1]).sum() - 200) < 4 * 13.8
    # A sweep of 20 draws misses (1 - 1/20)^20 = 36 % of the points.
    missed = [20 - len(np.unique(sweep)) for sweep in visited.reshape(200, 20)]
    assert np.mean(missed) == pytest.approx(20 * 0.95**20, rel=0.05)
    assert events[0].beats[0].sentence.startswith("Sweep 1 draws point")
    lines = [line.text.strip() for line in method.pseudo_code(problem).lines]
    assert lines[1] == "for i drawn anew, each as likely"


def test_a_sweep_that_drew_no_violator_does_not_end_the_run():
    # One point of two violates, and half of all draws miss it: a sweep of two misses it in a
    # quarter of all cases.
    for seed in range(30):
        problem = Problem([[0.0], [1.0]], [-1.0, 1.0], kernel=Linear(), C=1e3, bias="none")
        run = solve(problem, CoordinateAscent(order="uniform", seed=seed, tol=1e-9))
        assert run.certificate.kkt <= 1.0
        assert run.certificate.alpha[1] == pytest.approx(1.0)


@pytest.mark.parametrize("C", [0.1, 1.0, 50.0])
@pytest.mark.parametrize("seed", range(4))
@every_order
def test_agrees_with_liblinear(C, seed, order):
    X, y = contradictory(80, seed)
    problem = Problem(X, y, kernel=Linear(), C=C, bias="augmented")
    run = solve(problem, CoordinateAscent(order=order, tol=1e-7))
    assert run.reason is Reason.CONVERGED
    other = LinearSVC(loss="hinge", C=C, tol=1e-8, max_iter=5_000_000, random_state=0).fit(X, y)
    best = primal_of(problem, other.coef_[0], other.intercept_[0])
    assert run.certificate.primal == pytest.approx(best, rel=1e-6)
    assert run.certificate.dual <= best * (1 + 1e-9)
    np.testing.assert_allclose(run.expansion.w, other.coef_[0], atol=1e-3)
    assert run.expansion.bias == pytest.approx(other.intercept_[0], abs=1e-3)


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(0.5, 1.0, 2), RBF(0.8)])
@every_bias
@pytest.mark.parametrize("C", [0.3, 10.0])
def test_agrees_with_a_general_minimiser(kernel, bias, C):
    problem = Problem(*cloud(30, 7, noise=1.0), kernel=kernel, C=C, bias=bias)
    run = solve(problem, CoordinateAscent(tol=1e-8))
    Q = gram(problem) * np.outer(problem.y, problem.y)
    found = minimize(
        lambda alpha: (0.5 * alpha @ Q @ alpha - alpha.sum(), Q @ alpha - 1.0),
        np.zeros(problem.n),
        jac=True,
        bounds=[(0.0, C)] * problem.n,
        method="L-BFGS-B",
        options={"ftol": 1e-15, "gtol": 1e-9, "maxiter": 50_000, "maxfun": 50_000},
    )
    assert run.certificate.dual == pytest.approx(-found.fun, rel=1e-6)
    assert run.certificate.dual >= -found.fun * (1 - 1e-9)
    assert abs(run.certificate.relative_gap) < 1e-6


@every_bias
@every_order
def test_hard_margin(bias, order):
    X, y = separated(40, 3)
    for kernel in (Linear(), RBF(2.0)):
        problem = Problem(X, y, kernel=kernel, C=math.inf, bias=bias)
        run = solve(problem, CoordinateAscent(order=order, tol=1e-6))
        assert run.reason is Reason.CONVERGED
        assert run.certificate.relative_gap < 1e-4
        assert run.certificate.decision @ y > 0


def test_hard_margin_of_inseparable_points_ends():
    method = CoordinateAscent()
    X, y = cloud(12, 3, noise=2.0)
    y[0] = -y[0]
    plain = solve(Problem(X, y, kernel=Linear(), C=math.inf, bias="augmented"), method)
    assert plain.steps <= 20 * 12
    assert "convex hulls" in plain.stop.sentence
    twins = Problem([[1, 2], [1, 2], [0, 0]], [1, -1, 1], RBF(), math.inf, "augmented")
    coinciding = solve(twins, method)
    assert coinciding.steps == 0
    assert "coincide" in coinciding.stop.sentence
    # f = 0 at the origin, whatever w is.
    origin = Problem([[0.0, 0.0], [1, 1]], [1, -1], Linear(), math.inf, "none")
    without = solve(origin, method)
    assert without.reason is Reason.NOT_SEPARABLE
    # A boundary would have to pass between the two points, which coincide.
    beyond = Problem([[1.0, 1.0], [2.0, 2.0]], [1, -1], Linear(), math.inf, "none")
    through = solve(beyond, method)
    assert "no boundary through the origin" in through.stop.sentence
    for run in (plain, coinciding, through):
        assert run.reason is Reason.NOT_SEPARABLE
    for run in (plain, coinciding, without, through):
        assert math.isinf(run.certificate.primal)
        assert is_one_sentence(run.stop.sentence)


def test_a_negligible_margin_is_reported_only_if_true():
    # Two pairs of opposite points, 1e-6 apart: separable, but with almost no margin.
    X = np.array([[1.0, 0.0], [1.0, 1e-6], [-1.0, 0.0], [-1.0, 1e-6]])
    problem = Problem(X, [1, -1, 1, -1], Linear(), math.inf, "augmented")
    run = solve(problem, CoordinateAscent(max_steps=50_000_000))
    assert run.reason is Reason.STALLED
    alpha, norm = run.certificate.alpha, run.certificate.norm
    radius = math.sqrt((X**2).sum(axis=1).max() + 1.0)
    assert norm / alpha.sum() <= 1e-5 * radius * (1 + 1e-6)


def test_a_point_without_curvature_moves_to_its_bound():
    # k(x, x) = 0: the dual is a line with slope 1 there.
    X = [[0.0, 0.0], [1.0, 1.0], [2.0, -1.0]]
    run = solve(Problem(X, [1, -1, 1], Linear(), C=3.7, bias="none"), CoordinateAscent())
    assert run.reason is Reason.CONVERGED
    assert run.certificate.alpha[0] == 3.7


@every_bias
def test_a_guess_is_repaired(bias):
    problem = Problem(*cloud(20, 4, noise=1.0), kernel=RBF(), C=1.0, bias=bias)
    best = solve(problem, CoordinateAscent(tol=1e-6))
    warm = solve(problem, CoordinateAscent(tol=1e-3), guess=best.expansion.beta)
    assert warm.steps == problem.n
    wild = solve(problem, CoordinateAscent(tol=1e-6), guess=np.linspace(-9, 9, 20))
    first = wild.at(0).expansion.beta * problem.y
    assert first.min() >= 0.0
    assert first.max() <= 1.0
    assert wild.certificate.dual == pytest.approx(best.certificate.dual, rel=1e-6)


def test_a_free_bias_is_refused():
    problem = Problem(*cloud(8, 1), kernel=Linear(), bias="free")
    with pytest.raises(BadInput, match="needs the bias to be augmented or none; here it is free"):
        solve(problem, CoordinateAscent())


@every_order
def test_a_tolerance_below_rounding_ends_with_a_reason(order):
    X, y = cloud(30, 0, noise=0.8)
    problem = Problem(X * 1e6 + 1e9, y, kernel=Linear(), C=1e3, bias="augmented")
    run = solve(problem, CoordinateAscent(order=order, tol=1e-12, max_steps=3_000_000))
    assert run.reason is not Reason.CONVERGED
    assert is_one_sentence(run.stop.sentence)


@settings(max_examples=300)
@given(
    extreme_points(),
    kernels,
    penalties,
    st.sampled_from(["none", "augmented"]),
    st.sampled_from(["random", "uniform", "cyclic"]),
    st.booleans(),
)
def test_extreme_input_ends_with_a_true_reason(points, kernel, C, bias, order, shrinking):
    X, y = points
    problem = Problem(X, y, kernel=kernel, C=C, bias=bias)
    run = solve(problem, CoordinateAscent(order=order, shrinking=shrinking, max_steps=5000))
    certificate, beta = run.certificate, run.expansion.beta
    assert is_one_sentence(run.stop.sentence)
    assert np.isfinite(beta).all()
    assert nothing_is_nan(certificate.primal, certificate.dual, certificate.gap, certificate.kkt)
    assert certificate.alpha.min() >= 0.0
    assert certificate.alpha.max() <= C
    K = np.abs(kernel(X, X)) + (bias == "augmented")
    rounding = 1e-14 * (K @ np.abs(beta)).max()
    if run.reason is Reason.CONVERGED:
        assert certificate.kkt <= run.method.tol + rounding
    elif run.reason is Reason.NOT_SEPARABLE:
        assert problem.hard
        if "coincide" in run.stop.sentence:
            assert len(np.unique(X, axis=0)) < problem.n
        else:
            assert separation(problem).separable is False
    elif run.reason is Reason.STEP_LIMIT:
        assert run.steps == 5000
    else:
        assert run.reason is Reason.STALLED


@pytest.mark.parametrize("bias", ["augmented", "none"])
@pytest.mark.parametrize("d", [1, 2, 3, 6])
def test_w_of_any_number_of_coordinates(d, bias):
    # Three entries of w are local variables; in one dimension, one of them is padding.
    X, y = cloud(60, d, d=d)
    problem = Problem(X, y, kernel=Linear(), C=2.0, bias=bias)
    run = solve(problem, CoordinateAscent(tol=1e-7))
    best = solve(problem, InteriorPoint()).certificate
    assert run.certificate.dual == pytest.approx(best.dual, rel=1e-9)
    assert run.certificate.gap <= 1e-6
    # Visits one by one and many at a time give the same.
    middle = run.steps // 2
    state, again = Cursor(run).state(middle), Cursor(run)
    for step in range(middle - 5, middle):
        again.seek(step)
    assert same_state(again.state(middle), state)


def test_many_features_give_the_optimum_of_the_interior_point():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 21))
    y = np.where(X[:, 0] + rng.normal(size=60) > 0.0, 1.0, -1.0)
    problem = Problem(X, y, kernel=Linear(), C=0.5, bias="augmented")
    ours, other = solve(problem, CoordinateAscent(tol=1e-8)), solve(problem, InteriorPoint())
    assert ours.reason is Reason.CONVERGED
    assert ours.certificate.dual == pytest.approx(other.certificate.dual, rel=1e-9)
    assert np.abs(ours.expansion.w - other.expansion.w).max() < 1e-6
