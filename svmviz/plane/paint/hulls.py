"""Hulls of the classes, their nearest points, supporting lines and bisector."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from solvers.geometry.boundaries import Boundary
from svmviz.camera.camera import MAX_PIXEL, Camera
from svmviz.frames.frame import Frame
from svmviz.plane.hull_study import HullStudy
from svmviz.plane.paint.axes import plot_rectangle
from svmviz.plane.paint.point_shapes import class_colours
from svmviz.plane.paint.strokes import polygon
from svmviz.plane.paint.style import Style, faded
from svmviz.theme import BODY, CAPTION

# Half the diagonal of the marks of p and q, px at scale 1.
DIAMOND = 9.0


def draw_hulls(
    painter: QPainter, found: HullStudy, frame: Frame, camera: Camera, style: Style
) -> None:
    """Paint the hulls at a step, and their nearest points."""
    if found.outlines is None:
        return
    for k, label in enumerate((-1, 1)):
        colour = class_colours(style.theme, label)[0]
        whole, reduced = found.outlines.whole[k], found.outlines.reduced[k]
        if reduced is not whole:
            _outline(painter, whole, faded(colour, 0.7), 0.0, True, camera, style)
        _outline(painter, reduced, QColor(colour), 0.14, False, camera, style)
    if found.p is None or found.q is None:
        return
    if found.normal is not None:
        for place, label in ((found.p, 1), (found.q, -1)):
            pen = _pen(class_colours(style.theme, label)[1], 1.5, style, Qt.PenStyle.DashLine)
            painter.setPen(pen)
            _draw_line(painter, line_through(place, found.normal, camera))
    for line in named_lines(found, frame, style):
        # If the method is a hull method, its bisector is f = 0, which is drawn as the boundary.
        if not (found.of_step and line.boundary is found.middle):
            painter.setPen(_pen(line.colour, 2.0, style, line.dashes))
            _draw_line(painter, line_through(line.place, line.normal, camera))
    _draw_nearest(painter, found, camera, style)


def name_hulls(
    painter: QPainter, found: HullStudy, frame: Frame, camera: Camera, style: Style
) -> None:
    """Write the names of the lines and of p and q, over the points."""
    taken: list[QRectF] = []
    for line in named_lines(found, frame, style):
        ends = line_through(line.place, line.normal, camera)
        box = box_of_name(line, ends, taken, camera, style)
        if box is not None:
            taken.append(box)
            _write(painter, line, box, style)
    for place, away, _, name in _nearest(found, camera):
        _name(painter, name, place + away * (DIAMOND + 11.0) * style.scale, style)


@dataclass(frozen=True)
class NamedLine:
    """A boundary to be drawn, by a point on it and its normal, in data units."""

    boundary: Boundary
    words: str
    colour: str
    dashes: Qt.PenStyle
    place: np.ndarray
    normal: np.ndarray
    side: float


def named_lines(found: HullStudy, frame: Frame, style: Style) -> list[NamedLine]:
    """Return the bisector and the boundary of the nu-SVM; none if f = 0 is both."""
    if found.of_step and found.nu is None:
        return []
    named = []
    factors = frame.document.factors
    for boundary, words, colour, dashes, side in (
        (found.middle, "bisector of p q", style.theme.boundary, Qt.PenStyle.DashDotLine, -1.0),
        (found.nu, "", style.theme.series[1], Qt.PenStyle.SolidLine, 1.0),
    ):
        place = None if boundary is None else point_on(boundary, factors)
        if boundary is None or place is None:
            continue
        w = boundary.expansion.w
        assert w is not None
        name = words or boundary.label
        named.append(NamedLine(boundary, name, colour, dashes, place, w / factors, side))
    return named


def _outline(
    painter: QPainter,
    corners: np.ndarray,
    colour: QColor,
    opacity: float,
    dashed: bool,
    camera: Camera,
    style: Style,
) -> None:
    fill = QColor(colour)
    fill.setAlphaF(opacity)
    painter.setBrush(fill)
    dashes = Qt.PenStyle.DotLine if dashed else Qt.PenStyle.SolidLine
    painter.setPen(QPen(colour, 1.75 * style.scale, dashes))
    painter.drawPolygon(polygon(camera.to_pixels(corners)))


def _pen(colour: str, width: float, style: Style, dashes: Qt.PenStyle) -> QPen:
    pen = style.pen(colour, width)
    pen.setStyle(dashes)
    return pen


def line_through(place: np.ndarray, normal: np.ndarray, camera: Camera) -> np.ndarray:
    """Return the ends in px, shape (2, 2), of the line perpendicular (in data units) to a normal.

    The line crosses the whole plot: its ends lie at or beyond the edge.
    """
    across, up = camera.units
    # The direction is normalised in px: in data units its length could be 0 or infinite in px.
    along = np.array([-normal[1], normal[0]]) / (np.abs(normal).max() or 1.0)
    way = np.array([along[0] / across, -along[1] / up])
    way = way / (np.abs(way).max() or 1.0)
    way = way / (math.hypot(*way) or 1.0)
    left, top = camera.left, camera.top
    centre = np.array([left + 0.5 * camera.plot_width, top + 0.5 * camera.plot_height])
    start = (place - (camera.x, camera.y)) / (across, -up) + centre
    # Measured from the projection of the plot's centre, so that the ends are near the plot.
    foot = start + way * float((centre - start) @ way)
    reach = math.hypot(camera.plot_width, camera.plot_height)
    ends = np.array([foot - reach * way, foot + reach * way])
    return np.clip(ends, -MAX_PIXEL, MAX_PIXEL)


def _draw_line(painter: QPainter, ends: np.ndarray) -> None:
    painter.drawLine(QPointF(*ends[0].tolist()), QPointF(*ends[1].tolist()))


def point_on(boundary: Boundary, factors: np.ndarray) -> np.ndarray | None:
    """Return a point with f = 0, in data units, shape (2,)."""
    w = boundary.expansion.w
    if w is None or not float(w @ w) > 0.0:
        return None
    return -boundary.expansion.bias / float(w @ w) * w * factors


def box_of_name(
    line: NamedLine, ends: np.ndarray, taken: list[QRectF], camera: Camera, style: Style
) -> QRectF | None:
    """Return the lowest box beside a line that has room for its name, off the boxes taken."""
    plot = plot_rectangle(camera)
    edge = 8.0 * style.scale
    measure = QFontMetricsF(style.font(CAPTION, 600))
    box = QRectF(0.0, 0.0, measure.horizontalAdvance(line.words) + edge, measure.height())
    # Normals point up or to the right, so that ``side`` means the same for both lines.
    way = (ends[1] - ends[0]) / (math.hypot(*(ends[1] - ends[0])) or 1.0)
    normal = np.array([way[1], -way[0]])
    normal = normal if (normal[0], -normal[1]) > (0.0, 0.0) else -normal
    offset = 0.5 * (abs(normal[0]) * box.width() + abs(normal[1]) * box.height()) + 0.75 * edge
    places = ends[0] + np.linspace(0.0, 1.0, 400)[:, None] * (ends[1] - ends[0])
    places = places + line.side * offset * normal
    room_x, room_y = 0.5 * box.width() + 0.5 * edge, 0.5 * box.height() + 0.5 * edge
    inside = places[
        (places[:, 0] > plot.left() + room_x)
        & (places[:, 0] < plot.right() - room_x)
        & (places[:, 1] > plot.top() + room_y)
        & (places[:, 1] < plot.bottom() - room_y)
    ]
    for centre in inside[np.argsort(-inside[:, 1], kind="stable")].tolist():
        box.moveCenter(QPointF(*centre))
        if not any(box.intersects(other) for other in taken):
            return box
    return None


def _write(painter: QPainter, line: NamedLine, box: QRectF, style: Style) -> None:
    """Write the name of a line in a box."""
    painter.setFont(style.font(CAPTION, 600))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(faded(style.theme.plane, 0.85))
    painter.drawRoundedRect(box, 3.0 * style.scale, 3.0 * style.scale)
    painter.setPen(QColor(line.colour))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, line.words)


def _nearest(found: HullStudy, camera: Camera) -> list[tuple[np.ndarray, np.ndarray, int, str]]:
    """Return position in px, direction away from the other, class and name of p and q."""
    if found.p is None or found.q is None:
        return []
    p, q = camera.to_pixels(np.array([found.p, found.q]))
    apart = p - q
    if found.meeting:
        return [(p, np.array([0.0, -1.0]), 1, "p = q")]
    away = apart / max(math.hypot(*apart), 1e-9)
    return [(p, away, 1, "p"), (q, -away, -1, "q")]


def _draw_nearest(painter: QPainter, found: HullStudy, camera: Camera, style: Style) -> None:
    """Draw p, q and the segment between them; one mark if the hulls meet."""
    marks = _nearest(found, camera)
    if len(marks) == 2:
        for colour, width in ((style.theme.plane, 5.0), (style.theme.text, 2.5)):
            painter.setPen(style.pen(colour, width))
            painter.drawLine(QPointF(*marks[0][0].tolist()), QPointF(*marks[1][0].tolist()))
    for place, _, label, _ in marks:
        _diamond(painter, place, class_colours(style.theme, label)[0], style)


def _diamond(painter: QPainter, place: np.ndarray, colour: str, style: Style) -> None:
    x, y = place.tolist()
    reach = DIAMOND * style.scale
    shape = QPolygonF(
        [QPointF(x + dx, y + dy) for dx, dy in ((0, -reach), (reach, 0), (0, reach), (-reach, 0))]
    )
    painter.setPen(style.pen(style.theme.text, 2.0))
    painter.setBrush(QColor(colour))
    painter.drawPolygon(shape)


def _name(painter: QPainter, name: str, centre: np.ndarray, style: Style) -> None:
    painter.setFont(style.font(BODY, 700))
    measure = QFontMetricsF(painter.font())
    box = QRectF(0.0, 0.0, measure.horizontalAdvance(name) + 6.0 * style.scale, measure.height())
    box.moveCenter(QPointF(*centre.tolist()))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(faded(style.theme.plane, 0.8))
    painter.drawRoundedRect(box, 3.0 * style.scale, 3.0 * style.scale)
    painter.setPen(QColor(style.theme.text))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name)
