"""The decision function: shades, the band between the margins, the contours.

With the shading "sure", colours are strong where ``|f|`` is large and pale in the band, so that a
strong colour means a sure decision. Otherwise the band has the strong colours.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate, pairwise

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath

from solvers.problem.expansion import freeze
from svmviz.camera.camera import Camera
from svmviz.frames.frame import Field
from svmviz.plane.paint.axes import plot_rectangle
from svmviz.plane.paint.strokes import draw_polyline, polygon
from svmviz.plane.paint.style import Style
from svmviz.theme import MARKS, Theme
from svmviz.theme.contrast import mix

# Lines of the device in a strip of the image. If an image has 96 lines or more, Qt paints it in
# several threads.
STRIP_LINES = 64
# Fraction of the tint in a strong and in a pale band; the rest is the colour of the plane.
STRONG_BAND, PALE_BAND = 0.75, 0.6
# The strength of a shade is a power of the level |f| / (0.3 + |f|), which is 0.77 at the margin.
# Exponent for the shading "sure", and for the other shading, which gets strong more quickly.
SURE_EXPONENT, QUICK_EXPONENT = 0.8, 0.4


@lru_cache(maxsize=8)
def shades(theme: Theme, shading: str = "sure") -> np.ndarray:
    """Return the colours for ``Field.shades``, from f = -infinity to +infinity, shape (256,).

    A colour is 0xffrrggbb: that of the plane at f = 0, the full colour of a class at the ends. With
    the shading "sure" it changes over the whole range, otherwise mostly within ``|f| < 1``.
    """
    sure = shading == "sure"
    ends = (
        (theme.negative_band, theme.positive_band)
        if sure
        else (theme.negative_field, theme.positive_field)
    )
    colours = []
    for place in range(256):
        level = (place - 127.5) / 127.5
        strength = abs(level) ** (SURE_EXPONENT if sure else QUICK_EXPONENT)
        colours.append(QColor(mix(theme.plane, ends[level > 0], strength)).rgba())
    return freeze(np.array(colours, dtype=np.uint32))


def band_tints(theme: Theme, shading: str, task: str = "classification") -> tuple[str, str]:
    """Return the tints of the band for f < 0 and f > 0; the tube of a regression has one."""
    if task == "regression" or shading != "sure":
        below = theme.positive_band if task == "regression" else theme.negative_band
        return mix(theme.plane, below, STRONG_BAND), mix(
            theme.plane, theme.positive_band, STRONG_BAND
        )
    return mix(theme.plane, theme.negative_field, PALE_BAND), mix(
        theme.plane, theme.positive_field, PALE_BAND
    )


def draw_shades(painter: QPainter, field: Field, camera: Camera, style: Style) -> None:
    """Shade the plane by f, from an image with one pixel for each node of the grid."""
    rows, columns = field.shades.shape
    # The colours are looked up here, since an indexed image takes twice as long to paint.
    pixels = shades(style.theme, style.options.shading)[field.shades]
    # The image uses the memory of the array, which must live until the image is painted.
    image = QImage(pixels.data, columns, rows, 4 * columns, QImage.Format.Format_RGB32)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, True)
    painter.save()
    for strip in _strips(camera, style):
        painter.setClipRect(strip)
        painter.drawImage(image_rectangle(field, camera), image)
    painter.restore()
    # Smoothing is switched off again: with it, stored pictures of points take four times as long to
    # draw.
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)


def _strips(camera: Camera, style: Style) -> list[QRectF]:
    """Return the plot in strips of few enough lines for Qt to paint them in this thread.

    Qt paints larger images in threads of its own and waits for them; that takes long while the
    solver uses the processors. The plot stays in one piece for vector formats, which would store
    each strip, and if a strip could end within a pixel.
    """
    plot = plot_rectangle(camera)
    if style.vector or style.ratio % 1.0:
        return [plot]
    height = max(1.0, STRIP_LINES // style.ratio)
    tops = np.arange(plot.top(), plot.bottom(), height).tolist()
    return [
        QRectF(plot.left(), top, plot.width(), min(height, plot.bottom() - top)) for top in tops
    ]


def image_rectangle(field: Field, camera: Camera) -> QRectF:
    """Return the rectangle of the image of a field, in px; its pixels have the nodes as centres."""
    grid = field.grid
    corners = np.array([[grid.left, grid.top], [grid.right, grid.bottom]])
    (left, top), (right, bottom) = camera.to_pixels(corners).tolist()
    across = (right - left) / (grid.columns - 1)
    down = (bottom - top) / (grid.rows - 1)
    return QRectF(left - 0.5 * across, top - 0.5 * down, right - left + across, bottom - top + down)


def draw_band(
    painter: QPainter,
    field: Field,
    camera: Camera,
    style: Style,
    task: str = "classification",
) -> None:
    """Fill the band ``-1 <= f <= 1``, on each side of f = 0 in the tint of its class.

    The tube of a regression has one tint. The tints are opaque, since filling with a translucent
    colour takes four times as long.
    """
    if field.values.min() == field.values.max():
        return  # before the first step f is 0 everywhere, and there is no margin
    tints = band_tints(style.theme, style.options.shading, task)
    for outlines, tint in zip(field.bands, tints, strict=True):
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.OddEvenFill)
        placed = _to_pixels([points for points, _ in outlines], camera)
        for pixels, (_, starts) in zip(placed, outlines, strict=True):
            for first, last in pairwise(starts.tolist()):
                path.addPolygon(polygon(pixels[first:last]))
        painter.fillPath(path, QColor(tint))


def draw_margins(painter: QPainter, field: Field, camera: Camera, style: Style) -> None:
    """Draw the margins f = -1 and +1; in a regression, the edges of the tube."""
    painter.setPen(style.pen(style.theme.margin, MARKS.margin_width * style.ink.line))
    for level in (-1.0, 1.0):
        _draw_level(painter, field, level, camera)


def draw_boundary(painter: QPainter, field: Field, camera: Camera, style: Style) -> None:
    """Draw the boundary f = 0; in a regression, the curve."""
    painter.setPen(style.pen(style.theme.boundary, MARKS.boundary_width * style.ink.line))
    _draw_level(painter, field, 0.0, camera)


def _draw_level(painter: QPainter, field: Field, level: float, camera: Camera) -> None:
    for line in _to_pixels(field.contours[level], camera):
        draw_polyline(painter, line)


def _to_pixels(pieces: list[np.ndarray], camera: Camera) -> list[np.ndarray]:
    """Return the pixels of pieces of shape (m, 2) each, computed in one call."""
    if not pieces:
        return []
    pixels = camera.to_pixels(np.concatenate(pieces))
    ends = list(accumulate(map(len, pieces), initial=0))
    return [pixels[first:last] for first, last in pairwise(ends)]
