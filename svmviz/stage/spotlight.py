"""The highlighted point: the one under the mouse in any view."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class Spotlight(QObject):
    """The point that all views highlight.

    Attributes
    ----------
    index : int or None
        Index of the point; None if no point is highlighted.

    Signals
    -------
    changed()
        Another point is highlighted, or none.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.index: int | None = None

    def highlight(self, index: int | None) -> None:
        """Highlight another point, or none."""
        if index != self.index:
            self.index = index
            self.changed.emit()
