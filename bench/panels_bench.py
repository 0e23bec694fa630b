"""Frame intervals while a run of 500 points plays with four panels open."""

from __future__ import annotations

import sys
import time

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication

from bench.hands import spin, spin_until
from bench.window_bench import Painted
from solvers import RBF, SMO, Kernel, Linear
from solvers.data.datasets import DATASETS
from svmviz import theme
from svmviz.app.app import SWITCH_INTERVAL
from svmviz.app.garbage_collector import GarbageCollector
from svmviz.document.document import Document, Penalty
from svmviz.stage.stage import Stage
from svmviz.window import MainWindow

SIZE = QSize(1920, 1000)
POINTS, SECONDS, SPEED = 500, 6.0, 60.0
OPEN = (
    (Linear(), ("step", "pair", "kkt", "weight-space")),
    (RBF(1.0), ("step", "pair", "kkt", "alpha")),
    (Linear(), ("kernel-matrix", "hulls", "pair", "kkt")),
)


def main() -> None:
    """Measure some choices of panels, and print a line for each."""
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    theme.apply(app, theme.LIGHT)
    sys.setswitchinterval(SWITCH_INTERVAL)
    for kernel, panels in OPEN:
        _play(kernel, panels)


def _play(kernel: Kernel, panels: tuple[str, ...]) -> None:
    data = DATASETS["gaussians"].generate(POINTS, DATASETS["gaussians"].noise_default, 0)
    document = Document(data, kernel, Penalty("C", 10.0), methods=(SMO(tol=1e-6),))
    window = MainWindow(Stage.of(document))
    window.show_first(SIZE)
    GarbageCollector(window.stage.feed)
    playback = window.stage.playback
    spin_until(lambda: playback.finished and playback.length > 1, seconds=60.0)
    _tile(window, panels)
    spin(1.0)
    playback.set_speed(SPEED)
    playback.go_to_start()
    playback.play()
    spin(1.0)
    times: list[float] = []
    fresh: list[bool] = []
    window.stage.feed.frame_changed.connect(lambda _frame: fresh.append(True))

    def painted() -> None:
        if fresh:
            fresh.clear()
            times.append(time.perf_counter())

    Painted(window.plane, painted)
    spin(SECONDS)
    intervals = np.diff(times) * 1e3
    print(
        f"playing {POINTS} points at {SPEED:.0f} steps/s beside {', '.join(panels)}: frames every "
        f"{np.median(intervals):.1f} ms, p95 {np.percentile(intervals, 95):.1f} ms (bar 40)"
        f"{'' if playback.player.playing else ' (ended early)'}"
    )
    window.stage.session.undo_stack.setClean()
    window.close()
    window.deleteLater()
    spin(0.05)


def _tile(window: MainWindow, panels: tuple[str, ...]) -> None:
    """Show two panels at the left and two at the right, all visible."""
    docks = window.docks.docks
    for dock in docks.values():
        dock.hide()
    sides = (Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea)
    for place, name in enumerate(panels):
        window.addDockWidget(sides[place % 2], docks[name])
        docks[name].show()
    spin(0.2)
    for above, below in zip(panels[:2], panels[2:], strict=True):
        window.splitDockWidget(docks[above], docks[below], Qt.Orientation.Vertical)
    spin(0.3)
    hidden = [name for name in panels if docks[name].visibleRegion().isEmpty()]
    assert not hidden, f"not in sight: {hidden}"
