"""The player of leave-one-out: which point is left out now, and for how long."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from svmviz.document.document import Document
from svmviz.selection.part_pictures import LeftOutPart

# Time for which a point is left out, ms: if the model stays the same without the point; if the
# problem was solved again; and if it was solved again and the new model misclassifies the point.
UNCHANGED, CHANGED, WRONG = 300, 1100, 1600
# If there are many points, each time is shorter. The points without which the model stays the same
# take about TOTAL ms together; the points for which the problem was solved again also take about
# TOTAL ms together. But one point of the first kind takes at least MIN_UNCHANGED ms, and one of the
# second kind at least MIN_CHANGED ms.
MIN_UNCHANGED, MIN_CHANGED = 30, 140
TOTAL = 15_000


class LeftOutPlayer(QObject):
    """Player of leave-one-out: at position k the k-th point is left out, with index k - 1.

    Attributes
    ----------
    position : int
        0 before the first point, n + 1 after the last.
    playing : bool
        Whether the position advances by itself.

    Signals
    -------
    moved()
        The position or ``playing`` has changed.
    """

    moved = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.position = 0
        self.playing = False
        self._n = 0
        self._parts: dict[int, LeftOutPart] = {}
        # None in a regression, which has no errors.
        self._labels: np.ndarray | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._advance)

    @property
    def n(self) -> int:
        """Number of points."""
        return self._n

    @property
    def point(self) -> int | None:
        """Index of the point that is left out; None before the first and after the last."""
        return self.position - 1 if 1 <= self.position <= self._n else None

    @property
    def shown(self) -> int:
        """Number of points left out up to this position, including the present one."""
        return min(self.position, self._n)

    @property
    def at_end(self) -> bool:
        """Whether the position is after the last point, so that all points were left out."""
        return self.position > self._n > 0

    def begin(self, document: Document, parts: dict[int, LeftOutPart]) -> None:
        """Go to position 0 for the points of another document.

        ``parts`` has the results by index of the point; the caller adds them as they arrive.
        """
        self._timer.stop()
        self.position, self.playing = 0, False
        self._n, self._parts = document.n, parts
        self._labels = None if document.is_regression else document.data.labels
        self.moved.emit()

    def toggle(self) -> None:
        """Play or pause; at the end, play from the start."""
        if self.playing:
            self.pause()
            return
        if self._n == 0:
            return
        if self.at_end:
            self.position = 0
        self.playing = True
        self._advance()

    def pause(self) -> None:
        """Stop playing, at this position."""
        self._timer.stop()
        if self.playing:
            self.playing = False
            self.moved.emit()

    def step(self, by: int) -> None:
        """Pause, and change the position by ``by``, which may be negative."""
        self.go_to(self.position + by)

    def go_to(self, position: int) -> None:
        """Pause, and go to a position, or to the last one before it that can be reached."""
        self._timer.stop()
        self.playing = False
        self.position = min(max(0, position), self._last_reachable)
        self.moved.emit()

    def go_to_change(self, by: int) -> None:
        """Pause, and go to the next point for which the problem was solved again.

        ``by`` is 1, or -1 for the previous such point. If there is none, go to the end; with -1, to
        the start.
        """
        positions = range(self.position + by, self._n + 1 if by > 0 else 0, by)
        arrived = (position for position in positions if position - 1 in self._parts)
        default = self._n + 1 if by > 0 else 0
        self.go_to(next((p for p in arrived if self._parts[p - 1].is_retrained), default))

    @property
    def _last_reachable(self) -> int:
        """The last position that can be reached: no result of a point up to it is missing."""
        position = self.shown
        while position < self._n and position in self._parts:
            position += 1
        return position + 1 if position == self._n else position

    def _advance(self) -> None:
        if not self.playing:
            return
        if self.position < self._n and self.position not in self._parts:
            # The result of the next point has not arrived: try again later.
            self._timer.start(MIN_CHANGED)
            return
        self.position += 1
        if self.at_end:
            self.playing = False
        else:
            self._timer.start(self._time())
        self.moved.emit()

    def _time(self) -> int:
        """Return how long this point is shown, ms."""
        part = self._parts[self.position - 1]
        changed = sum(other.is_retrained for other in self._parts.values())
        if not part.is_retrained:
            return max(MIN_UNCHANGED, min(UNCHANGED, TOTAL // max(1, self._n - changed)))
        time = max(MIN_CHANGED, min(CHANGED, TOTAL // max(1, changed)))
        is_error = self._labels is not None and part.errors(self._labels)[0]
        return time * WRONG // CHANGED if is_error else time
