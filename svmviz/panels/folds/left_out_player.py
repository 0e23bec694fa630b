"""Leave-one-out as an animation: which point is left out now, and for how long."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from svmviz.selection.part_pictures import LeftOutPart

# Time for which a point is shown, ms: if leaving it out changes nothing, if the problem was solved
# again, and if it is an error. Below them, the minimum times if there are many points.
UNCHANGED, CHANGED, WRONG = 300, 1100, 1600
LEAST_UNCHANGED, LEAST_CHANGED = 30, 140
# All points of a kind take about this time together, ms, if there are many.
TOTAL = 15_000


class LeftOutPlayer(QObject):
    """The position in the animation: 0 before the first point, n + 1 after the last.

    Signals
    -------
    moved : another point is left out, or it plays or pauses
    """

    moved = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.place = 0
        self.playing = False
        self._n = 0
        self._parts: dict[int, LeftOutPart] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._advance)

    @property
    def n(self) -> int:
        """Number of points."""
        return self._n

    @property
    def point(self) -> int | None:
        """The point that is left out; None before the first and after the last."""
        return self.place - 1 if 1 <= self.place <= self._n else None

    @property
    def shown(self) -> int:
        """Number of points that were left out so far, with this one."""
        return min(self.place, self._n)

    @property
    def at_end(self) -> bool:
        """Whether all points were left out."""
        return self.place > self._n > 0

    def begin(self, n: int, parts: dict[int, LeftOutPart]) -> None:
        """Start with other points; ``parts`` is filled while it plays."""
        self._timer.stop()
        self.place, self.playing = 0, False
        self._n, self._parts = n, parts
        self.moved.emit()

    def toggle(self) -> None:
        """Play or pause; at the end, play from the start."""
        if self.playing:
            self.pause()
            return
        if self._n == 0:
            return
        if self.at_end:
            self.place = 0
        self.playing = True
        self._advance()

    def pause(self) -> None:
        """Stay at this point."""
        self._timer.stop()
        if self.playing:
            self.playing = False
            self.moved.emit()

    def step(self, by: int) -> None:
        """Pause, and go ``by`` points forwards, or backwards if it is negative."""
        self.go_to(self.place + by)

    def go_to(self, place: int) -> None:
        """Pause, and go to a position up to which the results are known."""
        self._timer.stop()
        self.playing = False
        self.place = min(max(0, place), self._last)
        self.moved.emit()

    def go_to_change(self, by: int) -> None:
        """Go to the next point, or the one before, for which the problem was solved again."""
        places = range(self.place + by, self._n + 1 if by > 0 else 0, by)
        known = (place for place in places if place - 1 in self._parts)
        default = self._n + 1 if by > 0 else 0
        self.go_to(next((p for p in known if self._parts[p - 1].changes), default))

    @property
    def _last(self) -> int:
        """The last position before which the results of all points are known."""
        place = self.shown
        while place < self._n and place in self._parts:
            place += 1
        return place + 1 if place == self._n else place

    def _advance(self) -> None:
        if not self.playing:
            return
        if self.place < self._n and self.place not in self._parts:
            # The result of the next point has not arrived.
            self._timer.start(LEAST_CHANGED)
            return
        self.place += 1
        if self.at_end:
            self.playing = False
        else:
            self._timer.start(self._time())
        self.moved.emit()

    def _time(self) -> int:
        """Return how long this point is shown, ms."""
        part = self._parts[self.place - 1]
        changed = sum(one.changes for one in self._parts.values())
        if not part.changes:
            return max(LEAST_UNCHANGED, min(UNCHANGED, TOTAL // max(1, self._n - changed)))
        share = max(LEAST_CHANGED, min(CHANGED, TOTAL // max(1, changed)))
        return share * WRONG // CHANGED if part.result.risk >= 1.0 else share
