"""The dashed line or curve of a model with another loss, and its name."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter

from solvers.geometry.lines import Line
from svmviz.base.strokes import draw_polyline
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.lines import draw_line, ends_of, visible_places
from svmviz.plane.paint.names import BoxName, name_beside

WIDTH = 2.0
# Where the name stands, as a fraction of the visible part of the line.
NAME_AT_LINE = 0.92


def draw_logistic(painter: QPainter, canvas: Canvas, line: Line) -> None:
    """Paint the line on which f of logistic regression is 0."""
    pen = canvas.style.pen(canvas.style.theme.series[2], WIDTH)
    pen.setStyle(Qt.PenStyle.DashLine)
    painter.setPen(pen)
    draw_line(painter, ends_of(canvas, line))


def names_of_logistic(canvas: Canvas, line: Line) -> list[BoxName]:
    """Return the name of the line, near its end at the right."""
    start, end = np.array(sorted(ends_of(canvas, line).tolist()))
    inside = visible_places(canvas, start, end)
    if not len(inside):
        return []
    along = end - start
    beside = np.array([along[1], -along[0]]) / (np.hypot(*along) or 1.0)
    place = inside[int(NAME_AT_LINE * (len(inside) - 1))]
    return [name_beside(canvas, "logistic", place, beside, canvas.style.theme.series[2])]


# Where the name stands, as a fraction of the width of the plot.
NAME_AT_CURVE = 0.9


def draw_ridge(painter: QPainter, canvas: Canvas, curve: np.ndarray) -> None:
    """Paint the curve, shape (m, 2), data units."""
    pen = canvas.style.pen(canvas.style.theme.series[1], WIDTH)
    pen.setStyle(Qt.PenStyle.DashLine)
    painter.setPen(pen)
    draw_polyline(painter, canvas.camera.to_pixels(curve))


def names_of_ridge(canvas: Canvas, curve: np.ndarray) -> list[BoxName]:
    """Return the name of the curve, at the right on the side away from f."""
    camera, lane = canvas.camera, canvas.lane
    pixels = camera.to_pixels(curve)
    at = camera.left + NAME_AT_CURVE * camera.plot_width
    column = int(np.abs(pixels[:, 0] - at).argmin())
    side = -1.0
    if lane is not None:
        x = curve[column, 0] / canvas.document.factors[0]
        side = 1.0 if curve[column, 1] < float(lane.expansion(np.array([[x]]))[0]) else -1.0
    beside = np.array([0.0, side])
    colour = canvas.style.theme.series[1]
    return [name_beside(canvas, "kernel ridge", pixels[column], beside, colour)]
