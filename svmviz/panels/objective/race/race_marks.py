"""Marks on the chart of a race: one per lane, at its step.

A mark is a dot. It becomes a flag when the lane has arrived: its method has met its tolerance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPolygonF

from svmviz.theme import Theme
from svmviz.widgets.charts.chart_painter import ChartPainter

# Diameter of a dot; corners of a flag with its pole, whose foot is at (0, 0); px at scale 1.
DOT, FLAG = 9.0, ((0.0, 0.0), (0.0, -17.0), (12.2, -12.9), (0.0, -8.2))


class Mark(NamedTuple):
    """Mark of one lane on the chart.

    Attributes
    ----------
    x, y : float
        Position in coordinates of the chart.
    series : int
        Index of the lane's colour in the theme.
    arrived : bool
        Whether the lane has met its tolerance. The mark is then a flag.
    """

    x: float
    y: float
    series: int
    arrived: bool


def paint_marks(paint: ChartPainter, marks: Sequence[Mark]) -> None:
    """Paint the mark of each lane."""
    theme = paint.theme
    for mark in marks:
        place = np.array([[mark.x, mark.y]])
        if mark.arrived:
            foot = paint.area.pixel(mark.x, mark.y)
            paint.set_pen(theme.text, 1.0)
            paint.painter.setBrush(QColor(series_colour(theme, mark.series)))
            corners = [foot + QPointF(*map(paint.px, corner)) for corner in FLAG]
            paint.painter.drawPolygon(QPolygonF(corners))
        else:
            paint.dots(place, series_colour(theme, mark.series), DOT, edge=theme.plane)


def series_colour(theme: Theme, lane: int) -> str:
    """Return the colour of a lane."""
    return theme.series[lane % len(theme.series)]
