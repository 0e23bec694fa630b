"""Words on an overlay, on a backing that hides what is below: names of its parts, and a note."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.style import Style, faded
from svmviz.theme import STRONG, TEXT


@dataclass(frozen=True)
class BoxName:
    """Words in the middle of a box, px.

    Attributes
    ----------
    words : str
    box : QRectF
    colour : str
        Of the words; "" for the colour of text.
    size : float
        Text size, px at scale 1.
    """

    words: str
    box: QRectF
    colour: str = ""
    size: float = TEXT


def box_for(words: str, style: Style, size: float = TEXT) -> QRectF:
    """Return a box with room for words, at (0, 0)."""
    measure = QFontMetricsF(style.font(size, STRONG))
    width = measure.horizontalAdvance(style.letters(words)) + 8.0 * style.scale
    return QRectF(0.0, 0.0, width, measure.height())


def name_beside(
    canvas: Canvas, words: str, place: np.ndarray, beside: np.ndarray, colour: str = ""
) -> BoxName:
    """Return words beside a place, px, within the plot.

    ``beside`` is a unit vector towards the words, or 0 for words in the middle of the place.
    """
    box, plot = box_for(words, canvas.style), canvas.plot
    away = 0.5 * (abs(beside[0]) * box.width() + abs(beside[1]) * box.height())
    box.moveCenter(QPointF(*(place + (away + 5.0 * canvas.style.scale) * beside).tolist()))
    box.moveLeft(min(max(box.left(), plot.left() + 2), plot.right() - box.width() - 2))
    box.moveTop(min(max(box.top(), plot.top() + 2), plot.bottom() - box.height() - 2))
    return BoxName(words, box, colour)


def write_names(painter: QPainter, names: Iterable[BoxName], style: Style) -> None:
    """Write names into their boxes."""
    for name in names:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(faded(style.theme.plane, 0.85))
        painter.drawRoundedRect(name.box, 3.0 * style.scale, 3.0 * style.scale)
        painter.setFont(style.font(name.size, STRONG))
        painter.setPen(QColor(name.colour or style.theme.text))
        painter.drawText(name.box, Qt.AlignmentFlag.AlignCenter, style.letters(name.words))


def write_pending(painter: QPainter, canvas: Canvas, words: str) -> None:
    """Write words in the upper left corner of the plot. They are elided if the plot is narrow."""
    style = canvas.style
    write_note(painter, canvas, words, style.font(TEXT, STRONG), style.theme.text, 8.0)


def write_note(
    painter: QPainter,
    canvas: Canvas,
    words: str,
    font: QFont,
    ink: str,
    edge: float,
    *,
    below: bool = False,
) -> None:
    """Write words in a corner of the plot, the upper or the lower left one; long ones are elided.

    ``edge`` is the space around the words and beside the plot, px at scale 1.
    """
    plot, edge, measure = canvas.plot, edge * canvas.style.scale, QFontMetricsF(font)
    text = measure.elidedText(words, Qt.TextElideMode.ElideRight, plot.width() - 4.0 * edge)
    box = QRectF(0.0, 0.0, measure.horizontalAdvance(text) + 2.0 * edge, measure.height() + edge)
    box.moveTopLeft(plot.topLeft() + QPointF(edge, edge))
    if below:
        box.moveBottom(plot.bottom() - edge)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(faded(canvas.style.theme.plane, 0.85))
    painter.drawRoundedRect(box, 0.5 * edge, 0.5 * edge)
    painter.setFont(font)
    painter.setPen(QColor(ink))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
