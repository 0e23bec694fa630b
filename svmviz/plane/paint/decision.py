"""The decision of all machines: the regions of the classes, hatches, and the lines f = 0.

The region of a class has its colour, which is paler where a machine is near to another vote.
A place is undecided if several classes have most votes. It is never filled: hatches in the
colour of the class that has the largest sum say what the sums decide.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PySide6.QtCore import QLineF
from PySide6.QtGui import QColor, QImage, QPainter

from solvers.data.datasets import MAX_CLASSES
from solvers.problem.expansion import freeze
from solvers.problem.machines import Machine
from svmviz.base.strokes import draw_polyline
from svmviz.colours.contrast import mix
from svmviz.frames.decision_regions import Regions
from svmviz.frames.frame import Field
from svmviz.plane.decision_study import DecisionStudy
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.field import SURE_EXPONENT, corner_pixels, draw_pixels
from svmviz.plane.paint.ground import MAX_STORED, PictureCache
from svmviz.theme import Theme

# Fraction of the colour of a class in its region with the largest lead and with none, and in the
# hatches. The remainder is the colour of the plane.
MOST, LEAST, HATCHED = 0.42, 0.1, 0.75
# Distance of two hatches along an axis, their width, and the widths of one half of a line f = 0, of
# the machine looked at and of the others, px at scale 1.
HATCH_DISTANCE, HATCH_WIDTH = 9.0, 1.3
OWN_HALF, OTHER_HALF = 2.0, 1.2
# Number of covers of a px by a hatch, from none to all.
SHADES = 16


@lru_cache(maxsize=8)
def colours_of_regions(theme: Theme) -> np.ndarray:
    """Return the colours of classes for ``Regions.levels``, 0xffrrggbb, one row per class.

    The last row is that of undecided places: the colour of the plane.
    """
    strengths = LEAST + (MOST - LEAST) * (np.arange(256) / 255.0) ** SURE_EXPONENT
    rows = [
        [QColor(mix(theme.plane, theme.classes[c], s)).rgba() for s in strengths.tolist()]
        for c in range(MAX_CLASSES)
    ]
    rows.append([QColor(theme.plane).rgba()] * 256)
    return freeze(np.array(rows, dtype=np.uint32))


def pixels_of(regions: Regions, theme: Theme) -> np.ndarray:
    """Return the regions as an image, 0xffrrggbb."""
    rows = np.where(regions.undecided, MAX_CLASSES, regions.classes)
    return colours_of_regions(theme)[rows, regions.levels]


def draw_regions(painter: QPainter, canvas: Canvas, field: Field, *, study: DecisionStudy) -> None:
    """Shade the plane by the class decided for."""
    regions = study.regions(field)
    pixels = pixels_of(regions, canvas.style.theme)
    draw_pixels(painter, canvas, pixels, regions.grid)


def draw_hatches(painter: QPainter, canvas: Canvas, study: DecisionStudy) -> None:
    """Hatch the undecided places in the colour of the class that the sums decide for.

    A vector format gets lines. For the window, where painting many lines would take 0.1 s, hatches
    are an image with a px per px of the device.
    """
    lane, style = canvas.lane, canvas.style
    if lane is None or not style.options.field:
        return
    regions = study.regions(lane.shown_field)
    if not regions.undecided.any():
        return
    if not style.vector:
        pixels = hatched_pixels(canvas, regions)
        rows, columns = pixels.shape
        image = QImage(
            pixels.data, columns, rows, 4 * columns, QImage.Format.Format_ARGB32_Premultiplied
        )
        image.setDevicePixelRatio(style.ratio)
        painter.drawImage(canvas.plot.topLeft(), image)
        return
    starts, ends, classes = hatches(canvas, regions)
    for c in np.unique(classes).tolist():
        painter.setPen(style.pen(hatch_colour(style.theme, c), HATCH_WIDTH))
        chosen = classes == c
        pairs = zip(starts[chosen].tolist(), ends[chosen].tolist(), strict=True)
        painter.drawLines([QLineF(*start, *end) for start, end in pairs])


def hatch_colour(theme: Theme, index: int) -> str:
    """Return the colour of hatches for a class."""
    return mix(theme.plane, theme.classes[index], HATCHED)


def hatched_pixels(canvas: Canvas, regions: Regions) -> np.ndarray:
    """Return an image of the hatches in the plot, premultiplied 0xaarrggbb."""
    plot, style = canvas.plot, canvas.style
    size = round(plot.height() * style.ratio), round(plot.width() * style.ratio)
    shade = _pattern(size, HATCH_DISTANCE * style.scale * style.ratio, style.scale * style.ratio)
    (left, top), (right, bottom) = corner_pixels(regions.grid, canvas.camera)
    nodes = []
    sides = (plot.top(), top, bottom), (plot.left(), left, right)
    for count, last, (begin, low, high) in zip(size, regions.classes.shape, sides, strict=True):
        at = begin + (np.arange(count) + 0.5) / style.ratio
        node = np.rint((at - low) / (high - low) * (last - 1))
        nodes.append(np.clip(node, -1, last).astype(int))
    # A border, for places that the regions do not cover.
    names = np.pad(np.where(regions.undecided, 1 + regions.classes, 0).astype(np.uint8), 1)
    found = names[nodes[0] + 1][:, nodes[1] + 1]
    return _hatch_table(style.theme).take(found * np.uint8(SHADES) + shade)


@lru_cache(maxsize=4)
def _pattern(size: tuple[int, int], distance: float, width: float) -> np.ndarray:
    """Return how much of each px hatches cover, 0 to SHADES - 1."""
    rows, columns = size
    along = np.add.outer(np.arange(rows), np.arange(columns)) % distance
    from_middle = np.abs(along - 0.5 * distance) / np.sqrt(2.0)
    cover = np.clip(0.5 * HATCH_WIDTH * width + 0.5 - from_middle, 0.0, 1.0)
    return freeze(np.rint(cover * (SHADES - 1)).astype(np.uint8))


@lru_cache(maxsize=8)
def _hatch_table(theme: Theme) -> np.ndarray:
    """Return the colours of the hatches of no class and of all others, with each cover."""
    covers = np.arange(SHADES) / (SHADES - 1)
    table = np.zeros((MAX_CLASSES + 1, SHADES), dtype=np.uint32)
    for c in range(MAX_CLASSES):
        colour = QColor(hatch_colour(theme, c))
        for value in (255, colour.red(), colour.green(), colour.blue()):
            table[1 + c] = table[1 + c] << 8 | np.rint(covers * value).astype(np.uint32)
    return freeze(table.ravel())


def hatches(canvas: Canvas, regions: Regions) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return starts and ends of the hatches, px, shape (m, 2) each, and their classes, (m,)."""
    plot = canvas.plot
    distance = HATCH_DISTANCE * canvas.style.scale
    # A hatch is x + y = constant. It is followed px by px.
    xs = np.arange(plot.left(), plot.right(), max(1.0, plot.width() / 1600.0))
    constants = np.arange(plot.left() + plot.top(), plot.right() + plot.bottom(), distance)
    ys = constants[:, None] - xs
    (left, top), (right, bottom) = corner_pixels(regions.grid, canvas.camera)
    rows, columns = regions.classes.shape
    column = np.rint((xs - left) / (right - left) * (columns - 1)).astype(int)
    row = np.rint((ys - top) / (bottom - top) * (rows - 1)).astype(int)
    inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
    inside &= (ys >= plot.top()) & (ys <= plot.bottom())
    row, column = np.clip(row, 0, rows - 1), np.clip(column, 0, columns - 1)
    # 0 where there is no hatch, otherwise 1 + the class.
    found = np.where(
        inside & regions.undecided[row, column], 1 + regions.classes[row, column].astype(int), 0
    )
    padded = np.pad(found, ((0, 0), (1, 1)))
    changes = padded[:, 1:] != padded[:, :-1]
    line, at = np.nonzero(changes)
    # At a change, the hatch that begins has the class of the place there; 0 begins none.
    begins = padded[line, at + 1]
    first = np.flatnonzero(begins > 0)
    step = xs[1] - xs[0]
    start_x = xs[0] + (at[first] - 0.5) * step
    end_x = xs[0] + (at[first + 1] - 0.5) * step
    constant = constants[line[first]]
    starts = np.column_stack([start_x, constant - start_x])
    ends = np.column_stack([end_x, constant - end_x])
    return starts, ends, begins[first] - 1


