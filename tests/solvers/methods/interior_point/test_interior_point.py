"""The interior point against SMO, box-constrained descent, a naive version and closed forms."""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import minimize

from solvers import (
    RBF,
    SMO,
    BadInput,
    Cursor,
    InteriorPoint,
    Linear,
    Polynomial,
    Problem,
    Reason,
    Regression,
    Run,
    Sigmoid,
    certify,
    solve,
)
from solvers.kernels import gram_factor as gram
from solvers.kernels.gram_factor import Dense, LowRank, cholesky, substitute
from solvers.methods.interior_point import steps as interior_steps
from solvers.methods.interior_point.steps import gram_matrix_of
from solvers.problem.certificate import FREE
from solvers.run.formulas import number
from solvers.run.trace import copy_state
from tests.solvers.problems import (
    EIGHT_ALPHA,
    EIGHT_LABELS,
    EIGHT_POINTS,
    XOR_LABELS,
    XOR_POINTS,
    cloud,
    contradictory,
    is_one_sentence,
    nothing_is_nan,
    random_problem,
    separated,
    wave,
)
from tests.solvers.states import same_state


@pytest.mark.parametrize("seed", range(60))
def test_agrees_with_smo_at_the_smallest_tolerance(seed):
    problem = random_problem(seed)
    run, other = solve(problem, InteriorPoint(tol=1e-8)), solve(problem, SMO(tol=1e-10))
    mine, theirs = run.certificate, other.certificate
    assert run.reason is Reason.CONVERGED
    assert run.steps <= 40
    assert mine.kkt <= 1e-8
    assert mine.dual >= theirs.dual * (1 - 1e-9)
    if other.reason is Reason.CONVERGED:
        assert mine.dual == pytest.approx(theirs.dual, rel=1e-8)
        if mine.count(FREE):
            assert np.abs(mine.decision - theirs.decision).max() < 1e-5


@pytest.mark.parametrize("bias", ["none", "augmented"])
@pytest.mark.parametrize("kernel", [Linear(), Polynomial(degree=2), RBF(0.7)])
def test_without_the_equality_agrees_with_descent_in_a_box(bias, kernel):
    problem = Problem(*cloud(25, 4), kernel=kernel, C=1.7, bias=bias)
    Q = problem.kernel(problem.X, problem.X) + (bias == "augmented")
    Q = Q * np.outer(problem.y, problem.y)
    found = minimize(
        lambda a: (0.5 * a @ Q @ a - a.sum(), Q @ a - 1.0),
        np.full(25, 0.5),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0.0, problem.C)] * 25,
        options={"maxiter": 100_000, "maxfun": 100_000, "ftol": 0.0, "gtol": 1e-9},
    )
    mine = solve(problem, InteriorPoint()).certificate
    assert mine.dual == pytest.approx(-found.fun, rel=1e-7)
    assert mine.gap == pytest.approx(0.0, abs=1e-6 * mine.dual)


def naive(problem: Problem, steps: int = 40) -> tuple[np.ndarray, float]:
    """Return ``alpha`` and b by Newton's method on the full conditions, with sigma = 0.1."""
    n, C, y = problem.n, problem.C, problem.y
    Q = problem.kernel(problem.X, problem.X) * np.outer(y, y)
    fewer = min((y > 0).sum(), (y < 0).sum())
    a = 0.5 * C * np.where(y > 0, fewer / (y > 0).sum(), fewer / (y < 0).sum())
    z, r, b = np.ones(n), np.ones(n), 0.0
    for _ in range(steps):
        mu = 0.1 * (a @ z + (C - a) @ r) / (2 * n)
        eye, zero = np.eye(n), np.zeros((n, n))
        J = np.block(
            [
                [Q, y[:, None], -eye, eye],
                [y[None, :], np.zeros((1, 1)), np.zeros((1, 2 * n))],
                [np.diag(z), np.zeros((n, 1)), np.diag(a), zero],
                [-np.diag(r), np.zeros((n, 1)), zero, np.diag(C - a)],
            ]
        )
        F = np.concatenate([Q @ a - 1 + b * y - z + r, [y @ a], a * z - mu, (C - a) * r - mu])
        d = np.linalg.solve(J, -F)
        da, db, dz, dr = d[:n], d[n], d[n + 1 : 2 * n + 1], d[2 * n + 1 :]
        now, change = np.concatenate([a, C - a, z, r]), np.concatenate([da, -da, dz, dr])
        t = min(1.0, 0.99 * np.min(np.where(change < 0, -now / change, np.inf)))
        a, b, z, r = a + t * da, b + t * db, z + t * dz, r + t * dr
    return a, b


