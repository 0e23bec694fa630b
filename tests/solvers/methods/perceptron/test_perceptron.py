"""The perceptron against ten naive lines, scikit-learn, Novikoff's bound, and inseparable data."""

import math

import numpy as np
import pytest
from sklearn.linear_model import Perceptron as Reference

from solvers import (
    RBF,
    Cursor,
    Linear,
    Perceptron,
    Polynomial,
    Problem,
    Reason,
    Run,
    Sigmoid,
    certify,
    solve,
)
from solvers.kernels.quadratics import FullQuadratic, Quadratic
from solvers.methods.perceptron.steps import shuffle
from solvers.problem.losses import misclassified
from solvers.run.trace import SWEEP_STARTED
from svmviz.lessons.pages import page_of
from tests.solvers.problems import (
    EIGHT_LABELS,
    EIGHT_POINTS,
    XOR_LABELS,
    XOR_POINTS,
    cloud,
    define_gram,
    is_one_sentence,
    separated,
)

BIASES = ["free", "none", "augmented"]


def run_naively(problem, order_of, sweeps):
    """Run the printed algorithm on counts; yield (counts, mistake?) after each point."""
    K, y = define_gram(problem.kernel, problem.X, problem.X), problem.y
    count, b = np.zeros(problem.n), 0.0
    for sweep in range(sweeps):
        for i in order_of(sweep):
            mistake = y[i] * ((y * count) @ K[i] + b) <= 0
            if mistake:
                count[i] += 1
                b += 0.0 if problem.bias == "none" else y[i]
            yield count.copy(), mistake


def order_of(problem, seed):
    def order(sweep):
        places = np.zeros(problem.n, dtype=np.int64)
        shuffle(seed, sweep, places)
        return places

    return order


@pytest.mark.parametrize("bias", BIASES)
@pytest.mark.parametrize("kernel", [Linear(), Polynomial(0.7, 1.0, 2), RBF(0.8)])
@pytest.mark.parametrize("order", ["cyclic", "random"])
def test_equals_the_naive_version(bias, kernel, order):
    X, y = cloud(19, 4, noise=1.0)
    problem = Problem(X, y, kernel=kernel, bias=bias)
    run = solve(problem, Perceptron(order, "mistake", seed=7, max_steps=200))
    places = order_of(problem, 7) if order == "random" else lambda sweep: range(problem.n)
    cursor = Cursor(run)
    for step, (count, mistake) in zip(range(1, run.steps + 1), run_naively(problem, places, 20)):
        snapshot = cursor.seek(step)
        np.testing.assert_array_equal(snapshot.expansion.beta, y * count)
        assert snapshot.expansion.bias == (0.0 if bias == "none" else (y * count).sum())
        assert snapshot.event.values["kept"] == (not mistake)


def test_random_sweeps_visit_every_point_once_and_differ():
    X, y = cloud(31, 1)
    order = order_of(Problem(X, y), 3)
    sweeps = [tuple(order(sweep)) for sweep in range(20)]
    assert all(sorted(sweep) == list(range(31)) for sweep in sweeps)
    assert len(set(sweeps)) == 20
    assert sweeps[0] != tuple(order_of(Problem(X, y), 4)(0))
    # Every point may come first: 2,000 draws of 31 would miss one with probability 1e-27.
    assert {order(sweep)[0] for sweep in range(2000)} == set(range(31))


@pytest.mark.parametrize("seed", range(12))
def test_agrees_with_scikit_learn(seed):
    X, y = separated(40, seed, gap=0.4)
    X = X + np.array([0.3, -0.2])
    bias = "free" if seed % 2 else "none"
    if bias == "none":
        X = X - 0.5 * (X[y > 0].mean(axis=0) + X[y < 0].mean(axis=0))
    run = solve(Problem(X, y, kernel=Linear(), bias=bias), Perceptron(zero="mistake", sweeps=1000))
    sweeps = run.steps // 40
    reference = Reference(
        shuffle=False, eta0=1, penalty=None, tol=None, max_iter=sweeps, fit_intercept=bias == "free"
    ).fit(X, y)
    np.testing.assert_allclose(run.expansion.beta @ X, reference.coef_[0], rtol=1e-10)
    assert run.expansion.bias == reference.intercept_[0]


