"""A dock that can have the focus."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QWidget


class PanelDock(QDockWidget):
    """A dock that can be moved to another side of the window, and closed.

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
        features = QDockWidget.DockWidgetFeature
        self.setFeatures(features.DockWidgetMovable | features.DockWidgetClosable)

    @property
    def has_focus(self) -> bool:
        """Whether the dock, or something in it, has the focus."""
        focused = QApplication.focusWidget()
        return focused is not None and (focused is self or self.isAncestorOf(focused))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._show_focus()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._show_focus()

    def _show_focus(self) -> None:
        title = self.titleBarWidget()
        if title is not None:
            title.update()
