"""Slack: a vertical bar at each point with positive slack, as long as the slack.

In a classification the bar stands on the mark, and a slack of 1 is equally long at all points. The
bar does not end at the margin: only for the linear kernel would a line from the point to the
margin have a length proportional to the slack. In a regression slack is a length along y, so the
bar joins the point and the edge of the tube.

If points lie close together, the bars of correctly classified points fade, so that the bars of
misclassified points stand out.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter

from solvers.data.datasets import PointSet
from solvers.problem.certificate import BOUND, FREE, ZERO
from svmviz.base.bulk_drawing import draw_rectangles
from svmviz.camera.camera import Camera
from svmviz.frames.frame import Lane
from svmviz.plane.paint.points import kinds_of
from svmviz.plane.paint.style import Style, faded
from svmviz.theme.contrast import mix

# Slack below this is within the tolerance of a solver and is not drawn.
MIN_SLACK = 2e-3
# Maximum number of bars; only the longest are drawn, since short ones could not be told apart.
MAX_BARS = 1500
# A bar for more slack than MAX_UNITS ends at MAX_UNITS, and is drawn in two pieces with the space
# GAP between them. The upper piece has length END_PIECE. All are in units of slack.
MAX_UNITS, END_PIECE, GAP = 4.0, 0.5, 0.2
# Fraction of the colour of slack in the colour of bars; the rest is the colour of the plane.
STRENGTH = 0.85
# Width of the tick at slack 1, in widths of a bar.
SLACK_TICK = 3.5


def draw_slack(painter: QPainter, data: PointSet, lane: Lane, camera: Camera, style: Style) -> None:
    """Draw the bars of all points with slack.

    ``lane`` is the run at the step shown; its certificate has the slack of each point.
    """
    slack = lane.certificate.slack
    drawn = np.flatnonzero(slack > MIN_SLACK)
    if not len(drawn):
        return
    if len(drawn) > MAX_BARS:
        drawn = drawn[np.argpartition(-slack[drawn], MAX_BARS)[:MAX_BARS]]
    if lane.problem.task == "regression":
        fill_bars(painter, _to_the_tube(data, lane, drawn, camera, style), style)
        return
    wrong = slack[drawn] > 1.0
    for part, opacity in ((drawn[~wrong], style.ink.minor_opacity), (drawn[wrong], 1.0)):
        if opacity > 0.0:
            fill_bars(painter, _on_the_marks(data, lane, part, camera, style), style, opacity)


def fill_bars(painter: QPainter, boxes: np.ndarray, style: Style, opacity: float = 1.0) -> None:
    """Fill m rectangles, an array of shape (m, 4) in px.

    This is 20 times as fast as drawing lines wider than 1 px.
    """
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(faded(mix(style.theme.plane, style.theme.slack, STRENGTH), opacity))
    draw_rectangles(painter, boxes)


def bars(feet: np.ndarray, slack: np.ndarray, style: Style) -> np.ndarray:
    """Return the rectangles of bars: left, top, width and height, in px.

    ``feet``, shape (m, 2), are the positions on which the bars stand, in px.

    A tick marks slack 1: from there on a point is misclassified.
    """
    unit, width = style.ink.slack_unit * style.scale, bar_width(style)
    x, y = feet[:, 0], feet[:, 1]
    long = slack > MAX_UNITS
    body = np.where(long, MAX_UNITS - END_PIECE - GAP, slack) * unit
    parts = [_boxes(x, y - body, width, body)]
    top = np.full(int(long.sum()), END_PIECE * unit)
    parts.append(_boxes(x[long], y[long] - MAX_UNITS * unit, width, top))
    wrong = slack > 1.0
    thick = np.full(int(wrong.sum()), max(1.0, 0.6 * width))
    parts.append(_boxes(x[wrong], y[wrong] - unit - 0.5 * thick, SLACK_TICK * width, thick))
    return np.concatenate(parts)


def bar_width(style: Style) -> float:
    """Width of a bar, in whole px unless the picture is for a vector format."""
    width = style.ink.slack_width * style.scale
    return width if style.vector else max(1.0, round(width))


def _on_the_marks(
    data: PointSet, lane: Lane, drawn: np.ndarray, camera: Camera, style: Style
) -> np.ndarray:
    """Return bars that stand on the rings of points, or on their marks if they have no rings."""
    feet, ink = camera.to_pixels(data.points[drawn]), style.ink
    # Which rings a point has depends on its alpha: zero, free or at the bound.
    radius = np.array([ink.reach(kind) for kind in (ZERO, FREE, BOUND)]) * style.scale
    feet[:, 1] -= radius[kinds_of(data, lane, style)[drawn]]
    if not style.vector:
        feet[:, 0] = np.floor(feet[:, 0]) + 0.5 * (bar_width(style) % 2.0)
    in_sight = camera.inside(feet, (MAX_UNITS + 1.0) * ink.slack_unit * style.scale)
    return bars(feet[in_sight], lane.certificate.slack[drawn][in_sight], style)


def _to_the_tube(
    data: PointSet, lane: Lane, drawn: np.ndarray, camera: Camera, style: Style
) -> np.ndarray:
    """Return bars from points to the edge of the tube."""
    certificate = lane.certificate
    edges = data.points[drawn].copy()
    residual = edges[:, 1] - certificate.decision[drawn]
    edges[:, 1] -= np.sign(residual) * certificate.slack[drawn]
    (x, y), (_, end) = camera.to_pixels(data.points[drawn]).T, camera.to_pixels(edges).T
    # Qt is slow with rectangles far larger than the picture.
    y, end = (np.clip(place, -1.0, camera.height + 1.0) for place in (y, end))
    if not style.vector:
        x = np.floor(x) + 0.5 * (bar_width(style) % 2.0)
    return _boxes(x, np.minimum(y, end), bar_width(style), np.abs(end - y))


def _boxes(x: np.ndarray, top: np.ndarray, width: float, height: np.ndarray) -> np.ndarray:
    return np.column_stack([x - 0.5 * width, top, np.full(len(x), width), height])
