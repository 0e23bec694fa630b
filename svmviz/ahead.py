"""Loads what the next click may need once the first picture stands: no start waits for it.

pyqtgraph takes 200 ms and each panel some, which neither a start nor a click on a tab should.
"""

from __future__ import annotations

import gc
import threading
from importlib import import_module

from PySide6.QtCore import QObject

from svmviz.frame import Frame
from svmviz.playback import Playback

# Those of the first start first.
MODULES = tuple(
    f"svmviz.panels.{name}"
    for name in (
        "objective_chart",
        "model_card",
        "step_panel",
        "pair_panel",
        "kkt_panel",
        "kernel_panel",
        "hull_panel",
        "weight_panel",
        "race_panel",
        "points_table",
    )
)


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
