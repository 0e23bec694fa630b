"""Collection of cyclic garbage in the window's own thread, and only of what can be garbage.

Python collects garbage in whichever thread creates objects. A thread in the background would then
destroy widgets while the window uses them, which ends the program by a segmentation fault. So
automatic collection is off, and a timer of the window collects instead.

A full collection visits every object, which takes 90 ms once Qt, numpy and numba are loaded.
Objects made at the start and by the compiler live as long as the program, so ``gc.freeze`` excludes
them.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

from svmviz.frames.frame import Frame
from svmviz.playback.feed import FrameFeed

# Time between two looks at the number of new objects, ms.
PERIOD = 100
# A generation is collected when its count is above this, as Python does by itself: the youngest
# counts objects, the others count collections of the generation before them.
LIMITS = (700, 10, 10)


class GarbageCollector(QObject):
    """Collects garbage by a timer, from when it is made until the feed is deleted."""

    def __init__(self, feed: FrameFeed) -> None:
        super().__init__(feed)
        self._feed = feed
        gc.disable()
        gc.freeze()
        feed.frame_changed.connect(self._on_frame)
        timer = QTimer(self)
        timer.timeout.connect(collect_if_due)
        timer.start(PERIOD)

    def _on_frame(self, frame: Frame) -> None:
        """Exclude the objects of the compiler too, once the first solver has been compiled."""
        if frame.lane is not None:
            gc.freeze()
            self._feed.frame_changed.disconnect(self._on_frame)


def collect_if_due() -> None:
    """Collect the oldest generation whose count is above its limit, with all younger ones."""
    counts = gc.get_count()
    due = [generation for generation in range(3) if counts[generation] > LIMITS[generation]]
    if due:
        gc.collect(due[-1])
