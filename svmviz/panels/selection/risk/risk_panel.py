"""The Risk panel: two studies of the risk of the model, each with its own settings and results.

The learning curve shows the risk as a function of the number of training points. The other study
shows the distribution of the risk in many random splits.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from solvers.run.method import counted
from solvers.selection.splits import part_size
from svmviz.base.words import count
from svmviz.frames.frame import Frame, Lane
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.search_bar import SearchBar
from svmviz.panels.selection.cell_words import risk_words, spread_words
from svmviz.panels.selection.number_entry import NumberEntry
from svmviz.panels.selection.plan_form import PlanForm
from svmviz.selection.background_search import State
from svmviz.selection.plan import MAX_EXPORT_EFFORT, TOO_LONG, held_words
from svmviz.selection.risk_studies import LEARNING, SPLITS, StudyModel, study_of
from svmviz.stage.stage import Stage
from svmviz.theme import look_of
from svmviz.widgets.card import FoldingCard
from svmviz.widgets.charts.histogram import Histogram
from svmviz.widgets.charts.spread_chart import SpreadChart, SpreadCurve
from svmviz.widgets.column import Column
from svmviz.widgets.inputs.choice_box import ChoiceBox
from svmviz.widgets.plain_text import ErrorLabel
from svmviz.widgets.still_text import StillText

# Of each study: its title, its tooltip, and the sentence that is shown before the first results.
KINDS = {LEARNING: "Learning curve", SPLITS: "Many splits"}
TIPS = {
    LEARNING: "Training and validation risk over the number of training points.",
    SPLITS: "The risk over many random splits, which shows how far a single split can be off.",
}
INVITATIONS = {
    LEARNING: "Press Estimate to train the model on more and more points, and to test it on the"
    " points left out.",
    SPLITS: "Press Estimate to train and test the model on many random splits of the points.",
}
STALE = "Points or model have changed since this was computed. Estimate again."


class StudyView(Column):
    """Widgets of one study: buttons, chart, sentence and settings.

    Parameters
    ----------
    model : StudyModel
    task : str
        The task of the document, which decides the risks that can be chosen.
    """

    def __init__(self, model: StudyModel, task: str) -> None:
        super().__init__(gap=1.0)
        self.model = model
        kind = model.settings.kind
        self.bar = self.add(SearchBar(model.search, "Estimate", TIPS[kind]))
        self.bar.started.connect(self._start)
        self.error_label = self.add(ErrorLabel())
        self.curves = SpreadChart("training points", "risk", height=240.0)
        self.histogram = Histogram("risk", "splits", height=240.0)
        self.chart = self.add(self.curves if kind == LEARNING else self.histogram, 1)
        self.words = self.add(StillText(lines=3))
        self.card = self.add(FoldingCard("How it is estimated"))
        self.plan = PlanForm(procedures=False)
        name, tip = "The number of splits", "How many times the points are split."
        self.repeats = NumberEntry("splits", name, tip, whole=True)
        for form in (self.repeats, self.plan):
            self.card.add(form)
        self.plan.changed.connect(self._on_typed)
        self.repeats.typed.connect(self._on_typed)
        self.refresh(task)

    # Settings.

    def _keep_settings(self) -> None:
        """Study with the settings of the form from now on; raise BadInput if one is not valid."""
        settings = replace(
            self.model.settings, plan=self.plan.read(), repeats=int(self.repeats.read())
        )
        self.repeats.accept()
        self.model.set_settings(settings)

    def _on_typed(self) -> None:
        self.error_label.attempt(self._keep_settings)

    def _start(self) -> None:
        attempt = self.error_label.attempt
        if attempt(self._keep_settings) and attempt(self.model.start):
            self.card.fold(True)

    def prepare_for_figure(self) -> None:
        """Hide the controls, and start the study if it has no results.

        In an exported figure no user can start the study. If the study would take too long, it is
        not started, and a sentence says so.
        """
        self.bar.hide()
        self.card.hide()
        if self.model.result_settings is not None:
            return
        if self.error_label.text():
            return
        document, settings = self.model.document_now, self.model.settings
        if not self.error_label.attempt(lambda: settings.check(document)):
            return
        if settings.repeats * len(settings.sizes(document.n)) * document.n > MAX_EXPORT_EFFORT:
            self.words.setText(TOO_LONG)
        else:
            self._start()

    # Display.

    def refresh(self, task: str) -> None:
        """Show the results so far, and the settings with which the study would be started."""
        model = self.model
        self.plan.show_plan(model.settings.plan, task)
        self.repeats.set_value(model.settings.repeats)
        if model.search.state is State.FAILED:
            self.error_label.say(model.search.trouble)
        has_results = bool(np.isfinite(model.risk).any())
        self.chart.setVisible(has_results and not model.is_stale)
        if model.is_stale:
            self.words.setText(STALE)
        elif not has_results:
            self.words.setText(INVITATIONS[model.settings.kind])
        elif model.settings.kind == LEARNING:
            self._show_curves()
        else:
            self._show_splits()

    def _show_curves(self) -> None:
        model = self.model
        factor = 100.0 if model.is_fraction else 1.0
        curves = [
            SpreadCurve(name, *_moments(factor * values), dashed=name == "training")
            for name, values in (("validation", model.risk), ("training", model.training))
        ]
        self.curves.chart.set_labels("training points", self._risk_label())
        self.curves.show_curves(curves, model.sizes, logarithmic=True)
        self.words.setText(learning_words(model))

    def _show_splits(self) -> None:
        model = self.model
        assert model.document is not None
        assert model.result_settings is not None
        # A fraction of wrong points, in %, is a multiple of 100 / (number of points left out for
        # the test).
        step = 0.0
        if model.is_fraction:
            n = model.document.n
            step = 100.0 / part_size(model.result_settings.plan.test, n, "test")
        self.histogram.set_labels(self._risk_label(), "splits")
        self.histogram.show_sample((100.0 if model.is_fraction else 1.0) * model.risk.ravel(), step)
        self.words.setText(splits_words(model))

    def _risk_label(self) -> str:
        return f"{self.model.risk_label} risk{', %' if self.model.is_fraction else ''}"


class RiskPanel(FramePanel):
    """Panel that shows one of the two studies.

    Parameters
    ----------
    stage : Stage
    """

    name = "risk"
    # Allows a dock narrower than the buttons need; their names may then be cut off.
    may_stack = True

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        # Document, size and look that were drawn last.
        self._drawn: object = None
        kinds = [(key, title, TIPS[key]) for key, title in KINDS.items()]
        self.kind = self.add(ChoiceBox("Study", kinds))
        task = stage.session.document.task
        self.views = {
            kind: self.add(StudyView(study_of(kind, stage.session, stage.searches), task), 1)
            for kind in KINDS
        }
        self.share_choice("kind", self.kind, lambda _kind: self._refresh())
        for view in self.views.values():
            view.model.changed.connect(self._refresh)

    @property
    def view(self) -> StudyView:
        """The widgets of the study that is shown."""
        return self.views[self.kind.value]

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        # This panel does not depend on the step of a run.
        key = self.stage.session.document, self.size(), look_of(self)
        if key != self._drawn:
            self._drawn = key
            self._refresh()
        if look_of(self).printing:
            self.view.prepare_for_figure()

    @property
    def is_busy(self) -> bool:
        """Whether results are still being computed; the export of a figure waits for them."""
        return self.view.model.search.is_active

    def _refresh(self) -> None:
        if not self.isVisible():
            return
        for kind, view in self.views.items():
            view.setVisible(kind == self.kind.value)
        self.view.refresh(self.stage.session.document.task)


def _moments(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return mean and sample standard deviation of the finite values in each column.

    In a column without finite values, both are NaN; with one finite value, the deviation is NaN.
    """
    counts = np.isfinite(values).sum(axis=0)
    without_nan = np.nan_to_num(values)
    mean = np.where(counts > 0, without_nan.sum(axis=0) / np.maximum(counts, 1), math.nan)
    deviation = np.where(np.isfinite(values), values - mean, 0.0)
    spread = np.sqrt((deviation**2).sum(axis=0) / np.maximum(counts - 1, 1))
    return mean, np.where(counts > 1, spread, math.nan)


