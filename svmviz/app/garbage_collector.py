"""Collection of cyclic garbage in the GUI thread.

Python collects garbage in any thread that creates objects. A background thread could destroy
widgets while the window uses them, which ends the program by a segmentation fault. So automatic
collection is off, and a timer of the window collects instead.

A full collection visits every object, which takes 90 ms when Qt, numpy and numba are loaded.
Objects that were made at the start or by the compiler live as long as the program, so ``gc.freeze``
excludes them.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

from svmviz.frames.frame import Frame
from svmviz.playback.feed import FrameFeed

# Time between two checks of the counts, ms.
PERIOD = 100
# A generation of objects is collected when its count is above its limit. The limits are Python's
# defaults. The count of the youngest generation is a number of objects. The count of each older
# generation is the number of collections of the next younger one.
LIMITS = (700, 10, 10)


class GarbageCollector(QObject):
    """A timer that collects garbage until the feed is deleted."""

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
        """Exclude the objects of the compiler too, after the first solver has been compiled."""
        # Frames have no lanes before the first run begins, which needs a compiled solver.
        if frame.lane is not None:
            # ``freeze`` would also keep young garbage for ever, so that is collected first.
            gc.collect(0)
            gc.freeze()
            self._feed.frame_changed.disconnect(self._on_frame)


def collect_if_due() -> None:
    """Collect the oldest generation whose count is above its limit, and all younger ones."""
    counts = gc.get_count()
    generations = [generation for generation in range(3) if counts[generation] > LIMITS[generation]]
    if generations:
        gc.collect(generations[-1])
