"""Marks on the chart of a race: one per lane, at its step.

A mark is a dot. It becomes a flag when the lane has arrived: its method has met its tolerance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import pyqtgraph as pg
from PySide6.QtGui import QColor, QPainterPath

from svmviz.theme import active
from svmviz.widgets.charts.chart import Chart

# Diameter of a dot and height of a flag, px at scale 1. A flag fills only the upper half of its
# symbol, so the symbol has twice this height; see `_flag`.
DOT, FLAG = 9, 17


class Mark(NamedTuple):
    """Mark of one lane on the chart.

    Attributes
    ----------
    x, y : float
        Position in coordinates of the chart; NaN if the lane has no mark.
    series : int
        Index of the lane's colour in the theme.
    arrived : bool
        Whether the lane has met its tolerance. The mark is then a flag.
    """

    x: float
    y: float
    series: int
    arrived: bool


class RaceMarks:
    """The marks of all lanes.

    Parameters
    ----------
    chart : Chart
    """

    def __init__(self, chart: Chart) -> None:
        self._dots, self._flags = pg.ScatterPlotItem(), pg.ScatterPlotItem(symbol=_flag())
        self.shown: tuple[Mark, ...] = ()
        for item in (self._dots, self._flags):
            item.setZValue(10)
            chart.addItem(item)

    def show(self, marks: Sequence[Mark]) -> None:
        """Show these marks, without those at NaN, in place of the marks shown before."""
        finite = tuple(mark for mark in marks if math.isfinite(mark.x + mark.y))
        if finite != self.shown:
            self.shown = finite
            self.draw()

    def draw(self) -> None:
        """Draw the marks in the colours and sizes of the theme."""
        theme, px = active().theme, active().metrics.px
        series = theme.series
        for item, size, arrived in ((self._dots, DOT, False), (self._flags, 2 * FLAG, True)):
            item.setData(
                [
                    {
                        "pos": (mark.x, mark.y),
                        "size": px(size),
                        "brush": pg.mkBrush(QColor(series[mark.series % len(series)])),
                        "pen": pg.mkPen(QColor(theme.text if arrived else theme.plane), width=1),
                    }
                    for mark in self.shown
                    if mark.arrived == arrived
                ]
            )


def _flag() -> QPainterPath:
    """Return a pole with a flag, in units of the size of the symbol.

    pyqtgraph centres a symbol on its point. The foot of the pole must stand there, at (0, 0). So
    pole and flag fill only the upper half of the symbol: the top of the pole is at (0, -0.5).
    """
    path = QPainterPath()
    path.moveTo(0.0, 0.0)
    path.lineTo(0.0, -0.5)
    path.lineTo(0.36, -0.38)
    path.lineTo(0.0, -0.24)
    path.closeSubpath()
    return path
