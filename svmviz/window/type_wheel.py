"""Change of the text size by Ctrl and the wheel outside the plane."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from svmviz.plane.widget import PlaneView
from svmviz.window.appearance import Appearance

# One notch of a wheel, in eighths of a degree, as Qt counts.
NOTCH = 120


class TypeWheel(QObject):
    """An event filter that handles the wheel with Ctrl before any widget gets the event.

    Without the filter, scroll areas, fields and sliders would handle the wheel.

    Parameters
    ----------
    appearance : Appearance
    parent : QObject
    """

    def __init__(self, appearance: Appearance, parent: QObject) -> None:
        super().__init__(parent)
        self._appearance = appearance
        # Angle since the last step, in eighths of a degree. A trackpad sends many small angles.
        self._angle = 0

    def watch(self, window: QWidget) -> None:
        """Handle the wheel over a window, which must have been shown before."""
        handle = window.windowHandle()
        if handle is not None:
            # Installing a filter twice is harmless, since Qt calls it once.
            handle.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.Wheel or not isinstance(event, QWheelEvent):
            return False
        has_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if not has_control or _is_plane(QApplication.widgetAt(event.globalPosition().toPoint())):
            return False
        self._angle += event.angleDelta().y()
        steps = int(self._angle / NOTCH)
        self._angle -= steps * NOTCH
        if steps:
            self._appearance.step_type(steps)
        return True


def _is_plane(widget: QWidget | None) -> bool:
    """Return whether a widget is in a plane; there, the wheel zooms."""
    while widget is not None and not isinstance(widget, PlaneView):
        widget = widget.parentWidget()
    return widget is not None
