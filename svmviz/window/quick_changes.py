"""Changes of the model by one key: solver, kernel, data set, C, γ, ε, task and lanes of a race.

Each change works like a change in the settings column: it makes one undo entry, and each kernel and
method has the settings that it had last. A word in front of the planes shows the new choice.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from solvers import METHODS, Kernel
from solvers.settings import settings_of
from svmviz.base.words import class_titles, number
from svmviz.document.class_weights import BALANCED, weights_words
from svmviz.document.document import Document
from svmviz.document.lanes import other_model, titles_of_lanes
from svmviz.panels.controls.settings.solver_panel import BIAS_NAMES
from svmviz.panels.objective.race.shared_problem import why_no_model, why_not
from svmviz.plane.race_tiles import MAX_LANES
from svmviz.session.edits import look_at
from svmviz.stage.stage import Stage
from svmviz.window.docks.settings_column import SettingsColumn


class QuickChanges(QObject):
    """The changes, which are made through the settings column of the window.

    Parameters
    ----------
    stage : Stage
    settings : callable() -> SettingsColumn
    parent : QObject

    Signals
    -------
    changed : str, str
        The new choice as a word, or the reason why there is none; and a further line, may be empty.
    """

    changed = Signal(str, str)

    def __init__(
        self, stage: Stage, settings: Callable[[], SettingsColumn], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._stage, self._session, self._view = stage, stage.session, stage.view
        self._settings = settings

    def choose_method(self, by: int) -> None:
        """Use the next method in the lane in focus; the one before it if ``by`` is -1."""
        before = self._session.document
        self._settings().solver.choose_method(by)
        document = self._session.document
        bias = f"Bias b: {BIAS_NAMES[document.bias]}" if document.bias != before.bias else ""
        self.changed.emit(self._stage.method.label, bias)

    def choose_kernel(self, by: int) -> None:
        """Use the next kernel, or the one before it if ``by`` is -1."""
        self._settings().model.choose_kernel(by)
        self.changed.emit(kernel_name(self._session.document.kernel), self._session.note)

    def choose_dataset(self, by: int) -> None:
        """Generate the next data set, or the one before it if ``by`` is -1."""
        data = self._settings().data
        data.choose_dataset(by)
        self.changed.emit(data.dataset_title, self._session.note)

    def change_task(self) -> None:
        """Change between classification and regression."""
        self._settings().data.change_task()
        self.changed.emit(self._session.document.task.capitalize(), self._session.note)

    def choose_machine(self, by: int) -> None:
        """Look at the next machine of several classes, or the one before it if ``by`` is -1."""
        many = self._session.committed.many
        if many is not None:
            look_at(self._session, (many.shown + by) % len(many.machines))
            looked = self._session.committed.many or many
            name = looked.machine.name(class_titles(looked.data))
            self.changed.emit(name, f"Machine {looked.shown + 1} of {len(looked.machines)}")

    def toggle_decision(self) -> None:
        """Show the decision of all machines in the plane, or the machine looked at."""
        self._view.set(decision=not self.shows_decision)
        words = "Decision of all machines" if self.shows_decision else "The machine looked at"
        self.changed.emit(words, "")

    @property
    def shows_decision(self) -> bool:
        """Whether the plane shows the decision."""
        return self._view.options.decision

    def step_penalty(self, by: int) -> None:
        """Go to the next larger round value of C, or to the next smaller one if ``by`` is -1."""
        document = self._session.document
        if not any(method.uses_penalty for method in document.methods):
            names = " and ".join(dict.fromkeys(method.label for method in document.methods))
            self.changed.emit(f"{names}: no C", "This method does not use the penalty.")
            return
        self._settings().model.penalty.step(by)
        self.changed.emit(*penalty_words(self._session.document))

    def step_gamma(self, by: int) -> None:
        """Go to the next larger round value of γ, or to the next smaller one if ``by`` is -1."""
        kernel = self._session.document.kernel
        if "gamma" not in settings_of(kernel):
            self.changed.emit(f"{kernel_name(kernel)}: no γ", "")
            return
        self._settings().model.step_gamma(by)
        self.changed.emit(*gamma_words(self._session.document.kernel))

    def step_epsilon(self, by: int) -> None:
        """Go to the next larger round value of ε, or to the next smaller one if ``by`` is -1."""
        if not self._session.document.is_regression:
            self.changed.emit("Classification: no ε", "ε is half the width of a regression's tube.")
            return
        self._settings().model.step_epsilon(by)
        self.changed.emit(f"ε = {number(self._session.document.epsilon)}", "")

    def add_to_race(self) -> None:
        """Add the next registered solver that can join the race."""
        document = self._session.document
        names = list(METHODS)
        racing = [method.name for method in document.methods]
        start = names.index(racing[-1]) + 1
        others = [name for name in names[start:] + names[:start] if name not in racing]
        troubles = []
        for method in (METHODS[name]() for name in others):
            trouble = why_not(document, method)
            if not trouble:
                self._stage.add_lane(method)
                self.changed.emit("Race", " · ".join(titles_of_lanes(self._session.document)))
                return
            troubles.append(trouble)
        is_full = len(racing) >= MAX_LANES
        self.changed.emit("Race", troubles[0] if is_full else "No other method can join.")

    def compare(self, compared: str) -> None:
        """Put a model beside those that are there; ``compared`` is a key of ``COMPARED``."""
        document = self._session.document
        own = other_model(document, compared)
        trouble = why_no_model(document, compared)
        if trouble:
            self.changed.emit("Compare", trouble)
            return
        self._stage.add_lane(self._stage.method, **own)
        self.changed.emit(" · ".join(titles_of_lanes(self._session.document)), "")

    def end_race(self) -> None:
        """Remove all methods from the race except the one in focus."""
        self._stage.end_race()
        self.changed.emit(self._stage.method.label, "")


def kernel_name(kernel: Kernel) -> str:
    """Return the name of a kernel as it is announced, such as ``RBF kernel``."""
    return f"{kernel.label.partition(' (')[0]} kernel"


def gamma_words(kernel: Kernel) -> tuple[str, str]:
    """Return ``γ = 0.5`` and a line: the value of σ, or the name of a kernel that has no σ."""
    gamma = float(vars(kernel)["gamma"])
    twin = settings_of(kernel)["gamma"].twin
    line = kernel_name(kernel) if twin is None else f"{twin.label} = {number(twin.back(gamma))}"
    return f"γ = {number(gamma)}", line


def model_words(document: Document, has_numbers: bool = True, is_short: bool = False) -> str:
    """Return methods, kernel with its numbers, and penalty: ``SMO · RBF, γ = 1 · C = 10``.

    What the lanes have of their own is left out, since their titles name it. If ``is_short``, the
    weights of the classes are ``C = 10, balanced`` or ``C = 10, weighted``.
    """
    kernel, methods = document.kernel, document.methods
    own = document.changes[0].own if document.changes else {}
    parts = [kernel.label.partition(" (")[0]]
    for name, spec in settings_of(kernel).items() if has_numbers else ():
        value = getattr(kernel, name)
        # "degree d" has the letter d.
        is_number = not isinstance(value, str)
        parts.append(f"{spec.label.split()[-1]} = {number(value)}" if is_number else value)
    words = [" and ".join(dict.fromkeys(method.label for method in methods))]
    if "kernel" not in own:
        words.append(", ".join(parts))
    if "penalty" not in own and any(method.uses_penalty for method in methods):
        words.append(penalty_words(document)[0])
    if document.has_weights and is_short:
        words[-1] += ", balanced" if document.class_weights == BALANCED else ", weighted"
    elif document.has_weights:
        words.append(weights_words(document.weight_per_class))
    if "epsilon" not in own and document.is_regression:
        words.append(f"ε = {number(document.epsilon)}")
    return " · ".join(words)


def penalty_words(document: Document) -> tuple[str, str]:
    """Return a word on the penalty, such as ``C = 10``, and a further line.

    If the user set λ, the word names λ, and the line names C.
    """
    cost = "C = ∞" if document.lam == 0.0 else f"C = {number(document.C)}"
    if document.penalty.kind == "lambda":
        return f"λ = {number(document.lam)}", cost
    return cost, "Hard margin" if document.lam == 0.0 else ""
