"""The map of two parameters: its settings, its search, and its cells so far. No widget."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from solvers import BadInput
from solvers.cancelling import check_cancelled
from solvers.selection.memory import Memory
from solvers.selection.models import Model
from solvers.selection.procedures import PROCEDURES
from solvers.selection.risks import RISKS
from solvers.selection.search import Result
from svmviz.document.document import Document
from svmviz.selection.axes import Axis, axes_of, value_of, with_values, without
from svmviz.selection.background_search import BackgroundSearch, Job, Searches
from svmviz.selection.cells import Cells, coarse_to_fine
from svmviz.selection.plan import Plan
from svmviz.selection.search_model import SearchModel
from svmviz.session.session import Session


@dataclass(frozen=True)
class MapSettings:
    """What a map shows.

    Attributes
    ----------
    x : Axis
    y : Axis or None
        None for one row.
    plan : Plan
    """

    x: Axis
    y: Axis | None
    plan: Plan = field(default_factory=Plan)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the parameters that are varied."""
        return (self.x.name,) if self.y is None else (self.x.name, self.y.name)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return 1 if self.y is None else len(self.y.values), len(self.x.values)

    def values(self, cell: int) -> dict[str, float]:
        """Return the parameters of a cell."""
        row, column = divmod(cell, self.shape[1])
        found = {self.x.name: self.x.values[column]}
        return found if self.y is None else {**found, self.y.name: self.y.values[row]}

    def check(self, document: Document) -> None:
        """Raise BadInput, one sentence, if the map cannot be filled."""
        self.x.check()
        if self.y is not None:
            self.y.check()
        rows, columns = self.shape
        self.plan.check(document.problem(), rows * columns)


class Found(NamedTuple):
    """A result of a cell, or the sentence on why it has none."""

    cell: int
    result: Result | None
    refusal: str = ""

    @property
    def solved(self) -> bool:
        """Whether it had to be computed."""
        return self.result is not None and self.result.solved


class MapModel(SearchModel[MapSettings]):
    """The map that all map panels of a window show.

    Parameters
    ----------
    session : Session
    search : BackgroundSearch

    Attributes
    ----------
    cells : Cells
    """

    def __init__(self, session: Session, search: BackgroundSearch) -> None:
        super().__init__(session, search)
        self._settings = usual_settings(session.document)
        self.cells = Cells(1, 1)

    @property
    def settings(self) -> MapSettings:
        """What the next search does, with axes and risk that the document has."""
        self._settings = refitted(self._settings, self._session.document)
        return self._settings

    @property
    def best(self) -> int | None:
        """The cell of the lowest risk; None if there is none."""
        if self.shown is None or self.document is None:
            return None
        plan = self.shown.plan
        parts = plan.fits(self.document.n, 1) - plan.leaves_single_points
        return self.cells.best(parts)

    def place_of(self, document: Document) -> tuple[float, float] | None:
        """Return where the model of a document lies (column, row); None if beyond the map."""
        settings = self.shown
        if settings is None:
            return None
        x = settings.x.place(value_of(document, settings.x.name))
        y = 0.0
        if settings.y is not None:
            y = settings.y.place(value_of(document, settings.y.name))
        return None if x is None or y is None else (x, y)

    def set_settings(self, settings: MapSettings) -> None:
        """Change what the next search does."""
        self._settings = settings
        self.changed.emit()

    def start(self) -> None:
        """Fill the map for the document; raise BadInput, one sentence, if that cannot be done."""
        document, settings = self._session.document, self.settings
        settings.check(document)
        self.cells = Cells(*settings.shape)
        self._start(settings, map_job(document, settings))

    def load(self, cell: int) -> None:
        """Make the parameters of a cell those of the document: one undo entry."""
        if self.shown is None or self.is_stale:
            return
        values = self.shown.values(cell)
        try:
            changed = with_values(self._session.document, values)
        except BadInput:
            return
        self._session.edit(changed, "Parameters from the map")

    def _on_arrived(self, batch: list[Found]) -> None:
        for found in batch:
            if found.result is None:
                self.cells.refuse(found.cell, found.refusal)
            else:
                self.cells.add(found.cell, found.result)

    def _differs(self, shown: Document, now: Document) -> bool:
        assert self.shown is not None
        return not _same_but(self.shown.names, shown, now)


def map_of(session: Session, searches: Searches) -> MapModel:
    """Return the map of a window."""
    return searches.shared("map", lambda: MapModel(session, searches.make()))


def usual_settings(document: Document, plan: Plan | None = None) -> MapSettings:
    """Return C and the next parameter of the model, with k folds."""
    axes = list(axes_of(document).values())
    return MapSettings(axes[0], axes[1] if len(axes) > 1 else None, plan or Plan())


def refitted(settings: MapSettings, document: Document) -> MapSettings:
    """Return the settings with axes and risk that the document has."""
    known, plan = axes_of(document), settings.plan
    if plan.risk and RISKS[plan.risk].task != document.task:
        plan = Plan(plan.procedure, plan.folds, plan.test, plan.stratified, plan.seed)
    if settings.x.name in known and (settings.y is None or settings.y.name in known):
        one_row = settings.y is None and len(known) > 1 and settings.x.name == "C"
        if not one_row:
            return MapSettings(settings.x, settings.y, plan)
    return usual_settings(document, plan)


def map_job(document: Document, settings: MapSettings) -> Job:
    """Return the search that fills a map, from coarse to fine."""
    plan, (rows, columns) = settings.plan, settings.shape

    def begin(memory: Memory) -> Iterator[Found]:
        problem = document.problem()
        store = memory.store(problem)
        for cell in coarse_to_fine(rows, columns):
            check_cancelled()
            try:
                changed = with_values(document, settings.values(cell))
                changes = {"C": changed.C}
                if document.is_regression:
                    changes["epsilon"] = changed.epsilon
                model = Model(document.method, changed.kernel, changes)
                results = PROCEDURES[plan.procedure](
                    problem, model, plan.seed, risk=plan.risk or None, store=store, **plan.options
                )
                for result in results:
                    yield Found(cell, result)
            except BadInput as error:
                yield Found(cell, None, str(error))

    return Job(begin, plan.fits(document.n, rows * columns))


def _same_but(names: tuple[str, ...], one: Document, other: Document) -> bool:
    """Return whether two documents differ in these parameters at most."""
    if one.task != other.task or type(one.kernel) is not type(other.kernel):
        return False
    if one.data is not other.data and not _same_points(one, other):
        return False
    try:
        return without(one, names) == without(other, names)
    except BadInput:
        return False


def _same_points(one: Document, other: Document) -> bool:
    return (
        one.n == other.n
        and np.array_equal(one.data.points, other.data.points)
        and np.array_equal(one.data.labels, other.data.labels)
    )
