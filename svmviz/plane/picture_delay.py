"""How far the picture is behind the hand."""

from __future__ import annotations

import time
from collections import deque

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from svmviz.document.document import Document

# A frame may be behind for this long before the newest points are shown without it, s.
PATIENCE = 0.08


class Lag(QObject):
    """Remembers since when each document waits for its frame.

    Signals
    -------
    passed : the oldest document has waited too long just now
    """

    passed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._waiting: deque[tuple[Document, float]] = deque()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.passed)

    @property
    def is_long(self) -> bool:
        """Whether a document has waited too long."""
        return bool(self._waiting) and self._left() <= 0.0

    def ask(self, document: Document) -> None:
        """A document is shown, and its frame is to come."""
        self._waiting.append((document, time.monotonic()))
        self._watch()

    def answer(self, document: Document) -> None:
        """A frame of a document came: nothing older is waited for."""
        known = [number for number, (asked, _) in enumerate(self._waiting) if asked is document]
        for _ in range(known[-1] + 1 if known else 0):
            self._waiting.popleft()
        self._timer.stop()
        self._watch()

    def rest(self) -> None:
        """Watch no more, until the next document."""
        self._timer.stop()

    def _watch(self) -> None:
        if self._waiting and not self._timer.isActive() and self._left() > 0.0:
            self._timer.start(int(1000 * self._left()) + 1)

    def _left(self) -> float:
        return self._waiting[0][1] + PATIENCE - time.monotonic()
