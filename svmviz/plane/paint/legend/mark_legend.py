"""The legend above the plot: the marks of the classes, and all other marks with their meanings."""

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
from svmviz.plane.paint.held_out import draw_held_out_mark
from svmviz.plane.paint.ink import HALO_OPACITY, Ink
from svmviz.plane.paint.point_shapes import draw_halo, draw_mark, draw_outlines
from svmviz.plane.paint.style import Style
from svmviz.theme import CAPTION, MARKS

# Lengths in px at scale 1: gap between two entries, side of a mark, and gap after a mark.
GAP, MARK, AFTER_MARK = 18.0, 12.0, 6.0
# Sizes of marks in the legend, as fractions of the full size: of a class, and in a halo.
CLASS_SHARE, HALO_SHARE = 0.8, 0.5
# Radius of a halo, radii of the rings, and width of a ring, px at scale 1.
HALO_RADIUS, RINGS, RING_WIDTH = 8.0, (5.5, 7.4), 0.96
# The bar of slack in the legend has a tick at slack 1. Length of the bar above the tick, in units
# of slack.
BAR_END = 0.2
# Maximum width of the name of a class, px at scale 1; a longer name is elided. If there is less
# room than MIN_NAME for each name, all names are left out.
MAX_NAME, MIN_NAME = 150.0, 36.0
FLAGS = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
# Kinds of marks.
CLASS, RING, BAND, TUBE, HALO = "class", "ring", "band", "tube", "halo"
SLACK, RESIDUAL, HELD_OUT = "slack", "residual", "held"


