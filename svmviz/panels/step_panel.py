"""Why this update? The formula of the step, in letters and with its numbers, and a sentence."""

from __future__ import annotations

from typing import Any

from svmviz.frame import Frame, Lane
from svmviz.panels.frame_panel import FramePanel
from svmviz.stage import Stage
from svmviz.theme import LEAD, active
from svmviz.widgets.formula import Formula
from svmviz.widgets.still_text import StillText
from svmviz.words import tidied

# Numbers are typeset once a step has been shown for so long, ms: nobody reads them faster.
CALM = 120
# A panel narrower than this breaks its formulas, px at scale 1.
WIDE = 430
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
        self.sentence.setText(tidied(event.sentence) if event else NOTHING)
        while len(self.letters) < len(formulas):
            self._add_row()
        for place, (letters, numbers) in enumerate(zip(self.letters, self.numbers, strict=True)):
            used = place < len(formulas)
            letters.setVisible(used)
            numbers.setVisible(used)
            if used:
                letters.set_lines(self._lines(formulas[place].letters))
                numbers.set_lines(self._lines(formulas[place].numbers))

    def _lines(self, latex: str) -> tuple[str, ...]:
        """A formula in one line, or where there is little width broken before its result."""
        left, equals, result = latex.rpartition(" = ")
        if not left or " = " not in left or self.width() > active().metrics.px(WIDE):
            return (latex,)
        return left, rf"\quad{equals}{result}"

    def _add_row(self) -> None:
        for rows, calm in ((self.letters, 0), (self.numbers, CALM)):
            row = Formula(calm=calm)
            self.box.insertWidget(self.box.count() - 1, row)
            rows.append(row)
