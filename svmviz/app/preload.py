"""The import of panels and pyqtgraph after the first picture, so that nobody waits for it.

pyqtgraph takes 200 ms to import, and each panel some more. A thread imports them. PySide6 makes
the Python type of a Qt class when code first refers to it, and the program crashes if the window
uses a type that another thread has half made. So the window's thread first makes all types, a few
at a time.
"""

from __future__ import annotations

import gc
import threading
import time
from importlib import import_module

from PySide6 import QtCore, QtGui, QtSvg, QtWidgets
from PySide6.QtCore import QObject, QTimer

from solvers.jit.helper import begin
from svmviz.base.lazy import Later
from svmviz.export import FORMATS
from svmviz.frames.frame import Frame
from svmviz.panels.registry import INITIALLY_SHOWN, PANELS
from svmviz.playback.feed import FrameFeed

# Modules of the panels, the export dialog, the help window and the formats of pictures. Panels that
# are open at the first start come first.
MODULES = (
    *(
        PANELS[name].make.module
        for name in sorted(PANELS, key=lambda name: name not in INITIALLY_SHOWN)
    ),
    "svmviz.window.files.export_dialog",
    "svmviz.window.help.help_window",
    *(kind.save.module for kind in FORMATS.values() if isinstance(kind.save, Later)),
)
# Qt's modules whose classes pyqtgraph and the panels use.
QT_MODULES = (QtCore, QtGui, QtWidgets, QtSvg)
# Python types of Qt classes are made for SLICE s every INTERVAL ms, so that the window handles
# events in between.
SLICE, INTERVAL = 0.003, 10


class Preloader(QObject):
    """A loader that makes Qt's types and then imports modules, after the first frame of a run."""

    def __init__(self, feed: FrameFeed) -> None:
        super().__init__(feed)
        self._feed = feed
        self._names = ((module, name) for module in QT_MODULES for name in dir(module))
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL)
        self._timer.timeout.connect(self._make_types)
        self._thread = threading.Thread(target=_import_modules, name="svmviz-preload")
        feed.frame_changed.connect(self._on_frame)

    def _on_frame(self, frame: Frame) -> None:
        # Frames have no lanes before the first run begins.
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
        """Wait for the thread: importing Qt's classes while Python ends would crash."""
        self._timer.stop()
        if self._thread.is_alive():
            self._thread.join()


def _import_modules() -> None:
    for module in MODULES:
        import_module(module)
    # Start the process that compiles all functions, unless an earlier session has compiled them.
    begin()
    # The garbage collector need not visit the modules; see ``svmviz.app.garbage_collector``.
    gc.freeze()
