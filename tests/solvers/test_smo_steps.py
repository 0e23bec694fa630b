"""Single steps of SMO, and what happens where arithmetic ends."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from solvers import RBF, SMO, Cursor, Linear, Polynomial, Problem, Reason, Sigmoid, certify, solve
from tests.solvers.problems import (
    cloud,
    contradictory,
    define_gram,
    is_one_sentence,
    nothing_is_nan,
    random_problem,
)

PAIRS = ["second-order", "maximal-violation"]


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("seed", range(8))
def test_event_is_platts_step(seed, pair):
    problem = random_problem(seed)
    run = solve(problem, SMO(tol=1e-4, pair=pair, max_steps=80))
    K, y, C = define_gram(problem.kernel, problem.X, problem.X), problem.y, problem.C
    cursor = Cursor(run)
    before = cursor.seek(0)
    for k in range(1, run.steps + 1):
        after = cursor.seek(k)
        event, i, j = after.event, after.event.i, after.event.j
        a, E = y * before.expansion.beta, K @ before.expansion.beta - y
        eta = K[i, i] + K[j, j] - 2 * K[i, j]
        if y[i] != y[j]:
            low, high = max(0.0, a[j] - a[i]), min(C, C + a[j] - a[i])
        else:
            low, high = max(0.0, a[i] + a[j] - C), min(C, a[i] + a[j])
        assert (event.low, event.high) == pytest.approx((low, high), abs=1e-9 * C)
        assert event.old == (a[i], a[j])
        a_after = y * after.expansion.beta
        assert event.new == (a_after[i], a_after[j])
        if eta > 1e-9:
            free = a[j] + y[j] * (E[i] - E[j]) / eta
            assert event.eta == pytest.approx(eta, rel=1e-6)
            assert event.unclipped[1] == pytest.approx(free, rel=1e-6, abs=1e-8 * C)
            assert event.new[1] == pytest.approx(np.clip(free, low, high), rel=1e-6, abs=1e-8 * C)
        rise = certify(problem, after.expansion).dual - certify(problem, before.expansion).dual
        assert event.rise == pytest.approx(rise, rel=1e-6, abs=1e-9 * (1 + a.sum()))
        assert event.touched == (i, j)
        before = after


@pytest.mark.parametrize("seed", range(6))
def test_the_pair_is_the_one_of_the_rule(seed):
    problem = random_problem(seed)
    K, form = define_gram(problem.kernel, problem.X, problem.X), problem.form
    for pair in PAIRS:
        run = solve(problem, SMO(tol=1e-4, pair=pair, max_steps=60))
        cursor = Cursor(run)
        for k in range(1, run.steps + 1):
            state, record = cursor.state(k - 1), run.trace.event(k)
            up, low = state.beta < form.upper, state.beta > form.lower
            m, M = state.F[up].max(), state.F[low].min()
            assert (record["m"], record["M"]) == (m, M)
            i, j = record["i"], record["j"]
            assert up[i]
            assert low[j]
            assert state.F[i] == m
            if pair == "maximal-violation":
                assert state.F[j] == M
                continue
            eta = np.diag(K) + K[i, i] - 2 * K[i]
            eta = np.where(eta > 1e-10, eta, 1e-12)
            gain = np.where(low, np.maximum(m - state.F, 0) ** 2 / eta, 0)
            assert gain[j] >= gain.max() * (1 - 1e-5)


def test_sentences_name_the_walls():
    run = solve(Problem([[0.0], [1.0]], [-1, 1], kernel=Linear(), C=0.25), SMO())
    sentence = run.at(1).event.sentence
    assert sentence == "Pair (2, 1): α of point 2 stops at C and α of point 1 stops at C."
    run = solve(Problem([[0.0], [1.0]], [-1, 1], kernel=Linear(), C=25.0), SMO())
    assert run.at(1).event.sentence == "Pair (2, 1): both are free."


@pytest.mark.parametrize("pair", PAIRS)
def test_a_tolerance_below_rounding_ends_with_a_reason(pair):
    X, y = cloud(30, 0, noise=0.8)
    problem = Problem(X + 1e6, y, kernel=Linear())
    run = solve(problem, SMO(tol=1e-12, pair=pair))
    assert run.reason is Reason.STALLED
    assert is_one_sentence(run.stop.sentence)
    assert "1e-12 is out of reach" in run.stop.sentence
    # As good as it can be, and no drift: the same as of the points in the middle.
    centred = solve(Problem(X, y, kernel=Linear()), SMO(tol=1e-9)).certificate
    assert run.certificate.dual == pytest.approx(centred.dual, rel=1e-3)
    assert run.certificate.gap < 1e-2 * centred.primal


def test_dual_without_end_stops():
    # tanh is not a kernel here: the dual of the hard margin rises for ever.
    X, y = cloud(30, 0, noise=0.8)
    run = solve(Problem(X, y, kernel=Sigmoid(gamma=2.0, coef0=-1.0), C=math.inf), SMO())
    assert run.reason is Reason.STALLED
    assert nothing_is_nan(run.expansion.beta, run.expansion.bias, run.certificate.dual)


# Extreme input. Half the draws are plain, so that extremes also meet ordinary numbers.


def magnitudes(low: int, high: int):
    return st.floats(low, high).map(lambda power: 10.0**power)


@st.composite
def extreme_points(draw):
    n = draw(st.integers(2, 7))
    d = draw(st.integers(1, 3))
    shape = draw(st.sampled_from(["free", "equal", "collinear", "few"]))
    unit = draw(magnitudes(-9, 9))
    if shape == "free":
        X = draw(arrays(float, (n, d), elements=st.floats(-1, 1))) * unit
    elif shape == "equal":
        X = np.full((n, d), draw(st.floats(-1, 1)) * unit)
    elif shape == "collinear":
        along = draw(arrays(float, n, elements=st.floats(-1, 1)))
        X = np.outer(along, np.linspace(1, 2, d)) * unit + draw(st.sampled_from([0.0, 1.0, 1e6]))
    else:
        choice = st.sampled_from([0.0, 1.0, -1.0, 1e-9, 1e9])
        X = draw(arrays(float, (n, d), elements=choice))
    y = draw(arrays(float, n, elements=st.sampled_from([1.0, -1.0])))
    y[:2] = 1.0, -1.0
    return X, y


kernels = st.one_of(
    st.just(Linear()),
    st.builds(RBF, magnitudes(-9, 9)),
    st.builds(Sigmoid, magnitudes(-9, 9), st.floats(-5, 5)),
    st.builds(Polynomial, magnitudes(-9, 2), st.sampled_from([0.0, 1.0]), st.integers(1, 3)),
)
penalties = st.one_of(st.just(math.inf), magnitudes(-6, 6))


@settings(max_examples=300)
@given(extreme_points(), kernels, penalties, st.sampled_from(PAIRS))
def test_extreme_input_ends_with_a_true_reason(points, kernel, C, pair):
    X, y = points
    problem = Problem(X, y, kernel=kernel, C=C)
    run = solve(problem, SMO(pair=pair, max_steps=3000))
    certificate, expansion = run.certificate, run.expansion
    assert is_one_sentence(run.stop.sentence)
    assert np.isfinite(expansion.beta).all()
    assert math.isfinite(expansion.bias)
    assert nothing_is_nan(certificate.primal, certificate.dual, certificate.gap, certificate.kkt)
    assert certificate.alpha.min() >= 0.0
    assert certificate.alpha.max() <= C
    scale = np.abs(expansion.beta).max()
    box = 0.0 if problem.hard else C
    assert abs(expansion.beta.sum()) <= 1e-9 * max(scale, box) * problem.n
    # Where the numbers are large, f itself is only known to the rounding of its sum.
    K = np.abs(kernel(X, X))
    rounding = 1e-14 * (K @ np.abs(expansion.beta)).max()
    if run.reason is Reason.CONVERGED:
        assert certificate.kkt <= run.method.tol + rounding
    elif run.reason is Reason.NOT_SEPARABLE:
        assert problem.hard
        assert len(np.unique(X, axis=0)) < problem.n
    elif run.reason is Reason.STEP_LIMIT:
        assert run.steps == 3000
    else:
        assert run.reason is Reason.STALLED


@settings(max_examples=50)
@given(st.integers(0, 10_000), magnitudes(-8, 8))
def test_units_do_not_matter(seed, unit):
    # C' = C / unit^2 for the linear kernel: the same problem in other units.
    X, y = contradictory(12, seed)
    y[:2] = 1, -1
    plain = solve(Problem(X, y, kernel=Linear(), C=2.0), SMO(tol=1e-6))
    scaled = solve(Problem(X * unit, y, kernel=Linear(), C=2.0 / unit**2), SMO(tol=1e-6))
    assert scaled.reason is Reason.CONVERGED
    dual = scaled.certificate.dual * unit**2
    assert dual == pytest.approx(plain.certificate.dual, rel=1e-5)
