"""Drawing of one point: its mark, the cross of an error, and its halo."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter

from svmviz.colours.contrast import mix
from svmviz.plane.paint.roles import CROSS, EDGE, HALF_SIDE, PLAIN, ROLES
from svmviz.plane.paint.style import Style, faded
from svmviz.theme import Theme

# Distance of the frame of a selected point from the radius of its mark, and width of frames, px at
# scale 1.
SELECTED, FRAME = 3.5, 2.0


def class_colours(theme: Theme, label: int) -> tuple[str, str]:
    """Return the colours of a class: fill and edge."""
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
    """Draw a disc for +1, or a square for -1, at a pixel.

    Parameters
    ----------
    painter : QPainter
    x, y : float
    label : int
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
    if label > 0:
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
