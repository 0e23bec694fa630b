"""Numbers beside points, placed without overlaps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from solvers.data.datasets import PointSet
from svmviz.base.words import number
from svmviz.camera.camera import Camera
from svmviz.frames.frame import Lane
from svmviz.plane.paint.points import (
    MAX_STRONG,
    notes_of_beat,
    other_mark_radius,
    points_of_step,
    step_mark_radius,
)
from svmviz.plane.paint.style import Style, faded
from svmviz.theme import BODY, CAPTION, MARKS

# Lengths in px at scale 1: width of a letter, height of a line, side of a cell.
LETTER_WIDTH, LINE_HEIGHT, CELL = 6.6, 15.0, 7.0
# A line joins a label to its point if the label is farther away than this multiple of the distance
# of the nearest places.
ADJACENT = 1.25
# Maximum number of labels. If there are at most MAX_FAR_LABELS, they may also be far from their
# points.
MAX_LABELS, MAX_FAR_LABELS = 600, 60
# Distances of the far places of labels and of notes, relative to that of the nearest places.
FAR_DISTANCES, NOTE_DISTANCES = (2.2, 3.6), (1.6, 2.2, 3.0, 4.0, 5.5, 7.5)
# Size of the type of notes relative to that of other labels.
NOTE_TYPE_SHARE = BODY / CAPTION


@dataclass(frozen=True)
class PointLabel:
    """Text beside the point of an index.

    Attributes
    ----------
    index : int
    text : str
    strong : bool
        Whether the step or the beat shown marks the point.
    note : bool
        Whether this is a value of a beat: its type is larger, and it may be further away.
    """

    index: int
    text: str
    strong: bool = False
    note: bool = False

    @property
    def share(self) -> float:
        """Size of its type relative to that of other labels."""
        return NOTE_TYPE_SHARE if self.note else 1.0


def labels_of(data: PointSet, lane: Lane | None, style: Style) -> list[PointLabel]:
    """Return the labels: number (from 1) and alpha, of all points or only those of the step.

    The options decide which points have labels.
    """
    shown = style.options
    strong = points_of_step(lane, style)
    strong = (
        tuple(index for index in strong[: MAX_STRONG + 1] if index < len(data))
        if len(strong) <= MAX_STRONG
        else ()
    )
    alpha = None if lane is None or not shown.alpha_numbers else lane.certificate.alpha
    name = "|β|" if lane is not None and lane.problem.task == "regression" else "α"
    notes = notes_of_beat(lane, style)
    found = [PointLabel(index, _text(index, alpha, True, name), True) for index in strong]
    found = [
        replace(label, text=notes.pop(label.index), note=True) if label.index in notes else label
        for label in found
    ]
    found += [
        PointLabel(index, text, note=True) for index, text in notes.items() if index < len(data)
    ]
    if shown.numbers:
        rest: list[int] = list(range(len(data)))
    else:
        rest = [] if alpha is None else np.flatnonzero(alpha).tolist()
    taken = {label.index for label in found}
    found += [
        PointLabel(index, _text(index, alpha, shown.numbers, name))
        for index in rest
        if index not in taken
    ]
    return found


def _text(index: int, alpha: np.ndarray | None, numbered: bool, name: str) -> str:
    words = [str(index + 1)] if numbered else []
    if alpha is not None and (alpha[index] != 0.0 or not numbered):
        value = number(float(alpha[index]), 3)
        words.append(f"{name} {value}" if numbered else value)
    return "  ".join(words)


def draw_labels(
    painter: QPainter, data: PointSet, lane: Lane | None, camera: Camera, style: Style
) -> None:
    """Write the labels beside their points, if there is room."""
    wanted = labels_of(data, lane, style)
    if not wanted:
        return
    pixels = camera.to_pixels(data.points)
    places = place_labels(wanted, pixels, camera, style)
    backing = faded(style.theme.plane, 0.72)
    # Lines first: none crosses the text of another label.
    for label, box in places:
        if not is_adjacent(label, pixels[label.index], box, style):
            _draw_leader(painter, QPointF(*pixels[label.index].tolist()), box, style)
    for label, box in places:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(style.theme.highlight_halo) if label.strong else backing)
        painter.drawRoundedRect(box, 3.0 * style.scale, 3.0 * style.scale)
        painter.setPen(QColor(style.theme.highlight if label.strong else style.theme.text))
        painter.setFont(style.font(CAPTION * label.share, 600 if label.strong else 400))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, label.text)


def is_adjacent(label: PointLabel, pixel: np.ndarray, box: QRectF, style: Style) -> bool:
    """Return whether a label in this box stands next to its point, which is at ``pixel``."""
    point = QPointF(*pixel.tolist())
    gap = _nearest_of(box, point) - point
    return math.hypot(gap.x(), gap.y()) <= ADJACENT * _distance_from_point(label, style)


def _distance_from_point(label: PointLabel, style: Style) -> float:
    """Return the distance of a label from its point that clears the marks of the point, px."""
    ink = style.ink
    if label.strong:
        return (step_mark_radius(ink) + 2.0) * style.scale
    if label.note:
        return (other_mark_radius(ink) + 2.0) * style.scale
    return ink.share * ink.marks * MARKS.ring_radius * style.scale


def _nearest_of(box: QRectF, point: QPointF) -> QPointF:
    """Return the position in a box that is nearest to a point."""
    return QPointF(
        min(max(point.x(), box.left()), box.right()), min(max(point.y(), box.top()), box.bottom())
    )


def _draw_leader(painter: QPainter, point: QPointF, box: QRectF, style: Style) -> None:
    """Join a label to its point."""
    painter.setPen(style.pen(style.theme.text, 1.0))
    painter.drawLine(point, _nearest_of(box, point))


def place_labels(
    labels: list[PointLabel], pixels: np.ndarray, camera: Camera, style: Style
) -> list[tuple[PointLabel, QRectF]]:
    """Return boxes for the labels, inside the plot; a strong label always gets one.

    The plane is divided into small cells; a box is free if none of its cells contains a point or
    another box. That is coarse but quick, and boxes stay in place from step to step.
    """
    scale = style.scale
    radius, side = style.ink.radius * scale, CELL * scale
    taken: set[tuple[int, int]] = set()
    if not all(label.strong and not label.note for label in labels):
        every = _points_cells(pixels, radius, side).reshape(-1, 2)
        taken.update(map(tuple, _distinct(every).tolist()))
    placed: list[tuple[PointLabel, QRectF]] = []
    sparse = len(labels) <= MAX_FAR_LABELS
    for label in labels[:MAX_LABELS]:
        width, height = (LETTER_WIDTH * len(label.text) + 6.0) * scale, LINE_HEIGHT * scale
        width, height = width * label.share, height * label.share
        away = _distance_from_point(label, style)
        x, y = pixels[label.index].tolist()
        places = _corner_boxes(x, y, width, height, away)
        if sparse:
            places += _side_and_far_boxes(
                x, y, width, height, away, NOTE_DISTANCES if label.note else FAR_DISTANCES
            )
        boxes = [box for box in places if _fits(box, camera)]
        point_cells = _points_cells(pixels[label.index][None, :], radius, side)[0]
        own_cells = set(map(tuple, point_cells.tolist()))
        free = None
        for box in boxes:
            if not taken.isdisjoint(_cells(box, scale) - own_cells):
                continue
            free = free or box
            # A line across another label or point would seem to belong to it.
            line = _leader_cells(label, pixels[label.index], box, style)
            if taken.isdisjoint(line - own_cells):
                free = box
                break
        if free is None and label.strong and boxes:
            free = boxes[0]
        if free is not None:
            placed.append((label, free))
            taken.update(_cells(free, scale))
            taken.update(_leader_cells(label, pixels[label.index], free, style))
    return placed


def _corner_boxes(x: float, y: float, width: float, height: float, away: float) -> list[QRectF]:
    """Return boxes to the upper right, lower right, upper left and lower left of a point."""
    offset = 0.75 * away
    return [
        QRectF(left, top, width, height)
        for left in (x + offset, x - offset - width)
        for top in (y - offset - height, y + offset)
    ]


def _side_and_far_boxes(
    x: float, y: float, width: float, height: float, away: float, shares: Sequence[float]
) -> list[QRectF]:
    """Return boxes right, left, above, below, and then those further away at corners and sides."""
    boxes = _side_boxes(x, y, width, height, 1.2 * away)
    for share in shares:
        boxes += _corner_boxes(x, y, width, height, share * away)
    for share in shares:
        boxes += _side_boxes(x, y, width, height, share * away)
    return boxes


def _side_boxes(x: float, y: float, width: float, height: float, away: float) -> list[QRectF]:
    """Return boxes right, left, above and below a point."""
    return [
        QRectF(x + away, y - 0.5 * height, width, height),
        QRectF(x - away - width, y - 0.5 * height, width, height),
        QRectF(x - 0.5 * width, y - away - height, width, height),
        QRectF(x - 0.5 * width, y + away, width, height),
    ]


def _points_cells(pixels: np.ndarray, radius: float, side: float) -> np.ndarray:
    """Return the cells under the centre and the corners of each point, shape (n, 5, 2)."""
    spots = radius * np.array([[0, 0], [-1, -1], [-1, 1], [1, -1], [1, 1]])
    return np.floor((pixels[:, None] + spots) / side).astype(int)


def _distinct(cells: np.ndarray) -> np.ndarray:
    """Return the distinct rows of (m, 2) cells.

    For 10,000 this takes 0.3 ms, ``np.unique`` 4 ms.
    """
    keys = cells[:, 0] * 1_000_003 + cells[:, 1]
    return cells[np.unique(keys, return_index=True)[1]]


def _fits(box: QRectF, camera: Camera) -> bool:
    return camera.contains(box.left(), box.top()) and camera.contains(box.right(), box.bottom())


def _leader_cells(
    label: PointLabel, pixel: np.ndarray, box: QRectF, style: Style
) -> set[tuple[int, int]]:
    """Return the cells under the line from a label to its point; none if it is adjacent."""
    if is_adjacent(label, pixel, box, style):
        return set()
    end = _nearest_of(box, QPointF(*pixel.tolist()))
    side = CELL * style.scale
    length = math.hypot(end.x() - pixel[0], end.y() - pixel[1])
    shares = np.linspace(0.0, 1.0, math.ceil(2.0 * length / side) + 1)[:, None]
    spots = pixel + shares * (np.array([end.x(), end.y()]) - pixel)
    return set(map(tuple, np.floor(spots / side).astype(int).tolist()))


def _cells(box: QRectF, scale: float) -> set[tuple[int, int]]:
    side = CELL * scale
    columns = range(math.floor(box.left() / side), math.floor(box.right() / side) + 1)
    rows = range(math.floor(box.top() / side), math.floor(box.bottom() / side) + 1)
    return {(column, row) for column in columns for row in rows}
