"""The points: halos for alpha, marks with rings, and whatever stands out."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter

from solvers.data.datasets import PointSet
from solvers.problem.certificate import BOUND, ZERO
from solvers.problem.expansion import freeze
from svmviz.camera.camera import Camera
from svmviz.frames.frame import Lane
from svmviz.plane.paint import stamps
from svmviz.plane.paint.point_shapes import (
    LARGEST_HALO,
    draw_halo,
    draw_hollow_mark,
    draw_mark,
    draw_rings,
    draw_shape,
    halo_radius,
    reach_of,
)
from svmviz.plane.paint.style import Style, point_share
from svmviz.theme import MARKS

# More points of a step than this are marked with thinner lines.
FEW = 8
# A lit point is larger by this factor, and its outline so far away, in px at scale 1.
LIT, LIT_GAP = 1.15, 4.0


def draw_halos(painter: QPainter, data: PointSet, lane: Lane, camera: Camera, style: Style) -> None:
    """Show alpha as area, relative to C; to the largest alpha where C is infinite."""
    alpha = lane.certificate.alpha
    top = float(alpha.max()) if lane.problem.hard else lane.problem.C
    if top <= 0.0:
        return
    part = np.clip(alpha / top, 0.0, 1.0)
    share = point_share(len(data))
    pixels, inside = _in_sight(data, camera, style.scale)
    own = np.flatnonzero(inside & (part > 0.0))
    if style.exact:
        places, labels = pixels[own].tolist(), data.labels[own].tolist()
        for (x, y), label, size in zip(places, labels, part[own].tolist(), strict=True):
            draw_halo(painter, x, y, label, halo_radius(size, share), style)
        return
    levels = np.ceil(part[own] * stamps.HALO_LEVELS).astype(int) - 1
    numbers = levels + stamps.HALO_LEVELS * (data.labels[own] > 0)
    stamps.stamp(painter, stamps.halo_atlas(style, share), pixels[own], numbers)


def draw_points(
    painter: QPainter, data: PointSet, lane: Lane | None, camera: Camera, style: Style
) -> None:
    """Draw every point, support vectors over the others.

    All rings lie under all points: in a crowd the classes stay to be seen.
    """
    kinds = kinds_of(data, lane, style)
    pixels, inside = _in_sight(data, camera, style.scale)
    share = point_share(len(data))
    ringed = np.flatnonzero(inside & (kinds != ZERO))
    order = np.concatenate([np.flatnonzero(inside & (kinds == ZERO)), ringed])
    if style.exact:
        for (x, y), kind in zip(pixels[ringed].tolist(), kinds[ringed].tolist(), strict=True):
            draw_rings(painter, x, y, kind, share, style)
        for (x, y), label in zip(pixels[order].tolist(), data.labels[order].tolist(), strict=True):
            draw_mark(painter, x, y, label, share, style)
        return
    bound = kinds[ringed] == BOUND
    stamps.stamp(painter, stamps.ring_atlas(style, share), pixels[ringed], bound)
    stamps.stamp(painter, stamps.mark_atlas(style, share), pixels[order], data.labels[order] > 0)


def kinds_of(data: PointSet, lane: Lane | None, style: Style) -> np.ndarray:
    """Which rings each point has, as kinds of ``solvers.problem.certificate``, shape (n,)."""
    if lane is None or not style.options.rings:
        return np.full(len(data), ZERO)
    return lane.certificate.kinds


def draw_standouts(
    painter: QPainter, data: PointSet, lane: Lane | None, camera: Camera, style: Style
) -> None:
    """Mark the selected points, those of the step, and the one under the mouse."""
    pixels, inside = _in_sight(data, camera, style.scale)
    share = point_share(len(data))
    chosen = np.sort(np.fromiter(style.selected, dtype=int, count=len(style.selected)))
    chosen = chosen[chosen < len(data)]
    chosen = chosen[inside[chosen]]
    hollow = len(stamps.LABELS) + (data.labels[chosen] > 0)
    stamps.stamp(painter, stamps.mark_atlas(style, share), pixels[chosen], hollow)
    kinds = kinds_of(data, lane, style)
    playing = points_in_play(lane, style)
    thin = 1.0 if len(playing) <= FEW else 0.6
    for index in playing:
        if index < len(data) and inside[index]:
            x, y = pixels[index].tolist()
            _draw_in_play(painter, x, y, share, thin, style)
            # The thick line may cover the outer ring, which lies under it in a crowd.
            if thin == 1.0:
                draw_rings(painter, x, y, int(kinds[index]), share, style)
    if style.hovered is not None and style.hovered < len(data):
        around = _reach_in_play(share) if style.hovered in playing else 0.0
        _draw_hovered(painter, data, style.hovered, pixels, kinds, around, share, style)


def points_in_play(lane: Lane | None, style: Style) -> tuple[int, ...]:
    """Return the indices of the points that the step shown marks, unless the options hide them."""
    if lane is None or lane.event is None or not (style.in_play and style.options.touched):
        return ()
    return lane.event.marked


def _reach_in_play(share: float) -> float:
    """Radius of what marks a point in play, in px at scale 1."""
    return MARKS.highlight_radius * math.sqrt(share) + 0.5 * MARKS.highlight_width


def _draw_in_play(
    painter: QPainter, x: float, y: float, share: float, thin: float, style: Style
) -> None:
    theme, radius = style.theme, MARKS.highlight_radius * math.sqrt(share) * style.scale
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width in (
        (theme.highlight_halo, MARKS.highlight_halo),
        (theme.highlight, MARKS.highlight_width),
    ):
        painter.setPen(style.pen(colour, width * thin))
        painter.drawEllipse(QPointF(x, y), radius, radius)


def _draw_hovered(
    painter: QPainter,
    data: PointSet,
    index: int,
    pixels: np.ndarray,
    kinds: np.ndarray,
    around: float,
    share: float,
    style: Style,
) -> None:
    """Draw a lit point larger, and an outline around it and all its rings."""
    (x, y), label, kind = pixels[index].tolist(), int(data.labels[index]), int(kinds[index])
    draw = draw_hollow_mark if index in style.selected else draw_mark
    draw(painter, x, y, label, LIT * share, replace(style, exact=True))
    draw_rings(painter, x, y, kind, share, style)
    # As far away as if there were two rings, or it would be taken for the second.
    reach = max(reach_of(BOUND, share), around)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width in ((style.theme.highlight_halo, 4.0), (style.theme.text, 2.0)):
        painter.setPen(style.pen(colour, width))
        draw_shape(painter, x, y, label, (reach + LIT_GAP) * style.scale)


# A frame asks three times, and the next frame is mostly one of the same points.
@lru_cache(maxsize=2)
def _in_sight(data: PointSet, camera: Camera, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Pixels of all points, and which of them could show in the plot."""
    pixels = camera.to_pixels(data.points)
    reach = 2.0 * LARGEST_HALO * scale
    low = np.array([camera.left, camera.top]) - reach
    high = np.array([camera.left + camera.plot_width, camera.top + camera.plot_height]) + reach
    inside = (pixels >= low) & (pixels <= high)
    return freeze(pixels), freeze(inside[:, 0] & inside[:, 1])
