"""Clicks in the plane that answer a question: points, or a place."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class Picking(QObject):
    """The request of a question for clicks in the plane.

    While it asks, a click of the left button goes to the question and not to the tool.

    Attributes
    ----------
    count : int
        Number of points that are asked for; 0 if none are.
    wants_place : bool
        Whether a place is asked for.
    points : tuple of int
        Indices of the points that were clicked so far.

    Signals
    -------
    changed()
        The request has changed, or another point was clicked.
    picked(tuple of int)
        All points were clicked.
    placed(float, float)
        A place was clicked, in data units.
    """

    changed = Signal()
    picked = Signal(object)
    placed = Signal(float, float)

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self.wants_place = False
        self.points: tuple[int, ...] = ()

    @property
    def is_on(self) -> bool:
        """Whether a click answers a question."""
        return self.count > 0 or self.wants_place

    def ask_points(self, count: int) -> None:
        """Ask for this many different points."""
        self._ask(count, False)

    def ask_place(self) -> None:
        """Ask for a place."""
        self._ask(0, True)

    def stop(self) -> None:
        """Ask for nothing."""
        self._ask(0, False)

    def take(self, index: int | None, x: float, y: float) -> None:
        """Take a click at a place, data units, and at the point of this index, if there is one.

        A second click on a point takes it back.
        """
        if self.wants_place:
            self.placed.emit(x, y)
        elif index is not None and self.count:
            has_it = index in self.points
            rest = tuple(i for i in self.points if i != index)
            self.points = rest if has_it else (*self.points, index)
            points = self.points
            if len(points) == self.count:
                self.points = ()
            self.changed.emit()
            if len(points) == self.count:
                self.picked.emit(points)

    def _ask(self, count: int, wants_place: bool) -> None:
        if (count, wants_place, ()) != (self.count, self.wants_place, self.points):
            self.count, self.wants_place, self.points = count, wants_place, ()
            self.changed.emit()
