"""Working sets against scikit-learn, SMO, closed forms, and a version of twenty lines."""

import itertools
import math

import numpy as np
import pytest

from solvers import (
    RBF,
    SMO,
    Cursor,
    Linear,
    Polynomial,
    Problem,
    Reason,
    Regression,
    WorkingSet,
    certify,
    solve,
)
from solvers.jit.compiled import compiled
from solvers.kernels.kernel_rows import CACHE_BYTES
from solvers.methods.working_set.choice import mark_worst
from solvers.methods.working_set.state import (
    CHOICE,
    NEWTON,
    PAIR,
    TEST,
    State,
    Work,
)
from solvers.problem.certificate import FREE
from solvers.problem.problem import DualForm
from solvers.run.formulas import number
from solvers.run.trace import SWEEP_STARTED
from tests.solvers.methods.smo.test_smo import GRID, libsvm
from tests.solvers.problems import (
    EIGHT_ALPHA,
    EIGHT_LABELS,
    EIGHT_POINTS,
    XOR_LABELS,
    XOR_POINTS,
    cloud,
    contradictory,
    define_gram,
    random_problem,
    separated,
)
from tests.solvers.states import same_state

CHOICES = ["fast", "worst", "osuna"]
every_choice = pytest.mark.parametrize("choice", CHOICES)


def variants(tol: float) -> list[WorkingSet]:
    """The defaults, and every choice with a set that is small, so that there are many rounds."""
    return [WorkingSet(tol=tol), *(WorkingSet(tol=tol, choice=c, size=10) for c in CHOICES)]


@pytest.mark.parametrize("seed", range(50))
def test_agrees_with_scikit_learn(seed):
    problem = random_problem(seed)
    reference, converged = libsvm(problem, 1e-6)
    best = certify(problem, reference)
    for method in variants(1e-6):
        run = solve(problem, method)
        mine = run.certificate
        assert run.reason is Reason.CONVERGED
        assert mine.kkt <= 1e-6 * (1 + 1e-6)
        assert mine.dual >= best.dual * (1 - 1e-6)
        if converged:
            assert mine.dual == pytest.approx(best.dual, rel=1e-6)
        if best.kkt <= 2e-6 and mine.count(FREE) and best.count(FREE):
            difference = run.expansion.on_grid(GRID, GRID) - reference.on_grid(GRID, GRID)
            assert np.abs(difference).max() < 1e-4


@pytest.mark.parametrize("n", [300, 1500])
@pytest.mark.parametrize(
    "kernel", [Linear(), RBF(2.0), Polynomial(1.0, 1.0, 3)], ids=["linear", "rbf", "cubic"]
)
def test_agrees_with_smo_if_a_set_is_smaller_than_the_problem(n, kernel):
    problem = Problem(*cloud(n, n, noise=0.7), kernel=kernel, C=3.0)
    reference = solve(problem, SMO(tol=1e-6)).certificate
    for method in (WorkingSet(tol=1e-6), WorkingSet(tol=1e-6, newton=False)):
        run = solve(problem, method)
        assert run.reason is Reason.CONVERGED
        assert run.certificate.kkt <= 1e-6 * (1 + 1e-6)
        assert run.certificate.dual == pytest.approx(reference.dual, rel=1e-6)


