"""Marks in the charts of the Pair panel: dots, rings, lines, arrows, and letters of bounds.

The position of a pair is the point ``(alpha_i, alpha_j)`` or ``(tau_i, tau_j)`` in the square. In
the chart of the objective it is the point of the parabola for this pair.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from svmviz.theme import BODY, active, font


def draw_dot(painter: QPainter, position: QPointF, colour: str) -> None:
    """Paint a dot at the old or the new position of the pair, px."""
    radius = active().metrics.stroke(5.5)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.drawEllipse(position, radius, radius)


def draw_ring(painter: QPainter, position: QPointF, colour: str) -> None:
    """Paint a ring at the vertex of the objective, where the pair would move without bounds."""
    stroke = active().metrics.stroke
    painter.setPen(QPen(QColor(colour), stroke(2.0)))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(position, stroke(7.0), stroke(7.0))


def draw_beyond(painter: QPainter, plot: QRectF, position: QPointF, colour: str) -> bool:
    """If a position is outside the plot, paint an arrow to it at the edge of the plot.

    Return whether the position is outside.
    """
    if plot.contains(position):
        return False
    size = active().metrics.stroke(7.0)
    inside = plot.adjusted(2 * size, 2 * size, -2 * size, -2 * size)
    edge_point = QPointF(
        min(max(position.x(), inside.left()), inside.right()),
        min(max(position.y(), inside.top()), inside.bottom()),
    )
    direction = math.atan2(position.y() - edge_point.y(), position.x() - edge_point.x())
    corners = [
        edge_point
        + QPointF(math.cos(direction + angle), math.sin(direction + angle)) * size * length
        for angle, length in ((0.0, 1.6), (2.3, 1.2), (-2.3, 1.2))
    ]
    painter.setPen(QPen(QColor(active().theme.card), active().metrics.stroke(1.5)))
    painter.setBrush(QColor(colour))
    painter.drawPolygon(QPolygonF(corners))
    return True


def draw_step(painter: QPainter, start: QPointF, end: QPointF) -> None:
    """Paint the line from the old to the new position of the pair."""
    look = active()
    painter.setPen(QPen(QColor(look.theme.highlight), look.metrics.stroke(2.5)))
    painter.drawLine(start, end)


def write_name(painter: QPainter, position: QPointF, name: str) -> None:
    """Write the letter of a bound of the step: L or H for alphas, M for hull weights."""
    painter.setFont(font(BODY, 600))
    painter.setPen(QColor(active().theme.accent))
    painter.drawText(position, name)
