"""A field for a number, in which a click selects the whole number."""

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
        # Whether a click has just given the field the focus.
        self._is_first_click = False

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._is_first_click = event.reason() == Qt.FocusReason.MouseFocusReason

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        # A selection that the user made by dragging stays.
        if self._is_first_click and not self.hasSelectedText():
            self.selectAll()
        self._is_first_click = False
