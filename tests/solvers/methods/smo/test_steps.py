"""Single steps of SMO, as the papers print them."""

import dataclasses

import numpy as np
import pytest

from solvers import SMO, Cursor, Linear, Problem, Sigmoid, WorkingSet, certify, solve
from solvers.run.formulas import number
from tests.solvers.problems import define_gram, random_problem

PAIRS = ["second-order", "maximal-violation"]
ALL_PAIRS = [*PAIRS, "platt", "random"]


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
        values = after.event.values
        i, j = values["i"], values["j"]
        a, E = y * before.expansion.beta, K @ before.expansion.beta - y
        eta = K[i, i] + K[j, j] - 2 * K[i, j]
        if y[i] != y[j]:
            low, high = max(0.0, a[j] - a[i]), min(C, C + a[j] - a[i])
        else:
            low, high = max(0.0, a[i] + a[j] - C), min(C, a[i] + a[j])
        assert (values["low"], values["high"]) == pytest.approx((low, high), abs=1e-9 * C)
        assert (values["old_i"], values["old_j"]) == (a[i], a[j])
        a_after = y * after.expansion.beta
        assert (values["new_i"], values["new_j"]) == (a_after[i], a_after[j])
        if eta > 1e-9:
            free = a[j] + y[j] * (E[i] - E[j]) / eta
            assert values["eta"] == pytest.approx(eta, rel=1e-6)
            assert values["unclipped"] == pytest.approx(free, rel=1e-6, abs=1e-8 * C)

            assert values["new_j"] == pytest.approx(
                np.clip(free, low, high), rel=1e-6, abs=1e-8 * C
            )
        rise = certify(problem, after.expansion).dual - certify(problem, before.expansion).dual
        assert values["rise"] == pytest.approx(rise, rel=1e-6, abs=1e-9 * (1 + a.sum()))
        assert after.event.touched == (i, j)
        before = after


@pytest.mark.parametrize("unit", [1.0, 1e-7])
@pytest.mark.parametrize("seed", range(6))
def test_the_pair_is_the_one_of_the_rule(seed, unit):
    problem = random_problem(seed)
    if unit != 1.0:
        X, C = problem.X * unit, problem.C / unit**2
        problem = dataclasses.replace(problem, X=X, C=C, kernel=Linear())
    K, dual_form = define_gram(problem.kernel, problem.X, problem.X), problem.dual_form
    for pair in PAIRS:
        run = solve(problem, SMO(tol=1e-4, pair=pair, max_steps=60))
        cursor = Cursor(run)
        for k in range(1, run.steps + 1):
            state, record = cursor.state(k - 1), run.trace.event(k)
            up, low = state.beta < dual_form.upper, state.beta > dual_form.lower
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
            eta = np.where(eta > 1e-10 * np.diag(K).max(), eta, 1e-12)
            gain = np.where(low, np.maximum(m - state.F, 0) ** 2 / eta, 0)
            assert gain[j] >= gain.max() * (1 - 1e-5)


@pytest.mark.parametrize("seed", range(6))
def test_the_bias_agrees_with_the_free_points(seed):
    problem = random_problem(seed)
    K, dual_form = define_gram(problem.kernel, problem.X, problem.X), problem.dual_form
    run = solve(problem, SMO(tol=1e-4, max_steps=60))
    for k in range(run.steps + 1):
        beta, b = run.at(k).expansion.beta, run.at(k).expansion.bias
        F = problem.y - K @ beta
        up, low = beta < dual_form.upper, beta > dual_form.lower
        expected = F[up & low].mean() if (up & low).any() else (F[up].max() + F[low].min()) / 2
        assert b == pytest.approx(expected, abs=1e-9 * (1 + np.abs(F).max()))


def test_sentences_name_the_bounds():
    run = solve(Problem([[0.0], [1.0]], [-1, 1], kernel=Linear(), C=0.25), SMO())
    sentence = run.at(1).event.sentence
    ends = "α of point 2 rises to C and α of point 1 rises to C"
    assert sentence == f"Points 2 and 1: {ends}; the lower bound D rises by 0.47."
    run = solve(Problem([[0.0], [1.0]], [-1, 1], kernel=Linear(), C=25.0), SMO())
    assert (
        run.at(1).event.sentence
        == "Points 2 and 1: both weights α end between 0 and C; the lower bound D rises by 2."
    )


def test_a_step_without_C_names_none():
    """With a hard margin no clause of a step speaks of C."""
    problem = Problem([[0.0], [1.0]], [-1, 1], kernel=Linear(), C=np.inf)
    event = solve(problem, SMO()).at(1).event
    assert "both weights α end above 0; the" in event.sentence
    assert event.values["end_of_step"].endswith("lies inside the box, α ≥ 0")


def indefinite_pair_steps(method, C):
    """Yield the problem, the step and the event of the pairs with a curvature below 0."""
    X, y = [[0.2, 0.1], [2.0, 2.0], [-2.0, 2.0], [1.0, -1.0]], [1, -1, 1, -1]
    problem = Problem(X, y, kernel=Sigmoid(gamma=1.0, coef0=0.5), C=C)
    run = solve(problem, method)
    for step in range(1, min(run.steps, 10) + 1):
        event = run.at(step).event
        if event.kind == "pair" and event.values["eta"] <= 0.0:
            yield run, step, event


@pytest.mark.parametrize("C", [1.0, np.inf])
@pytest.mark.parametrize("method", [*(SMO(pair=pair) for pair in ALL_PAIRS), WorkingSet()])
def test_a_pair_without_a_top_is_described_truly(method, C):
    found = 0
    for run, step, event in indefinite_pair_steps(method, C):
        found += 1
        K_ii, K_jj, K_ij = (event.values[name] for name in ("K_ii", "K_jj", "K_ij"))
        assert event.values["eta"] == K_ii + K_jj - 2.0 * K_ij < 0.0
        new, old = (certify(run.problem, run.at(k).expansion).dual for k in (step, step - 1))
        assert event.values["rise"] == pytest.approx(new - old, rel=1e-6)
        assert event.sentence.endswith(f"the lower bound D rises by {event.values['rise']:.2g}.")
        assert "the dual has no top along their line" in event.why
        shape, box, last = event.beats[-3:]
        assert f"curvature η = {event.values['eta']:.3g}, which is not above 0" in shape.sentence
        assert "its top at" not in shape.sentence
        assert f"D rises by {event.values['rise']:.3g}" in last.sentence
        _, curvature, top, _, clipped, *_ = (formula.numbers for formula in event.formulas)
        assert event.values["is_endless"] == np.isinf(C)
        if event.values["is_endless"]:
            assert event.values["unclipped"] == pytest.approx(event.values["new_j"])
            assert "leftarrow" in curvature
            assert "neither a top nor an end" in box.sentence
        else:
            assert abs(event.values["unclipped"]) == np.inf
            assert "leftarrow" not in curvature
            assert r"\infty" in top
            assert "there is no top, so the step goes to" in box.sentence
        assert clipped.endswith(number(event.values["new_j"]))
    assert found or method == SMO(pair="platt")


def test_the_predicted_rise_names_the_number_that_replaces_eta():
    _, _, event = next(indefinite_pair_steps(SMO(), 1.0))
    (partners,) = (beat for beat in event.beats if beat.name == "Its partners")
    assert "(with 1e-12 for an η that is not above 0)" in partners.sentence
