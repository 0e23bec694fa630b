"""A chart of curves that a reader zooms into, made with pyqtgraph.

The wheel zooms, over an axis only along it. While the chart is zoomed in, a drag moves it, and a
double click shows the whole again. pyqtgraph gives axes, zooming and panning; its menus and buttons
are switched off.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QGraphicsGridLayout, QSizePolicy, QStyleOptionGraphicsItem, QWidget

from svmviz.theme import LABEL, TEXT, Look, active, look_of
from svmviz.widgets.charts.chart import ChartSize
from svmviz.widgets.charts.chart_painter import ChartPainter
from svmviz.widgets.charts.plot_area import (
    LINEAR,
    WIDEST_NUMBER,
    PlotArea,
    Range,
    fitting_ticks,
    ticks_of,
    widened,
)
from svmviz.widgets.styling import StyleFollower

# Maximum factor by which a chart is zoomed in.
MAX_ZOOM = 1000.0
# Margin at the right, px at scale 1: half of the last label extends into it.
RIGHT = 20.0
ZOOM_TIP = "Wheel: zoom. Then a drag moves the chart, and a double click shows all of it."


class CurveChart(StyleFollower, ChartSize, pg.GraphicsView):
    """Axes of pyqtgraph around data that a function of the owner paints, as in a :class:`Chart`.

    It has the parameters of a Chart. It also has the signals of a Chart, with two differences.

    Signals
    -------
    pressed(float, float)
        The mouse was clicked at this position, in the coordinates of the chart. A drag emits one
        signal per position if it drags the cursor, or if the chart is not zoomed in. If it is
        zoomed in, a drag moves the chart instead.
    restored()
        A double click has shown the whole again. Its first click has emitted ``pressed``; the owner
        may undo the effect.
    """

    hovered = Signal(float, float)
    pressed = Signal(float, float)
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
        height: float = 120.0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._height = height
        self._whole: tuple[Range, Range] = ((0.0, 1.0), (0.0, 1.0))
        self._axes = {"left": _Axis("left", y, y_label), "bottom": _Axis("bottom", x, x_label)}
        self._box = _ZoomBox(self)
        self._marks = _Marks(self._box, lambda painter: paint(self._painter(painter)))
        # The type hints of pyqtgraph are incomplete.
        self._cursor: Any = pg.InfiniteLine(angle=90, movable=True)
        self._cursor.sigDragged.connect(lambda line: self.pressed.emit(line.value(), 0.0))
        self._cursor.setVisible(False)
        self._box.addItem(self._cursor)
        self._grid = self._lay_out()
        self.enableMouse(False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        # The type hints of pyqtgraph are incomplete.
        scene: Any = self.scene()
        scene.sigMouseMoved.connect(self._on_moved)
        self.follow_style(CurveChart._restyle)

    def _lay_out(self) -> QGraphicsGridLayout:
        """Place the axes around the view.

        pyqtgraph's ``PlotItem`` is not used, because it creates 43 widgets for menus, and each of
        them would get the style of the window.
        """
        content, grid = pg.GraphicsWidget(), QGraphicsGridLayout()
        grid.setSpacing(0)
        grid.addItem(self._axes["left"], 0, 0)
        grid.addItem(self._box, 0, 1)
        grid.addItem(self._axes["bottom"], 1, 1)
        grid.setColumnStretchFactor(1, 100)
        grid.setRowStretchFactor(0, 100)
        for axis in self._axes.values():
            axis.linkToView(self._box)
            axis.setZValue(0.5)
        content.setLayout(grid)
        self.setCentralItem(content)
        return grid

    # State.

    @property
    def area(self) -> PlotArea:
        """The rectangle in which data is drawn, px of the widget, and the ranges shown."""
        rect = self.viewportTransform().mapRect(self._box.mapRectToScene(self._box.rect()))
        return PlotArea(rect, *self.ranges)

    @property
    def ranges(self) -> tuple[Range, Range]:
        """Ranges of x and of y that are shown."""
        (left, right), (bottom, top) = self._box.viewRange()
        return (left, right), (bottom, top)

    @property
    def is_zoomed(self) -> bool:
        """Whether less than the whole is shown."""
        return any(
            high - low < (1.0 - 1e-6) * (last - first)
            for (low, high), (first, last) in zip(self.ranges, self._whole, strict=True)
        )

    @property
    def cursor_x(self) -> float:
        """Position of the cursor."""
        return float(self._cursor.value())

    # Commands.

    def set_ranges(self, x: Range, y: Range) -> None:
        """Set the ranges of the whole; they are shown unless the chart is zoomed in.

        A range without width is widened.
        """
        x, y = widened(x), widened(y)
        if (x, y) == self._whole:
            return
        was_zoomed, self._whole = self.is_zoomed, (x, y)
        x_span, y_span = (x[1] - x[0]) / MAX_ZOOM, (y[1] - y[0]) / MAX_ZOOM
        self._box.setLimits(
            xMin=x[0], xMax=x[1], yMin=y[0], yMax=y[1], minXRange=x_span, minYRange=y_span
        )
        if not was_zoomed:
            self.show_whole()

    def show_whole(self) -> None:
        """Show the whole again."""
        x, y = self._whole
        self._box.setRange(xRange=x, yRange=y, padding=0, disableAutoRange=True)

    def set_labels(self, x_label: str, y_label: str) -> None:
        """Change the names of the axes."""
        for side, name in (("bottom", x_label), ("left", y_label)):
            self._axes[side].set_name(name)

    def set_kinds(self, x: str, y: str) -> None:
        """Change the kinds of the axes."""
        for side, kind in (("bottom", x), ("left", y)):
            self._axes[side].set_kind(kind)

    def set_cursor(self, x: float | None) -> None:
        """Put a vertical line at x, which can be dragged; None for no line."""
        self._cursor.setVisible(x is not None)
        if x is not None:
            self._cursor.setValue(x)

    def link_x(self, other: CurveChart) -> None:
        """Zoom and move two charts with one range of x together."""
        for chart, follower in ((self, other), (other, self)):
            chart._box.sigRangeChangedManually.connect(partial(follower._follow, chart))
            chart.restored.connect(follower.show_whole)

    def _follow(self, chart: CurveChart, _mask: object) -> None:
        self._box.setRange(xRange=chart.ranges[0], padding=0)

    def show_bottom(self, visible: bool) -> None:
        """Show or hide the bottom axis."""
        if visible != self._axes["bottom"].isVisible():
            self._axes["bottom"].setVisible(visible)
            self._restyle()

    def update(self, *_region: Any) -> None:
        """Paint the data again."""
        self._marks.update()

    # Looks.

    def _restyle(self) -> None:
        look, modes = look_of(self), pg.GraphicsView.CacheModeFlag
        px = look.metrics.px
        # In an exported figure, the background is the page, so Qt must not paint and cache another.
        self.setCacheMode(modes.CacheNone if look.printing else modes.CacheBackground)
        self.setBackground(None if look.printing else look.theme.card)
        self.viewport().setAutoFillBackground(not look.printing)
        for axis in self._axes.values():
            axis.restyle(look)
        line = QPen(QColor(look.theme.focus), look.metrics.stroke(1.5))
        line.setCosmetic(True)
        self._cursor.setPen(line)
        self._cursor.setHoverPen(line)
        # Without a bottom axis, a number of the left axis may extend below the plot by half of its
        # own height.
        bottom = px(2) if self._axes["bottom"].isVisible() else px(8)
        self._grid.setContentsMargins(px(2), px(8), px(RIGHT), bottom)

    def _painter(self, painter: QPainter) -> ChartPainter:
        return ChartPainter(painter, PlotArea(self._box.rect(), *self.ranges), look_of(self))

    # Mouse.

    def _on_moved(self, place: QPointF) -> None:
        position = self._box.mapSceneToView(place)
        self.hovered.emit(position.x(), position.y())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        # Whatever pyqtgraph does with a press, it must not reach the widgets around the chart.
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self.left.emit()
        super().leaveEvent(event)


class _ZoomBox(pg.ViewBox):
    """The view of a chart: pyqtgraph's zooming and panning, and clicks for the owner."""

    def __init__(self, chart: CurveChart) -> None:
        super().__init__(enableMenu=False, defaultPadding=0)
        self._chart = chart
        self.disableAutoRange()

    def wheelEvent(self, ev: Any, axis: int | None = None) -> None:
        # If the whole is shown, one cannot zoom out. Then the wheel scrolls the panel.
        if ev.delta() < 0 and not self._chart.is_zoomed:
            ev.ignore()
        else:
            super().wheelEvent(ev, axis)

    def mouseDragEvent(self, ev: Any, axis: int | None = None) -> None:
        if axis is None and ev.button() == Qt.MouseButton.LeftButton and not self._chart.is_zoomed:
            ev.accept()
            self._press(ev)
        else:
            super().mouseDragEvent(ev, axis)

    def mouseClickEvent(self, ev: Any) -> None:
        if ev.button() != Qt.MouseButton.LeftButton:
            return
        ev.accept()
        if ev.double() and self._chart.is_zoomed:
            self._chart.show_whole()
            self._chart.restored.emit()
        else:
            self._press(ev)

    def _press(self, ev: Any) -> None:
        position = self.mapSceneToView(ev.scenePos())
        self._chart.pressed.emit(position.x(), position.y())


