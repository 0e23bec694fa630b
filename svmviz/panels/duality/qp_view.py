"""The matrices P, q, G, h, A, b of a quadratic program as coloured blocks of equal cells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from solvers.problem.quadratic_program import QuadraticProgram
from svmviz.base.words import number
from svmviz.theme import CAPTION, Theme, active, look_of
from svmviz.widgets.charts.matrix_image import matrix_image

# Cells at least this wide, px at scale 1, contain their values.
MIN_WRITTEN = 34
# Largest width of a cell, px at scale 1.
MAX_CELL = 46
# Space between two matrices, and smallest width of a vector, px at scale 1.
GAP, THIN = 12, 9


@dataclass(frozen=True)
class Block:
    """A matrix with its name; ``limit`` is the number whose colour is full."""

    name: str
    values: np.ndarray
    limit: float


class QPView(QWidget):
    """All matrices, in the order of points that is given; a row is lit with its point.

    Signals
    -------
    hovered(int), pressed(int)
        The mouse is over a row or column of this variable, or was pressed there.
    left()
    """

    hovered = Signal(int)
    pressed = Signal(int)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._qp: QuadraticProgram | None = None
        # The blocks in colours, by name and theme.
        self._images: dict[tuple[str, Theme], QImage] = {}
        self._blocks: tuple[Block, ...] = ()
        self._order = np.zeros(0, dtype=int)
        self._n = 0
        self.lit: tuple[int, ...] = ()
        self.selected: tuple[int, ...] = ()
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_program(self, qp: QuadraticProgram | None, order: np.ndarray, n: int) -> None:
        """Show other matrices, or none.

        Parameters
        ----------
        qp : QuadraticProgram or None
        order : int array, shape (N,)
            The variable of each row.
        n : int
            Number of points; variable v belongs to point v modulo n.
        """
        if qp is not self._qp or not np.array_equal(order, self._order):
            self._blocks = () if qp is None else _blocks(qp, order)
            self._images = {}
        self._qp, self._order, self._n = qp, order, n
        self.update()

    def mark(self, lit: Iterable[int], selected: Iterable[int]) -> None:
        """Frame the rows of highlighted and of selected points."""
        marks = tuple(lit), tuple(sorted(selected))
        if marks != (self.lit, self.selected):
            self.lit, self.selected = marks
            self.update()

    def point_at(self, position: QPointF) -> int | None:
        """Return the point whose row or column lies at a position, px."""
        for block in self._blocks:
            place = self._place(block)
            if place.contains(position):
                if block.name == "b":
                    return None
                is_column = block.name == "A"
                along = position.x() - place.left() if is_column else position.y() - place.top()
                # G and h have two rows for each variable.
                rank = int(along / self._cell) % len(self._order)
                return int(self._order[rank]) % self._n
        return None

    # Layout.

    @property
    def _cell(self) -> float:
        """Height of a row, and width of a column of P, G and A, px."""
        return self._arrangement[0]

    @property
    def _head(self) -> float:
        """Height of a name above a matrix, px."""
        return QFontMetricsF(look_of(self).font(CAPTION)).height() * 1.25

    @property
    def _arrangement(self) -> tuple[float, bool]:
        """The size of a cell, px, and whether G and h are below the others, not beside them.

        The cells are as large as they can be.
        """
        px, head = look_of(self).metrics.px, self._head
        rows = {block.name: len(block.values) for block in self._blocks}
        N, n_conditions, has_sum = rows["P"], rows["G"], "A" in rows
        gap, width, height = px(GAP), self.width() - px(4), self.height() - px(4)
        thin = px(THIN)
        left = height - (1 + has_sum) * head
        beside = min(
            _largest(width - 3 * gap, 2 * N, 2, thin),
            _largest(left, N, int(has_sum), thin),
            (height - head) / n_conditions,
        )
        below = min(
            _largest(width - gap, N, 1, thin),
            _largest(left - head, N + n_conditions, int(has_sum), thin),
        )
        return max(0.25, min(max(beside, below), px(MAX_CELL))), below > beside

    def _place(self, block: Block) -> QRectF:
        (cell, is_below), head = self._arrangement, self._head
        gap, thin = look_of(self).metrics.px(GAP), max(cell, look_of(self).metrics.px(THIN))
        rows = {found.name: len(found.values) for found in self._blocks}
        side = rows["P"] * cell
        under = head + side + (head + thin if "A" in rows else 0.0) if is_below else 0.0
        right = 0.0 if is_below else side + thin + 2 * gap
        places = {
            "P": (0.0, 0.0, side, side),
            "q": (side + gap, 0.0, thin, side),
            "A": (0.0, side + head, side, thin),
            "b": (side + gap, side + head, thin, thin),
            "G": (right, under, side, rows["G"] * cell),
            "h": (right + side + gap, under, thin, rows["G"] * cell),
        }
        x, y, width, height = places[block.name]
        return QRectF(2.0 + x, head + y, width, height)

    # Painting.

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            for block in self._blocks:
                self._paint_block(painter, block)

    def _paint_block(self, painter: QPainter, block: Block) -> None:
        look, place, size = look_of(self), self._place(block), self._cell
        rows, columns = block.values.shape
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, size < 1.0)
        painter.drawImage(place, self._image_of(block))
        painter.setPen(QPen(QColor(look.theme.line_strong), look.metrics.stroke(1.0)))
        painter.drawRect(place)
        painter.setFont(look.font(CAPTION, 600))
        painter.setPen(QColor(look.theme.text))
        painter.drawText(QPointF(place.left(), place.top() - look.metrics.px(4)), block.name)
        if size >= look.metrics.px(MIN_WRITTEN):
            painter.setFont(look.font(CAPTION))
            for row in range(rows):
                for column in range(columns):
                    value = float(block.values[row, column])
                    painter.setPen(self._ink_on(self._image_of(block).pixelColor(column, row)))
                    corner = QPointF(place.left() + column * size, place.top() + row * size)
                    cell = QRectF(corner, QSizeF(size, size))
                    painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, number(value, 2))
        for points, colour in ((self.selected, look.theme.focus), (self.lit, look.theme.text)):
            is_thin = size < look.metrics.px(5)
            painter.setPen(QPen(QColor(colour), look.metrics.stroke(1.0 if is_thin else 2.0)))
            for line in self._lines_of(block, points):
                painter.drawRect(line)

    def _ink_on(self, ground: QColor) -> QColor:
        """Return that one of two colours which can be read better on a ground."""
        theme = look_of(self).theme
        inks = (QColor(theme.text), QColor(theme.card))
        return max(inks, key=lambda ink: abs(ink.lightness() - ground.lightness()))

    def _image_of(self, block: Block) -> QImage:
        """Return the matrix in colours; made once, since with 300 points that takes 10 ms."""
        key = block.name, active().theme
        if key not in self._images:
            finite = np.nan_to_num(block.values, posinf=block.limit)
            self._images[key] = matrix_image(finite, (-block.limit, block.limit))
        return self._images[key]

    def _lines_of(self, block: Block, points: Iterable[int]) -> list[QRectF]:
        """Return the frames around the rows, or in A around the columns, of some points."""
        place, size, N = self._place(block), self._cell, len(self._order)
        ranks = np.flatnonzero(np.isin(self._order % max(self._n, 1), list(points)[:50]))
        if block.name == "A":
            return [
                QRectF(place.left() + r * size, place.top(), size, place.height())
                for r in ranks.tolist()
            ]
        if block.name == "b":
            return []
        repeats = range(0, len(block.values), N)
        return [
            QRectF(place.left(), place.top() + (start + r) * size, place.width(), size)
            for start in repeats
            for r in ranks.tolist()
        ]

    # Mouse.

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = self.point_at(event.position()) if self._blocks else None
        self.left.emit() if point is None else self.hovered.emit(point)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = self.point_at(event.position()) if self._blocks else None
        if event.button() == Qt.MouseButton.LeftButton and point is not None:
            self.pressed.emit(point)

    def leaveEvent(self, event: QEvent) -> None:
        self.left.emit()
        super().leaveEvent(event)


def _largest(room: float, cells: int, vectors: int, thin: float) -> float:
    """Return the largest cell, px: ``vectors`` are as wide as a cell, but at least ``thin``."""
    cell = room / (cells + vectors)
    return cell if cell >= thin else (room - vectors * thin) / cells


def _blocks(qp: QuadraticProgram, order: np.ndarray) -> tuple[Block, ...]:
    """Return P, q, G and h, and A and b if there is a sum, in the order of the rows."""
    N = len(order)
    rows = np.concatenate([order + start for start in range(0, len(qp.G), N)])
    blocks = {
        "P": qp.P[np.ix_(order, order)],
        "q": qp.q[order, None],
        "G": qp.G[np.ix_(rows, order)],
        "h": qp.h[rows, None],
    }
    if len(qp.A):
        blocks |= {"A": qp.A[:, order], "b": qp.b[:, None]}
    return tuple(Block(name, values, _limit(values)) for name, values in blocks.items())


def _limit(values: np.ndarray) -> float:
    finite = np.abs(values[np.isfinite(values)])
    return float(finite.max(initial=0.0)) or 1.0
