"""A chart: two axes around data that its owner paints.

A graphics view of pyqtgraph redraws its scene, axes included, in 3 ms per frame. Here the axes are
painted into a picture, which is used until ranges, ticks, names or size change. So four charts can
be painted in the time of one frame.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from svmviz.theme import LABEL, TEXT, active, look_of
from svmviz.widgets.charts.chart_painter import ChartPainter
from svmviz.widgets.charts.plot_area import (
    LINEAR,
    MakeTicks,
    PlotArea,
    Range,
    TickPairs,
    fitting_ticks,
    ticks_of,
    widened,
)
from svmviz.widgets.styling import StyleFollower

if TYPE_CHECKING:
    Base = QWidget
else:
    Base = object

# Minimum width and height of a chart in an exported figure, px at scale 1. They are smaller than on
# screen, because text in a figure may be small.
MIN_PRINTED_SIZE = 120, 96


class ChartSize(Base):
    """Mixin with the size hints of a chart; ``_height`` is its preferred height, px at scale 1."""

    _height: float

    def sizeHint(self) -> QSize:
        px = look_of(self).metrics.px
        return QSize(px(280), px(self._height))

    def minimumSizeHint(self) -> QSize:
        look = look_of(self)
        if look.printing:
            return QSize(*map(look.metrics.px, MIN_PRINTED_SIZE))
        return QSize(look.metrics.px(160), look.metrics.px(0.6 * self._height))


class Chart(StyleFollower, ChartSize, QWidget):
    """Two axes around data that a function of the owner paints.

    The owner sets the ranges, and calls ``update()`` when its data changes; the function is then
    called with a :class:`ChartPainter`, on screen and in exported figures. This panel draws the
    hinge loss, with every point on the curve; the mouse highlights and selects points::

        class HingePanel(FramePanel):
            name = "hinge"

            def __init__(self, stage):
                super().__init__(stage)
                self.points, self.labels = np.zeros((0, 2)), np.zeros(0)
                self.chart = self.add(Chart(self._paint, "y f(x)", "loss"), 1)
                self.link(self.chart, lambda x, y: self.chart.nearest(self.points, x, y))

            def draw(self, lane, study, frame):
                margins = frame.document.data.labels * lane.certificate.decision
                self.points = np.column_stack([margins, np.maximum(0.0, 1.0 - margins)])
                self.labels = frame.document.data.labels
                self.chart.set_ranges((-2.0, 3.0), (-0.1, 3.0))
                self.chart.update()

            def _paint(self, paint):
                paint.curve([[-2.0, 3.0], [1.0, 0.0], [3.0, 0.0]], paint.theme.series[0])
                paint.points(self.points, self.labels)

    Curves that a reader zooms into are on a :class:`CurveChart`, which calls the same function.

    Parameters
    ----------
    paint : callable(ChartPainter)
        Paints the data.
    x_label, y_label : str
        Names of the axes.
    x, y : str
        Kinds of the axes: LINEAR, LOGARITHMIC (the coordinates are exponents of ten) or WHOLE.
    equal : bool
        Whether one unit has the same length on both axes. One range is then wider than requested.
    height : float
        Preferred height, px at scale 1.
    parent : QWidget, optional

    Signals
    -------
    hovered(float, float)
        The mouse has moved to this position, in the coordinates of the chart.
    pressed(float, float)
        The left button was pressed or dragged at this position, in the coordinates of the chart.
    released()
        The left button was released.
    left()
        The mouse has left the chart.
    """

    hovered = Signal(float, float)
    pressed = Signal(float, float)
    released = Signal()
    left = Signal()

    def __init__(
        self,
        paint: Callable[[ChartPainter], None],
        x_label: str = "",
        y_label: str = "",
        *,
        x: str = LINEAR,
        y: str = LINEAR,
        equal: bool = False,
        height: float = 200.0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._paint = paint
        self._labels = (x_label, y_label)
        self._kinds = (x, y)
        self._equal = equal
        self._height = height
        self._requested_ranges: tuple[Range, Range] = ((0.0, 1.0), (0.0, 1.0))
        self._own_ticks: dict[int, TickPairs | MakeTicks | None] = {}
        # Width of the widest label of the vertical axis since style or names have changed, px.
        self._widest = 0.0
        self._background: QPixmap | None = None
        self.area = PlotArea()
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.follow_style(Chart._restyle)

    # State.

    @property
    def ranges(self) -> tuple[Range, Range]:
        """Ranges of x and of y that are shown."""
        return self.area.x, self.area.y

    def nearest(self, points: np.ndarray, x: float, y: float, reach: float = 12.0) -> int | None:
        """Return the index of the point nearest to (x, y); None if none is within ``reach``.

        ``points``, shape (m, 2), and (x, y) are in the coordinates of the chart, ``reach`` is in px
        at scale 1.
        """
        return self.area.nearest(points, x, y, reach * look_of(self).metrics.controls)

    # Commands.

    def set_ranges(self, x: Range, y: Range) -> None:
        """Show these ranges; with equal units on both axes, one range is widened.

        A range without width is widened, too.
        """
        x, y = widened(x), widened(y)
        if (x, y) != self._requested_ranges:
            self._requested_ranges = (x, y)
            self._arrange()

    def set_ticks(self, axis: int, ticks: TickPairs | MakeTicks | None) -> None:
        """Put ticks (position, text) on axis 0 (x) or 1 (y); None for round numbers.

        Instead of ticks, a function may be given that returns them for about a maximum number.
        """
        if ticks != self._own_ticks.get(axis):
            self._own_ticks[axis] = ticks
            self._arrange()

    def set_labels(self, x_label: str, y_label: str) -> None:
        """Change the names of the axes."""
        if (x_label, y_label) != self._labels:
            self._labels = (x_label, y_label)
            self._restyle()

    # Layout.

    def _restyle(self) -> None:
        self._widest = 0.0
        self._arrange()

    def _arrange(self) -> None:
        """Lay out the axes. The background is painted at the next paint event."""
        look = look_of(self)
        px, small = look.metrics.px, QFontMetricsF(look.font(LABEL))
        name_height = QFontMetricsF(look.font(TEXT)).height() + px(2)
        foot_height = small.height() + px(8) + (name_height if self._labels[0] else 0.0)
        if self._own_ticks.get(0) == [] and not self._labels[0]:
            # The edge of the plot is as broad as this.
            foot_height = px(1)
        height = max(1.0, self.height() - foot_height - px(8))
        rect = QRectF(0.0, px(8), max(1.0, self.width()), height)
        self.area = PlotArea(rect, *self._requested_ranges)
        # There are two rounds: the numbers of an axis depend on the size of the plot, and the size
        # of the plot depends on the width of the numbers. The plot never grows again when numbers
        # become shorter, so that it keeps its size from step to step.
        for _ in range(2):
            widths = (small.horizontalAdvance(text) for _, text in self._ticks(1))
            self._widest = max(0.0 if look.printing else self._widest, *widths, 0.0)
            left = self._widest + px(10) + (name_height if self._labels[1] else 0.0)
            rect = QRectF(left, rect.top(), max(1.0, self.width() - left - px(12)), height)
            self.area = PlotArea(rect, *self._ranges_in(rect))
        self._background = None
        self.update()

    def _ranges_in(self, rect: QRectF) -> tuple[Range, Range]:
        """Return the requested ranges; if ``equal``, one is widened until units are equal."""
        (left, right), (bottom, top) = self._requested_ranges
        if not self._equal:
            return self._requested_ranges
        unit = max((right - left) / rect.width(), (top - bottom) / rect.height())
        more_x = 0.5 * (unit * rect.width() - (right - left))
        more_y = 0.5 * (unit * rect.height() - (top - bottom))
        return (left - more_x, right + more_x), (bottom - more_y, top + more_y)

    def _ticks(self, axis: int) -> TickPairs:
        """Return position and text of each tick of axis 0 (x) or 1 (y)."""
        limits, own_ticks = self.ranges[axis], self._own_ticks.get(axis)
        if isinstance(own_ticks, list):
            return [tick for tick in own_ticks if limits[0] <= tick[0] <= limits[1]]
        make = own_ticks or ticks_of(self._kinds[axis], limits)
        length = self.area.rect.height() if axis else self.area.rect.width()
        return fitting_ticks(make, length, look_of(self), vertical=bool(axis))

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
            painter.setClipRect(self.area.rect)
            self._paint(ChartPainter(painter, self.area, look_of(self)))

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
        painter.setFont(look.font(LABEL))
        self._draw_ticks(painter)
        painter.setPen(QPen(QColor(look.theme.line_strong), look.metrics.stroke(1.0)))
        painter.drawRect(self.area.rect)
        painter.setFont(look.font(TEXT))
        painter.setPen(QColor(look.theme.muted))
        self._draw_name(painter, self._labels[0], vertical=False)
        self._draw_name(painter, self._labels[1], vertical=True)
        painter.restore()

    def _draw_ticks(self, painter: QPainter) -> None:
        look, plot = look_of(self), self.area.rect
        measure = QFontMetricsF(look.font(LABEL))
        height = measure.height()
        grid = QPen(QColor(look.theme.grid), look.metrics.stroke(1.0))
        ink = QPen(QColor(look.theme.axis))
        gap = look.metrics.px(4)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        middle = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
        for value, text in self._ticks(1):
            y = self.area.pixel(0.0, value).y()
            painter.setPen(grid)
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            painter.setPen(ink)
            painter.drawText(QRectF(0.0, y - height, plot.left() - gap, 2 * height), right, text)
        for value, text in self._ticks(0):
            x = self.area.pixel(value, 0.0).x()
            painter.setPen(grid)
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
            painter.setPen(ink)
            # A box wider than any number. The last number is not cut at the edge of the widget.
            x = min(x, self.width() - 0.5 * measure.horizontalAdvance(text))
            box = QRectF(x - 100.0, plot.bottom() + gap, 200.0, 2 * height)
            painter.drawText(box, middle, text)

    def _draw_name(self, painter: QPainter, name: str, *, vertical: bool) -> None:
        """Write the name of an axis at the middle of the plot, or as near as the widget allows.

        A name that is longer than the widget is elided. A symbol of one or two letters is upright.
        """
        measure = QFontMetricsF(painter.font())
        room = self.height() if vertical else self.width()
        is_upright, name = vertical and len(name) < 3, look_of(self).letters(name)
        name = measure.elidedText(name, Qt.TextElideMode.ElideRight, room)
        width = min(measure.horizontalAdvance(name) + 2.0, room)
        centre = self.area.rect.center()
        middle = min(max(centre.y() if vertical else centre.x(), 0.5 * width), room - 0.5 * width)
        painter.save()
        if is_upright:
            width = measure.height()
            painter.translate(0.0, middle - 0.5 * width)
        elif vertical:
            painter.translate(0.0, middle + 0.5 * width)
            painter.rotate(-90.0)
        else:
            painter.translate(middle - 0.5 * width, self.height() - measure.height())
        box = QRectF(0.0, 0.0, width, measure.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name)
        painter.restore()

    # Events of Qt.

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.pressed.emit(*self.area.to_data(event.position()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        signal = self.pressed if event.buttons() & Qt.MouseButton.LeftButton else self.hovered
        signal.emit(*self.area.to_data(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.released.emit()

    def leaveEvent(self, event: QEvent) -> None:
        self.left.emit()
        super().leaveEvent(event)
