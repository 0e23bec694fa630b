"""Hulls of the classes, their nearest points p and q, supporting lines, and boundaries.

The distance of the hulls has two bounds, which are written as numbers: ``||p - q||``, and the gap
between the supporting lines.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from solvers.geometry.boundaries import Boundary
from solvers.geometry.plane_hulls import SupportingLines
from svmviz.base.bulk_drawing import draw_lines
from svmviz.base.strokes import polygon
from svmviz.base.words import number
from svmviz.camera.camera import Camera
from svmviz.document.view_options import HALF_PLANES
from svmviz.plane.hull_study import HullStudy
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.lines import direction_of, draw_line, edges_of_half_planes, line_through
from svmviz.plane.paint.names import BoxName, box_for, name_beside
from svmviz.plane.paint.point_shapes import class_colours
from svmviz.plane.paint.style import Style, faded
from svmviz.theme import LABEL

# Half the diagonal of the diamonds that mark p and q, px at scale 1.
DIAMOND = 9.0


def draw_hulls(painter: QPainter, canvas: Canvas, study: HullStudy) -> None:
    """Paint the hulls at a step, their nearest points p and q, supporting lines and boundaries."""
    camera, style = canvas.camera, canvas.style
    if study.outlines is None:
        return
    for k, label in enumerate((-1, 1)):
        colour = class_colours(style.theme, label)[0]
        whole, reduced = study.outlines.whole[k], study.outlines.reduced[k]
        if reduced is not whole:
            _draw_hull(painter, canvas, whole, faded(colour, 0.7), 0.0, Qt.PenStyle.DotLine)
        _draw_hull(painter, canvas, reduced, QColor(colour), 0.14)
        if style.options.hulls == HALF_PLANES:
            painter.setPen(style.pen(faded(colour, 0.4), 1.0))
            draw_lines(painter, edges_of_half_planes(camera.to_pixels(reduced), camera))
    if study.p is None or study.q is None or not style.options.nearest:
        return
    if study.lines is not None:
        draw_supporting_lines(painter, canvas, study.lines)
    for line in named_lines(canvas, study):
        # If the method works on hulls, the bisector is its f = 0, which the plane already draws.
        if not (study.of_step and line.boundary is study.middle):
            painter.setPen(_pen(line.colour, 2.0, style, line.dashes))
            draw_line(painter, line_through(line.point, line.normal, camera))
    _draw_nearest(painter, canvas, study)
    draw_gap(painter, canvas, study)


def names_of_hulls(canvas: Canvas, study: HullStudy) -> list[BoxName]:
    """Return the names of the lines and of p and q, and the bounds on their distance."""
    names: list[BoxName] = []
    if not canvas.style.options.nearest:
        return names
    for line in named_lines(canvas, study):
        ends = line_through(line.point, line.normal, canvas.camera)
        box = box_of_name(canvas, line, ends, [name.box for name in names])
        if box is not None:
            names.append(BoxName(line.words, box, line.colour, LABEL))
    names += names_of_bounds(canvas, study)
    for position, away, _, words in _marks_of_nearest(study, canvas.camera):
        centre = position + away * (DIAMOND + 11.0) * canvas.style.scale
        names.append(name_beside(canvas, words, centre, np.zeros(2)))
    return names


@dataclass(frozen=True)
class NamedLine:
    """A straight boundary to be drawn, with its name.

    Attributes
    ----------
    boundary : Boundary
    words : str
        The name.
    colour : str
    dashes : Qt.PenStyle
    point, normal : arrays, shape (2,)
        A point on the boundary, and its normal, in data units.
    side : float
        Side of the line on which the name is written: 1 means right of the line, -1 left of it. Of
        a horizontal line, 1 means above and -1 below.
    """

    boundary: Boundary
    words: str
    colour: str
    dashes: Qt.PenStyle
    point: np.ndarray
    normal: np.ndarray
    side: float


def named_lines(canvas: Canvas, study: HullStudy) -> list[NamedLine]:
    """Return those of the bisector and the boundary of the nu-SVM that exist.

    Return none for a method that works on whole hulls: its f = 0 is both of them.
    """
    if study.of_step and study.nu is None:
        return []
    named = []
    theme, factors = canvas.style.theme, canvas.document.factors
    for boundary, words, colour, dashes, side in (
        (study.middle, "bisector of p q", theme.boundary, Qt.PenStyle.DashDotLine, -1.0),
        (study.nu, "", theme.series[1], Qt.PenStyle.SolidLine, 1.0),
    ):
        point = None if boundary is None else point_on(boundary, factors)
        if boundary is None or point is None:
            continue
        w = boundary.expansion.w
        assert w is not None
        name = words or boundary.label
        named.append(NamedLine(boundary, name, colour, dashes, point, w / factors, side))
    return named


def _draw_hull(
    painter: QPainter,
    canvas: Canvas,
    corners: np.ndarray,
    colour: QColor,
    opacity: float,
    dashes: Qt.PenStyle = Qt.PenStyle.SolidLine,
) -> None:
    fill = QColor(colour)
    fill.setAlphaF(opacity)
    painter.setBrush(fill)
    painter.setPen(QPen(colour, 1.75 * canvas.style.scale, dashes))
    painter.drawPolygon(polygon(canvas.camera.to_pixels(corners)))


def _pen(colour: str, width: float, style: Style, dashes: Qt.PenStyle) -> QPen:
    pen = style.pen(colour, width)
    pen.setStyle(dashes)
    return pen


def point_on(boundary: Boundary, factors: np.ndarray) -> np.ndarray | None:
    """Return a point with f = 0, in data units, shape (2,); None if w is 0."""
    w = boundary.expansion.w
    if w is None or not float(w @ w) > 0.0:
        return None
    return -boundary.expansion.bias / float(w @ w) * w * factors


def box_of_name(
    canvas: Canvas, line: NamedLine, ends: np.ndarray, taken: list[QRectF]
) -> QRectF | None:
    """Return the lowest box beside a line that holds its name and overlaps no box in ``taken``."""
    plot, style = canvas.plot, canvas.style
    # Half of ``edge`` is the space left and right of the words, and between box and edge of the
    # plot. The space between box and line is 3/4 of ``edge``.
    edge = 8.0 * style.scale
    box = box_for(line.words, style, LABEL)
    # The normal points to the right, or up if the line is horizontal. So ``side`` has the same
    # meaning for all lines.
    direction = direction_of(*ends)
    normal = np.array([direction[1], -direction[0]])
    normal = normal if (normal[0], -normal[1]) > (0.0, 0.0) else -normal
    offset = 0.5 * (abs(normal[0]) * box.width() + abs(normal[1]) * box.height()) + 0.75 * edge
    centres = ends[0] + np.linspace(0.0, 1.0, 400)[:, None] * (ends[1] - ends[0])
    centres = centres + line.side * offset * normal
    margin_x, margin_y = 0.5 * box.width() + 0.5 * edge, 0.5 * box.height() + 0.5 * edge
    fitting = centres[
        (centres[:, 0] > plot.left() + margin_x)
        & (centres[:, 0] < plot.right() - margin_x)
        & (centres[:, 1] > plot.top() + margin_y)
        & (centres[:, 1] < plot.bottom() - margin_y)
    ]
    for centre in fitting[np.argsort(-fitting[:, 1], kind="stable")].tolist():
        box.moveCenter(QPointF(*centre))
        if not any(box.intersects(other) for other in taken):
            return box
    return None


def _marks_of_nearest(
    study: HullStudy, camera: Camera
) -> list[tuple[np.ndarray, np.ndarray, int, str]]:
    """Return the marks of p and of q: position, px, direction of the name, class, and name.

    If the hulls meet, there is one mark for both.
    """
    if study.p is None or study.q is None:
        return []
    p, q = camera.to_pixels(np.array([study.p, study.q]))
    difference = p - q
    if study.meeting:
        return [(p, np.array([0.0, -1.0]), 1, "p = q")]
    outward = difference / max(math.hypot(*difference), 1e-9)
    return [(p, outward, 1, "p"), (q, -outward, -1, "q")]


def _draw_nearest(painter: QPainter, canvas: Canvas, study: HullStudy) -> None:
    """Draw p, q and the segment between them. If the hulls meet, draw one mark."""
    style, marks = canvas.style, _marks_of_nearest(study, canvas.camera)
    if len(marks) == 2:
        for colour, width in ((style.theme.plane, 5.0), (style.theme.text, 2.5)):
            painter.setPen(style.pen(colour, width))
            painter.drawLine(QPointF(*marks[0][0].tolist()), QPointF(*marks[1][0].tolist()))
    for position, _, label, _ in marks:
        _draw_diamond(painter, position, class_colours(style.theme, label)[0], style)


def _draw_diamond(painter: QPainter, position: np.ndarray, colour: str, style: Style) -> None:
    x, y = position.tolist()
    reach = DIAMOND * style.scale
    shape = QPolygonF(
        [QPointF(x + dx, y + dy) for dx, dy in ((0, -reach), (reach, 0), (0, reach), (-reach, 0))]
    )
    painter.setPen(style.pen(style.theme.text, 2.0))
    painter.setBrush(QColor(colour))
    painter.drawPolygon(shape)


# Distance of the arrow of the gap from p q, and length of its heads, px at scale 1.
BESIDE, ARROW_HEAD = 30.0, 9.0


@dataclass(frozen=True, eq=False)
class HullBounds:
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


def bounds_of(canvas: Canvas, study: HullStudy) -> HullBounds | None:
    """Return where and how the two bounds are written; None if there are no supporting lines."""
    lines = study.lines
    if lines is None or study.p is None or study.q is None:
        return None
    camera, factors = canvas.camera, canvas.document.factors
    segment = camera.to_pixels(np.array([study.p, study.q]))
    ends = line_through(study.p, lines.unit / factors, camera)
    across = direction_of(*ends)
    across = across if (across[0], -across[1]) > (0.0, 0.0) else -across
    length, gap = number(lines.distance), number(lines.gap)
    if length == gap:
        return HullBounds(segment, across, f"‖p − q‖ = width = {length}")
    words = f"‖p − q‖ = {length}"
    if not lines.gap > 0.0:
        return HullBounds(segment, across, words)
    # The arrow is parallel to p q, and beside it.
    middle = 0.5 * (study.p + study.q) / factors
    feet = middle + np.array([[lines.high], [lines.low]] - middle @ lines.unit) * lines.unit
    arrow = camera.to_pixels(feet * factors) + BESIDE * canvas.style.scale * across
    return HullBounds(segment, across, words, f"width = {gap}", arrow)


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
    head = min(ARROW_HEAD * style.scale, 0.4 * math.hypot(*(end - start)))
    along = direction_of(start, end)
    across = 0.4 * np.array([-along[1], along[0]])
    painter.setPen(style.pen(style.theme.text, 1.5))
    draw_line(painter, ends)
    for tip, towards in ((start, along), (end, -along)):
        for side in (across, -across):
            draw_line(painter, np.array([tip, tip + head * (towards + side)]))


def names_of_bounds(canvas: Canvas, study: HullStudy) -> list[BoxName]:
    """Return those numbers of the two bounds that are written."""
    bounds = bounds_of(canvas, study)
    if bounds is None:
        return []
    middle = bounds.segment.mean(axis=0)
    names = [name_beside(canvas, bounds.length_words, middle, -bounds.across)]
    if bounds.gap is not None:
        middle = bounds.gap.mean(axis=0)
        names.append(name_beside(canvas, bounds.gap_words, middle, bounds.across))
    return names
