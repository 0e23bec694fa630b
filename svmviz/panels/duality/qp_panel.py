"""The Quadratic program panel: the dual's matrices, as a library for such programs takes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QGuiApplication,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from solvers import BadInput, Problem
from solvers.problem.quadratic_program import QuadraticProgram, quadratic_program
from svmviz.base.words import count
from svmviz.export.code.qp_code import qp_script
from svmviz.frames.frame import Frame, Lane
from svmviz.panels.frame_panel import FramePanel
from svmviz.stage.stage import Stage
from svmviz.theme import STRONG, look_of
from svmviz.widgets.charts.heat_map import HeatMap
from svmviz.widgets.inputs.segmented import Segmented
from svmviz.widgets.plain_text import set_tip
from svmviz.widgets.still_text import StillText

# Cells at least this wide, px at scale 1, contain their values.
MIN_WRITTEN = 34
# Maximum width of a cell, px at scale 1.
MAX_CELL = 46
# Space between two matrices, and smallest width of a vector, px at scale 1.
GAP, THIN = 12, 9
# Maximum number of points. With more, the matrices would be too small to see, and would take too
# long to make for each change.
MAX_SHOWN = 300
ORDERS = (("class", "By class"), ("alpha", "By α"))


class QPView(QWidget):
    """All matrices, with rows in the given order of points. Rows of marked points have frames.

    Attributes
    ----------
    blocks : dict of str to HeatMap
        The matrices by their names.

    Signals
    -------
    hovered(int), pressed(int)
        The mouse is over a row or column of this variable, or was pressed there.
    left()
    """

    hovered = Signal(int)
    pressed = Signal(int)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._qp: QuadraticProgram | None = None
        self.blocks: dict[str, HeatMap] = {}
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
            self.blocks = {} if qp is None else _blocks(qp, order)
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
        self._lay_out()
        for name, block in self.blocks.items():
            cell = block.cell_at(position)
            if cell is not None and name != "b":
                row, column = cell
                # G and h have two rows for each variable.
                rank = (column if name == "A" else row) % len(self._order)
                return int(self._order[rank]) % self._n
        return None

    # Layout.

    @property
    def _head(self) -> float:
        """Height of a name above a matrix, px."""
        return QFontMetricsF(look_of(self).font(look_of(self).metrics.label)).height() * 1.25

    def _arrange(self) -> tuple[float, bool]:
        """Return the size of a cell, px, and whether G and h are below the others, not beside them.

        The cells are as large as they can be.
        """
        px, head = look_of(self).metrics.px, self._head
        rows = {name: len(block.values) for name, block in self.blocks.items()}
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

    def _lay_out(self) -> None:
        if not self.blocks:
            return
        (cell, is_below), head = self._arrange(), self._head
        gap, thin = look_of(self).metrics.px(GAP), max(cell, look_of(self).metrics.px(THIN))
        rows = {name: len(block.values) for name, block in self.blocks.items()}
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
        for name, block in self.blocks.items():
            x, y, width, height = places[name]
            block.place = QRectF(2.0 + x, head + y, width, height)

    # Painting.

    def paintEvent(self, event: QPaintEvent) -> None:
        self._lay_out()
        with QPainter(self) as painter:
            for name, block in self.blocks.items():
                self._paint_block(painter, name, block)

    def _paint_block(self, painter: QPainter, name: str, block: HeatMap) -> None:
        look, place, size = look_of(self), block.place, block.cell_side
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, size < 1.0)
        painter.drawImage(place, block.image)
        painter.setPen(QPen(QColor(look.theme.line_strong), look.metrics.stroke(1.0)))
        painter.drawRect(place)
        painter.setFont(look.font(look.metrics.label, STRONG))
        painter.setPen(QColor(look.theme.text))
        painter.drawText(
            QPointF(place.left(), place.top() - look.metrics.px(4)), look.letters(name)
        )
        if size >= look.metrics.px(MIN_WRITTEN):
            painter.setFont(look.font(look.metrics.label))
            block.write_numbers(painter)
        for points, colour in ((self.selected, look.theme.focus), (self.lit, look.theme.text)):
            is_thin = size < look.metrics.px(5)
            painter.setPen(QPen(QColor(colour), look.metrics.stroke(1.0 if is_thin else 2.0)))
            for line in self._lines_of(name, block, points):
                painter.drawRect(line)

    def _lines_of(self, name: str, block: HeatMap, points: Iterable[int]) -> list[QRectF]:
        """Return the frames around the rows, or in A around the columns, of some points."""
        variables = np.isin(self._order % max(self._n, 1), list(points)[:50])
        ranks = np.flatnonzero(variables).tolist()
        if name == "b":
            return []
        if name == "A":
            return [block.column_rect(rank) for rank in ranks]
        repeats = range(0, len(block.values), len(self._order))
        return [block.row_rect(start + rank) for start in repeats for rank in ranks]

    # Mouse.

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = self.point_at(event.position())
        self.left.emit() if point is None else self.hovered.emit(point)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = self.point_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and point is not None:
            self.pressed.emit(point)

    def leaveEvent(self, event: QEvent) -> None:
        self.left.emit()
        super().leaveEvent(event)


def _largest(room: float, cells: int, vectors: int, thin: float) -> float:
    """Return the largest cell, px: ``vectors`` are as wide as a cell, but at least ``thin``."""
    cell = room / (cells + vectors)
    return cell if cell >= thin else (room - vectors * thin) / cells


def _blocks(qp: QuadraticProgram, order: np.ndarray) -> dict[str, HeatMap]:
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
    return {name: _heat_map(values) for name, values in blocks.items()}


def _heat_map(values: np.ndarray) -> HeatMap:
    """Return a matrix whose largest finite absolute value has the full colour."""
    limit = float(np.abs(values[np.isfinite(values)]).max(initial=0.0)) or 1.0
    return HeatMap(values, (-limit, limit))


class QPPanel(FramePanel):
    """P, q, G, h, A and b of the dual, with the counts that decide what is cheaper to solve.

    Parameters
    ----------
    stage : Stage
    """

    name = "quadratic-program"

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._problem: Problem | None = None
        self.program: QuadraticProgram | None = None
        self.form = self.add(StillText(lines=1))
        self.words = self.add(StillText(lines=2))
        self.view = self.add(QPView(), 1)
        self.view.hovered.connect(stage.spotlight.highlight)
        self.view.left.connect(lambda: stage.spotlight.highlight(None))
        self.view.pressed.connect(self.select_point)
        self.order = self.add(Segmented(ORDERS))
        self.share_choice("order", self.order, self.redraw)
        self.copy = self.add(QPushButton("Copy as code"))
        set_tip(self.copy, "Python that makes these matrices, and solves them with piqp.")
        self.copy.clicked.connect(self._copy)

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        problem = lane.problem if lane else None
        if problem is not self._problem:
            self._problem = problem
            is_shown = problem is not None and problem.n <= MAX_SHOWN
            self.program = quadratic_program(problem) if problem and is_shown else None
            self.words.setText(sentence(problem))
            self.form.setText(_form(self.program))
            is_regression = problem is not None and problem.task == "regression"
            self.order.button("class").setText("By sign" if is_regression else "By class")
        self.copy.setEnabled(self.program is not None)
        order = np.zeros(0, dtype=int)
        if lane is not None and self.program is not None:
            order = row_order(lane, by_alpha=self.order.value == "alpha")
        self.view.show_program(self.program, order, problem.n if problem else 0)

    def mark(self) -> None:
        self.view.mark(self.stage.spotlight.points, self.stage.session.selection)

    def _copy(self) -> None:
        try:
            text = qp_script(self.stage.feed.panel_frame.document)
        except BadInput as refusal:
            self.words.setText(str(refusal))
            return
        QGuiApplication.clipboard().setText(text)


def row_order(lane: Lane, by_alpha: bool) -> np.ndarray:
    """Return the variable of each row, shape (N,): by sign, and then by number or falling alpha."""
    problem = lane.problem
    alpha = problem.sign * problem.variables_of(lane.expansion.beta)
    second = -alpha if by_alpha else np.arange(len(alpha))
    return np.lexsort((second, problem.sign))


def _form(program: QuadraticProgram | None) -> str:
    """Return the problem that the matrices belong to."""
    if program is None:
        return ""
    equality = ", A x = b" if len(program.A) else ""
    return f"Minimise ½ xᵀP x + qᵀx subject to G x ≤ h{equality}. Here x = α."


def sentence(problem: Problem | None) -> str:
    """Return the counts: unknowns of the primal and of the dual, and kernel values."""
    if problem is None:
        return "The matrices of the dual are drawn here."
    N, n = problem.n_variables, problem.n
    primal = (
        f"{problem.X.shape[1]} of w and one b" if problem.linear else "as many as φ has coordinates"
    )
    parts = [
        f"{count(N)} unknowns α, instead of {primal}.",
        f"The matrix P has {count(N * N)} entries, from {count(n * (n + 1) // 2)} kernel values;",
        "a library needs about N³ operations.",
    ]
    if n > MAX_SHOWN:
        parts.append(f"The matrices are drawn for at most {MAX_SHOWN} points.")
    return " ".join(parts)
