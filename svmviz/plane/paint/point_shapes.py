"""One point: its shape, its rings, its halo."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter

from solvers.problem.certificate import BOUND, ZERO
from svmviz.plane.paint.style import Style, faded
from svmviz.theme import MARKS, Theme

# A square of this half-side has the area of a disc of radius 1.
HALF_SIDE = 0.89
# Radius of the halo of a point with alpha = C, in px at scale 1.
LARGEST_HALO = 19.0


def class_colours(theme: Theme, label: int) -> tuple[str, str]:
    """Fill and edge of a class."""
    if label > 0:
        return theme.positive, theme.positive_edge
    return theme.negative, theme.negative_edge


def draw_mark(
    painter: QPainter, x: float, y: float, label: int, share: float, style: Style
) -> None:
    """Draw a disc for +1 or a square for -1 at a pixel; ``share`` scales it."""
    fill, edge = class_colours(style.theme, label)
    painter.setPen(style.pen(edge, MARKS.point_edge * math.sqrt(share)))
    painter.setBrush(QBrush(QColor(fill)))
    draw_shape(painter, x, y, label, MARKS.point_radius * share * style.scale)


def draw_hollow_mark(
    painter: QPainter, x: float, y: float, label: int, share: float, style: Style
) -> None:
    """Draw a selected point: no line around it (those are rings), and no clutter in a crowd."""
    draw_mark(painter, x, y, label, 1.2 * share, style)
    painter.setPen(style.pen(class_colours(style.theme, label)[0], 1.0))
    painter.setBrush(QColor(style.theme.highlight_halo))
    draw_shape(painter, x, y, label, 0.6 * MARKS.point_radius * share * style.scale)


def draw_shape(painter: QPainter, x: float, y: float, label: int, radius: float) -> None:
    """Draw the outline of a class with the pen and brush of the painter; ``radius`` in px."""
    if label > 0:
        painter.drawEllipse(QPointF(x, y), radius, radius)
    else:
        side = HALF_SIDE * radius
        painter.drawRect(QRectF(x - side, y - side, 2.0 * side, 2.0 * side))


def draw_rings(
    painter: QPainter, x: float, y: float, kind: int, share: float, style: Style
) -> None:
    """Ring a support vector: once where alpha is free, twice where it is at C."""
    if kind == ZERO:
        return
    theme = style.theme
    colour = theme.ring_bound if kind == BOUND else theme.ring
    painter.setPen(style.pen(colour, MARKS.ring_width * share))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for radius in ring_radii(kind, share):
        painter.drawEllipse(QPointF(x, y), radius * style.scale, radius * style.scale)


def ring_radii(kind: int, share: float) -> tuple[float, ...]:
    """Radii of the rings of a kind of point, in px at scale 1."""
    first = MARKS.ring_radius * share
    return {ZERO: (), BOUND: (first, first + MARKS.ring_gap * share)}.get(kind, (first,))


def reach_of(kind: int, share: float) -> float:
    """Radius of a point with all its rings, in px at scale 1."""
    return max(ring_radii(kind, share), default=MARKS.point_radius * share)


def halo_radius(part: float, share: float) -> float:
    """Radius of a halo in px at scale 1: what shows around the point has area ``part`` of all."""
    inner, outer = MARKS.point_radius**2, LARGEST_HALO**2
    return share * math.sqrt(inner + part * (outer - inner))


def draw_halo(
    painter: QPainter, x: float, y: float, label: int, radius: float, style: Style
) -> None:
    """Fill a pale disc in the colour of a class; ``radius`` in px at scale 1."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(faded(class_colours(style.theme, label)[0], 0.26)))
    painter.drawEllipse(QPointF(x, y), radius * style.scale, radius * style.scale)
