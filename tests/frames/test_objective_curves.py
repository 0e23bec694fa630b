"""Curves of a growing run: few samples, no important one lost, and none computed in vain."""

from __future__ import annotations

import time

import numpy as np
import pytest

from solvers import SMO, Pegasos, Run, certify, solve
from svmviz.document.document import Penalty
from svmviz.frames import objective_curves
from svmviz.frames.objective_curves import (
    FIRST_SAMPLES,
    SAMPLES,
    CurveMaker,
    CurveSampler,
    _chosen_steps,
    _replacements,
)
from tests.stages import moons

MAX_POINTS = 2 * SAMPLES + FIRST_SAMPLES


def grow(times=12, factor=2.2):
    """A run in the midst of growing, with its maker, each time that the maker has nothing to do."""
    method = Pegasos(max_steps=10**8)
    document = moons(40, methods=(method,), penalty=Penalty("C", 1.0), bias="none")
    run = Run(document.problem(), method)
    maker, length = CurveMaker(run), 40
    for _ in range(times):
        run.advance(60.0, length - run.steps)
        length = int(factor * length)
        yield run, maker
        while maker.sample():
            pass
    run.cancel()
    yield run, maker
    while maker.sample():
        pass


def test_samples_are_few_however_long_a_run_grows():
    certified = [0]
    for run, maker in grow():
        # While it is worked out as well as afterwards.
        while maker.sample():
            assert len(maker.curve().steps) <= MAX_POINTS
        certified.append(maker.sample_count)
        assert run.steps in maker.curve().steps
    curve = maker.curve()
    assert curve.complete
    assert run.steps > 10 * MAX_POINTS
    assert 0.5 * SAMPLES < len(curve.steps) <= MAX_POINTS
    assert (curve.steps[0], curve.steps[-1]) == (0, run.steps)
    # By half of what there is now and less, so that as much was used again.
    assert max(np.diff(certified)) < 0.8 * len(curve.steps)
    # No wanted step is without a sample nearer to it than the next wanted one.
    wanted = _chosen_steps(run.steps)
    for before, step, after in zip(wanted, wanted[1:], wanted[2:], strict=False):
        between = ((before + step) / 2 <= curve.steps) & (curve.steps <= (step + after) / 2)
        assert between.any()


def test_what_stays_is_certified_and_no_bound_is_lost():
    best, run, curve = -np.inf, None, None
    for grown, maker in grow(8):
        run = grown
        while maker.sample():
            curve = maker.curve()
            best = max(best, curve.dual.max())
            assert curve.best_dual[-1] == best
            assert (np.diff(curve.best_dual) >= 0).all()
    assert run is not None
    assert curve is not None
    for place in range(0, len(curve.steps), 41):
        certificate = certify(run.problem, run.at(int(curve.steps[place])).expansion)
        assert curve.primal[place] == certificate.primal
        assert curve.dual[place] == certificate.dual


def test_a_curve_keeps_its_shape_while_it_grows():
    grown = 0
    for _, maker in grow():
        old = maker.curve().steps
        maker.sample()
        new = maker.curve().steps
        if len(old) < SAMPLES:
            continue
        grown += 1
        # The new plan is 2.2 times as wide: where there was a sample, one is near.
        gaps = np.diff(new[new <= old[-1]])
        assert gaps.max() < 3.0 * 2.2 * np.diff(old).max()
        assert (new <= old[-1]).sum() > len(old) / 3
    assert grown > 5


def test_a_short_run_is_sampled_at_every_step_and_an_old_curve_is_the_same():
    run = Run(moons(30).problem(), SMO())
    maker = CurveMaker(run)
    while run.advance():
        while maker.sample():
            pass
    while maker.sample():
        pass
    assert run.steps < SAMPLES
    assert maker.curve().steps.tolist() == list(range(run.steps + 1))
    assert maker.curve() is maker.curve()


@pytest.mark.parametrize(
    ("known", "kept", "covered"),
    [
        ([], set(), set()),
        ([0, 10], {0, 10}, {0, 10}),
        ([7, 11, 14, 16], {11, 16}, {10, 20}),
        ([1, 38], {1, 38}, set()),
        ([11, 22, 33, 40], {11, 22, 33, 40}, {10, 20, 30, 40}),
    ],
)
def test_the_nearest_known_step_replaces_a_planned_one(known, kept, covered):
    wanted = np.array([0, 10, 20, 30, 40])
    assert _replacements(wanted, np.array(known, dtype=np.int64)) == (kept, covered)


def one_sample_per_turn(monkeypatch):
    monkeypatch.setattr(objective_curves, "TURN", 0.0)
    monkeypatch.setattr(objective_curves, "MAX_TURN_WAIT", 1e6)


def test_a_turn_ends_and_the_next_sample_waits_for_the_answer(monkeypatch):
    one_sample_per_turn(monkeypatch)
    document, asked = moons(30), []
    sampler = CurveSampler(lambda _curves: None, lambda: asked.append(None))
    sampler.follow((solve(document.problem(), document.method),))
    assert sampler.wait() == 0.0
    sampler.sample()
    assert len(asked) == 1
    assert sampler.wait() > 1.0
    sampler.give_turn()
    assert sampler.wait() == 0.0


def test_without_an_answer_the_next_turn_begins_after_a_time(monkeypatch):
    one_sample_per_turn(monkeypatch)
    document, asked = moons(30), []
    sampler = CurveSampler(lambda _curves: None, lambda: asked.append(None))
    sampler.follow((solve(document.problem(), document.method),))
    sampler.sample()
    monkeypatch.setattr(objective_curves, "MAX_TURN_WAIT", 0.0)
    assert sampler.wait() == 0.0
    sampler.sample()
    assert len(asked) == 2


def test_while_the_window_is_busy_the_thread_stops_sampling(open_stage, qtbot, monkeypatch):
    stage = open_stage()
    one_sample_per_turn(monkeypatch)
    sampled, sample = [], CurveMaker.sample

    def counted(maker):
        sampled.append(None)
        time.sleep(0.01)
        return sample(maker)

    monkeypatch.setattr(CurveMaker, "sample", counted)
    stage.session.reset(moons(40))
    qtbot.waitUntil(lambda: len(sampled) > 3)
    before = len(sampled)
    # The thread of the window does not return to its event loop.
    time.sleep(0.3)
    # One more sample may have been allowed, and a growing run is sampled from time to time.
    assert len(sampled) < before + 5
    qtbot.waitUntil(lambda: bool(stage.feed.curves) and stage.feed.curves[0].complete)
