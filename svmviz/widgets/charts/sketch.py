"""A small plot without pyqtgraph: two linear axes around data that a panel paints.

A graphics view redraws its scene, axes included, in 3 ms per frame. Here the axes are stored as a
picture per range, so four plots can be painted in one frame.
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
    """Plot whose data is painted by a callback.

    Parameters
    ----------
    paint : callable(QPainter, Sketch)
        Paints the data, clipped to the plot, with antialiasing on; uses :meth:`to_pixels`.
    x_label, y_label : str
    equal : bool
        Whether one unit has the same length on both axes. One range is then widened.
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
        self._given_ticks: dict[int, list[tuple[float, str]] | None] = {}
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
        """Return points in the plot's coordinates as pixels, shape (m, 2).

        Pixels are clipped to MAX_PIXEL in size.
        """
        (left, right), (bottom, top) = self._ranges
        plot = self._plot
        points = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        with np.errstate(over="ignore"):
            x = plot.left() + (points[:, 0] - left) * (plot.width() / (right - left))
            y = plot.bottom() - (points[:, 1] - bottom) * (plot.height() / (top - bottom))
        return np.clip(np.column_stack([x, y]), -MAX_PIXEL, MAX_PIXEL)

    def pixel(self, x: float, y: float) -> QPointF:
        """Return the position of a point of the plot, px."""
        return QPointF(*self.to_pixels(np.array([[x, y]]))[0].tolist())

    def to_data(self, place: QPointF) -> tuple[float, float]:
        (left, right), (bottom, top) = self._ranges
        plot = self._plot
        x = left + (place.x() - plot.left()) * ((right - left) / plot.width())
        y = bottom + (plot.bottom() - place.y()) * ((top - bottom) / plot.height())
        return x, y

    def nearest(self, points: np.ndarray, x: float, y: float, reach: float = 12.0) -> int | None:
        """Return the index of the point nearest to (x, y), within ``reach`` px at scale 1."""
        if not len(points):
            return None
        at = self.pixel(x, y)
        distances = np.hypot(*(self.to_pixels(points) - (at.x(), at.y())).T)
        best = int(distances.argmin())
        return best if distances[best] <= reach * look_of(self).metrics.controls else None

    # Commands.

    def set_ranges(self, x: Range, y: Range) -> None:
        """Show these ranges; with equal axes, one range is widened."""
        if (x, y) != self._requested_ranges:
            self._requested_ranges = (x, y)
            self._arrange()

    def set_ticks(self, axis: int, ticks: list[tuple[float, str]] | None) -> None:
        """Put ticks (position, text) on the axis 0 or 1; None means ticks at round numbers."""
        if ticks != self._given_ticks.get(axis):
            self._given_ticks[axis] = ticks
            self._arrange()

    def set_labels(self, x_label: str, y_label: str) -> None:
        """Name the axes."""
        if (x_label, y_label) != self._labels:
            self._labels = (x_label, y_label)
            self._arrange()

    # Layout.

    def _arrange(self) -> None:
        """Lay out the axes; the background is painted at the next event."""
        px, small = look_of(self).metrics.px, QFontMetricsF(look_of(self).font(CAPTION))
        self._ranges = self._requested_ranges
        name = QFontMetricsF(look_of(self).font(BODY)).height() + px(2)
        foot = small.height() + px(8) + (name if self._labels[0] else 0.0)
        height = max(1.0, self.height() - foot - px(8))
        self._plot = QRectF(0.0, px(8), max(1.0, self.width()), height)
        # Two rounds: the numbers of an axis depend on the size of the plot, and its size on their
        # width.
        for _ in range(2):
            wide = max((small.horizontalAdvance(text) for _, text in self._ticks(1)), default=0.0)
            left = wide + px(10) + (name if self._labels[1] else 0.0)
            self._plot.setLeft(left)
            self._plot.setWidth(max(1.0, self.width() - left - px(12)))
            self._ranges = self._equal_ranges() if self._equal else self._requested_ranges
        self._background = None
        self.update()

    def _equal_ranges(self) -> tuple[Range, Range]:
        (left, right), (bottom, top) = self._requested_ranges
        unit = max((right - left) / self._plot.width(), (top - bottom) / self._plot.height())
        more_x = 0.5 * (unit * self._plot.width() - (right - left))
        more_y = 0.5 * (unit * self._plot.height() - (top - bottom))
        return (left - more_x, right + more_x), (bottom - more_y, top + more_y)

    def _ticks(self, axis: int) -> list[tuple[float, str]]:
        low, high = self._ranges[axis]
        given = self._given_ticks.get(axis)
        if given is not None:
            return [(value, text) for value, text in given if low <= value <= high]
        small = QFontMetricsF(look_of(self).font(CAPTION))
        room = self._plot.height() / (2.4 * small.height())
        if axis == 0:
            room = self._plot.width() / (2.0 * small.horizontalAdvance("0.000"))
        values = linear_ticks(low, high, max(2.0, room))
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
        """Return a picture of axes, ticks and names."""
        ratio = self.devicePixelRatioF()
        background = QPixmap(math.ceil(self.width() * ratio), math.ceil(self.height() * ratio))
        background.setDevicePixelRatio(ratio)
        background.fill(QColor(look_of(self).theme.card))
        with QPainter(background) as painter:
            self._draw_background(painter)
        return background

    def _draw_background(self, painter: QPainter) -> None:
        """Draw axes, ticks and names."""
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
        high = QFontMetricsF(look_of(self).font(CAPTION)).height()
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
            painter.drawText(QRectF(0.0, y - high, plot.left() - gap, 2 * high), right, text)
        for value, text in self._ticks(0):
            x = self.pixel(value, self._ranges[1][0]).x()
            painter.setPen(grid)
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
            painter.setPen(ink)
            place = QRectF(x - 100.0, plot.bottom() + gap, 200.0, 2 * high)
            painter.drawText(place, middle, text)

    def _fitted(self, name: str, room: float) -> tuple[str, float]:
        """Return the name of an axis, elided if it does not fit, and its width in px."""
        measure = QFontMetricsF(look_of(self).font(BODY))
        name = measure.elidedText(name, Qt.TextElideMode.ElideRight, room)
        return name, min(measure.horizontalAdvance(name) + 2.0, room)

    def _paint_names(self, painter: QPainter) -> None:
        painter.setFont(look_of(self).font(BODY))
        painter.setPen(QColor(look_of(self).theme.muted))
        high = QFontMetricsF(look_of(self).font(BODY)).height()
        centre, plot = Qt.AlignmentFlag.AlignCenter, self._plot
        x_label, y_label = self._labels
        if x_label:
            text, room = self._fitted(x_label, self.width())
            # The name is below the middle of the plot, or as near to it as the width of the widget
            # allows.
            middle = min(max(plot.center().x(), 0.5 * room), self.width() - 0.5 * room)
            place = QRectF(middle - 0.5 * room, self.height() - high, room, high)
            painter.drawText(place, centre, text)
        if y_label:
            text, room = self._fitted(y_label, self.height())
            middle = min(max(plot.center().y(), 0.5 * room), self.height() - 0.5 * room)
            painter.save()
            painter.translate(0.0, middle + 0.5 * room)
            painter.rotate(-90.0)
            painter.drawText(QRectF(0.0, 0.0, room, high), centre, text)
            painter.restore()

    # Events of Qt.

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()
