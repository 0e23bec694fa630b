"""Points that take no part in solving: hollow marks, with crosses on errors.

These are validation points, test points that the user has shown, and points of classes that the
machine leaves out, which are pale.

In regression a line joins each of these points and the curve. Its length is the error of the point.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import product, starmap

import numpy as np
from PySide6.QtCore import QLineF, Qt
from PySide6.QtGui import QPainter

from solvers.data.datasets import PointSet
from solvers.problem.losses import misclassified
from svmviz.document.document import Document
from svmviz.document.held_out import TEST, TRAINING, VALIDATION
from svmviz.document.many_classes import LEFT_OUT_MARK
from svmviz.plane.paint.atlases import Atlas, Drawing
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.point_shapes import (
    SELECTED,
    class_colours,
    draw_cross,
    draw_frame,
    draw_shape,
)
from svmviz.plane.paint.roles import CROSS, HOLLOW, PLAIN, ROLES
from svmviz.plane.paint.style import Style

# Width of the line that shows an error in regression, px at scale 1.
ERROR_LINE = 1.0
# Minimum radius of a hollow mark, px at scale 1. A smaller mark would look filled.
MIN_RADIUS = 3.0


def draw_left_out(painter: QPainter, canvas: Canvas) -> None:
    """Draw the points of classes that the machine leaves out."""
    document, data = canvas.drawn, canvas.drawn.left_out
    if not len(data):
        return
    marks, wrong = canvas.shown_marks(LEFT_OUT_MARK + data.classes), canvas.decided_wrongly
    rows = document.left_out_rows
    wrong = np.zeros(len(data), dtype=bool) if wrong is None else wrong[rows]
    selected = _selected(document, canvas.style, rows)
    _draw_part(painter, canvas, TRAINING, data, marks, wrong, selected)


def draw_held_out(painter: QPainter, canvas: Canvas) -> None:
    """Draw the validation points, and the test points if the user has shown them."""
    document, lane = canvas.document, canvas.lane
    for part, data, rows, wrong in _shown_parts(canvas):
        if document.is_regression and lane is not None and lane.held_out_values is not None:
            _draw_errors(painter, canvas, data, lane.held_out_values[rows])
        marks = canvas.shown_marks(document.held_out_marks(part))
        assert document.held_out is not None
        own = np.array(document.held_out.rows[part - 1])
        seen = document.many.rows(part) if document.many else own
        _draw_part(
            painter, canvas, part, data, marks, wrong, _selected(document, canvas.style, seen)
        )


def count_wrong(canvas: Canvas) -> int:
    """Return how many of the held-out points that are shown are misclassified."""
    return sum(int(wrong.sum()) for *_, wrong in _shown_parts(canvas))


def _shown_parts(canvas: Canvas) -> Iterator[tuple[int, PointSet, slice, np.ndarray]]:
    """Yield each part that is shown: its points, their place in f's values, those with a cross."""
    document, lane, held_out = canvas.document, canvas.lane, canvas.document.held_out
    if held_out is None:
        return
    start = 0
    for part, data in ((VALIDATION, held_out.validation), (TEST, held_out.test)):
        rows = slice(start, start + len(data))
        start += len(data)
        if not len(data) or (part == TEST and not held_out.seen):
            continue
        values = None if lane is None else lane.held_out_values
        if document.is_regression:
            wrong = np.zeros(len(data), dtype=bool)
        elif canvas.decided_wrongly is not None and document.many is not None:
            wrong = canvas.decided_wrongly[document.many.rows(part)]
        else:
            wrong = _misclassified(data, None if values is None else values[rows])
        yield part, data, rows, wrong


