"""The Model panel: the line or curve, the support vectors, and the cost of solving, in numbers."""

from __future__ import annotations

from typing import Any

from solvers import Perceptron, Reason, Run
from solvers.methods.perceptron.perceptron import Novikoff
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import Pending, SlowResult, Study
from svmviz.panels.controls.model.model_sheets import CLASS_ROWS, EMPTY, Rows, Sheet, sheet_of
from svmviz.panels.frame_panel import FramePanel
from svmviz.stage.stage import Stage
from svmviz.widgets.plain_text import Label
from svmviz.widgets.value_rows import KeyValue

# Text that is shown while the bound is being computed.
WORDS = "Computing the bound"
# The panel has a table on f, below it a note on units, and below that a table on points and cost.
# The longest texts of values in the first and in the second table. They set the widths of the
# columns of values.
LONGEST_PAIR_TEXT, LONGEST_COUNT_TEXT = "(−0.0000, −0.0000)", "10,000 of 10,000"


class NovikoffStudy:
    """The bound for the lane in focus, computed for a new run and again when it has separated.

    A run has separated if its w separates the points. The second computation is for indefinite
    kernels. With them, a run gives a bound only by this w.
    """

    def __init__(self) -> None:
        self._slow = SlowResult()

    def __call__(self, frame: Frame, runs: tuple[Run, ...]) -> Novikoff | Pending | None:
        lane = frame.lane
        method = lane.method if lane else None
        if lane is None or not isinstance(method, Perceptron):
            return None
        run = next(run for run in runs if run.number == lane.run)
        has_separated = run.reason is Reason.CONVERGED
        key = run.number, has_separated
        beta = run.expansion.beta if has_separated else None
        return self._slow.find(key, lambda: method.bound(run.problem, beta), WORDS)


class ModelCard(FramePanel):
    """The numbers of the model at the step shown. Each number has a fixed position.

    Parameters
    ----------
    stage : Stage
    """

    name = "model"

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage, gap=2.0, margin=3.0)
        self.sheet: Sheet | None = None
        # The tables of all sheets shown so far: `_heads` above the note on units, `_rows` below it.
        # Only the two tables of the present sheet are visible.
        self._heads: dict[Rows, KeyValue] = {}
        self._rows: dict[Rows, KeyValue] = {}
        self.units = self.add(Label(role="caption", wraps=True))
        self.box.addStretch(1)
        # Fill in the tables now, so that the panel has its final size when it is shown.
        frame = stage.feed.frame
        self.draw(frame.lane, None, frame)

    def make_study(self) -> Study:
        return NovikoffStudy()

    @property
    def head(self) -> KeyValue:
        """The table above the note on units."""
        assert self.sheet is not None
        return self._heads[self.sheet.head]

    @property
    def rows(self) -> KeyValue:
        """The table below the note on units."""
        assert self.sheet is not None
        return self._rows[self.sheet.rows]

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        document = frame.document
        sheet = sheet_of(document, lane.method if lane else document.method)
        if self.gives_way:
            # An audience sees the step below the plane, and the other numbers are those of a model.
            sheet = sheet.without_cost()
        if sheet != self.sheet:
            self._show_sheet(sheet)
        if lane is None:
            self.head.set_values({key: EMPTY for key, *_ in sheet.head})
            self.rows.set_values({key: EMPTY for key, *_ in sheet.rows})
            self.units.setText("")
            return
        head, note, rows = sheet.texts(frame, lane, study if isinstance(study, Novikoff) else None)
        self.head.set_values(head)
        self.units.setText(note)
        self.rows.set_values(rows)
        if sheet.rows == CLASS_ROWS:
            C = "C" if lane.problem.weights is None else "Cᵢ"
            self.rows.set_names({"free": f"free, α < {C}", "bound": f"at {C}"})

    def _show_sheet(self, sheet: Sheet) -> None:
        self.sheet = sheet
        if sheet.head not in self._heads:
            self._heads[sheet.head] = table = KeyValue(sheet.head, LONGEST_PAIR_TEXT)
            self.box.insertWidget(self.box.indexOf(self.units), table)
        if sheet.rows not in self._rows:
            self._rows[sheet.rows] = table = KeyValue(sheet.rows, LONGEST_COUNT_TEXT)
            self.box.insertWidget(self.box.indexOf(self.units) + 1, table)
        for rows, widget in {**self._heads, **self._rows}.items():
            widget.setVisible(rows in (sheet.head, sheet.rows))