def learning_words(model: StudyModel) -> str:
    """Return sentences on the risks at the largest number of training points, with advice."""
    risk, training = model.risk[:, -1], model.training[:, -1]
    computed = np.isfinite(risk)
    advice = (
        "If the curves are still apart, more points would help; if they meet high up, the model is"
        " too simple, or the points are noisy."
    )
    if not computed.any():
        return advice
    in_percent = model.is_fraction
    size = count(model.sizes[-1])
    training_risk = risk_words(float(training[computed].mean()), in_percent, 2)
    return (
        f"With {size} training points ({_division(model)}): validation"
        f" {_mean_words(risk[computed], in_percent)}, training {training_risk}."
        f" {advice}{_limits(model)}"
    )


def splits_words(model: StudyModel) -> str:
    """Return sentences on mean, deviation and range of the risks, with a warning on the spread."""
    risks = model.risk[np.isfinite(model.risk)]
    in_percent = model.is_fraction
    low, high = (risk_words(float(end), in_percent, 2) for end in (risks.min(), risks.max()))
    splits = counted(len(risks), "split")
    return (
        f"Risk {_mean_words(risks, in_percent)} over {splits} ({_division(model)}), from {low} to"
        f" {high}: one hold-out may give any of these. All splits share the same points, so the"
        " risks are correlated, and the spread is not a standard error of the mean."
        f"{_limits(model)}"
    )


def _division(model: StudyModel) -> str:
    assert model.result_settings is not None
    return model.result_settings.plan.words


def _limits(model: StudyModel) -> str:
    """Return sentences on the penalty of the fits, and on those that did not converge."""
    assert model.document is not None
    held = held_words(model.document)
    return f"{' ' if held else ''}{held}{_unfinished_words(model)}"


def _mean_words(risks: np.ndarray, in_percent: bool) -> str:
    """Return "mean ± sample standard deviation"; with ``in_percent``, fractions are shown in %."""
    mean = float(risks.mean())
    if len(risks) < 2:
        return risk_words(mean, in_percent)
    return spread_words(mean, float(risks.std(ddof=1)), in_percent)


def _unfinished_words(model: StudyModel) -> str:
    """Return a sentence on the fits that did not converge; empty if all converged."""
    if not model.unfinished:
        return ""
    return f" {counted(model.unfinished, 'fit')} did not converge."
