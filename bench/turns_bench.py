"""The longest turn of the event loop during each action.

A timer beats every millisecond; the longest pause between two beats is the longest turn. Beside it
stands the processor time that the window's thread spent in its dearest turn, which other work on
the machine hardly changes.
"""

from __future__ import annotations

import gc
import math
import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialog

from bench.hands import mouse, spin, spin_until
from solvers import RBF, SMO
from solvers.data.datasets import DATASETS, PointSet
from svmviz import theme
from svmviz.app.app import SWITCH_INTERVAL
from svmviz.app.garbage_collector import GarbageCollector
from svmviz.document.document import Document, Penalty
from svmviz.session import edits
from svmviz.stage.stage import Stage
from svmviz.window import MainWindow

SIZE = (1280, 800)
# Limit, ms.
BAR = 50
# Time for which the event loop is measured after the start of an action, s.
WATCHED = 1.2
MANY, SOME = 20_000, 5_000

Action = Callable[[], object]


class Pulse(QObject):
    """A timer that fires every millisecond while the event loop runs."""

    def __init__(self) -> None:
        super().__init__()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self.longest = self.dearest = 0.0

    def watch(self, action: Action, seconds: float = WATCHED) -> None:
        """Take an action within the event loop, and measure its turns."""
        self.longest = self.dearest = 0.0
        self._wall, self._busy = time.perf_counter(), time.thread_time()
        self._timer.start(1)
        QTimer.singleShot(5, action)
        spin(seconds)
        self._timer.stop()

    def _beat(self) -> None:
        wall, busy = time.perf_counter(), time.thread_time()
        self.longest = max(self.longest, wall - self._wall)
        self.dearest = max(self.dearest, busy - self._busy)
        self._wall, self._busy = wall, busy


def main() -> None:
    """Take every action, and print a line for each."""
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    sys.setswitchinterval(SWITCH_INTERVAL)
    theme.apply(app, theme.LIGHT)
    window = MainWindow(Stage.of(_document(300)))
    window.resize(*SIZE)
    window.show()
    GarbageCollector(window.stage.feed)
    spin_until(lambda: window.stage.playback.length > 5, seconds=60.0)
    spin(1.0)
    pulse = Pulse()
    print(f"longest turn of the event loop, and processor time of the dearest (bar {BAR} ms)")
    for group in (_looks, _docks, _dialogs, _points, _crowd):
        for name, action in group(window):
            pulse.watch(action)
            print(f"{name}: {1e3 * pulse.longest:.0f} ms, {1e3 * pulse.dearest:.0f} ms")
    window.stage.session.undo_stack.setClean()
    window.close()


def _document(n: int) -> Document:
    data = DATASETS["gaussians"].generate(n, DATASETS["gaussians"].noise_default, 0)
    return Document(data, RBF(1.0), Penalty("C", 1.0), methods=(SMO(),))


def _looks(window: MainWindow) -> list[tuple[str, Action]]:
    look = window.appearance
    steps = [(f"type {scale:.0%}", partial(look.set_scale, scale)) for scale in (1.5, 2.0, 1.0)]
    return [("dark theme", look.toggle_dark), ("light theme", look.toggle_dark), *steps]


def _docks(window: MainWindow) -> list[tuple[str, Action]]:
    shows = [(f"show dock {name}", partial(window.docks.show, name)) for name in window.docks.docks]
    hides = [
        (f"hide dock {name}", dock.hide)
        for name, dock in window.docks.docks.items()
        if name != "settings"
    ]
    return [*shows, *hides]


def _dialogs(window: MainWindow) -> list[tuple[str, Action]]:
    asks = (
        ("export dialog", window.exports.ask_picture),
        ("page of keys", window.menus.actions["keys"].trigger),
        ("about", window.menus.actions["about"].trigger),
        ("typed step", window.menus.actions["go-to"].trigger),
    )
    return [(f"open and close: {name}", partial(_and_leave, ask)) for name, ask in asks]


def _and_leave(ask: Action) -> None:
    """Open a dialog, and reject it after a while."""
    QTimer.singleShot(400, _refuse)
    ask()


def _refuse() -> None:
    dialog = QApplication.activeModalWidget()
    if isinstance(dialog, QDialog):
        dialog.reject()


def _points(window: MainWindow) -> list[tuple[str, Action]]:
    session = window.stage.session
    stack = session.undo_stack
    return [
        (f"generate {SOME:,} points", lambda: session.edit(_document(SOME), "Generate")),
        ("undo", stack.undo),
        ("redo", stack.redo),
        ("select all", lambda: edits.select_all(session)),
        (f"drag {SOME:,} points", lambda: _drag(window)),
        ("delete them", lambda: edits.delete_selection(session)),
    ]


def _crowd(window: MainWindow) -> list[tuple[str, Action]]:
    session, playback = window.stage.session, window.stage.playback
    folder = tempfile.mkdtemp()
    path = Path(folder) / "many.csv"
    _write(path, _document(MANY).data)

    def play() -> None:
        playback.set_speed(math.inf)
        playback.go_to_start()
        playback.play()

    def open_file() -> None:
        session.undo_stack.setClean()
        window.files.open(str(path))

    return [
        (f"open {MANY:,} points", open_file),
        (f"play {MANY:,} points", play),
        (f"table of {MANY:,} points", lambda: window.docks.show("table")),
        ("play with the table open", play),
        ("select all of them", lambda: edits.select_all(session)),
        ("drag them", lambda: _drag(window)),
        ("undo that", session.undo_stack.undo),
        ("forget the file", lambda: (path.unlink(), os.rmdir(folder), gc.collect(0))),
    ]


def _write(path: Path, data: PointSet) -> None:
    table = np.column_stack([data.points, data.labels])
    np.savetxt(path, table, delimiter=",", header="x1,x2,label", comments="", fmt="%.10g")


def _drag(window: MainWindow) -> None:
    """Press on a point and drag it, with all selected points, in ten moves."""
    plane = window.plane
    data = window.stage.session.document.data
    at = plane.camera.to_pixels(data.points)
    middle = np.array([plane.width() / 2, plane.height() / 2])
    start = QPointF(*at[np.argmin(((at - middle) ** 2).sum(axis=1))].tolist())
    mouse(plane, QEvent.Type.MouseButtonPress, start)

    def move(k: int = 1) -> None:
        place = start + QPointF(4.0 * k, 2.0 * k)
        if k <= 10:
            mouse(plane, QEvent.Type.MouseMove, place)
            QTimer.singleShot(40, partial(move, k + 1))
        else:
            mouse(plane, QEvent.Type.MouseButtonRelease, place)

    QTimer.singleShot(20, move)
