"""SMO near rounding error: no drift, no endless run, and no false optimum."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import (
    RBF,
    SMO,
    Cursor,
    Linear,
    Polynomial,
    Problem,
    Reason,
    Regression,
    Sigmoid,
    WorkingSet,
    solve,
)
from solvers.methods.smo.choice_values import gains
from solvers.rounding import EPS
from tests.solvers.extremes import (
    ends_with_a_true_reason,
    extreme_points,
    kernels,
    magnitudes,
    penalties,
)
from tests.solvers.problems import (
    cloud,
    contradictory,
    define_gram,
    is_one_sentence,
    nothing_is_nan,
    random_problem,
)
from tests.solvers.states import same_state

PAIRS = ["second-order", "maximal-violation"]
CHOICES = [*PAIRS, "platt", "random"]
every_pair = pytest.mark.parametrize("pair", PAIRS)


@every_pair
def test_F_does_not_drift_from_beta(pair):
    # In 20,000 steps of large alphas, the rounding errors of beta_i + t accumulate.
    X, y = contradictory(40, 1)
    problem = Problem(X, y, kernel=Linear(), C=1e3)
    run = solve(problem, SMO(tol=1e-12, pair=pair, max_steps=20_000))
    assert run.reason is Reason.STEP_LIMIT
    state = Cursor(run).state(run.steps)
    K = define_gram(problem.kernel, X, X)
    size = np.abs(K) @ np.abs(state.beta)
    assert np.abs(state.F - (y - K @ state.beta)).max() <= 2 * EPS * size.max()


@pytest.mark.parametrize("C", [1e4, 1e6, 1e12])
@pytest.mark.parametrize(
    ("n", "seed", "kernel"), [(12, 16, Linear()), (12, 34, Linear()), (8, 3, Polynomial())]
)
def test_no_step_without_a_move(n, seed, kernel, C):
    # The violation is above the tolerance, but t is below the last place of beta.
    problem = Problem(*contradictory(n, seed), kernel=kernel, C=C)
    run = solve(problem, SMO(tol=1e-12, max_steps=5000))
    assert run.reason is Reason.STALLED
    beta = np.zeros(n)
    for k in range(1, run.steps + 1):
        event = run.trace.event(k)
        pair = [event["i"], event["j"]]
        new = [event["beta_i"], event["beta_j"]]
        assert beta[pair].tolist() != new
        beta[pair] = new
    # The rounding error of f enters P with the factor C.
    assert run.certificate.relative_gap < 1e-6 + 1e-14 * C


@every_pair
def test_a_tolerance_below_rounding_ends_with_a_reason(pair):
    X, y = cloud(30, 0, noise=0.8)
    # The linear kernel as a polynomial: its points are not taken from their centre.
    problem = Problem(X + 1e6, y, kernel=Polynomial(1.0, 0.0, 1))
    run = solve(problem, SMO(tol=1e-12, pair=pair))
    assert run.reason is Reason.STALLED
    assert is_one_sentence(run.stop.sentence)
    assert "1e-12 is out of reach" in run.stop.sentence
    # No drift: the result agrees with that of the centred points.
    centred = solve(Problem(X, y, kernel=Linear()), SMO(tol=1e-9)).certificate
    assert run.certificate.dual == pytest.approx(centred.dual, rel=1e-3)
    assert run.certificate.gap < 1e-2 * centred.primal


@pytest.mark.parametrize("method", [SMO(), WorkingSet()], ids=lambda method: method.name)
def test_a_run_is_optimal_only_by_a_recomputed_F(method):
    # During the run F of point 2 is about 1e18, and loses its digits when it becomes small again.
    X = [[1, 1, 1], [1, 1e9, 1], [1, 0, 1], [1, 0, 1]]
    kernel = Polynomial(gamma=1.0, coef0=0.0, degree=2)
    run = solve(Problem(X, [1, -1, 1, -1], kernel=kernel), method)
    assert run.reason is Reason.CONVERGED
    assert run.certificate.kkt <= 1e-3


@every_pair
def test_bounds_are_reached_exactly(pair):
    # From these starts, old + (C - old) is not C.
    rng = np.random.default_rng(0)
    starts = rng.uniform(0, 0.5, 400)
    penalties = rng.uniform(0.9, 1.1, 400)
    odd = starts + (penalties - starts) != penalties
    assert odd.sum() > 20
    for start, C in zip(starts[odd], penalties[odd], strict=True):
        problem = Problem([[0.0], [0.1]], [-1, 1], kernel=Linear(), C=float(C))
        run = solve(problem, SMO(pair=pair), guess=np.array([-start, start]))
        assert run.at(0).expansion.beta.tolist() == [-start, start]
        assert run.certificate.alpha.tolist() == [C, C]


@pytest.mark.parametrize("C", [1e6, 1e20, 1e75])
@pytest.mark.parametrize("kernel", [Linear(), RBF()], ids=["linear", "rbf"])
def test_without_curvature_a_step_goes_to_the_bound(C, kernel):
    run = solve(Problem([[3.0, 4.0], [3.0, 4.0]], [1, -1], kernel=kernel, C=C), SMO())
    assert (run.reason, run.steps) == (Reason.CONVERGED, 1)
    assert run.certificate.alpha.tolist() == [C, C]
    assert run.expansion.bias == 0.0


# In each run a variable is at its bound, and rounding cancels its change in some step: it stays
# there, while its partner moves.
SHORT_MOVES = {
    "platt": (
        [(1.7, -1.5), (0.9, 0.4), (-0.5, -2.2), (-0.1, 0.3), (-1.8, 0.6), (-2.6, 0.4)],
        [-1.0, -0.5, -1.0, 1.0, -0.7, 0.3],
    ),
    "random": (
        [(0.0, -0.1), (0.2, 0.1), (0.1, 0.0), (0.1, -0.1), (0.0, 0.0)],
        [-0.1, -0.1, 0.9, 1.1, -0.2],
    ),
}


@pytest.mark.parametrize("pair", SHORT_MOVES)
def test_steps_taken_one_by_one_are_those_taken_at_once(pair):
    X, y = SHORT_MOVES[pair]
    problem = Regression(X, y, kernel=Sigmoid(gamma=1.0, coef0=-1.0), C=64.0, epsilon=0.1)
    run = solve(problem, SMO(pair=pair))
    one_by_one, at_once = Cursor(run), Cursor(run)
    for step in range(run.steps):
        one_by_one.state(step)
    assert same_state(one_by_one.state(run.steps), at_once.state(run.steps))


def test_an_unbounded_dual_ends_the_run():
    # tanh is no kernel here: the dual of the hard margin is unbounded.
    X, y = cloud(30, 0, noise=0.8)
    run = solve(Problem(X, y, kernel=Sigmoid(gamma=2.0, coef0=-1.0), C=math.inf), SMO())
    assert run.reason is Reason.STALLED
    assert is_one_sentence(run.stop.sentence)
    assert nothing_is_nan(run.expansion.beta, run.expansion.bias, run.certificate.dual)


@settings(max_examples=300)
@given(extreme_points(), kernels, penalties, st.sampled_from(CHOICES), st.booleans())
def test_extreme_input_ends_with_a_true_reason(points, kernel, C, pair, shrinking):
    X, y = points
    problem = Problem(X, y, kernel=kernel, C=C)
    run = solve(problem, SMO(pair=pair, shrinking=shrinking, shrink_from=2, max_steps=3000))
    ends_with_a_true_reason(run)
    if run.reason is Reason.NOT_SEPARABLE:
        assert "coincide" not in run.stop.sentence or len(np.unique(X, axis=0)) < problem.n


@settings(max_examples=50)
@given(st.integers(0, 10_000), magnitudes(-8, 8), st.sampled_from(PAIRS))
def test_units_do_not_matter(seed, unit, pair):
    # C' = C / unit^2 for the linear kernel: the same problem in other units.
    X, y = contradictory(12, seed)
    y[:2] = 1, -1
    method = SMO(tol=1e-6, pair=pair)
    plain = solve(Problem(X, y, kernel=Linear(), C=2.0), method)
    scaled = solve(Problem(X * unit, y, kernel=Linear(), C=2.0 / unit**2), method)
    assert scaled.reason is Reason.CONVERGED
    dual = scaled.certificate.dual * unit**2
    assert dual == pytest.approx(plain.certificate.dual, rel=1e-5)


def test_the_predicted_rise_of_equal_points_may_overflow():
    problem = Problem(np.ones((2, 2)), np.array([1.0, -1.0]), kernel=Linear(), C=1.0)
    # Without a second derivative only a tiny constant keeps it finite.
    (gain,) = gains(problem, 0, np.array([1]), np.array([1e150, -1e150]))
    assert gain == np.inf


@pytest.mark.parametrize("pair", ["platt", "second-order", "maximal-violation"])
@pytest.mark.parametrize("seed", range(0, 270, 9))
def test_no_alpha_stays_beside_its_bound(pair, seed):
    problem = random_problem(seed)
    alpha = solve(problem, SMO(pair=pair, max_steps=5000)).certificate.alpha
    beside = 1e-14 * alpha.max()
    assert not ((alpha > 0.0) & (alpha <= beside)).any()
    assert not ((alpha < problem.C) & (alpha >= problem.C - beside)).any()


# Before both of a pair were set to their bounds, one of these alphas was 3e-18 to 3e-17.
@pytest.mark.parametrize("seed", [1, 60, 153, 178, 206, 253, 265])
def test_both_alphas_of_a_pair_can_land_on_their_bounds(seed):
    alpha = solve(random_problem(seed), SMO(pair="platt", max_steps=20_000)).certificate.alpha
    assert not ((alpha > 0.0) & (alpha <= 1e-14 * alpha.max())).any()