@pytest.mark.parametrize("bias", BIASES)
@pytest.mark.parametrize("order", ["cyclic", "random"])
@pytest.mark.parametrize("kernel", [Linear(), RBF(0.5)])
def test_novikoffs_bound_holds(bias, order, kernel):
    for seed in range(8):
        X, y = separated(25, seed, gap=0.3)
        X = X - 0.5 * (X[y > 0].min(axis=0) + X[y < 0].max(axis=0)) * [1, 0]
        X = X + ([0.0, 0.0] if bias == "none" else [1.3, 0.4])
        problem = Problem(X, y, kernel=kernel, bias=bias)
        method = Perceptron(order=order, seed=seed)
        run = solve(problem, method)
        assert run.reason is Reason.CONVERGED
        bound = method.bound(problem)
        mistakes = np.abs(run.expansion.beta).sum()
        assert 1 <= mistakes <= bound.mistakes


def test_bound_of_the_eight_points():
    # Augmented space: the best boundary through its origin is w = (0, 1), b = 0 by symmetry of the
    # three points at distance 1 that hold it; R^2 = 1 + 3.1^2 + 1.
    problem = Problem(EIGHT_POINTS, EIGHT_LABELS, kernel=Linear())
    bound = Perceptron().bound(problem)
    assert bound.radius**2 == pytest.approx(1 + 3.1**2 + 1)
    assert bound.margin == pytest.approx(1.0, abs=1e-9)
    # R / gamma^2, which some lectures print, would be smaller.
    assert bound.mistakes == pytest.approx(11.61)
    two = Problem([[1.0], [-1.0]], [1, -1], kernel=Linear(), bias="none")
    assert Perceptron().bound(two).mistakes == pytest.approx(1.0)
    assert np.abs(solve(two, Perceptron()).expansion.beta).sum() == 1


def test_ends_at_the_first_sweep_without_a_mistake():
    X, y = separated(20, 5, gap=0.5)
    run = solve(Problem(X, y, kernel=Linear()), Perceptron(zero="mistake"))
    assert run.steps % 20 == 0
    cursor = Cursor(run)
    mistakes = [not cursor.seek(step).event.values["kept"] for step in range(1, run.steps + 1)]
    assert not any(mistakes[-20:])
    assert all(any(mistakes[k : k + 20]) for k in range(0, run.steps - 20, 20))
    assert mistakes[0], "f = 0 is a mistake: separating means y f > 0, strictly"
    starts = np.flatnonzero(run.trace.marks(0, run.steps) & SWEEP_STARTED)
    np.testing.assert_array_equal(starts, np.arange(0, run.steps, 20))


def test_inseparable_points_end_with_the_proof():
    xor = Problem(XOR_POINTS, XOR_LABELS, kernel=Linear())
    run = solve(xor, Perceptron(sweeps=7))
    assert (run.reason, run.steps) == (Reason.NOT_SEPARABLE, 28)
    assert "hulls of the two classes meet" in run.stop.sentence
    assert Perceptron().bound(xor) is None
    assert solve(Problem(XOR_POINTS, XOR_LABELS, kernel=RBF()), Perceptron()).reason is (
        Reason.CONVERGED
    )
    # Without a bias no line through the origin may separate, although the hulls are apart.
    beside = [[1.0, 0.0], [2.0, 0.0]]
    assert solve(Problem(beside, [-1, 1], kernel=Linear()), Perceptron()).reason is (
        Reason.CONVERGED
    )
    none = solve(Problem(beside, [-1, 1], kernel=Linear(), bias="none"), Perceptron())
    assert none.reason is Reason.NOT_SEPARABLE
    assert "through the origin" in none.stop.sentence


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
@pytest.mark.parametrize("bias", BIASES)
def test_degenerate_points_end_with_a_true_reason(scale, bias):
    cases = [
        ([[1, 1], [1, 1]], [1, -1], False),
        ([[0, 0], [0, 0], [0, 0]], [1, -1, 1], False),
        ([[0, 0], [1, 1], [2, 2], [3, 3]], [1, -1, 1, -1], False),
        ([[-2, -2], [-1, -1], [2, 2], [3, 3]], [-1, -1, 1, 1], True),
    ]
    for X, y, separable in cases:
        problem = Problem(scale * np.array(X, float), y, kernel=Linear(), bias=bias)
        run = solve(problem, Perceptron(max_steps=500))
        end = Reason.CONVERGED if separable else Reason.NOT_SEPARABLE
        if separable and scale < 1.0 and bias != "none":
            # b changes by 1 and w by 1e-9, so Novikoff's bound is 1e18 mistakes.
            end = Reason.STEP_LIMIT
        assert run.reason is end
        assert np.isfinite(run.expansion.beta).all()


