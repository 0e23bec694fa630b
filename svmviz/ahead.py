"""Loads what the next click may need once the first picture stands: no start waits for it.

pyqtgraph takes 200 ms, which neither a start nor the click on the tab of a chart should.
"""

from __future__ import annotations

import gc
import threading
from importlib import import_module

from PySide6.QtCore import QObject

from svmviz.frame import Frame
from svmviz.playback import Playback

MODULES = ("svmviz.panels.objective_chart",)


class Ahead(QObject):
    """Waits for the first frame of a run, and loads in a thread of its own."""

    def __init__(self, playback: Playback) -> None:
        super().__init__(playback)
        self._playback = playback
        self._thread = threading.Thread(target=_load, name="svmviz-ahead")
        playback.frame_changed.connect(self._on_frame)

    def _on_frame(self, frame: Frame) -> None:
        if frame.lane is not None:
            self._playback.frame_changed.disconnect(self._on_frame)
            self._thread.start()

    def close(self) -> None:
        """Wait for the thread: an import of Qt's classes at the end of Python would crash it."""
        if self._thread.is_alive():
            self._thread.join()


def _load() -> None:
    for module in MODULES:
        import_module(module)
    # What was loaded stays: see ``svmviz.collector``.
    gc.freeze()
