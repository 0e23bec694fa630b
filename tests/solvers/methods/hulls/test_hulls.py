"""Nearest points of hulls: exact cases, naive versions, SMO, scikit-learn, and every stop."""

import itertools
import math
import time
from pathlib import Path

import numpy as np
import pytest
from sklearn.svm import SVC

from solvers import (
    RBF,
    SMO,
    BadInput,
    Cursor,
    Hulls,
    Linear,
    Polynomial,
    Problem,
    Quadratic,
    Reason,
    Run,
    Sigmoid,
    certify,
    solve,
)
from solvers.data.point_files import parse_points
from solvers.geometry.separation import separation
from solvers.run.trace import SWEEP_STARTED
from tests.solvers.problems import (
    EIGHT_ALPHA,
    EIGHT_LABELS,
    EIGHT_POINTS,
    XOR_LABELS,
    XOR_POINTS,
    cloud,
    define_gram,
    is_one_sentence,
    nothing_is_nan,
    separated,
)
from tests.solvers.states import same_state

ALGORITHMS = ["pairwise", "mdm", "wolfe"]
PENGUINS = Path(__file__).parents[4] / "assets" / "penguins.csv"
every_algorithm = pytest.mark.parametrize("algorithm", ALGORITHMS)


def hard(X, y, kernel=None):
    return Problem(np.asarray(X, float), np.asarray(y, float), kernel or Linear(), math.inf)


def separable_problems():
    for seed in range(6):
        yield hard(*separated(20 + 5 * seed, seed, gap=0.5))
        yield hard(*cloud(25, seed), kernel=RBF(3.0))
    yield hard(XOR_POINTS, XOR_LABELS, Polynomial(1, 1, 2))


def sweep_naively(problem, sweeps):
    """Run the printed sweep, with tau of both points updated; yield tau, the pair and delta."""
    K, y = define_gram(problem.kernel, problem.X, problem.X), problem.y
    tau = np.zeros(problem.n)
    for _ in range(sweeps):
        for i, j in itertools.product(np.flatnonzero(y > 0), np.flatnonzero(y < 0)):
            u_minus_v = y * tau
            d = np.eye(problem.n)[i] - np.eye(problem.n)[j]
            delta = (1 - u_minus_v @ K @ d) / (d @ K @ d)
            delta = max(delta, -tau[i], -tau[j])
            tau[i] += delta
            tau[j] += delta
            if abs(delta) > 1e-12:
                yield tau.copy(), (i, j), delta


def move_naively(problem, mu, tau):
    """Return tau after one MDM step as in the paper, with a cap, and the largest gradient gap."""
    K, y = define_gram(problem.kernel, problem.X, problem.X), problem.y
    gradient = y * (K @ (y * tau))
    pairs = []
    for side in (y > 0, y < 0):
        i = min(np.flatnonzero(side & (tau < mu)), key=lambda k: gradient[k])
        j = max(np.flatnonzero(side & (tau > 0)), key=lambda k: gradient[k])
        pairs.append((gradient[j] - gradient[i], i, j))
    most, i, j = max(pairs)
    t = min(tau[j], mu - tau[i], most / (K[i, i] + K[j, j] - 2 * K[i, j]))
    moved = tau.copy()
    moved[i] += t
    moved[j] -= t
    return moved, most


@pytest.mark.parametrize("kernel", [Linear(), RBF(0.8), Polynomial(0.5, 1, 2)])
def test_pairwise_equals_the_naive_sweep(kernel):
    X, y = separated(14, 3, gap=0.6)
    problem = hard(X + np.array([3.0, -1.0]), y, kernel)
    run = solve(problem, Hulls(tol=1e-8))
    cursor = Cursor(run)
    most = min(60, run.steps)
    for step, (tau, pair, delta) in zip(range(1, most + 1), sweep_naively(problem, 100)):
        event = cursor.seek(step).event
        assert (event.values["i"], event.values["j"]) == pair
        assert event.values["delta"] == pytest.approx(delta, rel=1e-6, abs=1e-9)
        np.testing.assert_allclose(cursor.state(step).tau, tau, atol=1e-9 * tau.max())


@pytest.mark.parametrize("kernel", [Linear(), RBF(0.8)])
@pytest.mark.parametrize("mu", [1.0, 0.4])
def test_mdm_equals_the_naive_version(kernel, mu):
    X, y = separated(16, 5, gap=0.6)
    run = solve(hard(X, y, kernel), Hulls(algorithm="mdm", mu=mu, tol=1e-6))
    cursor = Cursor(run)
    same = 0
    for step in range(1, run.steps + 1):
        before, after = cursor.state(step - 1).tau, cursor.state(step).tau
        naive, most = move_naively(run.problem, mu, before)
        event = cursor.seek(step).event
        # Rounding error may choose another pair with the same violation.
        values = event.values
        assert values["unclipped"] * values["eta"] == pytest.approx(most, rel=1e-6, abs=1e-12)
        same += np.allclose(after, naive, atol=1e-9)
    assert same >= 0.7 * run.steps > 4


