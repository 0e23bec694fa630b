"""Slack: a line from each point with positive slack to the place where its slack would end.

In classification that place is on the margin of its class (`slack_paths.py`). If it is not in
sight, the line is short and ends in a small ring. In regression the slack is a length along y, so
the line joins the point and the edge of the tube.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter

from svmviz.base.bulk_drawing import draw_lines
from svmviz.base.strokes import polygon
from svmviz.frames.frame import Lane
from svmviz.frames.slack_paths import MIN_SLACK, slack_paths
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.roles import FREE, ROLES
from svmviz.plane.paint.style import Style

# Width of a line at full size and in a crowd, px at scale 1. Lines wider than 1 px take twice the
# time.
WIDTH, LEAST_WIDTH = 1.0, 0.5
# Length of a line with an open end outside the mark of its point, and radius of the ring there, px
# at scale 1.
STUB, OPEN_END = 9.0, 2.2


def draw_slack(painter: QPainter, canvas: Canvas, lane: Lane) -> None:
    """Draw the lines of all points with slack."""
    style = canvas.style
    painter.setPen(style.pen(style.theme.slack, line_width(style)))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if lane.problem.task == "regression":
        draw_lines(painter, _to_the_tube(canvas, lane))
    else:
        _draw_paths(painter, canvas, lane)


def line_width(style: Style) -> float:
    """Return the width of a line, px at scale 1."""
    return max(LEAST_WIDTH, WIDTH * min(1.0, 1.5 * style.size))


def _draw_paths(painter: QPainter, canvas: Canvas, lane: Lane) -> None:
    camera, style = canvas.camera, canvas.style
    found = slack_paths(lane, canvas.document)
    m, count, _ = found.paths.shape
    pixels = camera.to_pixels(found.paths.reshape(-1, 2)).reshape(m, count, 2)
    # All lines are drawn in one call: one call for each of 400 paths would take ten times as long.
    closed = pixels[~found.is_open]
    lines = np.concatenate([closed[:, :-1], closed[:, 1:]], axis=2).reshape(-1, 4)
    draw_lines(painter, lines[(lines[:, :2] != lines[:, 2:]).any(axis=1)])
    radius = OPEN_END * style.scale
    stub = (ROLES[FREE].reach(style.size) + STUB) * style.scale
    has_direction = (pixels != pixels[:, :1]).any(axis=(1, 2))
    for path in pixels[found.is_open & has_direction & camera.inside(pixels[:, 0], stub)]:
        start = shortened(path, stub - radius)
        painter.drawPolyline(polygon(start))
        painter.drawEllipse(QPointF(*start[-1].tolist()), radius, radius)


def shortened(path: np.ndarray, length: float) -> np.ndarray:
    """Return the beginning of a path, shape (m, 2), up to a length; a shorter path is unchanged."""
    ends = np.concatenate([[0.0], np.hypot(*np.diff(path, axis=0).T).cumsum()])
    if ends[-1] <= length:
        return path
    last = int(np.searchsorted(ends, length))
    share = (length - ends[last - 1]) / (ends[last] - ends[last - 1])
    return np.vstack([path[:last], path[last - 1] + share * (path[last] - path[last - 1])])


def _to_the_tube(canvas: Canvas, lane: Lane) -> np.ndarray:
    """Return lines that join points and the edge of the tube, px, shape (m, 4)."""
    certificate, camera = lane.certificate, canvas.camera
    drawn = np.flatnonzero(certificate.slack > MIN_SLACK)
    points = canvas.data.points[drawn]
    edges = points.copy()
    residual = edges[:, 1] - certificate.decision[drawn]
    edges[:, 1] -= np.sign(residual) * certificate.slack[drawn]
    starts, ends = camera.to_pixels(points), camera.to_pixels(edges)
    # Clip the ends, since Qt is slow with lines far longer than the picture.
    for side in (starts, ends):
        side[:, 1] = np.clip(side[:, 1], -1.0, camera.height + 1.0)
    return np.hstack([starts, ends])
