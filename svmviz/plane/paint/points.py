"""The points: halos for alpha, marks with rings, and marks of selected points and of a step."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter

from solvers.data.datasets import PointSet
from solvers.problem.certificate import BOUND, ZERO
from solvers.problem.expansion import freeze
from svmviz.base.words import tidied
from svmviz.camera.camera import Camera
from svmviz.frames.frame import Lane
from svmviz.plane.paint import stamps
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.ink import FULL_HALO, Ink
from svmviz.plane.paint.point_shapes import (
    draw_halo,
    draw_hollow_mark,
    draw_mark,
    draw_rings,
    draw_shape,
)
from svmviz.plane.paint.style import Style
from svmviz.theme import MARKS

# Maximum number of points that a step marks with thick lines. If it marks more points, the lines of
# all marks are thinner.
MAX_STRONG = 8
# Factor on the size of the point under the mouse, and gap between its rings and its outline, px at
# scale 1.
HIGHLIGHT_FACTOR, HIGHLIGHT_GAP = 1.15, 4.0
# A beat, which is one part of the explanation of a step, may compare its points with others. The
# others get thin rings. Radius of such a ring, relative to that of the mark of a step, and its
# width, px at scale 1.
OTHER_RADIUS, OTHER_WIDTH = 0.6, 1.5


def draw_halos(painter: QPainter, canvas: Canvas, lane: Lane) -> None:
    """Draw halos, whose areas show alpha / C, or alpha / max(alpha) if C is infinite."""
    data, style = canvas.data, canvas.style
    alpha = lane.certificate.alpha
    full_alpha = float(alpha.max()) if lane.certified_problem.hard else lane.certified_problem.C
    ink = style.ink
    if full_alpha <= 0.0 or ink.halo_opacity == 0.0:
        return
    fractions = np.clip(alpha / full_alpha, 0.0, 1.0)
    pixels, inside = _visible_pixels(data, canvas.camera, style.scale)
    visible = np.flatnonzero(inside & (fractions > 0.0))
    if style.vector:
        centres, labels = pixels[visible].tolist(), data.labels[visible].tolist()
        for (x, y), label, fraction in zip(
            centres, labels, fractions[visible].tolist(), strict=True
        ):
            draw_halo(painter, x, y, label, ink.halo(fraction), ink.halo_opacity, style)
        return
    levels = np.ceil(fractions[visible] * stamps.HALO_LEVELS).astype(int) - 1
    numbers = levels + stamps.HALO_LEVELS * (data.labels[visible] > 0)
    stamps.stamp(painter, stamps.halo_atlas(style), pixels[visible], numbers)


def draw_points(painter: QPainter, canvas: Canvas) -> None:
    """Draw all points, in this order, so that a later one covers an earlier one.

    First come correctly classified points without rings: they cover no ring. Then come all rings,
    and then the marks of support vectors, so that crowded support vectors still show their classes.
    Misclassified points come last.
    """
    data, style, kinds = canvas.data, canvas.style, canvas.kinds
    pixels, inside = _visible_pixels(data, canvas.camera, style.scale)
    wrong = _misclassified(canvas)
    below = np.flatnonzero(inside & (kinds == ZERO) & ~wrong)
    ringed = np.flatnonzero(inside & (kinds != ZERO))
    above = np.flatnonzero(inside & ((kinds != ZERO) | wrong))
    above = above[np.argsort(wrong[above], kind="stable")]
    _draw_marks(painter, pixels[below], data.labels[below], style)
    _draw_rings(painter, pixels[ringed], data.labels[ringed], kinds[ringed], style)
    _draw_marks(painter, pixels[above], data.labels[above], style)


def _draw_marks(painter: QPainter, pixels: np.ndarray, labels: np.ndarray, style: Style) -> None:
    if not style.vector:
        stamps.stamp(painter, stamps.mark_atlas(style), pixels, labels > 0)
        return
    for (x, y), label in zip(pixels.tolist(), labels.tolist(), strict=True):
        draw_mark(painter, x, y, label, style)


def _draw_rings(
    painter: QPainter, pixels: np.ndarray, labels: np.ndarray, kinds: np.ndarray, style: Style
) -> None:
    if not style.vector:
        numbers = (kinds == BOUND) + len(stamps.KINDS) * (labels > 0)
        stamps.stamp(painter, stamps.ring_atlas(style), pixels, numbers)
        return
    columns = pixels.tolist(), labels.tolist(), kinds.tolist()
    for (x, y), label, kind in zip(*columns, strict=True):
        draw_rings(painter, x, y, label, kind, style)


def _misclassified(canvas: Canvas) -> np.ndarray:
    """Return a mask of the misclassified points, shape (n,); in regression there are none."""
    lane = canvas.lane
    if lane is None or lane.problem.task == "regression":
        return np.zeros(len(canvas.data), dtype=bool)
    return lane.certificate.slack > 1.0


def draw_highlights(painter: QPainter, canvas: Canvas) -> None:
    """Mark the selected points, the points of the step, and the point under the mouse."""
    data, style, kinds = canvas.data, canvas.style, canvas.kinds
    pixels, inside = _visible_pixels(data, canvas.camera, style.scale)
    selected = np.sort(np.fromiter(style.selected, dtype=int, count=len(style.selected)))
    selected = selected[selected < len(data)]
    selected = selected[inside[selected]]
    hollow = len(stamps.LABELS) + (data.labels[selected] > 0)
    stamps.stamp(painter, stamps.mark_atlas(style), pixels[selected], hollow)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(style.pen(style.theme.highlight, OTHER_WIDTH))
    for index in (*others_of_beat(canvas), *style.named):
        if index < len(data) and inside[index]:
            radius = OTHER_RADIUS * style.ink.highlight_radius * style.scale
            painter.drawEllipse(QPointF(*pixels[index].tolist()), radius, radius)
    marked = points_of_step(canvas)
    line_factor = 1.0 if len(marked) <= MAX_STRONG else 0.6
    for index in marked:
        if index < len(data) and inside[index]:
            x, y = pixels[index].tolist()
            _draw_step_mark(painter, x, y, line_factor, style)
            # The thick line may cover the outer ring, so the rings are drawn again.
            if line_factor == 1.0:
                draw_rings(painter, x, y, int(data.labels[index]), int(kinds[index]), style)
    for index in (style.hovered, style.partner):
        if index is not None and index < len(data):
            step_mark = step_mark_radius(style.ink) if index in marked else 0.0
            _draw_hovered(painter, canvas, index, pixels[index], step_mark)


def _marked_lane(canvas: Canvas) -> Lane | None:
    """Return the lane whose step is marked; None if the options hide the marks."""
    style = canvas.style
    return canvas.lane if style.marks_step and style.options.touched else None


def points_of_step(canvas: Canvas) -> tuple[int, ...]:
    """Return the indices of the points that the lane marks; none if the options hide them."""
    lane = _marked_lane(canvas)
    return () if lane is None else lane.marked


def others_of_beat(canvas: Canvas) -> tuple[int, ...]:
    """Return the points with which the beat compares its own; none if the options hide them."""
    lane = _marked_lane(canvas)
    return () if lane is None or lane.shown_beat is None else lane.shown_beat.beat.others


def notes_of_beat(canvas: Canvas) -> dict[int, str]:
    """Return the texts that a beat writes beside points, by index; each has the point's number."""
    lane = _marked_lane(canvas)
    notes = () if lane is None or lane.shown_beat is None else lane.shown_beat.beat.notes
    return {point: f"{point + 1}:  {tidied(note)}" for point, note in notes}


