"""Loads what the next click may need once the first picture stands: no start waits for it.

pyqtgraph takes 200 ms and each panel some, which neither a start nor a click on a tab should. They
are imported in a thread. But PySide6 makes the Python type of each class of Qt when it is first
mentioned, and the window must never meet one that another thread has half made: it would crash. So
first the window's own thread makes them all, a few at a time.
"""

from __future__ import annotations

import gc
import threading
import time
from importlib import import_module

from PySide6 import QtCore, QtGui, QtSvg, QtWidgets
from PySide6.QtCore import QObject, QTimer

from svmviz.frames.frame import Frame
from svmviz.panels.registry import FIRST, PANELS
from svmviz.playback.feed import FrameFeed

# Modules of all panels, those of the first start first.
MODULES = tuple(
    PANELS[name].make.module for name in sorted(PANELS, key=lambda name: name not in FIRST)
)
# Qt's modules whose classes pyqtgraph and the panels mention.
QT_MODULES = (QtCore, QtGui, QtWidgets, QtSvg)
# Types are made for so long, then the window has its turn, s and ms.
SLICE, TURN = 0.003, 10


class Ahead(QObject):
    """Waits for the first frame of a run, makes types, and then loads in a thread of its own."""

    def __init__(self, feed: FrameFeed) -> None:
        super().__init__(feed)
        self._feed = feed
        self._names = ((module, name) for module in QT_MODULES for name in dir(module))
        self._timer = QTimer(self)
        self._timer.setInterval(TURN)
        self._timer.timeout.connect(self._make_types)
        self._thread = threading.Thread(target=_load, name="svmviz-ahead")
        feed.frame_changed.connect(self._on_frame)

    def _on_frame(self, frame: Frame) -> None:
        if frame.lane is not None:
            self._feed.frame_changed.disconnect(self._on_frame)
            self._timer.start()

    def _make_types(self) -> None:
        began = time.perf_counter()
        for module, name in self._names:
            getattr(module, name, None)
            if time.perf_counter() - began > SLICE:
                return
        self._timer.stop()
        self._thread.start()

    def close(self) -> None:
        """Wait for the thread: an import of Qt's classes at the end of Python would crash it."""
        self._timer.stop()
        if self._thread.is_alive():
            self._thread.join()


def _load() -> None:
    for module in MODULES:
        import_module(module)
    # What was loaded stays: see ``svmviz.app.garbage_collector``.
    gc.freeze()