def naive(X, y, K, C, size, tol):
    """Rounds of pairs on the points that violate most, with everything recomputed."""
    beta, lower, upper = np.zeros(len(y)), np.minimum(C * y, 0), np.maximum(C * y, 0)
    while True:
        F = y - K @ beta
        up, low = np.where(beta < upper, F, -np.inf), np.where(beta > lower, F, np.inf)
        if up.max() - low.min() < tol:
            return beta
        chosen = np.union1d(np.argsort(-up)[: size // 2], np.argsort(low)[: size // 2])
        for _ in range(3 * size):
            F = y - K @ beta
            i = chosen[np.argmax(np.where(beta < upper, F, -np.inf)[chosen])]
            j = chosen[np.argmin(np.where(beta > lower, F, np.inf)[chosen])]
            if F[i] - F[j] < 0.1 * tol:
                break
            eta = max(K[i, i] + K[j, j] - 2 * K[i, j], 1e-12)
            t = min((F[i] - F[j]) / eta, upper[i] - beta[i], beta[j] - lower[j])
            beta[i], beta[j] = beta[i] + t, beta[j] - t


@pytest.mark.parametrize("seed", range(8))
def test_agrees_with_the_naive_version(seed):
    X, y = cloud(40, seed, noise=0.8)
    kernel = [Linear(), RBF(0.5)][seed % 2]
    K = define_gram(kernel, X, X)
    beta = naive(X, y, K, 2.0, 8, 1e-6)
    dual = y @ beta - 0.5 * beta @ K @ beta
    for method in variants(1e-6):
        run = solve(Problem(X, y, kernel=kernel, C=2.0), method)
        assert run.certificate.dual == pytest.approx(dual, rel=1e-6)


@every_choice
@pytest.mark.parametrize("size", [0, 2, 4])
@pytest.mark.parametrize("C", [0.51, 1e4, math.inf])
def test_eight_points(choice, size, C):
    problem = Problem(EIGHT_POINTS, EIGHT_LABELS, kernel=Linear(), C=C)
    run = solve(problem, WorkingSet(tol=1e-11, choice=choice, size=size))
    assert run.reason is Reason.CONVERGED
    np.testing.assert_allclose(run.certificate.alpha, EIGHT_ALPHA, atol=1e-9)
    np.testing.assert_allclose(run.expansion.w, [0, 1], atol=1e-9)
    assert run.expansion.bias == pytest.approx(0, abs=1e-9)
    assert list(run.expansion.support) == [2, 4, 6]


@every_choice
@pytest.mark.parametrize("C", [0.126, math.inf])
def test_xor(choice, C):
    kernel = Polynomial(gamma=1.0, coef0=1.0, degree=2)
    problem = Problem(XOR_POINTS, XOR_LABELS, kernel=kernel, C=C)
    run = solve(problem, WorkingSet(tol=1e-12, choice=choice))
    np.testing.assert_allclose(run.certificate.alpha, 1 / 8, atol=1e-10)


@pytest.mark.parametrize("distance", [1e-6, 1.0, 1e6])
def test_two_points(distance):
    direction = np.array([0.6, 0.8])
    X = np.array([direction, direction * (1 + distance)])
    run = solve(Problem(X, [-1, 1], kernel=Linear(), C=math.inf), WorkingSet(tol=1e-9))
    rounding = 1e-9 + 1e-15 / distance**2
    np.testing.assert_allclose(run.certificate.alpha, 2 / distance**2, rtol=rounding)


@every_choice
@pytest.mark.parametrize("seed", range(3))
def test_hard_margin_of_separable_points(choice, seed):
    problem = Problem(*separated(60, seed), kernel=Linear(), C=math.inf)
    run = solve(problem, WorkingSet(tol=1e-6, choice=choice, size=12))
    assert run.reason is Reason.CONVERGED
    reference = solve(problem, SMO(tol=1e-6)).certificate
    assert run.certificate.dual == pytest.approx(reference.dual, rel=1e-5)


@every_choice
@pytest.mark.parametrize("kernel", [Linear(), Polynomial(1.0, 1.0, 2)], ids=["linear", "square"])
def test_hard_margin_of_inseparable_points_ends_with_the_proof(choice, kernel):
    problem = Problem(*cloud(60, 3, noise=3.0), kernel=kernel, C=math.inf)
    run = solve(problem, WorkingSet(choice=choice, size=12))
    assert run.reason is Reason.NOT_SEPARABLE
    assert "meet" in run.stop.sentence
    assert run.certificate.primal == math.inf
    assert run.steps < 200


def test_hard_margin_of_a_point_with_both_labels():
    problem = Problem([[0, 0], [1, 2], [1, 2]], [-1, 1, -1], C=math.inf)
    assert solve(problem, WorkingSet()).reason is Reason.NOT_SEPARABLE


@pytest.mark.parametrize("seed", range(6))
def test_regression_agrees_with_smo(seed):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2, 2, size=(60, 1))
    y = np.sin(2 * X[:, 0]) + 0.2 * rng.normal(size=60)
    problem = Regression(X, y, kernel=RBF(1.0), C=5.0, epsilon=0.1)
    reference = solve(problem, SMO(tol=1e-6)).certificate
    for method in variants(1e-6):
        run = solve(problem, method)
        assert run.reason is Reason.CONVERGED
        assert run.certificate.dual == pytest.approx(reference.dual, rel=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_a_guess_is_repaired_and_leads_to_the_same_optimum(seed):
    problem = random_problem(seed)
    best = solve(problem, WorkingSet(tol=1e-6))
    rng = np.random.default_rng(seed)
    for guess in (best.expansion.beta, rng.normal(size=problem.n) * 1e3, np.full(problem.n, 1e300)):
        run = solve(problem, WorkingSet(tol=1e-6), guess=guess)
        assert not certify(problem, run.at(0).expansion).repaired
        assert run.certificate.dual == pytest.approx(best.certificate.dual, rel=1e-6)
    assert solve(problem, WorkingSet(tol=1e-5), guess=best.expansion.beta).steps <= 3


@every_choice
def test_F_at_the_end_matches_beta(choice):
    problem = Problem(*contradictory(400, 1), kernel=RBF(0.7), C=30.0)
    run = solve(problem, WorkingSet(choice=choice, size=40))
    state = Cursor(run).state(run.steps)
    F = problem.y - problem.kernel(problem.X, problem.X) @ state.beta
    np.testing.assert_allclose(state.F, F, atol=1e-9)


# Records: rounds and inner steps in one sequence.


def kinds_of(run) -> list[int]:
    return [int(run.trace.event(k)["kind"]) for k in range(1, run.steps + 1)]


@every_choice
def test_a_run_is_a_sequence_of_rounds(choice):
    problem = Problem(*cloud(120, 2, noise=0.6), kernel=RBF(1.0), C=10.0)
    run = solve(problem, WorkingSet(choice=choice, size=16))
    kinds = kinds_of(run)
    assert kinds[0] == CHOICE
    assert kinds[-1] == TEST
    for before, after in itertools.pairwise(kinds):
        assert (after == CHOICE) == (before == TEST)
    begun = [k for k, kind in enumerate(kinds) if kind == CHOICE]
    marks = run.trace.marks(0, run.steps)
    assert begun == [k for k, mark in enumerate(marks) if mark & SWEEP_STARTED]
    assert len(begun) > 2


def test_events_describe_rounds_pairs_and_newton_steps():
    problem = Problem(*cloud(600, 2, noise=0.6), kernel=RBF(1.0), C=100.0)
    run = solve(problem, WorkingSet(tol=1e-5))
    kinds, cursor = kinds_of(run), Cursor(run)
    assert {CHOICE, PAIR, NEWTON, TEST} == set(kinds)
    first = cursor.seek(1).event
    assert first.kind == "set"
    assert len(first.touched) == first.values["size"] <= 128
    assert first.values["violation"] == 2.0
    for kind, expected in ((NEWTON, "newton"), (TEST, "test")):
        step = kinds.index(kind) + 1
        before, here = cursor.seek(step - 1), cursor.seek(step)
        assert here.event.kind == expected
        rise = certify(problem, here.expansion).dual - certify(problem, before.expansion).dual
        assert rise == pytest.approx(here.event.values.get("rise", 0.0), abs=1e-8)
    last = cursor.seek(run.steps).event
    assert last.values["violation"] < 1e-5


def test_a_newton_step_gives_the_fraction_that_fits_into_the_box():
    problem = Problem(*cloud(150, 2, noise=0.6), kernel=RBF(2.0), C=10.0)
    run = solve(problem, WorkingSet(tol=1e-5))
    cursor, told = Cursor(run), []
    for step, kind in enumerate(kinds_of(run), 1):
        if kind != NEWTON:
            continue
        before, here = cursor.state(step - 1), cursor.seek(step)
        event = here.event
        values = event.values
        assert event.kind == "newton"
        S = list(event.touched)
        # F becomes (1 - s) F + s b, whose spread is 1 - s times the old one.
        old = before.F.copy()
        size = int(before.round["size"][0])
        old[before.points[:size]] = before.local_F[:size]
        change = problem.kernel(problem.X, problem.X[S]) @ (here.expansion.beta[S] - before.beta[S])
        spread = np.ptp((old - change)[S]) / np.ptp(old[S])
        assert values["fraction"] == pytest.approx(1.0 - spread, abs=1e-5)
        assert (values["limiting"] is None) == (values["fraction"] == 1.0)
        numbers = event.formulas[0].numbers
        assert numbers.endswith(
            "t = 1" if values["limiting"] is None else f"t = {number(values['fraction'])}"
        )
        told.append(values["fraction"])
    assert min(told) < 0.9
    assert max(told) == 1.0


@pytest.mark.parametrize("n", [150, 700])
@every_choice
def test_any_step_is_replayed_bitwise(choice, n):
    # Segments begin inside rounds, so Gram matrices are recomputed there.
    problem = Problem(*cloud(n, 4, noise=1.0), kernel=RBF(1.0), C=20.0)
    run = solve(problem, WorkingSet(choice=choice, size=24, tol=1e-5))
    assert run.trace.segments > 1
    rng = np.random.default_rng(0)
    forwards, jumping = Cursor(run), Cursor(run)
    steps = sorted(int(k) for k in rng.integers(0, run.steps + 1, 25))
    states = {k: forwards.state(k) for k in steps}
    for k in rng.permutation(steps):
        assert same_state(jumping.state(int(k)), states[int(k)])
    assert same_state(jumping.state(run.steps), run._state)


def test_the_seed_draws_other_points():
    problem = Problem(*cloud(400, 4, noise=1.0), kernel=RBF(1.0), C=20.0)
    runs = [solve(problem, WorkingSet(seed=seed, size=32)) for seed in (1, 1, 2)]
    chosen = [run.at(1).event.touched for run in runs]
    assert chosen[0] == chosen[1] != chosen[2]
    assert runs[0].certificate.dual == pytest.approx(runs[2].certificate.dual, rel=1e-4)


@compiled
def mark(dual_form: DualForm, state: State, work: Work) -> None:
    """Call it from compiled code."""
    mark_worst(dual_form, state, work)


@pytest.mark.parametrize("half", [1, 5, 40, 300])
def test_the_worst_violators_are_those_of_a_sort(half):
    rng = np.random.default_rng(half)
    problem = Problem(*cloud(200, 4), C=1.0)
    dual_form, method = problem.dual_form, WorkingSet(choice="worst", size=max(2, half))
    for _ in range(20):
        state, work = method.start(problem), method.workspace(problem, cache_bytes=CACHE_BYTES)
        state.beta[:] = rng.choice([0.0, 0.5, 1.0], 200) * problem.y
        # Many ties; the first points are chosen.
        state.F[:] = rng.integers(-9, 10, 200)
        state.round["next_size"] = 2 * half
        up, low = state.beta < dual_form.upper, state.beta > dual_form.lower
        m, M = state.F[up].max(), state.F[low].min()
        state.round["m"], state.round["M"] = m, M
        mark(dual_form, state, work)
        expected = np.zeros(200, dtype=bool)
        for sign, moves in ((1, up), (-1, low)):
            over = np.where(moves, sign * (state.F - (m + M) / 2), -np.inf)
            expected[np.argsort(-over, kind="stable")[:half][: moves.sum()]] = True
        assert (work.member == expected).all()


@pytest.mark.parametrize("kernel", [Linear(), RBF()])
@pytest.mark.parametrize("kind", [SMO, WorkingSet])
def test_a_linear_run_at_its_step_limit_names_the_method_that_converges(kind, kernel):
    problem = Problem(*cloud(60, 0), kernel=kernel, C=1.0)
    run = solve(problem, kind(max_steps=3))
    assert run.stop is not None
    assert run.reason is Reason.STEP_LIMIT
    assert ("interior-point" in run.stop.sentence) == (kernel == Linear())


@pytest.mark.parametrize(("d", "size"), [(2, 128), (100, 1100)])
def test_with_many_features_the_first_set_has_all_points(d, size):
    X = np.random.default_rng(0).normal(size=(1100, d))
    problem = Problem(X, np.where(X[:, 0] > 0.3, 1.0, -1.0), kernel=RBF(1.0 / d), C=1.0)
    run = solve(problem, WorkingSet())
    assert run.reason is Reason.CONVERGED
    assert run.certificate.kkt <= 1e-3
    cursor, half = Cursor(run), run.steps // 2
    assert cursor.state(1).round["size"][0] == len(np.unique(cursor.state(1).points[:size])) == size
    end = cursor.state(run.steps)
    assert (end.beta == run.expansion.beta).all()
    assert same_state(cursor.state(half), Cursor(run).state(half))
