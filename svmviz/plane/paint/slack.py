"""Slack: a stick from each point that has some to its margin."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter

from svmviz.base.shapes import draw_lines
from svmviz.camera.camera import Camera
from svmviz.frames.frame import Lane
from svmviz.plane.paint.style import Style
from svmviz.theme import MARKS
from svmviz.theme.contrast import mix

# More sticks than this are drawn thinner and paler.
SPARSE = 40


def draw_sticks(painter: QPainter, lane: Lane, camera: Camera, style: Style) -> None:
    """Show slack as a stick from each violating point to its margin."""
    if not len(lane.sticks):
        return
    ends = camera.to_pixels(lane.sticks.reshape(-1, 2)).reshape(-1, 4)
    # Early in a run nearly every point has one: then they stand back.
    share = min(1.0, max(0.6, (SPARSE / len(ends)) ** 0.35))
    # Opaque and with flat ends: 700 sticks take 0.7 ms; translucent, or with round ends, 20 ms.
    pen = style.pen(
        mix(style.theme.plane, style.theme.slack, 0.8 * share), MARKS.slack_width * share
    )
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    draw_lines(painter, ends)
