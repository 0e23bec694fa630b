"""The highlighted point: the one under the mouse in any view."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class Spotlight(QObject):
    """The index of the highlighted point or None, with a signal ``changed`` for views."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.index: int | None = None

    def highlight(self, index: int | None) -> None:
        """Highlight another point, or none."""
        if index != self.index:
            self.index = index
            self.changed.emit()