@pytest.mark.parametrize("kernel", [Linear(), RBF(0.7)])
def test_agrees_with_the_naive_version(kernel):
    problem = Problem(*cloud(16, 6, noise=1.0), kernel=kernel, C=0.8)
    a, b = naive(problem)
    run = solve(problem, InteriorPoint())
    assert np.abs(run.certificate.alpha - a).max() < 1e-6
    assert run.expansion.bias == pytest.approx(b, abs=1e-6)


@pytest.mark.parametrize("C", [0.6, 1e3, math.inf])
def test_eight_points(C):
    problem = Problem(EIGHT_POINTS, EIGHT_LABELS, kernel=Linear(), C=C)
    run = solve(problem, InteriorPoint())
    assert run.certificate.alpha == pytest.approx(np.array(EIGHT_ALPHA), abs=1e-8)
    # The last step makes zeros exact.
    assert list(run.expansion.support + 1) == [3, 5, 7]
    assert run.expansion.w == pytest.approx(np.array([0.0, 1.0]), abs=1e-8)
    assert run.expansion.bias == pytest.approx(0.0, abs=1e-8)


@pytest.mark.parametrize("C", [0.125, 1.0, math.inf])
def test_xor(C):
    problem = Problem(XOR_POINTS, XOR_LABELS, kernel=Polynomial(1.0, 1.0, 2), C=C)
    run = solve(problem, InteriorPoint())
    assert run.certificate.alpha == pytest.approx(np.full(4, 0.125), abs=1e-9)


def test_two_points():
    run = solve(Problem([[0, 0], [3, 4]], [-1, 1], kernel=Linear(), C=math.inf), InteriorPoint())
    assert run.certificate.norm == pytest.approx(2 / 5)
    assert run.expansion([[1.5, 2.0]]) == pytest.approx(0.0, abs=1e-9)


def test_the_path_stays_inside_and_the_gap_falls_by_orders_of_magnitude():
    problem = Problem(*cloud(60, 2), kernel=RBF(0.8), C=4.0)
    run = solve(problem, InteriorPoint())
    cursor = Cursor(run)
    gaps = [certify(problem, cursor.seek(t).expansion).gap for t in range(run.steps + 1)]
    assert gaps[0] > 1.0
    assert gaps[-1] < 1e-7
    # The gap in the sentence and in the event is the certificate's.
    for t in range(1, run.steps):
        event = cursor.seek(t).event
        assert event.values["gap"] == pytest.approx(gaps[t], rel=1e-6, abs=1e-9)
        assert 0.0 <= event.values["sigma"] <= 1.0
        assert 0.0 < event.values["length"] <= 1.0
        assert event.sentence.startswith(f"Step {t}: gap ")
    assert all(after < before for before, after in itertools.pairwise(gaps))


TASKS = {
    "classes": Problem(*cloud(40, 2), kernel=RBF(0.8), C=4.0),
    "without b": Problem(*cloud(40, 2), kernel=RBF(0.8), C=4.0, bias="none"),
    "regression": Regression(*wave(25, 1), RBF(0.8), C=2.0, epsilon=0.1),
    "hard margin": Problem(*cloud(40, 2), kernel=RBF(0.8), C=math.inf),
}


@pytest.mark.parametrize("problem", TASKS.values(), ids=TASKS)
def test_the_event_contains_the_numbers_of_the_step(problem):
    """Recompute the ratio test, sigma and the moves from the states in numpy."""
    run = solve(problem, InteriorPoint())
    cursor, ended = Cursor(run), set()
    unit = run.method.workspace(problem, cache_bytes=0).S
    for t in range(1, run.steps):
        before, after, event = cursor.state(t - 1), cursor.state(t), cursor.seek(t).event
        told = event.values
        alpha, then = unit * before.distance[0], unit * after.distance[0]
        values = np.stack([*(unit * before.distance), *before.multiplier])
        change = np.stack([*(unit * after.distance), *after.multiplier]) - values
        ratio = np.where(change < 0, values / -change * told["length"], np.inf)
        assert told["length"] == pytest.approx(min(1.0, 0.995 * ratio.min()), rel=1e-6)
        assert told["mu"] == pytest.approx((unit * before.distance * before.multiplier).mean())
        sigma = min(1.0, told["mu_affine"] / told["mu"]) ** 3
        assert told["sigma"] == pytest.approx(sigma, rel=1e-9)
        if told["length"] < 1.0:
            row, place = np.unravel_index(ratio.argmin(), ratio.shape)
            kind = row if row < len(before.distance) else 2 + row - len(before.distance)
            assert (told["blocking_kind"], told["blocking_variable"]) == (kind, place)
            assert told["blocking_now"] == pytest.approx(values[row, place])
            assert problem.point_of(int(place)) in event.touched
            ended.add(kind)
        furthest = int(np.abs(then - alpha).argmax())
        assert (told["old"], told["new"]) == pytest.approx((alpha[furthest], then[furthest]))
        name = rf"\alpha_{{{problem.point_of(furthest) + 1}}}"
        assert told["farthest_alpha"].startswith(name)
        found = certify(problem, cursor.seek(t).expansion)
        if told["primal"] is None:
            assert math.isinf(found.primal)
        else:
            expected = pytest.approx((found.primal, found.gap), rel=1e-6, abs=1e-9)
            assert (told["primal"], told["gap"]) == expected
    assert len(ended) > 1


