"""Why this update? The formula of the step, in letters and with its numbers, and a sentence."""

from __future__ import annotations

import re
from typing import Any

from svmviz.base.words import tidied
from svmviz.frames.frame import Frame, Lane
from svmviz.panels.frame_panel import FramePanel
from svmviz.stage.stage import Stage
from svmviz.theme import BODY, LEAD, active
from svmviz.widgets.column import Column
from svmviz.widgets.formula import LARGER, Formula
from svmviz.widgets.still_text import StillText

# Numbers are typeset once a step has been shown for so long, ms: nobody reads them faster.
CALM = 120
# A panel narrower than this breaks its formulas, px at scale 1.
WIDE = 430
# A fraction: its parts may have braces, but these none inside.
_PART = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
FRACTION = re.compile(rf"\\frac{_PART}{_PART}")
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
        super().__init__(stage, gap=3.0, margin=3.0)
        self.sentence = self.add(StillText(lines=3, size=LEAD))
        self._equations: list[Column] = []
        self.letters: list[Formula] = []
        self.numbers: list[Formula] = []
        self.box.addStretch(1)

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        event = lane.event if lane else None
        formulas = event.formulas() if event else ()
        self.sentence.setText(tidied(event.why or event.sentence) if event else NOTHING)
        while len(self.letters) < len(formulas):
            self._add_row()
        for place, (letters, numbers) in enumerate(zip(self.letters, self.numbers, strict=True)):
            used = place < len(formulas)
            self._equations[place].setVisible(used)
            if used:
                letters.set_lines(self._lines(formulas[place].letters))
                numbers.set_lines(self._lines(formulas[place].numbers))

    def _lines(self, latex: str) -> tuple[str, ...]:
        """A formula in one line, or where there is little width in several."""
        size = LARGER * BODY * active().metrics.scale
        room = self.width() - self.box.contentsMargins().left() - self.box.contentsMargins().right()
        if self.width() > active().metrics.px(WIDE) and _width(latex) <= room / size:
            return (latex,)
        return broken(latex, room / size)

    def _add_row(self) -> None:
        # What belongs together stands together.
        equation = Column(gap=0.5)
        self._equations.append(equation)
        self.letters.append(equation.add(Formula()))
        self.numbers.append(equation.add(Formula(calm=CALM)))
        self.box.insertWidget(self.box.count() - 1, equation)


def broken(latex: str, room: float) -> tuple[str, ...]:
    r"""A formula in lines: apart at each ``\quad``, and where need be before its result or a sign.

    Parameters
    ----------
    latex : str
    room : float
        Width of a line, in units of the type's size.
    """
    lines: list[str] = []
    for part in re.split(r",? \\quad ", latex):
        left, equals, result = part.rpartition(" = ")
        if _width(part) <= room:
            lines.append(part)
        elif not left or not re.search(r" = |arrow ", left):
            lines += _at_a_sign(part, room)
        else:
            lines += [*_at_a_sign(left, room), rf"\quad{equals}{result}"]
    return tuple(lines)


def _at_a_sign(latex: str, room: float) -> list[str]:
    """A line, or where it is too long for the room two: before a sign outside of brackets."""
    if _width(latex) <= room:
        return [latex]
    for found in reversed(list(re.finditer(r" [+-] ", latex))):
        head = latex[: found.start()]
        # An arrow, \leftarrow, opens no bracket.
        opened, closed = (len(re.findall(rf"\\{w}(?![a-z])", head)) for w in ("left", "right"))
        if opened == closed and head.count("{") == head.count("}"):
            return [head, r"\quad" + latex[found.start() :]]
    return [latex]


def _width(latex: str) -> float:
    """About how wide a line is, in units of the type's size: figures and letters are half of it."""
    # Of a fraction the longer part counts; indices are small.
    plain = FRACTION.sub(lambda m: max(m.groups(), key=len), latex)
    plain = plain.replace(r"\quad", "mm")
    plain = re.sub(r"_\{?\w*\}?|\\(?:left|right|[,! ])", "", plain)
    plain = re.sub(r"\\[a-zA-Z]+", "m", plain)
    return 0.56 * len(re.sub(r"[{}]", "", plain))
