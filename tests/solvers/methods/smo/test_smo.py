"""SMO against scikit-learn, against closed forms, and against the certificate."""

import math
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from solvers import (
    RBF,
    SMO,
    Cursor,
    Expansion,
    Kernel,
    Linear,
    Polynomial,
    Problem,
    Reason,
    certify,
    solve,
)
from solvers.problem.certificate import FREE
from tests.solvers.problems import (
    EIGHT_ALPHA,
    EIGHT_LABELS,
    EIGHT_POINTS,
    XOR_LABELS,
    XOR_POINTS,
    cloud,
    contradictory,
    define_gram,
    is_one_sentence,
    random_problem,
    separated,
)

PAIRS = ["second-order", "maximal-violation"]
every_pair = pytest.mark.parametrize("pair", PAIRS)
MAX_STEPS = 300_000  # steps of LIBSVM
GRID = np.linspace(-2.5, 2.5, 12)


def libsvm(problem: Problem, tol: float) -> tuple[Expansion, bool]:
    """Return scikit-learn's solution as an expansion, and whether it converged.

    It keeps its kernel in single precision, in which some of these problems never end.
    """
    model = SVC(C=problem.C, tol=tol, max_iter=MAX_STEPS, **in_words_of_libsvm(problem.kernel))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(problem.X, problem.y)
    beta = np.zeros(problem.n)
    beta[model.support_] = model.dual_coef_[0]
    expansion = Expansion(problem.kernel, problem.X, beta, float(model.intercept_[0]))
    return expansion, bool(model.n_iter_[0] < MAX_STEPS)


def in_words_of_libsvm(kernel: Kernel) -> dict:
    name = {"linear": "linear", "polynomial": "poly", "rbf": "rbf"}[kernel.name]
    return {"kernel": name, **kernel.values()}


@pytest.mark.parametrize("seed", range(100))
def test_agrees_with_scikit_learn(seed):
    problem = random_problem(seed)
    reference, converged = libsvm(problem, 1e-6)
    # The objective of both is computed here, in double precision, from their alphas.
    best = certify(problem, reference)
    assert not best.repaired
    for pair in PAIRS:
        run = solve(problem, SMO(tol=1e-6, pair=pair))
        mine = run.certificate
        assert run.reason is Reason.CONVERGED
        assert mine.dual >= best.dual * (1 - 1e-6)
        if converged:
            assert mine.dual == pytest.approx(best.dual, rel=1e-6)
        assert mine.alpha.min() >= 0.0
        assert mine.alpha.max() <= problem.C
        assert abs(run.expansion.beta.sum()) < 1e-9 * problem.C * problem.n
        assert mine.kkt <= 1e-6
        # At large C, LIBSVM violates KKT by up to 1e-3 though it claims less. f is compared if it
        # satisfies KKT, and if a free vector determines b.
        if best.kkt <= 2e-6 and mine.count(FREE) and best.count(FREE):
            difference = run.expansion.on_grid(GRID, GRID) - reference.on_grid(GRID, GRID)
            assert np.abs(difference).max() < 1e-4


def test_enough_of_the_comparison_is_tight():
    problems = [random_problem(seed) for seed in range(0, 100, 4)]
    references = [libsvm(problem, 1e-6) for problem in problems]
    tight = [
        certify(problem, reference).kkt <= 2e-6
        for problem, (reference, _) in zip(problems, references, strict=True)
    ]
    assert sum(tight) > len(problems) / 3
    assert sum(converged for _, converged in references) >= len(problems) - 1


@pytest.mark.parametrize("seed", range(20))
def test_both_pairs_lead_to_one_answer(seed):
    problem = random_problem(seed)
    one, two = (solve(problem, SMO(tol=1e-7, pair=pair)) for pair in PAIRS)
    assert one.certificate.relative_gap < 1e-4
    if one.certificate.count(FREE) and two.certificate.count(FREE):
        difference = one.expansion.on_grid(GRID, GRID) - two.expansion.on_grid(GRID, GRID)
        assert np.abs(difference).max() < 1e-4


