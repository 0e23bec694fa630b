"""Slack: a vertical bar at each point with positive slack, as long as the slack.

In classification the bar stands on the mark, and slack 1 has the same length at all points. The bar
does not end at the margin, because the distance from the margin is proportional to the slack only
for the linear kernel. In regression slack is a length along y, so the bar joins the point and the
edge of the tube.

If points are crowded, the bars of correctly classified points fade, so that the bars of
misclassified points stand out.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter

from solvers.problem.certificate import BOUND, FREE, ZERO
from svmviz.base.bulk_drawing import draw_rectangles
from svmviz.colours.contrast import mix
from svmviz.frames.frame import Lane
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.style import Style, faded

# Minimum slack that is drawn. Smaller slack is within the tolerance of a solver.
MIN_SLACK = 2e-3
# Maximum number of bars. If more points have slack, only the longest bars are drawn, because short
# bars could not be distinguished among so many.
MAX_BARS = 1500
# Lengths in units of slack. A bar is at most MAX_UNITS long. The bar of a larger slack has this
# length, but is broken: its upper piece has length END_PIECE, and the space GAP is below that
# piece.
MAX_UNITS, END_PIECE, GAP = 4.0, 0.5, 0.2
# Fraction of the slack colour in the colour of bars; the remainder is the colour of the plane.
STRENGTH = 0.85
# Width of the tick, in widths of a bar. The tick is a short line across the bar at slack 1.
SLACK_TICK = 3.5


def draw_slack(painter: QPainter, canvas: Canvas, lane: Lane) -> None:
    """Draw the bars of all points with slack.

    The certificate of ``lane`` has the slack of each point.
    """
    style, slack = canvas.style, lane.certificate.slack
    drawn = np.flatnonzero(slack > MIN_SLACK)
    if not len(drawn):
        return
    if len(drawn) > MAX_BARS:
        drawn = drawn[np.argpartition(-slack[drawn], MAX_BARS)[:MAX_BARS]]
    if lane.problem.task == "regression":
        fill_bars(painter, _to_the_tube(canvas, lane, drawn), style)
        return
    wrong = slack[drawn] > 1.0
    for indices, opacity in ((drawn[~wrong], style.ink.minor_opacity), (drawn[wrong], 1.0)):
        if opacity > 0.0:
            fill_bars(painter, _on_the_marks(canvas, lane, indices), style, opacity)


def fill_bars(painter: QPainter, boxes: np.ndarray, style: Style, opacity: float = 1.0) -> None:
    """Fill rectangles, shape (m, 4): left, top, width and height, in px.

    This is 20 times as fast as drawing lines wider than 1 px.
    """
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(faded(mix(style.theme.plane, style.theme.slack, STRENGTH), opacity))
    draw_rectangles(painter, boxes)


def bars(feet: np.ndarray, slack: np.ndarray, style: Style) -> np.ndarray:
    """Return the rectangles of bars: left, top, width and height, in px.

    ``feet``, shape (m, 2), are the lower ends of the bars, in px. A bar for more slack than 1 has
    a tick at slack 1, beyond which a point is misclassified.
    """
    unit, width = style.ink.slack_unit * style.scale, bar_width(style)
    x, y = feet[:, 0], feet[:, 1]
    is_long = slack > MAX_UNITS
    body = np.where(is_long, MAX_UNITS - END_PIECE - GAP, slack) * unit
    boxes = [_boxes(x, y - body, width, body)]
    end_height = np.full(int(is_long.sum()), END_PIECE * unit)
    boxes.append(_boxes(x[is_long], y[is_long] - MAX_UNITS * unit, width, end_height))
    is_wrong = slack > 1.0
    tick_height = np.full(int(is_wrong.sum()), max(1.0, 0.6 * width))
    boxes.append(
        _boxes(x[is_wrong], y[is_wrong] - unit - 0.5 * tick_height, SLACK_TICK * width, tick_height)
    )
    return np.concatenate(boxes)


def bar_width(style: Style) -> float:
    """Return the width of a bar, in whole px unless the picture is for a vector format."""
    width = style.ink.slack_width * style.scale
    return width if style.vector else max(1.0, round(width))


def _on_the_marks(canvas: Canvas, lane: Lane, drawn: np.ndarray) -> np.ndarray:
    """Return bars that stand on the rings of points, or on their marks if they have no rings."""
    camera, style, ink = canvas.camera, canvas.style, canvas.style.ink
    feet = camera.to_pixels(canvas.data.points[drawn])
    # The rings of a point depend on its kind: alpha is zero, free or at the bound.
    radii = np.array([ink.reach(kind) for kind in (ZERO, FREE, BOUND)]) * style.scale
    feet[:, 1] -= radii[canvas.kinds[drawn]]
    if not style.vector:
        feet[:, 0] = np.floor(feet[:, 0]) + 0.5 * (bar_width(style) % 2.0)
    is_visible = camera.inside(feet, (MAX_UNITS + 1.0) * ink.slack_unit * style.scale)
    return bars(feet[is_visible], lane.certificate.slack[drawn][is_visible], style)


def _to_the_tube(canvas: Canvas, lane: Lane, drawn: np.ndarray) -> np.ndarray:
    """Return bars that join points and the edge of the tube."""
    certificate, camera, style = lane.certificate, canvas.camera, canvas.style
    points = canvas.data.points[drawn]
    edges = points.copy()
    residual = edges[:, 1] - certificate.decision[drawn]
    edges[:, 1] -= np.sign(residual) * certificate.slack[drawn]
    (x, y), (_, end) = camera.to_pixels(points).T, camera.to_pixels(edges).T
    # Clip the ends, since Qt is slow with rectangles far larger than the picture.
    y, end = (np.clip(values, -1.0, camera.height + 1.0) for values in (y, end))
    if not style.vector:
        x = np.floor(x) + 0.5 * (bar_width(style) % 2.0)
    return _boxes(x, np.minimum(y, end), bar_width(style), np.abs(end - y))


def _boxes(x: np.ndarray, top: np.ndarray, width: float, height: np.ndarray) -> np.ndarray:
    """Return rectangles whose centres have the coordinates ``x``, shape (m, 4), as `bars` does."""
    return np.column_stack([x - 0.5 * width, top, np.full(len(x), width), height])
