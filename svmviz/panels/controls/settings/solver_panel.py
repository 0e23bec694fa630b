"""The Solver settings: the method with its own settings, and the kind of bias."""

from __future__ import annotations

import contextlib
from dataclasses import replace

from solvers import METHODS, BadInput, Method
from solvers.problem.problem import BIASES
from svmviz.panels.controls.settings.settings_panel import SettingsPanel
from svmviz.stage.stage import Stage
from svmviz.widgets.forms import SettingsForm
from svmviz.widgets.inputs.choice_box import ChoiceBox
from svmviz.widgets.plain_text import MutedLabel, set_tip

BIAS_NAMES = {"free": "Free", "none": "None", "augmented": "Regularised (k + 1)"}


class SolverPanel(SettingsPanel):
    """The method of the lane in focus, and the bias of the problem.

    Parameters
    ----------
    stage : Stage
    """

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._stage = stage
        # Each method with its last settings, by name, restored when the user returns to it.
        self._last_methods: dict[str, Method] = {}
        # The names of the controls that are shown (`keep_only`); None to show all.
        self._only: frozenset[str] | None = None
        document = stage.session.document
        choices = [(name, method.label, method.help) for name, method in METHODS.items()]
        self.method = self.add(ChoiceBox("Method", choices))
        self.add(self.more)
        self.help = self.more.body.add(MutedLabel())
        self.form = self.more.compare(SettingsForm(document.method))
        biases = [(key, BIAS_NAMES[key]) for key in BIASES]
        self.bias = self.more.compare(ChoiceBox("Bias b", biases))
        self.bias_words = self.more.body.add(MutedLabel())
        self.method.chosen.connect(self._on_method)
        self.form.moved.connect(self._on_moved)
        self.form.released.connect(self._on_released)
        self.bias.chosen.connect(self._on_bias)
        stage.session.document_changed.connect(self._show_document)
        stage.playback.focus_changed.connect(self._show_document)
        self._show_document()

    def _show_document(self) -> None:
        document = self._session.document
        method = self._stage.method
        self._last_methods[method.name] = method
        self.method.set_value(method.name)
        self.method.refuse(
            {
                name: f"{kind.label} is for {' and '.join(kind.tasks)}, not for {document.task}."
                for name, kind in METHODS.items()
                if document.task not in kind.tasks
            }
        )
        self.help.setText(method.help.partition(". ")[0].rstrip(".") + ".")
        set_tip(self.method, f"{method.help}\nSource: {method.source}.")
        self.form.set_instance(method)
        common = [key for key in method.biases if all(key in m.biases for m in document.methods)]
        allowed = [key for key in BIASES if key in common or key == document.bias]
        self.bias.set_choices([(key, BIAS_NAMES[key], _capital(BIASES[key])) for key in allowed])
        self.bias.default = next(iter(common), document.bias)
        self.bias.set_value(document.bias)
        has_one_bias = len(method.biases) == 1
        words = _capital(BIASES[document.bias]) + "."
        self.bias_words.setText(
            f"{words} {method.label} supports no other bias." if has_one_bias else words
        )

        if self._only is not None:
            for name, widgets in (
                ("method", (self.method, self.help)),
                ("bias", (self.bias, self.bias_words)),
            ):
                for widget in widgets:
                    widget.setVisible(name in self._only)
        self._settle()

    def keep_only(self, names: frozenset[str]) -> None:
        """Show only the controls of these names.

        They are ``method`` with all of its settings, ``bias``, and the settings of the method.
        """
        self._only = names
        if "method" not in names:
            self.form.keep_only(names)
        if "method" not in names or "bias" in names:
            self.more.lay_open()
        self._show_document()

    def _on_method(self, name: str) -> None:
        document = self._session.document
        if name != self._stage.method.name:
            method = self._last_methods.get(name) or METHODS[name]()
            try:
                changed = document.with_method(method, self._stage.lane)
            except BadInput as error:
                # In a race, the method may have no kind of bias in common with the other lanes.
                self._show_document()
                self.bias_words.setText(str(error))
                self.more.open(True)
                return
            self._session.edit(changed, f"Solve by {method.label}")

    def choose_method(self, by: int) -> None:
        """Use the next method of the list, or the previous one if ``by`` is -1.

        Methods that cannot solve the task are skipped. In a race, the lane in focus gets the
        method, and methods without a kind of bias in common with the other lanes are skipped, too.
        """
        document = self._session.document
        for name in self.method.keys_from(by):
            with contextlib.suppress(BadInput):
                document.with_method(METHODS[name](), self._stage.lane)
                self._on_method(name)
                return

    def _on_moved(self, method: Method) -> None:
        self._session.preview(self._session.document.with_method(method, self._stage.lane))

    def _on_released(self, method: Method) -> None:
        document = self._session.document
        self._session.edit(document.with_method(method, self._stage.lane), f"Change {method.label}")

    def _on_bias(self, bias: str) -> None:
        self._session.edit(replace(self._session.document, bias=bias), "Change bias")


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
