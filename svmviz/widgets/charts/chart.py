"""A chart: two axes around data that its owner paints.

pyqtgraph gives the view, with its zooming and panning. The axes are painted into the background of
the view, which Qt caches until ranges, ticks, names or size change, and all data is one item of the
scene. So a frame costs 0.1 ms besides the painting of the data at 400 x 250 px, and 0.2 ms at
800 x 500 px (0.7 and 3 ms if pyqtgraph's axes paint ticks and grid lines in each frame).

Import this module only where a chart is made: pyqtgraph takes 0.1 s to import, and the first
picture of a start does not wait for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QStyleOptionGraphicsItem, QWidget

from svmviz.theme import LABEL, TEXT, look_of
from svmviz.widgets.charts.chart_axis import ChartAxis
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
from svmviz.widgets.charts.zoom_box import LEFT, MAX_ZOOM, ZoomBox
from svmviz.widgets.plain_text import set_tip
from svmviz.widgets.styling import StyleFollower

# Minimum width and height of a chart in an exported figure, px at scale 1. They are smaller than on
# screen, because text in a figure may be small.
MIN_PRINTED_SIZE = 120, 96
# Minimum height as a fraction of the preferred one: usually, and before an audience, where type is
# large and nobody scrolls.
MIN_SHARE, MIN_HALL_SHARE = 0.6, 0.36
# Distance from the cursor within which a drag moves it while the chart is zoomed in, px at scale 1.
CURSOR_REACH = 5.0
# Ranges that differ by this fraction of the whole are equal.
ROUNDING = 1e-6
ZOOM_TIP = "Wheel: zoom. Then a drag moves the chart, and a double click shows all of it."


class Chart(StyleFollower, pg.GraphicsView):
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
                # Without a run there is no lane.
                self.labels = frame.document.data.labels if lane else np.zeros(0)
                margins = self.labels * (lane.certificate.decision if lane else 0.0)
                self.points = np.column_stack([margins, np.maximum(0.0, 1.0 - margins)])
                self.chart.set_ranges((-2.0, 3.0), (-0.1, 3.0))
                self.chart.update()

            def _paint(self, paint):
                paint.curve([[-2.0, 3.0], [1.0, 0.0], [3.0, 0.0]], paint.theme.series[0])
                paint.points(self.points, self.labels)

    The wheel zooms, over an axis only along it. While the chart is zoomed in, a drag moves it, and
    a double click shows the whole again. In a panel that scrolls, the wheel scrolls over the plot
    of a whole chart, and zooms over its axes.

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
    zooms : bool
        Whether the user can zoom.
    height : float
        Preferred height, px at scale 1.

    Signals
    -------
    hovered(float, float)
        The mouse has moved to this position, in the coordinates of the chart.
    pressed(float, float)
        The left button was pressed or dragged at this position, in the coordinates of the chart. If
        the chart is zoomed in, only a click or a drag of what :meth:`grabs` names emits it.
    released()
        The left button was released.
    restored()
        A double click has shown the whole again. Its first click has emitted ``pressed``; the owner
        may undo the effect.
    left()
        The mouse has left the chart.
    """

    hovered = Signal(float, float)
    pressed = Signal(float, float)
    released = Signal()
    restored = Signal()
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
        zooms: bool = True,
        height: float = 200.0,
    ) -> None:
        super().__init__()
        # Names of the axes.
        self._labels = (x_label, y_label)
        self._kinds = (x, y)
        self._equal, self._zooms = equal, zooms
        self._height = height
        self._requested_ranges: tuple[Range, Range] = ((0.0, 1.0), (0.0, 1.0))
        # What is shown if nothing is zoomed: the requested ranges, one of them wider if ``equal``.
        self._whole = self._requested_ranges
        # The ranges that are zoomed into; None if the whole is shown.
        self._zoomed: tuple[Range, Range] | None = None
        self._own_ticks: dict[int, TickPairs | MakeTicks | None] = {}
        # Width of the widest label of the vertical axis since style or names have changed, px.
        self._widest = 0.0
        # The chart below or above that has the same axis of x.
        self._linked: Chart | None = None
        # Whether the left button is held for the owner.
        self._is_held = False
        self.area = PlotArea()
        self._box = ZoomBox(zooms=zooms, equal=equal)
        self._axes = [ChartAxis(self._box, vertical=vertical) for vertical in (False, True)]
        self._marks = _Marks(self, paint)
        # The type hints of pyqtgraph are incomplete.
        self._cursor: Any = None
        for item in (self._box, *self._axes, self._marks):
            self.addItem(item)
        if zooms:
            for axis in self._axes:
                set_tip(axis, ZOOM_TIP)
        self._box.sigRangeChangedManually.connect(self._on_zoomed)
        self._box.clicked.connect(self._on_clicked)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.follow_style(Chart._restyle)

    # State.

    @property
    def ranges(self) -> tuple[Range, Range]:
        """Ranges of x and of y that are shown."""
        return self.area.x, self.area.y

    @property
    def is_zoomed(self) -> bool:
        """Whether less than the whole is shown."""
        return self._zoomed is not None

    @property
    def cursor_x(self) -> float:
        """Position of the cursor."""
        return float(self._cursor.value())

    def nearest(self, points: np.ndarray, x: float, y: float, reach: float = 12.0) -> int | None:
        """Return the index of the point nearest to (x, y); None if none is within ``reach``.

        ``points``, shape (m, 2), and (x, y) are in the coordinates of the chart, ``reach`` is in px
        at scale 1.
        """
        return self.area.nearest(points, x, y, reach * look_of(self).metrics.controls)

    def grabs(self, x: float, y: float) -> bool:
        """Return whether a drag from (x, y) is for the owner even while the chart is zoomed in."""
        if self._cursor is None or not self._cursor.isVisible():
            return False
        distance = self.area.pixel(x, y).x() - self.area.pixel(self.cursor_x, y).x()
        return abs(distance) <= CURSOR_REACH * look_of(self).metrics.controls

    # Commands.

    def update(self, *_region: Any) -> None:
        """Paint the data again."""
        self.viewport().update()

    def set_ranges(self, x: Range, y: Range) -> None:
        """Set the ranges of the whole; with equal units on both axes, one range is widened.

        A range without width is widened, too. If the chart is zoomed in, it stays so unless the
        whole becomes smaller than the part shown, or is elsewhere.
        """
        x, y = widened(x), widened(y)
        if (x, y) != self._requested_ranges:
            self._requested_ranges = (x, y)
            self._arrange()

    def show_whole(self) -> None:
        """Show the whole again."""
        if self._zoomed is not None:
            # The numbers of a part may have been wider.
            self._zoomed, self._widest = None, 0.0
            self._arrange()

    def set_ticks(self, axis: int, ticks: TickPairs | MakeTicks | None) -> None:
        """Put ticks (position, text) on axis 0 (x) or 1 (y); None for round numbers.

        Instead of ticks, a function may be given that returns them for about a maximum number.
        """
        if ticks != self._own_ticks.get(axis):
            self._own_ticks[axis] = ticks
            self._arrange()

    def set_labels(self, x_label: str, y_label: str) -> None:
        """Change the names of the axes; then the chart is about something else, and is whole."""
        if (x_label, y_label) != self._labels:
            self._labels, self._zoomed = (x_label, y_label), None
            self._restyle()

    def set_kinds(self, x: str, y: str) -> None:
        """Change the kinds of the axes; the chart is then whole."""
        if (x, y) != self._kinds:
            self._kinds, self._zoomed = (x, y), None
            self._restyle()

    def set_cursor(self, x: float | None) -> None:
        """Put a vertical line at x; None for no line."""
        if self._cursor is None:
            self._cursor = pg.InfiniteLine(angle=90)
            self._box.addItem(self._cursor)
            self._style_cursor()
        self._cursor.setVisible(x is not None)
        if x is not None:
            self._cursor.setValue(x)

    def link_x(self, other: Chart) -> None:
        """Zoom and move two charts with one range of x together."""
        self._linked, other._linked = other, self

    def show_bottom(self, visible: bool) -> None:
        """Show or hide the bottom axis."""
        if visible != self._axes[0].isVisible():
            self._axes[0].setVisible(visible)
            self._arrange()

    # Layout.

    def sizeHint(self) -> QSize:
        px = look_of(self).metrics.px
        return QSize(px(280), px(self._height))

    def minimumSizeHint(self) -> QSize:
        look = look_of(self)
        if look.printing:
            return QSize(*map(look.metrics.px, MIN_PRINTED_SIZE))
        share = MIN_HALL_SHARE if look.metrics.in_hall else MIN_SHARE
        return QSize(look.metrics.px(160), look.metrics.px(share * self._height))

    def _restyle(self) -> None:
        look, modes = look_of(self), pg.GraphicsView.CacheModeFlag
        # In an exported figure, the background is the page, so Qt must not paint and cache another.
        self.setCacheMode(modes.CacheNone if look.printing else modes.CacheBackground)
        self.setBackground(None if look.printing else look.theme.card)
        self.viewport().setAutoFillBackground(not look.printing)
        self._style_cursor()
        self._widest = 0.0
        self._arrange()

    def _style_cursor(self) -> None:
        if self._cursor is not None:
            look = look_of(self)
            line = QPen(QColor(look.theme.focus), look.metrics.stroke(1.5))
            line.setCosmetic(True)
            self._cursor.setPen(line)

    def _arrange(self) -> None:
        """Lay out the axes. They are painted at the next paint event."""
        look = look_of(self)
        px, small = look.metrics.px, QFontMetricsF(look.font(LABEL))
        name_height = QFontMetricsF(look.font(TEXT)).height() + px(2)
        foot_height = small.height() + px(8) + (name_height if self._labels[0] else 0.0)
        if not self._axes[0].isVisible():
            # A number of the left axis may extend below the plot by half of its height.
            foot_height = px(8)
        elif self._own_ticks.get(0) == [] and not self._labels[0]:
            # The edge of the plot is as broad as this.
            foot_height = px(1)
        height = max(1.0, self.height() - foot_height - px(8))
        rect = QRectF(0.0, px(8), max(1.0, self.width()), height)
        self.area = PlotArea(rect, *(self._zoomed or self._requested_ranges))
        # There are two rounds: the numbers of an axis depend on the size of the plot, and the size
        # of the plot depends on the width of the numbers. The plot never grows again when numbers
        # become shorter, so that it keeps its size from step to step.
        for _ in range(2):
            widths = (small.horizontalAdvance(text) for _, text in self._ticks(1))
            linked = self._linked._widest if self._linked else 0.0
            self._widest = max(0.0 if look.printing else self._widest, *widths, linked)
            left = self._widest + px(10) + (name_height if self._labels[1] else 0.0)
            rect = QRectF(left, rect.top(), max(1.0, self.width() - left - px(12)), height)
            self._set_whole(self._ranges_in(rect))
            self.area = PlotArea(rect, *(self._zoomed or self._whole))
        self._box.show_part(rect, self.ranges, self._whole)
        for axis, item in enumerate(self._axes):
            item.arrange(self.rect(), self.area, self._ticks(axis), self._labels[axis], look)
        self._marks.prepareGeometryChange()
        self.resetCachedContent()
        self.update()
        if self._linked is not None and self._linked._widest < self._widest:
            # Plots one above the other begin at the same x.
            self._linked._arrange()

    def _set_whole(self, whole: tuple[Range, Range]) -> None:
        """Set the whole. The part shown moves into it; if it cannot, the whole is shown."""
        self._whole = whole
        if self._zoomed is None:
            return
        moved = []
        for (low, high), (first, last) in zip(self._zoomed, whole, strict=True):
            overlaps = low < last and high > first
            if not overlaps or high - low > (1.0 + ROUNDING) * (last - first):
                self._zoomed = None
                return
            shift = max(first - low, min(last - high, 0.0))
            moved.append((low + shift, high + shift))
        self._zoomed = moved[0], moved[1]

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

    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        """Draw the axes. Qt caches the picture."""
        super().drawBackground(painter, rect)
        look = look_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for axis in self._axes:
            axis.draw(painter)
        painter.setPen(QPen(QColor(look.theme.line_strong), look.metrics.stroke(1.0)))
        painter.drawRect(self.area.rect)

    # Zoom.

    def _on_zoomed(self, _mask: object) -> None:
        before, ((left, right), y) = self.area.rect, map(tuple, self._box.viewRange())
        self._zoom_to((left, right), y)
        lost = self.area.rect.left() - before.left()
        if self.is_zoomed and lost > 0.0:
            # Numbers have become wider. What is still shown stays where it is under the mouse.
            left += lost / before.width() * (right - left)
            least = (self._whole[0][1] - self._whole[0][0]) / MAX_ZOOM
            self._zoom_to((min(left, right - least), right), y)
        if self._linked is not None:
            self._linked._zoom_to(self.ranges[0], self._linked.ranges[1])

    def _zoom_to(self, x: Range, y: Range) -> None:
        """Show a part of the whole, or the whole if all of it is in these ranges."""
        is_part = any(
            high - low < (1.0 - ROUNDING) * (last - first)
            for (low, high), (first, last) in zip((x, y), self._whole, strict=True)
        )
        if is_part:
            self._zoomed = (x, y)
            self._arrange()
        else:
            self.show_whole()

    def _on_clicked(self, place: QPointF, is_second: bool) -> None:
        if not is_second:
            self.pressed.emit(*self.area.to_data(place))
            self.released.emit()
            return
        for chart in (self, self._linked):
            if chart is not None:
                chart.show_whole()
        self.restored.emit()

    def _scrolls(self, place: QPointF) -> bool:
        """Return whether the wheel at a place scrolls the panel around the chart."""
        area = self.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        if area is None or not self.area.rect.contains(place):
            return False
        bar = area.verticalScrollBar()
        return bar.maximum() > bar.minimum()

    # Events of Qt.

    def close(self) -> bool:
        # pyqtgraph would delete the scene, though a closed chart can be shown again.
        return QWidget.close(self)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        # pyqtgraph calls this without an event while it makes the view.
        if event is not None:
            if self._equal:
                self._zoomed = None
            self._arrange()

    def wheelEvent(self, event: QWheelEvent) -> None:
        is_inwards = event.angleDelta().y() > 0 and not self._scrolls(event.position())
        if self._zooms and (self.is_zoomed or is_inwards):
            super().wheelEvent(event)
        else:
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.area.to_data(event.position())
        if event.button() != LEFT or (self.is_zoomed and not self.grabs(*place)):
            super().mousePressEvent(event)
        else:
            self._is_held = True
            self.pressed.emit(*place)
        # Whatever pyqtgraph does with a press, it must not reach the widgets around the chart.
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not event.buttons():
            self.hovered.emit(*self.area.to_data(event.position()))
        elif self._is_held:
            self.pressed.emit(*self.area.to_data(event.position()))
        else:
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == LEFT and self._is_held:
            self._is_held = False
            self.released.emit()
        else:
            super().mouseReleaseEvent(event)
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == LEFT and not self.is_zoomed:
            self.mousePressEvent(event)
        else:
            super().mouseDoubleClickEvent(event)
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self.left.emit()


class _Marks(pg.GraphicsObject):
    """The data of a chart."""

    def __init__(self, chart: Chart, paint: Callable[[ChartPainter], None]) -> None:
        super().__init__()
        self._chart, self._paint = chart, paint
        # Below the cursor.
        self.setZValue(-200)

    def boundingRect(self) -> QRectF:
        return QRectF(self._chart.rect())

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        area = self._chart.area
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(area.rect, Qt.ClipOperation.IntersectClip)
        self._paint(ChartPainter(painter, area, look_of(self._chart)))
