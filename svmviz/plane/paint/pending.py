"""A note on the plane while a result is still being computed."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.style import faded
from svmviz.theme import BODY

# Space around the words, px at scale 1.
EDGE = 8.0


def write_pending(painter: QPainter, canvas: Canvas, words: str) -> None:
    """Write words in the upper left corner of the plot. They are elided if the plot is narrow."""
    plot, style = canvas.plot, canvas.style
    edge = EDGE * style.scale
    painter.setFont(style.font(BODY, 600))
    measure = QFontMetricsF(painter.font())
    max_width = plot.width() - 4.0 * edge
    text = measure.elidedText(words, Qt.TextElideMode.ElideRight, max_width)
    box = QRectF(0.0, 0.0, measure.horizontalAdvance(text) + 2.0 * edge, measure.height() + edge)
    box.moveTopLeft(plot.topLeft() + QPointF(edge, edge))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(faded(style.theme.plane, 0.88))
    painter.drawRoundedRect(box, 0.5 * edge, 0.5 * edge)
    painter.setPen(QColor(style.theme.text))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