def test_C_does_not_matter():
    X, y = separated(15, 8)
    runs = [solve(Problem(X, y, C=C, kernel=Linear()), Perceptron()) for C in (0.01, 7.0, math.inf)]
    assert len({run.expansion.beta.tobytes() for run in runs}) == 1


def test_a_step_limit_ends_what_cannot_be_proved():
    X, y = separated(400, 2, gap=0.001)
    run = Run(Problem(X, y, kernel=Linear()), Perceptron(max_steps=100))
    while run.advance():
        pass
    assert (run.reason, run.steps) == (Reason.STEP_LIMIT, 100)


@pytest.mark.parametrize(
    ("X", "y", "kernel", "bias"),
    [
        ([[0.4] * 2, [0.1] * 2, [0.2] * 2, [0.2] * 2], [1, -1, -1, -1], Quadratic(), "none"),
        ([[0.1] * 2, [-0.5] * 2, [-0.5] * 2, [-0.8] * 2], [1, -1, -1, 1], Quadratic(), "none"),
        (
            [[0.7, 0.4], [1.0, 1.0], [0.4, -0.2], [1.9, 2.8]],
            [-1, 1, 1, 1],
            FullQuadratic(),
            "none",
        ),
        ([[0.8, 0.6], [0.8, 0.6], [1.0, 1.0], [1.2, 1.4]], [1, 1, -1, 1], Quadratic(), "free"),
    ],
)
def test_a_point_on_the_wrong_side_by_rounding_is_not_separated(X, y, kernel, bias):
    X = np.array(X) + 0.0
    run = solve(Problem(X, y, kernel=kernel, bias=bias), Perceptron(max_steps=20_000))
    sides = run.problem.y * run.certificate.decision
    assert (run.reason is Reason.CONVERGED) == (sides.min() > 0.0)
    assert is_one_sentence(run.stop.sentence)


@pytest.mark.parametrize("bias", BIASES)
@pytest.mark.parametrize("kernel", [Linear(), RBF(0.8)])
def test_the_rule_of_the_notes_equals_their_naive_version(bias, kernel):
    """Predict +1 if f >= 0, and update after a wrong prediction."""
    X, y = cloud(19, 4, noise=0.2)
    X = np.round(X, 1)
    problem = Problem(X, y, kernel=kernel, bias=bias)
    run = solve(problem, Perceptron(max_steps=200))
    K = define_gram(kernel, X, X)
    count, b, differs = np.zeros(problem.n), 0.0, False
    cursor = Cursor(run)
    for step in range(1, run.steps + 1):
        i = (step - 1) % problem.n
        f = (y * count) @ K[i] + b
        if y[i] != (1.0 if f >= 0.0 else -1.0):
            count[i] += 1
            b += 0.0 if bias == "none" else y[i]
        differs |= f == 0.0 and y[i] > 0.0
        np.testing.assert_array_equal(cursor.seek(step).expansion.beta, y * count)
    assert differs


def test_by_the_rule_of_the_notes_a_run_may_end_on_the_boundary():
    # w = (0, -1) has f = 0 at both points of the class +1: correct, but not strictly.
    X, y = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]]), np.array([1.0, 1.0, -1.0])
    problem = Problem(X, y, kernel=Linear(), bias="none")
    run = solve(problem, Perceptron())
    assert run.reason is Reason.CONVERGED
    assert run.steps == 6
    first = run.at(1).event
    assert first.values["kept"]
    assert first.sentence == (
        "Point 1 was at f = 0 like all points so far, which predicts its class +1: nothing moves."
    )
    assert "y_{1} = +1" in first.formulas[0].numbers
    strict = solve(problem, Perceptron(zero="mistake", max_steps=1000))
    assert strict.reason is Reason.NOT_SEPARABLE
    assert "never end" in strict.stop.sentence


def test_the_end_has_novikoffs_bound_with_its_numbers():
    for zero in ("mistake", "positive"):
        problem = Problem(EIGHT_POINTS, EIGHT_LABELS, kernel=Linear())
        run = solve(problem, Perceptron(zero=zero))
        assert "Novikoff's bound allows at most 11 mistakes" in run.stop.sentence


