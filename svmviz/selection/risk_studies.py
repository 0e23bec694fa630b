"""The data of the Risk panel: two studies of the risk of the document's model.

The learning curve shows how the risk depends on the number of training points. The other study
shows the distribution of the risk in many random splits. Unlike the studies of a frame, these
studies are computed by background searches.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from solvers import BadInput
from solvers.selection.memory import Memory
from solvers.selection.procedures import curve_sizes, learning_curve, repeated_hold_out
from solvers.selection.search import Result
from solvers.selection.splits import part_size
from svmviz.document.document import Document
from svmviz.selection.axes import without_parameters
from svmviz.selection.background_search import BackgroundSearch, Searches, SearchJob
from svmviz.selection.plan import MAX_EFFORT, Plan, model_of
from svmviz.selection.search_model import RiskModel
from svmviz.session.session import Session

# The two kinds of studies: the learning curve, and the risks of many splits.
LEARNING, SPLITS = "learning", "splits"
# Default number of splits for each kind of study, and the maximum number of splits.
REPEATS = {LEARNING: 20, SPLITS: 200}
MAX_REPEATS = 2000


@dataclass(frozen=True)
class StudySettings:
    """The settings of a study.

    Attributes
    ----------
    kind : str
        LEARNING or SPLITS.
    plan : Plan
        A plan with the procedure HOLD_OUT. It contains the size of the part left out, the seed of
        the first split, and the risk.
    repeats : int
        Number of splits.
    """

    kind: str
    plan: Plan = field(default_factory=lambda: Plan("hold-out"))
    repeats: int = 20

    def sizes(self, n: int) -> list[int]:
        """Return the numbers of points to train on, if the document has n points.

        The learning curve has several numbers, ascending; the study of splits has one.
        """
        training = n - part_size(self.plan.test, n, "test")
        return curve_sizes(training) if self.kind == LEARNING else [training]

    def check(self, document: Document) -> None:
        """Raise BadInput if the study of a document cannot be computed."""
        if not 1 <= self.repeats <= MAX_REPEATS:
            raise BadInput(f"There can be 1 to {MAX_REPEATS:,} splits: got {self.repeats:,}.")
        problem = document.problem()
        self.plan.check(problem, 1)
        fits = self.repeats * len(self.sizes(problem.n))
        if fits * problem.n > MAX_EFFORT:
            raise BadInput(
                f"{self.repeats:,} splits of {problem.n:,} points would train {fits:,} times:"
                " choose fewer splits or fewer points."
            )

    def adapt(self, document: Document) -> StudySettings:
        """Return the settings, with a risk for the task of a document."""
        return replace(self, plan=self.plan.for_task(document.task))

    def job(self, document: Document) -> SearchJob:
        """Return the background job that computes the study of a document."""
        plan, sizes = self.plan, self.sizes(document.n)

        def begin(memory: Memory) -> Iterator[Result]:
            problem, model = document.problem(), model_of(document)
            options: dict[str, Any] = {
                "repeats": self.repeats,
                "test": plan.test,
                "stratified": plan.stratified,
                "risk": plan.risk or None,
                "store": memory.store(problem),
            }
            if self.kind == LEARNING:
                return learning_curve(problem, model, plan.seed, sizes=sizes, **options)
            return repeated_hold_out(problem, model, plan.seed, **options)

        return SearchJob(begin, self.repeats * len(sizes))


class StudyModel(RiskModel[StudySettings]):
    """The study of one kind that all Risk panels of a window show.

    Parameters
    ----------
    kind : str
        LEARNING or SPLITS.
    session : Session
    search : BackgroundSearch

    Attributes
    ----------
    sizes : list of int
        Numbers of training points, ascending.
    risk, training : arrays, shape (repeats, len(sizes))
        Risk on the part left out, and risk on the points that the model was trained on; NaN if
        there is no result yet.
    unfinished : int
        Number of fits that did not converge.
    """

    def __init__(self, kind: str, session: Session, search: BackgroundSearch) -> None:
        super().__init__(session, search, StudySettings(kind, repeats=REPEATS[kind]))
        self.sizes: list[int] = []
        self.risk = self.training = np.full((0, 0), np.nan)
        self.unfinished = 0

    @property
    def document_now(self) -> Document:
        """The session's document now, for which the next search will be."""
        return self._session.document

    def _remove_results(self, document: Document) -> None:
        super()._remove_results(document)
        settings = self.settings
        self.sizes = settings.sizes(document.n)
        shape = settings.repeats, len(self.sizes)
        self.risk, self.training = np.full(shape, np.nan), np.full(shape, np.nan)
        self.unfinished = 0

    def _on_arrived(self, batch: list[Result]) -> None:
        for result in batch:
            index = divmod(result.part, len(self.sizes))
            self.risk[index] = result.risk
            self.training[index] = result.fit.training_risk
            self.unfinished += result.fit.reason != "converged"

    def _differs(self, earlier: Document, now: Document) -> bool:
        return without_parameters(earlier, ()) != without_parameters(now, ())


def study_of(kind: str, session: Session, searches: Searches) -> StudyModel:
    """Return the study model that all Risk panels of a window share."""
    return searches.shared(kind, lambda: StudyModel(kind, session, searches.make()))
