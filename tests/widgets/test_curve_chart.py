"""The chart that zooms."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint

from svmviz.widgets.charts.curve_chart import MAX_ZOOM, CurveChart
from svmviz.widgets.charts.plot_area import LOGARITHMIC
from tests.widgets.test_chart import COLOUR, inked
from tests.zooming import double_click, drag, turn_wheel

WHOLE = ((0.0, 100.0), (-3.0, 3.0))


@pytest.fixture
def chart(qtbot):
    points = np.array([[0.0, 2.0], [100.0, 2.0]])
    chart = CurveChart(lambda paint: paint.curve(points, COLOUR))
    qtbot.addWidget(chart)
    chart.resize(400, 300)
    chart.set_ranges(*WHOLE)
    with qtbot.waitExposed(chart):
        chart.show()
    # pyqtgraph knows where the mouse is only once it has painted.
    chart.grab()
    return chart


def centre(chart) -> QPoint:
    return chart.area.rect.center().toPoint()


def test_data_follows_the_ranges(chart):
    for ranges in (WHOLE, ((0.0, 100.0), (-3.0, 30.0)), ((20.0, 30.0), (1.9, 2.1))):
        chart.set_ranges(*ranges)
        rows = np.flatnonzero(inked(chart).any(axis=1))
        assert len(rows) < 6
        assert abs(rows.mean() - chart.area.pixel(25.0, 2.0).y()) < 3


def test_the_wheel_zooms_about_the_mouse_and_not_beyond_the_whole(chart):
    at = centre(chart) + QPoint(50, 20)
    before = chart.area.to_data(at.toPointF())
    assert turn_wheel(chart, at, 240)
    assert chart.is_zoomed
    assert chart.area.to_data(at.toPointF()) == pytest.approx(before, abs=0.2)
    for _ in range(100):
        turn_wheel(chart, at, 1200)
    (left, right), _ = chart.ranges
    assert right - left == pytest.approx(100.0 / MAX_ZOOM)
    for _ in range(100):
        turn_wheel(chart, at, -1200)
    assert chart.ranges == pytest.approx(np.array(WHOLE))
    assert not chart.is_zoomed
    # The wheel now scrolls the panel around the chart.
    assert not turn_wheel(chart, at, -120)


def test_a_drag_moves_what_is_zoomed_and_a_double_click_shows_the_whole(chart, qtbot):
    pressed, restored = [], []
    chart.pressed.connect(lambda x, y: pressed.append(x))
    chart.restored.connect(lambda: restored.append(True))
    turn_wheel(chart, centre(chart), 480)
    (left, _), _ = chart.ranges
    drag(qtbot, chart, centre(chart), QPoint(40, 10))
    assert chart.ranges[0][0] < left
    assert pressed == []
    double_click(qtbot, chart, centre(chart))
    assert chart.ranges == pytest.approx(np.array(WHOLE))
    # The first click is a click, which the owner may take back.
    assert len(pressed) == len(restored) == 1


def test_a_drag_over_the_whole_and_of_the_cursor_presses(chart, qtbot):
    pressed = []
    chart.pressed.connect(lambda x, y: pressed.append(x))
    drag(qtbot, chart, centre(chart), QPoint(60, 0))
    end = chart.area.to_data((centre(chart) + QPoint(60, 0)).toPointF())[0]
    assert pressed[-1] == pytest.approx(end, abs=1.0)
    assert not chart.is_zoomed
    turn_wheel(chart, centre(chart), 240)
    shown, x = chart.ranges, chart.area.to_data(centre(chart).toPointF())[0]
    chart.set_cursor(x)
    drag(qtbot, chart, centre(chart), QPoint(-60, 0))
    assert chart.ranges == shown
    assert pressed[-1] < x


def test_a_zoomed_chart_stays_while_its_curves_grow(chart):
    turn_wheel(chart, centre(chart), 480)
    zoomed = chart.ranges
    chart.set_ranges((0.0, 200.0), (-3.0, 4.0))
    assert chart.ranges == pytest.approx(np.array(zoomed))
    chart.show_whole()
    assert chart.ranges == ((0.0, 200.0), (-3.0, 4.0))


def test_two_linked_charts_zoom_together(chart, qtbot):
    other = CurveChart(lambda paint: None)
    qtbot.addWidget(other)
    other.resize(400, 300)
    other.link_x(chart)
    other.set_ranges((0.0, 100.0), (0.0, 1.0))
    other.show()
    for one, follower in ((chart, other), (other, chart)):
        before = follower.ranges
        turn_wheel(one, centre(one), 480)
        assert one.is_zoomed
        assert follower.ranges[0] == pytest.approx(one.ranges[0])
        assert follower.ranges[1] == before[1]
        double_click(qtbot, one, centre(one))
        assert not one.is_zoomed
        assert not follower.is_zoomed
    # Whole ranges that grow one after the other.
    chart.set_ranges((0.0, 300.0), (-3.0, 3.0))
    other.set_ranges((0.0, 300.0), (0.0, 2.0))
    assert chart.ranges == ((0.0, 300.0), (-3.0, 3.0))
    assert other.ranges == ((0.0, 300.0), (0.0, 2.0))


def test_the_numbers_of_a_zoomed_logarithmic_axis_are_those_of_its_part(qtbot):
    chart = CurveChart(lambda paint: None, x=LOGARITHMIC)
    qtbot.addWidget(chart)
    chart.resize(400, 200)
    chart.set_ranges((0.0, 4.0), (0.0, 1.0))
    chart.show()
    axis = chart._axes["bottom"]
    (_, values), _ = axis.tickValues(0.0, 4.0, 400.0)
    assert axis.tickStrings(values, 1.0, 1.0) == ["1", "10", "100", "1,000", "10⁴"]
    (_, values), _ = axis.tickValues(1.0, 1.4, 300.0)
    assert axis.tickStrings(values, 1.0, 1.0)[:2] == ["10", "20"]
