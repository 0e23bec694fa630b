"""Labels beside points, such as their numbers and alphas. They do not overlap."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from solvers.data.datasets import PointSet
from solvers.errors import shorten
from svmviz.base.words import number
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.label_room import LabelRoom
from svmviz.plane.paint.points import (
    COMPARED_FACTOR,
    MAX_STRONG,
    notes_of_beat,
    points_of_step,
    step_mark_radius,
)
from svmviz.plane.paint.roles import FREE, ROLES
from svmviz.plane.paint.style import Style, faded
from svmviz.theme import LABEL, REGULAR, STRONG, TEXT

# Lengths in px at scale 1: width of a letter, height of a line, side of a cell.
LETTER_WIDTH, LINE_HEIGHT, CELL = 6.6, 15.0, 7.0
# Distance of a label from the mark of its point, px at scale 1.
LABEL_GAP = 2.0
# A line joins a label to its point if the label is farther away than this multiple of the smallest
# possible distance (`_distance_from_point`).
ADJACENT = 1.25
# Maximum number of labels; and maximum number up to which labels may be far from their points.
MAX_LABELS, MAX_FAR_LABELS = 600, 60
# Maximum number of words that are written beside their points, and of the letters of each.
MAX_NAMES, MAX_NAME = 100, 20
# Distances at which labels and notes may be, relative to the smallest possible distance; and the
# number of directions in which a note may be.
FAR_DISTANCES, NOTE_DISTANCES, DIRECTIONS = (2.2, 3.6), (1.6, 2.2, 3.0, 4.0, 5.5, 7.5), 16
# Text size of notes, relative to that of other labels.
NOTE_TEXT_SHARE = TEXT / LABEL


@dataclass(frozen=True)
class PointLabel:
    """A text beside a point.

    Attributes
    ----------
    index : int
        Index of the point.
    text : str
    strong : bool
        Whether the step or the beat shown marks the point.
    note : bool
        Whether this is a note, which is a value that a beat explains. Notes have larger text and
        may be farther away from their points.
    """

    index: int
    text: str
    strong: bool = False
    note: bool = False

    @property
    def share(self) -> float:
        """Size of the text, relative to that of a label that is not a note."""
        return NOTE_TEXT_SHARE if self.note else 1.0


def labels_of(canvas: Canvas) -> list[PointLabel]:
    """Return the labels of points: their numbers, from 1, their alphas, and the notes of a beat.

    The options decide which points have labels, and what these contain. At most ``MAX_LABELS``
    points have one.
    """
    data, lane, shown = canvas.data, canvas.lane, canvas.style.options
    strong = points_of_step(canvas)
    strong = (
        tuple(index for index in strong[: MAX_STRONG + 1] if index < len(data))
        if len(strong) <= MAX_STRONG
        else ()
    )
    alpha = None if lane is None or not shown.alpha_numbers else lane.certificate.alpha
    name = "|β|" if lane is not None and lane.problem.task == "regression" else "α"
    notes = {
        index: text.replace(":", f" {data.items.names[index]}:", 1)
        if data.items is not None and _has_names(data) and index < len(data)
        else text
        for index, text in notes_of_beat(canvas).items()
    }
    found = [PointLabel(index, _text(data, index, alpha, True, name), True) for index in strong]
    found = [
        replace(label, text=notes.pop(label.index), note=True) if label.index in notes else label
        for label in found
    ]
    found += [
        PointLabel(index, text, note=True) for index, text in notes.items() if index < len(data)
    ]
    if shown.numbers or _has_names(data):
        rest: list[int] = list(range(len(data)))
    else:
        rest = [index for index in shown.named if index < len(data)]
        rest += [] if alpha is None else np.flatnonzero(alpha).tolist()
    taken = {label.index for label in found}
    rest = [index for index in dict.fromkeys(rest) if index not in taken]
    found += [
        PointLabel(index, _text(data, index, alpha, shown.numbers or index in shown.named, name))
        for index in rest[: max(0, MAX_LABELS - len(found))]
    ]
    return found[:MAX_LABELS]


def _has_names(data: PointSet) -> bool:
    """Return whether the points have names, and are few enough to write these beside them."""
    names = data.items.names if data.items is not None else ()
    few = len(names) <= MAX_NAMES
    return few and any(name != str(number) for number, name in enumerate(names, start=1))


def _text(data: PointSet, index: int, alpha: np.ndarray | None, numbered: bool, name: str) -> str:
    words = [str(index + 1)] if numbered else []
    if data.items is not None and _has_names(data):
        words.append(shorten(data.items.names[index], MAX_NAME))
        numbered = True
    if alpha is not None and (alpha[index] != 0.0 or not numbered):
        value = number(float(alpha[index]), 3)
        words.append(f"{name} {value}" if numbered else value)
    return "  ".join(words)


def draw_labels(painter: QPainter, canvas: Canvas, taken: Sequence[QRectF] = ()) -> None:
    """Write the labels beside their points, as far as they fit; they avoid the boxes ``taken``."""
    wanted, style = labels_of(canvas), canvas.style
    if not wanted:
        return
    pixels = canvas.camera.to_pixels(canvas.data.points)
    places = place_labels(canvas, wanted, pixels, taken)
    backing = faded(style.theme.plane, 0.72)
    # Draw all lines before all boxes, so that no line crosses the text of a label.
    for label, box in places:
        if not is_adjacent(label, pixels[label.index], box, style):
            _draw_leader(painter, QPointF(*pixels[label.index].tolist()), box, style)
    for label, box in places:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(style.theme.highlight_halo) if label.strong else backing)
        painter.drawRoundedRect(box, 3.0 * style.scale, 3.0 * style.scale)
        painter.setPen(QColor(style.theme.highlight if label.strong else style.theme.text))
        painter.setFont(style.font(style.label * label.share, STRONG if label.strong else REGULAR))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, style.letters(label.text))


def is_adjacent(label: PointLabel, pixel: np.ndarray, box: QRectF, style: Style) -> bool:
    """Return whether a label in this box stands next to its point, which is at ``pixel``."""
    point = QPointF(*pixel.tolist())
    gap = _nearest_of(box, point) - point
    return math.hypot(gap.x(), gap.y()) <= ADJACENT * _distance_from_point(label, style)


def _distance_from_point(label: PointLabel, style: Style) -> float:
    """Return the distance of a label from its point that clears the marks of the point, px."""
    if label.strong:
        return (step_mark_radius(style) + 2.0) * style.scale
    reach = ROLES[FREE].reach(style.size)
    return (COMPARED_FACTOR * reach if label.note else reach + LABEL_GAP) * style.scale


def _nearest_of(box: QRectF, point: QPointF) -> QPointF:
    return QPointF(
        min(max(point.x(), box.left()), box.right()), min(max(point.y(), box.top()), box.bottom())
    )


def _draw_leader(painter: QPainter, point: QPointF, box: QRectF, style: Style) -> None:
    painter.setPen(style.pen(style.theme.text, 1.0))
    painter.drawLine(point, _nearest_of(box, point))


def place_labels(
    canvas: Canvas,
    labels: list[PointLabel],
    pixels: np.ndarray,
    taken: Sequence[QRectF] = (),
) -> list[tuple[PointLabel, QRectF]]:
    """Return boxes for the labels, inside the plot; a strong label always gets one.

    Labels avoid the boxes ``taken`` as they avoid each other.
    """
    style, scale = canvas.style, canvas.style.scale
    # If there are only the few labels of marked points, these labels may cover other points.
    only_strong = all(label.strong and not label.note for label in labels)
    obstacles = pixels[:0] if only_strong else pixels
    points = pixels[[label.index for label in labels]]
    strong = np.array([label.strong for label in labels])
    radius, ring = ROLES[FREE].radius(style.size) * scale, step_mark_radius(style) * scale
    room = LabelRoom(obstacles, radius, CELL * scale, canvas.camera, points[strong], ring)
    others = [(box.left(), box.top(), box.width(), box.height()) for box in taken]
    room.take(*np.hsplit(np.array(others).reshape(-1, 4), 2))
    sparse = len(labels) <= MAX_FAR_LABELS
    letters = np.array([len(label.text) for label in labels])
    shares = np.array([label.share for label in labels])
    sizes = np.column_stack([LETTER_WIDTH * letters + 6.0, np.full(len(labels), LINE_HEIGHT)])
    sizes *= scale * shares[:, None]
    distances = np.array([_distance_from_point(label, style) for label in labels])
    # Each label has one of three lists of places. `_corners` says what the numbers of a place are.
    chosen = [
        (NOTE_PLACES if label.note else FAR_PLACES) if sparse else CORNERS for label in labels
    ]
    counts, places = [len(some) for some in chosen], np.concatenate(chosen)
    owner = np.repeat(np.arange(len(labels)), counts)
    boxes = points[owner] + distances[owner, None] * places[:, :2]
    boxes += 0.5 * sizes[owner] * (places[:, 2:] - 1.0)
    placed: list[tuple[PointLabel, QRectF]] = []
    candidates = room.candidates(points, sizes, boxes, counts, ADJACENT * distances, strong)
    for label, choice in zip(labels, candidates, strict=True):
        if choice is None:
            continue
        box = room.place(choice, label.strong)
        if box is not None:
            placed.append((label, QRectF(*box.tolist(), *choice.size.tolist())))
    return placed


def _corners(share: float) -> np.ndarray:
    """Return places at the upper right, lower right, upper left and lower left of a point.

    A *place* says where the box of a label is, shape (4,). The first two numbers are a position
    relative to the point, in units of ``_distance_from_point``. The last two say on which side of
    this position the box lies, from -1 (left, above) to 1 (right, below). ``share`` is about the
    distance of the box from the point, in the same units: 0.75 times the square root of 2 is 1.06.
    """
    ends = np.array([[1, -1], [1, 1], [-1, -1], [-1, 1]])
    return np.hstack([0.75 * share * ends, ends])


def _sides(share: float) -> np.ndarray:
    """Return places at the right, at the left, above and below a point."""
    ends = np.array([[1, 0], [-1, 0], [0, -1], [0, 1]])
    return np.hstack([share * ends, ends])


def _ring(share: float) -> np.ndarray:
    """Return places all around a point."""
    angles = 2.0 * math.pi / DIRECTIONS * np.arange(DIRECTIONS)
    ends = np.column_stack([np.cos(angles), np.sin(angles)])
    # With the square root of 2, a box in a diagonal direction lies wholly on that side.
    return np.hstack([share * ends, np.clip(math.sqrt(2.0) * ends, -1.0, 1.0)])


# Places of a label if there are many labels, if there are few, and of a note. The most wanted place
# is the first.
CORNERS = _corners(1.0)
FAR_PLACES = np.vstack(
    [CORNERS, _sides(1.2), *map(_corners, FAR_DISTANCES), *map(_sides, FAR_DISTANCES)]
)
NOTE_PLACES = np.vstack([CORNERS, _sides(1.2), *map(_ring, NOTE_DISTANCES)])