def step_mark_radius(ink: Ink) -> float:
    """Return the radius of the circle around a point of the step, px at scale 1, with its line."""
    return ink.highlight_radius + 0.5 * MARKS.highlight_width


def other_mark_radius(ink: Ink) -> float:
    """Return the radius of the thin ring around a point of `others_of_beat`, px at scale 1."""
    return OTHER_RADIUS * ink.highlight_radius + 0.5 * OTHER_WIDTH


def _draw_step_mark(
    painter: QPainter, x: float, y: float, line_factor: float, style: Style
) -> None:
    theme, radius = style.theme, style.ink.highlight_radius * style.scale
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width in (
        (theme.highlight_halo, MARKS.highlight_halo),
        (theme.highlight, MARKS.highlight_width),
    ):
        painter.setPen(style.pen(colour, width * line_factor))
        painter.drawEllipse(QPointF(x, y), radius, radius)


def _draw_hovered(
    painter: QPainter, canvas: Canvas, index: int, pixel: np.ndarray, step_mark: float
) -> None:
    """Draw the point under the mouse larger, with an outline around it and its rings.

    ``step_mark`` is the radius of the step's circle around it, px at scale 1; 0 without a circle.
    """
    (x, y), style = pixel.tolist(), canvas.style
    label, kind = int(canvas.data.labels[index]), int(canvas.kinds[index])
    draw = draw_hollow_mark if index in style.selected else draw_mark
    draw(painter, x, y, label, style, HIGHLIGHT_FACTOR)
    draw_rings(painter, x, y, label, kind, style)
    # The outline has room for two rings inside, so that it is not mistaken for the second ring.
    reach = max(style.ink.reach(BOUND), step_mark)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width in ((style.theme.highlight_halo, 4.0), (style.theme.text, 2.0)):
        painter.setPen(style.pen(colour, width))
        draw_shape(painter, x, y, label, (reach + HIGHLIGHT_GAP) * style.scale)


# Cached, since each frame needs these pixels three times, and the next frame usually has the same
# points.
@lru_cache(maxsize=2)
def _visible_pixels(data: PointSet, camera: Camera, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the pixels of all points, and a mask of those that may be visible in the plot."""
    pixels = camera.to_pixels(data.points)
    # All that is drawn around a point lies within twice the radius of a full halo.
    max_radius = 2.0 * FULL_HALO * scale
    return freeze(pixels), freeze(camera.inside(pixels, max_radius))