@dataclass(frozen=True)
class MarkEntry:
    """A mark and its meaning.

    Attributes
    ----------
    mark : str
        CLASS, RING, BAND, TUBE, HALO, SLACK, RESIDUAL or HELD_OUT.
    text : str
    count : int or None
        Number of points with the mark; None if it is not shown.
    label, kind : int
        Class of the mark, and kind of the points with the ring. For HELD_OUT, ``kind`` is the part
        of the split.
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
    """Return the marks to explain, the most important first: the classes."""
    is_regression, options = task == "regression", style.options
    if is_regression:
        result = [MarkEntry(CLASS, "points", len(data), 1)]
    else:
        result = _class_entries(data)
    if held_out is not None:
        result += _held_out_entries(held_out)
    if lane is None:
        return result
    if options.rings:
        result += _ring_entries(lane, task)
    if options.band:
        result.append(MarkEntry(TUBE, "f ± ε") if is_regression else MarkEntry(BAND, "−1 ≤ f ≤ 1"))
    if options.sticks:
        residual, slack = MarkEntry(RESIDUAL, "slack ξ"), MarkEntry(SLACK, "slack ξ = 1")
        result.append(residual if is_regression else slack)
    if options.alpha_area and style.ink.halo_opacity:
        result.append(MarkEntry(HALO, "area: |β|" if is_regression else "area: α", label=1))
    return result


def _class_entries(data: PointSet) -> list[MarkEntry]:
    result = []
    for label, name in zip((-1, 1), class_titles(data), strict=True):
        class_count = int(np.count_nonzero(data.labels == label))
        # The word "class" separates a name that begins with a digit from the count after it.
        title = f"class {name}" if name[:1].isdigit() else name
        result.append(MarkEntry(CLASS, title, class_count, label))
    return result


def _held_out_entries(held_out: HeldOut) -> list[MarkEntry]:
    """Return the entries of the held-out parts whose points are drawn."""
    parts = [(VALIDATION, held_out.validation)]
    parts += [(TEST, held_out.test)] if held_out.seen else []
    return [
        MarkEntry(HELD_OUT, PARTS[part], len(data), kind=part) for part, data in parts if len(data)
    ]


def _ring_entries(lane: Lane, task: str) -> list[MarkEntry]:
    kinds, counts = kinds_of(lane.certified_problem), lane.certificate.count
    if task == "regression":
        bound, free = "|β| = C", "|β| < C"
    else:
        bound = "α ≥ C" if lane.exceeds_bound else kinds.bound
        free = "α free" if kinds is SOFT_MARGIN else kinds.free
    result = [MarkEntry(RING, free, counts(FREE), kind=FREE)]
    if not lane.certified_problem.hard:
        result.insert(0, MarkEntry(RING, bound, counts(BOUND), kind=BOUND))
    return result


@dataclass(frozen=True)
class PlacedEntry:
    """An entry, the left edge of its mark, and the maximum width of its text, in px."""

    entry: MarkEntry
    left: float
    max_text_width: float


def lay_out(
    data: PointSet,
    lane: Lane | None,
    camera: Camera,
    style: Style,
    task: str = "classification",
    held_out: HeldOut | None = None,
) -> tuple[PlacedEntry, ...]:
    """Place entries from right to left, as many as fit beside the name of the y axis.

    The least important entries are left out first. Names of classes are elided before the name of a
    class is left out.
    """
    gap, right = GAP * style.scale, camera.left + camera.plot_width
    room = right - paint_axes.name_end(data, camera, style) - gap
    width_left, placed = room, []
    for entry, max_text_width in _with_text_widths(
        entries(data, lane, style, task, held_out), room, style
    ):
        width = _width(entry, max_text_width, style)
        if width > width_left + 1.0:
            break
        placed.append(PlacedEntry(entry, right - width, max_text_width))
        right -= width + gap
        width_left -= width + gap
    return tuple(placed)


def without_counts(legend: tuple[PlacedEntry, ...]) -> tuple[PlacedEntry, ...]:
    """Return the legend without its counts, which change from frame to frame."""
    return tuple(replace(placed, entry=replace(placed.entry, count=None)) for placed in legend)


def _with_text_widths(
    all_entries: list[MarkEntry], room: float, style: Style
) -> list[tuple[MarkEntry, float]]:
    """Return the entries, each with the maximum width of its text, px; 1e6 means no limit."""
    classes = [entry for entry in all_entries if entry.mark == CLASS]
    max_text_width = MAX_NAME * style.scale
    needed_width = (
        sum(_width(entry, max_text_width, style) for entry in classes) + GAP * style.scale
    )
    if needed_width > room:
        fixed_width = sum(_width(entry, 0.0, style) for entry in classes) + GAP * style.scale
        max_text_width = min(max_text_width, (room - fixed_width) / len(classes))
        if max_text_width < MIN_NAME * style.scale:
            # Show only the marks of the classes. The hover card still names the class of a point.
            return [(replace(entry, text="", count=None), 0.0) for entry in classes]
    return [(entry, max_text_width if entry.mark == CLASS else 1e6) for entry in all_entries]


def _width(entry: MarkEntry, max_text_width: float, style: Style) -> float:
    """Return the width of mark, text and count, in px."""
    return (
        (MARK + AFTER_MARK) * style.scale
        + _text_width(entry, max_text_width, style)
        + _count_width(entry, style)
    )


def _text_width(entry: MarkEntry, max_text_width: float, style: Style) -> float:
    return min(max_text_width, _advance(entry.text, style.scale, 500, style.vector))


# Each frame needs the widths of the same few texts several times.
@lru_cache(maxsize=128)
def _advance(text: str, scale: float, weight: int, vector: bool) -> float:
    """Return the width of a text in the size CAPTION, px."""
    font = Style(scale=scale, vector=vector).font(CAPTION, weight)
    return QFontMetricsF(font).horizontalAdvance(text)


def _count_width(entry: MarkEntry, style: Style) -> float:
    """Return the width of the count and the gap before it, px; 0 without a count."""
    if entry.count is None:
        return 0.0
    digits = "0" * len(count(entry.count))
    return _advance(digits, style.scale, 400, style.vector) + 6.0 * style.scale


def draw_names(
    painter: QPainter, legend: tuple[PlacedEntry, ...], camera: Camera, style: Style
) -> None:
    """Draw the marks and their names."""
    strong, vector_style = style.font(CAPTION, 500), replace(style, vector=True)
    for placed in legend:
        x = placed.left + 0.5 * MARK * style.scale
        _draw_mark(painter, placed.entry, x, 0.5 * camera.top, vector_style)
        box = _name_box(placed, camera, style)
        text = QFontMetricsF(strong).elidedText(
            placed.entry.text, Qt.TextElideMode.ElideRight, box.width() - 1.0
        )
        painter.setFont(strong)
        painter.setPen(style.pen(style.theme.text, 1.0))
        painter.drawText(box, FLAGS, text)


def draw_counts(
    painter: QPainter, legend: tuple[PlacedEntry, ...], camera: Camera, style: Style
) -> None:
    """Write the counts beside the names."""
    painter.setFont(style.font(CAPTION))
    painter.setPen(style.pen(style.theme.muted, 1.0))
    for placed in legend:
        if placed.entry.count is not None:
            left = _name_box(placed, camera, style).right() + 4.0 * style.scale
            box = QRectF(left, 0.0, _count_width(placed.entry, style), camera.top)
            painter.drawText(box, FLAGS, count(placed.entry.count))


def _name_box(placed: PlacedEntry, camera: Camera, style: Style) -> QRectF:
    """Return the box of the name of an entry."""
    width = _text_width(placed.entry, placed.max_text_width, style)
    return QRectF(placed.left + (MARK + AFTER_MARK) * style.scale, 0.0, width + 2.0, camera.top)


def _draw_mark(painter: QPainter, entry: MarkEntry, x: float, y: float, style: Style) -> None:
    if entry.mark == CLASS:
        draw_mark(painter, x, y, entry.label, replace(style, ink=Ink(CLASS_SHARE)))
    elif entry.mark == HELD_OUT:
        held = replace(style, ink=Ink(CLASS_SHARE))
        draw_held_out_mark(painter, x, y, 1, entry.kind, False, held)
    elif entry.mark == RING:
        # The kinds FREE = 1 and BOUND = 2 are also the numbers of their rings.
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
    """Draw a bar of slack, as in the plane, with its centre at a pixel."""
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
