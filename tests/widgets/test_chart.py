"""The painted chart: its axes, and the marks of its painter."""

import numpy as np
import pytest
from PySide6.QtGui import QImage

from svmviz.camera.camera import MAX_PIXEL
from svmviz.widgets.charts.chart import Chart
from svmviz.widgets.charts.plot_area import LOGARITHMIC, WHOLE

COLOUR, NAN = "#ff0000", float("nan")


def picture(chart) -> np.ndarray:
    """The picture of a chart, shape (height, width, 3): blue, green, red."""
    image = chart.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
    return rows.reshape(image.height(), -1, 4)[:, :, :3].astype(int)


def inked(chart) -> np.ndarray:
    """Whether each pixel is mostly red, shape (height, width)."""
    colours = picture(chart)
    return (colours[:, :, 2] > 180) & (colours[:, :, :2].max(axis=2) < 120)


@pytest.fixture
def painted(qtbot):
    def make(paint, width=333, height=240, **settings):
        chart = Chart(paint, **settings)
        qtbot.addWidget(chart)
        chart.resize(width, height)
        chart.show()
        return chart

    return make


def test_points_beyond_double_precision_have_finite_pixels(painted):
    chart = painted(lambda paint: paint.curve([[-1e308, 1e308], [1e308, 0.5]], COLOUR))
    pixels = chart.area.to_pixels(np.array([[1e308, -1e308], [0.5, 0.5]]))
    assert np.abs(pixels[0]).tolist() == [MAX_PIXEL, MAX_PIXEL]
    assert np.all((pixels[1] > 0.0) & (pixels[1] < 333.0))
    picture(chart)


def test_a_curve_has_gaps_where_it_is_not_finite(painted):
    x = np.linspace(0.0, 1.0, 11)
    y = np.array([0.5, 0.5, 0.5, NAN, NAN, 0.5, 0.5, 0.5, np.inf, 0.5, NAN])
    chart = painted(lambda paint: paint.curve(np.column_stack([x, y]), COLOUR))
    columns = np.flatnonzero(inked(chart).any(axis=0))
    shares = [chart.area.to_data(chart.area.pixel(0, 0) + _right(c, chart))[0] for c in columns]
    for low, high, is_drawn in ((0.0, 0.2, 1), (0.22, 0.48, 0), (0.5, 0.7, 1), (0.72, 1.0, 0)):
        drawn = [low <= share <= high for share in shares]
        assert any(drawn) == bool(is_drawn)


def _right(column, chart):
    from PySide6.QtCore import QPointF

    return QPointF(column - chart.area.rect.left(), 0.0)


def test_bars_of_one_width_are_painted_so(painted):
    x, heights = np.arange(40.0), np.linspace(0.2, 1.0, 40)
    chart = painted(lambda paint: paint.bars(x, heights, 0.8, COLOUR))
    chart.set_ranges((-1.0, 40.0), (0.0, 1.2))
    row = inked(chart)[round(chart.area.rect.bottom()) - 3].astype(int)
    edges = np.flatnonzero(np.diff(row))
    assert len(edges) == 80
    assert len(set(edges[1::2] - edges[::2])) == 1


def test_the_smallest_bar_is_seen_and_one_of_height_0_is_not(painted):
    heights = np.array([1e-9, 0.0, -1e-9])
    chart = painted(lambda paint: paint.bars(np.arange(3.0), heights, 0.5, COLOUR))
    chart.set_ranges((-1.0, 3.0), (-1.0, 1.0))
    rows, columns = np.nonzero(inked(chart))
    middles = chart.area.to_pixels(np.column_stack([np.arange(3.0), np.zeros(3)]))[:, 0]
    near = [rows[np.abs(columns - middle) < 5] for middle in middles]
    assert len(near[1]) == 0
    assert near[0].max() < near[2].min() or near[0].max() <= near[2].max() - 1


def test_a_text_stays_inside_the_plot(painted):
    boxes = []

    def paint(painter):
        for corner in ((0.0, 0.0), (1.0, 1.0), (5.0, -5.0)):
            boxes.append(painter.text_rect("a long text", corner))
            assert painter.area.rect.contains(boxes[-1])

    picture(painted(paint))
    assert boxes


def test_the_plot_never_grows_when_numbers_become_shorter(painted):
    chart = painted(lambda paint: None)
    chart.set_ranges((0.0, 1.0), (0.0, 0.02))
    wide = chart.area.rect
    chart.set_ranges((0.0, 1.0), (0.0, 9.0))
    assert chart.area.rect == wide


@pytest.mark.parametrize("value", [0.0, -3.0, 1e-9, 1e9])
def test_equal_values_have_a_range_around_them(painted, value):
    chart = painted(lambda paint: paint.dots(np.array([[value, value]]), COLOUR))
    chart.set_ranges((value, value), (value, value))
    for low, high in chart.ranges:
        assert low < value < high
    assert inked(chart).any()


def test_axes_of_every_kind_have_ticks(painted):
    chart = painted(lambda paint: None, x=LOGARITHMIC, y=WHOLE)
    chart.set_ranges((-2.0, 2.0), (0.0, 2.0))
    assert "0.01" in [text for _, text in chart._ticks(0)]
    assert [text for _, text in chart._ticks(1)] == ["0", "1", "2"]
    chart.set_ticks(0, [(0.0, "one"), (9.0, "outside")])
    assert chart._ticks(0) == [(0.0, "one")]
