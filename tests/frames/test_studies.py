"""Studies: results for a panel come with the frame, from the frame thread."""

import logging
import threading

import pytest

from svmviz.frames.lane_reader import make_frame
from svmviz.frames.viewport import Grid
from tests.stages import eight
from tests.waiting import go_to, settle

GRID = Grid(-3.0, 3.0, -3.0, 3.0, 16, 16)


class Count:
    """Counts the support vectors of each frame, and remembers where."""

    def __init__(self):
        self.threads = set()

    def __call__(self, frame, runs):
        self.threads.add(threading.current_thread().name)
        return frame.lane.step, len(frame.lane.expansion.support)


def test_a_study_belongs_to_its_frame(qtbot, open_stage):
    stage, count = open_stage(eight()), Count()
    settle(qtbot, stage)
    stage.feed.subscribe("count", count)
    qtbot.waitUntil(lambda: "count" in stage.feed.frame.studies)
    run = stage.session.runs[0]
    for step in (0, 1, run.steps):
        go_to(qtbot, stage, step)
        frame = stage.feed.frame
        assert frame.studies["count"] == (step, len(run.at(step).expansion.support))
    assert count.threads == {"svmviz-frames"}
    stage.feed.unsubscribe("count", count)
    go_to(qtbot, stage, 1)
    assert not stage.feed.frame.studies


def test_a_study_of_two_views_ends_with_the_last_of_them(qtbot, open_stage):
    stage = open_stage(eight())
    settle(qtbot, stage)
    one, other = Count(), Count()
    for study in (one, one, other):
        stage.feed.subscribe("count", study)
    go_to(qtbot, stage, 1)
    stage.feed.unsubscribe("count", one)
    go_to(qtbot, stage, 2)
    assert "count" in stage.feed.frame.studies
    assert other.threads
    stage.feed.unsubscribe("count", other)
    go_to(qtbot, stage, 0)
    assert not stage.feed.frame.studies


def test_a_study_that_fails_costs_only_itself(caplog):
    from solvers import Run

    document = eight()
    run = Run(document.problem(), document.method)
    while run.advance():
        pass

    def fail(_frame, _runs):
        raise ValueError("no such thing")

    with caplog.at_level(logging.ERROR):
        frame = make_frame(document, (run,), 2, GRID, {"bad": fail, "good": Count()})
    assert frame.studies == {"good": (2, len(run.at(2).expansion.support))}
    assert "no such thing" in caplog.text
    with pytest.raises(TypeError):
        frame.studies["more"] = 1
