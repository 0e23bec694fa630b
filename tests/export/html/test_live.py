"""The page solves as the library does: the same pairs, and the same words of every step."""

import json
import re

import numpy as np
import pytest

from solvers import RBF, SMO, Linear, Polynomial, Problem, solve
from svmviz.document.document import Document, Penalty
from svmviz.export.html.contents import event_words, program_of
from svmviz.export.html.live import live_of
from tests import stages
from tests.export.html.engine import Engine

SCRIPTS = ("numbers.js", "kernels.js", "smo.js", "templates.js", "smo_words.js")
MAX_STEPS = 5000


@pytest.fixture(scope="module")
def engine(qapp):
    return Engine(*SCRIPTS)


def random_problem(rng):
    n = int(rng.integers(4, 60))
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    X = rng.normal(size=(n, 2)) + y[:, None] * rng.uniform(0.0, 1.5)
    if rng.random() < 0.3:
        # Equal points and equal distances, so that there are ties.
        X = np.round(X, 1)
    kernel = [
        Linear(),
        RBF(float(10 ** rng.uniform(-1.5, 1.0))),
        Polynomial(
            float(rng.uniform(0.2, 2.0)), float(rng.uniform(0.0, 2.0)), int(rng.integers(1, 5))
        ),
    ][rng.integers(3)]
    C = np.inf if rng.random() < 0.25 else float(10 ** rng.uniform(-2.0, 3.0))
    return Problem(X, y, kernel=kernel, C=C)


def as_json(problem, tol=1e-3):
    return {
        "X": problem.X.tolist(),
        "y": problem.y.tolist(),
        "program": program_of(problem.kernel),
        "C": problem.C,
        "tol": tol,
        "maxSteps": MAX_STEPS,
    }


@pytest.mark.parametrize("count", [60, pytest.param(200, marks=pytest.mark.slow)])
def test_runs_take_the_same_pairs(engine, count):
    rng = np.random.default_rng(count)
    for _ in range(count):
        problem = random_problem(rng)
        run = solve(problem, SMO(max_steps=MAX_STEPS))
        result = engine.call(
            "((run) => Object.assign(run, { beta: [...run.beta] }))(solved(problem))",
            problem=as_json(problem),
        )
        events = [run.trace.event(step) for step in range(1, run.steps + 1)]
        assert result["pairs"] == [int(k) for event in events for k in (event["i"], event["j"])]
        assert result["beta"] == run.expansion.beta.tolist()
        stops = {"converged": ["optimal"], "not-separable": ["inseparable", "coincident"]}
        assert result["stop"] in stops.get(str(run.reason), [None])
        if result["stop"] == "optimal":
            primal, dual, kkt = result["objectives"][-3:]
            certificate = run.certificate
            scale = 1.0 + abs(certificate.primal)
            np.testing.assert_allclose(primal, certificate.primal, rtol=1e-6, atol=1e-9 * scale)
            np.testing.assert_allclose(dual, certificate.dual, rtol=1e-6, atol=1e-9 * scale)
            assert kkt < 1.01e-3
            assert result["violation"] < 1e-3


@pytest.mark.parametrize("seed", range(30))
def test_a_hard_margin_ends_as_in_the_library(engine, seed):
    rng = np.random.default_rng(seed)
    n, kernel = int(rng.integers(4, 40)), Linear() if seed % 3 else RBF(float(rng.uniform(1, 5)))
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    X = rng.normal(size=(n, 2)) + y[:, None] * rng.uniform(0.0, 3.0)
    if seed % 5 == 0:
        X[1] = X[0]
    problem = Problem(X, y, kernel=kernel, C=np.inf)
    run = solve(problem, SMO(max_steps=MAX_STEPS))
    result = engine.call(
        "((run) => ({ stop: run.stop, pairs: run.pairs.length / 2 }))(solved(problem))",
        problem=as_json(problem),
    )
    stops = {
        "converged": "optimal", "not-separable": "coincident" if seed % 5 == 0 else "inseparable"
    }  # fmt: skip
    assert result == {"stop": stops[str(run.reason)], "pairs": run.steps}


@pytest.mark.parametrize("seed", range(20))
def test_the_words_of_a_step_are_those_of_the_program(engine, seed):
    problem = random_problem(np.random.default_rng(seed))
    check_words(engine, problem, SMO())


def test_the_words_of_a_step_with_a_hard_margin(engine):
    problem = stages.eight(penalty=Penalty("C", np.inf)).problem()
    result = engine.call("solved(problem)", problem=as_json(problem))
    run = solve(problem, SMO())
    assert result["objectives"][-3:-1] == pytest.approx(
        [run.certificate.primal, run.certificate.dual]
    )
    check_words(engine, problem, SMO())


def check_words(engine, problem, method):
    run = solve(problem, method)
    live = live_of(stages.moons(10))
    steps = sorted({*range(1, min(run.steps, 12) + 1), run.steps // 2, run.steps} - {0})
    words = engine.call(
        "((replay) => steps.map((step) => replay.words(step)))"
        "(new SmoReplay(problem, template, code))",
        problem=as_json(problem),
        template=live["template"],
        code=live["code"],
        steps=[step for step in steps if step <= 2000],
    )
    for step, found in zip(steps, words, strict=False):
        expected = without_ties(event_words(run.at(step).event, keeps_values=True))
        for beat, expected_beat in zip(found["beats"], expected["beats"], strict=True):
            assert beat == expected_beat
        assert found == expected


def without_ties(words):
    """Words without what they say of ties, which a page leaves out."""
    return json.loads(re.sub(r" \(tied with [^)]*\)", "", json.dumps(words, ensure_ascii=False)))


def test_a_step_after_the_end_is_an_error(engine):
    problem = as_json(stages.moons(10).problem())
    message = engine.call(
        "((replay) => { try { replay.seek(9000); } catch (error) { return error.message; } })"
        "(new SmoReplay(problem, template, code))",
        problem=problem,
        template={},
        code={"lines": []},
    )
    steps = len(engine.call("solved(problem)", problem=problem)["pairs"]) // 2
    assert message == f"This run has no step 9000: it ends after {steps}."


def test_what_a_page_cannot_solve():
    assert live_of(stages.moons(20)) is not None
    for document in (
        stages.sine(20),
        stages.moons(20, bias="none"),
        stages.moons(20, scaling="each"),
        Document(),
    ):
        expected = document.n == 0
        assert (live_of(document) is not None) == expected
