"""The kernel, its parameters and Mercer's condition; the penalty; epsilon in regression."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from solvers import ITEM_KERNELS, KERNELS, BadInput, Kernel, Problem, Run
from solvers.data.items import WORDS
from solvers.kernels.mercer import Concavity
from solvers.problem.regression import checked_epsilon
from solvers.settings import settings_of
from svmviz.base.notation import rich
from svmviz.base.words import tidied
from svmviz.document.document import Document
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import ProblemStudy, Study
from svmviz.panels.controls.settings.class_weights_box import ClassWeightsBox
from svmviz.panels.controls.settings.penalty_box import PenaltyBox
from svmviz.panels.controls.settings.settings_panel import SettingsPanel
from svmviz.panels.frame_panel import FramePanel
from svmviz.stage.stage import Stage
from svmviz.widgets.column import Column
from svmviz.widgets.forms import SettingsForm
from svmviz.widgets.icon_button import SmallButton
from svmviz.widgets.inputs.choice_box import ChoiceBox
from svmviz.widgets.inputs.slider import ValueSlider
from svmviz.widgets.inputs.slider_scale import Track
from svmviz.widgets.plain_text import Label, RichLabel, set_tip
from svmviz.widgets.styling import set_style_property

BY_CONSTRUCTION = "Valid kernel: all eigenvalues of its matrix K are ≥ 0."
# Text for a kernel that may be indefinite, before its Gram matrix has been checked.
UNKNOWN_TEXT = "Not guaranteed to be positive semi-definite."
TIP = (
    "Mercer's condition: K, the matrix of the kernel's values for all pairs of points, is "
    "symmetric and has no negative eigenvalue, whatever the points. Otherwise the dual may have "
    "several maxima, and with a hard margin none."
)
EPSILON_PAGE = "concept:epsilon"
# `ModelPanel.step_epsilon` uses the stops of this scale, 0.01, 0.02, 0.05, ..., and 0 below them.
EPSILON_STOPS = Track(0.01, 100.0)


class MercerStudy(ProblemStudy):
    """Study that checks the kernel of the lane in focus, once per problem, but not during a drag.

    Its result is the verdict, or a sentence on points for which the kernel has no value. It is None
    if nothing was checked.
    """

    def __init__(self) -> None:
        super().__init__(_verdict_on)

    def __call__(self, frame: Frame, runs: tuple[Run, ...]) -> Concavity | str | None:
        is_checked = frame.lane is not None and frame.lane.gap_proves is not None
        return super().__call__(frame, runs) if is_checked else None


def _verdict_on(problem: Problem) -> Concavity | str:
    try:
        return problem.concavity
    except BadInput as error:
        return tidied(str(error))


class MercerLine(FramePanel):
    """Line that says whether the kernel is positive semi-definite.

    If the formula of the kernel does not guarantee this, the Gram matrix of the points is checked.
    A negative eigenvalue refutes Mercer's condition. If there is none, the Gram matrix of other
    points may still have one.

    Parameters
    ----------
    stage : Stage
    yes : Label
        Shows the line if the kernel is positive semi-definite; this panel then shows nothing.
    """

    name = "mercer"

    def __init__(self, stage: Stage, yes: Label) -> None:
        super().__init__(stage, margin=0.0)
        self.label, self.yes = self.add(Label(wraps=True)), yes
        for label in (self.label, yes):
            label.hide()
            set_tip(label, TIP)

    def make_study(self) -> Study:
        return MercerStudy()

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        kernel = frame.document.kernel
        verdict: Concavity | str | None = study
        holds = kernel.mercer
        if holds:
            text, role = BY_CONSTRUCTION, "caption"
        elif isinstance(verdict, str):
            text, role = verdict, "error"
        elif verdict is None or verdict.mercer.by_construction:
            text, role = UNKNOWN_TEXT, "caption"
        else:
            text, role = verdict.sentence, "error" if verdict.concave is False else "caption"
            holds = not verdict.mercer.refuted
        shown, other = (self.yes, self.label) if holds else (self.label, self.yes)
        other.hide()
        shown.setText(text)
        shown.show()
        set_style_property(self.label, "role", role)


class ModelPanel(SettingsPanel):
    """Kernel and penalty C of the document.

    Parameters
    ----------
    stage : Stage
    """

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        # Each kernel with its last parameters, by name, restored when the user returns to it.
        self._last_kernels: dict[str, Kernel] = {}
        # The names of the controls that are shown (`keep_only`); None to show all.
        self._only: frozenset[str] | None = None
        self.kernel = self.add(ChoiceBox("Kernel", _choices(stage.session.document)))
        self.formula = self.add(RichLabel())
        twins = self.more.body.add(Column(gap=1.0))
        self.form = self.add(SettingsForm(stage.session.document.kernel, twins_in=twins))
        self.note = self.add(Label(wraps=True))
        yes = self.more.body.add(Label(role="caption", wraps=True))
        self.mercer = self.add(MercerLine(stage, yes))
        self.penalty = self.add(PenaltyBox(stage, self.more))
        self.weights = ClassWeightsBox(stage, self.more)
        self.epsilon = self.add(
            ValueSlider(
                "ε",
                Track(0.0, 1.0, logarithmic=False),
                Document.epsilon,
                _check_epsilon,
                tip="Half the width of the tube: |y − f(x)| ≤ ε costs nothing. In units of y.",
            )
        )
        self.epsilon_help = SmallButton("question-mark", "About ε and its tube")
        self.epsilon_help.clicked.connect(lambda: stage.lesson.concept_requested.emit(EPSILON_PAGE))
        self.epsilon.add_at_end(self.epsilon_help)
        self.epsilon.moved.connect(lambda value: self._session.preview(self._with_epsilon(value)))
        self.epsilon.released.connect(
            lambda value: self._session.edit(self._with_epsilon(value), "Change ε")
        )
        self.add(self.more)
        self.kernel.chosen.connect(self._on_kernel)
        self.form.moved.connect(self._preview)
        self.form.released.connect(self._commit)
        stage.session.document_changed.connect(self._show_document)
        self._show_document()

    def _show_document(self) -> None:
        document = self._session.document
        self.epsilon.setVisible(document.is_regression)
        self.epsilon.set_value(document.epsilon)
        kernel = document.kernel
        self._last_kernels[kernel.name] = kernel
        if kernel.name not in self.kernel.keys:
            self.kernel.set_choices(_choices(document))
        self.kernel.set_value(kernel.name)
        set_tip(self.kernel, kernel.help)
        words = kernel.domain == WORDS
        self.formula.setText(rich(f"k({'s, t' if words else 'x, z'}) = {kernel.notation}"))
        # A kernel that the user types needs no formula, because its text is the formula.
        is_typed = any(spec.scale == "text" for spec in settings_of(kernel).values())
        self.formula.setHidden(is_typed)
        set_tip(self.formula, kernel.help)
        self.form.set_instance(kernel)
        self.note.say(self._session.note)
        if self._only is not None:
            self._hide_others(self._only)
        self._settle()

    def keep_only(self, names: frozenset[str]) -> None:
        """Show only the controls of these names.

        They are ``kernel`` with all of its settings, ``C``, ``lambda``, ``epsilon``, and the
        settings of the kernel.
        """
        self._only = names
        if "kernel" not in names:
            self.form.keep_only(names)
        if "kernel" not in names or "lambda" in names:
            self.more.lay_open()
        self.penalty.kept.setVisible("lambda" in names)
        self._show_document()

    def _hide_others(self, names: frozenset[str]) -> None:
        for widget in (self.kernel, self.formula, self.mercer):
            widget.setHidden(widget.isHidden() or "kernel" not in names)
        self.note.hide()
        self.weights.hide()
        self.epsilon.setHidden(self.epsilon.isHidden() or "epsilon" not in names)
        for name, slider in self.penalty.sliders.items():
            slider.setVisible(name in names)
        self.penalty.setVisible(bool(names & self.penalty.sliders.keys()))

    def _on_kernel(self, name: str) -> None:
        if name != self._session.document.kernel.name:
            kernel = self._last_kernels.get(name) or {**KERNELS, **ITEM_KERNELS}[name]()
            text = f"{kernel.label} kernel"
            self._session.edit(replace(self._session.document, kernel=kernel), text)

    def choose_kernel(self, by: int) -> None:
        """Use the next kernel of the list, or the previous one if ``by`` is -1."""
        others = self.kernel.keys_from(by)
        # A given matrix has no other kernel.
        if others:
            self._on_kernel(others[0])

    def step_gamma(self, by: int) -> None:
        """Set γ to the next larger stop of its slider, or a smaller one if ``by`` is negative."""
        kernel = self._session.committed.kernel
        setting = settings_of(kernel).get("gamma")
        if setting is not None:
            track = Track(setting.low, setting.high)
            stop = track.stop_beside(float(vars(kernel)["gamma"]), by > 0)
            if stop is not None:
                self._commit(type(kernel)(**vars(kernel) | {"gamma": stop}))

    def step_epsilon(self, by: int) -> None:
        """Set ε to the next larger of 0, 0.01, 0.02, 0.05, ..., or smaller one if ``by`` is -1."""
        epsilon = self._session.committed.epsilon
        stop = EPSILON_STOPS.stop_beside(epsilon, by > 0)
        if stop is None and by < 0:
            stop = 0.0
        if stop is not None and stop != epsilon:
            self._session.edit(self._with_epsilon(stop), "Change ε")

    def _with_epsilon(self, value: float) -> Document:
        return replace(self._session.document, epsilon=value)

    def _preview(self, kernel: Kernel) -> None:
        self._session.preview(replace(self._session.document, kernel=kernel))

    def _commit(self, kernel: Kernel) -> None:
        self._session.edit(replace(self._session.document, kernel=kernel), "Change kernel")


def _choices(document: Document) -> list[tuple[str, str, str, str]]:
    """Return the kernels that can compare the points: key, name, help and formula of each."""
    kernels = {**KERNELS, **ITEM_KERNELS}
    return [
        (name, kernel.label, kernel.help, kernel.notation)
        for name, kernel in kernels.items()
        if kernel.domain == document.kernel.domain
    ]


def _check_epsilon(value: float) -> str:
    try:
        checked_epsilon(value)
    except BadInput as error:
        return str(error).replace("epsilon", "ε")
    return ""
