"""Studies: results for a panel come with the frame, from the frame thread."""

import logging
import threading

import pytest

from svmviz.frames.lane_reader import make_frame
from svmviz.frames.studies import Pending, ProblemStudy, SlowResult
from svmviz.frames.viewport import Grid
from tests.stages import eight
from tests.time_limits import TIME_LIMIT, wait_for
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


def result_of(slow, key, work):
    found = []

    def is_there():
        found.append(slow.find(key, work, "soon"))
        return not isinstance(found[-1], Pending)

    wait_for(is_there)
    return found[-1]


def test_what_is_quick_is_there_at_once():
    slow = SlowResult()
    # On a busy machine even this may take longer than the usual wait.
    assert slow.find("a", lambda: 7, "soon", wait=TIME_LIMIT) == 7
    assert slow.find("b", lambda: 8, "soon", wait=TIME_LIMIT) == 8


def test_what_is_slow_is_pending_and_done_once():
    slow, go, calls = SlowResult(), threading.Event(), []

    def work():
        calls.append(threading.current_thread().name)
        go.wait(TIME_LIMIT)
        return 7

    found = slow.find("a", work, "soon")
    assert found == Pending("soon")
    assert found.unfinished
    assert isinstance(slow.find("a", work, "soon"), Pending)
    go.set()
    assert result_of(slow, "a", work) == 7
    # The result is stored.
    assert slow.find("a", work, "soon") == 7
    assert calls == ["svmviz-background"]


def test_an_older_request_is_dropped():
    slow, go, began = SlowResult(), threading.Event(), []

    def work():
        began.append(1)
        go.wait(TIME_LIMIT)
        return "old"

    assert isinstance(slow.find("old", work, "soon"), Pending)
    assert isinstance(slow.find("new", lambda: "new", "soon"), Pending)
    # One at a time: the new one waits until the old one has ended.
    assert began == [1]
    go.set()
    assert result_of(slow, "new", lambda: "new") == "new"


def test_what_fails_is_logged_and_nothing(caplog):
    def fail():
        raise ValueError("no such thing")

    with caplog.at_level(logging.ERROR):
        assert result_of(SlowResult(), "a", fail) is None
    assert "no such thing" in caplog.text


def test_a_problem_is_studied_once_for_all_its_steps():
    from solvers import Run

    problems = []

    def study_problem(problem):
        problems.append(problem)
        return problem.n

    study, document = ProblemStudy(study_problem), eight()
    for _ in range(2):
        run = Run(document.problem(), document.method)
        run.advance()
        for step in (0, 1):
            frame = make_frame(document, (run,), step, GRID)
            assert study(frame, (run,)) == document.n
    assert len(problems) == 2
