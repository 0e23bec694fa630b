"""A line below the kernel that says whether the kernel satisfies Mercer's condition."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QWidget

from solvers import BadInput, Problem, Run
from solvers.kernels.mercer import Concavity
from svmviz.base.words import tidied
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import Study
from svmviz.panels.frame_panel import FramePanel
from svmviz.stage.stage import Stage
from svmviz.widgets.plain_text import Label, set_tip
from svmviz.widgets.styling import set_style_property

# Text for a kernel that may be indefinite, before its Gram matrix has been checked.
UNKNOWN_TEXT = "Not guaranteed to be positive semi-definite."
TIP = (
    "Mercer's condition: the Gram matrix K of a kernel is symmetric and has no negative eigenvalue,"
    " whatever the points. Otherwise the dual may have several maxima, and with a hard margin none."
    " With a free bias K counts only where Σ β = 0."
)


class MercerStudy:
    """Study that checks the kernel of the lane in focus, once per problem.

    Its result is the verdict, or a sentence on points for which the kernel has no value.
    """

    def __init__(self) -> None:
        # The problem that was checked last, and the result.
        self._last: tuple[Problem, Concavity | str] | None = None

    def __call__(self, frame: Frame, runs: tuple[Run, ...]) -> Concavity | str | None:
        lane = frame.lane
        if lane is None:
            return None
        if self._last is None or self._last[0] is not lane.problem:
            result: Concavity | str
            try:
                result = lane.problem.concavity
            except BadInput as error:
                result = tidied(str(error))
            self._last = lane.problem, result
        return self._last[1]


class MercerLine(FramePanel):
    """Line that says whether the kernel is positive semi-definite.

    If the formula of the kernel does not guarantee this, the Gram matrix of the points is checked.
    A negative eigenvalue refutes Mercer's condition. If there is none, the Gram matrix of other
    points may still have one.

    Parameters
    ----------
    stage : Stage
    parent : QWidget, optional
    """

    name = "mercer"

    def __init__(self, stage: Stage, parent: QWidget | None = None) -> None:
        super().__init__(stage, margin=0.0, parent=parent)
        self.label = self.add(Label())
        self.label.setWordWrap(True)
        set_tip(self, TIP)

    def make_study(self) -> Study:
        return MercerStudy()

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        kernel = frame.document.kernel
        verdict: Concavity | str | None = study
        if kernel.mercer:
            text, role = "Positive semi-definite by construction.", "caption"
        elif isinstance(verdict, str):
            text, role = verdict, "error"
        elif verdict is None or verdict.mercer.by_construction:
            text, role = UNKNOWN_TEXT, "caption"
        else:
            text, role = verdict.sentence, "error" if verdict.concave is False else "caption"
        if (text, role) != (self.label.text(), self.label.property("role")):
            self.label.setText(text)
            set_style_property(self.label, "role", role)
