"""The highlighted points: those under the mouse in any view, and those that a text mentions."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class Spotlight(QObject):
    """The points that all views highlight.

    Attributes
    ----------
    index : int or None
        Index of the point; None if no point is highlighted.
    partner : int or None
        The second point, if something that belongs to two points is under the mouse: a value of the
        kernel, or a difference.
    Signals
    -------
    changed()
        Other points are highlighted, or none.
    place_changed(object)
        The mouse is at another place of the plane, (x, y) in data units.
    """

    changed = Signal()
    place_changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.index: int | None = None
        self.partner: int | None = None
        # The points that each view speaks of, by the name of the view.
        self._named: dict[str, tuple[int, ...]] = {}

    @property
    def named(self) -> tuple[int, ...]:
        """Indices of the points that a text beside the plane speaks of."""
        return tuple(dict.fromkeys(i for points in self._named.values() for i in points))

    @property
    def points(self) -> tuple[int, ...]:
        """Indices of all highlighted points; those under the mouse come first."""
        return tuple(dict.fromkeys((*self.under_mouse, *self.named)))

    @property
    def under_mouse(self) -> tuple[int, ...]:
        """Indices of the point or the two points under the mouse."""
        return tuple(i for i in (self.index, self.partner) if i is not None)

    def highlight(self, index: int | None, partner: int | None = None) -> None:
        """Highlight another point or pair of points, or none."""
        partner = None if partner == index else partner
        if (index, partner) != (self.index, self.partner):
            self.index, self.partner = index, partner
            self.changed.emit()

    def name_points(self, view: str, points: tuple[int, ...]) -> None:
        """Highlight the points that a view speaks of, until it speaks of others."""
        if points != self._named.get(view, ()):
            self._named[view] = points
            self.changed.emit()
