"""The Loss panel: the loss of each point, and the sum of regulariser and losses, which is P."""

from __future__ import annotations

import math
from typing import Any

from solvers.problem.losses import losses_for
from svmviz.base.words import number
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import Study
from svmviz.panels.frame_panel import FramePanel, reader_of, text_of
from svmviz.panels.objective.loss_charts import LossChart, PartsChart
from svmviz.panels.objective.loss_values import (
    LossStudy,
    LossStudyMaker,
    LossValues,
    beside_words,
    other_forms,
    point_words,
    summary_words,
    values_of,
)
from svmviz.stage.stage import Stage
from svmviz.theme import look_of
from svmviz.widgets.card import FoldingCard
from svmviz.widgets.column import Column
from svmviz.widgets.inputs.segmented import Segmented
from svmviz.widgets.plain_text import set_tip
from svmviz.widgets.still_text import StillText
from svmviz.widgets.value_rows import KeyValue

# Minimum width of the panel for two charts side by side, px at scale 1.
MIN_WIDTH_ACROSS = 560
# Methods whose steps use a sub-gradient of the primal.
SUBGRADIENT_METHODS = ("subgradient", "pegasos")
ROWS = (
    (
        "regulariser",
        "½ ‖w‖²",
        "The regulariser: small if f is flat, so that the margin band is wide",
    ),
    (
        "penalty",
        "C Σ loss",
        "C times the sum of the losses of all points; s, if it is there, is the weight of the "
        "class of a point",
    ),
    ("primal", "P, their sum", "For the loss of the problem, the primal P"),
)
SOURCES = (("line", "Your line"), ("run", "Run"))


class LossPanel(FramePanel):
    """The loss as a curve with the points on it, their histogram, and the two parts of P.

    Parameters
    ----------
    stage : Stage
    """

    name = "loss"
    may_stack = True

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.shown: LossValues | None = None
        self._has_line: bool | None = None
        self._is_tilting = False
        self.words = self.add(StillText(lines=2))
        self.choices = {}
        for task in ("classification", "regression"):
            losses = losses_for(task).values()
            choice = self.add(Segmented([(loss.name, loss.label) for loss in losses]))
            self.choices[task] = choice
            for loss in losses:
                set_tip(choice.button(loss.name), f"{loss.formula}, with " + (
                    "r = y − f(x)" if task == "regression" else "z = y f(x)"
                ))  # fmt: skip
            self.share_choice(task, choice, self.redraw)
        self.source = self.add(Segmented(list(SOURCES)))
        self.share_choice("source", self.source, self._on_source)
        self._on_source(self.source.value)
        (self._slope,) = self.share_value("slope", reader_of(1), self._on_slope) or (-0.5,)
        self._charts = self.add(Column(gap=1.0), 1)
        self.chart = self._charts.add(LossChart(), 3)
        self._right = self._charts.add(Column(gap=1.0), 2)
        self.parts = self._right.add(PartsChart(), 1)
        self.numbers = self._right.add(KeyValue(ROWS, "0.0000, optimum 0.0000"))
        self.key = self.add(StillText(lines=2))
        self.forms_card = self.add(FoldingCard("P as other books write it"))
        self.forms = StillText(lines=6)
        self.forms_card.add(self.forms)
        self.forms_card.fold(True)
        self.link(self.chart, self.chart.point_at, selects=False)
        self.chart.pressed.connect(self._on_pressed)
        self.chart.released.connect(self._on_released)
        self.chart.tilted.connect(lambda slope: self.keep_value("slope", text_of([slope])))

    def make_study(self) -> Study:
        return LossStudyMaker()

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        task = frame.document.task
        for name, choice in self.choices.items():
            choice.setVisible(name == task)
        has_line = isinstance(study, LossStudy) and study.line is not None
        if isinstance(study, LossStudy) and has_line != self._has_line:
            # If the user has just drawn a line, show the losses of this line.
            if self._has_line is not None:
                self.source.set_value("line")
            self._has_line = has_line
        self.source.setVisible(has_line)
        self._charts.lay_across(self.lies_across(MIN_WIDTH_ACROSS))
        if lane is None:
            self.shown = self.chart.shown = self.parts.shown = None
            self.words.setText("Every point is drawn here on the curve of its loss.")
            self.chart.update()
            self.parts.update()
            return
        loss = losses_for(task)[self.choices[task].value]
        self.shown = values = values_of(lane, study, loss, self.source.value == "line")
        uses_subgradient = lane.method.name in SUBGRADIENT_METHODS and loss.name == "hinge"
        if not uses_subgradient:
            self.chart.slope = None
        elif self.chart.slope is None:
            self.chart.slope = min(max(self._slope, -1.0), 0.0)
        self.chart.show_values(values, frame.document.data.labels, lane.run)
        self.parts.show_values(values, lane.run)
        self.words.setText(summary_words(values))
        forms = other_forms(values)
        self.forms.setText(forms)
        # The card is folded at first. In an exported figure nobody could open it.
        is_foldable = bool(forms) and not look_of(self).printing
        # Before an audience the bars say the numbers.
        self.forms_card.setVisible(is_foldable and not self.gives_way)
        self.numbers.setHidden(self.gives_way)
        self.numbers.set_names({"penalty": values.penalty_name})
        self.numbers.set_values({key: self._part(values, key) for key, *_ in ROWS})

    @staticmethod
    def _part(values: LossValues, key: str) -> str:
        """Return a part of the sum, and that of the optimum; rounding noise is 0."""
        texts = []
        for objective in filter(None, (values.objective, values.optimum)):
            part = getattr(objective, key)
            noise = 1e-12 * objective.primal if math.isfinite(objective.primal) else 0.0
            texts.append(number(part if part > noise else 0.0))
        return texts[0] if len(texts) == 1 else f"{texts[0]}, optimum {texts[1]}"

    def mark(self) -> None:
        lit, self.chart.marked = self.stage.spotlight.index, self.marked_points
        self.chart.update()
        values = self.shown
        if values is None:
            self.key.setText("")
        elif lit is not None and lit < values.problem.n:
            self.key.setText(point_words(values, lit))
        elif self.chart.slope is not None:
            slope = number(self.chart.slope, 2)
            self.key.setText(
                f"At the kink y f = 1 every slope from −1 to 0 supports the hinge: here {slope}. "
                "The step takes 0 there."
            )
        else:
            letter = "r = y − f" if values.problem.task == "regression" else "z = y f"
            formula = f"{values.loss.label}: {values.loss.formula}, with {letter}."
            words = (formula, values.loss.no_best)
            self.key.setText(" ".join(filter(None, (*words, beside_words(values)))))

    # What the user does.

    def _on_pressed(self, x: float, y: float) -> None:
        if self._is_tilting or self.chart.takes(x, y):
            self._is_tilting = True
            self.chart.tilt(x, y)
        else:
            self.select_point(self.chart.point_at(x, y))

    def _on_source(self, source: str) -> None:
        self.leaves_line_out = source == "run"
        if self.isVisible():
            self.stage.view.add(self, self.on_plane)
        self.redraw()

    def _on_released(self) -> None:
        self._is_tilting = False

    def _on_slope(self, numbers: tuple[float, ...]) -> None:
        (self._slope,) = numbers
        if self.chart.slope is not None:
            self.chart.slope = min(max(self._slope, -1.0), 0.0)
            self.mark()
