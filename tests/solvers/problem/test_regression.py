"""Epsilon-SVR as a problem: against scikit-learn, closed forms and its own definition."""

import math
import re

import numpy as np
import pytest
from sklearn.svm import SVR

from solvers import (
    METHODS,
    RBF,
    SMO,
    BadInput,
    Cursor,
    Expansion,
    InteriorPoint,
    Linear,
    Polynomial,
    Reason,
    Regression,
    Run,
    Sigmoid,
    WorkingSet,
    certify,
    solve,
)
from solvers.problem.certificate import BOUND, FREE, ZERO
from tests.solvers.problems import is_one_sentence, nothing_is_nan, wave

SOLVERS = [SMO(tol=1e-8), WorkingSet(tol=1e-8), InteriorPoint(tol=1e-8)]
every_solver = pytest.mark.parametrize("method", SOLVERS, ids=lambda method: method.name)


def random_regression(seed: int) -> Regression:
    rng = np.random.default_rng([seed, 7])
    X, y = wave(int(rng.integers(5, 60)), seed, noise=float(rng.choice([0.0, 0.2, 1.0])))
    if seed % 3 == 0:
        # Points that occur twice, with different targets.
        X, y = np.vstack([X, X[:3]]), np.append(y, y[:3] + rng.normal(size=3))
    kernels = [Linear(), Polynomial(0.5, 1.0, 2), RBF(10 ** rng.uniform(-1, 1))]
    epsilon = float(rng.choice([0.0, 0.05, 0.3]))
    return Regression(X, y, kernels[rng.integers(3)], 10 ** rng.uniform(-2, 1), epsilon=epsilon)


def by_libsvm(problem: Regression) -> Expansion:
    words = {"linear": "linear", "polynomial": "poly", "rbf": "rbf"}
    name, values = words[problem.kernel.name], problem.kernel.values()
    model = SVR(kernel=name, C=problem.C, epsilon=problem.epsilon, tol=1e-9, **values)
    model.fit(problem.X, problem.y)
    beta = np.zeros(problem.n)
    beta[model.support_] = model.dual_coef_[0]
    return Expansion(problem.kernel, problem.X, beta, float(model.intercept_[0]))


@every_solver
@pytest.mark.parametrize("seed", range(40))
def test_agrees_with_scikit_learn(method, seed):
    problem = random_regression(seed)
    reference = by_libsvm(problem)
    best = certify(problem, reference)
    run = solve(problem, method)
    mine = run.certificate
    assert run.reason is Reason.CONVERGED
    assert not mine.repaired
    assert mine.kkt <= 1e-8
    assert -1e-12 <= mine.gap <= 1e-6 * (1.0 + mine.primal)
    assert mine.dual == pytest.approx(best.dual, rel=1e-6, abs=1e-9)
    if mine.count(FREE) and best.kkt < 1e-6:
        assert np.abs(mine.decision - best.decision).max() < 1e-4


def test_no_points_are_refused_in_the_words_of_a_regression():
    with pytest.raises(BadInput, match="no points yet: a regression needs at least one"):
        Regression(np.zeros((0, 1)), [])


def objectives(problem: Regression, beta: np.ndarray, b: float) -> tuple[float, float]:
    """Return primal and dual by their definitions, entry by entry."""
    K = problem.kernel(problem.X, problem.X)
    f = K @ beta + b
    loss = [max(0.0, abs(t - v) - problem.epsilon) for t, v in zip(problem.y, f, strict=True)]
    smooth = 0.5 * float(beta @ K @ beta)
    dual = -smooth + float(problem.y @ beta) - problem.epsilon * float(np.abs(beta).sum())
    return smooth + problem.C * math.fsum(loss), dual


