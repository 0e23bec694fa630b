"""Axes in data units: how much room they need, ticks, grid, names."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPixmap

from solvers.data.datasets import PointSet
from solvers.data.files import pretty
from svmviz.base.shapes import draw_rectangles
from svmviz.camera.camera import Camera, Margins
from svmviz.camera.ticks import Ticks, make_ticks
from svmviz.plane.paint.style import Style, faded
from svmviz.theme import CAPTION
from svmviz.theme.contrast import mix

# Lengths in px at scale 1. A figure of the smallest type is about this wide.
FIGURE = 6.7
BETWEEN_X, BETWEEN_Y = 72.0, 52.0
TICK = 4.0
LEFT_STEP = 28.0
NAME_LEFT = 8.0
# Left, top, width and height, in px.
Box = tuple[float, float, float, float]


def arrange(camera: Camera, width: float, height: float, scale: float) -> Camera:
    """The same data in a picture of ``width`` x ``height`` px, with room for the axes.

    The room on the left grows only for labels that would not fit, and in steps, so that the plot
    does not jump while it is panned.
    """
    base = Margins()
    margins = Margins(*(scale * side for side in vars(base).values()))
    camera = camera.resized(width, height, margins)
    needed = (2 * TICK + 6.0 + FIGURE * y_ticks(camera, scale).longest) * scale
    more = math.ceil(max(0.0, needed - margins.left) / (LEFT_STEP * scale))
    whole = (
        round(margins.left + more * LEFT_STEP * scale),
        *map(round, list(vars(margins).values())[1:]),
    )
    return camera.resized(width, height, Margins(*whole))


def x_ticks(camera: Camera, scale: float) -> Ticks:
    """Ticks of the horizontal axis; fewer where their labels are long."""
    left, right, _, _ = camera.view
    most = int(camera.plot_width / (BETWEEN_X * scale))
    ticks = make_ticks(left, right, most)
    wide = (FIGURE * ticks.longest + 20.0) * scale
    if wide <= BETWEEN_X * scale:
        return ticks
    return make_ticks(left, right, int(camera.plot_width / wide))


def y_ticks(camera: Camera, scale: float) -> Ticks:
    """Ticks of the vertical axis."""
    _, _, bottom, top = camera.view
    return make_ticks(bottom, top, int(camera.plot_height / (BETWEEN_Y * scale)))


def plot_rectangle(camera: Camera) -> QRectF:
    """The plot, in px."""
    return QRectF(camera.left, camera.top, camera.plot_width, camera.plot_height)


def draw_grid(painter: QPainter, camera: Camera, style: Style) -> None:
    """Quiet lines at the ticks."""
    plot, colour = plot_rectangle(camera), faded(style.theme.axis, 0.13)
    columns = _columns(camera, x_ticks(camera, style.scale))
    rows = _rows(camera, y_ticks(camera, style.scale))
    uprights = _uprights(columns, plot.top(), plot.bottom(), style)
    levels = _levels(rows, plot.left(), plot.right(), style)
    if style.exact or style.ratio % 1.0:
        _fill(painter, uprights + levels, colour)
        return
    for boxes in (uprights, levels):
        for left, top, width, height in boxes:
            line = _line(round(width), round(height), colour.rgba())
            painter.drawPixmap(QPointF(left, top), line)


@lru_cache(maxsize=8)
def _line(width: int, height: int, colour: int) -> QPixmap:
    """A translucent line as a stored picture, which takes a thirtieth of the time of a fill."""
    made = QPixmap(width, height)
    made.fill(QColor.fromRgba(colour))
    return made


def draw_edge(painter: QPainter, camera: Camera, style: Style) -> None:
    """The edge of the plot, which lies over what is drawn in it."""
    plot = plot_rectangle(camera)
    boxes = _uprights([plot.left(), plot.right()], plot.top(), plot.bottom(), style)
    boxes += _levels([plot.top(), plot.bottom()], plot.left(), plot.right(), style)
    _fill(painter, boxes, _edge(style))


def _edge(style: Style) -> QColor:
    return QColor(mix(style.theme.plane, style.theme.axis, 0.5))


def draw_axes(painter: QPainter, data: PointSet, camera: Camera, style: Style) -> None:
    """Ticks with numbers, and the names of the axes: all of it beside the plot."""
    plot, scale = plot_rectangle(camera), style.scale
    across, up = x_ticks(camera, scale), y_ticks(camera, scale)
    columns, rows = _columns(camera, across), _rows(camera, up)
    reach = TICK * scale
    boxes = _uprights(columns, plot.bottom(), plot.bottom() + reach, style)
    boxes += _levels(rows, plot.left() - reach, plot.left(), style)
    _fill(painter, boxes, _edge(style))
    font = style.font(CAPTION)
    painter.setFont(font)
    painter.setPen(style.pen(style.theme.axis, 1.0))
    line = QFontMetricsF(font).height()
    flags = Qt.AlignmentFlag
    for x, label in zip(columns, across.labels, strict=True):
        half = 0.5 * (FIGURE * len(label) + 8.0) * scale
        if half <= x <= camera.width - half + 4.0 * scale:
            box = QRectF(x - half, plot.bottom() + (TICK + 2.0) * scale, 2.0 * half, line)
            painter.drawText(box, flags.AlignHCenter | flags.AlignTop, label)
    for y, label in zip(rows, up.labels, strict=True):
        box = QRectF(0.0, y - 0.5 * line, plot.left() - 2.0 * TICK * scale, line)
        painter.drawText(box, flags.AlignRight | flags.AlignVCenter, label)
    _draw_names(painter, data, camera, style)


def name_end(data: PointSet, camera: Camera, style: Style) -> float:
    """Where the name of y ends, in px; it begins at the left edge, above its axis."""
    return NAME_LEFT * style.scale + QFontMetricsF(style.font(CAPTION, 500)).horizontalAdvance(
        _names(data, camera, style)[1]
    )


def _names(data: PointSet, camera: Camera, style: Style) -> tuple[str, str]:
    """The names of the axes, cut where there is no room for all of them."""
    metrics, cut = QFontMetricsF(style.font(CAPTION, 500)), Qt.TextElideMode.ElideRight
    across, up = map(pretty, data.axis_names)
    return (
        metrics.elidedText(across, cut, camera.plot_width),
        metrics.elidedText(up, cut, 0.4 * camera.width),
    )


def _draw_names(painter: QPainter, data: PointSet, camera: Camera, style: Style) -> None:
    """The name of x below the middle of its axis, that of y above its own, both level."""
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


def _uprights(xs: list[float], top: float, bottom: float, style: Style) -> list[Box]:
    """Vertical lines as rectangles: lines of a translucent pen take five times as long to draw."""
    width = max(1, round(style.scale))
    return [(x - width // 2, top, width, bottom - top) for x in xs]


def _levels(ys: list[float], left: float, right: float, style: Style) -> list[Box]:
    """Horizontal lines, likewise."""
    width = max(1, round(style.scale))
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
