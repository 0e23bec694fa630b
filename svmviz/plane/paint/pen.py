"""The strokes of the pen."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter

from svmviz.base.strokes import draw_polyline
from svmviz.document.pen import COLOURS
from svmviz.plane.paint.canvas import Canvas

# Widths of a stroke, and of the line in the colour of the plane below it, px at scale 1.
WIDTH, BACKING = 3.5, 6.0


def draw_strokes(painter: QPainter, canvas: Canvas) -> None:
    """Draw the strokes, each of which is above the earlier ones."""
    style, theme = canvas.style, canvas.style.theme
    for stroke in style.options.strokes:
        pixels = canvas.camera.to_pixels(np.array(stroke.places))
        colour = theme.series[COLOURS.index(stroke.colour)]
        for shade, width in ((theme.plane, BACKING), (colour, WIDTH)):
            painter.setPen(style.pen(shade, width))
            if len(pixels) > 1:
                draw_polyline(painter, pixels)
            else:
                painter.drawPoint(QPointF(*pixels[0].tolist()))