@pytest.mark.parametrize("seed", range(15))
def test_certificate_is_the_definition(seed):
    problem = random_regression(seed)
    rng = np.random.default_rng(seed)
    beta = rng.uniform(-problem.C, problem.C, problem.n) * (rng.random(problem.n) < 0.6)
    beta -= beta.mean()
    beta *= 0.9 * problem.C / max(problem.C, np.abs(beta).max())
    found = certify(problem, Expansion(problem.kernel, problem.X, beta, 0.3))
    primal, dual = objectives(problem, beta, 0.3)
    assert not found.repaired
    assert found.primal == pytest.approx(primal)
    assert found.dual == pytest.approx(dual)
    assert found.alpha == pytest.approx(np.abs(beta))
    short = np.abs(problem.y - found.decision) - problem.epsilon
    assert found.slack == pytest.approx(np.maximum(0.0, short))
    # alpha = 0: inside the tube; between: on its edge on the right side; at C: outside.
    toward = np.sign(beta) * (problem.y - found.decision) - problem.epsilon
    for i in range(problem.n):
        wanted = max(0.0, short[i]) if beta[i] == 0 else max(abs(toward[i]), short[i])
        assert found.violation[i] == pytest.approx(wanted)


def test_an_infeasible_alpha_is_repaired_and_bounds_from_below():
    problem = random_regression(2)
    best = solve(problem, InteriorPoint()).certificate
    wild = np.random.default_rng(1).normal(size=problem.n) * 3 * problem.C
    found = certify(problem, Expansion(problem.kernel, problem.X, wild, 0.0))
    assert found.repaired
    assert 0.0 <= found.dual <= best.dual
    assert found.primal >= best.primal


@every_solver
@pytest.mark.parametrize("slope", [2.0, -0.5])
def test_two_points_make_the_flattest_line_in_the_tube(method, slope):
    # f must be within 0.25 of both ends: its slope gains 0.25 at each.
    problem = Regression([[-1.0], [1.0]], [-slope, slope], Linear(), C=10.0, epsilon=0.25)
    run = solve(problem, method)
    w = math.copysign(abs(slope) - 0.25, slope)
    assert run.expansion.w == pytest.approx([w])
    assert run.expansion.bias == pytest.approx(0.0, abs=1e-9)
    assert run.expansion.beta == pytest.approx([-w / 2, w / 2])
    assert run.certificate.kinds.tolist() == [FREE, FREE]


@every_solver
def test_small_c_stops_at_c(method):
    problem = Regression([[-1.0], [1.0]], [-2.0, 2.0], Linear(), C=0.1, epsilon=0.25)
    run = solve(problem, method)
    assert run.expansion.beta.tolist() == [-0.1, 0.1]
    assert run.certificate.kinds.tolist() == [BOUND, BOUND]
    assert run.certificate.slack == pytest.approx([1.55, 1.55])


@every_solver
def test_f_is_constant_if_the_tube_contains_all_points(method):
    problem = Regression([[-1.0], [0.0], [1.0]], [0.1, -0.1, 0.15], RBF(), epsilon=0.2)
    run = solve(problem, method)
    assert run.certificate.kinds.tolist() == [ZERO] * 3
    assert np.abs(problem.y - run.expansion.bias).max() <= 0.2


@every_solver
@pytest.mark.parametrize(
    ("X", "y", "epsilon"),
    [
        ([[0.0]], [3.0], 0.1),
        ([[0.0], [0.0]], [1.0, 2.0], 0.0),
        ([[0.0], [0.0]], [1.0, 2.0], 5.0),
        ([[1.0], [2.0], [3.0]], [7.0, 7.0, 7.0], 0.0),
        ([[1e-9, 0.0], [0.0, 1e-9]], [1.0, -1.0], 0.1),
        ([[1e6, 0.0], [0.0, 1e6]], [1e6, -1e6], 0.1),
    ],
)
@pytest.mark.parametrize("kernel", [Linear(), RBF(), Sigmoid()], ids=lambda kernel: kernel.name)
def test_degenerate_points(method, X, y, epsilon, kernel):
    run = solve(Regression(X, y, kernel, C=1.0, epsilon=epsilon), method)
    certificate = run.certificate
    assert nothing_is_nan(run.expansion.beta, run.expansion.bias, certificate.gap)
    assert certificate.alpha.max() <= 1.0
    assert is_one_sentence(run.stop.sentence)
    assert run.reason in (Reason.CONVERGED, Reason.STALLED)


