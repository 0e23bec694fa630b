"""The Why? panel: a sentence on the step, and its update as a formula in letters and in numbers."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent

from solvers.run.formulas import Formula
from svmviz.base.words import count, tidied
from svmviz.frames.frame import Frame, Lane
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.step.prediction_view import PredictionView
from svmviz.stage.stage import Stage
from svmviz.theme import TEXT, look_of
from svmviz.widgets.column import NO_LIMIT, Column
from svmviz.widgets.formula import MIN_SCALE, RELATIVE_SIZE, FormulaView
from svmviz.widgets.latex_lines import break_lines, width_of
from svmviz.widgets.still_text import StillText
from svmviz.widgets.value_rows import Rows, ValueRows

# Delay before formulas with numbers are typeset, ms. A step that is shown for a shorter time cannot
# be read anyway.
TYPESET_DELAY = 120
# In a panel narrower than this, px at scale 1, all formulas are broken into lines.
MIN_UNBROKEN_WIDTH = 430
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
        self.sentence = self.add(StillText(lines=3))
        self._equations: list[Column] = []
        # Number of equations of the step or beat shown.
        self._count = 0
        self.letters: list[FormulaView] = []
        self.numbers: list[FormulaView] = []
        self.values = self.add(ValueRows())
        self.box.addStretch(1)
        # It exists only where a step is explained in parts (F6).
        self.prediction: PredictionView | None = None

    def set_brief(self, brief: bool) -> None:
        if brief and self.prediction is None:
            self.prediction = PredictionView(self.stage)
            self.box.insertWidget(0, self.prediction)
            self.stage.prediction.changed.connect(self._on_prediction)
            self.setting_forms.append(self.prediction.switch)
        if self.prediction is not None:
            self.prediction.setVisible(brief)
        for view in (*self.letters, *self.numbers):
            view.set_fits_content(brief)
        super().set_brief(brief)

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        formulas, values, sentence = _contents(lane)
        self.sentence.setText(sentence)
        values = tuple((name, tidied(value)) for name, value in values)
        self.values.set_rows(values)
        self.values.setVisible(bool(values) and not (self.brief and formulas))
        while len(self.letters) < len(formulas):
            self._add_row()
        self._count = len(formulas)
        for row, formula in enumerate(formulas):
            self.letters[row].set_lines(self._lines(formula.letters))
            self.numbers[row].set_lines(self._lines(formula.numbers))
        self._fit()

    def _on_prediction(self) -> None:
        if self.isVisible():
            self._on_frame(self.stage.feed.frame)

    def _fit(self) -> None:
        """Show the sentence and the equations, or only the question that waits for its answer.

        If the panel gives way, it leaves out what does not fit: equations in letters first, then
        the sentence, then the first results. The last result is scaled down to fit; a result is
        never cut, because its beginning alone would be read as a wrong one.
        """
        if self.prediction is not None and self.brief and self.prediction.is_asking:
            for view in (self.sentence, self.values, *self._equations):
                view.hide()
            margins = self.box.contentsMargins()
            self.prediction.fit(self.visible_height - margins.top() - margins.bottom())
            return
        if self.prediction is not None:
            self.prediction.setVisible(self.brief and not self.prediction.is_empty)
        kept = [(True, True, 0)] if not self.brief else []
        kept += [(False, True, 0)] if self.gives_way and not self.brief else []
        kept += [(False, False, first) for first in range(max(self._count, 1))]
        is_fitting = (choice for choice in kept if self._height(*choice) <= self.visible_height)
        has_letters, has_sentence, first = next(is_fitting, kept[-1]) if self.gives_way else kept[0]
        self.sentence.setVisible(has_sentence)
        missing = max(self._height(has_letters, has_sentence, first) - self.visible_height, 0)
        for row, (equation, letters) in enumerate(zip(self._equations, self.letters, strict=True)):
            letters.setVisible(has_letters)
            numbers, is_shown = self.numbers[row], first <= row < self._count
            if self.gives_way:
                height, lack = numbers.sizeHint().height(), missing if is_shown else 0
                numbers.setMaximumHeight(max(height - lack, 0) if lack else NO_LIMIT)
                # Before it is typeset, its height is a guess; hidden, it would not ask again.
                is_shown &= not numbers.is_ready or height - lack >= MIN_SCALE * height
            equation.setVisible(is_shown)

    def _height(self, has_letters: bool, has_sentence: bool, first: int) -> int:
        """Return the height with the sentence and the equations from ``first`` on, px."""
        asks = self.prediction
        views = [asks] if asks is not None and self.brief and not asks.is_empty else []
        views += [self.sentence] if has_sentence else []
        views += [self.values] if self.values.isVisibleTo(self) else []
        views += self.numbers[first : self._count]
        views += self.letters[first : self._count] if has_letters else []
        margins, gap = self.box.contentsMargins(), self.box.spacing()
        height = sum(view.sizeHint().height() + gap for view in views)
        return height + margins.top() + margins.bottom()

    def hasHeightForWidth(self) -> bool:
        # The lines of a question must not change the heights of the panels beside this one.
        return not self.gives_way and super().hasHeightForWidth()

    def event(self, event: QEvent) -> bool:
        # Formulas have their final height only when they are typeset.
        if event.type() == QEvent.Type.LayoutRequest and self.gives_way and self.isVisible():
            self._fit()
        return super().event(event)

    def _lines(self, latex: str) -> tuple[str, ...]:
        """Return the lines of a formula; in a wide panel, one line if the formula fits in it."""
        size = RELATIVE_SIZE * look_of(self).font(TEXT).pixelSize()
        margins = self.box.contentsMargins()
        available = self.width() - margins.left() - margins.right()
        is_wide = self.width() > look_of(self).metrics.px(MIN_UNBROKEN_WIDTH)
        if is_wide and width_of(latex) <= available / size:
            return (latex,)
        return break_lines(latex, available / size)

    def _add_row(self) -> None:
        equation = Column(gap=0.5)
        self._equations.append(equation)
        self.letters.append(equation.add(FormulaView(fits_content=self.gives_way)))
        self.numbers.append(
            equation.add(FormulaView(delay=TYPESET_DELAY, fits_content=self.gives_way))
        )
        self.box.insertWidget(self.box.count() - 2, equation)


def _contents(lane: Lane | None) -> tuple[tuple[Formula, ...], Rows, str]:
    """Return formulas, values and sentence of the beat shown; without a beat, of the step."""
    if lane is not None and lane.shown_beat is not None:
        beat = lane.shown_beat.beat
        return beat.formulas, beat.values, f"{beat.name}. {tidied(beat.sentence)}"
    if lane is None or lane.event is None:
        return (), (), NO_STEP
    why = tidied(lane.event.why or lane.event.sentence)
    # At the end of a run, the sentence below the plane is about the run. This one is about the last
    # step.
    if lane.at_end and lane.stop is not None:
        why = f"Step {count(lane.step)}, the last. {why}"
    return lane.event.formulas, (), why
