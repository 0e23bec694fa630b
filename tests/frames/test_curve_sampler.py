"""Objective curves are sampled in turns, so that the window can work between them."""

import time

from solvers import solve
from svmviz.frames import curve_sampler
from svmviz.frames.curve_sampler import CurveSampler
from svmviz.frames.objective_curves import CurveMaker
from tests.stages import moons


def one_sample_per_turn(monkeypatch):
    monkeypatch.setattr(curve_sampler, "TURN", 0.0)
    monkeypatch.setattr(curve_sampler, "MAX_TURN_WAIT", 1e6)


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
    monkeypatch.setattr(curve_sampler, "MAX_TURN_WAIT", 0.0)
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