@every_algorithm
def test_the_eight_points(algorithm):
    run = solve(hard(EIGHT_POINTS, EIGHT_LABELS), Hulls(algorithm=algorithm, tol=1e-10))
    assert run.reason is Reason.CONVERGED
    np.testing.assert_allclose(run.certificate.alpha, EIGHT_ALPHA, atol=1e-8)
    assert run.expansion.bias == pytest.approx(0.0, abs=1e-8)
    np.testing.assert_allclose(run.expansion.beta @ run.problem.X, [0, 1], atol=1e-8)
    assert list(run.expansion.support) == [2, 4, 6]
    event = run.at(run.steps).event
    np.testing.assert_allclose(
        (event.values["p"], event.values["q"]), [(0.9, 1), (0.9, -1)], atol=1e-8
    )
    assert event.values["distance"] == pytest.approx(2.0)


@every_algorithm
def test_two_points(algorithm):
    run = solve(hard([[0, 0], [3, 4]], [1, -1]), Hulls(algorithm=algorithm))
    assert run.reason is Reason.CONVERGED
    assert run.steps == (1 if algorithm == "pairwise" else 0)
    np.testing.assert_allclose(run.expansion.beta, [2 / 25, -2 / 25])
    assert run.expansion.bias == pytest.approx(1.0)


@every_algorithm
def test_penguins(algorithm):
    table = parse_points(PENGUINS.read_text())
    problem = hard(table.points / [1, 200], table.labels)
    run = solve(problem, Hulls(algorithm=algorithm, tol=1e-6))
    assert run.reason is Reason.CONVERGED
    reference = solve(problem, SMO(tol=1e-8))
    np.testing.assert_allclose(
        run.expansion.beta @ problem.X, reference.expansion.beta @ problem.X, rtol=1e-4
    )
    assert run.certificate.primal == pytest.approx(reference.certificate.dual, rel=1e-5)


@every_algorithm
def test_agrees_with_smo_and_scikit_learn(algorithm):
    for problem in separable_problems():
        run = solve(problem, Hulls(algorithm=algorithm, tol=1e-7))
        assert run.reason is Reason.CONVERGED
        assert run.certificate.kkt <= 1e-7 * (1 + 1e-3)
        smo = solve(problem, SMO(tol=1e-9))
        assert run.certificate.dual == pytest.approx(smo.certificate.dual, rel=1e-6)
        np.testing.assert_allclose(run.certificate.decision, smo.certificate.decision, atol=1e-5)
        reference = SVC(C=1e10, kernel=problem.kernel, tol=1e-9).fit(problem.X, problem.y)
        np.testing.assert_allclose(
            run.certificate.decision, reference.decision_function(problem.X), atol=1e-4
        )


@every_algorithm
def test_one_scale_for_the_whole_run(algorithm):
    problem = hard(*separated(30, 2, gap=0.4))
    run = solve(problem, Hulls(algorithm=algorithm, tol=1e-9))
    cursor = Cursor(run)
    scales = {float(cursor.state(step).scale[0]) for step in range(run.steps + 1)}
    assert len(scales) == 1
    scale = scales.pop()
    if algorithm == "pairwise":
        assert scale == 2.0  # w of the SVM is 2 (u - v)
    for step in range(1, run.steps + 1):
        snapshot = cursor.seek(step)
        event, f = snapshot.event, snapshot.expansion
        tau = cursor.state(step).tau
        np.testing.assert_array_equal(f.beta, scale * problem.y * tau)
        # f = 0 is the bisector at every step.
        p, q = np.array(event.values["p"]), np.array(event.values["q"])
        middle = 0.5 * (p + q)
        assert f(middle[None])[0] == pytest.approx(0.0, abs=1e-9)
        w = f.beta @ problem.X
        cosine = w @ (p - q) / np.linalg.norm(w) / event.values["distance"]
        assert cosine == pytest.approx(1.0)
    # At the end f = +-1 at p and q, and the width of the margin is the distance.
    np.testing.assert_allclose(f(np.array([p, q])), [1, -1], atol=1e-6)
    assert 2 * run.certificate.margin == pytest.approx(event.values["distance"])


