"""The point under the mouse, which all views highlight."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class Spotlight(QObject):
    """Index of the highlighted point, or None."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.index: int | None = None

    def highlight(self, index: int | None) -> None:
        """Highlight another point, or none."""
        if index != self.index:
            self.index = index
            self.changed.emit()
