"""Long lines, drawn quickly."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from PySide6.QtGui import QPainter, QPolygonF
from shiboken6 import VoidPtr

# The time for an antialiased line wider than 1 px grows faster than its length, most of all if the
# line goes up and down. Such a line of 320 values takes 77 ms in one piece, and 14 ms in pieces of
# MIN_PIECE segments. A joint of two pieces is painted twice, so its edges are darker than the line.
# At corners this is not visible. Therefore pieces end at corners, or after MAX_PIECE segments.
MIN_PIECE, MAX_PIECE = 24, 240
# Points are left out if the line without them differs by at most this distance, px.
MAX_DEVIATION = 0.03


def polygon(points: np.ndarray) -> QPolygonF:
    """Return a Qt polygon of points, shape (m, 2).

    All points are copied in one go: 1,000 points take 2 μs. One by one they would take 600 μs.
    """
    result = QPolygonF()
    if len(points):
        result.resize(len(points))
        # The type stubs lack two arguments of VoidPtr, and do not know that it is a buffer.
        memory: Any = cast(Any, VoidPtr)(result.data(), 16 * len(points), True)
        corners = np.frombuffer(memory, np.float64)
        corners.reshape(-1, 2)[:] = points
    return result


def draw_polyline(painter: QPainter, points: np.ndarray) -> None:
    """Draw a line through points, shape (m, 2), with the pen of the painter.

    The pen must have round ends and joins, and be opaque and solid.
    """
    if len(points) > MIN_PIECE + 1:
        points = without_straight(points)
    start, last, corners = 0, len(points) - 1, _corners(points)
    while start < last:
        next_corner = np.searchsorted(corners, start + MIN_PIECE)
        end = int(corners[next_corner]) if next_corner < len(corners) else last
        end = min(end, start + MAX_PIECE, last)
        painter.drawPolyline(polygon(points[start : end + 1]))
        start = end


def without_straight(points: np.ndarray, max_deviation: float = MAX_DEVIATION) -> np.ndarray:
    """Return a line, shape (m, 2), without points where it is straight up to a deviation, px.

    A chord over k equal segments deviates from the line by k^2 / 4 times as much as a chord over
    two segments. So between two kept points, the square roots of the deviations of the points left
    out must add up to at most the root of ``max_deviation``. The deviation of a point between
    segments of unequal length is computed as if the shorter segment were as long as the other,
    because the line may continue in its direction.
    """
    # Points that coincide with the one before have no direction.
    is_new = np.hypot(*np.diff(points, axis=0).T) > max_deviation**2
    points = np.concatenate([points[:1], points[1:-1][is_new[:-1]], points[-1:]])
    if len(points) < 3:
        return points
    before, after = points[1:-1] - points[:-2], points[2:] - points[1:-1]
    shorter = np.maximum(np.minimum(np.hypot(*before.T), np.hypot(*after.T)), 1e-300)
    deviations = np.abs(before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]) / (2.0 * shorter)
    turns_back = (before * after).sum(axis=1) < 0.0
    roots = np.sqrt(np.where(turns_back, 1e9, deviations) / max_deviation)
    totals = np.floor(np.concatenate([[0.0], np.cumsum(roots)]))
    is_kept = np.concatenate([[True], np.diff(totals) > 0.0, [True]])
    return points[is_kept]


def _corners(points: np.ndarray) -> np.ndarray:
    """Return the indices of the points where a line turns by more than 45 degrees."""
    steps = np.diff(points, axis=0)
    lengths = np.hypot(*steps.T)
    cosines = (steps[1:] * steps[:-1]).sum(axis=1)
    return np.flatnonzero(cosines < 0.7 * lengths[1:] * lengths[:-1]) + 1
