"""A card beside the panel with the boundary of a cell, while that in the panel is out of sight."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from svmviz.theme import look_of
from svmviz.widgets.plain_text import Label


class HoverCard(QFrame):
    """The picture of a cell and its words, in a window of their own that takes no input.

    Parameters
    ----------
    panel : QWidget
        The panel beside which the card is shown.
    """

    def __init__(self, panel: QWidget) -> None:
        super().__init__(panel, Qt.WindowType.ToolTip)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setProperty("role", "popup")
        self._panel = panel
        self.picture, self.words = Label(), Label()
        self.words.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetFixedSize)
        layout.addWidget(self.picture)
        layout.addWidget(self.words)

    def show_cell(self, picture: QPixmap, words: str, height: int) -> None:
        """Show a cell at a height of the screen, in px, left of the panel or else right of it."""
        gap = look_of(self).metrics.space(2)
        self.picture.setPixmap(picture)
        self.words.setText(words)
        self.words.setFixedWidth(round(picture.deviceIndependentSize().width()))
        self.adjustSize()
        screen = self._panel.screen().availableGeometry()
        corner = self._panel.mapToGlobal(QPoint(0, 0))
        left = corner.x() - self.width() - gap
        if left < screen.left():
            left = min(corner.x() + self._panel.width() + gap, screen.right() - self.width())
        top = max(screen.top(), min(height, screen.bottom() - self.height()))
        self.move(left, top)
        self.show()
