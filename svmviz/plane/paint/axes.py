"""Axes in data units: margins, ticks, grid and names."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPixmap

from solvers.data.datasets import PointSet
from svmviz.base.bulk_drawing import draw_rectangles
from svmviz.base.words import axis_titles
from svmviz.camera.camera import Camera, Margins
from svmviz.camera.plane_ticks import Ticks, make_ticks
from svmviz.plane.paint.style import Style, faded
from svmviz.theme import CAPTION
from svmviz.theme.contrast import mix

# All lengths are in px at scale 1. Approximate width of a digit of the smallest type.
DIGIT_WIDTH = 6.7
# Preferred distance of two ticks of an axis.
TICK_DISTANCE_X, TICK_DISTANCE_Y = 72.0, 52.0
# Minimum distance of two labels of the vertical axis.
MIN_LABEL_DISTANCE = 18.0
# Minimum number of ticks: fewer do not show whether an axis is linear.
MIN_TICKS = 3
TICK_LENGTH = 4.0
# The left margin grows by multiples of this.
LEFT_MARGIN_STEP = 28.0
# Margin around a plot without numbers and names.
BARE_MARGIN = 8.0
# Distance of the name of y from the left edge of the picture.
NAME_LEFT = 8.0
# Maximum width of the name of y, as a fraction of the picture's width. The legend is beside it.
MAX_NAME_FRACTION = 0.6
# Left, top, width and height, in px.
Box = tuple[float, float, float, float]


def with_axes(
    camera: Camera,
    width: float,
    height: float,
    scale: float,
    *,
    axes: bool = True,
    legend: bool = True,
    between: float = 1.0,
) -> Camera:
    """Return the camera for a picture of ``width`` x ``height`` px, with margins for the axes.

    The left margin grows only for labels that would not fit, and in steps, so that the plot does
    not jump while it is panned. Without axes all margins are narrow, except above the plot for a
    legend. For ``between`` see `x_ticks`.
    """
    base = Margins()
    margins = Margins(*(scale * side for side in vars(base).values()))
    if not axes:
        side = round(BARE_MARGIN * scale)
        top = round(margins.top) if legend else side
        return camera.resized(width, height, Margins(side, top, side, side))
    camera = camera.resized(width, height, margins)
    needed = (2 * TICK_LENGTH + 6.0 + DIGIT_WIDTH * y_ticks(camera, scale, between).longest) * scale
    more = math.ceil(max(0.0, needed - margins.left) / (LEFT_MARGIN_STEP * scale))
    whole = (
        round(margins.left + more * LEFT_MARGIN_STEP * scale),
        *map(round, list(vars(margins).values())[1:]),
    )
    return camera.resized(width, height, Margins(*whole))


def x_ticks(camera: Camera, scale: float, between: float = 1.0) -> Ticks:
    """Return the ticks of the horizontal axis; fewer if their labels are long.

    ``between`` is a factor on the space between two ticks.
    """
    left, right, _, _ = camera.view
    gap = TICK_DISTANCE_X * scale * between
    most = int(camera.plot_width / gap)
    ticks = make_ticks(left, right, most)
    wide = (DIGIT_WIDTH * ticks.longest + 20.0) * scale
    if wide > gap:
        most = int(camera.plot_width / wide)
        ticks = make_ticks(left, right, most)
    if len(ticks.values) >= MIN_TICKS:
        return ticks
    return _at_least_two(
        left, right, most, lambda denser: camera.plot_width / _label(denser, scale)
    )


def y_ticks(camera: Camera, scale: float, between: float = 1.0) -> Ticks:
    """Return the ticks of the vertical axis; see `x_ticks`."""
    _, _, bottom, top = camera.view
    most = int(camera.plot_height / (TICK_DISTANCE_Y * scale * between))
    ticks = make_ticks(bottom, top, most)
    if len(ticks.values) >= MIN_TICKS:
        return ticks
    return _at_least_two(
        bottom, top, most, lambda _denser: camera.plot_height / (MIN_LABEL_DISTANCE * scale)
    )


def _label(ticks: Ticks, scale: float) -> float:
    """Return the width that a label needs with the space around it, px."""
    return (DIGIT_WIDTH * ticks.longest + 8.0) * scale


def _at_least_two(low: float, high: float, most: int, room: Callable[[Ticks], float]) -> Ticks:
    """Return at least MIN_TICKS ticks if there is room for them, otherwise at least two.

    Parameters
    ----------
    low, high : float
        Range, in data units.
    most : int
        The maximum number of ticks with which too few were made.
    room : callable(Ticks) -> float
        Number of labels of these ticks that fit into the whole range.
    """
    sparse = make_ticks(low, high, most)
    for denser in (make_ticks(low, high, count) for count in range(most + 1, most + 5)):
        values = denser.values
        if len(values) < 2 or (high - low) / (values[1] - values[0]) > room(denser):
            continue
        if len(values) >= MIN_TICKS:
            return denser
        if len(sparse.values) < 2:
            sparse = denser
    return sparse


def plot_rectangle(camera: Camera) -> QRectF:
    """Return the rectangle of the plot, in px."""
    return QRectF(camera.left, camera.top, camera.plot_width, camera.plot_height)


def draw_grid(painter: QPainter, camera: Camera, style: Style) -> None:
    """Draw pale lines at the ticks."""
    plot, colour = plot_rectangle(camera), faded(style.theme.axis, 0.13)
    columns = _columns(camera, x_ticks(camera, style.scale, style.between))
    rows = _rows(camera, y_ticks(camera, style.scale, style.between))
    uprights = _vertical_lines(columns, plot.top(), plot.bottom(), style)
    levels = _horizontal_lines(rows, plot.left(), plot.right(), style)
    if style.vector or style.ratio % 1.0:
        _fill(painter, uprights + levels, colour)
        return
    for boxes in (uprights, levels):
        for left, top, width, height in boxes:
            line = _line(round(width), round(height), colour.rgba())
            painter.drawPixmap(QPointF(left, top), line)


@lru_cache(maxsize=8)
def _line(width: int, height: int, colour: int) -> QPixmap:
    """Return a translucent line as a pixmap, which is drawn thirty times as fast as a fill."""
    made = QPixmap(width, height)
    made.fill(QColor.fromRgba(colour))
    return made


def draw_edge(painter: QPainter, camera: Camera, style: Style) -> None:
    """Draw the edge of the plot over its contents."""
    plot = plot_rectangle(camera)
    boxes = _vertical_lines([plot.left(), plot.right()], plot.top(), plot.bottom(), style)
    boxes += _horizontal_lines([plot.top(), plot.bottom()], plot.left(), plot.right(), style)
    _fill(painter, boxes, _edge(style))


def _edge(style: Style) -> QColor:
    return QColor(mix(style.theme.plane, style.theme.axis, 0.5))


def draw_axes(painter: QPainter, data: PointSet, camera: Camera, style: Style) -> None:
    """Draw the ticks with their numbers, and the names of the axes, around the plot."""
    plot, scale = plot_rectangle(camera), style.scale
    between = style.between
    across, up = x_ticks(camera, scale, between), y_ticks(camera, scale, between)
    columns, rows = _columns(camera, across), _rows(camera, up)
    reach = TICK_LENGTH * scale
    boxes = _vertical_lines(columns, plot.bottom(), plot.bottom() + reach, style)
    boxes += _horizontal_lines(rows, plot.left() - reach, plot.left(), style)
    _fill(painter, boxes, _edge(style))
    font = style.font(CAPTION)
    painter.setFont(font)
    painter.setPen(style.pen(style.theme.axis, 1.0))
    line = QFontMetricsF(font).height()
    flags = Qt.AlignmentFlag
    for x, label in zip(columns, across.labels, strict=True):
        half = 0.5 * (DIGIT_WIDTH * len(label) + 8.0) * scale
        if half <= x <= camera.width - half + 4.0 * scale:
            box = QRectF(x - half, plot.bottom() + (TICK_LENGTH + 2.0) * scale, 2.0 * half, line)
            painter.drawText(box, flags.AlignHCenter | flags.AlignTop, label)
    for y, label in zip(rows, up.labels, strict=True):
        box = QRectF(0.0, y - 0.5 * line, plot.left() - 2.0 * TICK_LENGTH * scale, line)
        painter.drawText(box, flags.AlignRight | flags.AlignVCenter, label)
    _draw_names(painter, data, camera, style)


def name_end(data: PointSet, camera: Camera, style: Style) -> float:
    """Return the right end of the name of y, in px; it begins at the left edge, above its axis."""
    return NAME_LEFT * style.scale + QFontMetricsF(style.font(CAPTION, 500)).horizontalAdvance(
        _names(data, camera, style)[1]
    )


def _names(data: PointSet, camera: Camera, style: Style) -> tuple[str, str]:
    """Return the names of the axes, elided if they do not fit."""
    metrics, cut = QFontMetricsF(style.font(CAPTION, 500)), Qt.TextElideMode.ElideRight
    across, up = axis_titles(data)
    return (
        metrics.elidedText(across, cut, camera.plot_width),
        metrics.elidedText(up, cut, MAX_NAME_FRACTION * camera.width),
    )


def _draw_names(painter: QPainter, data: PointSet, camera: Camera, style: Style) -> None:
    """Write the name of x below the middle of its axis, and that of y above its axis."""
    plot, flags = plot_rectangle(camera), Qt.AlignmentFlag
    font = style.font(CAPTION, 500)
    painter.setFont(font)
    painter.setPen(style.pen(style.theme.text, 1.0))
    line = QFontMetricsF(font).height()
    across, up = _names(data, camera, style)
    below = QRectF(plot.left(), camera.height - line - 4.0 * style.scale, plot.width(), line)
    painter.drawText(below, flags.AlignHCenter | flags.AlignTop, across)
    above = QRectF(NAME_LEFT * style.scale, 0.0, camera.width, plot.top())
    painter.drawText(above, flags.AlignLeft | flags.AlignVCenter, up)


def _vertical_lines(xs: list[float], top: float, bottom: float, style: Style) -> list[Box]:
    """Return vertical lines as rectangles: a translucent pen takes five times as long."""
    width = style.hairline
    return [(x - width // 2, top, width, bottom - top) for x in xs]


def _horizontal_lines(ys: list[float], left: float, right: float, style: Style) -> list[Box]:
    """Return horizontal lines as rectangles."""
    width = style.hairline
    return [(left, y - width // 2, right - left, width) for y in ys]


def _fill(painter: QPainter, boxes: list[Box], colour: QColor) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    draw_rectangles(painter, np.array(boxes).reshape(-1, 4))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)


def _columns(camera: Camera, ticks: Ticks) -> list[float]:
    left, right, _, _ = camera.view
    share = camera.plot_width / (right - left)
    return [round(camera.left + (value - left) * share) for value in ticks.values]


def _rows(camera: Camera, ticks: Ticks) -> list[float]:
    _, _, bottom, top = camera.view
    share = camera.plot_height / (top - bottom)
    return [round(camera.top + (top - value) * share) for value in ticks.values]
