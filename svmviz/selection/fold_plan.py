"""The plan of the Folds panel: how to divide the points into parts, which are left out in turn.

A *rival* is a second model that is compared with that of the document.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from solvers import RBF, Kernel, Linear, Method, Polynomial, Problem
from solvers.run.method import counted
from solvers.selection.estimate import NOTES, estimate
from solvers.selection.memory import Memory
from solvers.selection.models import Model
from solvers.selection.procedures import PROCEDURES, repeated_hold_out, result_count
from solvers.selection.search import Result
from solvers.settings import settings_of
from svmviz.base.words import number
from svmviz.document.document import Document
from svmviz.selection.plan import HOLD_OUT, K_FOLD, LEAVE_ONE_OUT, Division

FIVE_BY_TWO = "5x2"
# The procedures that divide the points, and their titles.
TITLES = {
    K_FOLD: "k folds",
    FIVE_BY_TWO: "5 × 2",
    HOLD_OUT: "Hold-out, repeated",
    LEAVE_ONE_OUT: "Leave-one-out",
}
# If the number of fits times n² is at most this, the fits start without a press on a button. They
# take at most about a second with the methods and models of the window.
MAX_CHEAP_EFFORT = 30_000_000
# Maximum number of points for leave-one-out. With more points, the fits would take hours, and the
# pictures would take gigabytes.
MAX_LEFT_OUT = 5_000
# The keys of the choices: no other model, and the model that the user has kept.
NONE, KEPT = "", "kept"


@dataclass(frozen=True)
class Rival:
    """A model that is compared with that of the document."""

    kernel: Kernel
    method: Method
    C: float
    epsilon: float
    task: str

    @property
    def label(self) -> str:
        """Kernel, parameters and method, such as "RBF, γ = 1, C = 10, SMO"."""
        parts = [self.kernel.label.partition(" (")[0]]
        for name, spec in settings_of(self.kernel).items():
            value = getattr(self.kernel, name)
            if isinstance(value, int | float):
                parts.append(f"{spec.label} = {number(float(value), 3)}")
        if self.method.uses_penalty:
            parts.append("hard margin" if math.isinf(self.C) else f"C = {number(self.C, 3)}")
        if self.task == "regression":
            parts.append(f"ε = {number(self.epsilon, 3)}")
        return ", ".join([*parts, self.method.label])

    @property
    def model(self) -> Model:
        """The model for procedures of model selection."""
        changes = {"C": self.C} | ({"epsilon": self.epsilon} if self.task == "regression" else {})
        return Model(self.method, self.kernel, changes)


@dataclass(frozen=True)
class FoldPlan(Division):
    """A procedure that divides the points, with its settings.

    Attributes
    ----------
    procedure : str
        A key of TITLES.
    repeats : int
        Number of splits; used only by the procedure HOLD_OUT.
    rival : Rival or None
        A second model, for the paired test of the procedure FIVE_BY_TWO.
    """

    repeats: int = 6
    rival: Rival | None = None

    @property
    def _title(self) -> str:
        return TITLES[self.procedure]

    @property
    def _sizes(self) -> dict[str, str]:
        sizes = super()._sizes
        splits = counted(self.repeats, "split")
        return sizes | {HOLD_OUT: f"{splits} with {sizes[HOLD_OUT]}", FIVE_BY_TWO: self._title}

    def count(self, n: int) -> int:
        """Return the number of parts for n points, each of which is left out once."""
        if self.procedure == HOLD_OUT:
            return self.repeats
        return result_count(self.procedure, n, 1, self.folds)

    def fits(self, n: int) -> int:
        """Return the number of results for n points, with those of the rival."""
        return self.count(n) * (1 if self.rival is None else 2)

    def is_cheap(self, n: int) -> bool:
        """Return whether all fits for n points take at most about a second."""
        return self.fits(n) * n * n <= MAX_CHEAP_EFFORT

    def results(self, problem: Problem, method: Method, memory: Memory) -> Iterator[Result]:
        """Return an iterator that yields the result of each part as soon as it is computed.

        Results of the rival, whose ``model`` is 1, come last.

        Raises
        ------
        BadInput
            If the points cannot be divided, or the method cannot solve the problem.
        """
        options = {"risk": self.risk or None, "store": memory.store(problem), **self.options}
        if self.procedure == HOLD_OUT:
            return repeated_hold_out(problem, method, self.seed, repeats=self.repeats, **options)
        rivals = [] if self.rival is None else [self.rival.model]
        return PROCEDURES[self.procedure](problem, [method, *rivals], self.seed, **options)

    def note(self, results: list[Result]) -> str:
        """Return one or two sentences on the limits of the estimate, such as correlated folds."""
        procedure = K_FOLD if self.procedure == HOLD_OUT else self.procedure
        note = estimate(procedure, results).note
        if self.procedure == FIVE_BY_TWO and self.rival is None:
            # In the sentence for 5 x 2, the part after the semicolon is removed: it is about the
            # paired test of two models, but here there is only one model.
            return note.replace(NOTES[FIVE_BY_TWO], NOTES[FIVE_BY_TWO].partition(";")[0] + ".")
        return note


def rival_like(document: Document, kernel: Kernel | None = None) -> Rival:
    """Return the model of a document, with its kernel or another one."""
    own = document.kernel if kernel is None else kernel
    return Rival(own, document.method, document.C, document.epsilon, document.task)


def rivals_of(document: Document, kept: Rival | None) -> dict[str, Rival]:
    """Return the models that can be compared with that of a document, by key.

    They are the kept model, if it is for the same task, and the usual kernels that the document
    does not have.
    """
    rivals = {KEPT: kept} if kept is not None and kept.task == document.task else {}
    for kernel in (Linear(), Polynomial(degree=2), RBF()):
        if kernel.name != document.kernel.name:
            rivals[kernel.name] = rival_like(document, kernel)
    return rivals