@every_pair
@pytest.mark.parametrize("C", [0.51, 10.0, 1e4, math.inf])
def test_eight_points(pair, C):
    problem = Problem(EIGHT_POINTS, EIGHT_LABELS, kernel=Linear(), C=C)
    run = solve(problem, SMO(tol=1e-12, pair=pair))
    assert run.reason is Reason.CONVERGED
    np.testing.assert_allclose(run.certificate.alpha, EIGHT_ALPHA, atol=1e-9)
    np.testing.assert_allclose(run.expansion.w, [0, 1], atol=1e-9)
    assert run.expansion.bias == pytest.approx(0, abs=1e-9)
    assert run.certificate.margin == pytest.approx(1, abs=1e-9)
    assert list(run.expansion.support) == [2, 4, 6]
    # Slack enters P with the factor C.
    slack = 0.0 if problem.hard else 1e-12 * C
    assert run.certificate.gap == pytest.approx(0, abs=1e-9 + slack)


@every_pair
@pytest.mark.parametrize("C", [math.inf, 1e30])
@pytest.mark.parametrize("distance", [1e-6, 0.37, 1.0, 41.0, 1e6])
def test_two_points(pair, C, distance):
    direction = np.array([0.6, 0.8])
    X = np.array([direction, direction * (1 + distance)])
    run = solve(Problem(X, [-1, 1], kernel=Linear(), C=C), SMO(tol=1e-9, pair=pair))
    # K is about 1 for near points: its rounding error relative to distance^2 is the condition.
    rounding = 1e-9 + 1e-15 / distance**2
    assert run.certificate.norm == pytest.approx(2 / distance, rel=rounding)
    np.testing.assert_allclose(run.certificate.alpha, 2 / distance**2, rtol=rounding)
    middle = X.mean(axis=0, keepdims=True)
    assert run.expansion(middle)[0] == pytest.approx(0, abs=10 * rounding)


def test_two_points_with_a_small_penalty_are_at_C():
    X = [[0.0, 0.0], [1.0, 0.0]]
    run = solve(Problem(X, [-1, 1], kernel=Linear(), C=0.25), SMO())
    assert run.certificate.alpha.tolist() == [0.25, 0.25]


@every_pair
@pytest.mark.parametrize("C", [0.126, 1.0, math.inf])
def test_xor(pair, C):
    kernel = Polynomial(gamma=1.0, coef0=1.0, degree=2)
    run = solve(Problem(XOR_POINTS, XOR_LABELS, kernel=kernel, C=C), SMO(tol=1e-12, pair=pair))
    np.testing.assert_allclose(run.certificate.alpha, 1 / 8, atol=1e-10)
    xs, ys = np.linspace(-2, 2, 9), np.linspace(-1, 3, 7)
    np.testing.assert_allclose(run.expansion.on_grid(xs, ys), np.outer(ys, xs), atol=1e-9)


@every_pair
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kernel", [Linear(), RBF(0.3)], ids=["linear", "rbf"])
def test_hard_margin_of_separable_points(pair, seed, kernel):
    X, y = separated(20, seed)
    run = solve(Problem(X, y, kernel=kernel, C=math.inf), SMO(tol=1e-6, pair=pair))
    certificate = run.certificate
    assert run.reason is Reason.CONVERGED
    assert (y * certificate.decision).min() == pytest.approx(1, abs=1e-5)
    assert certificate.relative_gap < 1e-4
    soft = solve(Problem(X, y, kernel=kernel, C=2 * certificate.alpha.max()), SMO(tol=1e-6))
    assert certificate.norm == pytest.approx(soft.certificate.norm, rel=1e-5)


@every_pair
@pytest.mark.parametrize("kernel", [Linear(), Polynomial()], ids=["linear", "cubic"])
@pytest.mark.parametrize("seed", range(4))
def test_hard_margin_of_inseparable_points_ends_soon(pair, kernel, seed):
    X, y = cloud(60, seed, noise=3.0)
    run = solve(Problem(X, y, kernel=kernel, C=math.inf), SMO(pair=pair))
    assert run.reason is Reason.NOT_SEPARABLE
    assert run.steps < 1000
    assert is_one_sentence(run.stop.sentence)
    assert "hulls" in run.stop.sentence
    certificate = run.certificate
    assert certificate.primal == math.inf
    assert math.isfinite(certificate.dual)
    assert math.isfinite(run.expansion.bias)
    assert np.isfinite(run.expansion.beta).all()


