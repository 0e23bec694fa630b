"""The widget that paints the cells of a map, with axes, colour scale and marks."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from svmviz.base.words import number
from svmviz.panels.map.axis_ticks import ticks_of
from svmviz.panels.map.layers import LAYERS, limits_of, written
from svmviz.panels.map.ramp import SHADES, palette, ramp_image
from svmviz.selection.cells import Cells
from svmviz.selection.map_model import MapSettings
from svmviz.theme import BODY, CAPTION, Look, look_of

# Opacity of cells that were computed for earlier points.
FADED = 0.28


@dataclass(frozen=True, eq=False)
class MapPicture:
    """The contents of a map view.

    Attributes
    ----------
    settings : MapSettings
    cells : Cells
    layer : str
        A key of LAYERS.
    numbers : bool
        Whether numbers are written into the cells, if there is room.
    percent : bool
        Whether the risk is a fraction, written in percent.
    quantity : str
        Name of the quantity that the colours show.
    best : int or None
        The cell with the lowest risk.
    here : (column, row) or None
        Position of the document's model.
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


class MapView(QWidget):
    """A grid of coloured cells, the first row at the bottom.

    Signals
    -------
    hovered(int), pressed(int)
        The mouse is over this cell, or was pressed there.
    left()
        The mouse has left the cells.
    """

    hovered = Signal(int)
    pressed = Signal(int)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.picture: MapPicture | None = None
        self._area: tuple[object, QRectF] | None = None
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_picture(self, picture: MapPicture | None) -> None:
        """Show another picture, or none."""
        self.picture = picture
        self.update()

    # Places.

    @property
    def area(self) -> QRectF:
        """The rectangle of all cells, px."""
        look, picture = look_of(self), self.picture
        # The rectangle is cached, because it is needed once per cell.
        key = self.size(), look, picture.settings if picture is not None else None
        if self._area is None or self._area[0] != key:
            self._area = key, self._arranged(look, picture)
        return self._area[1]

    def _arranged(self, look: Look, picture: MapPicture | None) -> QRectF:
        px = look.metrics.px
        small = QFontMetricsF(look.font(CAPTION)).height()
        body = QFontMetricsF(look.font(BODY)).height()
        left = px(6.0)
        if picture is not None and picture.settings.y is not None:
            measure = QFontMetricsF(look.font(CAPTION))
            ticks = ticks_of(picture.settings.y, 9.0)
            widest = max((measure.horizontalAdvance(text) for _, text in ticks), default=0.0)
            left = widest + px(8) + body
        top = small + body + px(8)
        foot = small + body + px(8)
        wide = self.width() - left - px(6)
        return QRectF(left, top, max(1.0, wide), max(1.0, self.height() - top - foot))

    def cell_rect(self, cell: int) -> QRectF:
        """Return the rectangle of a cell, px."""
        assert self.picture is not None
        return _cell_in(self.area, self.picture.cells.shape, cell)

    def cell_at(self, place: QPointF) -> int | None:
        """Return the cell at a position, px, or None."""
        area, picture = self.area, self.picture
        if picture is None or not area.contains(place):
            return None
        rows, columns = picture.cells.shape
        column = min(columns - 1, int((place.x() - area.left()) / area.width() * columns))
        row = min(rows - 1, int((area.bottom() - place.y()) / area.height() * rows))
        return row * columns + column

    def _pixel(self, column: float, row: float) -> QPointF:
        """Return the px of a position on the map; the middle of a cell has whole numbers."""
        assert self.picture is not None
        rows, columns = self.picture.cells.shape
        area = self.area
        x = area.left() + (column + 0.5) * area.width() / columns
        return QPointF(x, area.bottom() - (row + 0.5) * area.height() / rows)

    def sizeHint(self) -> QSize:
        px = look_of(self).metrics.px
        return QSize(px(280), px(290))

    def minimumSizeHint(self) -> QSize:
        px = look_of(self).metrics.px
        return QSize(px(160), px(225))

    # Painting.

    def paintEvent(self, event: QPaintEvent) -> None:
        look, picture = look_of(self), self.picture
        with QPainter(self) as painter:
            if not look.printing:
                painter.fillRect(self.rect(), QColor(look.theme.card))
            if picture is None:
                return
            values = LAYERS[picture.layer].of(picture.cells)
            limits = limits_of(values)
            painter.setOpacity(FADED if picture.stale else 1.0)
            self._paint_cells(painter, look, values, limits)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_refused(painter, look)
            painter.setOpacity(1.0)
            if picture.stale:
                self._paint_stale(painter, look)
            else:
                self._paint_marks(painter, look)
                self._paint_scale(painter, look, limits)
            self._paint_axes(painter, look)

    def _paint_cells(
        self, painter: QPainter, look: Look, values: np.ndarray, limits: tuple[float, float]
    ) -> None:
        picture = self.picture
        assert picture is not None
        low, high = limits
        font = look.font(CAPTION)
        painter.setFont(font)
        measure = QFontMetricsF(font)
        room = self.cell_rect(0)
        numbers = picture.numbers and not picture.stale and room.height() >= measure.height()
        percent = picture.percent and picture.layer != "support"
        gap = look.metrics.stroke(1.0) if room.width() > 6 else 0.0
        area, shape = self.area, picture.cells.shape
        shares = np.clip((values.ravel() - low) / (high - low), 0.0, 1.0)
        colours = palette(look.theme)
        empty = []
        for cell, (value, share) in enumerate(zip(values.ravel().tolist(), shares.tolist())):
            rect = _cell_in(area, shape, cell).adjusted(0.0, 0.0, -gap, -gap)
            if not math.isfinite(value):
                empty.append(rect.center())
                continue
            colour, ink = colours[round(share * (SHADES - 1))]
            painter.fillRect(rect, colour)
            if numbers:
                text = written(value, picture.layer, percent)
                if measure.horizontalAdvance(text) <= room.width():
                    painter.setPen(ink)
                    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
        painter.setPen(QPen(QColor(look.theme.disabled), look.metrics.stroke(2.0)))
        painter.drawPoints(empty)

    def _paint_refused(self, painter: QPainter, look: Look) -> None:
        """Paint a cross over cells without a risk."""
        picture = self.picture
        assert picture is not None
        painter.setPen(QPen(QColor(look.theme.muted), look.metrics.stroke(1.5)))
        for cell in picture.cells.refused:
            rect = self.cell_rect(cell)
            inset = 0.3 * min(rect.width(), rect.height())
            rect = QRectF(0.0, 0.0, inset * 1.4, inset * 1.4)
            rect.moveCenter(self.cell_rect(cell).center())
            painter.drawLine(QLineF(rect.topLeft(), rect.bottomRight()))
            painter.drawLine(QLineF(rect.bottomLeft(), rect.topRight()))

    def _paint_marks(self, painter: QPainter, look: Look) -> None:
        """Mark the best cell, the cell under the mouse, and the position of the model."""
        picture, theme, stroke = self.picture, look.theme, look.metrics.stroke
        assert picture is not None
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if picture.under is not None:
            painter.setPen(QPen(QColor(theme.focus), stroke(2.5)))
            painter.drawRect(self.cell_rect(picture.under))
        if picture.best is not None:
            rect = self.cell_rect(picture.best)
            painter.setPen(QPen(QColor(theme.card), stroke(5.0)))
            painter.drawRect(rect)
            painter.setPen(QPen(QColor(theme.highlight), stroke(2.5)))
            painter.drawRect(rect)
        if picture.here is not None:
            self._diamond(painter, look, self._pixel(*picture.here), 6.0)

    def _diamond(self, painter: QPainter, look: Look, at: QPointF, radius: float) -> None:
        r = look.metrics.stroke(radius)
        painter.setPen(QPen(QColor(look.theme.card), look.metrics.stroke(1.5)))
        painter.setBrush(QColor(look.theme.text))
        corners = (QPointF(0, -r), QPointF(r, 0), QPointF(0, r), QPointF(-r, 0))
        painter.drawPolygon(QPolygonF([at + corner for corner in corners]))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_stale(self, painter: QPainter, look: Look) -> None:
        """Write over the cells that they belong to earlier points or settings."""
        painter.setFont(look.font(BODY, 600))
        painter.setPen(QColor(look.theme.text))
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(self.area, flags, "Of earlier points or settings")

    def _paint_scale(self, painter: QPainter, look: Look, limits: tuple[float, float]) -> None:
        """Paint the colour scale above the cells, and the meaning of the marks."""
        picture, px, area = self.picture, look.metrics.px, self.area
        assert picture is not None
        percent = picture.percent and picture.layer != "support"
        low, high = (
            f"{number(100.0 * value, 2)} %" if percent else number(value, 2) for value in limits
        )
        painter.setFont(look.font(CAPTION))
        measure = QFontMetricsF(look.font(CAPTION))
        line, middle = measure.height(), Qt.AlignmentFlag.AlignVCenter
        left = 0.0
        for text, ink in ((f"{picture.quantity}: ", look.theme.text), (f"{low} ", look.theme.axis)):
            painter.setPen(QColor(ink))
            wide = measure.horizontalAdvance(text)
            painter.drawText(QRectF(left, 0.0, wide + 2, line), middle, text)
            left += wide
        last = measure.horizontalAdvance(high) + px(4)
        bar = QRectF(left, 0.22 * line, max(px(20), self.width() - left - last - px(6)), 0.6 * line)
        bar.setWidth(min(bar.width(), px(150)))
        painter.drawImage(bar, ramp_image(look.theme))
        painter.setPen(QPen(QColor(look.theme.line_strong), look.metrics.stroke(1.0)))
        painter.drawRect(bar)
        painter.setPen(QColor(look.theme.axis))
        painter.drawText(QRectF(bar.right() + px(4), 0.0, last, line), middle, high)
        self._paint_key(painter, look, QRectF(0.0, line + px(2), self.width(), area.top() - line))

    def _paint_key(self, painter: QPainter, look: Look, room: QRectF) -> None:
        """Paint the key of the marks (frame, diamond and cross) in one line."""
        picture, px = self.picture, look.metrics.px
        assert picture is not None
        measure = QFontMetricsF(look.font(CAPTION))
        line, side, x = measure.height(), 0.62 * measure.height(), 1.0
        entries = [("best", "lowest risk"), ("here", "this model"), ("none", "no risk")]
        shown = {"best": picture.best, "here": picture.here, "none": picture.cells.refused or None}
        for kind, text in entries:
            if shown[kind] is None:
                continue
            box = QRectF(x + 1.0, room.top() + 0.5 * (line - side), side, side)
            if kind == "best":
                painter.setPen(QPen(QColor(look.theme.highlight), look.metrics.stroke(2.5)))
                painter.drawRect(box)
            elif kind == "here":
                self._diamond(painter, look, box.center(), 5.0)
            else:
                painter.setPen(QPen(QColor(look.theme.muted), look.metrics.stroke(1.5)))
                painter.drawLine(QLineF(box.topLeft(), box.bottomRight()))
                painter.drawLine(QLineF(box.bottomLeft(), box.topRight()))
            painter.setPen(QColor(look.theme.text))
            wide = measure.horizontalAdvance(text) + 2
            x += side + px(5)
            place = QRectF(x, room.top(), wide, line)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)
            x += wide + px(9)

    def _paint_axes(self, painter: QPainter, look: Look) -> None:
        """Paint the values along both axes, and the names of the parameters."""
        picture, px, area = self.picture, look.metrics.px, self.area
        assert picture is not None
        settings = picture.settings
        small, body = QFontMetricsF(look.font(CAPTION)), QFontMetricsF(look.font(BODY))
        centre, line = Qt.AlignmentFlag.AlignCenter, small.height()
        painter.setFont(look.font(CAPTION))
        painter.setPen(QColor(look.theme.axis))
        widest = small.horizontalAdvance("10⁻³")
        for place, text in ticks_of(settings.x, area.width() / (1.6 * widest)):
            x = self._pixel(place, 0.0).x()
            wide = small.horizontalAdvance(text)
            x = min(x, self.width() - 0.5 * wide)
            painter.drawText(QRectF(x - wide, area.bottom() + px(2), 2 * wide, line), centre, text)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if settings.y is not None:
            for place, text in ticks_of(settings.y, area.height() / (1.5 * line)):
                y = self._pixel(0.0, place).y()
                painter.drawText(QRectF(0.0, y - line, area.left() - px(4), 2 * line), right, text)
        painter.setFont(look.font(BODY))
        painter.setPen(QColor(look.theme.muted))
        high = body.height()
        foot = QRectF(area.left(), self.height() - high, area.width(), high)
        painter.drawText(foot, centre, settings.x.label)
        if settings.y is not None:
            painter.save()
            # A single letter is horizontal, a word is written along the axis.
            upright = len(settings.y.label) < 3
            long = high if upright else area.height()
            painter.translate(0.0, area.center().y() + 0.5 * long * (not upright))
            painter.rotate(0.0 if upright else -90.0)
            painter.drawText(QRectF(0.0, 0.0, long, high), centre, settings.y.label)
            painter.restore()

    # The mouse.

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position())
        if cell is None:
            self.left.emit()
        else:
            self.hovered.emit(cell)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and cell is not None:
            self.pressed.emit(cell)

    def leaveEvent(self, event: QEvent) -> None:
        self.left.emit()
        super().leaveEvent(event)


def _cell_in(area: QRectF, shape: tuple[int, int], cell: int) -> QRectF:
    """Return the rectangle of a cell; ``area`` is the rectangle of all cells."""
    rows, columns = shape
    row, column = divmod(cell, columns)
    wide, high = area.width() / columns, area.height() / rows
    return QRectF(area.left() + column * wide, area.bottom() - (row + 1) * high, wide, high)
