"""The widget that paints the cells of a map, with axes, colour scale and marks."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from svmviz.base.words import number, percent
from svmviz.panels.selection.map.layers import (
    LAYERS,
    SHADES,
    limits_of,
    palette,
    ramp_image,
    value_text,
)
from svmviz.selection.cells import Cells
from svmviz.selection.map_model import MapSettings
from svmviz.theme import TEXT, Look, look_of
from svmviz.widgets.charts.chart import Chart
from svmviz.widgets.charts.chart_painter import ChartPainter
from svmviz.widgets.styling import StyleFollower

# Opacity of cells that were computed for earlier points or an earlier model.
STALE_OPACITY = 0.28
# The chart is this many times as high as a single row, which is then a strip and not a set of bars.
STRIPS = 4


@dataclass(frozen=True, eq=False)
class MapPicture:
    """The contents of a :class:`MapView`.

    Attributes
    ----------
    settings : MapSettings
    cells : Cells
    layer : str
        A key of LAYERS.
    numbers : bool
        Whether the values are written into the cells, if there is room.
    percent : bool
        Whether the risk is a fraction, and is written in percent.
    quantity : str
        Name of the quantity that the colours show.
    best : int or None
        The cell with the lowest risk.
    here : (column, row) or None
        Position of the document's model, which may lie between cells; None if it is not on the map.
    under : int or None
        The cell under the mouse.
    stale : bool
        Whether points or model have changed since the cells were computed.
    """

    settings: MapSettings
    cells: Cells
    layer: str = "risk"
    numbers: bool = False
    percent: bool = False
    quantity: str = "risk"
    best: int | None = None
    here: tuple[float, float] | None = None
    under: int | None = None
    stale: bool = False


class MapView(Chart):
    """A grid of coloured cells, numbered row by row from 0, the first row at the bottom.

    The coordinates of the chart are column and row; whole numbers are the middles of cells.

    Signals
    -------
    pointed(object)
        The mouse is over this cell, or over no cell (None).
    chosen(int)
        This cell was pressed.
    """

    pointed = Signal(object)
    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__(self._paint_map, zooms=False, height=320.0)
        self.picture: MapPicture | None = None
        self.hovered.connect(lambda x, y: self.pointed.emit(self.cell_at(x, y)))
        self.left.connect(lambda: self.pointed.emit(None))
        self.pressed.connect(self._on_pressed)

    def show_picture(self, picture: MapPicture) -> None:
        """Show another picture."""
        self.picture = picture
        (rows, columns), x, y = picture.cells.shape, picture.settings.x, picture.settings.y
        self.set_labels(x.label, "" if y is None else y.label)
        self.set_ticks(0, x.ticks)
        self.set_ticks(1, [] if y is None else y.ticks)
        self.set_ranges((-0.5, columns - 0.5), (-0.5, (rows if rows > 1 else STRIPS) - 0.5))
        self.update()

    def cell_rect(self, cell: int) -> QRectF:
        """Return the rectangle of a cell, px."""
        assert self.picture is not None
        row, column = divmod(cell, self.picture.cells.shape[1])
        top_left = self.area.pixel(column - 0.5, row + 0.5)
        return QRectF(top_left, self.area.pixel(column + 0.5, row - 0.5))

    def cell_at(self, x: float, y: float) -> int | None:
        """Return the cell at a position of the chart; None outside the cells."""
        if self.picture is None:
            return None
        rows, columns = self.picture.cells.shape
        column, row = round(x), round(y)
        return row * columns + column if 0 <= column < columns and 0 <= row < rows else None

    def _on_pressed(self, x: float, y: float) -> None:
        cell = self.cell_at(x, y)
        if cell is not None:
            self.chosen.emit(cell)

    # Painting.

    def _paint_map(self, paint: ChartPainter) -> None:
        picture, painter, look = self.picture, paint.painter, paint.look
        if picture is None:
            return
        values = LAYERS[picture.layer].values_of(picture.cells)
        painter.setOpacity(STALE_OPACITY if picture.stale else 1.0)
        self._paint_cells(painter, look, values, limits_of(values))
        for cell in picture.cells.refused:
            _paint_cross(painter, look, self.cell_rect(cell), 0.42)
        painter.setOpacity(1.0)
        if picture.stale:
            painter.setFont(look.font(TEXT))
            painter.setPen(QColor(look.theme.text))
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            words = "Computed for earlier points or an earlier model"
            painter.drawText(self.area.rect, flags, words)
        else:
            self._paint_marks(paint, picture)

    def _paint_cells(
        self, painter: QPainter, look: Look, values: np.ndarray, limits: tuple[float, float]
    ) -> None:
        picture = self.picture
        assert picture is not None
        low, high = limits
        font = look.font(look.metrics.label)
        painter.setFont(font)
        font_metrics = QFontMetricsF(font)
        cell_size, columns = self.cell_rect(0), picture.cells.shape[1]
        width, height = cell_size.width(), cell_size.height()
        shows_numbers = (
            picture.numbers and not picture.stale and cell_size.height() >= font_metrics.height()
        )
        percent = picture.percent and picture.layer != "support"
        gap = look.metrics.stroke(1.0) if cell_size.width() > 6 else 0.0
        fractions = np.clip((values.ravel() - low) / (high - low), 0.0, 1.0)
        colours = palette(look.theme)
        empty_centres = []
        for cell, (value, fraction) in enumerate(zip(values.ravel().tolist(), fractions.tolist())):
            row, column = divmod(cell, columns)
            rect = QRectF(
                cell_size.left() + column * width, cell_size.top() - row * height, width, height
            ).adjusted(0.0, 0.0, -gap, -gap)
            if not math.isfinite(value):
                empty_centres.append(rect.center())
                continue
            colour, ink = colours[round(fraction * (SHADES - 1))]
            painter.fillRect(rect, colour)
            if shows_numbers:
                text = value_text(value, picture.layer, percent)
                if font_metrics.horizontalAdvance(text) <= cell_size.width():
                    painter.setPen(ink)
                    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
        painter.setPen(QPen(QColor(look.theme.disabled), look.metrics.stroke(2.0)))
        painter.drawPoints(empty_centres)

    def _paint_marks(self, paint: ChartPainter, picture: MapPicture) -> None:
        """Mark the best cell, the cell under the mouse, and the position of the model."""
        theme, painter = paint.theme, paint.painter
        marked = [(picture.under, theme.focus, 2.5)]
        marked += [(picture.best, theme.card, 5.0), (picture.best, theme.highlight, 2.5)]
        for cell, colour, width in marked:
            if cell is not None:
                paint.set_pen(colour, width)
                painter.drawRect(self.cell_rect(cell))
        if picture.here is not None:
            paint.diamond(picture.here, theme.text, 12.0)


class MapScale(StyleFollower, QWidget):
    """The colour scale of a map, and the key of its marks (frame, diamond and cross)."""

    def __init__(self) -> None:
        super().__init__()
        self.picture: MapPicture | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.follow_style(MapScale.updateGeometry)

    def show_picture(self, picture: MapPicture) -> None:
        """Show the scale of another picture."""
        self.picture = picture
        self.update()

    def sizeHint(self) -> QSize:
        look = look_of(self)
        line_height = QFontMetricsF(look.font(look.metrics.label)).height()
        return QSize(look.metrics.px(160), math.ceil(2.0 * line_height) + look.metrics.px(2))

    def paintEvent(self, event: QPaintEvent) -> None:
        look, picture = look_of(self), self.picture
        if picture is None or picture.stale:
            return
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(look.font(look.metrics.label))
            self._paint_scale(painter, look, picture)
            self._paint_key(painter, look, picture)

    def _paint_scale(self, painter: QPainter, look: Look, picture: MapPicture) -> None:
        px, limits = look.metrics.px, limits_of(LAYERS[picture.layer].values_of(picture.cells))
        in_percent = picture.percent and picture.layer != "support"
        low, high = (percent(value) if in_percent else number(value, 2) for value in limits)
        font_metrics = QFontMetricsF(look.font(look.metrics.label))
        line_height, middle = font_metrics.height(), Qt.AlignmentFlag.AlignVCenter
        left = 0.0
        for text, ink in ((f"{picture.quantity}: ", look.theme.text), (f"{low} ", look.theme.axis)):
            painter.setPen(QColor(ink))
            text_width = font_metrics.horizontalAdvance(text)
            painter.drawText(QRectF(left, 0.0, text_width + 2, line_height), middle, text)
            left += text_width
        high_width = font_metrics.horizontalAdvance(high) + px(4)
        bar_width = max(px(20), self.width() - left - high_width - px(6))
        bar = QRectF(left, 0.22 * line_height, bar_width, 0.6 * line_height)
        bar.setWidth(min(bar.width(), px(150)))
        painter.drawImage(bar, ramp_image(look.theme))
        painter.setPen(QPen(QColor(look.theme.line_strong), look.metrics.stroke(1.0)))
        painter.drawRect(bar)
        painter.setPen(QColor(look.theme.axis))
        painter.drawText(QRectF(bar.right() + px(4), 0.0, high_width, line_height), middle, high)

    def _paint_key(self, painter: QPainter, look: Look, picture: MapPicture) -> None:
        px = look.metrics.px
        font_metrics = QFontMetricsF(look.font(look.metrics.label))
        line_height, side, x = font_metrics.height(), 0.62 * font_metrics.height(), 1.0
        top = line_height + px(2)
        entries = [("best", "lowest risk"), ("here", "this model"), ("none", "failed")]
        marked = {"best": picture.best, "here": picture.here, "none": picture.cells.refused or None}
        for kind, text in entries:
            if marked[kind] is None:
                continue
            box = QRectF(x + 1.0, top + 0.5 * (line_height - side), side, side)
            if kind == "best":
                painter.setPen(QPen(QColor(look.theme.highlight), look.metrics.stroke(2.5)))
                painter.drawRect(box)
            elif kind == "here":
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(look.theme.text))
                middle, reach = box.center(), 0.7 * side
                right, down = QPointF(reach, 0.0), QPointF(0.0, reach)
                painter.drawPolygon([middle - down, middle + right, middle + down, middle - right])
                painter.setBrush(Qt.BrushStyle.NoBrush)
            else:
                _paint_cross(painter, look, box, 1.0)
            painter.setPen(QColor(look.theme.text))
            text_width = font_metrics.horizontalAdvance(text) + 2
            x += side + px(5)
            text_rect = QRectF(x, top, text_width, line_height)
            painter.drawText(text_rect, Qt.AlignmentFlag.AlignVCenter, text)
            x += text_width + px(9)


def _paint_cross(painter: QPainter, look: Look, box: QRectF, share: float) -> None:
    """Paint a cross of a share of a box: the risk of a cell cannot be computed."""
    reach = 0.5 * share * min(box.width(), box.height())
    painter.setPen(QPen(QColor(look.theme.muted), look.metrics.stroke(1.5)))
    for corner in (QPointF(reach, reach), QPointF(reach, -reach)):
        painter.drawLine(box.center() - corner, box.center() + corner)
