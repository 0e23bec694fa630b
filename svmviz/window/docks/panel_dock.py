"""A dock that can have the focus. It has a border while it floats."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QWidget

from svmviz.theme import active
from svmviz.widgets.tab_order import focus_beside, give_focus
from svmviz.window.layouts.views import end_floating

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

    Signals
    -------
    left
        Esc was pressed in the panel, and no widget in it uses this key.
    """

    left = Signal()

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(title, parent)
        self.topLevelChanged.connect(self._on_floating)

    @property
    def has_focus(self) -> bool:
        """Whether the dock, or something in it, has the focus."""
        focused = QApplication.focusWidget()
        return focused is not None and (focused is self or self.isAncestorOf(focused))

    def toggle_floating(self) -> None:
        """Make the dock float, or return it into the window."""
        focused = QApplication.focusWidget()
        window = self.parentWidget()
        if self.isFloating() and isinstance(window, QMainWindow):
            end_floating(window, self)
        else:
            self._float()
        # Keep the focus, so that the user can press the button by a key again.
        if focused is not None and self.isAncestorOf(focused):
            self.activateWindow()
            give_focus(focused)

    def _float(self) -> None:
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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, next: bool) -> bool:
        return focus_beside(self, next) if self.isFloating() else super().focusNextPrevChild(next)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._show_focus()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._show_focus()

    def _show_focus(self) -> None:
        title = self.titleBarWidget()
        if title is not None:
            title.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.isFloating():
            # Panels are transparent, so the area behind them is filled with the window's colour.
            theme = active().theme
            with QPainter(self) as painter:
                painter.fillRect(self.rect(), QColor(theme.line_strong))
                painter.fillRect(self.contentsRect(), QColor(theme.window))
