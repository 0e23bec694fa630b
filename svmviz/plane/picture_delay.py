"""The delay of the picture: the age of the oldest document whose frame has not come yet."""

from __future__ import annotations

import time
from collections import deque

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from svmviz.document.document import Document

# Time to wait for a frame, s. After that the newest points are shown without a frame.
MAX_DELAY = 0.08


class PictureDelay(QObject):
    """The documents that wait for their frames, and since when each has waited.

    Signals
    -------
    passed()
        The oldest document has now waited for MAX_DELAY.
    """

    passed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._waiting: deque[tuple[Document, float]] = deque()
        self._timer = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.passed)

    @property
    def is_long(self) -> bool:
        """Whether a document has waited for longer than MAX_DELAY."""
        return bool(self._waiting) and self._time_left() <= 0.0

    def expect(self, document: Document) -> None:
        """Begin to wait for the frame of a document."""
        self._waiting.append((document, time.monotonic()))
        self._start_timer()

    def end(self, document: Document) -> None:
        """End the wait for a document whose frame has come, and for all older documents."""
        indices = [k for k, (waiting, _) in enumerate(self._waiting) if waiting is document]
        for _ in range(indices[-1] + 1 if indices else 0):
            self._waiting.popleft()
        self._timer.stop()
        self._start_timer()

    def stop(self) -> None:
        """Stop the timer until ``expect`` or ``end`` is called."""
        self._timer.stop()

    def _start_timer(self) -> None:
        """Start the timer for the oldest document, unless it runs already or no time is left."""
        if self._waiting and not self._timer.isActive() and self._time_left() > 0.0:
            self._timer.start(int(1000 * self._time_left()) + 1)

    def _time_left(self) -> float:
        """Return the time until the oldest document has waited for MAX_DELAY, s."""
        return self._waiting[0][1] + MAX_DELAY - time.monotonic()
