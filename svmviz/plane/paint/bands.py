"""The decision function as filled bands, for vector formats, instead of an image of its shades."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath

from svmviz.base.strokes import polygon
from svmviz.frames.decision_field import HALF_LEVEL, contour_generator
from svmviz.frames.frame import Field
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.field import shades
from svmviz.plane.paint.style import Style

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
    colours = shades(style.theme, style.options.shading)
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