@every_pair
@pytest.mark.parametrize("shift", [0.0, 1e3])
@pytest.mark.parametrize("gap", [1e-2, 1e-4, 1e-6])
def test_barely_separable_points_are_never_called_inseparable(pair, gap, shift):
    # Two rows of points along a slanted line, gap apart.
    rng = np.random.default_rng(0)
    along, side = np.array([0.8, 0.6]), np.array([-0.6, 0.8])
    y = np.where(np.arange(40) < 20, 1.0, -1.0)
    away = np.where(np.arange(40) % 5 == 0, 0.5, 0.5 + rng.random(40))
    X = rng.uniform(-1, 1, 40)[:, None] * along + (y * gap * away)[:, None] * side + shift
    run = solve(Problem(X, y, kernel=Linear(), C=math.inf), SMO(pair=pair, max_steps=20_000))
    assert run.reason is not Reason.NOT_SEPARABLE
    if run.reason is Reason.CONVERGED:
        assert 2 / run.certificate.norm == pytest.approx(gap, rel=1e-2)


def test_hard_margin_of_a_point_with_both_labels():
    problem = Problem([[0, 0], [1, 2], [1, 2]], [-1, 1, -1], C=math.inf)
    run = solve(problem, SMO())
    assert run.reason is Reason.NOT_SEPARABLE
    assert "coincide" in run.stop.sentence


@every_pair
@pytest.mark.parametrize("n", [2, 7])
def test_one_point_with_both_labels(pair, n):
    y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    problem = Problem(np.ones((n, 2)), y, C=3.0)
    run = solve(problem, SMO(pair=pair))
    assert run.reason is Reason.CONVERGED
    # f is constant: correct for the larger class, wrong by 2 for the smaller.
    heavier = 1.0 if n % 2 else 0.0
    assert run.certificate.primal == pytest.approx(2 * 3.0 * (n // 2))
    assert run.expansion.bias == heavier


@pytest.mark.parametrize("seed", range(12))
def test_a_guess_is_repaired_and_leads_to_the_same_optimum(seed):
    problem = random_problem(seed)
    best = solve(problem, SMO(tol=1e-6))
    rng = np.random.default_rng(seed)
    near = best.expansion.beta * rng.uniform(0.9, 1.1, problem.n)
    for guess in (near, -near, rng.normal(size=problem.n) * 1e3, np.full(problem.n, 1e300)):
        run = solve(problem, SMO(tol=1e-6), guess=guess)
        start = certify(problem, run.at(0).expansion)
        assert not start.repaired
        assert start.alpha.min() >= 0.0
        assert start.alpha.max() <= problem.C
        assert start.dual >= 0.0
        assert run.certificate.dual == pytest.approx(best.certificate.dual, rel=1e-6)


def test_a_good_guess_saves_steps():
    problem = Problem(*cloud(80, 1, noise=1.0), C=10.0)
    cold = solve(problem, SMO(tol=1e-4))
    assert solve(problem, SMO(tol=1e-4), guess=cold.expansion.beta).steps == 0


@every_pair
def test_F_of_the_state_matches_beta(pair):
    # F is updated step by step; it must stay target - K beta, or the stop would be wrong.
    X, y = contradictory(40, 1)
    problem = Problem(X, y, kernel=Linear(), C=1e3)
    run = solve(problem, SMO(tol=1e-6, pair=pair))
    state = Cursor(run).state(run.steps)
    F = y - define_gram(problem.kernel, X, X) @ state.beta
    np.testing.assert_allclose(state.F, F, atol=1e-8)
    assert state.scalars["steps"][0] == run.steps
    assert state.scalars["evaluations"][0] == 2 * problem.n * run.steps
