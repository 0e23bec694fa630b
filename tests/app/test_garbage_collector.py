"""Cyclic garbage is collected in the thread of the window, whoever makes it."""

import gc
import sys
import threading

import pytest

from svmviz.app import app
from svmviz.app.garbage_collector import GarbageCollector, collect_if_due
from svmviz.stage.stage import Stage
from tests.stages import eight


class Cycle:
    """Garbage that notes the thread in which it is collected."""

    def __init__(self, collected_in):
        self.me, self.collected_in = self, collected_in

    def __del__(self):
        self.collected_in.append(threading.current_thread())


@pytest.fixture
def stage():
    stage = Stage.of(eight())
    yield stage
    stage.close()
    # What the collector froze may go; what was there before the first test stays frozen.
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def test_garbage_of_another_thread_is_collected_in_the_thread_of_the_window(stage, qtbot):
    gc.enable()
    collected_in = []
    collector = GarbageCollector(stage.feed)
    maker = threading.Thread(target=lambda: [Cycle(collected_in) for _ in range(5000)])
    maker.start()
    maker.join()
    assert not collected_in
    qtbot.waitUntil(lambda: len(collected_in) == 5000)
    assert set(collected_in) == {threading.main_thread()}
    collector.deleteLater()


def test_older_generations_are_collected_in_their_turn(monkeypatch):
    collected = []
    monkeypatch.setattr(gc, "collect", collected.append)
    for counts in ((700, 10, 10), (701, 0, 0), (701, 11, 0), (0, 11, 11)):
        monkeypatch.setattr(gc, "get_count", lambda counts=counts: counts)
        collect_if_due()
    assert collected == [0, 1, 2]


def test_nothing_is_collected_automatically_while_the_window_is_made(monkeypatch):
    class Reached(Exception):
        pass

    def make(_arguments):
        assert not gc.isenabled()
        raise Reached

    monkeypatch.setattr(app, "QApplication", make)
    interval, was_enabled = sys.getswitchinterval(), gc.isenabled()
    gc.enable()
    try:
        with pytest.raises(Reached):
            app.run_window()
    finally:
        sys.setswitchinterval(interval)
        (gc.enable if was_enabled else gc.disable)()
