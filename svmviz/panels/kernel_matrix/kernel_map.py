"""The heat map of a Gram matrix: cells, classes along the edges, rows that are lit, the scale."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, Signal, SignalInstance
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from svmviz.base.words import number
from svmviz.panels.kernel_matrix.kernel_study import KernelStudy
from svmviz.theme import CAPTION, active, font
from svmviz.theme.contrast import channels
from svmviz.widgets.charts.dots import draw_dots

# So many rows at most have their numbers written into the cells.
WRITTEN = 12
# More rows than this are lit at the edges only: a matrix full of lines shows nothing.
LINES = 4
# Rows of the colour scale's picture.
SHADES = 129


class KernelMap(QWidget):
    """A square of cells, one for each pair of points.

    Signals
    -------
    hovered, pressed : int, int
        Row and column under the mouse.
    left : the mouse has gone
    """

    hovered = Signal(int, int)
    pressed = Signal(int, int)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._study: KernelStudy | None = None
        self._image: tuple[object, QImage] | None = None
        self.active: tuple[int, ...] = ()
        self.cross: tuple[int, int] | None = None
        self.chosen: tuple[int, ...] = ()
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    # What it shows.

    def show_study(self, study: KernelStudy | None) -> None:
        """Another matrix, or none."""
        if study is not self._study:
            self._study = study
            self.update()

    def light(
        self, active: Sequence[int], cross: tuple[int, int] | None, chosen: Sequence[int]
    ) -> None:
        """Light rows and columns: of the step, of the mouse (one row, one column), selected."""
        wanted = tuple(active), cross, tuple(chosen)
        if wanted != (self.active, self.cross, self.chosen):
            self.active, self.cross, self.chosen = wanted
            self.update()

    @property
    def limits(self) -> tuple[float, float]:
        """The ends of the colour scale; 0 is always between them, and has no colour."""
        if self._study is None:
            return 0.0, 1.0
        K = self._study.K
        low, high = min(0.0, float(K.min())), max(0.0, float(K.max()))
        return (low, high) if high > low else (0.0, 1.0)

    @property
    def square(self) -> QRectF:
        """Where the cells are, px."""
        px = active().metrics.px
        edge, beside, below = px(20), self._side(below=False), self._side(below=True)
        side = max(1.0, beside, below)
        scale = px(4) if below > beside else px(22) + self._wide_numbers()
        left = edge + 0.5 * max(0.0, self.width() - edge - scale - side)
        return QRectF(left, edge, side, side)

    def _side(self, *, below: bool) -> float:
        """How large the square can be with the colour scale below it or beside it, px."""
        px = active().metrics.px
        wide, high = self.width() - px(20), self.height() - px(20)
        if below:
            return min(wide - px(4), high - px(21) - QFontMetricsF(font(CAPTION)).height())
        return min(wide - px(22) - self._wide_numbers(), high - px(2))

    def cell(self, place: QPointF) -> tuple[int, int] | None:
        """Row and column at a place, px."""
        if self._study is None:
            return None
        square, m = self.square, len(self._study.K)
        if not square.contains(place):
            return None
        size = square.width() / m
        row, column = (place.y() - square.top()) / size, (place.x() - square.left()) / size
        return min(int(row), m - 1), min(int(column), m - 1)

    def _wide_numbers(self) -> float:
        small = QFontMetricsF(font(CAPTION))
        return max(small.horizontalAdvance(number(value, 3)) for value in (*self.limits, 0.001))

    def sizeHint(self) -> QSize:
        px = active().metrics.px
        return QSize(px(260), px(220))

    def minimumSizeHint(self) -> QSize:
        px = active().metrics.px
        return QSize(px(120), px(90))

    # Painting.

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(active().theme.card))
            study = self._study
            if study is None:
                return
            square = self.square
            painter.drawImage(square.topLeft(), self._cells(study, square))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_numbers(painter, study, square)
            self._paint_classes(painter, study, square)
            self._paint_scale(painter, square)
            self._paint_lit(painter, study, square)

    def _cells(self, study: KernelStudy, square: QRectF) -> QImage:
        """The cells in the size of the screen; made once for each matrix, size and theme."""
        ratio = self.devicePixelRatioF()
        pixels = max(1, round(square.width() * ratio))
        key = (study, pixels, active().theme.name)
        if self._image is None or self._image[0] != key:
            # Cells smaller than a pixel are averaged; larger ones keep their edges.
            how = Qt.TransformationMode
            smooth = how.SmoothTransformation if len(study.K) > pixels else how.FastTransformation
            image = colours(study.K, self.limits).scaled(
                pixels, pixels, Qt.AspectRatioMode.IgnoreAspectRatio, smooth
            )
            image.setDevicePixelRatio(ratio)
            self._image = key, image
        return self._image[1]

    def _paint_numbers(self, painter: QPainter, study: KernelStudy, square: QRectF) -> None:
        m, theme = len(study.K), active().theme
        size = square.width() / m
        if m > WRITTEN or size < 1.15 * self._wide_numbers():
            return
        largest = max(map(abs, self.limits))
        painter.setFont(font(CAPTION))
        for row in range(m):
            for column in range(m):
                value = float(study.K[row, column])
                strong = abs(value) > 0.55 * largest
                painter.setPen(QColor(theme.card if strong else theme.text))
                place = QRectF(square.left() + column * size, square.top() + row * size, size, size)
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, number(value, 2))

    def _paint_classes(self, painter: QPainter, study: KernelStudy, square: QRectF) -> None:
        """A strip for each class along both edges, with its mark, and the border between them."""
        look = active()
        px, stroke = look.metrics.px, look.metrics.stroke
        size = square.width() / len(study.K)
        border = study.border * size
        wide, gap = stroke(4.0), stroke(3.0)
        parts = (
            (0.0, border, look.theme.negative, -1.0),
            (border, square.width(), look.theme.positive, 1.0),
        )
        for start, end, colour, label in parts:
            if start == end:
                continue
            ink = QColor(colour)
            left, top = square.left(), square.top()
            painter.fillRect(QRectF(left - gap - wide, top + start, wide, end - start), ink)
            painter.fillRect(QRectF(left + start, top - gap - wide, end - start, wide), ink)
            middle, away = 0.5 * (start + end), px(13)
            marks = np.array([[left - away, top + middle], [left + middle, top - away]])
            draw_dots(painter, marks, np.full(2, label), 9.0)
        painter.setPen(QPen(QColor(look.theme.text), stroke(1.5 if border else 1.0)))
        x, y = square.left() + border, square.top() + border
        painter.drawLine(QPointF(x, square.top()), QPointF(x, square.bottom()))
        painter.drawLine(QPointF(square.left(), y), QPointF(square.right(), y))
        painter.setPen(QPen(QColor(look.theme.line_strong), stroke(1.0)))
        painter.drawRect(square)

    def _paint_scale(self, painter: QPainter, square: QRectF) -> None:
        """What the colours mean, with numbers; where there is more room, beside or below."""
        look = active()
        px = look.metrics.px
        low, high = self.limits
        below = self._side(below=True) > self._side(below=False)
        if below:
            bar = QRectF(square.left(), square.bottom() + px(7), square.width(), px(9))
            painter.drawImage(bar, colours(np.linspace(low, high, SHADES)[None], (low, high)))
        else:
            bar = QRectF(square.right() + px(8), square.top(), px(9), square.height())
            painter.drawImage(bar, colours(np.linspace(high, low, SHADES)[:, None], (low, high)))
        painter.setPen(QPen(QColor(look.theme.line_strong), look.metrics.stroke(1.0)))
        painter.drawRect(bar)
        painter.setFont(font(CAPTION))
        painter.setPen(QColor(look.theme.axis))
        measure = QFontMetricsF(font(CAPTION))
        taken: list[QRectF] = []
        middle = (0.5 * (low + high),) if 0.0 in (low, high) else ()
        for value in (high, low, 0.0, *middle):
            text, share = number(value, 3), (value - low) / (high - low)
            size = QSizeF(measure.horizontalAdvance(text) + 2.0, measure.height())
            place = QRectF(QPointF(), size)
            if below:
                x = bar.left() + share * bar.width() - 0.5 * size.width()
                x = min(max(x, bar.left()), bar.right() - size.width())
                place.moveTopLeft(QPointF(x, bar.bottom() + px(2)))
            else:
                y = bar.bottom() - share * bar.height() - 0.5 * size.height()
                y = min(max(y, bar.top()), bar.bottom() - size.height())
                place.moveTopLeft(QPointF(bar.right() + px(4), y))
            room = place.adjusted(-px(3), 0.0, px(3), 0.0)
            if not any(room.intersects(other) for other in taken):
                taken.append(place)
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_lit(self, painter: QPainter, study: KernelStudy, square: QRectF) -> None:
        theme = active().theme
        for row in self.chosen[:50]:
            self._notch(painter, study, square, row, theme.focus)
        for row in self.active[:50]:
            self._notch(painter, study, square, row, theme.highlight)
        if len(self.active) <= LINES:
            for row in self.active:
                self._lane(painter, square, len(study.K), row, theme.highlight, down=False)
                self._lane(painter, square, len(study.K), row, theme.highlight, down=True)
        if self.cross is not None:
            row, column = self.cross
            self._lane(painter, square, len(study.K), row, theme.text, down=False)
            self._lane(painter, square, len(study.K), column, theme.text, down=True)

    def _lane(
        self, painter: QPainter, square: QRectF, m: int, place: int, colour: str, *, down: bool
    ) -> None:
        """A frame around a row (a column: ``down``); a line where rows are too thin for one."""
        stroke = active().metrics.stroke
        size = square.width() / m
        wide = stroke(2.0)
        painter.setPen(QPen(QColor(colour), wide))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if size >= 3.0 * wide:
            box = QRectF(square.left(), square.top() + place * size, square.width(), size)
            if down:
                box = QRectF(square.left() + place * size, square.top(), size, square.height())
            painter.drawRect(box)
            return
        middle = (place + 0.5) * size
        if down:
            x = square.left() + middle
            painter.drawLine(QPointF(x, square.top()), QPointF(x, square.bottom()))
        else:
            y = square.top() + middle
            painter.drawLine(QPointF(square.left(), y), QPointF(square.right(), y))

    def _notch(
        self, painter: QPainter, study: KernelStudy, square: QRectF, row: int, colour: str
    ) -> None:
        """A mark at the left and upper edge, across the strip of the class."""
        stroke = active().metrics.stroke
        middle = (row + 0.5) * square.width() / len(study.K)
        painter.setPen(QPen(QColor(colour), stroke(2.5)))
        long = stroke(10.0)
        x, y = square.left() + middle, square.top() + middle
        painter.drawLine(QPointF(square.left() - long, y), QPointF(square.left(), y))
        painter.drawLine(QPointF(x, square.top() - long), QPointF(x, square.top()))

    # The mouse.

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._tell(event.position(), self.hovered)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._tell(event.position(), self.pressed)

    def _tell(self, place: QPointF, signal: SignalInstance) -> None:
        cell = self.cell(place)
        if cell is None:
            self.left.emit()
        else:
            signal.emit(*cell)

    def leaveEvent(self, event: QEvent) -> None:
        self.left.emit()
        super().leaveEvent(event)


def colours(values: np.ndarray, limits: tuple[float, float]) -> QImage:
    """An image of values: no colour at 0, one hue above and another below, stronger further out."""
    theme = active().theme
    largest = max(map(abs, limits))
    share = np.clip(values / largest, -1.0, 1.0)[..., None]
    ground = np.array(channels(theme.card), dtype=np.float64)
    above, below = (np.array(channels(theme.series[k]), dtype=np.float64) for k in (0, 1))
    mixed = ground + np.abs(share) * (np.where(share >= 0.0, above, below) - ground)
    rows, columns = values.shape
    pixels = np.full((rows, columns, 4), 255, dtype=np.uint8)
    pixels[..., :3] = np.rint(mixed)
    image = QImage(pixels.data, columns, rows, 4 * columns, QImage.Format.Format_RGBX8888)
    return image.copy()
