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
from svmviz.document.document import Document
from svmviz.document.held_out import PARTS, TEST, VALIDATION, HeldOut
from svmviz.document.view_options import ViewOptions
from svmviz.frames.frame import Lane
from svmviz.plane.paint import axes as paint_axes
from svmviz.plane.paint import slack as paint_slack
from svmviz.plane.paint.field import band_tints
from svmviz.plane.paint.held_out import draw_held_out_mark
from svmviz.plane.paint.ink import HALO_OPACITY, Ink, ink_of
from svmviz.plane.paint.point_shapes import draw_halo, draw_mark, draw_outlines
from svmviz.plane.paint.style import Style
from svmviz.theme import CAPTION, MARKS

# Lengths in px at scale 1: gap between two entries, gap if there is little room, side of a mark,
# and gap after a mark.
GAP, MIN_GAP, MARK, AFTER_MARK = 18.0, 11.0, 12.0, 6.0
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
# Maximum number of rows.
MAX_ROWS = 4
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
    return result + _layer_entries(is_regression, options, has_halos=style.ink.halo_opacity > 0.0)


def _layer_entries(is_regression: bool, options: ViewOptions, has_halos: bool) -> list[MarkEntry]:
    """Return the entries of band, slack and halos, as far as the options show them."""
    result = []
    if options.band:
        result.append(MarkEntry(TUBE, "f ± ε") if is_regression else MarkEntry(BAND, "−1 ≤ f ≤ 1"))
    if options.sticks:
        residual, slack = MarkEntry(RESIDUAL, "slack ξ"), MarkEntry(SLACK, "slack ξ = 1")
        result.append(residual if is_regression else slack)
    if options.alpha_area and has_halos:
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
    """An entry, the left edge and the middle of its mark, and the maximum width of its text, px."""

    entry: MarkEntry
    left: float
    middle: float
    max_text_width: float


def lay_out(
    data: PointSet,
    lane: Lane | None,
    camera: Camera,
    style: Style,
    task: str = "classification",
    held_out: HeldOut | None = None,
) -> tuple[PlacedEntry, ...]:
    """Place entries from right to left in the rows above the plot, the classes first.

    The camera has as many rows as `rows_needed` has found. If the entries do not fit, they move
    closer together, then the counts are left out, and at last the least important entries.
    """
    all_entries = entries(data, lane, style, task, held_out)
    without_counts = [replace(entry, count=None) for entry in all_entries]
    rows = 1 + round((camera.top / style.scale - paint_axes.FIRST_ROW) / paint_axes.LEGEND_ROW)
    placed = []
    for some, gap in ((all_entries, GAP), (all_entries, MIN_GAP), (without_counts, MIN_GAP)):
        placed = _place(some, gap, data, camera, style)
        if placed and placed[-1][1] < rows:
            break
    return tuple(
        PlacedEntry(entry, left, _middle(row, style), max_text_width)
        for entry, row, left, max_text_width in placed
        if row < rows
    )


def rows_needed(document: Document, camera: Camera, style: Style) -> int:
    """Return the number of rows in which all marks of a document have room, whatever the step.

    ``camera`` is that of the picture with one row; 0 if the options show no legend.
    """
    if not style.options.legend:
        return 0
    n, task, options = document.n, document.task, style.options
    shown = entries(document.data, None, style, task, document.held_out)
    is_regression = document.is_regression
    if options.rings:
        bound, free = ("|β| = C", "|β| < C") if is_regression else ("α = C", "α free")
        shown += [MarkEntry(RING, bound, n, kind=BOUND), MarkEntry(RING, free, n, kind=FREE)]
    ink = ink_of(document.data, camera, style.scale, style.marks)
    shown += _layer_entries(is_regression, options, has_halos=ink.halo_opacity > 0.0)
    placed = _place(shown, MIN_GAP, document.data, camera, style)
    return min(MAX_ROWS, 1 + placed[-1][1]) if placed else 1


def with_legend(
    document: Document, camera: Camera, width: float, height: float, style: Style
) -> Camera:
    """Return the camera for a picture of a document, with margins for axes and legend, px."""

    def with_rows(rows: int) -> Camera:
        return paint_axes.with_axes(
            camera,
            width,
            height,
            style.scale,
            axes=style.axes,
            legend_rows=rows,
            tick_spacing=style.tick_spacing,
        )

    one_row = with_rows(1)
    rows = rows_needed(document, one_row, style)
    return one_row if rows == 1 else with_rows(rows)


