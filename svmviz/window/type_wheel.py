"""The wheel with Ctrl outside the plane, which changes the size of type."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from svmviz.plane.widget import PlaneView
from svmviz.window.appearance import Appearance

# One notch of a wheel, in Qt's units.
NOTCH = 120


class TypeWheel(QObject):
    """An event filter that handles the wheel with Ctrl before any widget gets the event.

    Without it, scroll areas, fields and sliders would handle the wheel.

    Parameters
    ----------
    appearance : Appearance
    parent : QObject
    """

    def __init__(self, appearance: Appearance, parent: QObject) -> None:
        super().__init__(parent)
        self._appearance = appearance
        # Movement of a trackpad since the last step.
        self._moved = 0

    def watch(self, window: QWidget) -> None:
        """Change the size by the wheel over a window, which has been shown before."""
        handle = window.windowHandle()
        if handle is not None:
            # Installing a filter twice is harmless, since Qt calls it once.
            handle.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.Wheel or not isinstance(event, QWheelEvent):
            return False
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if not control or _is_plane(QApplication.widgetAt(event.globalPosition().toPoint())):
            return False
        self._moved += event.angleDelta().y()
        steps = int(self._moved / NOTCH)
        self._moved -= steps * NOTCH
        if steps:
            self._appearance.step_type(steps)
        return True


def _is_plane(widget: QWidget | None) -> bool:
    """Return whether the plane zooms if the wheel is turned over a widget."""
    while widget is not None and not isinstance(widget, PlaneView):
        widget = widget.parentWidget()
    return widget is not None
