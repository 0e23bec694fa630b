"""A dock that has a border while it floats, and moves aside when it begins to float."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QDockWidget, QWidget

from svmviz.theme import active

# Width of the border, and distance by which a dock that begins to float moves to the left and down;
# px at scale 1.
BORDER, SHIFT = 2, 60


class PanelDock(QDockWidget):
    """A dock whose border and place show that it floats.

    Qt draws no border around a dock with a custom title bar, and a dock that begins to float stays
    exactly where it was.

    Parameters
    ----------
    title : str
    parent : QWidget
    """

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(title, parent)
        self.topLevelChanged.connect(self._on_floating)

    def toggle_floating(self) -> None:
        """Float away from the place in the window, or return into the window."""
        if self.isFloating():
            self.setFloating(False)
            return
        place, size = self.mapToGlobal(QPoint(0, 0)), self.size()
        self.setFloating(True)
        shift = active().metrics.px(SHIFT)
        screen = self.screen().availableGeometry()
        left = min(max(screen.left(), place.x() - shift), screen.right() - size.width())
        top = min(max(screen.top(), place.y() + shift), screen.bottom() - size.height())
        self.setGeometry(left, top, size.width(), size.height())

    def _on_floating(self, floating: bool) -> None:
        side = active().metrics.px(BORDER) if floating else 0
        self.setContentsMargins(side, side, side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.isFloating():
            # Panels are transparent, so the border must not be behind them.
            theme = active().theme
            with QPainter(self) as painter:
                painter.fillRect(self.rect(), QColor(theme.line_strong))
                painter.fillRect(self.contentsRect(), QColor(theme.window))
