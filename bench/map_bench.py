"""Frame intervals of the window while a map fills: ``bench/run.py map``.

A finished run of 300 points of two moons is played slowly, so that every frame glides, with the map
panel open. Stretches without a search and with one take turns in one window: the map of 15 x 15
parameters with 5 folds, each with another seed, so that no result is known. A stretch ends with its
search.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication

from bench.hands import spin, spin_until
from bench.window_bench import SIZE, Painted, _close, _open
from solvers import RBF
from solvers.data.datasets import DATASETS
from svmviz import theme
from svmviz.app.app import SWITCH_INTERVAL
from svmviz.document.document import Document, Penalty
from svmviz.frames.frame import Frame
from svmviz.selection.map_model import MapModel, map_of
from svmviz.window import MainWindow

SECONDS, TURNS, SPEED = 3.0, 4, 4.0
BAR = 34.0


class Watch:
    """Times of painted frames of the plane, and of turns of the event loop."""

    def __init__(self, window: MainWindow) -> None:
        # When each frame was painted, and whether the picture was still on its way then.
        self.paints: list[tuple[float, bool]] = []
        self.beats: list[float] = []
        self._fresh: Frame | None = None
        window.stage.feed.frame_changed.connect(self._on_frame)
        Painted(window.plane, self._on_painted)
        self._heart = QTimer()
        self._heart.setTimerType(Qt.TimerType.PreciseTimer)
        self._heart.timeout.connect(lambda: self.beats.append(time.perf_counter()))

    def _on_frame(self, frame: Frame) -> None:
        self._fresh = frame

    def _on_painted(self) -> None:
        if self._fresh is not None:
            self.paints.append((time.perf_counter(), self._fresh.glides))
            self._fresh = None

    def run(self, ended: Callable[[], bool]) -> tuple[np.ndarray, np.ndarray]:
        """Return intervals of frames and of turns of the event loop, ms, over some seconds."""
        self.paints.clear()
        self.beats.clear()
        self._heart.start(1)
        spin_until(ended, seconds=SECONDS)
        self._heart.stop()
        frames = [1e3 * (b[0] - a[0]) for a, b in pairwise(self.paints) if a[1]]
        return np.array(frames), 1e3 * np.diff(self.beats)


def main() -> None:
    """Print a line without a search and one while the map fills."""
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    theme.apply(app, theme.LIGHT)
    sys.setswitchinterval(SWITCH_INTERVAL)
    data = DATASETS["moons"].generate(300, 0.2, 1)
    window = _open(Document(data, RBF(1.0), Penalty("C", 1e5)))
    session, playback = window.stage.session, window.stage.playback
    spin_until(lambda: not session.waiting and playback.finished, seconds=60.0)
    window.docks.show("map")
    model = map_of(session, window.stage.searches)
    _search(model, 0)
    spin_until(lambda: model.search.n_arrived > 50, seconds=60.0)
    model.search.cancel()
    playback.seek(playback.length // 4)
    playback.set_speed(SPEED)
    playback.play()
    spin(0.5)
    _compare(window, model)
    _close(window)


def _search(model: MapModel, seed: int) -> None:
    plan = replace(model.settings.plan, seed=seed)
    model.set_settings(replace(model.settings, plan=plan))
    model.start()


def _compare(window: MainWindow, model: MapModel) -> None:
    """Measure stretches in turn, and print both."""
    watch, results, began = Watch(window), 0, 0.0
    found: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {"idle": [], "filling": []}
    for turn in range(TURNS):
        found["idle"].append(watch.run(lambda: False))
        _search(model, 100 + turn)
        start = time.perf_counter()
        found["filling"].append(watch.run(lambda: not model.search.is_active))
        began += time.perf_counter() - start
        results += model.search.n_arrived
        model.search.cancel()
    print(f"window of {SIZE[0]} x {SIZE[1]}, glides, 300 points; {results / began:,.0f} fits/s")
    for name, stretches in found.items():
        frames = np.concatenate([frames for frames, _ in stretches])
        gaps = np.concatenate([gaps for _, gaps in stretches])
        print(
            f"map {name}: frames every {np.median(frames):.1f} ms, p95"
            f" {np.percentile(frames, 95):.1f} ms (bar {BAR:g}), {len(frames)} in all;"
            f" longest gap of the event loop {gaps.max():.0f} ms (bar 50)"
        )
