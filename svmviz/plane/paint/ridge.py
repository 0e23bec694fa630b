"""The curve of kernel ridge regression: dashed, beside the tube."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter

from svmviz.base.strokes import draw_polyline
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.names import Name, name_beside

WIDTH = 2.0
# Where the name stands, as a fraction of the width of the plot.
NAME_AT = 0.9


def draw_ridge(painter: QPainter, canvas: Canvas, curve: np.ndarray) -> None:
    """Paint the curve, shape (m, 2), data units."""
    pen = canvas.style.pen(canvas.style.theme.series[1], WIDTH)
    pen.setStyle(Qt.PenStyle.DashLine)
    painter.setPen(pen)
    draw_polyline(painter, canvas.camera.to_pixels(curve))


def names_of_ridge(canvas: Canvas, curve: np.ndarray) -> list[Name]:
    """Return the name of the curve, at the right on the side away from f."""
    camera, lane = canvas.camera, canvas.lane
    pixels = camera.to_pixels(curve)
    at = camera.left + NAME_AT * camera.plot_width
    column = int(np.abs(pixels[:, 0] - at).argmin())
    side = -1.0
    if lane is not None:
        x = curve[column, 0] / canvas.document.factors[0]
        side = 1.0 if curve[column, 1] < float(lane.expansion(np.array([[x]]))[0]) else -1.0
    beside = np.array([0.0, side])
    colour = canvas.style.theme.series[1]
    return [name_beside(canvas, "kernel ridge", pixels[column], beside, colour)]
