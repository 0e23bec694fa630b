"""At its end the program waits for an import that has begun, but begins no other."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from importlib.util import find_spec

import pytest

from svmviz.app import preload
from svmviz.export import FORMATS
from svmviz.panels.registry import INITIALLY_SHOWN, PANELS
from svmviz.stage.stage import Stage
from tests.stages import eight
from tests.time_limits import TIME_LIMIT


@pytest.fixture
def loaded(monkeypatch):
    """Set once a slow module has been loaded."""
    done = threading.Event()

    def load(_name: str) -> None:
        if not done.is_set():
            time.sleep(0.2)
        done.set()

    monkeypatch.setattr(preload, "import_module", load)
    monkeypatch.setattr(preload.gc, "freeze", lambda: None)
    return done


def test_closing_waits_for_an_import_under_way(qtbot, loaded):
    stage = Stage.of(eight())
    loader = preload.Preloader(stage.feed)
    qtbot.waitUntil(lambda: loader._thread.is_alive())
    assert stage.feed.frame.lane is not None
    assert not loaded.is_set()
    loader.close()
    assert loaded.is_set()
    stage.close()


def test_every_module_exists():
    for name in preload.MODULES:
        assert find_spec(name), name


def test_modules_of_all_panels_and_formats_are_loaded_those_of_the_first_start_first():
    first = [PANELS[name].make.module for name in INITIALLY_SHOWN]
    assert preload.MODULES[: len(INITIALLY_SHOWN)] == tuple(first)
    formats = [f"svmviz.export.{ending.removeprefix('.')}" for ending in FORMATS]
    others = ["svmviz.window.files.export_dialog", "svmviz.window.help.help_window"]
    panels = [spec.make.module for spec in PANELS.values()]
    assert sorted(preload.MODULES) == sorted([*panels, *others, *formats])


def test_without_a_frame_nothing_is_loaded(qtbot, loaded):
    stage = Stage.of()
    preload.Preloader(stage.feed).close()
    assert not loaded.is_set()
    stage.close()


TYPES = """
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
app = QApplication([])
from svmviz.app import preload
from svmviz.stage.stage import Stage
from tests.stages import eight
stage = Stage.of(eight())
loader = preload.Preloader(stage.feed)
missing = []
preload.import_module = lambda _: missing.append([
    f"{module.__name__}.{name}" for module in preload.QT_MODULES
    for name in dir(module) if name not in vars(module)
])
print(len(dir(preload.QtWidgets)) - len(vars(preload.QtWidgets)))
timer = QTimer(interval=20)
timer.timeout.connect(lambda: app.quit() if missing else None)
timer.start()
app.exec()
loader.close()
stage.close()
print(missing[0])
"""


def test_all_types_of_qt_are_made_before_the_thread_imports():
    """PySide6 puts a type into its module when it has made it."""
    done = subprocess.run(
        [sys.executable, "-c", TYPES], capture_output=True, text=True, check=True,
        timeout=TIME_LIMIT, env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    before, after = done.stdout.splitlines()
    assert int(before) > 50
    assert after == "[]"


def test_closed_before_its_thread_starts_it_loads_nothing(qtbot, loaded, monkeypatch):
    # One type per turn: on a busy machine all would be made before the next look at the timer.
    monkeypatch.setattr(preload, "SLICE", -1.0)
    stage = Stage.of(eight())
    loader = preload.Preloader(stage.feed)
    qtbot.waitUntil(lambda: loader._timer.isActive())
    loader.close()
    qtbot.wait(100)
    assert not loaded.is_set()
    stage.close()
