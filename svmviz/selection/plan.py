"""The plan of an estimate of risks: the procedure, its settings, and limits on the work."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from solvers import BadInput, Problem
from solvers.run.method import counted
from solvers.selection.memory import Memory
from solvers.selection.models import Model
from solvers.selection.procedures import PROCEDURES, result_count
from solvers.selection.risks import RISKS
from solvers.selection.search import Result, Search
from solvers.selection.splits import Split, fold_splits, hold_out_split, leave_one_out_splits
from svmviz.base.words import number, percent
from svmviz.document.document import Document

K_FOLD, HOLD_OUT, LEAVE_ONE_OUT = "k-fold", "hold-out", "leave-one-out"
# Training on the training part of the document's split, and testing on its validation part.
VALIDATION = "validation"
# The procedures that estimate the risk of a single model, and their titles.
TITLES = {
    K_FOLD: "k folds",
    HOLD_OUT: "Hold-out",
    LEAVE_ONE_OUT: "Leave-one-out",
    VALIDATION: "Validation part",
}
# Maximum of the number of fits times the number of points. At this maximum, the fits take about ten
# minutes with the methods and models of the window.
MAX_EFFORT = 30_000_000
# Maximum of the same product for an exported figure; the fits then take about half a minute. It is
# lower than MAX_EFFORT, because an export does not ask before it computes an estimate.
MAX_EXPORT_EFFORT = 1_500_000
MAX_FOLDS = 1000
# The message if the fits for an exported figure would exceed MAX_EXPORT_EFFORT.
TOO_LONG = "The estimate takes too long for a figure: take fewer points."


@dataclass(frozen=True)
class Division:
    """A procedure that divides the points into parts, with its settings.

    Attributes
    ----------
    procedure : str
        A name in :data:`solvers.selection.procedures.PROCEDURES`; each subclass says which.
    folds : int
        Number of folds; used only by the procedure K_FOLD.
    test : float
        Size of the part that the procedure HOLD_OUT leaves out: a fraction below 1, or a number of
        points.
    stratified : bool
        Whether the classes have the same proportions in each part as in all points.
    seed : int
    risk : str
        A key of :data:`solvers.selection.risks.RISKS`; empty for the first risk of the task.
    """

    procedure: str = K_FOLD
    folds: int = 5
    test: float = 0.2
    stratified: bool = True
    seed: int = 0
    risk: str = ""

    @property
    def options(self) -> dict[str, Any]:
        """The arguments that this procedure has and some other procedures lack, by name."""
        if self.leaves_single_points:
            return {}
        sizes = {K_FOLD: {"folds": self.folds}, HOLD_OUT: {"test": self.test}}
        return {**sizes.get(self.procedure, {}), "stratified": self.stratified}

    @property
    def words(self) -> str:
        """The way in which the points are divided, such as "5 folds, class shares kept"."""
        if self.leaves_single_points or self.procedure not in self._sizes:
            return self._title
        stratified = "class shares kept" if self.stratified else "at random"
        return f"{self._sizes[self.procedure]}, {stratified}"

    @property
    def _title(self) -> str:
        return TITLES[self.procedure]

    @property
    def _sizes(self) -> dict[str, str]:
        """The sizes of the parts in words, per procedure that divides the points at random."""
        size = percent(self.test, 3) if self.test < 1.0 else counted(int(self.test), "point")
        return {K_FOLD: f"{self.folds} folds", HOLD_OUT: f"{size} left out"}

    @property
    def leaves_single_points(self) -> bool:
        """Whether each part that is left out is one point."""
        return self.procedure == LEAVE_ONE_OUT

    def for_task(self, task: str) -> Self:
        """Return the plan; if its risk is for the other task, with the first risk of ``task``."""
        return replace(self, risk="") if self.risk and RISKS[self.risk].task != task else self


def held_words(document: Document, all_machines: bool = False) -> str:
    """Return a sentence on the penalty of all fits; empty if it is the one that the user has set.

    All fits of a search have the same C, also those of each machine if ``all_machines`` are
    fitted. If lambda is set, a fit on fewer points has another lambda.
    """
    if document.penalty.kind == "C" or not document.lam:
        return ""
    has_several = all_machines and document.many is not None
    kept = "the C of its machine" if has_several else f"C = {number(document.C)}"
    return (
        f"Every fit keeps {kept}: with fewer points its λ = 1/(C n) is larger"
        f" than the λ = {number(document.lam)} that is set."
    )


@dataclass(frozen=True)
class Plan(Division):
    """A procedure that estimates risks, with its settings; ``procedure`` is a key of TITLES."""

    def fits(self, n: int, models: int) -> int:
        """Return the number of fits for n points and ``models`` models."""
        if self.procedure == VALIDATION:
            return models
        return result_count(self.procedure, n, 1, self.folds) * models

    def check(self, problem: Problem, models: int) -> None:
        """Raise BadInput if the points cannot be split, or the fits would take too long."""
        if not 0 <= self.seed < 2**31:
            raise BadInput(f"The seed must be at least 0 and below 2^31: got {self.seed}.")
        if self.procedure == K_FOLD and self.folds > MAX_FOLDS:
            raise BadInput(f"There can be {MAX_FOLDS:,} folds at most: got {self.folds:,}.")
        fits = self.fits(problem.n, models)
        if fits * problem.n > MAX_EFFORT:
            cells = f" in {models:,} cells" if models > 1 else ""
            others = ["k folds"] if self.procedure == LEAVE_ONE_OUT else []
            others += ["fewer cells"] if models > 1 else []
            alternatives = f"{', '.join(others)} or " if others else ""
            raise BadInput(
                f"{TITLES[self.procedure]} of {problem.n:,} points{cells} would train"
                f" {fits:,} times: choose {alternatives}fewer points."
            )
        if self.procedure == K_FOLD:
            fold_splits(problem, self.folds, self.seed, self.stratified)
        elif self.procedure == HOLD_OUT:
            hold_out_split(problem, self.test, self.seed, self.stratified)
        elif self.procedure == LEAVE_ONE_OUT:
            leave_one_out_splits(problem)

    def results(self, document: Document, model: Model, memory: Memory) -> Iterator[Result]:
        """Return an iterator that yields each result for one model as soon as it is computed.

        Raises
        ------
        BadInput
            If the points cannot be divided, or the model cannot be trained.
        """
        risk = self.risk or None
        if self.procedure == VALIDATION:
            problem, split = fixed_split(document)
            return Search(problem, model, risk, store=memory.store(problem)).validate([split])
        problem = document.problem()
        return PROCEDURES[self.procedure](
            problem, model, self.seed, risk=risk, store=memory.store(problem), **self.options
        )


def model_of(document: Document) -> Model:
    """Return the model of a document for procedures of model selection."""
    changes = {"C": document.C}
    if document.is_regression:
        changes["epsilon"] = document.epsilon
    return Model(document.method, document.kernel, changes)


def fixed_split(document: Document) -> tuple[Problem, Split]:
    """Return a problem of the training and the validation points, and its split into these parts.

    Both are in the solver units of the training points, as the errors in the window are.

    Raises
    ------
    BadInput
        If there are no validation points.
    """
    problem, held_out = document.problem(), document.held_out
    m = 0 if held_out is None else len(held_out.validation)
    if held_out is None or document.held_points is None or not m:
        raise BadInput("There are no validation points: hold some out first (panel Split).")
    data = held_out.validation
    y = data.points[:, 1] if document.is_regression else data.labels.astype(np.float64)
    both = replace(
        problem,
        X=np.concatenate([problem.X, document.held_points[:m]]),
        y=np.concatenate([problem.y, y]),
        # No fit sees the validation points.
        weights=None if problem.weights is None else np.append(problem.weights, np.ones(m)),
    )
    n = problem.n
    no_rows = np.zeros(0, dtype=np.int64)
    return both, Split(np.arange(n), no_rows, validation=np.arange(n, n + m))
