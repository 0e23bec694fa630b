"""The heat map of a Gram matrix, with marks of the classes at two edges, and a colour scale."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from svmviz.base.words import number
from svmviz.panels.kernels.kernel_study import KernelStudy
from svmviz.theme import LABEL, active, look_of
from svmviz.widgets.charts.dots import draw_dots
from svmviz.widgets.charts.heat_map import HeatMap, matrix_image

# In a matrix with at most this number of rows, the values are written into the cells.
MAX_WRITTEN = 12
# If a step has at most this number of points, their rows and columns are framed. If it has more,
# rows and columns only have marks at the edges of the matrix.
MAX_FRAMED = 4
# Number of colours in the image of the colour scale.
SHADES = 129


class KernelMap(QWidget):
    """A square of coloured cells, one per pair of points.

    Attributes
    ----------
    step_rows, selected_rows : tuple of int
        Rows of the points of the step, and of the selected points.
    cross : (int, int) or None
        A row and a column: those of the cell under the mouse or of the highlighted point.

    Signals
    -------
    hovered(int, int), pressed(int, int)
        The mouse is over this row and column, or was pressed there.
    left()
        The mouse has left the matrix.
    """

    hovered = Signal(int, int)
    pressed = Signal(int, int)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._study: KernelStudy | None = None
        self._cells: HeatMap | None = None
        self._image: tuple[object, QImage] | None = None
        self.step_rows: tuple[int, ...] = ()
        self.cross: tuple[int, int] | None = None
        self.selected_rows: tuple[int, ...] = ()
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    # State.

    def show_study(self, study: KernelStudy | None) -> None:
        """Show another matrix, or none."""
        if study is not self._study:
            self._study = study
            self._cells = None if study is None else HeatMap(study.K, _limits(study.K))
            self.update()

    def highlight(
        self, step_rows: Sequence[int], cross: tuple[int, int] | None, selected_rows: Sequence[int]
    ) -> None:
        """Highlight rows and columns; for the arguments see the attributes of the class."""
        marks = tuple(step_rows), cross, tuple(selected_rows)
        if marks != (self.step_rows, self.cross, self.selected_rows):
            self.step_rows, self.cross, self.selected_rows = marks
            self.update()

    @property
    def limits(self) -> tuple[float, float]:
        """The ends of the colour scale, which contains 0 and all values of the matrix."""
        return (0.0, 1.0) if self._cells is None else self._cells.limits

    @property
    def square(self) -> QRectF:
        """The square of all cells, px; the colour scale is below it."""
        px = look_of(self).metrics.px
        margin, line = px(20), QFontMetricsF(look_of(self).font(LABEL)).height()
        room = self.width() - margin - px(4)
        side = max(1.0, min(room, self.height() - margin - px(21) - line))
        return QRectF(margin + 0.5 * max(0.0, room - side), margin, side, side)

    def cell(self, position: QPointF) -> tuple[int, int] | None:
        """Return row and column at a position, px; None outside the cells."""
        if self._cells is None:
            return None
        self._cells.place = self.square
        return self._cells.cell_at(position)

    def sizeHint(self) -> QSize:
        px = look_of(self).metrics.px
        return QSize(px(260), px(220))

    def minimumSizeHint(self) -> QSize:
        px = look_of(self).metrics.px
        return QSize(px(120), px(90))

    # Painting.

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            if not look_of(self).printing:
                painter.fillRect(self.rect(), QColor(look_of(self).theme.card))
            study, cells = self._study, self._cells
            if study is None or cells is None:
                return
            square = cells.place = self.square
            painter.drawImage(square.topLeft(), self._scaled_image(cells))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(look_of(self).font(LABEL))
            widths = map(painter.fontMetrics().horizontalAdvance, map(_text, (*self.limits, 0.001)))
            if len(study.K) <= MAX_WRITTEN and cells.cell_side >= 1.15 * max(widths):
                cells.write_numbers(painter)
            self._paint_classes(painter, study, square)
            self._paint_scale(painter, square)
            self._paint_highlighted(painter, cells)

    def _scaled_image(self, cells: HeatMap) -> QImage:
        """Return the image of the cells, cached per matrix, size and theme."""
        ratio = self.devicePixelRatioF()
        pixels = max(1, round(cells.place.width() * ratio))
        key = (cells, pixels, look_of(self).theme)
        if self._image is None or self._image[0] != key:
            # Cells smaller than a pixel are averaged; larger cells have sharp edges.
            is_fine = len(cells.values) > pixels
            modes = Qt.TransformationMode
            image = cells.image.scaled(
                pixels,
                pixels,
                Qt.AspectRatioMode.IgnoreAspectRatio,
                modes.SmoothTransformation if is_fine else modes.FastTransformation,
            )
            image.setDevicePixelRatio(ratio)
            self._image = key, image
        return self._image[1]

    def _paint_classes(self, painter: QPainter, study: KernelStudy, square: QRectF) -> None:
        """Paint a strip and a mark of each class at the left and the upper edge of the matrix.

        Also paint lines between the classes, and around the matrix.
        """
        look = look_of(self)
        px, stroke = look.metrics.px, look.metrics.stroke
        size = square.width() / len(study.K)
        border = study.border * size
        strip_width, gap = stroke(4.0), stroke(3.0)
        classes = (
            (0.0, border, look.theme.negative, -1.0),
            (border, square.width(), look.theme.positive, 1.0),
        )
        for start, end, colour, label in classes:
            if start == end:
                continue
            ink = QColor(colour)
            left, top = square.left(), square.top()
            painter.fillRect(
                QRectF(left - gap - strip_width, top + start, strip_width, end - start), ink
            )
            painter.fillRect(
                QRectF(left + start, top - gap - strip_width, end - start, strip_width), ink
            )
            middle, distance = 0.5 * (start + end), px(13)
            marks = np.array([[left - distance, top + middle], [left + middle, top - distance]])
            draw_dots(painter, marks, np.full(2, label), 9.0, look)
        painter.setPen(QPen(QColor(look.theme.text), stroke(1.5 if border else 1.0)))
        x, y = square.left() + border, square.top() + border
        painter.drawLine(QPointF(x, square.top()), QPointF(x, square.bottom()))
        painter.drawLine(QPointF(square.left(), y), QPointF(square.right(), y))
        painter.setPen(QPen(QColor(look.theme.line_strong), stroke(1.0)))
        painter.drawRect(square)

    def _paint_scale(self, painter: QPainter, square: QRectF) -> None:
        """Paint the colour scale and its numbers below the matrix."""
        look = look_of(self)
        px, (low, high) = look.metrics.px, self.limits
        bar = QRectF(square.left(), square.bottom() + px(7), square.width(), px(9))
        painter.drawImage(bar, matrix_image(np.linspace(low, high, SHADES)[None], (low, high)))
        painter.setPen(QPen(QColor(look.theme.line_strong), look.metrics.stroke(1.0)))
        painter.drawRect(bar)
        painter.setFont(look.font(LABEL))
        painter.setPen(QColor(look.theme.axis))
        metrics = QFontMetricsF(painter.font())
        taken: list[QRectF] = []
        middle = (0.5 * (low + high),) if 0.0 in (low, high) else ()
        for value in (high, low, 0.0, *middle):
            width = metrics.horizontalAdvance(_text(value)) + 2.0
            x = bar.left() + (value - low) / (high - low) * bar.width() - 0.5 * width
            x = min(max(x, bar.left()), bar.right() - width)
            box = QRectF(x, bar.bottom() + px(2), width, metrics.height())
            if not any(box.adjusted(-px(3), 0.0, px(3), 0.0).intersects(other) for other in taken):
                taken.append(box)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, _text(value))

    def _paint_highlighted(self, painter: QPainter, cells: HeatMap) -> None:
        theme = look_of(self).theme
        # At most 50 points of each kind are marked.
        for row in self.selected_rows[:50]:
            _paint_notches(painter, cells, row, theme.focus)
        for row in self.step_rows[:50]:
            _paint_notches(painter, cells, row, theme.highlight)
        if len(self.step_rows) <= MAX_FRAMED:
            for row in self.step_rows:
                _paint_frame(painter, cells.row_rect(row), theme.highlight)
                _paint_frame(painter, cells.column_rect(row), theme.highlight)
        if self.cross is not None:
            row, column = self.cross
            _paint_frame(painter, cells.row_rect(row), theme.text)
            _paint_frame(painter, cells.column_rect(column), theme.text)

    # The mouse.

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._emit_cell(event.position(), self.hovered)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._emit_cell(event.position(), self.pressed)

    def _emit_cell(self, position: QPointF, signal: SignalInstance) -> None:
        cell = self.cell(position)
        if cell is None:
            self.left.emit()
        else:
            signal.emit(*cell)

    def leaveEvent(self, event: QEvent) -> None:
        self.left.emit()
        super().leaveEvent(event)


def _text(value: float) -> str:
    return number(value, 3)


def _limits(K: np.ndarray) -> tuple[float, float]:
    """Return the ends of a colour scale that contains 0 and all values."""
    low, high = min(0.0, float(K.min())), max(0.0, float(K.max()))
    return (low, high) if high > low else (0.0, 1.0)


def _paint_frame(painter: QPainter, box: QRectF, colour: str) -> None:
    """Paint a frame around a row or column; if it is very thin, a line along it."""
    line_width = active().metrics.stroke(2.0)
    painter.setPen(QPen(QColor(colour), line_width))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    middle = box.center()
    if min(box.width(), box.height()) >= 3.0 * line_width:
        painter.drawRect(box)
    elif box.width() < box.height():
        painter.drawLine(QPointF(middle.x(), box.top()), QPointF(middle.x(), box.bottom()))
    else:
        painter.drawLine(QPointF(box.left(), middle.y()), QPointF(box.right(), middle.y()))


def _paint_notches(painter: QPainter, cells: HeatMap, row: int, colour: str) -> None:
    """Paint a mark across the strips of the classes, at the left and at the upper edge."""
    stroke, square = active().metrics.stroke, cells.place
    painter.setPen(QPen(QColor(colour), stroke(2.5)))
    length = stroke(10.0)
    x, y = cells.column_rect(row).center().x(), cells.row_rect(row).center().y()
    painter.drawLine(QPointF(square.left() - length, y), QPointF(square.left(), y))
    painter.drawLine(QPointF(x, square.top() - length), QPointF(x, square.top()))
