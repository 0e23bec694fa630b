"""Background work: frames continue, the newest request counts, and failures are logged."""

import logging
import threading

from svmviz.base.background import BackgroundTask, Pending
from tests.time_limits import TIME_LIMIT, wait_for


def result_of(task, key, work):
    found = []

    def is_there():
        found.append(task.find(key, work, "soon"))
        return not isinstance(found[-1], Pending)

    wait_for(is_there)
    return found[-1]


def test_what_is_quick_is_there_at_once():
    task = BackgroundTask()
    assert task.find("a", lambda: 7, "soon") == 7
    assert task.find("b", lambda: 8, "soon") == 8


def test_what_is_slow_is_pending_and_done_once():
    task, go, calls = BackgroundTask(), threading.Event(), []

    def work():
        calls.append(threading.current_thread().name)
        go.wait(TIME_LIMIT)
        return 7

    found = task.find("a", work, "soon")
    assert found == Pending("soon")
    assert found.unfinished
    assert isinstance(task.find("a", work, "soon"), Pending)
    go.set()
    assert result_of(task, "a", work) == 7
    assert calls == ["svmviz-background"]


def test_an_older_request_is_dropped():
    task, go, began = BackgroundTask(), threading.Event(), []

    def slow():
        began.append(1)
        go.wait(TIME_LIMIT)
        return "old"

    assert isinstance(task.find("old", slow, "soon"), Pending)
    assert isinstance(task.find("new", lambda: "new", "soon"), Pending)
    # One at a time: the new one waits until the old one has ended.
    assert began == [1]
    go.set()
    assert result_of(task, "new", lambda: "new") == "new"


def test_what_fails_is_logged_and_nothing(caplog):
    def fail():
        raise ValueError("no such thing")

    with caplog.at_level(logging.ERROR):
        assert result_of(BackgroundTask(), "a", fail) is None
    assert "no such thing" in caplog.text
