"""Excluding long-lived objects from garbage collection, so that it does not stall the window.

A full collection visits every object, which takes 90 ms once Qt, numpy and numba are loaded. It
runs in any thread, also in that of the window. Objects made at the start and by the compiler live
as long as the program, so the collector need not visit them.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject

from svmviz.frames.frame import Frame
from svmviz.playback.feed import FrameFeed


class ObjectFreezer(QObject):
    """Calls ``gc.freeze`` when it is made, and again when the first solver has been compiled."""

    def __init__(self, feed: FrameFeed) -> None:
        super().__init__(feed)
        self._feed = feed
        gc.freeze()
        feed.frame_changed.connect(self._on_frame)

    def _on_frame(self, frame: Frame) -> None:
        if frame.lane is not None:
            gc.freeze()
            self._feed.frame_changed.disconnect(self._on_frame)
