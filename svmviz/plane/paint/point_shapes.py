"""Drawing of one point: its shape, its rings and its halo."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter

from solvers.problem.certificate import BOUND
from svmviz.plane.paint.style import Style, faded
from svmviz.theme import Theme

# Half the side of a square that has the area of a disc of radius 1.
HALF_SIDE = 0.89
# Radius of the mark of a selected point, and of the hollow inside that mark, relative to the radius
# of the mark of any other point.
SELECTED, HOLLOW = 1.2, 0.6


def class_colours(theme: Theme, label: int) -> tuple[str, str]:
    """Return the colours of a class: fill and edge."""
    if label > 0:
        return theme.positive, theme.positive_edge
    return theme.negative, theme.negative_edge


def draw_mark(
    painter: QPainter, x: float, y: float, label: int, style: Style, factor: float = 1.0
) -> None:
    """Draw a disc for +1, or a square for -1, at a pixel. ``factor`` multiplies the radius."""
    fill, edge = class_colours(style.theme, label)
    painter.setPen(style.pen(edge, style.ink.edge))
    painter.setBrush(QBrush(QColor(fill)))
    draw_shape(painter, x, y, label, factor * style.ink.radius * style.scale)


def draw_hollow_mark(
    painter: QPainter, x: float, y: float, label: int, style: Style, factor: float = 1.0
) -> None:
    """Draw the hollow mark of a selected point; a line around the mark would look like a ring."""
    draw_mark(painter, x, y, label, style, SELECTED * factor)
    painter.setPen(style.pen(class_colours(style.theme, label)[0], 1.0))
    painter.setBrush(QColor(style.theme.highlight_halo))
    draw_shape(painter, x, y, label, HOLLOW * factor * style.ink.radius * style.scale)


def draw_shape(painter: QPainter, x: float, y: float, label: int, radius: float) -> None:
    """Draw the outline of a class with the pen and brush of the painter; ``radius`` in px."""
    if label > 0:
        painter.drawEllipse(QPointF(x, y), radius, radius)
    else:
        side = HALF_SIDE * radius
        painter.drawRect(QRectF(x - side, y - side, 2.0 * side, 2.0 * side))


def draw_rings(painter: QPainter, x: float, y: float, label: int, kind: int, style: Style) -> None:
    """Draw the rings of a support vector: one if alpha is free, two if it is at C.

    A ring has the shape of its class, because it lies close to the mark if points are crowded.
    """
    draw_outlines(painter, x, y, label, kind, style.ink.rings(kind), style.ink.ring_width, style)


def draw_outlines(
    painter: QPainter,
    x: float,
    y: float,
    label: int,
    kind: int,
    radii: tuple[float, ...],
    width: float,
    style: Style,
) -> None:
    """Draw outlines in the colour of a kind of support vector; radii and width in px at scale 1."""
    colour = style.theme.ring_bound if kind == BOUND else style.theme.ring
    # Pens scale with the square root of ``marks``, but rings must scale with ``marks``.
    painter.setPen(style.pen(colour, width / math.sqrt(style.marks)))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    # With ``extra``, the gap between mark and ring is the same for squares and discs.
    extra = 0.0 if label > 0 else (1.0 / HALF_SIDE - 1.0)
    for radius in radii:
        outer = radius + extra * (radius - style.ink.radius)
        draw_shape(painter, x, y, label, outer * style.scale)


def draw_halo(
    painter: QPainter,
    x: float,
    y: float,
    label: int,
    radius: float,
    opacity: float,
    style: Style,
) -> None:
    """Fill a pale disc in the colour of a class; ``radius`` in px at scale 1."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(faded(class_colours(style.theme, label)[0], opacity)))
    painter.drawEllipse(QPointF(x, y), radius * style.scale, radius * style.scale)
