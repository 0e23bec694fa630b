"""Numbers beside points: all of them painted by one function, none over another."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from solvers.data.datasets import PointSet
from svmviz.base.words import number
from svmviz.camera.camera import Camera
from svmviz.frames.frame import Lane
from svmviz.plane.paint.points import FEW, points_in_play
from svmviz.plane.paint.style import Style, faded, point_share
from svmviz.theme import CAPTION, MARKS

# Lengths in px at scale 1; a label is as wide as its letters times the first, and joined to its
# point where it is further away than the last.
LETTER, LINE, CELL, FAR = 6.6, 15.0, 7.0, 22.0
# In such a crowd nobody reads more labels than this; so few may also stand further away.
MOST, SPARSE = 600, 60


@dataclass(frozen=True)
class Label:
    """Text beside the point of an index; ``loud`` where the point is in play."""

    index: int
    text: str
    loud: bool = False


def labels_of(data: PointSet, lane: Lane | None, style: Style) -> list[Label]:
    """Return point numbers (from 1) and alphas as the options say; those of the step always."""
    shown = style.options
    loud = points_in_play(lane, style)
    loud = (
        tuple(index for index in loud[: FEW + 1] if index < len(data)) if len(loud) <= FEW else ()
    )
    alpha = None if lane is None or not shown.alpha_numbers else lane.certificate.alpha
    found = [Label(index, _text(index, alpha, True), True) for index in loud]
    if shown.numbers:
        rest: list[int] = list(range(len(data)))
    else:
        rest = [] if alpha is None else np.flatnonzero(alpha).tolist()
    taken = set(loud)
    found += [
        Label(index, _text(index, alpha, shown.numbers)) for index in rest if index not in taken
    ]
    return found


def _text(index: int, alpha: np.ndarray | None, numbered: bool) -> str:
    words = [str(index + 1)] if numbered else []
    if alpha is not None and (alpha[index] != 0.0 or not numbered):
        words.append(
            f"α {number(float(alpha[index]), 3)}" if numbered else number(float(alpha[index]), 3)
        )
    return "  ".join(words)


def draw_labels(
    painter: QPainter, data: PointSet, lane: Lane | None, camera: Camera, style: Style
) -> None:
    """Write the labels beside their points, where there is room."""
    wanted = labels_of(data, lane, style)
    if not wanted:
        return
    pixels = camera.to_pixels(data.points)
    places = place(wanted, pixels, camera, style, point_share(len(data)))
    plain, strong = style.font(CAPTION), style.font(CAPTION, 600)
    backing = faded(style.theme.plane, 0.72)
    for label, box in places:
        if not label.loud:
            _draw_leader(painter, QPointF(*pixels[label.index].tolist()), box, style)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(style.theme.highlight_halo) if label.loud else backing)
        painter.drawRoundedRect(box, 3.0 * style.scale, 3.0 * style.scale)
        painter.setPen(QColor(style.theme.highlight if label.loud else style.theme.text))
        painter.setFont(strong if label.loud else plain)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, label.text)


def _draw_leader(painter: QPainter, point: QPointF, box: QRectF, style: Style) -> None:
    """Join a label that does not stand beside its point to it."""
    end = QPointF(
        min(max(point.x(), box.left()), box.right()), min(max(point.y(), box.top()), box.bottom())
    )
    if math.hypot(end.x() - point.x(), end.y() - point.y()) > FAR * style.scale:
        painter.setPen(style.pen(style.theme.text, 1.0))
        painter.drawLine(point, end)


def place(
    labels: list[Label], pixels: np.ndarray, camera: Camera, style: Style, share: float
) -> list[tuple[Label, QRectF]]:
    """Boxes for the labels, inside the plot, in the order given; a loud one always has a place.

    The plane is cut into small cells; a box is free if none of its cells holds a point or another
    box. That is coarse, quick, and the same from step to step while the points stand still.
    """
    scale = style.scale
    radius, side = MARKS.point_radius * share * scale, CELL * scale
    taken: set[tuple[int, int]] = set()
    if not all(label.loud for label in labels):
        every = _points_cells(pixels, radius, side).reshape(-1, 2)
        taken.update(map(tuple, _distinct(every).tolist()))
    placed: list[tuple[Label, QRectF]] = []
    sparse = len(labels) <= SPARSE
    for label in labels[:MOST]:
        width, height = (LETTER * len(label.text) + 6.0) * scale, LINE * scale
        away = (MARKS.highlight_radius + 4.0 if label.loud else MARKS.ring_radius * share) * scale
        x, y = pixels[label.index].tolist()
        around = _around(x, y, width, height, away)
        if sparse:
            around += _further(x, y, width, height, away)
        boxes = [box for box in around if _fits(box, camera)]
        own = _points_cells(pixels[label.index][None, :], radius, side)[0]
        mine = set(map(tuple, own.tolist()))
        free = next((box for box in boxes if taken.isdisjoint(_cells(box, scale) - mine)), None)
        if free is None and label.loud and boxes:
            free = boxes[0]
        if free is not None:
            placed.append((label, free))
            taken.update(_cells(free, scale))
    return placed


def _around(x: float, y: float, width: float, height: float, away: float) -> list[QRectF]:
    """Boxes to the upper right, lower right, upper left and lower left of a point."""
    near = 0.75 * away
    return [
        QRectF(left, top, width, height)
        for left in (x + near, x - near - width)
        for top in (y - near - height, y + near)
    ]


def _further(x: float, y: float, width: float, height: float, away: float) -> list[QRectF]:
    """Boxes to the right, to the left, above, below, and beyond the four corners of a point."""
    beside = [
        QRectF(x + 1.2 * away, y - 0.5 * height, width, height),
        QRectF(x - 1.2 * away - width, y - 0.5 * height, width, height),
        QRectF(x - 0.5 * width, y - 1.2 * away - height, width, height),
        QRectF(x - 0.5 * width, y + 1.2 * away, width, height),
    ]
    beyond = [_around(x, y, width, height, share * away) for share in (2.2, 3.6)]
    return beside + beyond[0] + beyond[1]


def _points_cells(pixels: np.ndarray, radius: float, side: float) -> np.ndarray:
    """Cells under the centre and the corners of each point, shape (n, 5, 2)."""
    spots = radius * np.array([[0, 0], [-1, -1], [-1, 1], [1, -1], [1, 1]])
    return np.floor((pixels[:, None] + spots) / side).astype(int)


def _distinct(cells: np.ndarray) -> np.ndarray:
    """Different rows of (m, 2) cells; ``np.unique`` of rows takes 4 ms for 10,000, this 0.3."""
    keys = cells[:, 0] * 1_000_003 + cells[:, 1]
    return cells[np.unique(keys, return_index=True)[1]]


def _fits(box: QRectF, camera: Camera) -> bool:
    return camera.contains(box.left(), box.top()) and camera.contains(box.right(), box.bottom())


def _cells(box: QRectF, scale: float) -> set[tuple[int, int]]:
    side = CELL * scale
    columns = range(math.floor(box.left() / side), math.floor(box.right() / side) + 1)
    rows = range(math.floor(box.top() / side), math.floor(box.bottom() / side) + 1)
    return {(column, row) for column in columns for row in rows}
