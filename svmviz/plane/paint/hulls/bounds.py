"""The two bounds on the distance of the hulls: ``||p - q||``, and the gap of supporting lines."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter

from solvers.geometry.plane_hulls import SupportingLines
from svmviz.base.words import number
from svmviz.plane.hull_study import HullStudy
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.hulls.lines import draw_line, line_through
from svmviz.plane.paint.names import Name, name_beside
from svmviz.plane.paint.point_shapes import class_colours
from svmviz.plane.paint.style import Style, faded

# Distance of the arrow of the gap from p q, and length of its heads, px at scale 1.
BESIDE, ARROW_HEAD = 30.0, 9.0


@dataclass(frozen=True, eq=False)
class Bounds:
    """The two bounds on the distance of the hulls as they are drawn: ``||p - q||`` and the gap.

    Attributes
    ----------
    segment : array, shape (2, 2)
        p and q, px.
    across : array, shape (2,)
        Unit vector, px, along the supporting lines; to the right, or up.
    length_words, gap_words : str
    gap : array, shape (2, 2), or None
        Ends of the arrow between the supporting lines, px. None if the gap is not positive, or if
        its number is that of ``||p - q||``, so that one text says both.
    """

    segment: np.ndarray
    across: np.ndarray
    length_words: str
    gap_words: str = ""
    gap: np.ndarray | None = None


def bounds_of(canvas: Canvas, study: HullStudy) -> Bounds | None:
    """Return where and how the two bounds are written; None if there are no supporting lines."""
    lines = study.lines
    if lines is None or study.p is None or study.q is None:
        return None
    camera, factors = canvas.camera, canvas.document.factors
    segment = camera.to_pixels(np.array([study.p, study.q]))
    ends = line_through(study.p, lines.unit / factors, camera)
    across = ends[1] - ends[0]
    across = across / (math.hypot(*across) or 1.0)
    across = across if (across[0], -across[1]) > (0.0, 0.0) else -across
    length, gap = number(lines.distance), number(lines.gap)
    if length == gap:
        return Bounds(segment, across, f"‖p − q‖ = gap = {length}")
    words = f"‖p − q‖ = {length}"
    if not lines.gap > 0.0:
        return Bounds(segment, across, words)
    # The arrow is parallel to p q, and beside it.
    middle = 0.5 * (study.p + study.q) / factors
    feet = middle + np.array([[lines.high], [lines.low]] - middle @ lines.unit) * lines.unit
    arrow = camera.to_pixels(feet * factors) + BESIDE * canvas.style.scale * across
    return Bounds(segment, across, words, f"gap = {gap}", arrow)


def draw_supporting_lines(painter: QPainter, canvas: Canvas, lines: SupportingLines) -> None:
    """Draw the lines that touch the hulls; fainter if the strip between them holds both classes."""
    style, factors = canvas.style, canvas.document.factors
    for value, label in ((lines.high, 1), (lines.low, -1)):
        colour = faded(class_colours(style.theme, label)[1], 1.0 if lines.gap > 0.0 else 0.5)
        pen = style.pen(style.theme.text, 1.5)
        pen.setColor(colour)
        pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        place = value * lines.unit * factors
        draw_line(painter, line_through(place, lines.unit / factors, canvas.camera))


def draw_gap(painter: QPainter, canvas: Canvas, study: HullStudy) -> None:
    """Draw the arrow between the supporting lines, if it has a number of its own."""
    bounds = bounds_of(canvas, study)
    if bounds is not None and bounds.gap is not None:
        _draw_arrow(painter, bounds.gap, canvas.style)


def _draw_arrow(painter: QPainter, ends: np.ndarray, style: Style) -> None:
    start, end = ends
    length = math.hypot(*(end - start))
    head = min(ARROW_HEAD * style.scale, 0.4 * length)
    along = (end - start) / (length or 1.0)
    across = 0.4 * np.array([-along[1], along[0]])
    painter.setPen(style.pen(style.theme.text, 1.5))
    draw_line(painter, ends)
    for tip, towards in ((start, along), (end, -along)):
        for side in (across, -across):
            draw_line(painter, np.array([tip, tip + head * (towards + side)]))


def names_of_bounds(canvas: Canvas, study: HullStudy) -> list[Name]:
    """Return the numbers of the two bounds, as far as they are written."""
    bounds = bounds_of(canvas, study)
    if bounds is None:
        return []
    middle = bounds.segment.mean(axis=0)
    names = [name_beside(canvas, bounds.length_words, middle, -bounds.across)]
    if bounds.gap is not None:
        middle = bounds.gap.mean(axis=0)
        names.append(name_beside(canvas, bounds.gap_words, middle, bounds.across))
    return names