class _Marks(pg.GraphicsObject):
    """The data of a chart, painted in px of the view."""

    def __init__(self, box: Any, paint: Callable[[QPainter], None]) -> None:
        super().__init__(box)
        self._box, self._paint = box, paint
        # Below the cursor.
        self.setZValue(-1)
        box.sigRangeChanged.connect(self._on_changed)
        box.sigResized.connect(self._on_changed)

    def _on_changed(self, *_: object) -> None:
        self.prepareGeometryChange()
        self.update()

    def boundingRect(self) -> QRectF:
        return self._box.rect()

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint(painter)


class _Axis(pg.AxisItem):
    """An axis with the ticks of :func:`fitting_ticks`; its size does not depend on its numbers."""

    def __init__(self, side: str, kind: str, name: str) -> None:
        super().__init__(side)
        self._kind, self._name = kind, name
        self._texts: dict[float, str] = {}
        self.enableAutoSIPrefix(False)
        self.restyle(active())

    def set_name(self, name: str) -> None:
        if name != self._name:
            self._name = name
            self.restyle(self._look)

    def set_kind(self, kind: str) -> None:
        if kind != self._kind:
            self._kind = kind
            self.restyle(self._look)

    def restyle(self, look: Look) -> None:
        """Apply name, colours and sizes."""
        self._look = look
        small, body = look.font(LABEL), look.font(TEXT)
        self.setTickFont(small)
        self.setTextPen(QPen(QColor(look.theme.axis)))
        line = QPen(QColor(look.theme.line_strong), look.metrics.stroke(1.0))
        line.setCosmetic(True)
        self.setPen(line)
        gap = look.metrics.px(4)
        self.setStyle(
            tickLength=-gap,
            tickTextOffset=gap,
            autoExpandTextSpace=False,
            # Length by which a label may extend beyond the axis, px.
            hideOverlappingLabels=look.metrics.px(RIGHT),
        )
        # pyqtgraph takes the name of an axis for HTML.
        self.setLabel(html.escape(look.letters(self._name)), color=look.theme.muted)
        if self.label is not None:
            self.label.setFont(body)
        measure = QFontMetricsF(small)
        name = math.ceil(QFontMetricsF(body).height()) if self._name else 0
        if self.orientation == "left":
            self.setWidth(math.ceil(measure.horizontalAdvance(WIDEST_NUMBER)) + 2 * gap + name)
        else:
            self.setHeight(math.ceil(measure.height()) + 2 * gap + name)

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list:
        make, vertical = ticks_of(self._kind, (minVal, maxVal)), self.orientation == "left"
        self._texts = dict(fitting_ticks(make, size, self._look, vertical=vertical))
        labelled = [value for value, text in self._texts.items() if text]
        return [(1.0, labelled), (0.5, [value for value, text in self._texts.items() if not text])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [self._texts.get(value, "") for value in values]
