"""The legend above the plot: the shapes of the classes, and the meaning of the other marks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from solvers.data.datasets import PointSet
from solvers.problem.certificate import BOUND, FREE, ZERO
from svmviz.base.kinds import SOFT_MARGIN, kinds_of
from svmviz.base.words import class_titles, count
from svmviz.camera.camera import Camera
from svmviz.document.held_out import PARTS, TEST, VALIDATION, HeldOut
from svmviz.frames.frame import Lane
from svmviz.plane.paint import axes as paint_axes
from svmviz.plane.paint import slack as paint_slack
from svmviz.plane.paint.field import band_tints
from svmviz.plane.paint.held_out import draw_held_mark
from svmviz.plane.paint.ink import HALO_OPACITY, Ink
from svmviz.plane.paint.point_shapes import draw_halo, draw_mark, draw_outlines
from svmviz.plane.paint.style import Style
from svmviz.theme import CAPTION, MARKS

# Lengths in px at scale 1.
GAP, MARK, AFTER_MARK = 18.0, 12.0, 6.0
# Sizes of marks, in px at scale 1 or as shares of those of a full mark.
CLASS_SHARE, HALO_SHARE, HALO_RADIUS = 0.8, 0.5, 8.0
RINGS, RING_WIDTH = (5.5, 7.4), 0.96
# Length of the bar of slack above its tick at slack 1, in units of slack.
BAR_END = 0.2
# Names of classes that are wider than MAX_NAME are elided. If there is less room than MIN_NAME,
# they are left out.
MAX_NAME, MIN_NAME = 150.0, 36.0
FLAGS = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
CLASS, RING, BAND, TUBE, HALO = "class", "ring", "band", "tube", "halo"
SLACK, RESIDUAL, HELD = "slack", "residual", "held"


@dataclass(frozen=True)
class MarkEntry:
    """A mark and its meaning.

    Attributes
    ----------
    mark : str
        CLASS, RING, BAND, TUBE, HALO, SLACK, RESIDUAL or HELD.
    text : str
    count : int or None
        Number of points with the mark; None if it is not shown.
    label, kind : int
        Class and kind of ring of the mark; of HELD the kind is the part.
    """

    mark: str
    text: str
    count: int | None = None
    label: int = 0
    kind: int = ZERO


def entries(
    data: PointSet,
    lane: Lane | None,
    style: Style,
    task: str = "classification",
    held_out: HeldOut | None = None,
) -> list[MarkEntry]:
    """Return the marks to explain, the most important first, which are the classes."""
    is_regression, shown = task == "regression", style.options
    if is_regression:
        found = [MarkEntry(CLASS, "points", len(data), 1)]
    else:
        found = _class_entries(data)
    if held_out is not None:
        found += _held_entries(held_out)
    if lane is None:
        return found
    if shown.rings:
        found += _ring_entries(lane, task)
    if shown.band:
        found.append(MarkEntry(TUBE, "f ± ε") if is_regression else MarkEntry(BAND, "−1 ≤ f ≤ 1"))
    if shown.sticks:
        residual, slack = MarkEntry(RESIDUAL, "slack ξ"), MarkEntry(SLACK, "slack ξ = 1")
        found.append(residual if is_regression else slack)
    if shown.alpha_area and style.ink.halo_opacity:
        found.append(MarkEntry(HALO, "area: |β|" if is_regression else "area: α", label=1))
    return found


def _class_entries(data: PointSet) -> list[MarkEntry]:
    found = []
    for label, name in zip((-1, 1), class_titles(data), strict=True):
        size = int(np.count_nonzero(data.labels == label))
        # The word "class" separates a name that begins with a digit from the count after it.
        title = f"class {name}" if name[:1].isdigit() else name
        found.append(MarkEntry(CLASS, title, size, label))
    return found


def _held_entries(held_out: HeldOut) -> list[MarkEntry]:
    """Return the parts whose points are drawn."""
    parts = [(VALIDATION, held_out.validation)]
    parts += [(TEST, held_out.test)] if held_out.seen else []
    return [MarkEntry(HELD, PARTS[part], len(data), kind=part) for part, data in parts if len(data)]


def _ring_entries(lane: Lane, task: str) -> list[MarkEntry]:
    kinds, counts = kinds_of(lane.certified_problem), lane.certificate.count
    if task == "regression":
        bound, free = "|β| = C", "|β| < C"
    else:
        bound = "α ≥ C" if lane.exceeds_bound else kinds.bound
        free = "α free" if kinds is SOFT_MARGIN else kinds.free
    found = [MarkEntry(RING, free, counts(FREE), kind=FREE)]
    if not lane.certified_problem.hard:
        found.insert(0, MarkEntry(RING, bound, counts(BOUND), kind=BOUND))
    return found


@dataclass(frozen=True)
class Placed:
    """An entry, the left edge of its mark, and the maximum width of its text, in px."""

    entry: MarkEntry
    left: float
    longest: float


def lay_out(
    data: PointSet,
    lane: Lane | None,
    camera: Camera,
    style: Style,
    task: str = "classification",
    held_out: HeldOut | None = None,
) -> tuple[Placed, ...]:
    """Place as many entries as fit beside the name of y, from the right.

    The least important entries are left out first. Names of classes are elided before a class is
    left out.
    """
    gap, right = GAP * style.scale, camera.left + camera.plot_width
    room = right - paint_axes.name_end(data, camera, style) - gap
    left_over, placed = room, []
    for entry, longest in _fitted(entries(data, lane, style, task, held_out), room, style):
        width = _width(entry, longest, style)
        if width > left_over + 1.0:
            break
        placed.append(Placed(entry, right - width, longest))
        right -= width + gap
        left_over -= width + gap
    return tuple(placed)


def without_counts(legend: tuple[Placed, ...]) -> tuple[Placed, ...]:
    """Return the legend without its numbers, which change from frame to frame."""
    return tuple(replace(one, entry=replace(one.entry, count=None)) for one in legend)


def _fitted(found: list[MarkEntry], room: float, style: Style) -> list[tuple[MarkEntry, float]]:
    """Return the entries with the maximum width of their texts, px; classes share the room."""
    classes = [entry for entry in found if entry.mark == CLASS]
    longest = MAX_NAME * style.scale
    needed = sum(_width(entry, longest, style) for entry in classes) + GAP * style.scale
    if needed > room:
        fixed = sum(_width(entry, 0.0, style) for entry in classes) + GAP * style.scale
        longest = min(longest, (room - fixed) / len(classes))
        if longest < MIN_NAME * style.scale:
            # Show only the marks of the classes; the hover card names them.
            return [(replace(entry, text="", count=None), 0.0) for entry in classes]
    return [(entry, longest if entry.mark == CLASS else 1e6) for entry in found]


def _width(entry: MarkEntry, longest: float, style: Style) -> float:
    """Return the width of mark, text and number, in px."""
    return (
        (MARK + AFTER_MARK) * style.scale
        + _text_width(entry, longest, style)
        + _counted(entry, style)
    )


def _text_width(entry: MarkEntry, longest: float, style: Style) -> float:
    return min(longest, _advance(entry.text, style.scale, 500, style.vector))


# Every frame needs the widths of the same few texts several times.
@lru_cache(maxsize=128)
def _advance(text: str, scale: float, weight: int, vector: bool) -> float:
    """Return the width of a text in the smallest type, px."""
    font = Style(scale=scale, vector=vector).font(CAPTION, weight)
    return QFontMetricsF(font).horizontalAdvance(text)


def _counted(entry: MarkEntry, style: Style) -> float:
    if entry.count is None:
        return 0.0
    figures = "0" * len(count(entry.count))
    return _advance(figures, style.scale, 400, style.vector) + 6.0 * style.scale


def draw_names(painter: QPainter, legend: tuple[Placed, ...], camera: Camera, style: Style) -> None:
    """Draw marks and names."""
    strong, vector_style = style.font(CAPTION, 500), replace(style, vector=True)
    for one in legend:
        x = one.left + 0.5 * MARK * style.scale
        _draw_mark(painter, one.entry, x, 0.5 * camera.top, vector_style)
        box = _name_box(one, camera, style)
        text = QFontMetricsF(strong).elidedText(
            one.entry.text, Qt.TextElideMode.ElideRight, box.width() - 1.0
        )
        painter.setFont(strong)
        painter.setPen(style.pen(style.theme.text, 1.0))
        painter.drawText(box, FLAGS, text)


def draw_counts(
    painter: QPainter, legend: tuple[Placed, ...], camera: Camera, style: Style
) -> None:
    """Write the numbers beside the names."""
    painter.setFont(style.font(CAPTION))
    painter.setPen(style.pen(style.theme.muted, 1.0))
    for one in legend:
        if one.entry.count is not None:
            left = _name_box(one, camera, style).right() + 4.0 * style.scale
            box = QRectF(left, 0.0, _counted(one.entry, style), camera.top)
            painter.drawText(box, FLAGS, count(one.entry.count))


def _name_box(one: Placed, camera: Camera, style: Style) -> QRectF:
    """Return the box of the name of an entry."""
    named = _text_width(one.entry, one.longest, style)
    return QRectF(one.left + (MARK + AFTER_MARK) * style.scale, 0.0, named + 2.0, camera.top)


def _draw_mark(painter: QPainter, entry: MarkEntry, x: float, y: float, style: Style) -> None:
    if entry.mark == CLASS:
        draw_mark(painter, x, y, entry.label, replace(style, ink=Ink(CLASS_SHARE)))
    elif entry.mark == HELD:
        held = replace(style, ink=Ink(CLASS_SHARE))
        draw_held_mark(painter, x, y, 1, entry.kind, False, held)
    elif entry.mark == RING:
        draw_outlines(painter, x, y, 1, entry.kind, RINGS[: entry.kind], RING_WIDTH, style)
    elif entry.mark == HALO:
        draw_halo(painter, x, y, entry.label, HALO_RADIUS, HALO_OPACITY, style)
        draw_mark(painter, x, y, entry.label, replace(style, ink=Ink(HALO_SHARE)))
    elif entry.mark == TUBE:
        _draw_tube(painter, x, y, style)
    elif entry.mark in (SLACK, RESIDUAL):
        _draw_bar(painter, x, y, 1.0 + (entry.mark == SLACK) * BAR_END, style)
    else:
        _draw_band(painter, x, y, style)


def _draw_bar(painter: QPainter, x: float, y: float, slack: float, style: Style) -> None:
    """Draw a bar of slack as it is in the plane, around a pixel."""
    foot = y + 0.5 * slack * style.ink.slack_unit * style.scale
    boxes = paint_slack.bars(np.array([[x, foot]]), np.array([slack]), style)
    paint_slack.fill_bars(painter, boxes, style)


def _draw_tube(painter: QPainter, x: float, y: float, style: Style) -> None:
    """Draw the tube, with the curve in its middle."""
    theme, half = style.theme, 0.5 * MARK * style.scale
    tint, _ = band_tints(theme, style.options.shading, "regression")
    painter.fillRect(QRectF(x - half, y - half, 2.0 * half, 2.0 * half), QColor(tint))
    painter.setPen(style.pen(theme.boundary, 0.7 * MARKS.boundary_width))
    painter.drawLines([QLineF(x - 0.85 * half, y, x + 0.85 * half, y)])


def _draw_band(painter: QPainter, x: float, y: float, style: Style) -> None:
    """Draw both tints of the band between its margins, with the boundary between them."""
    theme, half = style.theme, 0.5 * MARK * style.scale
    below, above = band_tints(theme, style.options.shading)
    for tint, left in ((below, x - half), (above, x)):
        painter.fillRect(QRectF(left, y - half, half, 2.0 * half), QColor(tint))
    painter.setPen(style.pen(theme.boundary, 0.7 * MARKS.boundary_width))
    painter.drawLines([QLineF(x, y - 0.85 * half, x, y + 0.85 * half)])
    painter.setPen(style.pen(theme.margin, 0.7 * MARKS.margin_width))
    ends = (x - half, x + half)
    painter.drawLines([QLineF(end, y - 0.85 * half, end, y + 0.85 * half) for end in ends])
