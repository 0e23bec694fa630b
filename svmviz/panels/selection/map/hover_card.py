"""A card beside the Map panel: the picture of a cell, if the one in the panel is scrolled away."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from svmviz.theme import look_of
from svmviz.widgets.plain_text import Label


class HoverCard(QFrame):
    """A small window with the picture of a cell and its text. It takes no input.

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

    def show_cell(self, picture: QPixmap, words: str, top: int) -> None:
        """Show a cell left of the panel or, if there is no room, right of the panel.

        ``top`` is the preferred position of the card's upper edge on the screen, px.
        """
        gap = look_of(self).metrics.space(2)
        self.picture.setPixmap(picture)
        self.words.setText(words)
        self.words.setFixedWidth(round(picture.deviceIndependentSize().width()))
        self.adjustSize()
        screen = self._panel.screen().availableGeometry()
        panel_corner = self._panel.mapToGlobal(QPoint(0, 0))
        left = panel_corner.x() - self.width() - gap
        if left < screen.left():
            left = min(panel_corner.x() + self._panel.width() + gap, screen.right() - self.width())
        y = max(screen.top(), min(top, screen.bottom() - self.height()))
        self.move(left, y)
        self.show()
