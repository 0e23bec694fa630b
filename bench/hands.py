"""Tools of benchmarks for a window: run its event loop, and use the mouse."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QEventLoop, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget


def mouse(widget: QWidget, kind: QEvent.Type, place: QPointF) -> None:
    """Press, move or release the left button at a position in a widget."""
    button = Qt.MouseButton.LeftButton
    pressed = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else button
    cause = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else button
    event = QMouseEvent(
        kind, place, widget.mapToGlobal(place), cause, pressed, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(widget, event)


def spin(seconds: float) -> None:
    """Run the event loop for a time."""
    loop = QEventLoop()
    QTimer.singleShot(round(seconds * 1e3), loop.quit)
    loop.exec()


def spin_until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    """Run the event loop until a condition holds, or a time is over."""
    deadline = time.perf_counter() + seconds
    while not condition() and time.perf_counter() < deadline:
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, 5)
