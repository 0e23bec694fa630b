"""Small points of both classes: discs for +1, squares for -1, as on the plane."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from svmviz.base.strokes import polygon
from svmviz.theme import Look


def draw_dots(
    painter: QPainter,
    positions: np.ndarray,
    labels: np.ndarray,
    size: float,
    look: Look,
    opacity: float = 1.0,
) -> None:
    """Paint points in the colours and shapes of their classes.

    Parameters
    ----------
    painter : QPainter
    positions : array, shape (m, 2)
        Positions, px.
    labels : array, shape (m,)
        Classes, -1 or +1.
    size : float
        Diameter, px at scale 1.
    look : Look
        That of the widget.
    opacity : float
    """
    theme, stroke = look.theme, look.metrics.stroke
    # Label, colour, shape, and width of the shape relative to ``size``.
    kinds = (
        (1, theme.positive, Qt.PenCapStyle.RoundCap, 1.0),
        (-1, theme.negative, Qt.PenCapStyle.SquareCap, 0.86),
    )
    for label, colour, cap, relative_size in kinds:
        class_colour = QColor(colour)
        class_colour.setAlphaF(opacity)
        # A broad pen draws each point as a disc or a square, and one call draws all points.
        painter.setPen(QPen(class_colour, stroke(size * relative_size), Qt.PenStyle.SolidLine, cap))
        painter.drawPoints(polygon(positions[labels == label]))


def draw_rings(
    painter: QPainter,
    positions: np.ndarray,
    colour: str,
    size: float,
    look: Look,
    width: float = 1.5,
) -> None:
    """Draw rings around positions in px, shape (m, 2).

    ``size`` is the diameter of a ring, and ``width`` the width of its line, px at scale 1.
    """
    stroke = look.metrics.stroke
    painter.setPen(QPen(QColor(colour), stroke(width)))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    radius = 0.5 * stroke(size)
    for x, y in positions.tolist():
        painter.drawEllipse(QPointF(x, y), radius, radius)
