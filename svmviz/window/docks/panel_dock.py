"""A dock that has a border while it floats, and that moves when it begins to float."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QDockWidget, QWidget

from svmviz.theme import active

# Width of the border of a floating dock, px at scale 1.
BORDER = 2
# When a dock begins to float, it moves to the left and down by this distance, px at scale 1.
SHIFT = 60


class PanelDock(QDockWidget):
    """A dock that looks different when it floats: it has a border and another position.

    Qt draws no border around a floating dock whose title bar is a custom widget, and does not move
    the dock.

    Parameters
    ----------
    title : str
    parent : QWidget
    """

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(title, parent)
        self.topLevelChanged.connect(self._on_floating)

    def toggle_floating(self) -> None:
        """Make the dock float, or return it into the window."""
        if self.isFloating():
            self.setFloating(False)
            return
        corner, size = self.mapToGlobal(QPoint(0, 0)), self.size()
        self.setFloating(True)
        shift = active().metrics.px(SHIFT)
        screen = self.screen().availableGeometry()
        left = min(max(screen.left(), corner.x() - shift), screen.right() - size.width())
        top = min(max(screen.top(), corner.y() + shift), screen.bottom() - size.height())
        self.setGeometry(left, top, size.width(), size.height())

    def _on_floating(self, floating: bool) -> None:
        side = active().metrics.px(BORDER) if floating else 0
        self.setContentsMargins(side, side, side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.isFloating():
            # Panels are transparent, so the area behind them is filled with the window's colour.
            theme = active().theme
            with QPainter(self) as painter:
                painter.fillRect(self.rect(), QColor(theme.line_strong))
                painter.fillRect(self.contentsRect(), QColor(theme.window))
