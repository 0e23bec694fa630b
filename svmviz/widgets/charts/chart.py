"""A chart made with pyqtgraph, in the style of the window.

Menus, buttons, panning and automatic ranges of pyqtgraph are switched off. The owner of a chart
sets its curves and its ranges.
"""

from __future__ import annotations

import math
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QGraphicsGridLayout, QSizePolicy, QWidget

from svmviz.theme import CAPTION, Look, active, look_of
from svmviz.widgets.charts.chart_ticks import (
    WIDEST_NUMBER,
    linear_ticks,
    log_ticks,
    power_text,
    tick_texts,
)
from svmviz.widgets.charts.plot import PlotSize
from svmviz.widgets.styling import StyleFollower

# Kinds of an axis, see `ChartAxis`.
LINEAR, LOGARITHMIC, STEPS = "linear", "logarithmic", "steps"


class ChartAxis(pg.AxisItem):
    """Axis with as many round numbers as fit.

    Parameters
    ----------
    side : str
        "left" or "bottom".
    kind : str
        LINEAR, LOGARITHMIC (the coordinates are exponents of ten) or STEPS (whole numbers only).
    """

    def __init__(self, side: str, kind: str) -> None:
        super().__init__(side)
        self.kind = kind
        self.enableAutoSIPrefix(False)
        self.apply_style(active())

    def apply_style(self, look: Look) -> None:
        """Apply colours and sizes."""
        small = self._small = look.font(CAPTION)
        self.setTickFont(small)
        self.setTextPen(QPen(QColor(look.theme.axis)))
        self.setPen(pen(look.theme.line_strong, 1.0))
        gap = look.metrics.px(4)
        self.setStyle(
            tickLength=-look.metrics.px(4),
            tickTextOffset=gap,
            autoExpandTextSpace=False,
            hideOverlappingLabels=False,
        )
        measure = QFontMetricsF(small)
        if self.orientation == "left":
            self.setWidth(math.ceil(measure.horizontalAdvance(WIDEST_NUMBER)) + 2 * gap)
        else:
            self.setHeight(math.ceil(measure.height()) + 2 * gap)

    def _max_numbers(self, size: float) -> float:
        """Return the number of texts that fit along ``size`` px."""
        measure = QFontMetricsF(self._small)
        if self.orientation == "left":
            return max(2.0, size / (2.4 * measure.height()))
        return max(2.0, size / (1.6 * measure.horizontalAdvance("100,000")))

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list:
        max_numbers = self._max_numbers(size)
        # The first number of a pair is the ``spacing`` in `tickStrings`: 1.0 for ticks with a text.
        if self.kind == LOGARITHMIC:
            numbered, unnumbered = log_ticks(minVal, maxVal, max_numbers)
            return [(1.0, numbered), (0.5, unnumbered)]
        return [(1.0, linear_ticks(minVal, maxVal, max_numbers, whole=self.kind == STEPS))]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        if self.kind == LOGARITHMIC:
            return [power_text(value) if spacing == 1.0 else "" for value in values]
        if self.kind == STEPS:
            return [f"{value:,.0f}" for value in values]
        return tick_texts(values)


