"""A small plot without pyqtgraph: two linear axes around data that a panel paints.

A graphics view of pyqtgraph redraws its scene, axes included, in 3 ms per frame. Here the axes are
painted into a picture, which is used until ranges, ticks, names or size change. So four plots can
be painted in the time of one frame.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from svmviz.base.words import number
from svmviz.camera.camera import MAX_PIXEL
from svmviz.theme import BODY, CAPTION, active, look_of
from svmviz.widgets.charts.chart_ticks import linear_ticks, make_distinct
from svmviz.widgets.charts.plot import PaintedPlot
from svmviz.widgets.styling import StyleFollower

Range = tuple[float, float]


class Sketch(StyleFollower, PaintedPlot):
    """Plot whose data is painted by a function of its owner.

    Parameters
    ----------
    paint : callable(QPainter, Sketch)
        Paints the data at positions from :meth:`to_pixels`. The painter is clipped to the plot, and
        antialiasing is on.
    x_label, y_label : str
    equal : bool
        Whether one unit has the same length on both axes. One range is then wider than requested.
    height : float
        Preferred height, px at scale 1.
    parent : QWidget, optional
    """

    def __init__(
        self,
        paint: Callable[[QPainter, Sketch], None],
        x_label: str = "",
        y_label: str = "",
        *,
        equal: bool = False,
        height: float = 200.0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(height, parent)
        self._paint = paint
        self._labels = (x_label, y_label)
        self._equal = equal
        self._requested_ranges: tuple[Range, Range] = ((0.0, 1.0), (0.0, 1.0))
        self._ranges = self._requested_ranges
        self._fixed_ticks: dict[int, list[tuple[float, str]] | None] = {}
        self._plot = QRectF()
        self._background: QPixmap | None = None
        self.follow_style(Sketch._arrange)

    # State.

    @property
    def ranges(self) -> tuple[Range, Range]:
        """Ranges of x and of y that are shown."""
        return self._ranges

    @property
    def plot(self) -> QRectF:
        """Rectangle in which data is painted, px."""
        return self._plot

    def to_pixels(self, points: np.ndarray) -> np.ndarray:
        """Convert points from the coordinates of the plot to px of the widget, shape (m, 2).

        The results are clipped to the range from -MAX_PIXEL to MAX_PIXEL, where Qt's integers do
        not overflow.
        """
        (left, right), (bottom, top) = self._ranges
        plot = self._plot
        points = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        with np.errstate(over="ignore"):
            x = plot.left() + (points[:, 0] - left) * (plot.width() / (right - left))
            y = plot.bottom() - (points[:, 1] - bottom) * (plot.height() / (top - bottom))
        return np.clip(np.column_stack([x, y]), -MAX_PIXEL, MAX_PIXEL)

    def pixel(self, x: float, y: float) -> QPointF:
        """Convert a point from the coordinates of the plot to px of the widget."""
        return QPointF(*self.to_pixels(np.array([[x, y]]))[0].tolist())

    def to_data(self, position: QPointF) -> tuple[float, float]:
        (left, right), (bottom, top) = self._ranges
        plot = self._plot
        x = left + (position.x() - plot.left()) * ((right - left) / plot.width())
        y = bottom + (plot.bottom() - position.y()) * ((top - bottom) / plot.height())
        return x, y

    def nearest(self, points: np.ndarray, x: float, y: float, reach: float = 12.0) -> int | None:
        """Return the index of the point nearest to (x, y); None if none is within ``reach``.

        ``points`` and (x, y) are in the plot's coordinates, ``reach`` is in px at scale 1.
        """
        if not len(points):
            return None
        centre = self.pixel(x, y)
        distances = np.hypot(*(self.to_pixels(points) - (centre.x(), centre.y())).T)
        nearest = int(distances.argmin())
        return nearest if distances[nearest] <= reach * look_of(self).metrics.controls else None

    # Commands.

    def set_ranges(self, x: Range, y: Range) -> None:
        """Show these ranges; with equal units on both axes, one range is widened."""
        if (x, y) != self._requested_ranges:
            self._requested_ranges = (x, y)
            self._arrange()

    def set_ticks(self, axis: int, ticks: list[tuple[float, str]] | None) -> None:
        """Put ticks (position, text) on axis 0 (x) or 1 (y); None for round numbers."""
        if ticks != self._fixed_ticks.get(axis):
            self._fixed_ticks[axis] = ticks
            self._arrange()

    def set_labels(self, x_label: str, y_label: str) -> None:
        """Change the names of the axes."""
        if (x_label, y_label) != self._labels:
            self._labels = (x_label, y_label)
            self._arrange()

    # Layout.

    def _arrange(self) -> None:
        """Lay out the axes. The background is painted at the next paint event."""
        px, small = look_of(self).metrics.px, QFontMetricsF(look_of(self).font(CAPTION))
        self._ranges = self._requested_ranges
        name_height = QFontMetricsF(look_of(self).font(BODY)).height() + px(2)
        foot_height = small.height() + px(8) + (name_height if self._labels[0] else 0.0)
        height = max(1.0, self.height() - foot_height - px(8))
        self._plot = QRectF(0.0, px(8), max(1.0, self.width()), height)
        # There are two rounds: the numbers of an axis depend on the size of the plot, and the size
        # of the plot depends on the width of the numbers.
        for _ in range(2):
            widths = (small.horizontalAdvance(text) for _, text in self._ticks(1))
            left = max(widths, default=0.0) + px(10) + (name_height if self._labels[1] else 0.0)
            self._plot.setLeft(left)
            self._plot.setWidth(max(1.0, self.width() - left - px(12)))
            self._ranges = self._equal_ranges() if self._equal else self._requested_ranges
        self._background = None
        self.update()

    def _equal_ranges(self) -> tuple[Range, Range]:
        """Return the requested ranges, one of them widened until units are equal on both axes."""
        (left, right), (bottom, top) = self._requested_ranges
        unit = max((right - left) / self._plot.width(), (top - bottom) / self._plot.height())
        more_x = 0.5 * (unit * self._plot.width() - (right - left))
        more_y = 0.5 * (unit * self._plot.height() - (top - bottom))
        return (left - more_x, right + more_x), (bottom - more_y, top + more_y)

    def _ticks(self, axis: int) -> list[tuple[float, str]]:
        """Return position and text of each tick of axis 0 (x) or 1 (y)."""
        low, high = self._ranges[axis]
        fixed_ticks = self._fixed_ticks.get(axis)
        if fixed_ticks is not None:
            return [(value, text) for value, text in fixed_ticks if low <= value <= high]
        small = QFontMetricsF(look_of(self).font(CAPTION))
        max_ticks = self._plot.height() / (2.4 * small.height())
        if axis == 0:
            max_ticks = self._plot.width() / (2.0 * small.horizontalAdvance("0.000"))
        values = linear_ticks(low, high, max(2.0, max_ticks))
        return list(
            zip(values, make_distinct(values, [number(value) for value in values]), strict=True)
        )

    # Painting.

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            if active().printing:
                self._draw_background(painter)
            else:
                if self._background is None:
                    self._background = self._paint_background()
                painter.drawPixmap(0, 0, self._background)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setClipRect(self._plot)
            self._paint(painter, self)

    def _paint_background(self) -> QPixmap:
        """Return a picture of the axes with their ticks and names."""
        ratio = self.devicePixelRatioF()
        background = QPixmap(math.ceil(self.width() * ratio), math.ceil(self.height() * ratio))
        background.setDevicePixelRatio(ratio)
        background.fill(QColor(look_of(self).theme.card))
        with QPainter(background) as painter:
            self._draw_background(painter)
        return background

    def _draw_background(self, painter: QPainter) -> None:
        """Draw the axes with their ticks and names."""
        look = look_of(self)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(look_of(self).font(CAPTION))
        self._paint_ticks(painter)
        painter.setPen(QPen(QColor(look.theme.line_strong), look.metrics.stroke(1.0)))
        painter.drawRect(self._plot)
        self._paint_names(painter)
        painter.restore()

    def _paint_ticks(self, painter: QPainter) -> None:
        look, plot = look_of(self), self._plot
        height = QFontMetricsF(look_of(self).font(CAPTION)).height()
        grid = QPen(QColor(look.theme.grid), look.metrics.stroke(1.0))
        ink = QPen(QColor(look.theme.axis))
        gap = look.metrics.px(4)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        middle = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
        for value, text in self._ticks(1):
            y = self.pixel(self._ranges[0][0], value).y()
            painter.setPen(grid)
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            painter.setPen(ink)
            painter.drawText(QRectF(0.0, y - height, plot.left() - gap, 2 * height), right, text)
        for value, text in self._ticks(0):
            x = self.pixel(value, self._ranges[1][0]).x()
            painter.setPen(grid)
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
            painter.setPen(ink)
            # A box wider than any number, with the number in its middle.
            box = QRectF(x - 100.0, plot.bottom() + gap, 200.0, 2 * height)
            painter.drawText(box, middle, text)

    def _elided(self, name: str, max_width: float) -> tuple[str, float]:
        """Return the name of an axis, elided if it does not fit, and its width in px."""
        measure = QFontMetricsF(look_of(self).font(BODY))
        name = measure.elidedText(name, Qt.TextElideMode.ElideRight, max_width)
        return name, min(measure.horizontalAdvance(name) + 2.0, max_width)

    def _paint_names(self, painter: QPainter) -> None:
        painter.setFont(look_of(self).font(BODY))
        painter.setPen(QColor(look_of(self).theme.muted))
        height = QFontMetricsF(look_of(self).font(BODY)).height()
        centre, plot = Qt.AlignmentFlag.AlignCenter, self._plot
        x_label, y_label = self._labels
        if x_label:
            text, width = self._elided(x_label, self.width())
            # The name is below the middle of the plot, or as near to it as the width of the widget
            # allows.
            middle = min(max(plot.center().x(), 0.5 * width), self.width() - 0.5 * width)
            box = QRectF(middle - 0.5 * width, self.height() - height, width, height)
            painter.drawText(box, centre, text)
        if y_label:
            text, width = self._elided(y_label, self.height())
            middle = min(max(plot.center().y(), 0.5 * width), self.height() - 0.5 * width)
            painter.save()
            painter.translate(0.0, middle + 0.5 * width)
            painter.rotate(-90.0)
            painter.drawText(QRectF(0.0, 0.0, width, height), centre, text)
            painter.restore()

    # Events of Qt.

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()
