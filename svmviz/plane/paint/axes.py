"""Axes in data units: margins, ticks, grid and names."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPixmap

from svmviz.base.bulk_drawing import draw_rectangles
from svmviz.base.words import axis_units
from svmviz.camera.camera import Camera, Margins
from svmviz.camera.ticks import Ticks, linear_ticks
from svmviz.colours.contrast import mix
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.style import Style, faded
from svmviz.theme import LABEL

# All lengths below are in px at scale 1.
# Approximate width of a digit in the size LABEL, in which numbers are written.
DIGIT_WIDTH = 6.7
# Preferred distance between neighbouring ticks of an axis.
TICK_DISTANCE_X, TICK_DISTANCE_Y = 72.0, 52.0
# Minimum distance between two labels of the vertical axis.
MIN_LABEL_DISTANCE = 18.0
# Wanted minimum number of ticks: fewer do not show whether an axis is linear.
MIN_TICKS = 3
# Length of the tick marks beside the plot.
TICK_LENGTH = 4.0
# The left margin grows in steps of this width, for long labels.
LEFT_MARGIN_STEP = 28.0
# Margin around a plot without numbers and names.
BARE_MARGIN = 8.0
# Distance of the name of the y axis from the left edge of the picture.
NAME_LEFT = 8.0
# Maximum width of the name of the y axis, as a fraction of the picture's width. The legend is right
# of the name.
MAX_NAME_FRACTION = 0.6
# Height of the first row of the legend, beside the name of the y axis, of each further row, and of
# the row with the name alone.
FIRST_ROW, LEGEND_ROW, NAME_ROW = Margins().top, 20.0, 22.0
# Minimum sides of a plot between its axes, px at scale 1.
MIN_PLOT_SIDE = 70.0
# Left, top, width and height, in px.
Box = tuple[float, float, float, float]


def have_room(width: float, height: float, scale: float) -> bool:
    """Return whether axes leave a plot of enough size in a picture of ``width`` x ``height`` px.

    If not, the picture has no ticks and no names of axes.
    """
    margins, least = Margins(), MIN_PLOT_SIDE * scale
    horizontal, vertical = margins.left + margins.right, margins.top + margins.bottom
    return width - scale * horizontal >= least and height - scale * vertical >= least


def with_axes(
    camera: Camera,
    width: float,
    height: float,
    scale: float,
    *,
    axes: bool = True,
    legend_rows: int = 1,
    unit: float = 1.0,
) -> Camera:
    """Return the camera for a picture of ``width`` x ``height`` px, with margins for the axes.

    The left margin grows only if labels would not fit, and in steps, so that the plot does not jump
    while it is panned. The top margin holds the rows of the legend. Without axes the other margins
    are narrow, and so is the top margin without a legend. For the ``unit`` of the
    vertical axis see `x_ticks`.
    """
    top = FIRST_ROW + (legend_rows - 1) * LEGEND_ROW if legend_rows else NAME_ROW
    unscaled = Margins(top=top)
    margins = Margins(*(scale * side for side in vars(unscaled).values()))
    if not axes:
        side = round(BARE_MARGIN * scale)
        top = round(margins.top) if legend_rows else side
        return camera.resized(width, height, Margins(side, top, side, side))
    camera = camera.resized(width, height, margins)
    needed_width = (
        2 * TICK_LENGTH + 6.0 + DIGIT_WIDTH * y_ticks(camera, scale, unit).longest
    ) * scale
    extra_steps = math.ceil(max(0.0, needed_width - margins.left) / (LEFT_MARGIN_STEP * scale))
    rounded = (
        round(margins.left + extra_steps * LEFT_MARGIN_STEP * scale),
        *map(round, list(vars(margins).values())[1:]),
    )
    return camera.resized(width, height, Margins(*rounded))


def x_ticks(camera: Camera, scale: float, unit: float = 1.0) -> Ticks:
    """Return the ticks of the horizontal axis; fewer if their labels are long.

    ``unit`` is the factor from coordinates to the numbers on the axis.
    """
    left, right, _, _ = camera.view
    gap = TICK_DISTANCE_X * scale
    ticks = _ticks(left, right, int(camera.plot_width / gap), unit)
    gap = max(gap, (DIGIT_WIDTH * ticks.longest + 20.0) * scale)

    def label_width(ticks: Ticks) -> float:
        return (DIGIT_WIDTH * ticks.longest + 8.0) * scale

    return _fitting_ticks(left, right, camera.plot_width, gap, label_width, unit)


def y_ticks(camera: Camera, scale: float, unit: float = 1.0) -> Ticks:
    """Return the ticks of the vertical axis; see `x_ticks`."""
    _, _, bottom, top = camera.view
    gap, least = TICK_DISTANCE_Y * scale, MIN_LABEL_DISTANCE * scale
    return _fitting_ticks(bottom, top, camera.plot_height, gap, lambda _ticks: least, unit)


def _ticks(low: float, high: float, max_gaps: int, unit: float) -> Ticks:
    """Return the ticks at round numbers of an axis whose numbers are coordinates times ``unit``."""
    ticks = linear_ticks(unit * low, unit * high, max_gaps)
    return replace(ticks, values=tuple(value / unit for value in ticks.values))


def _fitting_ticks(
    low: float,
    high: float,
    length: float,
    gap: float,
    label_size: Callable[[Ticks], float],
    unit: float,
) -> Ticks:
    """Return ticks at about the preferred distance, or nearer ones if these are too few.

    At least MIN_TICKS ticks are returned if their labels fit, otherwise at least two if those fit.

    Parameters
    ----------
    low, high : float
        Range, in data units.
    length : float
        Length of the axis, px.
    gap : float
        Preferred distance of ticks, px.
    label_size : callable(Ticks) -> float
        Smallest distance of ticks at which their labels fit, px.
    unit : float
        Factor from coordinates to the numbers on the axis.
    """
    max_gaps = int(length / gap)
    sparse = _ticks(low, high, max_gaps, unit)
    if len(sparse.values) >= MIN_TICKS:
        return sparse
    for ticks in (_ticks(low, high, gaps, unit) for gaps in range(max_gaps + 1, max_gaps + 5)):
        values = ticks.values
        if len(values) < 2 or (high - low) / (values[1] - values[0]) > length / label_size(ticks):
            continue
        if len(values) >= MIN_TICKS:
            return ticks
        if len(sparse.values) < 2:
            sparse = ticks
    return sparse


def ticks_of(canvas: Canvas) -> tuple[Ticks, Ticks]:
    """Return the ticks of both axes of a picture."""
    camera, style = canvas.camera, canvas.style
    across, up = style.units
    return x_ticks(camera, style.scale, across), y_ticks(camera, style.scale, up)


def draw_grid(painter: QPainter, canvas: Canvas) -> None:
    """Draw pale lines across the plot at the ticks."""
    plot, style = canvas.plot, canvas.style
    colour = faded(style.theme.axis, 0.13)
    ticks_x, ticks_y = ticks_of(canvas)
    columns, rows = _columns(canvas.camera, ticks_x), _rows(canvas.camera, ticks_y)
    uprights = _vertical_lines(columns, plot.top(), plot.bottom(), style)
    levels = _horizontal_lines(rows, plot.left(), plot.right(), style)
    if style.vector or style.ratio % 1.0:
        _fill(painter, uprights + levels, colour)
        return
    for boxes in (uprights, levels):
        for left, top, width, height in boxes:
            line = _line_pixmap(round(width), round(height), colour.rgba())
            painter.drawPixmap(QPointF(left, top), line)


@lru_cache(maxsize=8)
def _line_pixmap(width: int, height: int, colour: int) -> QPixmap:
    """Return a translucent line as a pixmap, which is drawn 30 times as fast as a rectangle."""
    pixmap = QPixmap(width, height)
    pixmap.fill(QColor.fromRgba(colour))
    return pixmap


def draw_edge(painter: QPainter, canvas: Canvas) -> None:
    """Draw the edge of the plot. This is painted after the contents of the plot."""
    plot, style = canvas.plot, canvas.style
    boxes = _vertical_lines([plot.left(), plot.right()], plot.top(), plot.bottom(), style)
    boxes += _horizontal_lines([plot.top(), plot.bottom()], plot.left(), plot.right(), style)
    _fill(painter, boxes, _edge_colour(style))


def _edge_colour(style: Style) -> QColor:
    return QColor(mix(style.theme.plane, style.theme.axis, 0.5))


def draw_axes(painter: QPainter, canvas: Canvas) -> None:
    """Draw the ticks with their numbers, and the names of the axes, around the plot."""
    plot, camera, style = canvas.plot, canvas.camera, canvas.style
    scale = style.scale
    ticks_x, ticks_y = ticks_of(canvas)
    columns, rows = _columns(camera, ticks_x), _rows(camera, ticks_y)
    tick_length = TICK_LENGTH * scale
    boxes = _vertical_lines(columns, plot.bottom(), plot.bottom() + tick_length, style)
    boxes += _horizontal_lines(rows, plot.left() - tick_length, plot.left(), style)
    _fill(painter, boxes, _edge_colour(style))
    font = style.font(LABEL)
    painter.setFont(font)
    painter.setPen(style.pen(style.theme.axis, 1.0))
    line_height = QFontMetricsF(font).height()
    flags = Qt.AlignmentFlag
    for x, label in zip(columns, ticks_x.labels, strict=True):
        half = 0.5 * (DIGIT_WIDTH * len(label) + 8.0) * scale
        if half <= x <= camera.width - half + 4.0 * scale:
            box = QRectF(
                x - half, plot.bottom() + (TICK_LENGTH + 2.0) * scale, 2.0 * half, line_height
            )
            painter.drawText(box, flags.AlignHCenter | flags.AlignTop, label)
    for y, label in zip(rows, ticks_y.labels, strict=True):
        box = QRectF(
            0.0, y - 0.5 * line_height, plot.left() - 2.0 * TICK_LENGTH * scale, line_height
        )
        painter.drawText(box, flags.AlignRight | flags.AlignVCenter, label)
    _draw_names(painter, canvas)


def name_end(canvas: Canvas) -> float:
    """Return x of the right end of the name of the y axis, px. The name stands above its axis."""
    measure = QFontMetricsF(canvas.style.font(LABEL))
    return NAME_LEFT * canvas.style.scale + measure.horizontalAdvance(_names(canvas)[1])


def name_row(canvas: Canvas) -> float:
    """Return the height of the row in whose middle the name of the y axis is, px."""
    return min(FIRST_ROW * canvas.style.scale, canvas.camera.top)


def _names(canvas: Canvas) -> tuple[str, str]:
    """Return the names of the axes, elided if they do not fit."""
    measure, elide = QFontMetricsF(canvas.style.font(LABEL)), Qt.TextElideMode.ElideRight
    (name_x, _), (name_y, _) = axis_units(canvas.data, canvas.document.is_regression)
    name_x, name_y = map(canvas.style.letters, (name_x, name_y))
    return (
        measure.elidedText(name_x, elide, canvas.camera.plot_width),
        measure.elidedText(name_y, elide, MAX_NAME_FRACTION * canvas.camera.width),
    )


def _draw_names(painter: QPainter, canvas: Canvas) -> None:
    """Write the name of x below the middle of the x axis, and the name of y above the y axis."""
    plot, camera, style, flags = canvas.plot, canvas.camera, canvas.style, Qt.AlignmentFlag
    font = style.font(LABEL)
    painter.setFont(font)
    painter.setPen(style.pen(style.theme.text, 1.0))
    line_height = QFontMetricsF(font).height()
    name_x, name_y = _names(canvas)
    below = QRectF(
        plot.left(), camera.height - line_height - 4.0 * style.scale, plot.width(), line_height
    )
    painter.drawText(below, flags.AlignHCenter | flags.AlignTop, name_x)
    above = QRectF(NAME_LEFT * style.scale, 0.0, camera.width, name_row(canvas))
    painter.drawText(above, flags.AlignLeft | flags.AlignVCenter, name_y)


def _vertical_lines(xs: list[float], top: float, bottom: float, style: Style) -> list[Box]:
    """Return vertical lines as rectangles, since a translucent pen takes five times as long."""
    width = style.hairline
    return [(x - width // 2, top, width, bottom - top) for x in xs]


def _horizontal_lines(ys: list[float], left: float, right: float, style: Style) -> list[Box]:
    width = style.hairline
    return [(left, y - width // 2, right - left, width) for y in ys]


def _fill(painter: QPainter, boxes: list[Box], colour: QColor) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    draw_rectangles(painter, np.array(boxes).reshape(-1, 4))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)


def _columns(camera: Camera, ticks: Ticks) -> list[float]:
    """Return x of the ticks of the horizontal axis, in whole px."""
    left, right, _, _ = camera.view
    px_per_unit = camera.plot_width / (right - left)
    return [round(camera.left + (value - left) * px_per_unit) for value in ticks.values]


def _rows(camera: Camera, ticks: Ticks) -> list[float]:
    """Return y of the ticks of the vertical axis, in whole px."""
    _, _, bottom, top = camera.view
    px_per_unit = camera.plot_height / (top - bottom)
    return [round(camera.top + (top - value) * px_per_unit) for value in ticks.values]