def test_slips_of_the_lecture_notes():
    # The first slip: the update must also change tau-_j, and the next pair uses the new p and q.
    problem = hard([[3.0, 0.0], [1.0, 0.0], [0.0, 0.0]], [1, 1, -1])
    run = solve(problem, Hulls(tol=1e-9))
    first, second = run.at(1).event.values, run.at(2).event.values
    assert (first["i"], first["j"], second["i"], second["j"]) == (0, 2, 1, 2)
    assert first["delta"] == pytest.approx(1 / 9)
    assert (first["new_i"], first["new_j"]) == pytest.approx((1 / 9, 1 / 9))
    assert second["delta"] == pytest.approx((1 - 1 / 3) / 1)  # with u - v = (1/3, 0), not 0
    # The second slip: delta may be negative, since the weight of point 1 must return to 0. And p is
    # normalised, since the sums of the weights change during the run.
    deltas = [run.at(step).event.values["delta"] for step in range(1, run.steps + 1)]
    assert min(deltas) < 0.0
    assert run.at(run.steps).event.values["clipped"] or any(
        run.at(step).event.values["clipped"] for step in range(1, run.steps)
    )
    np.testing.assert_allclose(run.certificate.alpha, [0.0, 2.0, 2.0], atol=1e-8)
    assert run.at(1).event.values["p"] == pytest.approx((3.0, 0.0))


def test_sweeps_are_marked():
    run = solve(hard(*separated(20, 4, gap=0.3)), Hulls(tol=1e-8))
    starts = [0, *(np.flatnonzero(run.trace.marks(0, run.steps) & SWEEP_STARTED)[1:])]
    sweeps = [run.at(step).event.values["sweep"] for step in range(1, run.steps + 1)]
    assert [sweeps[k] for k in starts] == sorted(set(sweeps))


@every_algorithm
def test_meeting_hulls_end_at_once_with_a_proof(algorithm):
    X, y = cloud(30, 1, noise=0.3)
    problem = hard(X, y)
    run = solve(problem, Hulls(algorithm=algorithm))
    assert (run.reason, run.steps) == (Reason.NOT_SEPARABLE, 0)
    assert "reduced to μ = " in run.stop.sentence
    mu = float(run.stop.sentence.split("μ = ")[1].split(" ")[0])
    reduced = solve(problem, Hulls(algorithm="wolfe", mu=mu))
    assert reduced.reason is not Reason.NOT_SEPARABLE
    assert solve(problem, Hulls(algorithm="wolfe", mu=mu * 1.001)).reason is Reason.NOT_SEPARABLE
    tau = Cursor(run).state(0).tau
    np.testing.assert_array_equal(tau, separation(problem, run.method.mu).weights)
    np.testing.assert_allclose(tau[y > 0] @ X[y > 0], tau[y < 0] @ X[y < 0], atol=1e-6)
    assert not run.expansion.beta.any()
    assert run.expansion.bias == 0.0


@pytest.mark.parametrize("algorithm", ["mdm", "wolfe"])
def test_hulls_too_near_for_a_finite_alpha_do_not_count_as_converged(algorithm):
    X = np.array([[0.0, 7e-152], [0.0, 6e-159]])
    run = solve(hard(X, np.array([1.0, -1.0])), Hulls(algorithm=algorithm))
    assert (run.reason, run.steps) == (Reason.STALLED, 0)
    assert "so near each other" in run.stop.sentence
    enlarged = solve(hard(1e80 * X, np.array([1.0, -1.0])), Hulls(algorithm=algorithm))
    assert enlarged.reason is Reason.CONVERGED
    assert enlarged.certificate.kkt < 1e-9


@every_algorithm
@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
@pytest.mark.parametrize("offset", [0.0, 1e5])
def test_degenerate_points_end_with_a_true_reason(algorithm, scale, offset):
    cases = [
        ([[1, 1], [1, 1]], [1, -1], False),
        ([[0, 0], [0, 0], [0, 0]], [1, -1, 1], False),
        ([[0, 0], [1, 1], [2, 2], [3, 3]], [1, -1, 1, -1], False),
        ([[0, 0], [1, 0], [1, 0], [5, 5]], [1, 1, -1, -1], False),
        ([[-2, -2], [-1, -1], [2, 2], [3, 3]], [-1, -1, 1, 1], True),
        ([[0, 0], [0, 0], [1, 0], [1, 0], [1, 0]], [-1, -1, 1, 1, 1], True),
        ([[0, 1], [0, 2], [0, -1], [3, 1], [3, -1]], [1, 1, 1, -1, -1], True),
    ]
    for X, y, separable in cases:
        problem = hard(scale * (np.array(X, float) + offset), y)
        run = solve(problem, Hulls(algorithm=algorithm))
        assert run.reason is (Reason.CONVERGED if separable else Reason.NOT_SEPARABLE)
        assert is_one_sentence(run.stop.sentence)
        assert nothing_is_nan(run.expansion.beta, run.expansion.bias)
        if separable and offset == 0.0:
            assert run.certificate.kkt <= 1e-3 * (1 + 1e-6)