def test_steps_name_points_and_say_where_their_beta_goes():
    problem = random_regression(4)
    run = solve(problem, SMO())
    cursor = Cursor(run)
    ends = {"rises to C": problem.C, "falls to −C": -problem.C}
    seen = set()
    for step in range(1, run.steps + 1):
        snapshot = cursor.seek(step)
        for number, end in re.findall(
            r"β of point (\d+) (rises to C|falls to −C)", snapshot.event.sentence
        ):
            seen.add(end)
            assert snapshot.expansion.beta[int(number) - 1] == pytest.approx(ends[end])
    assert seen == set(ends)
    assert all(max(cursor.seek(t).event.touched) < problem.n for t in range(1, run.steps + 1))


def test_a_guess_is_repaired():
    problem = random_regression(8)
    guess = np.random.default_rng(1).normal(size=problem.n) * 5 * problem.C
    run = Run(problem, SMO(tol=1e-8), guess)
    first = certify(problem, run.at(0).expansion)
    assert not first.repaired
    assert first.dual >= 0.0
    again = Run(problem, SMO(tol=1e-8), solve(problem, SMO(tol=1e-8)).expansion.beta)
    again.advance(1.0)
    assert again.steps <= 5


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_methods_declare_whether_they_support_regression(method):
    problem = random_regression(1)
    if "regression" in method.tasks:
        assert solve(problem, method()).reason is Reason.CONVERGED
    else:
        with pytest.raises(BadInput, match=r"is a method for classification, not for regression\."):
            Run(problem, method())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"epsilon": -0.1}, "epsilon must be a number of at least 0: got -0.1"),
        ({"epsilon": math.nan}, "epsilon must be a number of at least 0"),
        ({"epsilon": 1e200}, r"epsilon must be at most 1e\+100: got 1e\+200\."),
        ({"epsilon": "wide"}, "epsilon must be a number of at least 0"),
        ({"C": math.inf}, "Regression needs a finite C"),
        ({"y": [1.0, math.nan]}, "target of point 2 must be at most"),
        ({"y": [1.0]}, "as many targets as points: got 1 and 2"),
        ({"y": ["a", "b"]}, "y must be an array of numbers"),
        ({"y": [1.0, 1e200]}, "target of point 2"),
    ],
)
def test_refusals(change, words):
    with pytest.raises(BadInput, match=words):
        Regression(**{"X": [[0.0], [1.0]], "y": [0.0, 1.0], **change})


def test_without_a_bias_agrees_with_soft_thresholding():
    problem = Regression(*wave(30, 2), RBF(), C=2.0, bias="none", epsilon=0.1)
    K = problem.kernel(problem.X, problem.X)
    run = solve(problem, InteriorPoint())
    # Coordinate descent on beta itself: the slope of |beta| gives the soft threshold.
    beta = np.zeros(problem.n)
    for _ in range(2000):
        for i in range(problem.n):
            rest = problem.y[i] - K[i] @ beta + K[i, i] * beta[i]
            shrunk = math.copysign(max(abs(rest) - problem.epsilon, 0.0), rest) / K[i, i]
            beta[i] = min(max(shrunk, -problem.C), problem.C)
    assert run.certificate.dual == pytest.approx(objectives(problem, beta, 0.0)[1], rel=1e-6)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("pair", ["platt", "random"])
def test_a_point_has_one_alpha_above_zero_whatever_the_partner(pair, seed):
    problem = random_regression(seed)
    run = solve(problem, SMO(pair=pair, tol=1e-4, max_steps=100_000))
    cursor = Cursor(run)
    for step in range(min(run.steps, 200) + 1):
        up, down = np.split(cursor.state(step).beta, 2)
        assert not (up * down).any()
    best = solve(problem, SMO(tol=1e-8)).certificate
    assert run.certificate.dual <= best.dual * (1 + 1e-9)
    if pair == "platt" or run.reason is Reason.CONVERGED:
        assert run.reason is Reason.CONVERGED
        assert run.certificate.kkt <= 1e-4
        assert run.certificate.dual == pytest.approx(best.dual, rel=1e-3)
