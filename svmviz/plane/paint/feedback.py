"""Drawings on top of the plane, only in the window: outlines, brushes and short texts."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPolygonF

from svmviz.base.bulk_drawing import draw_lines
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.point_shapes import class_colours
from svmviz.plane.paint.roles import PLAIN, ROLES
from svmviz.plane.paint.style import Style, faded
from svmviz.theme import SENTENCE, STRONG, TEXT
from svmviz.tools.base import Feedback

# Radius of the handles of a line, px at scale 1.
HANDLE = 6.5
# Radius of the rings at the ends of a rubber band, relative to that of the points.
BAND_END = 1.7


def draw_feedback(painter: QPainter, canvas: Canvas, feedback: Feedback) -> None:
    """Paint the drawings of the tool in use."""
    style = canvas.style
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if feedback.outline is not None:
        _draw_outline(painter, canvas, feedback.outline)
    if feedback.circle is not None:
        _draw_circle(painter, canvas, feedback)
    if feedback.to_delete is not None:
        painter.setPen(style.pen(style.theme.bad, 1.75))
        painter.setBrush(faded(style.theme.bad, 0.15))
        radius = ROLES[PLAIN].radius(style.size) * style.scale
        for x, y in feedback.to_delete.tolist():
            painter.drawEllipse(QPointF(x, y), radius, radius)
            arm = 0.55 * radius
            painter.drawLine(QPointF(x - arm, y - arm), QPointF(x + arm, y + arm))
            painter.drawLine(QPointF(x - arm, y + arm), QPointF(x + arm, y - arm))
    if feedback.handles is not None:
        for x, y in feedback.handles.tolist():
            painter.setPen(style.pen(style.theme.focus, 2.5))
            painter.setBrush(QColor(style.theme.plane))
            painter.drawEllipse(QPointF(x, y), HANDLE * style.scale, HANDLE * style.scale)
    if feedback.band is not None:
        _draw_band(painter, canvas, feedback.band)
    if feedback.words:
        _draw_message(painter, canvas, feedback.words)


def draw_focus_ring(painter: QPainter, edge: QRect, style: Style) -> None:
    """Paint a thin ring inside the edge of the plane, which has the focus of the keyboard."""
    pen = style.pen(style.theme.focus, 2.0)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    inset = 0.5 * pen.widthF()
    painter.drawRect(QRectF(edge).adjusted(inset, inset, -inset, -inset))


def _draw_outline(painter: QPainter, canvas: Canvas, corners: np.ndarray) -> None:
    style = canvas.style
    painter.save()
    painter.setClipRect(canvas.plot)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(faded(style.theme.focus, 0.12))
    polygon = QPolygonF([QPointF(x, y) for x, y in corners.tolist()])
    painter.drawPolygon(polygon, Qt.FillRule.WindingFill)
    # Qt paints many single lines faster than one path of the same lines.
    painter.setPen(style.pen(style.theme.focus, 1.5))
    draw_lines(painter, np.hstack([corners, np.roll(corners, -1, axis=0)]))
    painter.restore()


def _draw_circle(painter: QPainter, canvas: Canvas, feedback: Feedback) -> None:
    assert feedback.circle is not None
    style = canvas.style
    x, y, radius = feedback.circle
    colour = style.theme.text
    if feedback.label:
        colour = class_colours(style.theme, feedback.label)[0]
    painter.save()
    painter.setClipRect(canvas.plot)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for shade, width in ((style.theme.plane, 4.0), (colour, 1.75)):
        painter.setPen(style.pen(shade, width))
        painter.drawEllipse(QPointF(x, y), radius, radius)
    painter.restore()


def _draw_band(painter: QPainter, canvas: Canvas, ends: np.ndarray) -> None:
    """Draw a line between two places, and a ring around each."""
    style = canvas.style
    first, second = (QPointF(x, y) for x, y in ends.tolist())
    radius = BAND_END * ROLES[PLAIN].radius(style.size) * style.scale
    painter.save()
    painter.setClipRect(canvas.plot)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width in ((style.theme.plane, 6.0), (style.theme.focus, 2.5)):
        painter.setPen(style.pen(colour, width))
        painter.drawLine(first, second)
        for end in (first, second):
            painter.drawEllipse(end, radius, radius)
    painter.restore()


def _draw_message(painter: QPainter, canvas: Canvas, words: str) -> None:
    """Write a sentence in a box at the top of the plot, with line breaks if needed."""
    plot, style, scale = canvas.plot, canvas.style, canvas.style.scale
    painter.setFont(style.font(TEXT))
    words = style.letters(words)
    flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
    max_box = plot.adjusted(40.0 * scale, 20.0 * scale, -40.0 * scale, -20.0 * scale)
    text_size = QFontMetricsF(painter.font()).boundingRect(max_box, int(flags), words)
    box = QRectF(0.0, 0.0, text_size.width() + 28.0 * scale, text_size.height() + 14.0 * scale)
    box.moveCenter(QPointF(plot.center().x(), 0.0))
    box.moveTop(plot.top() + 14.0 * scale)
    painter.setPen(style.pen(style.theme.line, 1.0))
    painter.setBrush(QColor(style.theme.card))
    painter.drawRoundedRect(box, 8.0 * scale, 8.0 * scale)
    painter.setPen(QColor(style.theme.text))
    painter.drawText(box, int(flags), words)


def draw_invitation(painter: QPainter, canvas: Canvas, title: str, line: str) -> None:
    """Write a title and a line, which say what to do, in the middle of a plane without points."""
    plot, style, scale = canvas.plot, canvas.style, canvas.style.scale
    centre = int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
    painter.setFont(style.font(SENTENCE, STRONG))
    painter.setPen(QColor(style.theme.text))
    middle = plot.center().y() - 28.0 * scale
    painter.drawText(QRectF(plot.left(), middle, plot.width(), 30.0 * scale), centre, title)
    painter.setFont(style.font(TEXT))
    painter.setPen(QColor(style.theme.muted))
    below = QRectF(plot.left(), middle + 32.0 * scale, plot.width(), 48.0 * scale)
    painter.drawText(below, centre, line)