@every_algorithm
def test_an_indefinite_kernel_ends(algorithm):
    X, y = cloud(16, 6)
    for kernel in (Sigmoid(1.0, -1.0), Sigmoid(3.0, 2.0), Sigmoid(0.2, 0.0)):
        run = solve(hard(X, y, kernel), Hulls(algorithm=algorithm, max_steps=3000))
        assert run.reason in (Reason.STALLED, Reason.STEP_LIMIT, Reason.CONVERGED)
        assert nothing_is_nan(run.expansion.beta, run.expansion.bias)


def test_impossible_settings_are_refused_in_a_sentence():
    X, y = cloud(12, 1)
    with pytest.raises(BadInput, match=r"at least 1 / min"):
        solve(hard(X, y), Hulls(algorithm="wolfe", mu=0.01))
    with pytest.raises(BadInput, match="does not fit"):
        solve(hard(X, y), Hulls(mu=0.5))
    with pytest.raises(BadInput, match="too many beyond 1,000"):
        solve(hard(*cloud(1001, 1)), Hulls())
    with pytest.raises(BadInput, match="bias to be free"):
        solve(Problem(X, y, bias="none"), Hulls())


@every_algorithm
def test_C_does_not_matter(algorithm):
    X, y = separated(20, 7)
    runs = [solve(Problem(X, y, Linear(), C), Hulls(algorithm=algorithm)) for C in (0.01, math.inf)]
    np.testing.assert_array_equal(runs[0].expansion.beta, runs[1].expansion.beta)
    # A soft margin's dual is that of a repaired alpha then, and says so.
    assert certify(runs[0].problem, runs[0].expansion).repaired
    assert not runs[1].certificate.repaired


def test_wolfe_needs_few_steps_and_the_sweep_many():
    problem = hard(*separated(60, 1, gap=0.2))
    steps = {a: solve(problem, Hulls(algorithm=a, tol=1e-6)).steps for a in ALGORITHMS}
    assert steps["wolfe"] <= 10
    assert steps["wolfe"] <= steps["mdm"] <= steps["pairwise"]


def test_a_nonlinear_kernel_on_many_points_is_refused_in_a_sentence():
    with pytest.raises(BadInput, match="SMO finds the same"):
        solve(hard(*cloud(1001, 1), RBF()), Hulls(algorithm="wolfe"))
    X, y = separated(1500, 1, gap=0.2)
    assert solve(hard(X, y), Hulls(algorithm="wolfe")).reason is Reason.CONVERGED


def test_a_step_of_wolfe_without_a_move_has_its_own_sentence():
    problem = hard(*separated(12, 3, gap=0.5))
    run = solve(problem, Hulls(algorithm="wolfe"))
    cursor = Cursor(run)
    still = 0
    for step in range(1, run.steps + 1):
        before, after = cursor.state(step - 1).tau, cursor.state(step).tau
        says = "already" in cursor.seek(step).event.sentence
        assert says == bool((before == after).all())
        still += says
    assert still == 1


def test_mdm_with_fewer_cached_rows_than_points():
    problem = Problem(*separated(5000, 0), Linear(), math.inf)
    mdm, wolfe = (solve(problem, Hulls(algorithm=name, tol=1e-6)) for name in ("mdm", "wolfe"))
    assert (mdm.reason, wolfe.reason) == (Reason.CONVERGED, Reason.CONVERGED)
    assert mdm.certificate.primal == pytest.approx(wolfe.certificate.primal, rel=1e-6)
    assert mdm.certificate.kkt <= 1e-6


def test_wolfe_factorises_only_the_columns_that_changed():
    # With this width every point is free at the end: a thousand steps, each with equations for up
    # to a thousand points.
    X, y = cloud(1000, 0)
    run = Run(Problem(X, y, RBF(1e4), math.inf), Hulls(algorithm="wolfe"))
    run.advance(steps=1)
    longest = 0.0
    while run.stop is None:
        began = time.thread_time()
        run.advance(0.005)
        longest = max(longest, time.thread_time() - began)
    assert run.reason is Reason.CONVERGED
    assert run.steps > 900
    assert longest < 0.25


@every_algorithm
def test_states_do_not_depend_on_the_path_of_the_cursor(algorithm):
    X = [[6.6, 8.4], [8.0, 5.6], [3.4, -6.5], [1.8, -0.8], [4.6, 4.5]]
    crowd = cloud(40, 3)
    few = Problem(1e-10 * np.array(X), [1, -1, -1, -1, -1], kernel=Quadratic())
    for problem in (few, Problem(*crowd)):
        run = solve(problem, Hulls(algorithm=algorithm, max_steps=60))
        jumping = Cursor(run)
        for step in (run.steps, 1, 0, run.steps // 2, 1, 1, run.steps, run.steps):
            jumping.seek(step)
            walking = Cursor(run)
            for before in range(step):
                walking.seek(before, with_event=False)
            assert same_state(jumping.state(step), walking.state(step))
