"""The Budget panel: the sum of slack over C. Dragging the budget M moves C, and vice versa."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from solvers.problem.problem import MAX_C, MIN_C
from svmviz.base.words import number
from svmviz.document.document import Document, Penalty
from svmviz.frames.frame import Frame, Lane
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.objective.budget_chart import BudgetChart
from svmviz.panels.objective.loss_values import WEIGHT_S
from svmviz.panels.search_bar import SearchBar
from svmviz.selection.budget_model import budget_of
from svmviz.stage.stage import Stage
from svmviz.theme import look_of
from svmviz.widgets.plain_text import ErrorLabel
from svmviz.widgets.still_text import StillText
from svmviz.widgets.value_rows import KeyValue

ROWS = (
    ("C", "C", "The price of one unit of slack"),
    ("budget", "M = Σ ξ", "The slack of the optimum for this C"),
    ("step", "Σ ξ, step", "The slack of the step shown"),
    ("width", "1 / ‖w‖", "Distance of the margin lines from the boundary, at the step shown"),
)
TIP = "Solve the problem at some forty values of C, each from the solution before."
# A search that takes longer than this, s, has buttons that pause and cancel it.
MAX_WITHOUT_BAR = 2.0
COMPUTING = "Solving the problem at some forty values of C …"
INVITATION = "Press Compute: the slack of the optimum over C is drawn here."
DRAG = "Drag the dot along the curve, or M up and down."
WAITING = "The curve of these points is computed when you let go."
STALE = "Points or model have changed. Compute again."


class BudgetPanel(FramePanel):
    """The regularisation path as a curve, on which C and the budget can be dragged.

    Parameters
    ----------
    stage : Stage
    """

    name = "budget"
    leaves_line_out = True

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.model = budget_of(stage.session, stage.searches)
        # What is dragged: "C", "M", or nothing; and the budget to which M was dragged.
        self._dragged = ""
        self._budget = 0.0
        self.words = self.add(StillText(lines=3))
        self.error_label = self.add(ErrorLabel())
        self.bar = self.add(SearchBar(self.model.search, "Compute", TIP))
        self.chart = self.add(BudgetChart(), 1)
        self.numbers = self.add(KeyValue(ROWS, "000.0000"))
        self.bar.started.connect(self._start)
        self.chart.pressed.connect(self._on_pressed)
        self.chart.released.connect(self._on_released)
        self.chart.hovered.connect(self._on_hovered)
        self.model.changed.connect(self._refresh)

    @property
    def is_busy(self) -> bool:
        """Whether the path is still being computed. The export of a figure waits for it."""
        return self.model.search.is_active

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        if look_of(self).printing and not self.model.points and not self.model.search.is_active:
            self._start()
        self._refresh()

    def _refresh(self) -> None:
        if not self.isVisible():
            return
        model, lane = self.model, self.lane
        document = self.stage.session.document
        model.start_unasked()
        is_shown = bool(model.points) and not model.is_stale
        takes_long = model.is_asked_for or (model.search.seconds_left or 0.0) > MAX_WITHOUT_BAR
        self.bar.setVisible(takes_long and not look_of(self).printing)
        C = document.C
        slack = model.slack_at(C) if is_shown and math.isfinite(C) else None
        # While M is dragged, the level is at the mouse.
        if slack is not None and self._dragged == "M":
            slack = self._budget
        step = lane.problem.weighted_sum(lane.certificate.slack) if lane is not None else None
        total = "Σ s ξ" if document.has_weights else "Σ ξ"
        self.numbers.set_names({"budget": f"M = {total}", "step": f"{total}, step"})
        self.chart.set_labels("C", f"{total}, the budget M")
        self.chart.show_path(model.points if is_shown else [], C, slack, step)
        norm = lane.certificate.norm if lane is not None else 0.0
        missing = "—"
        self.numbers.set_values(
            {
                "C": "∞" if math.isinf(C) else number(C),
                "budget": missing if slack is None else number(slack),
                "step": missing if step is None else number(step),
                "width": missing if not norm > 0.0 else number(1.0 / norm),
            }
        )
        can_drag = is_shown and math.isfinite(document.C)
        self.words.setText(self._sentence(document, is_shown), DRAG if can_drag else "")

    def _sentence(self, document: Document, is_shown: bool) -> str:
        if self.model.is_stale and self.stage.session.previewing and not self.model.is_asked_for:
            return WAITING
        if self.model.is_stale and not self.model.search.is_active:
            return STALE
        if not is_shown:
            return COMPUTING if self.model.search.is_active else INVITATION
        if math.isinf(document.C):
            return "The hard margin: no slack is allowed, M = 0. Give C a finite value first."
        words = "Minimising ½‖w‖² + C Σ ξ is the same as minimising ½‖w‖² with Σ ξ ≤ M."
        return f"{words.replace('Σ ξ', 'Σ s ξ')} {WEIGHT_S}" if document.has_weights else words

    # What the user does.

    def _start(self) -> None:
        self.error_label.attempt(self.model.start)

    def _on_hovered(self, x: float, y: float) -> None:
        shape = self.chart.cursor_for(x, y)
        self.chart.setCursor(shape)

    def _on_pressed(self, x: float, y: float) -> None:
        if self.chart.here is None:
            return
        if not self._dragged:
            self._dragged = "M" if self.chart.holds_budget(x, y) else "C"
        if self._dragged == "M":
            self._budget = min(max(y, 0.0), float(self.chart.path[:, 1].max()))
            self._preview(self.model.penalty_for(self._budget))
        else:
            self._preview(10.0 ** min(max(x, math.log10(MIN_C)), math.log10(MAX_C)))

    def _on_released(self) -> None:
        dragged, self._dragged = self._dragged, ""
        session = self.stage.session
        if dragged == "C":
            session.commit("Change C")
        elif dragged == "M":
            shown = session.document

            def commit(C: float) -> None:
                # If the document has changed meanwhile, the result is not used.
                if session.document is shown:
                    session.edit(_with_C(shown, C), "Change budget")

            if not self.model.refine(self._budget, commit):
                session.commit("Change budget")

    def _preview(self, C: float) -> None:
        low, high = self.chart.ranges[0]
        C = float(np.clip(C, 10.0**low, 10.0**high))
        session = self.stage.session
        session.preview(_with_C(session.document, C))


def _with_C(document: Document, C: float) -> Document:
    return replace(document, penalty=Penalty("C", C))
