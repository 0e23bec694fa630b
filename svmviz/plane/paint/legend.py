"""The legend above the plot: the marks of the classes, and all other marks with their meanings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from svmviz.base.words import axis_units, count
from svmviz.camera.camera import Camera, Margins
from svmviz.colours.contrast import mix
from svmviz.document.document import Document
from svmviz.document.held_out import TRAINING
from svmviz.frames.frame import Frame
from svmviz.plane.paint import axes as paint_axes
from svmviz.plane.paint.atlases import HALO_OPACITY
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.field import band_tints, shade_of, shades
from svmviz.plane.paint.held_out import draw_held_out_mark
from svmviz.plane.paint.legend_marks import (
    BAND,
    CLASS,
    ERROR,
    HALO,
    HELD_OUT,
    LEFT_OUT,
    LINE,
    OPEN,
    PROBABLE,
    RESIDUAL,
    SLACK,
    SUPPORT,
    TIE,
    TIE_ENTRY,
    TUBE,
    VALUE,
    MarkEntry,
    entries,
    error_text,
    layer_entries,
)
from svmviz.plane.paint.point_shapes import draw_cross, draw_halo, draw_mark
from svmviz.plane.paint.roles import FREE, ROLES
from svmviz.plane.paint.slack import OPEN_END, line_width
from svmviz.plane.paint.style import Style
from svmviz.theme import MARKS

# Lengths in px at scale 1: gap between two entries, gap if there is little room, side of a mark,
# and gap after a mark.
GAP, MIN_GAP, MARK, AFTER_MARK = 18.0, 11.0, 14.0, 6.0
# Radius of a halo and of a disc of values, px at scale 1.
HALO_RADIUS = 8.0
# Number of strips in the mark of the probability.
STRIPS = 7
# Maximum width of the name of a class, px at scale 1; a longer name is elided. If there is less
# room than MIN_NAME for longer names, all names are left out.
MAX_NAME, MIN_NAME = 150.0, 36.0
# Maximum number of rows, and that before an audience.
MAX_ROWS, MAX_HALL_ROWS = 4, 2
# In a picture whose plot would be lower than this, px at scale 1, the counts are left out to save
# rows.
MIN_PLOT = 200.0
# The strip above the planes of a race: space left and right of the entries, and space above and
# below all rows together, px at scale 1.
STRIP_SIDE, STRIP_PADDING = 10.0, 4.0
FLAGS = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True)
class PlacedEntry:
    """An entry, the left edge and the middle of its mark, and the maximum width of its text, px."""

    entry: MarkEntry
    left: float
    middle: float
    max_text_width: float


def lay_out(canvas: Canvas) -> tuple[PlacedEntry, ...]:
    """Place entries from left to right in the rows above the plot, the classes first.

    The camera has as many rows as `rows_needed` has found. If the entries do not fit, they move
    closer together, and then the counts are left out. Finally, the least important entries are
    left out. There are none at all if the options hide the legend, and in the planes of a race:
    their one legend is in a strip above them (`strip_of`), without counts, which differ.
    """
    style, is_strip = canvas.style, _is_strip(canvas)
    if not style.options.legend or (_is_race(canvas.document) and not is_strip):
        return ()
    all_entries = _uncounted(_of_all_lanes(canvas)) if is_strip else entries(canvas)
    first_row = paint_axes.LEGEND_ROW + STRIP_PADDING if is_strip else paint_axes.FIRST_ROW
    rows = 1 + round((canvas.camera.top / style.scale - first_row) / paint_axes.LEGEND_ROW)
    choices = [(all_entries, GAP), (all_entries, MIN_GAP), (_uncounted(all_entries), MIN_GAP)]
    placed = []
    for some, gap in choices:
        placed = _place(canvas, some, gap)
        if placed and placed[-1][1] < rows:
            break
    return tuple(
        PlacedEntry(
            entry,
            left,
            (0.5 * first_row + row * paint_axes.LEGEND_ROW) * style.scale,
            max_text_width,
        )
        for entry, row, left, max_text_width in placed
        if row < rows
    )


def rows_needed(canvas: Canvas) -> int:
    """Return the number of rows in which all marks of a document have room, whatever the step.

    ``canvas`` has one row, and no lanes; 0 if the options show no legend.
    """
    document, options = canvas.document, canvas.style.options
    if not options.legend:
        return 0
    shown = entries(canvas)
    n, is_regression = document.n, document.is_regression
    if options.rings:
        shown += [MarkEntry(SUPPORT, text, n) for text in ("support vector", "α at cap C")]
    if options.contours and not is_regression:
        shown.append(
            MarkEntry(
                ERROR, error_text(canvas), n if document.many is None else len(document.parts)
            )
        )
    if canvas.decided_wrongly is not None:
        shown.append(TIE_ENTRY)
    shown += layer_entries(canvas)

    def rows_of(some: list[MarkEntry]) -> int:
        placed = _place(canvas, some, MIN_GAP)
        most = MAX_HALL_ROWS if canvas.style.in_hall else MAX_ROWS
        return min(most, 1 + placed[-1][1]) if placed else 1

    is_low = canvas.camera.plot_height < MIN_PLOT * canvas.style.scale
    return rows_of(_uncounted(shown) if is_low else shown)


def _uncounted(some: list[MarkEntry]) -> list[MarkEntry]:
    return [replace(entry, count=None) for entry in some]


def _is_race(document: Document) -> bool:
    return len(document.methods) > 1


def _is_strip(canvas: Canvas) -> bool:
    return canvas.camera.top >= canvas.camera.height


def strip_height(document: Document, width: float, style: Style) -> int:
    """Return the height of the strip with the legend of a race, px; 0 without race or legend."""
    if not _is_race(document):
        return 0
    rows = rows_needed(_in_strip(Canvas(Frame(document), Camera(), style), width, 0.0))
    row = paint_axes.LEGEND_ROW
    return ceil((rows * row + STRIP_PADDING) * style.scale) if rows else 0


def strip_of(canvas: Canvas, width: float, height: float) -> Canvas:
    """Return the canvas of the strip above the planes of a race, for that of one of its planes.

    `lay_out` places its entries, and `draw_ground` draws them.
    """
    return _in_strip(canvas.with_sizes(), width, height).with_style(outline="")


def _in_strip(canvas: Canvas, width: float, height: float) -> Canvas:
    side = STRIP_SIDE * canvas.style.scale
    camera = Camera().resized(width, height, Margins(side, height, side, 0.0))
    return replace(canvas, camera=camera).with_style(axes=False)


def _of_all_lanes(canvas: Canvas) -> list[MarkEntry]:
    """Return the entries of all lanes of a race, in the order of the lane that has most."""
    frame = canvas.frame
    lanes = [frame.focused_on(lane) for lane in range(len(canvas.document.methods))]
    found: dict[object, MarkEntry] = {}
    for some in sorted((entries(replace(canvas, frame=each)) for each in lanes), key=len)[::-1]:
        for entry in some:
            found.setdefault((entry.mark, entry.kind, entry.mark == CLASS and entry.label), entry)
    return list(found.values())


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
            unit=axis_units(document.data)[1][1],
        )

    if _is_race(document):
        return with_rows(0)
    one_row = with_rows(1)
    rows = rows_needed(Canvas(Frame(document), one_row, style))
    return one_row if rows == 1 else with_rows(rows)


def _place(
    canvas: Canvas, all_entries: list[MarkEntry], gap: float
) -> list[tuple[MarkEntry, int, float, float]]:
    """Return each entry with its row, its left edge and the maximum width of its text, px.

    The first row begins after the name of the y axis, the others above the left end of the plot, or
    if there is little room at the edge. ``gap`` is the space between two entries, px at scale 1.
    """
    style, camera = canvas.style, canvas.camera
    edge = camera.left if gap == GAP else paint_axes.NAME_LEFT * style.scale
    gap, end = gap * style.scale, camera.left + camera.plot_width
    first = max(edge, paint_axes.name_end(canvas) + gap if style.axes else 0.0)
    limited = _with_text_widths(all_entries, end - first, style)
    row, left, placed = 0, first, []
    for entry, max_text_width in limited:
        width = _width(entry, max_text_width, style)
        if left + width > end + 1.0 and (left > edge or row == 0):
            row, left = row + 1, edge
        placed.append((entry, row, left, max_text_width))
        left += width + gap
    return placed


def without_counts(legend: tuple[PlacedEntry, ...]) -> tuple[PlacedEntry, ...]:
    """Return the legend without its counts, which change from frame to frame."""
    return tuple(replace(placed, entry=replace(placed.entry, count=None)) for placed in legend)


def _with_text_widths(
    all_entries: list[MarkEntry], room: float, style: Style
) -> list[tuple[MarkEntry, float]]:
    """Return the entries, each with the maximum width of its text, px; 1e6 means no limit.

    If the classes do not fit into ``room``, their counts are left out and their names are elided.
    If there is less than MIN_NAME for longer names, only the marks are shown: the hover card still
    names the class of a point.
    """
    classes = [entry for entry in all_entries if entry.mark == CLASS]
    max_name = MAX_NAME * style.scale
    gaps = GAP * style.scale * (len(classes) - 1)
    if sum(_width(entry, max_name, style) for entry in classes) + gaps > room:
        all_entries = [
            replace(entry, count=None) if entry.mark == CLASS else entry for entry in all_entries
        ]
        classes = _uncounted(classes)
        fixed_width = sum(_width(entry, 0.0, style) for entry in classes) + gaps
        max_name = min(max_name, (room - fixed_width) / len(classes))
    longest = max((_text_width(entry, max_name + 1.0, style) for entry in classes), default=0.0)
    if max_name < min(MIN_NAME * style.scale, longest):
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
    return min(max_text_width, _advance(_letters(entry, style), style.scale, _kind(style)))


def _kind(style: Style) -> tuple[bool, bool, bool]:
    return style.vector, style.on_screen, style.in_hall


# Each frame needs the widths of the same few texts several times.
@lru_cache(maxsize=128)
def _advance(text: str, scale: float, kind: tuple[bool, bool, bool]) -> float:
    """Return the width of a text of the legend, px; ``kind`` is from :func:`_kind`."""
    vector, on_screen, in_hall = kind
    style = Style(scale=scale, vector=vector, on_screen=on_screen, in_hall=in_hall)
    return QFontMetricsF(style.font(style.label)).horizontalAdvance(text)


def _count_width(entry: MarkEntry, style: Style) -> float:
    """Return the width of the count and the gap before it, px; 0 without a count."""
    if entry.count is None:
        return 0.0
    digits = "0" * len(count(entry.count))
    return _advance(digits, style.scale, _kind(style)) + 6.0 * style.scale


def entry_at(legend: tuple[PlacedEntry, ...], x: float, y: float, scale: float) -> MarkEntry | None:
    """Return the entry at a position, px, or None; ``scale`` is that of the text."""
    # An entry extends from its mark to the mark of the next entry.
    for placed in reversed(legend):
        is_in_row = abs(y - placed.middle) <= 0.5 * paint_axes.LEGEND_ROW * scale
        if is_in_row and placed.left - AFTER_MARK * scale <= x:
            return placed.entry
    return None


def draw_names(painter: QPainter, legend: tuple[PlacedEntry, ...], style: Style) -> None:
    """Draw the marks and their names."""
    font, vector_style = style.font(style.label), replace(style, vector=True)
    for placed in legend:
        x = placed.left + 0.5 * MARK * style.scale
        _draw_mark(painter, placed.entry, x, placed.middle, vector_style)
        box = _name_box(placed, style)
        text = QFontMetricsF(font).elidedText(
            _letters(placed.entry, style), Qt.TextElideMode.ElideRight, box.width() - 1.0
        )
        painter.setFont(font)
        painter.setPen(style.pen(style.theme.text, 1.0))
        painter.drawText(box, FLAGS, text)


def draw_counts(painter: QPainter, legend: tuple[PlacedEntry, ...], style: Style) -> None:
    """Write the counts beside the names."""
    painter.setFont(style.font(style.label))
    painter.setPen(style.pen(style.theme.muted, 1.0))
    for placed in legend:
        if placed.entry.count is not None:
            name = _name_box(placed, style)
            left = name.right() + 4.0 * style.scale
            box = QRectF(left, name.top(), _count_width(placed.entry, style), name.height())
            painter.drawText(box, FLAGS, count(placed.entry.count))


def _letters(entry: MarkEntry, style: Style) -> str:
    """Return the text of an entry as it is painted; the name of a class is no formula."""
    return entry.text if entry.mark in (CLASS, LEFT_OUT) else style.letters(entry.text)


def _name_box(placed: PlacedEntry, style: Style) -> QRectF:
    width = _text_width(placed.entry, placed.max_text_width, style)
    height = paint_axes.LEGEND_ROW * style.scale
    left = placed.left + (MARK + AFTER_MARK) * style.scale
    return QRectF(left, placed.middle - 0.5 * height, width + 2.0, height)


def _draw_mark(painter: QPainter, entry: MarkEntry, x: float, y: float, style: Style) -> None:
    """Draw the mark of an entry as it is in the plane, also in a crowd."""
    if entry.mark in (CLASS, SUPPORT):
        draw_mark(painter, x, y, entry.label, style, entry.kind)
    elif entry.mark == ERROR:
        draw_cross(painter, x, y, ROLES[FREE].radius(style.size), style)
        draw_mark(painter, x, y, entry.label, style, entry.kind)
    elif entry.mark == HELD_OUT:
        draw_held_out_mark(painter, x, y, 1, entry.kind, False, style)
    elif entry.mark == LEFT_OUT:
        draw_held_out_mark(painter, x, y, entry.label, TRAINING, False, style)
    elif entry.mark == HALO:
        draw_halo(painter, x, y, entry.label, HALO_RADIUS, HALO_OPACITY, style)
        draw_mark(painter, x, y, entry.label, style, FREE, factor=0.5)
    elif entry.mark == VALUE:
        _draw_value(painter, x, y, style)
    elif entry.mark == TUBE:
        _draw_tube(painter, x, y, style)
    elif entry.mark == TIE:
        _draw_hatches(painter, x, y, style)
    elif entry.mark == LINE:
        painter.setPen(style.pen(style.theme.series[1], 3.0))
        painter.drawLine(
            QPointF(x - 0.5 * MARK * style.scale, y), QPointF(x + 0.5 * MARK * style.scale, y)
        )
    elif entry.mark in (SLACK, RESIDUAL, OPEN):
        _draw_slack(painter, entry, x, y, style)
    elif entry.mark == PROBABLE:
        _draw_probable(painter, x, y, style)
    else:
        _draw_band(painter, x, y, style, entry.mark == BAND)


def _draw_slack(painter: QPainter, entry: MarkEntry, x: float, y: float, style: Style) -> None:
    """Draw a line that ends at a margin, at the edge of a tube, or openly."""
    theme, half = style.theme, 0.5 * MARK * style.scale
    away, along = QPointF(half, 0.0), QPointF(0.0, 0.8 * half)
    if entry.mark == RESIDUAL:
        away, along = QPointF(0.0, half), QPointF(0.8 * half, 0.0)
    place = QPointF(x, y)
    painter.setPen(style.pen(theme.slack, line_width(style)))
    if entry.mark == OPEN:
        radius = OPEN_END * style.scale
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawLine(place - away, place + away - QPointF(2.0 * radius, 0.0))
        painter.drawEllipse(place + away - QPointF(radius, 0.0), radius, radius)
        return
    painter.drawLine(place - away, place + away)
    painter.setPen(style.pen(theme.margin, 0.7 * MARKS.margin_width))
    painter.drawLine(place + away - along, place + away + along)


def _draw_hatches(painter: QPainter, x: float, y: float, style: Style) -> None:
    """Draw hatches in a square, in no class's colour."""
    half = 0.5 * MARK * style.scale
    painter.setPen(style.pen(style.theme.muted, 0.7 * MARKS.margin_width))
    for at in (-1.0, 0.0, 1.0):
        low, high = max(-1.0, at - 1.0), min(1.0, at + 1.0)
        start, end = (half * low, half * (at - low)), (half * high, half * (at - high))
        painter.drawLine(QLineF(x + start[0], y + start[1], x + end[0], y + end[1]))