class Chart(StyleFollower, PlotSize, pg.GraphicsView):
    """Plot with a left and a bottom axis, and three signals for the mouse.

    Parameters
    ----------
    vertical, horizontal : str
        Kinds of the left and of the bottom axis. If ``horizontal`` is empty, the bottom axis is
        hidden.
    height : float
        Preferred height, px at scale 1.
    parent : QWidget, optional

    Attributes
    ----------
    view_box : pyqtgraph.ViewBox
        The rectangle in which data is drawn.

    Signals
    -------
    hovered(float, float)
        The mouse has moved to this position, in the coordinates of the chart.
    pressed(float, float)
        The left button was pressed or dragged at this position, in the coordinates of the chart.
    left()
        The mouse has left the plot.
    """

    hovered = Signal(float, float)
    pressed = Signal(float, float)
    left = Signal()

    def __init__(
        self,
        vertical: str = LINEAR,
        horizontal: str = STEPS,
        height: float = 120,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._height = height
        self._axes = {
            "left": ChartAxis("left", vertical),
            "bottom": ChartAxis("bottom", horizontal or STEPS),
        }
        self._axes["bottom"].setVisible(bool(horizontal))
        # The type hints of pyqtgraph are incomplete.
        box: Any = pg.ViewBox(enableMouse=False, enableMenu=False, defaultPadding=0)
        self.view_box: Any = box
        box.disableAutoRange()
        self._grid = self._lay_out()
        self.addItem, self.removeItem = box.addItem, box.removeItem
        self.enableMouse(False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.follow_style(Chart.apply_style)

    def _lay_out(self) -> QGraphicsGridLayout:
        """Place the axes around the view.

        pyqtgraph's ``PlotItem`` is not used, because it creates 43 widgets for menus, and each of
        them would get the style of the window.
        """
        content, grid = pg.GraphicsWidget(), QGraphicsGridLayout()
        grid.setSpacing(0)
        grid.addItem(self._axes["left"], 0, 0)
        grid.addItem(self.view_box, 0, 1)
        grid.addItem(self._axes["bottom"], 1, 1)
        grid.setColumnStretchFactor(1, 100)
        grid.setRowStretchFactor(0, 100)
        for axis in self._axes.values():
            axis.linkToView(self.view_box)
            axis.setZValue(0.5)
        content.setLayout(grid)
        self.setCentralItem(content)
        return grid

    def apply_style(self) -> None:
        """Apply the colours and sizes of the window."""
        look, modes = look_of(self), pg.GraphicsView.CacheModeFlag
        px = look.metrics.px
        # In an exported figure, the background is the page, so Qt must not paint and cache another.
        self.setCacheMode(modes.CacheNone if look.printing else modes.CacheBackground)
        self.setBackground(None if look.printing else look.theme.card)
        self.viewport().setAutoFillBackground(not look.printing)
        for axis in self._axes.values():
            axis.apply_style(look)
        # Without a bottom axis, a number of the left axis may extend below the plot by half of its
        # own height.
        bottom = px(2) if self._axes["bottom"].isVisible() else px(8)
        self._grid.setContentsMargins(px(2), px(8), px(12), bottom)

    def show_bottom(self, visible: bool) -> None:
        """Show or hide the bottom axis."""
        if visible != self._axes["bottom"].isVisible():
            self._axes["bottom"].setVisible(visible)
            self.apply_style()

    def set_ranges(self, x: tuple[float, float], y: tuple[float, float]) -> None:
        """Show these ranges, without margins."""
        current = self.view_box.viewRange()
        if current != [list(x), list(y)]:
            self.view_box.setRange(xRange=x, yRange=y, padding=0, disableAutoRange=True)

    def set_ticks(self, side: str, ticks: list[tuple[float, str]] | None) -> None:
        """Put ticks (position, text) on the axis "left" or "bottom"; None for round numbers."""
        self._axes[side].setTicks(None if ticks is None else [ticks])

    def plot_width(self) -> float:
        """Return the width of the rectangle in which data is drawn, px."""
        return self.view_box.width()

    def plot_height(self) -> float:
        """Return the height of the rectangle in which data is drawn, px."""
        return self.view_box.height()

    def to_chart(self, position: QPointF) -> QPointF:
        """Convert a position from px of the widget to the coordinates of the chart."""
        return self.view_box.mapSceneToView(self.mapToScene(position.toPoint()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            position = self.to_chart(event.position())
            self.pressed.emit(position.x(), position.y())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        position = self.to_chart(event.position())
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.pressed.emit(position.x(), position.y())
        else:
            self.hovered.emit(position.x(), position.y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def leaveEvent(self, event: QEvent) -> None:
        self.left.emit()
        super().leaveEvent(event)


def pen(colour: str, width: float, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
    """Return a pen of this width, px at scale 1, whatever the ranges of the plot are."""
    cosmetic_pen = QPen(QColor(colour), active().metrics.stroke(width), style)
    cosmetic_pen.setCosmetic(True)
    return cosmetic_pen