@pytest.mark.parametrize("problem", TASKS.values(), ids=TASKS)
def test_formulas_contain_the_numbers_of_the_step(problem):
    run = solve(problem, InteriorPoint())
    cursor = Cursor(run)
    for t in range(1, run.steps):
        event = cursor.seek(t).event
        told = {f.letters.split()[0]: f.numbers for f in event.formulas}
        assert told["s"].endswith(f"= {number(event.values['length'])}")
        assert told[r"\omega"].endswith(f"= {number(event.values['sigma'])}")
        assert told[r"s_{\mathrm{aff}}"].endswith(f"= {number(event.values['predicted'])}")
        letter = r"\alpha_i" if problem.task == "classification" else r"\alpha_i^{(*)}"
        assert told[letter].startswith(event.values["farthest_alpha"])
        assert told[letter].endswith(f"= {number(event.values['new'])}")
        assert ("b" in told) == (problem.bias == "free")
        assert told["P"].endswith(f"= {number(event.values['shown_gap'])}")
        assert is_one_sentence(event.why)
    last = cursor.seek(run.steps).event
    assert last.values["is_last"]
    assert [formula.letters.split()[0] for formula in last.formulas] == [letter, "P"]


def test_every_step_is_replayed_bit_for_bit(monkeypatch):
    # With one keyframe for all steps, they are taken again and not copied.
    monkeypatch.setattr(InteriorPoint, "segment_size", lambda self, problem: 512)
    for problem in (
        Problem(*cloud(300, 2), kernel=RBF(3.0)),
        Problem(*cloud(300, 2), kernel=Linear()),
    ):
        run = Run(problem, InteriorPoint())
        states = []
        while run.advance(steps=1):
            states.append(copy_state(run._state))
        interior_steps._gram_matrices.clear()
        cursor = Cursor(run)
        assert len(states) + 1 == run.steps > 8
        for step, state in enumerate(states, start=1):
            assert same_state(cursor.state(step), state)
            assert run.trace.event(step)["gap"] == state.scalars["gap"][0]
        assert run.trace.segments == 1


@pytest.mark.parametrize(
    ("kernel", "X", "y"),
    [
        (Linear(), [[0, 0], [2, 0], [1, 0]], [1, 1, -1]),
        (Linear(), *cloud(40, 1, noise=1.0)),
        (RBF(), *contradictory(20, 2)),
        (Polynomial(), [[0, 0], [0, 0]], [1, -1]),
    ],
)
def test_hulls_that_meet_end_the_hard_margin(kernel, X, y):
    run = solve(Problem(X, y, kernel=kernel, C=math.inf), InteriorPoint())
    assert run.reason is Reason.NOT_SEPARABLE
    assert "hulls" in run.stop.sentence
    # The proof: weights of the two classes that give the same point.
    alpha = run.certificate.alpha
    assert run.certificate.norm / alpha.sum() < 1e-6


def test_hard_margin_agrees_with_smo():
    for kernel in (Linear(), RBF(2.0), Polynomial()):
        problem = Problem(*separated(40, 5), kernel=kernel, C=math.inf)
        run, other = solve(problem, InteriorPoint()), solve(problem, SMO(tol=1e-8))
        assert run.reason is Reason.CONVERGED
        assert run.certificate.dual == pytest.approx(other.certificate.dual, rel=1e-6)


def test_an_indefinite_kernel_ends_with_a_sentence():
    X, y = cloud(40, 3)
    run = solve(Problem(X, y, kernel=Sigmoid(2.0, -1.0), C=1e4), InteriorPoint())
    assert run.reason is Reason.STALLED
    assert "not positive semi-definite" in run.stop.sentence


def test_too_many_points_for_a_full_rank_are_refused():
    X, y = cloud(gram.MAX_DENSE + 1, 1)
    with pytest.raises(BadInput, match=r"at most 4,000 variables α, and it has 4,001\."):
        Run(Problem(X, y, kernel=RBF(50.0)), InteriorPoint())


