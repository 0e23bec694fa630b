"""The mouse over a chart that zooms."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

LEFT = Qt.MouseButton.LeftButton


def turn_wheel(chart, at: QPoint, delta: int) -> bool:
    """Turn the wheel; return whether the chart has used it."""
    view = chart.viewport()
    buttons, keys = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    phase = Qt.ScrollPhase.NoScrollPhase
    place, turn = QPointF(view.mapToGlobal(at)), QPoint(0, delta)
    event = QWheelEvent(QPointF(at), place, QPoint(), turn, buttons, keys, phase, False)
    QApplication.sendEvent(view, event)
    return event.isAccepted()


def drag(qtbot, chart, start: QPoint, by: QPoint) -> None:
    """Drag from a place with the left button, in steps as a hand does."""
    view = chart.viewport()
    qtbot.mousePress(view, LEFT, pos=start)
    for k in range(1, 6):
        # pyqtgraph leaves out moves that come faster than 100 a second.
        qtbot.wait(12)
        qtbot.mouseMove(view, start + by * k / 5)
    qtbot.mouseRelease(view, LEFT, pos=start + by)


def double_click(qtbot, chart, at: QPoint) -> None:
    """Press and release twice; Qt's function sends only the second press."""
    qtbot.mouseClick(chart.viewport(), LEFT, pos=at)
    qtbot.mouseDClick(chart.viewport(), LEFT, pos=at)
    qtbot.mouseRelease(chart.viewport(), LEFT, pos=at)
