"""Lines that cross the plot."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter

from solvers.geometry.lines import Line
from svmviz.base.strokes import polygon
from svmviz.camera.camera import MAX_PIXEL, Camera
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.style import Style

# Number of half-planes of a hull whose edges are drawn.
MANY = 36


def line_through(point: np.ndarray, normal: np.ndarray, camera: Camera) -> np.ndarray:
    """Return both ends of the line through ``point`` with ``normal``, px, shape (2, 2).

    Point and normal are in data units. The line crosses the whole plot: its ends lie on the edge of
    the plot or beyond it.
    """
    units_x, units_y = camera.units
    # The direction is normalised in px, since a unit vector in data units may have length 0 or
    # infinity in px.
    along = np.array([-normal[1], normal[0]]) / (np.abs(normal).max() or 1.0)
    direction = np.array([along[0] / units_x, -along[1] / units_y])
    direction = direction / (np.abs(direction).max() or 1.0)
    direction = direction / (math.hypot(*direction) or 1.0)
    left, top = camera.left, camera.top
    centre = np.array([left + 0.5 * camera.plot_width, top + 0.5 * camera.plot_height])
    start = (point - (camera.x, camera.y)) / (units_x, -units_y) + centre
    # The ends are at equal distances from ``foot``, which is the point of the line nearest to the
    # centre of the plot. So they lie near the plot.
    foot = start + direction * float((centre - start) @ direction)
    reach = math.hypot(camera.plot_width, camera.plot_height)
    ends = np.array([foot - reach * direction, foot + reach * direction])
    return np.clip(ends, -MAX_PIXEL, MAX_PIXEL)


def edges_of_half_planes(corners: np.ndarray, camera: Camera) -> np.ndarray:
    """Return the edges of half-planes whose intersection is close to the hull of some corners.

    The edges are lines that touch the hull, in directions that look evenly spread. ``corners`` has
    shape (h, 2), px. The result holds both ends of each line: x, y, x, y, px, shape (MANY, 4).
    """
    angles = np.linspace(0.0, 2.0 * np.pi, MANY, endpoint=False)
    units = np.column_stack([np.cos(angles), np.sin(angles)])
    # The place where a line touches the hull, and from it to both sides beyond the plot.
    touched = corners[(units @ corners.T).argmax(axis=1)]
    middle = (camera.left + 0.5 * camera.plot_width, camera.top + 0.5 * camera.plot_height)
    along = np.column_stack([-units[:, 1], units[:, 0]])
    feet = touched + ((middle - touched) * along).sum(axis=1, keepdims=True) * along
    reach = math.hypot(camera.plot_width, camera.plot_height) * along
    ends = np.hstack([feet - reach, feet + reach])
    return np.clip(ends, -MAX_PIXEL, MAX_PIXEL)


def ends_of(canvas: Canvas, line: Line) -> np.ndarray:
    """Return both ends of a line given in solver units, as `line_through` does."""
    factors = canvas.document.factors
    return line_through(line.offset * line.unit * factors, line.unit / factors, canvas.camera)


def visible_places(canvas: Canvas, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return those of 200 places between two ends that lie in the plot, px, shape (m, 2)."""
    places = start + np.linspace(0.0, 1.0, 200)[:, None] * (end - start)
    plot = canvas.plot
    low, high = (plot.left(), plot.top()), (plot.right(), plot.bottom())
    return places[((places >= low) & (places <= high)).all(axis=1)]


def direction_of(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the unit vector from one place to another; zeros if they are the same."""
    return (end - start) / (math.hypot(*(end - start)) or 1.0)


def draw_arrow(
    painter: QPainter, ends: np.ndarray, style: Style, colours: Mapping[str, float], head: float
) -> None:
    """Draw an arrow from the first to the second end, in px.

    ``colours`` are those of its strokes with their widths; the last one is the colour of the head.
    ``head`` is the length of the head. Widths and ``head`` are in px at scale 1.
    """
    start, tip = ends
    head = min(head * style.scale, math.hypot(*(tip - start)))
    back = -head * direction_of(start, tip)
    across = 0.45 * np.array([-back[1], back[0]])
    colour = ""
    for colour, width in colours.items():
        painter.setPen(style.pen(colour, width))
        # The line ends inside the head, whose tip would otherwise be as broad as the line.
        draw_line(painter, np.array([start, tip + 0.8 * back]))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.drawPolygon(polygon(np.array([tip, tip + back + across, tip + back - across])))


def draw_line(painter: QPainter, ends: np.ndarray) -> None:
    """Draw a line from ``ends[0]`` to ``ends[1]``, px, with the pen of the painter."""
    painter.drawLine(QPointF(*ends[0].tolist()), QPointF(*ends[1].tolist()))
