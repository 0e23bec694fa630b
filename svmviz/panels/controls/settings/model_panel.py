"""The kernel with its parameters, the penalty as C and as lambda, and epsilon in regression."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QWidget

from solvers import ITEM_KERNELS, KERNELS, BadInput, Kernel
from solvers.data.items import WORDS
from solvers.problem.regression import checked_epsilon
from solvers.settings import settings_of
from svmviz.base.notation import rich
from svmviz.document.document import Document
from svmviz.panels.controls.settings.helped_column import HelpedColumn
from svmviz.panels.controls.settings.mercer_line import MercerLine
from svmviz.panels.controls.settings.penalty_box import PenaltyBox
from svmviz.stage.stage import Stage
from svmviz.widgets.forms import SettingsForm
from svmviz.widgets.help_button import HelpButton
from svmviz.widgets.inputs.choice_box import ChoiceBox
from svmviz.widgets.inputs.slider import ValueSlider
from svmviz.widgets.inputs.slider_scale import Track
from svmviz.widgets.plain_text import Label, RichLabel, set_tip

EPSILON_PAGE = "concept:epsilon"
# `ModelPanel.step_epsilon` uses the stops of this scale, 0.01, 0.02, 0.05, ..., and 0 below them.
EPSILON_STOPS = Track(0.01, 100.0)


class ModelPanel(HelpedColumn):
    """Kernel and penalty of the document.

    Parameters
    ----------
    stage : Stage
    parent : QWidget, optional
    """

    def __init__(self, stage: Stage, parent: QWidget | None = None) -> None:
        super().__init__(stage, parent)
        # Each kernel with its last parameters, by name, restored when the user returns to it.
        self._last_kernels: dict[str, Kernel] = {}
        # The names of the controls that are shown (`keep_only`); None to show all.
        self._only: frozenset[str] | None = None
        self.kernel = self.add(ChoiceBox("Kernel", _choices(stage.session.document)))
        self.formula = self.add(RichLabel())
        self.form = self.add(SettingsForm(stage.session.document.kernel))
        self.note = self.add(Label())
        self.note.setWordWrap(True)
        self.mercer = self.add(MercerLine(stage))
        self.penalty = self.add(PenaltyBox(stage))
        self.penalty.help_requested.connect(self.help_requested)
        self.epsilon = self.add(
            ValueSlider(
                "ε",
                Track(0.0, 1.0, logarithmic=False),
                Document.epsilon,
                _check_epsilon,
                tip="Half the width of the tube: |y − f(x)| ≤ ε costs nothing. In units of y.",
            )
        )
        self.epsilon_help = HelpButton("About ε and its tube")
        self.epsilon_help.clicked.connect(lambda: self.help_requested.emit(EPSILON_PAGE))
        self.epsilon.add_at_end(self.epsilon_help)
        self.epsilon.moved.connect(lambda value: self._session.preview(self._with_epsilon(value)))
        self.epsilon.released.connect(
            lambda value: self._session.edit(self._with_epsilon(value), "Change ε")
        )
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
        self.note.setText(self._session.note)
        self.note.setVisible(bool(self._session.note))
        if self._only is not None:
            self._hide_others(self._only)

    def keep_only(self, names: frozenset[str]) -> None:
        """Show only the controls of these names.

        They are ``kernel`` with all of its settings, ``C``, ``lambda``, ``epsilon``, and the
        settings of the kernel.
        """
        self._only = names
        if "kernel" not in names:
            self.form.keep_only(names)
        self._show_document()

    def _hide_others(self, names: frozenset[str]) -> None:
        for widget in (self.kernel, self.formula, self.mercer):
            widget.setHidden(widget.isHidden() or "kernel" not in names)
        self.note.hide()
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