def _middle(row: int, style: Style) -> float:
    return (0.5 * paint_axes.FIRST_ROW + row * paint_axes.LEGEND_ROW) * style.scale


def _place(
    all_entries: list[MarkEntry], gap: float, data: PointSet, camera: Camera, style: Style
) -> list[tuple[MarkEntry, int, float, float]]:
    """Return each entry with its row, its left edge and the maximum width of its text, px.

    The first row is beside the name of the y axis, the others are as wide as the picture. ``gap``
    is the space between two entries, px at scale 1.
    """
    gap, end = gap * style.scale, camera.left + camera.plot_width
    edge = paint_axes.NAME_LEFT * style.scale
    first_edge = paint_axes.name_end(data, camera, style) + gap if style.axes else edge
    limited = _with_text_widths(all_entries, end - first_edge, style)
    row, right, placed = 0, end, []
    for entry, max_text_width in limited:
        width = _width(entry, max_text_width, style)
        if right - width < (edge if row else first_edge) - 1.0 and (right < end or row == 0):
            row, right = row + 1, end
        placed.append((entry, row, right - width, max_text_width))
        right -= width + gap
    return placed


def without_counts(legend: tuple[PlacedEntry, ...]) -> tuple[PlacedEntry, ...]:
    """Return the legend without its counts, which change from frame to frame."""
    return tuple(replace(placed, entry=replace(placed.entry, count=None)) for placed in legend)


def _with_text_widths(
    all_entries: list[MarkEntry], room: float, style: Style
) -> list[tuple[MarkEntry, float]]:
    """Return the entries, each with the maximum width of its text, px; 1e6 means no limit.

    Names of classes are elided if the classes do not fit into ``room``. If there is less than
    MIN_NAME for each, only their marks are shown: the hover card still names the class of a point.
    """
    classes = [entry for entry in all_entries if entry.mark == CLASS]
    max_name = MAX_NAME * style.scale
    gaps = GAP * style.scale * (len(classes) - 1)
    if sum(_width(entry, max_name, style) for entry in classes) + gaps > room:
        fixed_width = sum(_width(entry, 0.0, style) for entry in classes) + gaps
        max_name = min(max_name, (room - fixed_width) / len(classes))
    if max_name < MIN_NAME * style.scale:
        all_entries = [
            replace(entry, text="", count=None) if entry.mark == CLASS else entry
            for entry in all_entries
        ]
        max_name = 0.0
    return [(entry, max_name if entry.mark == CLASS else 1e6) for entry in all_entries]


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


def draw_names(painter: QPainter, legend: tuple[PlacedEntry, ...], style: Style) -> None:
    """Draw the marks and their names."""
    strong, vector_style = style.font(CAPTION, 500), replace(style, vector=True)
    for placed in legend:
        x = placed.left + 0.5 * MARK * style.scale
        _draw_mark(painter, placed.entry, x, placed.middle, vector_style)
        box = _name_box(placed, style)
        text = QFontMetricsF(strong).elidedText(
            placed.entry.text, Qt.TextElideMode.ElideRight, box.width() - 1.0
        )
        painter.setFont(strong)
        painter.setPen(style.pen(style.theme.text, 1.0))
        painter.drawText(box, FLAGS, text)


def draw_counts(painter: QPainter, legend: tuple[PlacedEntry, ...], style: Style) -> None:
    """Write the counts beside the names."""
    painter.setFont(style.font(CAPTION))
    painter.setPen(style.pen(style.theme.muted, 1.0))
    for placed in legend:
        if placed.entry.count is not None:
            name = _name_box(placed, style)
            left = name.right() + 4.0 * style.scale
            box = QRectF(left, name.top(), _count_width(placed.entry, style), name.height())
            painter.drawText(box, FLAGS, count(placed.entry.count))


def _name_box(placed: PlacedEntry, style: Style) -> QRectF:
    width = _text_width(placed.entry, placed.max_text_width, style)
    height = paint_axes.LEGEND_ROW * style.scale
    left = placed.left + (MARK + AFTER_MARK) * style.scale
    return QRectF(left, placed.middle - 0.5 * height, width + 2.0, height)


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
