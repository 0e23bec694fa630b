"""The Quadratic program panel: the dual's matrices, as a library for such programs takes them."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

from solvers import BadInput, Problem
from solvers.problem.quadratic_program import QuadraticProgram, quadratic_program
from svmviz.base.words import count
from svmviz.export.code.qp_code import qp_script
from svmviz.frames.frame import Frame, Lane
from svmviz.panels.duality.qp_view import QPView
from svmviz.panels.frame_panel import FramePanel
from svmviz.stage.stage import Stage
from svmviz.widgets.inputs.segmented import Segmented
from svmviz.widgets.plain_text import set_tip
from svmviz.widgets.still_text import StillText

# The matrices of more points are too small to see, and too large to make for each change.
MAX_SHOWN = 300
ORDERS = (("class", "By class"), ("alpha", "By α"))


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
        self.words = self.add(StillText(lines=2))
        self.view = self.add(QPView(), 1)
        self.view.hovered.connect(stage.spotlight.highlight)
        self.view.left.connect(lambda: stage.spotlight.highlight(None))
        self.view.pressed.connect(self.select_point)
        self.order = self.add(Segmented(ORDERS))
        self.order.chosen.connect(lambda _key: self._on_frame(stage.feed.panel_frame))
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
        f"P has {count(N * N)} entries, from {count(n * (n + 1) // 2)} kernel values;",
        "a library needs about N³ operations.",
    ]
    if n > MAX_SHOWN:
        parts.append(f"The matrices are drawn for at most {MAX_SHOWN} points.")
    return " ".join(parts)