def _draw_tube(painter: QPainter, x: float, y: float, style: Style) -> None:
    theme, half = style.theme, 0.5 * MARK * style.scale
    tint, _ = band_tints(theme, style.options.shading, "regression")
    painter.fillRect(QRectF(x - half, y - half, 2.0 * half, 2.0 * half), QColor(tint))
    painter.setPen(style.pen(theme.boundary, 0.7 * MARKS.boundary_width))
    painter.drawLines([QLineF(x - 0.85 * half, y, x + 0.85 * half, y)])


def _draw_value(painter: QPainter, x: float, y: float, style: Style) -> None:
    """Draw a disc whose halves have the shades of f = -1 and f = 1."""
    radius = HALO_RADIUS * style.scale
    box = QRectF(x - radius, y - radius, 2.0 * radius, 2.0 * radius)
    painter.setPen(Qt.PenStyle.NoPen)
    colours = shades(style.theme, style.options.shading)[shade_of(np.array([-1.0, 1.0]))]
    for colour, start in zip(colours.tolist(), (90, -90), strict=True):
        painter.setBrush(QColor.fromRgba(colour))
        # Qt measures angles in sixteenths of a degree.
        painter.drawPie(box, 16 * start, 16 * 180)


def _draw_probable(painter: QPainter, x: float, y: float, style: Style) -> None:
    """Draw the shades of probabilities of the class +1 from 0 to 1, in strips."""
    theme, half = style.theme, 0.5 * MARK * style.scale
    edges = np.linspace(x - half, x + half, STRIPS + 1)
    for left, right, p in zip(edges, edges[1:], np.linspace(0.0, 1.0, STRIPS), strict=False):
        full = theme.positive_band if p > 0.5 else theme.negative_band
        colour = QColor(mix(theme.plane, full, abs(2.0 * float(p) - 1.0)))
        painter.fillRect(QRectF(left, y - half, right - left, 2.0 * half), colour)


def _draw_band(painter: QPainter, x: float, y: float, style: Style, has_margin: bool) -> None:
    """Draw the boundary and, if it has margins, both tints of the band between them."""
    theme, half = style.theme, 0.5 * MARK * style.scale
    below, above = band_tints(theme, style.options.shading)
    for tint, left in ((below, x - half), (above, x)) if has_margin else ():
        painter.fillRect(QRectF(left, y - half, half, 2.0 * half), QColor(tint))
    painter.setPen(style.pen(theme.boundary, 0.7 * MARKS.boundary_width))
    painter.drawLines([QLineF(x, y - 0.85 * half, x, y + 0.85 * half)])
    if not has_margin:
        return
    painter.setPen(style.pen(theme.margin, 0.7 * MARKS.margin_width))
    ends = (x - half, x + half)
    painter.drawLines([QLineF(end, y - 0.85 * half, end, y + 0.85 * half) for end in ends])
