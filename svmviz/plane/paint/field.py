"""The decision function: shades, the band between the margins, and the contours.

With the shading "sure", colours are strong where ``|f|`` is large, and pale in the band. So a
strong colour means a sure decision. With the shading "band", strong colours are in the band. With
the shading "probability" they are where the class that the sign of f says is probable; there is no
band, whose tints would hide the shades. Vector
formats may have filled regions of equal colour instead of an image of the shades.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen

from solvers.problem.expansion import freeze
from solvers.selection.probability import Sigmoid
from svmviz.base.strokes import draw_polyline, polygon
from svmviz.camera.camera import Camera
from svmviz.colours.contrast import mix
from svmviz.frames.decision_field import HALF_LEVEL, contour_generator
from svmviz.frames.frame import Field, Lane
from svmviz.frames.viewport import Grid
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.roles import FREE, ROLES
from svmviz.plane.paint.style import Style
from svmviz.theme import MARKS, Theme

# The image of the field is painted in strips of this height, px of the device. If an image has 96
# lines or more, Qt paints it in several threads, which takes longer; see `_strips`.
STRIP_LINES = 64
# Fraction of the class colour in the band between the margins: in a strong band (shading "band",
# and regression), and in a pale band (shading "sure"). The remainder is the colour of the plane.
STRONG_BAND, PALE_BAND = 0.75, 0.6
# The strength of a shade is a power of the level |f| / (0.3 + |f|), which is 0.77 at the margin.
# The exponents belong to the shadings "sure" and "band". With "band" the strength grows faster near
# f = 0.
SURE_EXPONENT, BAND_EXPONENT = 0.8, 0.4
# The shades of an infinite f have the probability of an f of HALF_LEVEL / LEAST.
LEAST = 1e-3
# Radius of the disc behind a point that has no coordinates, relative to that of its mark.
DISC = 4.5


@lru_cache(maxsize=8)
def shades(theme: Theme, shading: str = "sure", sigmoid: Sigmoid | None = None) -> np.ndarray:
    """Return the colours for ``Field.shades``, from f = -infinity to +infinity, shape (256,).

    A colour is 0xffrrggbb. At f = 0 it is that of the plane, at both ends it is the full colour of
    a class. With the shading "sure" it changes over the whole range, and with "band" mostly where
    ``|f| < 1``. With a sigmoid it has the strength ``2 p - 1``, where p is the probability of the
    class that the sign of f says, and none where p is below 1/2.
    """
    is_sure = shading != "band"
    ends = (
        (theme.negative_band, theme.positive_band)
        if is_sure
        else (theme.negative_field, theme.positive_field)
    )
    colours = []
    for shade in range(256):
        level = (shade - 127.5) / 127.5
        strength = abs(level) ** (SURE_EXPONENT if is_sure else BAND_EXPONENT)
        if sigmoid is not None:
            p = float(sigmoid(np.array(HALF_LEVEL * level / max(1.0 - abs(level), LEAST))))
            strength = max(0.0, 2.0 * (p if level > 0.0 else 1.0 - p) - 1.0)
        colours.append(QColor(mix(theme.plane, ends[level > 0], strength)).rgba())
    return freeze(np.array(colours, dtype=np.uint32))


def shades_of(style: Style) -> np.ndarray:
    """Return the colours for ``Field.shades`` in a style with sizes."""
    return shades(style.theme, style.options.shading, style.sigmoid)


def band_tints(theme: Theme, shading: str, task: str = "classification") -> tuple[str, str]:
    """Return the tints of the band for f < 0 and f > 0. In regression both are equal."""
    if task == "regression" or shading == "band":
        below = theme.positive_band if task == "regression" else theme.negative_band
        return mix(theme.plane, below, STRONG_BAND), mix(
            theme.plane, theme.positive_band, STRONG_BAND
        )
    return mix(theme.plane, theme.negative_field, PALE_BAND), mix(
        theme.plane, theme.positive_field, PALE_BAND
    )


def draw_shades(painter: QPainter, canvas: Canvas, field: Field) -> None:
    """Shade the plane by f, with an image that has one pixel for each node of the grid."""
    # Shades become colours here, since painting an indexed image takes twice as long.
    pixels = shades_of(canvas.style)[field.shades]
    draw_pixels(painter, canvas, pixels, field.grid)


def draw_pixels(painter: QPainter, canvas: Canvas, pixels: np.ndarray, section: Grid) -> None:
    """Draw an image of colours 0xffrrggbb, whose outer pixels have their centres on the edges."""
    rows, columns = pixels.shape
    # The image uses the memory of the array, which must live until the image is painted.
    image = QImage(pixels.data, columns, rows, 4 * columns, QImage.Format.Format_RGB32)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, True)
    painter.save()
    rectangle = image_rectangle(section, pixels.shape, canvas.camera)
    for strip in _strips(canvas):
        painter.setClipRect(strip)
        painter.drawImage(rectangle, image)
    painter.restore()
    # Switch smoothing off again: with it, drawing stored pictures of points takes four times as
    # long.
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)


def draw_values(painter: QPainter, canvas: Canvas, lane: Lane) -> None:
    """Shade a disc behind each point by f there, if f is no function on the plane."""
    style, f = canvas.style, lane.certificate.decision
    colours = shades(style.theme, style.options.shading)[shade_of(f)].tolist()
    radius = DISC * ROLES[FREE].radius(style.size) * style.scale
    painter.setPen(Qt.PenStyle.NoPen)
    pixels = canvas.camera.to_pixels(canvas.data.points).tolist()
    for (x, y), colour in zip(pixels, colours, strict=True):
        painter.setBrush(QColor.fromRgba(colour))
        painter.drawEllipse(QPointF(x, y), radius, radius)


def shade_of(f: np.ndarray) -> np.ndarray:
    """Return the numbers of the shades of values of f, as in ``Field.shades``."""
    return np.rint(127.5 + 127.5 * f / (HALF_LEVEL + np.abs(f))).astype(np.uint8)


def _strips(canvas: Canvas) -> list[QRectF]:
    """Return the plot in strips of few enough lines for Qt to paint them in this thread.

    Qt paints larger images in threads of its own and waits for them, which takes long while the
    solver uses the processors. Vector formats would store each strip, so they get the plot in one
    piece. A device with a fractional ratio gets it in one piece too, since a strip could end within
    a pixel.
    """
    plot, style = canvas.plot, canvas.style
    if style.vector or style.ratio % 1.0:
        return [plot]
    height = max(1.0, STRIP_LINES // style.ratio)
    tops = np.arange(plot.top(), plot.bottom(), height).tolist()
    return [
        QRectF(plot.left(), top, plot.width(), min(height, plot.bottom() - top)) for top in tops
    ]


def corner_pixels(section: Grid, camera: Camera) -> list[list[float]]:
    """Return the pixels of the upper left and of the lower right node of a grid."""
    corners = np.array([[section.left, section.top], [section.right, section.bottom]])
    return camera.to_pixels(corners).tolist()


def image_rectangle(section: Grid, shape: tuple[int, ...], camera: Camera) -> QRectF:
    """Return the rectangle of an image of (rows, columns), px.

    The centres of its outer pixels lie on the edges of the section.
    """
    (left, top), (right, bottom) = corner_pixels(section, camera)
    across = (right - left) / (shape[1] - 1)
    down = (bottom - top) / (shape[0] - 1)
    return QRectF(left - 0.5 * across, top - 0.5 * down, right - left + across, bottom - top + down)


def draw_band(painter: QPainter, canvas: Canvas, field: Field) -> None:
    """Fill the band ``-1 <= f <= 1``, on each side of f = 0 in the tint of the class there.

    In regression the band is the tube, in one tint. Tints are opaque, since filling with a
    translucent colour takes four times as long.
    """
    if field.values.min() == field.values.max():
        return  # before the first step f is 0 everywhere, and there is no margin
    style = canvas.style
    # Where the contours cover the edges of the band, smooth edges would not be seen, and filling
    # with smooth edges would take six times as long.
    if style.options.contours and not style.vector:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    tints = band_tints(style.theme, style.options.shading, canvas.document.task)
    for outlines, tint in zip(field.bands, tints, strict=True):
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.OddEvenFill)
        regions = _to_pixels([points for points, _ in outlines], canvas.camera)
        for pixels, (_, starts) in zip(regions, outlines, strict=True):
            for first, last in pairwise(starts.tolist()):
                path.addPolygon(polygon(pixels[first:last]))
        painter.fillPath(path, QColor(tint))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)


def draw_margins(
    painter: QPainter, canvas: Canvas, field: Field, width: float = MARKS.margin_width
) -> None:
    """Draw the margins f = -1 and f = +1. In regression they are the edges of the tube."""
    pen = canvas.style.pen(canvas.style.theme.margin, width)
    _draw_levels(painter, canvas, field, (-1.0, 1.0), pen)


def draw_boundary(painter: QPainter, canvas: Canvas, field: Field) -> None:
    """Draw the boundary f = 0. In regression it is the curve."""
    pen = canvas.style.pen(canvas.style.theme.boundary, MARKS.boundary_width)
    _draw_levels(painter, canvas, field, (0.0,), pen)


def _draw_levels(
    painter: QPainter, canvas: Canvas, field: Field, levels: tuple[float, ...], pen: QPen
) -> None:
    if not canvas.style.vector:
        # At the obtuse corners of contours, mitred joins look like round ones, and are painted in
        # three quarters of the time.
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(pen)
    lines = [line for level in levels for line in field.contours[level]]
    for line in _to_pixels(lines, canvas.camera):
        draw_polyline(painter, line)


def _to_pixels(arrays: list[np.ndarray], camera: Camera) -> list[np.ndarray]:
    """Return the pixels of several arrays of points, shape (m, 2) each, converted in one call."""
    if not arrays:
        return []
    pixels = camera.to_pixels(np.concatenate(arrays))
    ends = list(accumulate(map(len, arrays), initial=0))
    return [pixels[first:last] for first, last in pairwise(ends)]


# Number of bands on each side of f = 0. They have nothing to do with the band -1 <= f <= 1.
BANDS = 8


@dataclass(frozen=True)
class Band:
    """A region ``f >= level``, and its colour.

    Attributes
    ----------
    colour : str
        As "#rrggbb".
    outlines : list of arrays, shape (m, 2)
        Closed outlines, in data units. They are filled by the even-odd rule, so some are holes.
    """

    colour: str
    outlines: list[np.ndarray]


def bands_of(field: Field, style: Style) -> list[Band]:
    """Return the bands of a field.

    Each band contains the next one and is painted before it, so that no gap is visible between
    them.
    """
    grid, values = field.grid, field.values
    xs = np.linspace(grid.left, grid.right, grid.columns)
    ys = np.linspace(grid.bottom, grid.top, grid.rows)
    generator = contour_generator(xs, ys, values)
    # Lower edges of the bands, as values of f / (HALF_LEVEL + |f|).
    edges = np.arange(-BANDS, BANDS) / BANDS
    colours = shades_of(style)
    bands = []
    for edge in edges.tolist():
        level = HALF_LEVEL * edge / (1.0 - abs(edge)) if abs(edge) < 1.0 else -np.inf
        # The colour belongs to the middle between this edge and the next one.
        middle = edge + 0.5 / BANDS
        colour = QColor.fromRgb(int(colours[round(127.5 + 127.5 * middle)])).name()
        if level <= values.min():
            bands = [Band(colour, [_corners(grid.left, grid.right, grid.bottom, grid.top)])]
        elif level < values.max():
            bands.append(Band(colour, _outlines(generator, level)))
    return bands


def _corners(left: float, right: float, bottom: float, top: float) -> np.ndarray:
    return np.array([(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)])


def _outlines(generator: object, level: float) -> list[np.ndarray]:
    regions = zip(*generator.filled(level, np.inf), strict=True)  # pyright: ignore
    return [
        points[first:last]
        for points, starts in regions
        for first, last in pairwise(starts.tolist())
    ]


def draw_bands(painter: QPainter, canvas: Canvas, field: Field) -> None:
    """Shade the plane by f, in bands of one colour each."""
    for band in bands_of(field, canvas.style):
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.OddEvenFill)
        for outline in band.outlines:
            path.addPolygon(polygon(canvas.camera.to_pixels(outline)))
        painter.fillPath(path, QColor(band.colour))