def test_a_run_that_separates_has_a_bound_where_the_search_for_the_best_margin_gives_up(
    monkeypatch,
):
    """The run's own margin is measured, and Novikoff's proof holds for any margin."""
    X, y = separated(40, 2, gap=0.3)
    problem = Problem(X + 5.0, y, kernel=Linear())
    method = Perceptron()
    run = solve(problem, method)
    assert run.reason is Reason.CONVERGED
    monkeypatch.setattr("solvers.geometry.separation.MAX_STEPS", 0)
    beta = run.expansion.beta
    assert method.bound(problem) is None
    bound = method.bound(problem, beta)
    f = problem.y * run.certificate.decision
    norm = math.sqrt(run.certificate.norm**2 + beta.sum() ** 2)
    assert bound.margin == pytest.approx(f.min() / norm)
    assert np.abs(beta).sum() <= bound.mistakes


@pytest.mark.parametrize("label", [-1.0, 1.0])
def test_a_point_on_the_boundary_may_be_a_mistake_in_either_class_and_the_step_says_so(label):
    # f = 0 at the start, so every first point lies on the boundary.
    problem = Problem(np.array([[1.0, 0.0], [-1.0, 0.0]]), np.array([label, -label]), Linear())
    event = Cursor(solve(problem, Perceptron(zero="mistake"))).seek(1).event
    assert not event.values["kept"]
    assert event.values["margin"] == 0.0
    assert event.sentence == (
        "Point 1 was at f = 0 like all points so far, which counts as a mistake:"
        " y·x of this point is added to w; mistakes at this point: 1."
    )
    assert "By the other convention it is a mistake in either class" in " ".join(
        page_of("methods", "perceptron").paragraphs
    )


def test_mistakes_are_the_errors_of_the_panels():
    """At w = 0, where f = 0 predicts +1, the points of the class -1 are errors and mistakes."""
    problem = Problem(*cloud(19, 4, noise=1.0), kernel=RBF(0.8))
    run = solve(problem, Perceptron(max_steps=200))
    cursor = Cursor(run)
    wrong = 0
    for step in range(run.steps):
        i, f = step % problem.n, certify(problem, cursor.seek(step).expansion).decision
        mistake = not cursor.seek(step + 1).event.values["kept"]
        assert mistake == misclassified(problem.y, f)[i]
        wrong += mistake
    assert wrong > 1
    assert misclassified(problem.y, np.zeros(problem.n)).tolist() == (problem.y < 0.0).tolist()


@pytest.mark.parametrize("bias", BIASES)
@pytest.mark.parametrize("kernel", [Sigmoid(gamma=0.5, coef0=0.2), Sigmoid(gamma=1.0, coef0=0.5)])
def test_a_run_that_separates_has_a_bound_with_an_indefinite_kernel(bias, kernel):
    """With the run's own w the proof needs no inequality of Cauchy and Schwarz."""
    separating = 0
    for seed in range(8):
        X, y = separated(20, seed, gap=0.3)
        problem = Problem(X, y, kernel=kernel, bias=bias)
        K = kernel(X, X) + (0.0 if bias == "none" else 1.0)
        assert np.linalg.eigvalsh(K)[0] < -1e-6
        method = Perceptron(seed=seed, sweeps=200, max_steps=20_000)
        assert method.bound(problem) is None
        run = solve(problem, method)
        if run.reason is not Reason.CONVERGED:
            continue
        separating += 1
        beta = run.expansion.beta
        bound = method.bound(problem, beta)
        f = K @ beta
        assert bound.margin == pytest.approx((y * f).min() / math.sqrt(beta @ f))
        assert bound.radius == pytest.approx(math.sqrt(K.diagonal().max()))
        assert 1 <= np.abs(beta).sum() <= bound.mistakes * (1 + 1e-9)
        assert bound.clause in run.stop.sentence
    assert separating >= 3
    assert "positive semi-definite kernel" in about()


def test_there_is_no_bound_if_no_point_has_a_positive_square():
    problem = Problem([[0.7], [-0.7]], [1, -1], Sigmoid(1.0, -1.0), bias="none")
    assert (problem.kernel.diagonal(problem.X) < 0.0).all()
    assert Perceptron().bound(problem, np.array([1.0, -1.0])) is None


def about() -> str:
    return " ".join(page_of("methods", "perceptron").paragraphs)
