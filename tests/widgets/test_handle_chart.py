"""Handles are dragged by the mouse, and moved by keys one after the other."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from svmviz.widgets.charts.handle_chart import HandleChart
from svmviz.widgets.column import Column

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def chart(qtbot):
    column = Column()
    qtbot.addWidget(column)
    made = column.add(HandleChart(lambda _paint: None, "Places", per_unit=10, limit=stays_left))
    column.add(QPushButton("after"))
    made.set_ranges((0.0, 4.0), (0.0, 4.0))
    made.handles = np.array([[1.0, 1.0], [2.0, 3.0]])
    column.resize(400, 300)
    with qtbot.waitExposed(column):
        column.show()
    column.activateWindow()
    yield made
    column.close()


def stays_left(_index, place):
    """No handle goes right of 3."""
    return place if place[0] <= 3.0 else None


def pixel(chart, x, y) -> QPoint:
    return chart.area.pixel(x, y).toPoint()


def test_a_handle_is_dragged_in_steps_as_far_as_it_may_go(chart, qtbot):
    QTest.mousePress(chart.viewport(), LEFT, pos=pixel(chart, 1.0, 1.0))
    with qtbot.waitSignal(chart.changed):
        QTest.mouseMove(chart.viewport(), pixel(chart, 2.51, 1.69))
    assert chart.handles.tolist() == [[2.5, 1.7], [2.0, 3.0]]
    QTest.mouseMove(chart.viewport(), pixel(chart, 3.5, 1.0))
    assert chart.handles[0].tolist() == [2.5, 1.7]
    QTest.mouseRelease(chart.viewport(), LEFT)
    QTest.mouseMove(chart.viewport(), pixel(chart, 1.0, 1.0))
    assert chart.handles[0].tolist() == [2.5, 1.7]


def test_a_press_beside_all_handles_moves_none(chart, qtbot):
    with qtbot.waitSignal(chart.missed) as caught:
        QTest.mouseClick(chart.viewport(), LEFT, pos=pixel(chart, 3.0, 2.0))
    assert caught.args == pytest.approx([3.0, 2.0], abs=0.02)
    assert chart.handles.tolist() == [[1.0, 1.0], [2.0, 3.0]]


def test_tab_goes_through_the_handles_and_arrows_move_one(chart, qtbot):
    button = chart.window().findChild(QPushButton)
    button.setFocus()
    qtbot.waitUntil(button.hasFocus)
    chart.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(chart.hasFocus)
    assert chart.chosen == 0
    QTest.keyClick(chart, Qt.Key.Key_Up)
    assert chart.handles[0].tolist() == [1.0, 1.1]
    QTest.keyClick(chart, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert chart.handles[0].tolist() == [0.9, 1.1]
    QTest.keyClick(chart, Qt.Key.Key_Tab)
    assert (chart.chosen, chart.hasFocus()) == (1, True)
    assert chart.accessibleDescription() == "Handle 2 of 2 at 2, 3"
    QTest.keyClick(chart, Qt.Key.Key_Down)
    assert chart.handles[1].tolist() == [2.0, 2.9]
    chart.grab()
    QTest.keyClick(chart, Qt.Key.Key_Tab)
    assert (chart.chosen, chart.hasFocus()) == (None, False)
    QTest.keyClick(chart.window().focusWidget(), Qt.Key.Key_Backtab)
    assert (chart.chosen, chart.hasFocus()) == (1, True)
