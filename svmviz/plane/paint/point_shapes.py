"""Drawing of one point: its mark, the cross of an error, and its halo."""

from __future__ import annotations

import math

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPolygonF

from svmviz.colours.contrast import mix
from svmviz.colours.palettes import edge_of
from svmviz.document.many_classes import FIRST_MARK, LEFT_OUT_MARK, OWN_MARK
from svmviz.plane.paint.roles import CROSS, EDGE, HALF_SIDE, PLAIN, ROLES
from svmviz.plane.paint.style import Style, faded
from svmviz.theme import Theme

# Distance of the frame of a selected point from the radius of its mark, and width of frames, px at
# scale 1.
SELECTED, FRAME = 3.5, 2.0


# Fraction of the colour of its class in the outline of a point that the machine leaves out.
PALE_SHARE = 0.7
# Corners of the shapes of the third to the sixth class: triangle, diamond, triangle on its head,
# and plus. They have the area of a disc of radius 1, and y points downwards.
_ROOT = math.sqrt(math.pi)
_ARM = _ROOT / math.sqrt(5.0)
_SIDE = 2.0 * _ROOT / 3.0**0.25
_TRIANGLE = [(0.0, -_SIDE / math.sqrt(3.0)), (_SIDE / 2.0, _SIDE / math.sqrt(12.0))]
_TRIANGLE.append((-_SIDE / 2.0, _SIDE / math.sqrt(12.0)))
_HALF = _ROOT / math.sqrt(2.0)
_PLUS = [(1, 3), (1, 1), (3, 1), (3, -1), (1, -1), (1, -3), (-1, -3), (-1, -1), (-3, -1), (-3, 1)]
_PLUS += [(-1, 1), (-1, 3)]
CORNERS = (
    _TRIANGLE,
    [(0.0, -_HALF), (_HALF, 0.0), (0.0, _HALF), (-_HALF, 0.0)],
    [(x, -y) for x, y in _TRIANGLE],
    [(0.5 * _ARM * x, 0.5 * _ARM * y) for x, y in _PLUS],
)


def class_of_mark(mark: int) -> int:
    """Return the class whose shape a mark has: 0 is a disc, 1 a square; see `CORNERS`."""
    if mark >= LEFT_OUT_MARK:
        return mark - (OWN_MARK if mark >= OWN_MARK else LEFT_OUT_MARK)
    return abs(mark) - FIRST_MARK if abs(mark) >= FIRST_MARK else int(mark < 0)


def class_colours(theme: Theme, label: int) -> tuple[str, str]:
    """Return the colours of a mark: fill and edge."""
    if label >= OWN_MARK:
        own = theme.classes[label - OWN_MARK]
        return own, theme.boundary if theme.has_high_contrast else edge_of(
            own, is_dark=theme.is_dark
        )
    if label >= LEFT_OUT_MARK:
        pale = mix(theme.plane, theme.classes[label - LEFT_OUT_MARK], PALE_SHARE)
        return pale, pale
    if label > 0:
        return theme.positive, theme.positive_edge
    return theme.negative, theme.negative_edge


def draw_mark(
    painter: QPainter,
    x: float,
    y: float,
    label: int,
    style: Style,
    role: int = PLAIN,
    *,
    factor: float = 1.0,
    is_selected: bool = False,
) -> None:
    """Draw a disc for +1, a square for -1, or the shape of one of more classes, at a pixel.

    Parameters
    ----------
    painter : QPainter
    x, y : float
    label : int
        The mark of the point (:mod:`svmviz.document.many_classes`).
    style : Style
    role : int
        A key of ``ROLES``.
    factor : float
        Factor on the radius.
    is_selected : bool
        Whether the point is selected and gets a frame.
    """
    mark, theme, size = ROLES[role], style.theme, style.size
    fill, edge = class_colours(theme, label)
    outline = edge if mark.outline == EDGE else style.outline or theme.ring
    radius = factor * mark.radius(size) * style.scale
    width = mark.line(size)
    painter.setPen(style.pen(outline, width) if width > 0.0 else Qt.PenStyle.NoPen)
    painter.setBrush(QColor(mix(theme.plane, fill, mark.filling(size))))
    draw_shape(painter, x, y, label, radius)
    if mark.core:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.plane))
        draw_shape(painter, x, y, label, mark.core * radius)
    if is_selected:
        draw_frame(painter, x, y, label, radius + SELECTED * style.scale, style, theme.focus)


def draw_frame(
    painter: QPainter, x: float, y: float, label: int, radius: float, style: Style, colour: str
) -> None:
    """Draw a frame around a mark, with a gap between both; ``radius`` in px."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for shade, width in ((style.theme.plane, FRAME + 2.0), (colour, FRAME)):
        painter.setPen(style.pen(shade, width))
        draw_shape(painter, x, y, label, radius)


def draw_shape(painter: QPainter, x: float, y: float, label: int, radius: float) -> None:
    """Draw the outline of a class with the pen and brush of the painter; ``radius`` in px."""
    shape = class_of_mark(label)
    if shape > 1:
        corners = CORNERS[shape - 2]
        painter.drawPolygon(
            QPolygonF([QPointF(x + radius * u, y + radius * v) for u, v in corners])
        )
    elif shape == 0:
        painter.drawEllipse(QPointF(x, y), radius, radius)
    else:
        side = HALF_SIDE * radius
        painter.drawRect(QRectF(x - side, y - side, 2.0 * side, 2.0 * side))


def draw_cross(
    painter: QPainter, x: float, y: float, radius: float, style: Style, reach: float = CROSS.reach
) -> None:
    """Draw the cross of an error at a pixel.

    ``radius`` is that of the mark, px at scale 1; half a diagonal of the cross is ``reach`` times
    as long.
    """
    away = 0.7071 * reach * radius * style.scale
    lines = [QLineF(x - away, y - away, x + away, y + away)]
    lines.append(QLineF(x - away, y + away, x + away, y - away))
    share = CROSS.share(radius)
    for colour, width in ((style.theme.plane, CROSS.backing), (style.theme.bad, CROSS.width)):
        painter.setPen(style.pen(colour, share * width))
        painter.drawLines(lines)


def draw_halo(
    painter: QPainter, x: float, y: float, label: int, radius: float, opacity: float, style: Style
) -> None:
    """Fill a pale disc in the colour of a class; ``radius`` in px at scale 1."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(faded(class_colours(style.theme, label)[0], opacity)))
    painter.drawEllipse(QPointF(x, y), radius * style.scale, radius * style.scale)
