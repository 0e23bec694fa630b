"""Marks in the drawings of a pair: the old, the unclipped and the new position, arrows, names."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from svmviz.theme import BODY, active, font


def draw_dot(painter: QPainter, place: QPointF, colour: str) -> None:
    """Paint the old or the new place of the pair."""
    radius = active().metrics.stroke(5.5)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.drawEllipse(place, radius, radius)


def draw_ring(painter: QPainter, place: QPointF, colour: str) -> None:
    """Paint the vertex of the parabola: where the pair would move without the box."""
    stroke = active().metrics.stroke
    painter.setPen(QPen(QColor(colour), stroke(2.0)))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(place, stroke(7.0), stroke(7.0))


def draw_beyond(painter: QPainter, plot: QRectF, place: QPointF, colour: str) -> bool:
    """Paint an arrow at the edge towards a position outside the plot.

    Return whether it is outside.
    """
    if plot.contains(place):
        return False
    size = active().metrics.stroke(7.0)
    inside = plot.adjusted(2 * size, 2 * size, -2 * size, -2 * size)
    edge_point = QPointF(
        min(max(place.x(), inside.left()), inside.right()),
        min(max(place.y(), inside.top()), inside.bottom()),
    )
    turn = math.atan2(place.y() - edge_point.y(), place.x() - edge_point.x())
    corners = [
        edge_point + QPointF(math.cos(turn + part), math.sin(turn + part)) * size * reach
        for part, reach in ((0.0, 1.6), (2.3, 1.2), (-2.3, 1.2))
    ]
    painter.setPen(QPen(QColor(active().theme.card), active().metrics.stroke(1.5)))
    painter.setBrush(QColor(colour))
    painter.drawPolygon(QPolygonF(corners))
    return True


def draw_step(painter: QPainter, start: QPointF, end: QPointF) -> None:
    """Paint the line from the old to the new place."""
    look = active()
    painter.setPen(QPen(QColor(look.theme.highlight), look.metrics.stroke(2.5)))
    painter.drawLine(start, end)


def write_name(painter: QPainter, place: QPointF, name: str) -> None:
    """Write a letter beside an end of the feasible segment."""
    painter.setFont(font(BODY, 600))
    painter.setPen(QColor(active().theme.accent))
    painter.drawText(place, name)
