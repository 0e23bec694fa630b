"""Lines of charts look like pyqtgraph's own, which are painted in one piece."""

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage

from svmviz.widgets.charts.chart import LINEAR, Chart, pen
from svmviz.widgets.charts.chart_line import ChartLine

NAN = float("nan")


def picture(chart) -> np.ndarray:
    """The picture of a chart, shape (height, width, 4)."""
    image = chart.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
    return rows.reshape(image.height(), -1, 4).astype(int)


@pytest.fixture
def chart(qtbot):
    chart = Chart(LINEAR, LINEAR)
    qtbot.addWidget(chart)
    chart.resize(400, 300)
    chart.set_ranges((0.0, 100.0), (-3.0, 3.0))
    chart.show()
    qtbot.waitExposed(chart)
    return chart


def with_line(chart, line) -> np.ndarray:
    chart.addItem(line)
    found = picture(chart)
    chart.removeItem(line)
    return found


@pytest.mark.parametrize("style", [Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine])
def test_a_line_with_gaps_is_that_of_pyqtgraph(chart, style):
    x = np.linspace(0.0, 100.0, 120)
    y = np.random.default_rng(0).normal(size=120)
    y[[30, 31, 60, 119]] = NAN
    y[61] = 2.0
    y[62] = np.inf
    own, others = ChartLine(), pg.PlotDataItem(connect="finite", antialias=True)
    line_pen = pen("#3060c0", 2.0, style)
    own.set_pen(line_pen)
    own.set_samples(x, y)
    others.setPen(line_pen)
    others.setData(x, y)
    empty, found, expected = picture(chart), with_line(chart, own), with_line(chart, others)
    is_drawn = np.abs(expected - empty).max(axis=2) > 60
    assert is_drawn.sum() > 1000
    # Only ends and corners of the line differ.
    differs = np.abs(found - expected).max(axis=2) > 60
    assert differs.sum() < 0.06 * is_drawn.sum()


def test_without_finite_samples_nothing_is_drawn(chart):
    line = ChartLine()
    line.set_pen(pen("#3060c0", 2.0))
    empty = picture(chart)
    for y in ([], [NAN, NAN], [NAN, 1.0, NAN]):
        line.set_samples(np.arange(len(y), dtype=float), np.array(y, dtype=float))
        assert (with_line(chart, line) == empty).all()


def test_a_line_follows_the_ranges_of_the_chart(chart):
    line = ChartLine()
    line.set_pen(pen("#3060c0", 2.0))
    line.set_samples(np.array([0.0, 100.0]), np.array([2.0, 2.0]))
    before = with_line(chart, line)
    chart.set_ranges((0.0, 100.0), (-3.0, 30.0))
    empty, after = picture(chart), with_line(chart, line)
    heights = np.flatnonzero((after != empty).any(axis=(1, 2)))
    assert len(heights) < 6
    assert heights.mean() > picture(chart).shape[0] / 2
    assert (before != after).any()


def test_the_scene_finds_a_line_in_every_part_of_the_chart(chart, qtbot):
    # Qt paints a part again, such as one that the line of the step has left, with what it finds.
    line = ChartLine()
    chart.addItem(line)
    scene = chart.scene()
    for x, y in (
        ((0.0, 1.0), (-1.0, 1.0)),
        ((0.0, 900.0), (-4.0, 6.0)),
        ((950.0, 980.0), (5.0, 9.0)),
    ):
        line.set_samples(np.array(x), np.array(y))
        chart.set_ranges(x, y)
        qtbot.wait(30)
        plot = chart.view_box.mapRectToScene(chart.view_box.rect())
        for share in np.linspace(0.01, 0.98, 20):
            strip = QRectF(plot.left() + share * plot.width(), plot.top(), 2.0, plot.height())
            assert line in scene.items(strip)
