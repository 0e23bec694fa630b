"""Why this update? The formula of the step, in letters and with its numbers, and a sentence."""

from __future__ import annotations

from typing import Any

from svmviz.frame import Frame, Lane
from svmviz.panels.frame_panel import FramePanel
from svmviz.stage import Stage
from svmviz.theme import LEAD
from svmviz.widgets.formula import Formula
from svmviz.widgets.still_text import StillText

# Numbers are typeset once a step has been shown for so long, ms: nobody reads them faster.
CALM = 120
NOTHING = "Step on: what a step computes, and why, is shown here."


class StepPanel(FramePanel):
    """The update of the step shown, as its method wrote it down.

    Parameters
    ----------
    stage : Stage

    Attributes
    ----------
    letters, numbers : list of Formula
        One pair of lines an equation.
    """

    name = "step"

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage, gap=1.5, margin=3.0)
        self.sentence = self.add(StillText(lines=3, size=LEAD))
        self.letters: list[Formula] = []
        self.numbers: list[Formula] = []
        self.box.addStretch(1)

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        event = lane.event if lane else None
        formulas = event.formulas() if event else ()
        self.sentence.setText(event.sentence if event else NOTHING)
        while len(self.letters) < len(formulas):
            self._add_row()
        for place, (letters, numbers) in enumerate(zip(self.letters, self.numbers, strict=True)):
            used = place < len(formulas)
            letters.setVisible(used)
            numbers.setVisible(used)
            if used:
                letters.set_lines((formulas[place].letters,))
                numbers.set_lines((formulas[place].numbers,))

    def _add_row(self) -> None:
        for rows, calm in ((self.letters, 0), (self.numbers, CALM)):
            row = Formula(calm=calm)
            self.box.insertWidget(self.box.count() - 1, row)
            rows.append(row)
