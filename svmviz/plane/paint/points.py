"""The points: halos, marks with their roles, and marks of selected points and of a step."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter

from solvers.data.datasets import PointSet
from solvers.problem.expansion import freeze
from svmviz.base.words import tidied
from svmviz.camera.camera import Camera
from svmviz.frames.frame import Lane
from svmviz.plane.paint import atlases
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.point_shapes import draw_cross, draw_frame, draw_mark
from svmviz.plane.paint.roles import BOUND, FREE, FULL_HALO, ROLES
from svmviz.plane.paint.style import Style
from svmviz.theme import MARKS

# Maximum number of points that a step marks with thick lines. If it marks more points, the lines of
# all marks are thinner.
MAX_STRONG = 8
# Factor on the size of a point that the beat of a step compares with its own, or that a text beside
# the plane names; of the point under the mouse; and gap between a mark and the outline around it,
# px at scale 1.
COMPARED_FACTOR, HOVERED_FACTOR, OUTLINE_GAP = 1.45, 1.15, 4.0
# Of more points than this, a beat marks those that the method takes and this many others.
MAX_COMPARED, MAX_OTHERS = 20, 2
# Minimum factor on the circle around a point of the step. It shrinks less than all other sizes.
MIN_STEP_MARK = 0.55


def draw_halos(painter: QPainter, canvas: Canvas, lane: Lane) -> None:
    """Draw halos, whose areas show alpha / max(C_i), or alpha / max(alpha) if C is infinite."""
    data, style = canvas.data, canvas.style
    alpha = lane.certificate.alpha
    problem = lane.certified_problem
    full_alpha = float(alpha.max() if problem.hard else problem.caps.max())
    if full_alpha <= 0.0:
        return
    fractions = np.clip(alpha / full_alpha, 0.0, 1.0)
    pixels, inside = _visible_pixels(data, canvas.camera, style.scale)
    visible = np.flatnonzero(inside & (fractions > 0.0))
    marks, kinds = canvas.marks[visible], canvas.mark_kinds
    # The area of a halo outside the mark is proportional to alpha.
    mark = (MARKS.point_radius / FULL_HALO) ** 2
    factors = style.size * np.sqrt(mark + fractions[visible] * (1.0 - mark))
    # Halos do not shrink where points are crowded.
    atlas = atlases.halo_atlas(replace(style.of_marks, size=1.0, outline=""), kinds)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, True)
    atlas.draw(painter, style, pixels[visible], np.searchsorted(kinds, marks), factors)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)


def draw_quiet_points(painter: QPainter, canvas: Canvas) -> None:
    """Draw the points that are no support vectors, and those of which it is not known."""
    _draw_marks(painter, canvas, ~(_is_support(canvas) | canvas.wrong))


def draw_support_vectors(painter: QPainter, canvas: Canvas) -> None:
    """Draw the support vectors above all others, and misclassified points last."""
    is_support = _is_support(canvas)
    _draw_marks(painter, canvas, is_support & ~canvas.wrong)
    _draw_crosses(painter, canvas)
    _draw_marks(painter, canvas, canvas.wrong)


def _is_support(canvas: Canvas) -> np.ndarray:
    return (canvas.roles == FREE) | (canvas.roles == BOUND)


def _draw_crosses(painter: QPainter, canvas: Canvas) -> None:
    """Draw the crosses of misclassified points, which their marks will partly cover."""
    style = canvas.style
    pixels, inside = _visible_pixels(canvas.data, canvas.camera, style.scale)
    crossed = pixels[inside & canvas.wrong]
    numbers = np.zeros(len(crossed), dtype=int)
    atlases.cross_atlas(style.of_marks).draw(painter, style, crossed, numbers)


def _draw_marks(painter: QPainter, canvas: Canvas, chosen: np.ndarray) -> None:
    data, style = canvas.data, canvas.style
    pixels, inside = _visible_pixels(data, canvas.camera, style.scale)
    rows = np.flatnonzero(inside & chosen)
    marks, roles, kinds = canvas.marks[rows], canvas.roles[rows], canvas.mark_kinds
    numbers = atlases.mark_numbers(roles, marks, kinds)
    atlases.mark_atlas(style.of_marks, kinds).draw(painter, style, pixels[rows], numbers)


def draw_highlights(painter: QPainter, canvas: Canvas) -> None:
    """Mark the selected points, the points of the step, and the point under the mouse."""
    data, style, roles, marks = canvas.data, canvas.style, canvas.roles, canvas.marks
    pixels, inside = _visible_pixels(data, canvas.camera, style.scale)
    selected = np.sort(np.fromiter(style.selected, dtype=int, count=len(style.selected)))
    selected = selected[selected < len(data)]
    selected = selected[inside[selected]]
    kinds = canvas.mark_kinds
    framed = atlases.mark_numbers(roles[selected], marks[selected], kinds, are_selected=True)
    atlases.mark_atlas(style.of_marks, kinds).draw(painter, style, pixels[selected], framed)

    def draw_again(index: int, factor: float) -> None:
        x, y = pixels[index].tolist()
        label, role = int(marks[index]), int(roles[index])
        is_selected = index in style.selected
        if canvas.wrong[index]:
            draw_cross(painter, x, y, factor * ROLES[FREE].radius(style.size), style)
        draw_mark(painter, x, y, label, style, role, factor=factor, is_selected=is_selected)

    for index in (*others_of_beat(canvas), *style.named):
        if index < len(data) and inside[index]:
            draw_again(index, COMPARED_FACTOR)
    marked = points_of_step(canvas)
    line_factor = 1.0 if len(marked) <= MAX_STRONG else 0.6
    for index in marked:
        if index < len(data) and inside[index]:
            x, y = pixels[index].tolist()
            _draw_step_mark(painter, x, y, line_factor, style)
    for index in (style.hovered, style.partner):
        if index is not None and index < len(data):
            draw_again(index, HOVERED_FACTOR)
            is_marked = index in marked
            reach = step_mark_radius(style) if is_marked else ROLES[FREE].reach(style.size)
            label, radius = int(marks[index]), (reach + OUTLINE_GAP) * style.scale
            x, y = pixels[index].tolist()
            draw_frame(painter, x, y, label, radius, style, style.theme.text)


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
    if lane is None or lane.shown_beat is None:
        return ()
    return tuple(notes_of_beat(canvas)) if is_crowd(canvas) else lane.shown_beat.beat.others


def notes_of_beat(canvas: Canvas) -> dict[int, str]:
    """Return the texts that a beat writes beside points, by index; each has the point's number."""
    lane = _marked_lane(canvas)
    if lane is None or lane.shown_beat is None:
        return {}
    notes = lane.shown_beat.beat.notes
    others = [point for point, _ in notes if point not in lane.marked]
    left_out = others[MAX_OTHERS:] if is_crowd(canvas) else ()
    return {p: f"{p + 1}:  {tidied(note)}" for p, note in notes if p not in left_out}


