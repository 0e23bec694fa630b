"""What is loaded ahead is waited for at the end, and only then."""

from __future__ import annotations

import threading
import time
from importlib.util import find_spec

import pytest

from svmviz import ahead
from svmviz.stage import Stage
from tests.stages import eight


@pytest.fixture
def loaded(monkeypatch):
    """Set once a slow module has been loaded."""
    done = threading.Event()

    def load(_name: str) -> None:
        if not done.is_set():
            time.sleep(0.2)
        done.set()

    monkeypatch.setattr(ahead, "import_module", load)
    monkeypatch.setattr(ahead.gc, "freeze", lambda: None)
    return done


def test_the_end_waits_for_what_is_being_loaded(qtbot, loaded):
    stage = Stage.of(eight())
    loader = ahead.Ahead(stage.playback)
    qtbot.waitUntil(lambda: stage.playback.frame.lane is not None, timeout=60_000)
    assert not loaded.is_set()
    loader.close()
    assert loaded.is_set()
    stage.close()


def test_every_panel_is_there_to_be_loaded():
    for name in ahead.MODULES:
        assert find_spec(name), name


def test_without_a_frame_nothing_is_loaded(qtbot, loaded):
    stage = Stage.of()
    ahead.Ahead(stage.playback).close()
    assert not loaded.is_set()
    stage.close()
