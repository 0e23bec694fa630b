"""The highlighted point, or pair of points: what is under the mouse in any view."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class Spotlight(QObject):
    """The point, or the pair of points, that all views highlight.

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
        Another point or pair is highlighted, or none.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.index: int | None = None
        self.partner: int | None = None

    @property
    def points(self) -> tuple[int, ...]:
        """Indices of the highlighted points: none, one or two."""
        return tuple(i for i in (self.index, self.partner) if i is not None)

    def highlight(self, index: int | None, partner: int | None = None) -> None:
        """Highlight another point or pair of points, or none."""
        partner = None if partner == index else partner
        if (index, partner) != (self.index, self.partner):
            self.index, self.partner = index, partner
            self.changed.emit()
