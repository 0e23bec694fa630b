"""Line and mark of each lane on the chart of a race: distances from P*, over the clock.

A mark is a dot at the step of its lane. It becomes a flag when the lane has arrived: its method has
met its tolerance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPolygonF

from solvers import Run
from svmviz.frames.clocks import MICROSECONDS_PER_SECOND, SECONDS, Clock
from svmviz.frames.objective_curves import ObjectiveCurve
from svmviz.panels.objective.reference import Optimum
from svmviz.theme import Theme
from svmviz.widgets.charts.chart_painter import ChartPainter

# Diameter of a dot; corners of a flag with its pole, whose foot is at (0, 0); px at scale 1.
DOT, FLAG = 9.0, ((0.0, 0.0), (0.0, -17.0), (12.2, -12.9), (0.0, -8.2))
# P* is the smallest possible primal P. Distances P - P* below this fraction of |P*| are rounding
# error.
ROUNDING = 1e-9


def log_readings(curve: ObjectiveCurve, clock: Clock, run: Run) -> np.ndarray:
    """Return log10 of the clock's readings at a curve's samples, shape (m,)."""
    if clock is SECONDS:
        # Not in whole microseconds, since several steps together may take less than one.
        readings = np.array(
            [MICROSECONDS_PER_SECOND * run.trace.seconds_at_step(int(s)) for s in curve.steps]
        )
    else:
        readings = np.array([clock.reading(run, int(step)) for step in curve.steps])
    return np.log10(np.maximum(readings, 1))


def distances(curve: ObjectiveCurve, optimum: Optimum) -> np.ndarray:
    """Return ``P - P*`` at the samples of a curve, shape (m,); NaN where it is rounding error."""
    distance = curve.primal - optimum.value
    rounding_error = ROUNDING * max(abs(optimum.value), 1e-300)
    return np.where(distance > rounding_error, distance, np.nan)


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
            # At the right edge the flag is to the left of its pole.
            width = max(paint.px(x) for x, _ in FLAG)
            side = 1.0 if foot.x() + width <= paint.area.rect.right() else -1.0
            corners = [foot + QPointF(side * paint.px(x), paint.px(y)) for x, y in FLAG]
            paint.painter.drawPolygon(QPolygonF(corners))
        else:
            paint.dots(place, series_colour(theme, mark.series), DOT, edge=theme.plane)


def series_colour(theme: Theme, lane: int) -> str:
    """Return the colour of a lane."""
    return theme.series[lane % len(theme.series)]
