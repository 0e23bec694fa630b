"""A small table in which each cell has a colour, painted in one piece, for mouse and keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from svmviz.theme import LABEL, REGULAR, STRONG, TEXT, Look, look_of
from svmviz.widgets.plain_text import show_tip
from svmviz.widgets.styling import StyleFollower

# Height of a row, the least widths of a cell and of the column at the left, px at scale 1.
ROW, CELL, HEAD = 26.0, 44.0, 26.0
# The smallest fraction of the size of the font to which the text of a narrow cell shrinks.
LEAST_SHARE = 0.7
MOVES = {
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
}


@dataclass(frozen=True)
class Cell:
    """A text with the colour of its cell; without one the cell has that of the panel.

    ``dot`` puts a dot into its corner, ``muted`` makes the text quiet, and ``tip`` explains it.
    """

    text: str = ""
    fill: str = ""
    dot: bool = False
    muted: bool = False
    tip: str = ""


def fitting(look: Look, text: str, weight: int, width: float, size: float = TEXT) -> QFont:
    """Return a font in which the text has at most a width, px, or the smallest that is legible."""
    font = look.font(size, weight)
    share = width / max(QFontMetricsF(font).horizontalAdvance(text), 1.0)
    if share >= 1.0:
        return font
    # Half a pixel less, since the size is rounded.
    return look.font(size * max(share, LEAST_SHARE) - 0.5 / look.metrics.controls, weight)


class Grid(StyleFollower, QWidget):
    """Table of cells below a row of heads; the first cell of a row is its name.

    Columns that do not fit are left out, the last ones first.

    Attributes
    ----------
    heads : sequence of Cell
    rows : sequence of sequences of Cell
    marked : int or None
        Index of the row that is framed.

    Signals
    -------
    pressed(int, int)
        The user has pressed a cell: its row, and its column, which is 0 for the name of the row.
    """

    pressed = Signal(int, int)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heads: Sequence[Cell] = ()
        self.rows: Sequence[Sequence[Cell]] = ()
        self.marked: int | None = None
        # Number of columns that are shown even if they are narrow.
        self._n_least = 1
        # Row and column of the cell that keys move from.
        self._cursor = (0, 0)
        # The cell on which the mouse button went down.
        self._down: tuple[int, int] | None = None
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.follow_style(Grid.updateGeometry)

    def show_cells(
        self,
        heads: Sequence[Cell],
        rows: Sequence[Sequence[Cell]],
        marked: int | None = None,
        least: int | None = None,
    ) -> None:
        """Show other cells; ``least`` columns, or all, are shown even if they are narrow."""
        self._n_least = least or len(heads)
        if (heads, rows, marked) == (self.heads, self.rows, self.marked):
            return
        is_higher = len(rows) != len(self.rows)
        self.heads, self.rows, self.marked = heads, rows, marked
        lines = (", ".join(cell.text or "–" for cell in row) for row in rows)
        self.setAccessibleDescription("; ".join(lines))
        if is_higher:
            self.updateGeometry()
        self.update()

    def cell_box(self, row: int, column: int) -> QRectF:
        """Return the rectangle of a cell, px; the row of the heads is -1."""
        px, count = look_of(self).metrics.px, self.n_shown
        head, height = self._head_width, px(ROW)
        width = (self.width() - head) / max(1, count - 1)
        left = 0.0 if column == 0 else head + (column - 1) * width
        return QRectF(left, (row + 1) * height, head if column == 0 else width, height)

    @property
    def n_shown(self) -> int:
        """Number of columns that fit, with that of the names."""
        room = self.width() - self._head_width
        fitting = int(room / look_of(self).metrics.px(CELL))
        return min(len(self.heads), max(1 + fitting, self._n_least))

    @property
    def _head_width(self) -> float:
        px, measure = look_of(self).metrics.px, QFontMetricsF(look_of(self).font())
        names = [row[0].text for row in self.rows] + [head.text for head in self.heads[:1]]
        widest = max((measure.horizontalAdvance(name) for name in names), default=0.0)
        return max(px(HEAD), min(widest + px(10), 0.34 * self.width()))

    def sizeHint(self) -> QSize:
        px = look_of(self).metrics.px
        return QSize(px(200), int((len(self.rows) + 1) * px(ROW)) + 1)

    def minimumSizeHint(self) -> QSize:
        return QSize(look_of(self).metrics.px(120), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        look = look_of(self)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for row, cells in enumerate((self.heads, *self.rows), start=-1):
                for column, cell in enumerate(cells[: self.n_shown]):
                    self._paint(painter, cell, self.cell_box(row, column), row < 0 or column == 0)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            if self.marked is not None and self.rows:
                box = self.cell_box(self.marked, 0)
                box.setRight(self.width())
                painter.setPen(QPen(QColor(look.theme.text), look.metrics.px(1.5)))
                painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 3, 3)
            if self.hasFocus() and self.rows:
                painter.setPen(QPen(QColor(look.theme.focus), look.metrics.px(2)))
                painter.drawRect(self.cell_box(*self._cursor).adjusted(2, 2, -2, -2))

    def _paint(self, painter: QPainter, cell: Cell, box: QRectF, is_head: bool) -> None:
        look = look_of(self)
        px = look.metrics.px
        if cell.fill:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(cell.fill))
            inner = box.adjusted(px(1), px(1), -px(1), -px(1))
            if is_head:
                # The colour of a class is a line below its name.
                inner.setTop(box.bottom() - px(4))
            painter.drawRect(inner)
        size = TEXT if box.width() >= px(CELL) else LABEL
        weight = STRONG if cell.dot else REGULAR
        is_muted = cell.muted or (is_head and not cell.fill)
        painter.setPen(QColor(look.theme.muted if is_muted else look.theme.text))
        if cell.dot:
            painter.setBrush(QColor(look.theme.text))
            painter.drawEllipse(QPointF(box.right() - px(7), box.top() + px(7)), px(2.5), px(2.5))
        room = box.adjusted(px(2), 0, -px(2), 0)
        shown = look.letters(cell.text)
        # A number without its last digits would be another one.
        font = (
            look.font(size, weight) if is_head else fitting(look, shown, weight, room.width(), size)
        )
        painter.setFont(font)
        shown = QFontMetricsF(font).elidedText(shown, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, shown)

    def cell_at(self, x: float, y: float) -> tuple[int, int] | None:
        """Return row and column of the cell at a position, px, or None."""
        for row in range(-1, len(self.rows)):
            for column in range(self.n_shown):
                if self.cell_box(row, column).contains(x, y):
                    return row, column
        return None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self.cell_at(event.position().x(), event.position().y())
        self._down = None
        if event.button() == Qt.MouseButton.LeftButton and found is not None and found[0] >= 0:
            self._cursor = self._down = found
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        # Not when the button goes down: its release would hide a tip on the cell.
        found, down = self.cell_at(event.position().x(), event.position().y()), self._down
        self._down = None
        if down is not None and found == down:
            self.pressed.emit(*down)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        move = MOVES.get(Qt.Key(event.key()))
        row, column = self._cursor
        if move is not None and self.rows:
            row = min(max(row + move[0], 0), len(self.rows) - 1)
            self._cursor = row, min(max(column + move[1], 0), self.n_shown - 1)
            self.update()
        elif event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if row < len(self.rows):
                self.pressed.emit(row, column)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            found = self.cell_at(event.pos().x(), event.pos().y())
            if found is not None:
                row, column = found
                cells = self.heads if row < 0 else self.rows[row]
                tip = cells[column].tip if column < len(cells) else ""
                show_tip(event.globalPos(), tip or cells[0].tip, self)
            return True
        return super().event(event)
