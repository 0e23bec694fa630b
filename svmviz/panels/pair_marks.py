"""Marks that the pictures of a pair have in common: before, wanted, after, and names."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from svmviz.theme import BODY, active, font


def draw_dot(painter: QPainter, place: QPointF, colour: str) -> None:
    """Where the pair stood, or stands."""
    radius = active().metrics.stroke(5.5)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.drawEllipse(place, radius, radius)


def draw_ring(painter: QPainter, place: QPointF, colour: str) -> None:
    """Where the parabola alone would have led."""
    stroke = active().metrics.stroke
    painter.setPen(QPen(QColor(colour), stroke(2.0)))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(place, stroke(7.0), stroke(7.0))


def draw_way(painter: QPainter, start: QPointF, end: QPointF) -> None:
    """The way of the step."""
    look = active()
    painter.setPen(QPen(QColor(look.theme.highlight), look.metrics.stroke(2.5)))
    painter.drawLine(start, end)


def write_name(painter: QPainter, place: QPointF, name: str) -> None:
    """A letter beside an end of what is allowed."""
    painter.setFont(font(BODY, 600))
    painter.setPen(QColor(active().theme.accent))
    painter.drawText(place, name)
