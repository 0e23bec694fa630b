"""The row above the plot: which shape is which class, and what the other marks mean."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from solvers import Linear
from solvers.data.datasets import PointSet
from solvers.problem.certificate import BOUND, FREE, ZERO
from svmviz.base.words import class_titles, count
from svmviz.camera.camera import Camera
from svmviz.frames.frame import Lane
from svmviz.plane.paint import axes as paint_axes
from svmviz.plane.paint.point_shapes import draw_halo, draw_mark, draw_rings
from svmviz.plane.paint.style import Style
from svmviz.theme import CAPTION, MARKS
from svmviz.theme.contrast import mix

# Lengths in px at scale 1.
GAP, MARK, AFTER_MARK = 18.0, 12.0, 6.0
# Names of classes are cut beyond the first, and never below the second.
LONGEST, SHORTEST = 150.0, 36.0
FLAGS = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
CLASS, RING, BAND, TUBE, HALO, STICK = "class", "ring", "band", "tube", "halo", "stick"


@dataclass(frozen=True)
class Entry:
    """A mark and its meaning.

    Attributes
    ----------
    mark : str
        CLASS, RING, BAND, TUBE, HALO or STICK.
    text : str
    count : int or None
        How many points have it; None where that says nothing.
    label, kind : int
        Class and kind of ring that are drawn.
    """

    mark: str
    text: str
    count: int | None = None
    label: int = 0
    kind: int = ZERO


def entries(
    data: PointSet, lane: Lane | None, style: Style, task: str = "classification"
) -> list[Entry]:
    """What there is to explain, the most needed first: the classes always have their place."""
    if task == "regression":
        return _of_curve(data, lane, style)
    found = []
    for label, name in zip((-1, 1), class_titles(data), strict=True):
        there = int(np.count_nonzero(data.labels == label))
        # Before the number of its points a bare number would be mistaken for a part of that.
        title = f"class {name}" if name[:1].isdigit() else name
        found.append(Entry(CLASS, title, there, label))
    if lane is None:
        return found
    shown, hard, found_by = style.options, lane.problem.hard, lane.certificate.count
    if shown.rings and not hard:
        words = "α ≥ C" if lane.exceeds else "α = C"
        found.append(Entry(RING, words, found_by(BOUND), kind=BOUND))
    if shown.rings:
        found.append(Entry(RING, "α > 0" if hard else "α free", found_by(FREE), kind=FREE))
    if shown.band:
        found.append(Entry(BAND, "−1 ≤ f ≤ 1"))
    if shown.sticks and not hard:
        straight = isinstance(lane.problem.kernel, Linear)
        found.append(Entry(STICK, "slack ξ" if straight else "slack, not to scale"))
    if shown.alpha_area:
        found.append(Entry(HALO, "area: α", label=1))
    return found


def _of_curve(data: PointSet, lane: Lane | None, style: Style) -> list[Entry]:
    """What there is to explain of a regression."""
    found = [Entry(CLASS, "points", len(data), 1)]
    if lane is None:
        return found
    shown, found_by = style.options, lane.certificate.count
    if shown.rings:
        found.append(Entry(RING, "|β| = C", found_by(BOUND), kind=BOUND))
        found.append(Entry(RING, "|β| < C", found_by(FREE), kind=FREE))
    if shown.band:
        found.append(Entry(TUBE, "f ± ε"))
    if shown.sticks:
        found.append(Entry(STICK, "slack ξ"))
    if shown.alpha_area:
        found.append(Entry(HALO, "area: |β|", label=1))
    return found


@dataclass(frozen=True)
class Placed:
    """An entry, the left edge of its mark, and the most that its text may take, in px."""

    entry: Entry
    left: float
    longest: float


def lay_out(
    data: PointSet,
    lane: Lane | None,
    camera: Camera,
    style: Style,
    task: str = "classification",
) -> tuple[Placed, ...]:
    """Place the entries from the right, as many as there is room for beside the name of y.

    Names of classes are cut before a class is left out; of the others, the least needed goes
    first.
    """
    gap, right = GAP * style.scale, camera.left + camera.plot_width
    room = right - paint_axes.name_end(data, camera, style) - gap
    left_over, placed = room, []
    for entry, longest in _fitted(entries(data, lane, style, task), room, style):
        width = _width(entry, longest, style)
        if width > left_over + 1.0:
            break
        placed.append(Placed(entry, right - width, longest))
        right -= width + gap
        left_over -= width + gap
    return tuple(placed)


def without_counts(legend: tuple[Placed, ...]) -> tuple[Placed, ...]:
    """All that a frame seldom changes: the same marks and names at the same places."""
    return tuple(replace(one, entry=replace(one.entry, count=None)) for one in legend)


def _fitted(found: list[Entry], room: float, style: Style) -> list[tuple[Entry, float]]:
    """Entries with the most px that their texts may take; classes share what room there is."""
    classes = [entry for entry in found if entry.mark == CLASS]
    longest = LONGEST * style.scale
    needed = sum(_width(entry, longest, style) for entry in classes) + GAP * style.scale
    if needed > room:
        fixed = sum(_width(entry, 0.0, style) for entry in classes) + GAP * style.scale
        longest = min(longest, (room - fixed) / len(classes))
        if longest < SHORTEST * style.scale:
            # Only the marks: what they mean is in the hover card.
            return [(replace(entry, text="", count=None), 0.0) for entry in classes]
    return [(entry, longest if entry.mark == CLASS else 1e6) for entry in found]


def _width(entry: Entry, longest: float, style: Style) -> float:
    """Width of mark, text and number, in px."""
    return (
        (MARK + AFTER_MARK) * style.scale
        + _text_width(entry, longest, style)
        + _counted(entry, style)
    )


def _text_width(entry: Entry, longest: float, style: Style) -> float:
    return min(longest, _advance(entry.text, style.scale, 500))


# Every frame asks for the same few texts several times.
@lru_cache(maxsize=128)
def _advance(text: str, scale: float, weight: int) -> float:
    """Width of a text in the smallest type, px."""
    return QFontMetricsF(Style(scale=scale).font(CAPTION, weight)).horizontalAdvance(text)


def _counted(entry: Entry, style: Style) -> float:
    if entry.count is None:
        return 0.0
    figures = "0" * len(count(entry.count))
    return _advance(figures, style.scale, 400) + 6.0 * style.scale


def draw_names(painter: QPainter, legend: tuple[Placed, ...], camera: Camera, style: Style) -> None:
    """Draw marks and names."""
    strong, exact = style.font(CAPTION, 500), replace(style, exact=True)
    for one in legend:
        x = one.left + 0.5 * MARK * style.scale
        _draw_mark(painter, one.entry, x, 0.5 * camera.top, exact)
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
    """Where the name of an entry is written."""
    named = _text_width(one.entry, one.longest, style)
    return QRectF(one.left + (MARK + AFTER_MARK) * style.scale, 0.0, named + 2.0, camera.top)


def _draw_mark(painter: QPainter, entry: Entry, x: float, y: float, style: Style) -> None:
    theme, scale = style.theme, style.scale
    if entry.mark == CLASS:
        draw_mark(painter, x, y, entry.label, 0.8, style)
    elif entry.mark == RING:
        draw_rings(painter, x, y, entry.kind, 0.55, style)
    elif entry.mark == HALO:
        draw_halo(painter, x, y, entry.label, 8.0, style)
        draw_mark(painter, x, y, entry.label, 0.5, style)
    elif entry.mark == TUBE:
        _draw_tube(painter, x, y, style)
    elif entry.mark == STICK:
        pen = style.pen(mix(theme.plane, theme.slack, 0.8), MARKS.slack_width)
        painter.setPen(pen)
        half = 0.5 * MARK * scale
        painter.drawLines([QLineF(x - half, y + 0.5 * half, x + half, y - 0.5 * half)])
    else:
        _draw_band(painter, x, y, style)


def _draw_tube(painter: QPainter, x: float, y: float, style: Style) -> None:
    """The tube, with the curve along its middle."""
    theme, half = style.theme, 0.5 * MARK * style.scale
    painter.fillRect(
        QRectF(x - half, y - half, 2.0 * half, 2.0 * half), QColor(theme.positive_band)
    )
    painter.setPen(style.pen(theme.boundary, 0.7 * MARKS.boundary_width))
    painter.drawLines([QLineF(x - 0.85 * half, y, x + 0.85 * half, y)])


def _draw_band(painter: QPainter, x: float, y: float, style: Style) -> None:
    """Both tints of the band, with the boundary between them."""
    theme, half = style.theme, 0.5 * MARK * style.scale
    for tint, left in ((theme.negative_band, x - half), (theme.positive_band, x)):
        painter.fillRect(QRectF(left, y - half, half, 2.0 * half), QColor(tint))
    painter.setPen(style.pen(theme.boundary, 0.7 * MARKS.boundary_width))
    painter.drawLines([QLineF(x, y - 0.85 * half, x, y + 0.85 * half)])
