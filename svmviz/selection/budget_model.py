"""The data of the Budget panel: the regularisation path of the document, and the C of a budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from solvers import SMO, BadInput, Problem
from solvers.selection.budget_path import (
    PathPoint,
    budget_path,
    path_point,
    penalties,
    penalty_for,
    penalty_within,
)
from solvers.selection.memory import Memory
from svmviz.document.document import Document, Penalty
from svmviz.selection.background_search import BackgroundSearch, Searches, SearchJob, State
from svmviz.selection.search_model import SearchModel
from svmviz.session.session import Session

# With at most this number of points, the path is computed without being asked for: it takes about
# a second.
MAX_UNASKED = 300


class BudgetModel(SearchModel):
    """The regularisation path that all Budget panels of a window show.

    Parameters
    ----------
    session : Session
    search : BackgroundSearch
        Computes the path.
    refiner : BackgroundSearch
        Computes the C of a budget.

    Attributes
    ----------
    points : list of PathPoint
        The path as far as it is computed, by ascending C.
    """

    def __init__(
        self, session: Session, search: BackgroundSearch, refiner: BackgroundSearch
    ) -> None:
        super().__init__(session, search)
        self._refiner = refiner
        self.points: list[PathPoint] = []
        self._on_found: Callable[[float], None] | None = None
        refiner.arrived.connect(self._on_refined)
        refiner.changed.connect(self._on_refiner)

    @property
    def is_asked_for(self) -> bool:
        """Whether a path of the document takes so long that the user has to start it."""
        return self._session.document.n > MAX_UNASKED

    def start(self) -> None:
        """Compute the path, or what is missing of it.

        Raises
        ------
        BadInput
            If the document cannot be solved.
        """
        document = self._session.document
        problem = document.problem()
        if self.document is None or self.is_stale:
            self._remove_results(document)
        known = {point.C for point in self.points}
        missing = [C for C in penalties(document.C).tolist() if C not in known]
        if missing:
            self.search.start(SearchJob(partial(_path, problem, missing), len(missing)))

    def start_unasked(self) -> None:
        """Compute the path, or its missing point at the document's C, if that is quick.

        Between two points the path is only interpolated.
        """
        document = self._session.document
        is_known = bool(self.points) and not self.is_stale
        has_point = np.isinf(document.C) or document.C in [point.C for point in self.points]
        if (
            (is_known and has_point)
            or self.search.is_active
            or self.is_asked_for
            or self._session.previewing
        ):
            return
        if self.search.state in (State.CANCELLED, State.FAILED) and not self.is_stale:
            return
        try:
            if document.n:
                self.start()
        except BadInput:
            # The plane says why the document cannot be solved.
            self._remove_results(document)

    def slack_at(self, C: float) -> float:
        """Return the slack of the path at C, interpolated; beyond an end, the slack of that end."""
        logs = np.log([point.C for point in self.points])
        return float(np.interp(np.log(C), logs, [point.slack for point in self.points]))

    def penalty_for(self, budget: float) -> float:
        """Return the C of a budget, interpolated between points of the path."""
        return penalty_for(self.points, budget)

    def refine(self, budget: float, found: Callable[[float], None]) -> bool:
        """Search the exact C of a budget, add its point to the path, and call ``found`` with C.

        Return False if the budget lies beyond the ends of the path: then there is no search.
        """
        low = [point.C for point in self.points if point.slack > budget]
        high = [point.C for point in self.points if point.slack <= budget]
        if not low or not high:
            return False
        self._on_found = found
        problem = self._session.document.problem()
        self._refiner.start(SearchJob(partial(_refined, problem, budget, max(low), min(high)), 1))
        return True

    def _remove_results(self, document: Document) -> None:
        super()._remove_results(document)
        self.points = []

    def _differs(self, earlier: Document, now: Document) -> bool:
        return _subject_of(earlier) != _subject_of(now)

    def _on_arrived(self, batch: list[PathPoint]) -> None:
        self.points = sorted([*self.points, *batch], key=lambda point: point.C)

    def _on_refined(self, batch: list[PathPoint]) -> None:
        found, self._on_found = self._on_found, None
        if not self.is_stale:
            self._on_arrived(batch)
        if found is not None:
            found(batch[-1].C)

    def _on_refiner(self) -> None:
        if self._refiner.state is State.FAILED and self._on_found is not None:
            found, self._on_found = self._on_found, None
            found(self._session.document.C)


def budget_of(session: Session, searches: Searches) -> BudgetModel:
    """Return the model that all Budget panels of a window share."""
    return searches.shared("budget", lambda: BudgetModel(session, searches.make(), searches.make()))


def _subject_of(document: Document) -> Document:
    """Return the document without what its path does not depend on."""
    return replace(
        document, penalty=Penalty(), methods=(SMO(),), user_line=None, held_out=None, source=None
    )


def _path(problem: Problem, C_values: list[float], _memory: Memory) -> Iterator[PathPoint]:
    return budget_path(problem, C_values)


def _refined(
    problem: Problem, budget: float, low: float, high: float, _memory: Memory
) -> Iterator[PathPoint]:
    yield path_point(problem, penalty_within(problem, budget, low, high))[0]
