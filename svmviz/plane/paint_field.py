"""The decision function: shades, the band between the margins, the contours."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPainterPath

from svmviz.frame import Field
from svmviz.plane.camera import Camera
from svmviz.plane.strokes import draw_polyline, polygon
from svmviz.plane.style import Style, faded, shades
from svmviz.theme import MARKS


def draw_shades(painter: QPainter, field: Field, camera: Camera, style: Style) -> None:
    """Shade the plane by f, from an image with one pixel for each node of the grid."""
    rows, columns = field.shades.shape
    # The image borrows the array, which the field keeps alive until it is painted.
    image = QImage(field.shades.data, columns, rows, columns, QImage.Format.Format_Indexed8)
    image.setColorTable(shades(style.theme))
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, True)
    painter.drawImage(image_rectangle(field, camera), image)


def image_rectangle(field: Field, camera: Camera) -> QRectF:
    """Where the image of a field lies, in px: the centres of its pixels are the nodes."""
    window = field.window
    corners = np.array([[window.left, window.top], [window.right, window.bottom]])
    (left, top), (right, bottom) = camera.to_pixels(corners).tolist()
    across = (right - left) / (window.columns - 1)
    down = (bottom - top) / (window.rows - 1)
    return QRectF(left - 0.5 * across, top - 0.5 * down, right - left + across, bottom - top + down)


def draw_band(painter: QPainter, field: Field, camera: Camera, style: Style) -> None:
    """Fill where ``-1 <= f <= 1`` a little darker, each side of f = 0 in the tint of its class."""
    tints = (style.theme.negative_band, style.theme.positive_band)
    for outlines, tint in zip(field.bands, tints, strict=True):
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.OddEvenFill)
        for points, starts in outlines:
            pixels = camera.to_pixels(points)
            for first, last in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
                path.addPolygon(polygon(pixels[first:last]))
        painter.fillPath(path, faded(tint, 0.75))


def draw_contours(painter: QPainter, field: Field, camera: Camera, style: Style) -> None:
    """Draw the margins f = -1 and +1, and over them the boundary f = 0."""
    margin = style.pen(style.theme.margin, MARKS.margin_width)
    boundary = style.pen(style.theme.boundary, MARKS.boundary_width)
    for level, pen in ((-1.0, margin), (1.0, margin), (0.0, boundary)):
        painter.setPen(pen)
        for line in field.contours[level]:
            draw_polyline(painter, camera.to_pixels(line))
