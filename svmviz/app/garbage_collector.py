"""Keeps Python's collector of cyclic garbage from stalling the window.

A full collection looks at every object there is: 90 ms once Qt, numpy and numba are loaded, in
whatever thread happens to trigger it, the window's among them. What start-up and compiling have
made lives as long as the program, so it is put out of the collector's sight.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject

from svmviz.frames.frame import Frame
from svmviz.playback.feed import FrameFeed


class Spared(QObject):
    """Spares what is there when it is made, and again when the first solver has been compiled."""

    def __init__(self, feed: FrameFeed) -> None:
        super().__init__(feed)
        self._feed = feed
        gc.freeze()
        feed.frame_changed.connect(self._on_frame)

    def _on_frame(self, frame: Frame) -> None:
        if frame.lane is not None:
            gc.freeze()
            self._feed.frame_changed.disconnect(self._on_frame)