def draw_held_out_mark(
    painter: QPainter, x: float, y: float, label: int, part: int, wrong: bool, style: Style
) -> None:
    """Draw a hollow mark at a pixel, with a bar for the test part, and a cross if ``wrong``.

    ``part`` is TRAINING for a point that the machine leaves out.
    """
    fill, edge = class_colours(style.theme, label)
    radius = _radius(style) * style.scale
    if wrong and part == TRAINING:
        # The mark is so pale that it must be above the cross.
        draw_cross(painter, x, y, _radius(style), style, reach=HOLLOW.cross)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    rings = (edge, HOLLOW.line + 1.0), (fill, HOLLOW.line)
    # A strong ring would look like that of a point at its bound.
    for colour, width in ((edge, HOLLOW.thin),) if part == VALIDATION else rings:
        if part == TRAINING and width > HOLLOW.line:
            continue
        painter.setPen(style.pen(colour, width))
        draw_shape(painter, x, y, label, HOLLOW.radius * radius)
    if part == TEST:
        painter.setPen(style.pen(edge, HOLLOW.thin))
        half = HOLLOW.bar * radius
        painter.drawLine(QLineF(x, y - half, x, y + half))
    if wrong and part != TRAINING:
        draw_cross(painter, x, y, _radius(style), style, reach=HOLLOW.cross)


def _draw_part(
    painter: QPainter,
    canvas: Canvas,
    part: int,
    data: PointSet,
    marks: np.ndarray,
    wrong: np.ndarray,
    selected: np.ndarray,
) -> None:
    camera, style = canvas.camera, canvas.style
    # The part may be more crowded than the training points. Use the smaller of both sizes.
    style = replace(style, size=min(style.size, style.size_for(data, camera)))
    pixels = camera.to_pixels(data.points)
    inside = camera.inside(pixels, 4.0 * _radius(style) * style.scale)
    # Misclassified points are drawn last, so that no other point covers them.
    order = np.flatnonzero(inside)[np.argsort(wrong[inside], kind="stable")]
    kinds = canvas.mark_kinds
    numbers = np.searchsorted(kinds, marks[order]) + len(kinds) * wrong[order]
    _atlas(style.of_marks, part, kinds).draw(painter, style, pixels[order], numbers)
    for index in np.flatnonzero(inside & selected).tolist():
        radius = (_radius(style) + SELECTED) * style.scale
        label = int(marks[index])
        x, y = pixels[index].tolist()
        draw_frame(painter, x, y, label, radius, style, style.theme.focus)


def _selected(document: Document, style: Style, rows: np.ndarray) -> np.ndarray:
    """Return which of some points are selected, by their indices among all points."""
    chosen = [rows[:0]]
    for order, selected in (
        (document.editable_rows, style.selected),
        (document.held_out_rows, style.held_selected),
    ):
        if selected:
            indices = np.fromiter(selected, dtype=int)
            chosen.append(order[indices[indices < len(order)]])
    return np.isin(rows, np.concatenate(chosen))


def _draw_errors(painter: QPainter, canvas: Canvas, data: PointSet, decision: np.ndarray) -> None:
    """Draw a vertical line from each point to the curve."""
    camera, style = canvas.camera, canvas.style
    ends = np.stack([data.points[:, 0], decision], axis=1)
    starts, ends = camera.to_pixels(data.points), camera.to_pixels(ends)
    painter.setPen(style.pen(style.theme.bad, ERROR_LINE))
    painter.drawLines(
        [QLineF(*start, *end) for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    )


def _misclassified(data: PointSet, decision: np.ndarray | None) -> np.ndarray:
    """Return a mask of the misclassified points; it has none if f is unknown."""
    if decision is None:
        return np.zeros(len(data), dtype=bool)
    return misclassified(data.labels, decision)


def _radius(style: Style) -> float:
    """Return the radius of a mark, px at scale 1."""
    return max(ROLES[PLAIN].radius(style.size), MIN_RADIUS)


@lru_cache(maxsize=16)
def _atlas(style: Style, part: int, kinds: tuple[int, ...]) -> Atlas:
    """Return the marks of a part: those without an error, then those with one."""

    def drawing(is_wrong: bool, label: int) -> Drawing:
        return lambda painter, x, y, _factor: draw_held_out_mark(
            painter, x, y, label, part, is_wrong, style
        )

    reach = HOLLOW.cross * _radius(style) + CROSS.backing
    return Atlas(style, reach, starmap(drawing, product((False, True), kinds)))
