"""The choice of a model: kernels, methods and parameters, compared on the validation part.

A *candidate* is a kernel and a method. Each candidate has a small grid of parameters, and each pair
of a candidate and its parameters is a model that is trained on the training part and tested on the
validation part. The test part has no influence.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from solvers import RBF, BadInput, Kernel, Linear, Method, Perceptron, Polynomial
from solvers.cancelling import check_cancelled
from solvers.methods.pegasos.pegasos import Pegasos
from solvers.run.method import Reason
from solvers.selection.memory import Memory
from solvers.selection.search import Result
from svmviz.document.document import Document
from svmviz.selection.axes import Axis, axes_of, with_values
from svmviz.selection.background_search import BackgroundSearch, Searches, SearchJob
from svmviz.selection.cells import NOT_SEPARABLE
from svmviz.selection.map_model import MapSettings, same_points, same_validation
from svmviz.selection.plan import VALIDATION, Plan, fixed_split, model_of
from svmviz.selection.search_model import RiskModel
from svmviz.session.session import Session

# Number of values of C and of a further parameter with a logarithmic range.
VALUES = 7
# First and last degree of polynomial kernels. Beyond them the numbers of the Gram matrix grow so
# much that runs reach their step limit.
DEGREES = 2.0, 5.0
# Settings of documents on which results depend, besides the points and the varied parameters.
FIXED = ("task", "scaling", "bias", "epsilon")


@dataclass(frozen=True)
class Candidate:
    """A kernel and a method, which is compared with other candidates."""

    kernel: Kernel
    method: Method

    @property
    def label(self) -> str:
        """The names of both, such as "Linear, SMO"."""
        return f"{self.kernel_label}, {self.method.label}"

    @property
    def kernel_label(self) -> str:
        """The name of the kernel, such as "RBF"."""
        return self.kernel.label.partition(" (")[0]

    def on(self, document: Document) -> Document:
        """Return the document with this kernel and this method."""
        return replace(document, kernel=self.kernel, methods=(self.method,))

    def axes(self, document: Document) -> list[Axis]:
        """Return the parameters that are varied: C if the method uses it, and one of the kernel."""
        axes = list(axes_of(self.on(document)).values())
        c_axis, others = replace(axes[0], count=VALUES), axes[1:]
        chosen = [c_axis] if self.method.uses_penalty else []
        degree = next((axis for axis in others if axis.name == "degree"), None)
        if degree is not None:
            low, high = DEGREES
            chosen.append(replace(degree, low=low, high=high, count=round(high - low) + 1))
        elif others and others[0].name != "epsilon":
            count = min(others[0].count, VALUES)
            chosen.append(replace(others[0], count=count))
        return chosen

    def choices(self, document: Document) -> list[dict[str, float]]:
        """Return the values of the parameters of each model; C varies fastest."""
        choices: list[dict[str, float]] = [{}]
        for axis in reversed(self.axes(document)):
            choices = [{**old, axis.name: value} for old in choices for value in axis.values]
        return choices


@dataclass(frozen=True)
class ChoiceSettings:
    """The candidates, and how their risks are measured.

    Attributes
    ----------
    candidates : tuple of Candidate
        Of models with equal risks the first is chosen, so simple kernels come first.
    plan : Plan
    """

    candidates: tuple[Candidate, ...]
    plan: Plan = field(default_factory=lambda: Plan(VALIDATION))

    def models(self, document: Document) -> list[tuple[Candidate, dict[str, float]]]:
        """Return the candidates with the values of the parameters of each of their models."""
        return [(one, values) for one in self.candidates for values in one.choices(document)]

    def adapt(self, document: Document) -> ChoiceSettings:
        """Return the settings as they are: the candidates are chosen for each search."""
        return self

    def check(self, document: Document) -> None:
        """Raise BadInput if the candidates cannot be compared."""
        if not self.candidates:
            raise BadInput("Choose at least one kernel and one method.")
        problem, _ = fixed_split(document)
        self.plan.check(problem, len(self.models(document)))

    def job(self, document: Document) -> SearchJob:
        """Return the background job that trains and tests all models, one after another."""
        models = self.models(document)

        def begin(memory: Memory) -> Iterator[ModelResult]:
            for candidate, values in models:
                check_cancelled()
                try:
                    model = model_of(with_values(candidate.on(document), values))
                    for result in self.plan.results(document, model, memory):
                        if result.fit.reason == Reason.NOT_SEPARABLE:
                            yield ModelResult(candidate, values, None, NOT_SEPARABLE)
                        else:
                            yield ModelResult(candidate, values, result)
                except BadInput as error:
                    yield ModelResult(candidate, values, None, str(error))

        return SearchJob(begin, len(models))


class ModelResult(NamedTuple):
    """The result of one model, or ``refusal``, a sentence on why it has none."""

    candidate: Candidate
    values: dict[str, float]
    result: Result | None
    refusal: str = ""

    @property
    def solved(self) -> bool:
        """Whether a fit was computed for this result."""
        return self.result is not None and self.result.solved

    @property
    def risk(self) -> float:
        """The risk on the validation part; infinite if there is none."""
        return math.inf if self.result is None else self.result.risk


class ChoiceModel(RiskModel[ChoiceSettings]):
    """The results of the last choice, which all panels of a window show.

    Parameters
    ----------
    session : Session
    search : BackgroundSearch

    Attributes
    ----------
    best_of : dict of Candidate to ModelResult
        The model with the lowest risk of each candidate, or one that was refused.
    """

    def __init__(self, session: Session, search: BackgroundSearch) -> None:
        super().__init__(session, search, ChoiceSettings(()))
        self.best_of: dict[Candidate, ModelResult] = {}

    @property
    def best(self) -> ModelResult | None:
        """The model with the lowest risk of all; None if no model has a risk yet."""
        results = [self.best_of[one] for one in self._candidates if one in self.best_of]
        found = min(results, key=lambda result: result.risk, default=None)
        return found if found is not None and math.isfinite(found.risk) else None

    @property
    def _candidates(self) -> tuple[Candidate, ...]:
        return () if self.result_settings is None else self.result_settings.candidates

    @property
    def is_taken(self) -> bool:
        """Whether the session's document has the kernel, method and parameters of the best."""
        best, now = self.best, self._session.document
        if best is None:
            return False
        try:
            taken = self._taken(best, now)
        except BadInput:
            return False
        return all(getattr(taken, name) == getattr(now, name) for name in ("kernel", "method", "C"))

    def take(self) -> MapSettings | None:
        """Give the document the best model, with one undo entry, and return the map around it.

        The result is None if there is no best model, or if it has no parameters.
        """
        best = self.best
        if best is None or self.is_stale:
            return None
        document = self._taken(best, self._session.document)
        self._session.edit(document, "Take the chosen model")
        axes = best.candidate.axes(document)
        if not axes or self.result_settings is None:
            return None
        return MapSettings(axes[0], axes[1] if len(axes) > 1 else None, self.result_settings.plan)

    def _taken(self, best: ModelResult, document: Document) -> Document:
        return with_values(best.candidate.on(document), best.values)

    def _remove_results(self, document: Document) -> None:
        super()._remove_results(document)
        self.best_of = {}

    def _on_arrived(self, batch: list[ModelResult]) -> None:
        for result in batch:
            old = self.best_of.get(result.candidate)
            if old is None or result.risk < old.risk:
                self.best_of[result.candidate] = result

    def _differs(self, earlier: Document, now: Document) -> bool:
        settings_agree = all(getattr(earlier, name) == getattr(now, name) for name in FIXED)
        same_data = earlier.data is now.data or same_points(earlier.data, now.data)
        return not (settings_agree and same_data and same_validation(earlier, now))


def choice_of(session: Session, searches: Searches) -> ChoiceModel:
    """Return the model of the choice that all panels of a window share."""
    return searches.shared("choice", lambda: ChoiceModel(session, searches.make()))


def kernels_for(document: Document) -> tuple[Kernel, ...]:
    """Return the kernels that are offered: three usual ones, and that of the document."""
    usual: list[Kernel] = [Linear(), Polynomial(degree=2), RBF()]
    own = document.kernel
    usual = [own if type(own) is type(kernel) else kernel for kernel in usual]
    return tuple(usual if own in usual else [*usual, own])


def methods_for(document: Document) -> tuple[Method, ...]:
    """Return the methods that are offered: that of the document, and those with other optima.

    The other methods find the same f as SMO, so a choice among them would choose nothing.
    """
    others = [Pegasos(), Perceptron()]
    own = document.method
    fitting = [one for one in others if type(one) is not type(own) and document.task in one.tasks]
    return (own, *fitting)
