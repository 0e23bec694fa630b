"""A field for a number, which a click selects."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent, QMouseEvent
from PySide6.QtWidgets import QLineEdit, QWidget


class NumberField(QLineEdit):
    """Field whose first click selects the number; the next one places the cursor.

    Parameters
    ----------
    parent : QWidget, optional
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._clicked_into = False

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._clicked_into = event.reason() == Qt.FocusReason.MouseFocusReason

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        # A selection made by dragging stays.
        if self._clicked_into and not self.hasSelectedText():
            self.selectAll()
        self._clicked_into = False
