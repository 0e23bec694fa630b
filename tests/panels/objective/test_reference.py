"""The reference of a race delays no frame, starts no search during a drag, and ends."""

import threading
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from solvers import SMO, InteriorPoint, Pegasos, certify, solve
from svmviz.frames.lane_reader import make_frame
from svmviz.frames.studies import Pending
from svmviz.frames.viewport import Grid
from svmviz.panels.objective import reference
from svmviz.panels.objective.race.race_panel import RacePanel
from svmviz.panels.objective.reference import Optimum, Reference
from tests.stages import moons
from tests.time_limits import TIME_LIMIT, wait_for
from tests.waiting import settle

GRID = Grid(-2.0, 3.0, -2.0, 3.0, 16, 16)
RACE = (SMO(), SMO(pair="maximal-violation"))


class Gate:
    """Replacement for the certificates of the search, which wait for it and are counted."""

    def __init__(self):
        self.open = threading.Event()
        self.asked = []

    def __call__(self, problem, expansion):
        self.asked.append((problem, threading.current_thread().name))
        self.open.wait(TIME_LIMIT)
        return certify(problem, expansion)


@pytest.fixture
def gate(monkeypatch):
    gate = Gate()
    monkeypatch.setattr(reference, "certify", gate)
    yield gate
    gate.open.set()


def a_study() -> Any:
    """A reference that returns an optimum for each frame with lanes."""
    return Reference(min_lanes=2)


def raced(step):
    document = moons(80, methods=RACE)
    problem = document.problem()
    runs = tuple(solve(problem, method) for method in RACE)
    return make_frame(document, runs, step, GRID), runs


def test_frames_continue_with_the_best_bound_of_the_lanes(gate):
    (early, runs), study = raced(5), a_study()
    later = make_frame(early.document, runs, 20, GRID)
    results = [study(frame, runs) for frame in (early, later, later, early)]
    best = [max(lane.certificate.dual for lane in f.lanes) for f in (early, later)]
    assert best[0] < best[1]
    assert [found.value for found in results] == [best[0], best[1], best[1], best[1]]
    assert all(found.unfinished and not found.finished for found in results)
    gate.open.set()
    wait_for(lambda: not study(later, runs).unfinished)
    found = study(later, runs)
    exact = solve(runs[0].problem, InteriorPoint(tol=1e-9)).certificate.dual
    assert found.finished
    assert found.method == "Interior point"
    assert found.value == pytest.approx(exact, rel=1e-9)
    assert {name for _, name in gate.asked} == {"svmviz-background"}


def test_no_search_starts_for_temporary_lanes(gate):
    (frame, runs), study = raced(5), a_study()
    for _ in range(3):
        found = study(replace(frame, temporary=True), runs)
        assert found.value == max(lane.certificate.dual for lane in frame.lanes)
        # No other frame is asked for, and it is not said to be the optimum.
        assert not found.unfinished
        assert not found.finished
    assert not gate.asked
    assert study(frame, runs).unfinished
    wait_for(lambda: gate.asked)


def test_another_problem_has_a_search_of_its_own(gate):
    (first, runs), study = raced(5), a_study()
    assert study(first, runs).unfinished
    wait_for(lambda: gate.asked)
    document = replace(moons(60), methods=RACE)
    others = tuple(solve(document.problem(), method) for method in RACE)
    frame = make_frame(document, others, 5, GRID)
    assert study(frame, others).value == max(lane.certificate.dual for lane in frame.lanes)
    gate.open.set()
    wait_for(lambda: not study(frame, others).unfinished)
    found = study(frame, others)
    exact = solve(others[0].problem, InteriorPoint(tol=1e-9)).certificate.dual
    assert found.value == pytest.approx(exact, rel=1e-9)


def test_exports_wait_until_it_is_finished():
    frame, runs = raced(5)
    found = make_frame(frame.document, runs, 5, GRID, {"race": Reference(min_lanes=2)}).studies[
        "race"
    ]
    assert isinstance(found, Optimum)
    assert found.finished


def test_if_the_search_fails_the_bounds_of_the_lanes_stay(monkeypatch, caplog):
    def fail(problem, expansion):
        raise ValueError("no certificate")

    monkeypatch.setattr(reference, "certify", fail)
    (frame, runs), study = raced(5), a_study()
    while (found := study(frame, runs)).unfinished:
        assert not isinstance(found, Pending)
    assert found.value == max(lane.certificate.dual for lane in frame.lanes)
    assert not found.finished
    assert "no certificate" in caplog.text


def test_during_a_drag_there_is_no_search(qtbot, open_stage, show, gate):
    gate.open.set()
    stage = open_stage(moons(60, methods=(SMO(), Pegasos(max_steps=400))))
    panel = show(RacePanel(stage), 460, 560)

    def ended():
        return panel.optimum is not None and panel.optimum.finished

    qtbot.waitUntil(ended)
    session, frames = stage.session, []
    stage.feed.frame_changed.connect(frames.append)
    gate.asked.clear()
    for place in range(3):
        session.preview(session.document.moved([place], (0.1, 0.2)))
        settle(qtbot, stage)
    qtbot.waitUntil(lambda: "so far" in panel.problem.text())
    assert frames[-1].temporary
    assert not gate.asked
    session.commit("Move a point")
    qtbot.waitUntil(lambda: ended() and not stage.feed.frame.temporary)
    problem = session.runs[0].problem
    assert gate.asked
    assert all(asked is problem for asked, _ in gate.asked)
    assert np.isclose(panel.optimum.value, solve(problem, InteriorPoint()).certificate.dual)