def test_linear_kernel_takes_twenty_thousand_points():
    problem = Problem(*cloud(20_000, 1), kernel=Linear(), C=1.0)
    run = solve(problem, InteriorPoint())
    assert isinstance(gram_matrix_of(problem), LowRank)
    assert run.reason is Reason.CONVERGED
    assert run.certificate.kkt <= 1e-6
    assert run.certificate.relative_gap < 1e-9


@pytest.mark.parametrize("bias", ["free", "augmented", "none"])
def test_linear_kernel_takes_more_features_than_a_factor_has_columns(bias, monkeypatch):
    monkeypatch.setattr(gram, "MAX_DENSE", 100)
    monkeypatch.setattr(gram, "MAX_RANK", 40)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 60))
    y = np.where(X[:, :9].sum(axis=1) + rng.normal(size=len(X)) > 0.0, 1.0, -1.0)
    problem = Problem(X, y, kernel=Linear(), C=0.1, bias=bias)
    run = solve(problem, InteriorPoint())
    assert isinstance(gram_matrix_of(problem), LowRank)
    assert run.reason is Reason.CONVERGED
    assert run.certificate.kkt <= 1e-6
    assert run.certificate.relative_gap < 1e-6


def test_stored_and_low_rank_matrices_give_the_same_answer(monkeypatch):
    X, y = cloud(80, 3)
    thin = Problem(X, y, kernel=Polynomial(), C=2.0)
    full = Problem(X, y, kernel=Polynomial(), C=2.0)
    low = solve(thin, InteriorPoint())
    monkeypatch.setattr(gram, "MAX_RANK_FRACTION", 0.0)
    high = solve(full, InteriorPoint())
    assert isinstance(gram_matrix_of(thin), LowRank)
    assert isinstance(gram_matrix_of(full), Dense)
    assert low.certificate.dual == pytest.approx(high.certificate.dual, rel=1e-10)
    assert np.abs(low.certificate.decision - high.certificate.decision).max() < 1e-8


@pytest.mark.parametrize("n", [1, 5, 128, 129, 300])
def test_blockwise_factorisation(n):
    rng = np.random.default_rng(n)
    A = rng.normal(size=(n, n))
    A = A @ A.T + np.eye(n)
    L, r = A.copy(), rng.normal(size=n)
    assert cholesky(L)
    assert np.tril(L) == pytest.approx(np.linalg.cholesky(A), abs=1e-9)
    assert A @ substitute(L, r) == pytest.approx(r, abs=1e-8)
    A[n // 2, n // 2] = -1.0
    assert not cholesky(A)


EXTREMES = [
    Problem(X * scale, y, kernel=kernel, C=C, bias=bias)
    for (X, y), scale, kernel, C, bias in itertools.product(
        [cloud(12, 1), contradictory(12, 2), (np.zeros((4, 2)), np.array([1.0, 1, -1, 1]))],
        [1e-9, 1.0, 1e9],
        [Linear(), Polynomial(degree=3), RBF(1e-9), RBF(1e9), Sigmoid()],
        [1e-75, 1e-6, 1.0, 1e6, 1e75, math.inf],
        ["free", "none"],
    )
]


def test_degenerate_input_always_ends_with_a_true_reason():
    ends = set()
    for problem in EXTREMES:
        run = solve(problem, InteriorPoint())
        certificate = run.certificate
        ends.add(run.reason)
        assert is_one_sentence(run.stop.sentence)
        assert nothing_is_nan(run.expansion.beta, run.expansion.bias, certificate.dual)
        assert certificate.alpha.min() >= 0.0
        assert certificate.alpha.max() <= problem.C
        if run.reason is Reason.CONVERGED:
            assert certificate.kkt <= 1e-6
    assert ends >= {Reason.CONVERGED, Reason.STALLED, Reason.NOT_SEPARABLE}


@pytest.mark.parametrize("bias", ["free", "none", "augmented"])
@pytest.mark.parametrize("C", [0.01, 1.0, 1e6])
@pytest.mark.parametrize("epsilon", [1.0, 2.0])
def test_a_regression_with_all_points_in_the_tube_converges_with_beta_zero(bias, C, epsilon):
    # Both alphas of every point start equal, so the duality gap is 0 from the start.
    X = np.linspace(-2, 2, 20)[:, None]
    run = solve(
        Regression(X, np.sin(2 * X[:, 0]), RBF(gamma=1.0), C=C, bias=bias, epsilon=epsilon),
        InteriorPoint(),
    )
    assert run.reason is Reason.CONVERGED, run.stop.sentence
    assert run.certificate.kkt == 0.0
    assert not run.certificate.count(FREE)
