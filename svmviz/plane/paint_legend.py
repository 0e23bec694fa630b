"""The row above the plot: which shape is which class, and what the rings mean."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from solvers.certificate import BOUND, FREE, ZERO
from solvers.datasets import PointSet
from svmviz.frame import Lane
from svmviz.plane import marks, paint_axes
from svmviz.plane.camera import Camera
from svmviz.plane.style import Style
from svmviz.plane.ticks import class_title
from svmviz.theme import CAPTION

# Lengths in px at scale 1.
GAP, AFTER_MARK, LONGEST = 18.0, 12.0, 150.0


@dataclass(frozen=True)
class Entry:
    """A mark and its meaning; ``label`` 0 is a ring without a class."""

    label: int
    kind: int
    text: str
    count: int


def entries(data: PointSet, lane: Lane | None, style: Style) -> list[Entry]:
    """What there is to explain, the classes last."""
    found = []
    if lane is not None and style.options.rings:
        hard = lane.problem.hard
        found.append(Entry(0, FREE, "α > 0" if hard else "α free", lane.certificate.count(FREE)))
        if not hard:
            found.append(Entry(0, BOUND, "α = C", lane.certificate.count(BOUND)))
    for label, name in ((1, data.class_names[1]), (-1, data.class_names[0])):
        count = int(np.count_nonzero(data.labels == label))
        found.append(Entry(label, ZERO, class_title(name), count))
    return found


def draw_legend(
    painter: QPainter, data: PointSet, lane: Lane | None, camera: Camera, style: Style
) -> None:
    """Draw the entries from the right; those that would meet the name of the axis are left out."""
    scale = style.scale
    plain, strong = style.font(CAPTION), style.font(CAPTION, 500)
    right, middle = camera.left + camera.plot_width, 0.5 * camera.top
    for entry in reversed(entries(data, lane, style)):
        count = f"{entry.count:,}"
        text = QFontMetricsF(strong).elidedText(
            entry.text, Qt.TextElideMode.ElideRight, LONGEST * scale
        )
        counted = QFontMetricsF(plain).horizontalAdvance("0" * len(count)) + 6.0 * scale
        named = QFontMetricsF(strong).horizontalAdvance(text)
        left = right - counted - named - (AFTER_MARK + 8.0) * scale
        if left < paint_axes.name_end(data, camera, style) + GAP * scale:
            return
        x = left + 6.0 * scale
        small = replace(style, exact=True)
        if entry.label:
            marks.draw_mark(painter, x, middle, entry.label, 0.8, small)
        marks.draw_rings(painter, x, middle, entry.kind, 0.55, small)
        box = QRectF(x + AFTER_MARK * scale, 0.0, named + 2.0, camera.top)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.setFont(strong)
        painter.setPen(style.pen(style.theme.text, 1.0))
        painter.drawText(box, flags, text)
        painter.setFont(plain)
        painter.setPen(style.pen(style.theme.muted, 1.0))
        painter.drawText(QRectF(box.right() + 4.0 * scale, 0.0, counted, camera.top), flags, count)
        right = left - GAP * scale
