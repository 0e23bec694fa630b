import threading

import pytest
from PySide6.QtCore import QObject, QThread, QTimer

from tests import leftovers


class Ticker(QTimer):
    pass


@pytest.mark.parametrize("kind", [QTimer, Ticker])
def test_an_active_timer_is_found(qapp, kind):
    before = leftovers.find_running()
    timer = kind()
    timer.start(10_000)
    assert leftovers.wait_for_end(before) == {timer}
    timer.stop()
    assert leftovers.wait_for_end(before) == set()


def test_a_timer_dies_with_its_owner(qapp):
    before = leftovers.find_running()
    owner = QObject()
    timer = QTimer(owner)
    timer.start(10_000)
    owner.deleteLater()
    assert leftovers.wait_for_end(before) == set()


def test_a_thread_is_found(monkeypatch):
    monkeypatch.setattr(leftovers, "SECONDS_TO_END", 0.01)
    before = leftovers.find_running()
    ended = threading.Event()
    thread = threading.Thread(target=ended.wait)
    thread.start()
    assert leftovers.wait_for_end(before) == {thread}
    ended.set()
    thread.join()
    assert leftovers.wait_for_end(before) == set()


def test_a_thread_may_end_by_itself():
    before = leftovers.find_running()
    threading.Timer(0.05, lambda: None).start()
    assert leftovers.wait_for_end(before) == set()


def test_a_qt_thread_is_found(qapp, monkeypatch):
    monkeypatch.setattr(leftovers, "SECONDS_TO_END", 0.01)
    before = leftovers.find_running()
    thread = QThread()
    thread.start()
    assert leftovers.wait_for_end(before) == {thread}
    thread.quit()
    assert thread.wait(5_000)
    assert leftovers.wait_for_end(before) == set()


def test_a_single_shot_may_end_by_itself(qapp):
    before = leftovers.find_running()
    receiver = QObject()
    QTimer.singleShot(50, receiver, lambda: None)
    receiver.deleteLater()
    assert leftovers.wait_for_end(before) == set()
