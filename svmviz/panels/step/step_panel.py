"""The Why? panel: a sentence on the step, and its update as a formula in letters and in numbers."""

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

# Delay before formulas with numbers are typeset, ms. A step that is shown for a shorter time cannot
# be read anyway.
TYPESET_DELAY = 120
# In a panel narrower than this, px at scale 1, all formulas are broken into lines.
MIN_UNBROKEN_WIDTH = 430
# Pattern of an argument of a LaTeX command, in braces. It may contain braces, but these may not
# contain others.
_ARGUMENT = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
FRACTION = re.compile(rf"\\frac{_ARGUMENT}{_ARGUMENT}")
NO_STEP = "Take a step: its update, and the reason for it, are shown here."


class StepPanel(FramePanel):
    """The formulas, values and sentence of the step shown or, if a beat is shown, of the beat.

    Parameters
    ----------
    stage : Stage

    Attributes
    ----------
    letters, numbers : list of FormulaView
        The views of each equation: with letters, and with the numbers of the step.
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
        # Without the sentence there is room for larger values.
        self.values.set_type_size(LEAD)

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        formulas, values, sentence = _contents(lane)
        self.sentence.setVisible(not self.brief)
        self.sentence.setText(sentence)
        values = tuple((name, tidied(value)) for name, value in values)
        self.values.set_rows(values)
        self.values.setVisible(bool(values) and not (self.brief and formulas))
        while len(self.letters) < len(formulas):
            self._add_row()
        for row, (letters, numbers) in enumerate(zip(self.letters, self.numbers, strict=True)):
            is_used = row < len(formulas)
            self._equations[row].setVisible(is_used)
            letters.setVisible(not self.brief)
            if is_used:
                letters.set_lines(self._lines(formulas[row].letters))
                numbers.set_lines(self._lines(formulas[row].numbers))

    def _lines(self, latex: str) -> tuple[str, ...]:
        """Return the lines of a formula; in a wide panel, one line if the formula fits in it."""
        size = RELATIVE_SIZE * BODY * look_of(self).metrics.controls
        margins = self.box.contentsMargins()
        available = self.width() - margins.left() - margins.right()
        is_wide = self.width() > look_of(self).metrics.px(MIN_UNBROKEN_WIDTH)
        if is_wide and _width(latex) <= available / size:
            return (latex,)
        return break_lines(latex, available / size)

    def _add_row(self) -> None:
        equation = Column(gap=0.5)
        self._equations.append(equation)
        self.letters.append(equation.add(FormulaView()))
        self.numbers.append(equation.add(FormulaView(delay=TYPESET_DELAY, fits_content=self.brief)))
        self.box.insertWidget(self.box.count() - 2, equation)


def _contents(lane: Lane | None) -> tuple[tuple[Formula, ...], Rows, str]:
    """Return formulas, values and sentence of the beat shown; without a beat, of the step."""
    if lane is not None and lane.shown_beat is not None:
        beat = lane.shown_beat.beat
        return beat.formulas, beat.values, f"{beat.name}. {tidied(beat.sentence)}"
    event = lane.event if lane else None
    if event is None:
        return (), (), NO_STEP
    return event.formulas, (), tidied(event.why or event.sentence)


def break_lines(latex: str, width: float) -> tuple[str, ...]:
    r"""Break a formula into pieces at each ``\quad``, and pieces that are too long further.

    If a piece that is too long has several ``=``, or an arrow and a ``=``, it is broken before the
    last ``=``; other such pieces, and a first half that is still too long, before a ``+`` or ``-``.

    Parameters
    ----------
    latex : str
    width : float
        Maximum width of a line, in units of the font size.
    """
    lines: list[str] = []
    for piece in re.split(r",? \\quad ", latex):
        left, equals, result = piece.rpartition(" = ")
        if _width(piece) <= width:
            lines.append(piece)
        elif not left or not re.search(r" = |arrow ", left):
            lines += _break_at_sign(piece, width)
        else:
            lines += [*_break_at_sign(left, width), rf"\quad{equals}{result}"]
    return tuple(lines)


def _break_at_sign(latex: str, width: float) -> list[str]:
    """If a line is too long, break it in two before its last ``+`` or ``-`` outside brackets."""
    if _width(latex) <= width:
        return [latex]
    for sign in reversed(list(re.finditer(r" [+-] ", latex))):
        head = latex[: sign.start()]
        # \leftarrow opens no bracket.
        opening, closing = (
            len(re.findall(rf"\\{side}(?![a-z])", head)) for side in ("left", "right")
        )
        if opening == closing and head.count("{") == head.count("}"):
            return [head, r"\quad" + latex[sign.start() :]]
    return [latex]


def _width(latex: str) -> float:
    """Return the approximate width of a line, in units of the font size.

    Each letter, digit or symbol counts as 0.56.
    """
    # Of a fraction only the longer of numerator and denominator counts. Indices are not counted.
    plain = FRACTION.sub(lambda m: max(m.groups(), key=len), latex)
    plain = plain.replace(r"\quad", "mm")
    plain = re.sub(r"_\{?\w*\}?|\\(?:left|right|[,! ])", "", plain)
    plain = re.sub(r"\\[a-zA-Z]+", "m", plain)
    return 0.56 * len(re.sub(r"[{}]", "", plain))
