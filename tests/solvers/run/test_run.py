"""Runs: refusal, limits, cancelling and advancing, for all methods."""

import math

import numpy as np
import pytest

import solvers.run.run
from solvers import METHODS, SMO, BadInput, Method, Pegasos, Problem, Reason, Run, solve
from solvers.problem.problem import BIASES
from tests.solvers.problems import cloud, is_one_sentence, separated
from tests.solvers.run.short_segments import problem_for

every_method = pytest.mark.parametrize("kind", METHODS.values(), ids=METHODS)


def small_problem(kind: type[Method]) -> Problem:
    return Problem(*cloud(20, 5), C=10.0, bias=kind.biases[0])


@every_method
def test_refuses_other_biases(kind):
    X, y = cloud(10, 0)
    for bias in set(BIASES) - set(kind.biases):
        with pytest.raises(BadInput) as refusal:
            Run(Problem(X, y, bias=bias), kind())
        assert is_one_sentence(str(refusal.value))
        assert bias in str(refusal.value)


@every_method
def test_a_short_run_is_repeated_for_its_time(kind, monkeypatch):
    problem = small_problem(kind)
    expected = solve(problem, kind(max_steps=300))
    run = Run(problem, kind(max_steps=300), repeat_short=True)
    again, calls = Run._measure_again, []
    monkeypatch.setattr(Run, "_measure_again", lambda self: calls.append(again(self)) or 1e-12)
    while run.advance(0.01):
        assert not calls
    # On a busy machine the run may not be short; then it is not repeated.
    if calls:
        assert len(calls) == solvers.run.run.REPEATS
        assert min(calls) > 0.0
        assert run.seconds == pytest.approx(1e-12)
        assert run.trace.seconds_at_step(run.steps) == pytest.approx(1e-12)
    assert run.steps == expected.steps
    assert run.stop == expected.stop
    assert np.array_equal(run.expansion.beta, expected.expansion.beta)


@every_method
def test_hard_margin_is_solved_or_refused(kind):
    X, y = separated(10, 0)
    problem = Problem(X, y, C=math.inf, bias=kind.biases[0])
    if kind.hard_margin:
        assert solve(problem, kind()).reason is Reason.CONVERGED
        return
    with pytest.raises(BadInput, match="finite C") as refusal:
        Run(problem, kind())
    assert is_one_sentence(str(refusal.value))


@every_method
@pytest.mark.parametrize("guess", [np.zeros(3), np.full(20, np.nan), np.full(20, np.inf)])
def test_a_guess_that_is_not_finite_is_refused(kind, guess):
    with pytest.raises(BadInput) as refusal:
        Run(small_problem(kind), kind(), guess)
    assert is_one_sentence(str(refusal.value))


@every_method
def test_step_limit(kind):
    run = solve(small_problem(kind), kind(max_steps=3))
    assert (run.reason, run.steps) == (Reason.STEP_LIMIT, 3)
    assert "3 steps" in run.stop.sentence


@every_method
def test_memory_limit(kind, monkeypatch):
    monkeypatch.setattr(solvers.run.run, "TRACE_BYTES", 2000)
    # Small segments, so that no run ends within the first.
    monkeypatch.setattr(kind, "segment_size", lambda self, problem: 2)
    run = solve(small_problem(kind), kind(max_steps=10**6))
    assert run.reason is Reason.MEMORY_LIMIT
    assert is_one_sentence(run.stop.sentence)
    # All recorded steps can still be read.
    assert run.at(run.steps).step == run.steps


@every_method
def test_cancel(kind):
    run = Run(small_problem(kind), kind())
    assert run.advance(seconds=60.0, steps=2)
    run.cancel("Enough.")
    run.cancel("Too late.")
    assert (run.reason, run.stop.sentence, run.steps) == (Reason.CANCELLED, "Enough.", 2)
    assert not run.advance()
    assert run.steps == 2


def test_solve_can_be_cancelled():
    X, y = cloud(60, 0, noise=2.0)
    method = Pegasos(max_steps=10**9)
    run = solve(Problem(X, y), method, cancelled=lambda: True)
    assert run.reason is Reason.CANCELLED
    assert 0 < run.steps < method.max_steps


def test_smo_is_the_default():
    X, y = cloud(20, 0)
    assert solve(Problem(X, y)).method == SMO()


def test_live_beta_is_the_last_recorded():
    run = Run(problem_for("free"), SMO())
    run.advance(seconds=60.0, steps=9)
    assert run.live_beta().tobytes() == run.at(9).expansion.beta.tobytes()


def test_advance_takes_at_most_the_given_steps():
    run = Run(problem_for("free"), Pegasos(max_steps=10_000))
    run.advance(seconds=60.0, steps=17)
    assert run.steps == 17
    run.advance(seconds=0.0)
    assert run.steps == 18
    while run.advance(seconds=float("inf")):
        pass
    assert run.steps == 10_000
