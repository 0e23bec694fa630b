"""A chart of bars that stand on a horizontal line at y = 0, painted in a few calls of QPainter.

pyqtgraph would redraw its whole scene for every frame, which takes four times as long.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from svmviz.base.bulk_drawing import draw_rectangles
from svmviz.theme import CAPTION, Metrics, active, font, look_of
from svmviz.widgets.charts.chart_ticks import WIDEST_NUMBER, linear_ticks, tick_texts
from svmviz.widgets.charts.plot import PaintedPlot

# Margins around the bars, px at scale 1. The left margin also gets the width of numbers and ticks.
LEFT, TOP, RIGHT, BOTTOM = 2, 8, 12, 8
# Length of a tick, and width and height of a triangle below the line, px at scale 1.
TICK, TRIANGLE = 4, 9


@dataclass(frozen=True, eq=False)
class Row:
    """Bars of one colour.

    Attributes
    ----------
    colour : str
        Name of the colour in ``Theme``.
    x : array, shape (m,)
        Horizontal middle of each bar, in the coordinates of the chart.
    height, width : arrays, shape (m,)
        Size of each bar, in the coordinates of the chart.
    """

    colour: str
    x: np.ndarray
    height: np.ndarray
    width: np.ndarray


@dataclass(frozen=True, eq=False)
class Triangles:
    """Triangles of one colour below the line at y = 0.

    Attributes
    ----------
    colour : str
        Name of the colour in ``Theme``.
    x : array, shape (m,)
        Horizontal middle of each triangle, in the coordinates of the chart.
    """

    colour: str
    x: np.ndarray


@dataclass(frozen=True, eq=False)
class BarPicture:
    """Contents of a bar chart, in the coordinates of the chart.

    Attributes
    ----------
    across, up : (float, float)
        The horizontal and the vertical range of the chart.
    rows : dict of str to Row
        Bars by name, from the lowest layer to the highest.
    triangles : dict of str to Triangles
        Triangles by name.
    triangle_level : float
        Vertical middle of the triangles, below 0.
    ticks : sequence of (float, str), optional
        Positions and texts on the vertical axis; None for round numbers from 0.
    bound : float, optional
        Height of a dashed line. The text ``bound_words`` is above the right end of the line.
    names : sequence of (str, float, str)
        Texts below the line: text, x of the middle, and name of the colour in ``Theme``.
    names_level : float
        Vertical position of the upper edge of the names.
    """

    across: tuple[float, float] = (0.0, 1.0)
    up: tuple[float, float] = (0.0, 1.0)
    rows: dict[str, Row] = field(default_factory=dict)
    triangles: dict[str, Triangles] = field(default_factory=dict)
    triangle_level: float = 0.0
    ticks: Sequence[tuple[float, str]] | None = None
    bound: float | None = None
    bound_words: str = ""
    names: Sequence[tuple[str, float, str]] = ()
    names_level: float = 0.0


# Cached, because it is called two dozen times per frame. Callers must not change the result.
@lru_cache(maxsize=8)
def _plot_area(width: int, height: int, metrics: Metrics) -> QRectF:
    """Return the rectangle of a chart in which bars are drawn, px."""
    px = metrics.px
    numbers = QFontMetricsF(font(CAPTION, scale=metrics.controls)).horizontalAdvance(WIDEST_NUMBER)
    left = px(LEFT) + math.ceil(numbers) + 2 * px(TICK)
    plot_width, plot_height = width - left - px(RIGHT), height - px(TOP) - px(BOTTOM)
    return QRectF(left, px(TOP), max(plot_width, 1), max(plot_height, 1))


class BarChart(PaintedPlot):
    """Chart of bars that stand on a line.

    Parameters
    ----------
    height : float
        Preferred height, px at scale 1.
    parent : QWidget, optional

    Attributes
    ----------
    picture : BarPicture
        The contents shown.
    """

    def __init__(self, height: float = 120, parent: QWidget | None = None) -> None:
        super().__init__(height, parent)
        self.picture = BarPicture()
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def show_picture(self, picture: BarPicture) -> None:
        """Show other contents."""
        self.picture = picture
        self.update()

    @property
    def plot(self) -> QRectF:
        """The rectangle in which bars are drawn, px."""
        return _plot_area(self.width(), self.height(), look_of(self).metrics)

    def to_pixels(self, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Convert positions from the coordinates of the chart to px; return x and y."""
        plot, (left, right), (bottom, top) = self.plot, self.picture.across, self.picture.up
        return (
            plot.left() + (x - left) * (plot.width() / (right - left)),
            plot.top() + (top - y) * (plot.height() / (top - bottom)),
        )

    def to_data(self, position: QPointF) -> tuple[float, float]:
        plot, (left, right), (bottom, top) = self.plot, self.picture.across, self.picture.up
        return (
            left + (position.x() - plot.left()) * (right - left) / plot.width(),
            top - (position.y() - plot.top()) * (top - bottom) / plot.height(),
        )

    # Painting.

    def paintEvent(self, event: QPaintEvent) -> None:
        picture, theme = self.picture, look_of(self).theme
        with QPainter(self) as painter:
            if not active().printing:
                painter.fillRect(self.rect(), QColor(theme.card))
            plot = self.plot
            self._draw_axis(painter, plot)
            painter.setPen(Qt.PenStyle.NoPen)
            for row in picture.rows.values():
                painter.setBrush(QColor(getattr(theme, row.colour)))
                draw_rectangles(painter, self._boxes(row))
            self._draw_texts(painter, plot)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            for triangles in picture.triangles.values():
                painter.setBrush(QColor(getattr(theme, triangles.colour)))
                self._draw_triangles(painter, triangles.x)

    def _boxes(self, row: Row) -> np.ndarray:
        """Return left, top, width and height of each bar in whole px, shape (m, 4).

        All widths are at least 1 px, and so are the heights of bars above 0.
        """
        middle, top = self.to_pixels(row.x, row.height)
        left, right = self.picture.across
        # Widths are rounded separately from positions, so that bars of equal width get equal px.
        widths = np.maximum(np.rint(row.width * (self.plot.width() / (right - left))), 1.0)
        base = np.rint(self.to_pixels(row.x, np.zeros(len(row.x)))[1])
        top = np.minimum(np.rint(top), base - (row.height > 0.0))
        return np.column_stack([np.rint(middle - 0.5 * widths), top, widths, base - top])

    def _draw_axis(self, painter: QPainter, plot: QRectF) -> None:
        look = look_of(self)
        small, tick_length = look_of(self).font(CAPTION), look.metrics.px(TICK)
        line_height = QFontMetricsF(small).height()
        colour, width = QColor(look.theme.line_strong), max(1, round(look.metrics.stroke(1.0)))
        left, base = round(plot.left()), round(self._y_of(0.0))
        painter.fillRect(QRectF(left - width, plot.top(), width, plot.height()), colour)
        painter.fillRect(QRectF(left, base, plot.width(), width), colour)
        painter.setFont(small)
        painter.setPen(QColor(look.theme.axis))
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for value, text in self._ticks(plot, line_height):
            y = round(self._y_of(value))
            painter.fillRect(QRectF(left, y, tick_length, width), colour)
            box_width = left - width - 2 * tick_length
            box = QRectF(0.0, y - 0.5 * line_height, box_width, line_height)
            painter.drawText(box, flags, text)

    def _ticks(self, plot: QRectF, line_height: float) -> Sequence[tuple[float, str]]:
        """Return position and text of each tick; ``line_height`` is the height of a text, px."""
        if self.picture.ticks is not None:
            return self.picture.ticks
        max_ticks = max(2.0, plot.height() / (2.4 * line_height))
        values = linear_ticks(0.0, self.picture.up[1], max_ticks)
        return list(zip(values, tick_texts(values), strict=True))

    def _draw_texts(self, painter: QPainter, plot: QRectF) -> None:
        look, bold = look_of(self), look_of(self).font(CAPTION, 600)
        theme, gap = look.theme, look.metrics.px(TICK)
        painter.setFont(bold)
        line, flags = QFontMetricsF(bold).height(), Qt.AlignmentFlag
        if self.picture.bound is not None:
            y = round(self._y_of(self.picture.bound))
            dashes = Qt.PenStyle.DashLine
            painter.setPen(QPen(QColor(theme.text), look.metrics.stroke(1.5), dashes))
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            box = QRectF(plot.left(), y - gap - line, plot.width() - gap, line)
            painter.drawText(box, flags.AlignRight | flags.AlignBottom, self.picture.bound_words)
        for text, x, colour in self.picture.names:
            (middle,), (top,) = self.to_pixels(np.array([x]), np.array([self.picture.names_level]))
            half = 0.25 * plot.width()
            painter.setPen(QColor(getattr(theme, colour)))
            box = QRectF(middle - half, top + gap, 2 * half, line)
            painter.drawText(box, flags.AlignHCenter | flags.AlignTop, text)

    def _draw_triangles(self, painter: QPainter, x: np.ndarray) -> None:
        if len(x):
            half, level = (
                0.5 * look_of(self).metrics.px(TRIANGLE),
                self._y_of(self.picture.triangle_level),
            )
            for middle in self.to_pixels(x, x)[0].tolist():
                offsets = [(-half, half), (0.0, -half), (half, half)]
                corners = [QPointF(middle + right, level + down) for right, down in offsets]
                painter.drawPolygon(QPolygonF(corners))

    def _y_of(self, y: float) -> float:
        """Convert a height from the coordinates of the chart to px from the top."""
        plot, (bottom, top) = self.plot, self.picture.up
        return plot.top() + (top - y) * plot.height() / (top - bottom)
