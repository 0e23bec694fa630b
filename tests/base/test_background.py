"""Work aside: frames go on, the newest wish counts, and what fails is logged."""

import logging
import threading
import time

from svmviz.base.background import Aside, Awaited


def result_of(aside, key, work):
    deadline = time.monotonic() + 20.0
    while isinstance(found := aside.find(key, work, "soon"), Awaited):
        assert time.monotonic() < deadline
    return found


def test_what_is_quick_is_there_at_once():
    aside = Aside()
    assert aside.find("a", lambda: 7, "soon") == 7
    assert aside.find("b", lambda: 8, "soon") == 8


def test_what_is_slow_is_awaited_and_done_once():
    aside, go, calls = Aside(), threading.Event(), []

    def work():
        calls.append(threading.current_thread().name)
        go.wait(20.0)
        return 7

    began = time.monotonic()
    found = aside.find("a", work, "soon")
    assert found == Awaited("soon")
    assert found.unfinished
    assert time.monotonic() - began < 5.0
    assert isinstance(aside.find("a", work, "soon"), Awaited)
    go.set()
    assert result_of(aside, "a", work) == 7
    assert calls == ["svmviz-aside"]


def test_an_older_wish_is_forgotten():
    aside, go, began = Aside(), threading.Event(), []

    def slow():
        began.append(1)
        go.wait(20.0)
        return "old"

    assert isinstance(aside.find("old", slow, "soon"), Awaited)
    assert isinstance(aside.find("new", lambda: "new", "soon"), Awaited)
    # One at a time: the new one waits until the old one has ended.
    assert began == [1]
    go.set()
    assert result_of(aside, "new", lambda: "new") == "new"


def test_what_fails_is_logged_and_nothing(caplog):
    def fail():
        raise ValueError("no such thing")

    with caplog.at_level(logging.ERROR):
        assert result_of(Aside(), "a", fail) is None
    assert "no such thing" in caplog.text
