"""The widget that paints the cells of a map, with axes, colour scale and marks."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from svmviz.base.words import number
from svmviz.panels.selection.map.layers import LAYERS, limits_of, value_text
from svmviz.panels.selection.map.ramp import SHADES, palette, ramp_image
from svmviz.selection.cells import Cells
from svmviz.selection.map_model import MapSettings
from svmviz.theme import BODY, CAPTION, Look, look_of

# Opacity of cells that were computed for earlier points or an earlier model.
STALE_OPACITY = 0.28


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


class MapView(QWidget):
    """A grid of coloured cells, numbered row by row from 0, the first row at the bottom.

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
        self._cached_area: tuple[object, QRectF] | None = None
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_picture(self, picture: MapPicture | None) -> None:
        """Show another picture, or none."""
        self.picture = picture
        self.update()

    # Geometry.

    @property
    def area(self) -> QRectF:
        """The rectangle of all cells, px."""
        look, picture = look_of(self), self.picture
        # The rectangle is cached, because it is needed once per cell.
        key = self.size(), look, picture.settings if picture is not None else None
        if self._cached_area is None or self._cached_area[0] != key:
            self._cached_area = key, self._compute_area(look, picture)
        return self._cached_area[1]

    def _compute_area(self, look: Look, picture: MapPicture | None) -> QRectF:
        """Return the rectangle of all cells: the widget without the room for texts and ticks."""
        px = look.metrics.px
        caption_height = QFontMetricsF(look.font(CAPTION)).height()
        body_height = QFontMetricsF(look.font(BODY)).height()
        left = px(6.0)
        if picture is not None and picture.settings.y is not None:
            measure = QFontMetricsF(look.font(CAPTION))
            ticks = picture.settings.y.ticks(9.0)
            widest = max((measure.horizontalAdvance(text) for _, text in ticks), default=0.0)
            left = widest + px(8) + body_height
        top = caption_height + body_height + px(8)
        bottom = caption_height + body_height + px(8)
        width = self.width() - left - px(6)
        return QRectF(left, top, max(1.0, width), max(1.0, self.height() - top - bottom))

    def cell_rect(self, cell: int) -> QRectF:
        """Return the rectangle of a cell, px."""
        assert self.picture is not None
        return _cell_in(self.area, self.picture.cells.shape, cell)

    def cell_at(self, position: QPointF) -> int | None:
        """Return the cell at a position, px; None outside the cells."""
        area, picture = self.area, self.picture
        if picture is None or not area.contains(position):
            return None
        rows, columns = picture.cells.shape
        column = min(columns - 1, int((position.x() - area.left()) / area.width() * columns))
        row = min(rows - 1, int((area.bottom() - position.y()) / area.height() * rows))
        return row * columns + column

    def _pixel(self, column: float, row: float) -> QPointF:
        """Convert a column and a row, which may be fractions, to a position in px.

        Whole numbers give the middle of a cell.
        """
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
            values = LAYERS[picture.layer].values_of(picture.cells)
            limits = limits_of(values)
            painter.setOpacity(STALE_OPACITY if picture.stale else 1.0)
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
        font_metrics = QFontMetricsF(font)
        cell_size = self.cell_rect(0)
        shows_numbers = (
            picture.numbers and not picture.stale and cell_size.height() >= font_metrics.height()
        )
        percent = picture.percent and picture.layer != "support"
        gap = look.metrics.stroke(1.0) if cell_size.width() > 6 else 0.0
        area, shape = self.area, picture.cells.shape
        fractions = np.clip((values.ravel() - low) / (high - low), 0.0, 1.0)
        colours = palette(look.theme)
        empty_centres = []
        for cell, (value, fraction) in enumerate(zip(values.ravel().tolist(), fractions.tolist())):
            rect = _cell_in(area, shape, cell).adjusted(0.0, 0.0, -gap, -gap)
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

    def _paint_refused(self, painter: QPainter, look: Look) -> None:
        """Paint a cross over each cell whose risk cannot be computed."""
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
            self._paint_diamond(painter, look, self._pixel(*picture.here), 6.0)

    def _paint_diamond(self, painter: QPainter, look: Look, centre: QPointF, radius: float) -> None:
        half_diagonal = look.metrics.stroke(radius)
        painter.setPen(QPen(QColor(look.theme.card), look.metrics.stroke(1.5)))
        painter.setBrush(QColor(look.theme.text))
        right, down = QPointF(half_diagonal, 0), QPointF(0, half_diagonal)
        corners = (-down, right, down, -right)
        painter.drawPolygon(QPolygonF([centre + corner for corner in corners]))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_stale(self, painter: QPainter, look: Look) -> None:
        """Write over the cells: they were computed for earlier points or an earlier model."""
        painter.setFont(look.font(BODY, 600))
        painter.setPen(QColor(look.theme.text))
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(self.area, flags, "Computed for earlier points or an earlier model")

    def _paint_scale(self, painter: QPainter, look: Look, limits: tuple[float, float]) -> None:
        """Paint the colour scale and the key of the marks, both above the cells."""
        picture, px, area = self.picture, look.metrics.px, self.area
        assert picture is not None
        percent = picture.percent and picture.layer != "support"
        low, high = (
            f"{number(100.0 * value, 2)} %" if percent else number(value, 2) for value in limits
        )
        painter.setFont(look.font(CAPTION))
        font_metrics = QFontMetricsF(look.font(CAPTION))
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
        key = QRectF(0.0, line_height + px(2), self.width(), area.top() - line_height)
        self._paint_key(painter, look, key)

    def _paint_key(self, painter: QPainter, look: Look, area: QRectF) -> None:
        """Paint the key of the marks (frame, diamond and cross) in one line."""
        picture, px = self.picture, look.metrics.px
        assert picture is not None
        font_metrics = QFontMetricsF(look.font(CAPTION))
        line_height, side, x = font_metrics.height(), 0.62 * font_metrics.height(), 1.0
        entries = [("best", "lowest risk"), ("here", "this model"), ("none", "failed")]
        marked = {"best": picture.best, "here": picture.here, "none": picture.cells.refused or None}
        for kind, text in entries:
            if marked[kind] is None:
                continue
            box = QRectF(x + 1.0, area.top() + 0.5 * (line_height - side), side, side)
            if kind == "best":
                painter.setPen(QPen(QColor(look.theme.highlight), look.metrics.stroke(2.5)))
                painter.drawRect(box)
            elif kind == "here":
                self._paint_diamond(painter, look, box.center(), 5.0)
            else:
                painter.setPen(QPen(QColor(look.theme.muted), look.metrics.stroke(1.5)))
                painter.drawLine(QLineF(box.topLeft(), box.bottomRight()))
                painter.drawLine(QLineF(box.bottomLeft(), box.topRight()))
            painter.setPen(QColor(look.theme.text))
            text_width = font_metrics.horizontalAdvance(text) + 2
            x += side + px(5)
            text_rect = QRectF(x, area.top(), text_width, line_height)
            painter.drawText(text_rect, Qt.AlignmentFlag.AlignVCenter, text)
            x += text_width + px(9)

    def _paint_axes(self, painter: QPainter, look: Look) -> None:
        """Paint the values along both axes, and the names of the parameters."""
        picture, px, area = self.picture, look.metrics.px, self.area
        assert picture is not None
        settings = picture.settings
        caption_metrics = QFontMetricsF(look.font(CAPTION))
        body_metrics = QFontMetricsF(look.font(BODY))
        centre, line_height = Qt.AlignmentFlag.AlignCenter, caption_metrics.height()
        painter.setFont(look.font(CAPTION))
        painter.setPen(QColor(look.theme.axis))
        widest = caption_metrics.horizontalAdvance("10⁻³")
        for position, text in settings.x.ticks(area.width() / (1.6 * widest)):
            x = self._pixel(position, 0.0).x()
            text_width = caption_metrics.horizontalAdvance(text)
            x = min(x, self.width() - 0.5 * text_width)
            painter.drawText(
                QRectF(x - text_width, area.bottom() + px(2), 2 * text_width, line_height),
                centre,
                text,
            )
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if settings.y is not None:
            for position, text in settings.y.ticks(area.height() / (1.5 * line_height)):
                y = self._pixel(0.0, position).y()
                painter.drawText(
                    QRectF(0.0, y - line_height, area.left() - px(4), 2 * line_height), right, text
                )
        painter.setFont(look.font(BODY))
        painter.setPen(QColor(look.theme.muted))
        label_height = body_metrics.height()
        label_rect = QRectF(area.left(), self.height() - label_height, area.width(), label_height)
        painter.drawText(label_rect, centre, settings.x.label)
        if settings.y is not None:
            painter.save()
            # A name of one or two letters is horizontal, a longer one is along the axis.
            is_horizontal = len(settings.y.label) < 3
            label_width = label_height if is_horizontal else area.height()
            painter.translate(0.0, area.center().y() + 0.5 * label_width * (not is_horizontal))
            painter.rotate(0.0 if is_horizontal else -90.0)
            painter.drawText(QRectF(0.0, 0.0, label_width, label_height), centre, settings.y.label)
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
    width, height = area.width() / columns, area.height() / rows
    return QRectF(area.left() + column * width, area.bottom() - (row + 1) * height, width, height)
