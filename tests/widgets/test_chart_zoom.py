"""The chart that zooms."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QScrollArea

from svmviz.widgets.charts.chart import Chart
from svmviz.widgets.charts.handle_chart import HandleChart
from svmviz.widgets.charts.plot_area import LOGARITHMIC
from svmviz.widgets.charts.zoom_box import MAX_ZOOM
from tests.widgets.test_chart import COLOUR, inked
from tests.zooming import double_click, drag, turn_wheel

WHOLE = ((0.0, 100.0), (-3.0, 3.0))


@pytest.fixture
def chart(qtbot):
    points = np.array([[0.0, 2.0], [100.0, 2.0]])
    chart = shown(qtbot, Chart(lambda paint: paint.curve(points, COLOUR)))
    chart.set_ranges(*WHOLE)
    return chart


def shown(qtbot, chart):
    qtbot.addWidget(chart)
    chart.resize(400, 300)
    with qtbot.waitExposed(chart):
        chart.show()
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
    other = Chart(lambda paint: None)
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
    chart = Chart(lambda paint: None, x=LOGARITHMIC)
    qtbot.addWidget(chart)
    chart.resize(400, 200)
    chart.set_ranges((0.0, 4.0), (0.0, 1.0))
    chart.show()
    assert [text for _, text in chart._ticks(0)] == ["1", "10", "100", "1,000", "10⁴"]
    chart.set_ranges((1.0, 1.4), (0.0, 1.0))
    assert [text for _, text in chart._ticks(0)][:2] == ["10", "20"]


def test_another_subject_is_shown_as_a_whole(chart):
    turn_wheel(chart, centre(chart), 480)
    chart.set_ranges((500.0, 900.0), (-3.0, 3.0))
    assert chart.ranges == ((500.0, 900.0), (-3.0, 3.0))
    turn_wheel(chart, centre(chart), 480)
    assert chart.is_zoomed
    chart.set_labels("others", "")
    assert not chart.is_zoomed


def test_over_an_axis_the_wheel_zooms_along_it_and_a_drag_moves_along_it(chart, qtbot):
    below = QPoint(centre(chart).x(), round(chart.area.rect.bottom()) + 8)
    beside = QPoint(round(chart.area.rect.left()) - 8, centre(chart).y())
    turn_wheel(chart, below, 240)
    (left, right), y = chart.ranges
    assert right - left < 90.0
    assert y == WHOLE[1]
    drag(qtbot, chart, below, QPoint(40, 0))
    assert chart.ranges[0][0] < left
    turn_wheel(chart, beside, 240)
    assert chart.ranges[1][1] - chart.ranges[1][0] < 5.0


@pytest.mark.parametrize("over_axis", [False, True])
def test_equal_units_stay_equal(qtbot, over_axis):
    chart = shown(qtbot, Chart(lambda paint: None, equal=True))
    at = centre(chart) + QPoint(30, 20)
    if over_axis:
        at.setX(round(chart.area.rect.left()) - 8)
    turn_wheel(chart, at, 480)
    assert chart.is_zoomed
    (left, right), (bottom, top) = chart.ranges
    rect = chart.area.rect
    assert (right - left) / rect.width() == pytest.approx((top - bottom) / rect.height())
    drag(qtbot, chart, centre(chart), QPoint(-20, 20))
    assert chart.ranges[0][0] > left
    assert chart.ranges[1][1] > top


def test_a_handle_can_be_dragged_in_a_chart_that_is_zoomed(qtbot):
    chart = shown(qtbot, HandleChart(lambda paint: None, "Handles"))
    chart.set_ranges((0.0, 10.0), (0.0, 10.0))
    chart.handles = np.array([[5.0, 5.0]])
    place = chart.area.pixel(5.0, 5.0).toPoint()
    turn_wheel(chart, place, 480)
    zoomed = chart.ranges
    assert chart.is_zoomed
    drag(qtbot, chart, place, QPoint(50, 0))
    assert chart.ranges == zoomed
    assert 5.0 < chart.handles[0, 0] < 7.5
    moved = chart.handles.copy()
    drag(qtbot, chart, place - QPoint(0, 40), QPoint(30, 0))
    assert chart.ranges[0][0] < zoomed[0][0]
    assert np.array_equal(chart.handles, moved)


def test_some_charts_do_not_zoom(qtbot):
    chart = shown(qtbot, Chart(lambda paint: None, zooms=False))
    assert not turn_wheel(chart, centre(chart), 480)
    assert not chart.is_zoomed


def test_in_a_panel_that_scrolls_the_wheel_scrolls_over_the_plot_and_zooms_over_the_axes(qtbot):
    area, chart = QScrollArea(), Chart(lambda paint: None)
    chart.setFixedSize(300, 500)
    area.setWidget(chart)
    qtbot.addWidget(area)
    area.resize(340, 200)
    with qtbot.waitExposed(area):
        area.show()
    bar = area.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert not turn_wheel(chart, centre(chart), 120)
    assert not chart.is_zoomed
    over_axis = QPoint(round(chart.area.rect.left()) - 8, centre(chart).y())
    assert turn_wheel(chart, over_axis, 120)
    assert chart.is_zoomed
    # What is zoomed is zoomed further wherever the mouse is.
    before = chart.ranges
    assert turn_wheel(chart, centre(chart), 120)
    assert chart.ranges[0][1] - chart.ranges[0][0] < before[0][1] - before[0][0]


def test_linked_plots_begin_at_the_same_place(qtbot):
    one, other = (shown(qtbot, Chart(lambda paint: None)) for _ in range(2))
    one.link_x(other)
    one.set_ranges((0.0, 1.0), (0.0, 1e-7))
    other.set_ranges((0.0, 1.0), (0.0, 3.0))
    assert one.area.rect.left() == other.area.rect.left()


def test_a_closed_chart_can_be_shown_again(chart, qtbot):
    chart.close()
    with qtbot.waitExposed(chart):
        chart.show()
    assert inked(chart).any()
