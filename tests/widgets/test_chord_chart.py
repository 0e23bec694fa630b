"""A chord and a supporting line are dragged; whether they are above or below is said truly."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from svmviz.widgets.charts.chord_chart import ChordChart

LEFT = Qt.MouseButton.LeftButton


class Hinge:
    """max(0, 1 - t)."""

    def values(self, t):
        return np.maximum(0.0, 1.0 - t)

    def slopes(self, t):
        return -np.array([t <= 1.0, t < 1.0], dtype=float)

    def kinks(self):
        return np.array([1.0])


class Step(Hinge):
    """1 left of 0, and 0 right of it: not convex."""

    def values(self, t):
        return (t < 0.0).astype(float)

    def slopes(self, t):
        return None

    def kinks(self):
        return np.array([0.0])


@pytest.fixture
def chart(qtbot):
    made = ChordChart("t", "loss")
    qtbot.addWidget(made)
    made.resize(400, 300)
    with qtbot.waitExposed(made):
        made.show()
    made.show_curve(Hinge(), (-1.0, 3.0))
    return made


def drag(chart, start, *places):
    first = chart.area.pixel(*start)
    QTest.mousePress(chart.viewport(), LEFT, pos=QPoint(round(first.x()), round(first.y())))
    for x, y in places:
        chart.pressed.emit(x, y)
    QTest.mouseRelease(chart.viewport(), LEFT, pos=QPoint(round(first.x()), round(first.y())))


def test_the_chord_of_a_convex_curve_is_above_it(chart):
    chart.ends, chart.touch = [-0.5, 0.5], 2.5
    drag(chart, (0.5, 0.5), (1.5, 0.3), (2.0, 0.0))
    assert chart.ends == [-0.5, 2.0]
    assert chart.chord_is_above
    # It cannot leave the range, and its ends may pass each other.
    drag(chart, (-0.5, 1.5), (9.0, 0.0))
    assert chart.ends == [3.0, 2.0]
    assert chart.chord_is_above


def test_the_chord_of_another_curve_is_not(chart):
    chart.show_curve(Step(), (-1.0, 3.0))
    chart.ends = [-1.0, 2.0]
    assert not chart.chord_is_above
    assert chart.slopes is None
    chart.grab()


def test_the_point_of_touch_snaps_to_the_kink_where_the_line_turns(chart):
    chart.ends, chart.touch = [-0.9, 2.9], 0.2
    assert (chart.slope, chart.at_kink) == (-1.0, False)
    near = 1.0 + 3.0 / chart.area.rect.width() * 4.0
    drag(chart, (0.2, 0.8), (near, 0.0))
    assert (chart.touch, chart.at_kink) == (1.0, True)
    assert chart.slopes == (-1.0, 0.0)
    chart.share = 0.5
    # On the right the handle of the line would be below the plot.
    assert chart.ranges[1][0] > -0.5 * 0.72
    drag(chart, (1.0 - 0.72, 0.5 * 0.72), (0.0, 0.25))
    assert chart.slope == pytest.approx(-0.25)
    arm = 1.0 + 0.18 * 4.0
    drag(chart, (arm, -0.25 * 0.72), (2.0, 5.0))
    assert chart.slope == 0.0
    drag(chart, (arm, 0.0), (2.0, -5.0))
    assert chart.slope == -1.0
    # Every such line is nowhere above the curve.
    t = np.linspace(-1.0, 3.0, 50)
    assert (chart.slope * (t - 1.0) <= Hinge().values(t) + 1e-12).all()


def test_a_press_beside_all_handles_does_nothing(chart):
    before = list(chart.ends), chart.touch
    drag(chart, (2.5, 1.5), (0.0, 0.0))
    assert (list(chart.ends), chart.touch) == before
