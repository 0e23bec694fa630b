"""Frame intervals while a solver runs at full speed, and the delay from a drag to the boundary."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer
from PySide6.QtWidgets import QApplication

from bench.hands import mouse, spin, spin_until
from solvers import RBF, SMO, Pegasos
from solvers.data.datasets import DATASETS
from svmviz import theme
from svmviz.app.app import SWITCH_INTERVAL
from svmviz.app.garbage_collector import GarbageCollector
from svmviz.document.document import Document, Penalty
from svmviz.frames.frame import Frame
from svmviz.stage.stage import Stage
from svmviz.window import MainWindow

SIZE = (1280, 800)
FLAT_OUT_SECONDS = 6.0
DRAGS = 120
GLIDE_SPEED, GLIDE_SECONDS = 4.0, 8.0


class Painted(QObject):
    """A filter that calls a function after each paint of a widget."""

    def __init__(self, widget: QObject, after: Callable[[], None]) -> None:
        super().__init__(widget)
        self._after = after
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            # The widget paints after the filter; a timer of 0 ms fires when that is done.
            QTimer.singleShot(0, self._after)
        return False


def main() -> None:
    """Measure both and print them."""
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    theme.apply(app, theme.LIGHT)
    sys.setswitchinterval(SWITCH_INTERVAL)
    print(f"window of {SIZE[0]} x {SIZE[1]} on {app.platformName()}")
    for method in (SMO(tol=1e-8, max_steps=10**9), Pegasos(max_steps=10**9)):
        _flat_out(method, 2000, "p95 34")
    _flat_out(Pegasos(max_steps=10**9), 300, "17.5, p95 24")
    _glide()
    _drag()


def _open(document: Document) -> MainWindow:
    stage = Stage.of(document)
    window = MainWindow(stage)
    window.resize(*SIZE)
    window.show()
    window.plane.navigation.fit()
    GarbageCollector(stage.feed)
    return window


def _close(window: MainWindow) -> None:
    window.stage.session.undo_stack.setClean()
    window.close()
    window.deleteLater()
    spin(0.05)


def _flat_out(method: SMO | Pegasos, n: int, bar: str) -> None:
    data = DATASETS["gaussians"].generate(n, DATASETS["gaussians"].noise_default, 0)
    document = Document(data, RBF(1.0), Penalty("C", 1e5), methods=(method,))
    window = _open(document)
    playback = window.stage.playback
    # Compiling, for which only the first run waits, is not measured.
    spin_until(lambda: playback.length > 1000, seconds=60.0)
    playback.set_speed(math.inf)
    playback.play()
    spin(1.0)
    paints: list[float] = []
    beats: list[float] = []
    fresh: list[bool] = []
    window.stage.feed.frame_changed.connect(lambda _frame: fresh.append(True))

    def painted() -> None:
        if fresh:
            fresh.clear()
            paints.append(time.perf_counter())

    Painted(window.plane, painted)
    heart = QTimer()
    heart.setTimerType(Qt.TimerType.PreciseTimer)
    heart.timeout.connect(lambda: beats.append(time.perf_counter()))
    heart.start(1)
    before, began = playback.length, time.perf_counter()
    spin(FLAT_OUT_SECONDS)
    heart.stop()
    running = not playback.finished
    rate = (playback.length - before) / (time.perf_counter() - began)
    intervals, gaps = np.diff(paints) * 1e3, np.diff(beats) * 1e3
    print(
        f"flat out, {n:,} points, {method.label}: {rate:,.0f} steps/s"
        f"{'' if running else ' (ended early)'}; frames every {np.median(intervals):.1f} ms, "
        f"p95 {np.percentile(intervals, 95):.1f} ms (bar {bar}); "
        f"longest gap of the event loop {gaps.max():.0f} ms (bar 100)"
    )
    _close(window)


def _glide() -> None:
    """Measure the frames of glides while a finished run is played slowly."""
    data = DATASETS["gaussians"].generate(500, DATASETS["gaussians"].noise_default, 0)
    window = _open(Document(data, RBF(1.0), Penalty("C", 10.0)))
    session, feed, playback = window.stage.session, window.stage.feed, window.stage.playback
    spin_until(lambda: not session.waiting and playback.finished, seconds=60.0)
    spin(1.0)
    # When each frame was painted, and whether the picture was still on its way then.
    paints: list[tuple[float, bool]] = []
    beats: list[float] = []
    fresh: list[Frame] = []
    feed.frame_changed.connect(fresh.append)

    def painted() -> None:
        if fresh:
            paints.append((time.perf_counter(), fresh[-1].glides))
            fresh.clear()

    Painted(window.plane, painted)
    heart = QTimer()
    heart.setTimerType(Qt.TimerType.PreciseTimer)
    heart.timeout.connect(lambda: beats.append(time.perf_counter()))
    playback.seek(playback.length // 2)
    playback.set_speed(GLIDE_SPEED)
    playback.play()
    spin(0.5)
    heart.start(1)
    spin(GLIDE_SECONDS)
    heart.stop()
    intervals = [1e3 * (b[0] - a[0]) for a, b in pairwise(paints) if a[1]]
    print(
        f"glide, 500 points, {GLIDE_SPEED:g} steps/s: frames every {np.median(intervals):.1f} ms, "
        f"p95 {np.percentile(intervals, 95):.1f} ms (bar 25), {len(intervals)} in all; "
        f"longest gap of the event loop {1e3 * np.diff(beats).max():.0f} ms (bar 50)"
    )
    _close(window)


def _drag() -> None:
    data = DATASETS["moons"].generate(300, 0.2, 1)
    window = _open(Document(data, RBF(1.0), Penalty("C", 10.0)))
    plane, session = window.plane, window.stage.session
    spin_until(lambda: not session.waiting and window.stage.playback.finished)
    spin(0.5)
    start = QPointF(*plane.camera.to_pixels(data.points[:1])[0].tolist())
    mouse(plane, QEvent.Type.MouseButtonPress, start)
    waits = []
    for k in range(DRAGS):
        angle = k / 12.0
        place = start + QPointF(60.0 * math.sin(angle), 40.0 * (1.0 - math.cos(angle)) + 6.0)
        waits.append(_drag_once(window, place))
        spin(0.02)
    mouse(plane, QEvent.Type.MouseButtonRelease, place)
    waits_ms = np.array(waits) * 1e3
    print(
        f"drag of a point, 300 points, RBF: to the painted, converged boundary "
        f"{np.median(waits_ms):.1f} ms, p95 {np.percentile(waits_ms, 95):.1f} ms (bar 60), "
        f"worst {waits_ms.max():.0f} ms"
    )
    _close(window)


def _drag_once(window: MainWindow, place: QPointF) -> float:
    """Return the time from a mouse move to the end of the paint of its result, s."""
    plane, session = window.plane, window.stage.session
    done: list[float] = []

    def look(frame: Frame) -> None:
        lane = frame.lane
        if lane is not None and lane.at_end and frame.document is session.document is not before:
            plane.repaint()
            done.append(time.perf_counter())

    before = session.document
    connection = window.stage.feed.frame_changed.connect(look)
    began = time.perf_counter()
    mouse(plane, QEvent.Type.MouseMove, place)
    spin_until(lambda: bool(done), seconds=2.0)
    window.stage.feed.frame_changed.disconnect(connection)
    return (done[0] if done else math.inf) - began
