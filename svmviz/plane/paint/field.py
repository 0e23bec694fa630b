"""The decision function: shades, the band between the margins, the contours."""

from __future__ import annotations

from itertools import accumulate, pairwise

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath

from svmviz.camera.camera import Camera
from svmviz.frames.frame import Field
from svmviz.plane.paint.axes import plot_rectangle
from svmviz.plane.paint.strokes import draw_polyline, polygon
from svmviz.plane.paint.style import Style, shades
from svmviz.theme import MARKS
from svmviz.theme.contrast import mix

# How much of its tint the band gets; the rest is the colour of the bare plane.
BAND_SHARE = 0.75
# Lines of the device in a strip of the image; Qt takes other threads from 96.
STRIP = 64


def draw_shades(painter: QPainter, field: Field, camera: Camera, style: Style) -> None:
    """Shade the plane by f, from an image with one pixel for each node of the grid."""
    rows, columns = field.shades.shape
    # Colours are looked up here because an indexed image takes twice as long to paint.
    pixels = shades(style.theme)[field.shades]
    # The image borrows the array, which lives until the image is painted.
    image = QImage(pixels.data, columns, rows, 4 * columns, QImage.Format.Format_RGB32)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, True)
    painter.save()
    for strip in _strips(camera, style):
        painter.setClipRect(strip)
        painter.drawImage(image_rectangle(field, camera), image)
    painter.restore()
    # Left on, it would make the stored pictures of points take four times as long.
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)


def _strips(camera: Camera, style: Style) -> list[QRectF]:
    """The plot in strips of so few lines that Qt paints them in the thread that asks.

    What has more lines it hands to threads of its own and waits for them, which takes long while
    solver and frames have the processors. In one piece where each strip would be stored, or might
    end within a pixel.
    """
    plot = plot_rectangle(camera)
    if style.exact or style.ratio % 1.0:
        return [plot]
    height = max(1.0, STRIP // style.ratio)
    tops = np.arange(plot.top(), plot.bottom(), height).tolist()
    return [
        QRectF(plot.left(), top, plot.width(), min(height, plot.bottom() - top)) for top in tops
    ]


def image_rectangle(field: Field, camera: Camera) -> QRectF:
    """Where the image of a field lies, in px: the centres of its pixels are the nodes."""
    window = field.window
    corners = np.array([[window.left, window.top], [window.right, window.bottom]])
    (left, top), (right, bottom) = camera.to_pixels(corners).tolist()
    across = (right - left) / (window.columns - 1)
    down = (bottom - top) / (window.rows - 1)
    return QRectF(left - 0.5 * across, top - 0.5 * down, right - left + across, bottom - top + down)


def draw_band(
    painter: QPainter,
    field: Field,
    camera: Camera,
    style: Style,
    task: str = "classification",
) -> None:
    """Fill where ``-1 <= f <= 1`` a little darker, each side of f = 0 in the tint of its class.

    The tube of a regression has one tint.

    The tints are opaque: filling with a translucent colour takes four times as long.
    """
    if field.values.min() == field.values.max():
        return  # before the first step f is 0 everywhere: a margin nowhere
    theme = style.theme
    below = theme.positive_band if task == "regression" else theme.negative_band
    for outlines, tint in zip(field.bands, (below, theme.positive_band), strict=True):
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.OddEvenFill)
        placed = _to_pixels([points for points, _ in outlines], camera)
        for pixels, (_, starts) in zip(placed, outlines, strict=True):
            for first, last in pairwise(starts.tolist()):
                path.addPolygon(polygon(pixels[first:last]))
        painter.fillPath(path, QColor(mix(theme.plane, tint, BAND_SHARE)))


def draw_contours(painter: QPainter, field: Field, camera: Camera, style: Style) -> None:
    """Draw the margins f = -1 and +1, and over them the boundary f = 0."""
    margin = style.pen(style.theme.margin, MARKS.margin_width)
    boundary = style.pen(style.theme.boundary, MARKS.boundary_width)
    for level, pen in ((-1.0, margin), (1.0, margin), (0.0, boundary)):
        painter.setPen(pen)
        for line in _to_pixels(field.contours[level], camera):
            draw_polyline(painter, line)


def _to_pixels(pieces: list[np.ndarray], camera: Camera) -> list[np.ndarray]:
    """Pixels of pieces of shape (m, 2) each, found for all of them together."""
    if not pieces:
        return []
    pixels = camera.to_pixels(np.concatenate(pieces))
    ends = list(accumulate(map(len, pieces), initial=0))
    return [pixels[first:last] for first, last in pairwise(ends)]
