"""The card beside the point under the mouse."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from svmviz.camera.camera import Camera
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.point_shapes import draw_mark
from svmviz.plane.paint.style import Style, faded
from svmviz.plane.point_card import PointCard
from svmviz.theme import STRONG, TEXT

# Lengths in px at scale 1: space inside the edge, height of a line, space between the two columns,
# distance of the card from the point, and radius of the corners.
PADDING, LINE_HEIGHT, COLUMN_GAP, POINT_DISTANCE, CORNER = 12.0, 20.0, 24.0, 20.0, 8.0
# Radius of the mark in the card, as a fraction of its full size.
MARK_SHARE = 0.85
# Rows that the card leaves out before an audience, which looks at the picture.
NOT_IN_HALL = ("f / ‖w‖", "f / ‖w‖ (scaled)", "E = f − y", "αy can still", "KKT violation")


def draw_card(painter: QPainter, canvas: Canvas, card: PointCard, x: float, y: float) -> None:
    """Draw a card beside the pixel (x, y), inside the picture."""
    style = canvas.style
    if style.in_hall:
        card = replace(card, rows=tuple(row for row in card.rows if row[0] not in NOT_IN_HALL))
    place = place_at_edge if style.in_hall else place_card
    box = place(size_of(card, style), x, y, canvas.camera, style.scale)
    scale, pad = style.scale, PADDING * style.scale
    _draw_background(painter, box, style)
    top, line = box.top() + 0.8 * pad, LINE_HEIGHT * scale
    draw_mark(
        painter,
        box.left() + pad + 6.0 * scale,
        top + 0.5 * line,
        card.label,
        replace(style, size=1.0),
        factor=MARK_SHARE,
    )
    flags = Qt.AlignmentFlag
    left, width = box.left() + pad, box.width() - 2.0 * pad
    painter.setFont(style.font(TEXT, STRONG))
    painter.setPen(QColor(style.theme.text))
    heading = QRectF(left + 20.0 * scale, top, width, line)
    painter.drawText(heading, flags.AlignLeft | flags.AlignVCenter, card.title)
    top += line + 2.0 * scale
    painter.setFont(style.font(TEXT))
    for name, value in card.rows:
        # The name of a class, such as b, is no formula.
        value = value if name == "class" else style.letters(value)
        name = style.letters(name)
        row = QRectF(left, top, width, line)
        painter.setPen(QColor(style.theme.muted))
        painter.drawText(row, flags.AlignLeft | flags.AlignVCenter, name)
        painter.setPen(QColor(style.theme.text))
        painter.drawText(row, flags.AlignRight | flags.AlignVCenter, value)
        top += line
    top += 4.0 * scale
    painter.setFont(style.font(style.label))
    for note in card.notes:
        row = QRectF(left, top, width, 0.85 * line)
        painter.drawText(row, flags.AlignLeft | flags.AlignVCenter, style.letters(note))
        top += 0.85 * line


def _draw_background(painter: QPainter, box: QRectF, style: Style) -> None:
    """Fill the box of a card, and draw its edge and its shadow."""
    corner = CORNER * style.scale
    painter.setPen(Qt.PenStyle.NoPen)
    for reach, opacity in ((6.0, 0.04), (3.0, 0.06)):
        grown = box.adjusted(-reach, -reach + 2.0, reach, reach + 2.0)
        painter.setBrush(faded("#000000", opacity))
        painter.drawRoundedRect(grown, corner + reach, corner + reach)
    painter.setPen(style.pen(style.theme.line, 1.0))
    painter.setBrush(QColor(style.theme.card))
    painter.drawRoundedRect(box, corner, corner)


def place_card(
    size: tuple[float, float], x: float, y: float, camera: Camera, scale: float
) -> QRectF:
    """Return the box of a card inside the picture: right of pixel (x, y) if it fits, or left."""
    width, height = size
    distance, edge = POINT_DISTANCE * scale, 4.0 * scale
    left = x + distance if x + distance + width + edge <= camera.width else x - distance - width
    left = min(max(left, edge), max(edge, camera.width - width - edge))
    top = min(max(y - 0.5 * height, edge), max(edge, camera.height - height - edge))
    return QRectF(
        QPointF(round(left), round(top)), QPointF(round(left + width), round(top + height))
    )


def place_at_edge(
    size: tuple[float, float], x: float, y: float, camera: Camera, scale: float
) -> QRectF:
    """Return the box of a card at the edge that is nearer to pixel (x, y), not on the pixel."""
    (width, height), distance, edge = size, POINT_DISTANCE * scale, 4.0 * scale
    left = edge if x < 0.5 * camera.width else camera.width - width - edge
    top = min(max(y - 0.5 * height, edge), max(edge, camera.height - height - edge))
    if left - distance < x < left + width + distance:
        below, above = y + distance, y - distance - height
        top = below if below + height + edge <= camera.height else max(above, edge)
    return QRectF(QPointF(round(left), round(top)), QSizeF(round(width), round(height)))


def size_of(card: PointCard, style: Style) -> tuple[float, float]:
    """Return the width and the height of a card, px."""
    scale, letters = style.scale, style.letters
    plain, small = QFontMetricsF(style.font(TEXT)), QFontMetricsF(style.font(style.label))
    # Letters of formulas are wider than those of the text.
    rows = [
        sum(plain.horizontalAdvance(letters(text)) for text in row) + COLUMN_GAP * scale
        for row in card.rows
    ]
    notes = [small.horizontalAdvance(letters(note)) + 1.0 for note in card.notes]
    lines = 1.0 + len(card.rows) + 0.85 * len(card.notes)
    return (
        max([*rows, *notes]) + 2.0 * PADDING * scale,
        (lines * LINE_HEIGHT + 6.0 + 1.6 * PADDING) * scale,
    )
