"""The update of the step: its formula in letters and in numbers, and a sentence."""

from __future__ import annotations

import re
from typing import Any

from solvers.run.formulas import Formula
from svmviz.base.words import tidied
from svmviz.frames.frame import Frame, Lane
from svmviz.panels.frame_panel import FramePanel
from svmviz.stage.stage import Stage
from svmviz.theme import BODY, LEAD, look_of
from svmviz.widgets.column import Column
from svmviz.widgets.formula import RELATIVE_SIZE, FormulaView
from svmviz.widgets.still_text import StillText
from svmviz.widgets.value_rows import Rows, ValueRows

# Delay before numbers are typeset, ms: a step shown for a shorter time cannot be read.
TYPESET_DELAY = 120
# Minimum width of a panel that keeps a formula on one line, px at scale 1.
MIN_UNBROKEN_WIDTH = 430
# A fraction whose parts may contain braces one level deep.
_PART = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
FRACTION = re.compile(rf"\\frac{_PART}{_PART}")
NO_STEP = "Take a step: its update, and the reason for it, are shown here."


class StepPanel(FramePanel):
    """The update of the step shown, as its event describes it.

    Parameters
    ----------
    stage : Stage

    Attributes
    ----------
    letters, numbers : list of FormulaView
        One pair per equation.
    """

    name = "step"

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage, gap=3.0, margin=3.0)
        self.sentence = self.add(StillText(lines=3, size=LEAD))
        self._equations: list[Column] = []
        self.letters: list[FormulaView] = []
        self.numbers: list[FormulaView] = []
        self.values = self.add(ValueRows())
        self.box.addStretch(1)

    def make_brief(self) -> None:
        super().make_brief()
        # The values decide what comes next, and have room without the sentence.
        self.values.set_type_size(LEAD)

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        formulas, values, words = _content(lane)
        self.sentence.setVisible(not self.brief)
        self.sentence.setText(words)
        values = tuple((name, tidied(value)) for name, value in values)
        self.values.set_rows(values)
        self.values.setVisible(bool(values) and not (self.brief and formulas))
        while len(self.letters) < len(formulas):
            self._add_row()
        for row, (letters, numbers) in enumerate(zip(self.letters, self.numbers, strict=True)):
            used = row < len(formulas)
            self._equations[row].setVisible(used)
            letters.setVisible(not self.brief)
            if used:
                letters.set_lines(self._lines(formulas[row].letters))
                numbers.set_lines(self._lines(formulas[row].numbers))

    def _lines(self, latex: str) -> tuple[str, ...]:
        """Return a formula in one line, or in several lines if the panel is narrow."""
        size = RELATIVE_SIZE * BODY * look_of(self).metrics.controls
        room = self.width() - self.box.contentsMargins().left() - self.box.contentsMargins().right()
        wide = self.width() > look_of(self).metrics.px(MIN_UNBROKEN_WIDTH)
        if wide and _width(latex) <= room / size:
            return (latex,)
        return break_lines(latex, room / size)

    def _add_row(self) -> None:
        equation = Column(gap=0.5)
        self._equations.append(equation)
        self.letters.append(equation.add(FormulaView()))
        self.numbers.append(equation.add(FormulaView(delay=TYPESET_DELAY, fits_content=self.brief)))
        self.box.insertWidget(self.box.count() - 2, equation)


def _content(lane: Lane | None) -> tuple[tuple[Formula, ...], Rows, str]:
    """Return formulas, values and the sentence of the beat shown, or else of the step."""
    if lane is not None and lane.shown_beat is not None:
        beat = lane.shown_beat.beat
        return beat.formulas, beat.values, f"{beat.name}. {tidied(beat.sentence)}"
    event = lane.event if lane else None
    if event is None:
        return (), (), NO_STEP
    return event.formulas(), (), tidied(event.why or event.sentence)


def break_lines(latex: str, room: float) -> tuple[str, ...]:
    r"""Break a formula at each ``\quad``; break a part that is too long before its result or sign.

    Parameters
    ----------
    latex : str
    room : float
        Width of a line, in units of the font size.
    """
    lines: list[str] = []
    for part in re.split(r",? \\quad ", latex):
        left, equals, result = part.rpartition(" = ")
        if _width(part) <= room:
            lines.append(part)
        elif not left or not re.search(r" = |arrow ", left):
            lines += _break_at_sign(part, room)
        else:
            lines += [*_break_at_sign(left, room), rf"\quad{equals}{result}"]
    return tuple(lines)


def _break_at_sign(latex: str, room: float) -> list[str]:
    """Return a line; if it is too long, break it before a sign outside of brackets."""
    if _width(latex) <= room:
        return [latex]
    for found in reversed(list(re.finditer(r" [+-] ", latex))):
        head = latex[: found.start()]
        # \leftarrow opens no bracket.
        opened, closed = (len(re.findall(rf"\\{w}(?![a-z])", head)) for w in ("left", "right"))
        if opened == closed and head.count("{") == head.count("}"):
            return [head, r"\quad" + latex[found.start() :]]
    return [latex]


def _width(latex: str) -> float:
    """Return the approximate width of a line, in units of the font size.

    Digits and letters are half as wide as high.
    """
    # The longer part of a fraction counts; indices are small.
    plain = FRACTION.sub(lambda m: max(m.groups(), key=len), latex)
    plain = plain.replace(r"\quad", "mm")
    plain = re.sub(r"_\{?\w*\}?|\\(?:left|right|[,! ])", "", plain)
    plain = re.sub(r"\\[a-zA-Z]+", "m", plain)
    return 0.56 * len(re.sub(r"[{}]", "", plain))