def draw_boundaries(
    painter: QPainter, canvas: Canvas, field: Field, *, study: DecisionStudy
) -> None:
    """Draw f = 0 of each machine: on each side of the line the colour of the class there."""
    style, camera, fields = canvas.style, canvas.camera, study.fields
    regions = study.regions(field)
    others = regions.others

    def draw(painter: QPainter) -> None:
        for machine, lines in zip(fields.machines, others.boundaries, strict=True):
            _draw_boundary(painter, canvas, machine, lines, OTHER_HALF)

    if style.vector or style.ratio % 1.0:
        draw(painter)
    else:
        # These lines stay while the machine looked at takes steps.
        key = others, camera, style.theme, style.scale, style.ratio
        _stored.draw(painter, key, (camera.width, camera.height), style.ratio, draw)
    # The machine looked at comes last, so that no other line covers it.
    shown = fields.machines[fields.shown]
    _draw_boundary(painter, canvas, shown, regions.boundary, OWN_HALF)


def _draw_boundary(
    painter: QPainter, canvas: Canvas, machine: Machine, lines: list[np.ndarray], half: float
) -> None:
    style = canvas.style
    for classes, side in ((machine.positive, 1.0), (machine.negative, -1.0)):
        single = len(classes) == 1
        colour = style.theme.classes[classes[0]] if single else style.theme.rest
        painter.setPen(style.pen(colour, half))
        for line in lines:
            pixels = canvas.camera.to_pixels(line)
            draw_polyline(painter, _beside(pixels, 0.5 * side * half * style.scale))


def _beside(line: np.ndarray, distance: float) -> np.ndarray:
    """Return a line, px, moved to its left (seen with y upwards) by a distance."""
    along = np.gradient(line, axis=0)
    along /= np.maximum(np.hypot(*along.T), 1e-12)[:, None]
    # y of px points down, so the left of (x, y) is (y, -x).
    return line + distance * np.column_stack([along[:, 1], -along[:, 0]])


_stored = PictureCache(MAX_STORED, transparent=True)