def is_crowd(canvas: Canvas) -> bool:
    """Return whether only the most important of the points that a beat compares are marked."""
    return canvas.document.n > MAX_COMPARED


def step_mark_radius(style: Style) -> float:
    """Return the radius of the circle around a point of the step, px at scale 1, with its line."""
    return _step_circle(style) + 0.5 * MARKS.highlight_width


def _step_circle(style: Style) -> float:
    return MARKS.highlight_radius * max(MIN_STEP_MARK, style.size**0.5)


def _draw_step_mark(
    painter: QPainter, x: float, y: float, line_factor: float, style: Style
) -> None:
    theme, radius = style.theme, _step_circle(style) * style.scale
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width in (
        (theme.highlight_halo, MARKS.highlight_halo),
        (theme.highlight, MARKS.highlight_width),
    ):
        painter.setPen(style.pen(colour, width * line_factor))
        painter.drawEllipse(QPointF(x, y), radius, radius)


# Cached, since each frame needs these pixels several times, and the next frame usually has the same
# points.
@lru_cache(maxsize=2)
def _visible_pixels(data: PointSet, camera: Camera, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the pixels of all points, and a mask of those that may be visible in the plot."""
    pixels = camera.to_pixels(data.points)
    # All that is drawn around a point lies within twice the radius of a full halo.
    return freeze(pixels), freeze(camera.inside(pixels, 2.0 * FULL_HALO * scale))
