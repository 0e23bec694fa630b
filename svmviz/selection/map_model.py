"""The data of the Map panel: how the risk of a model depends on one or two parameters.

A map is a grid of cells. Each cell is a model with other values of the parameters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from solvers import BadInput
from solvers.cancelling import check_cancelled
from solvers.data.datasets import PointSet
from solvers.selection.memory import Memory
from solvers.selection.search import Result
from svmviz.document.document import Document
from svmviz.selection.axes import Axis, axes_of, value_of, with_values, without_parameters
from svmviz.selection.background_search import BackgroundSearch, Searches, SearchJob
from svmviz.selection.cells import Cells, coarse_to_fine
from svmviz.selection.plan import VALIDATION, Plan, fixed_split, model_of
from svmviz.selection.search_model import RiskModel
from svmviz.session.session import Session


@dataclass(frozen=True)
class MapSettings:
    """The settings of a map.

    Attributes
    ----------
    x : Axis
        The parameter that varies from column to column.
    y : Axis or None
        The parameter that varies from row to row; None if the map has one row.
    plan : Plan
        How the risk of each cell is estimated.
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
        """Number of rows and of columns."""
        return 1 if self.y is None else len(self.y.values), len(self.x.values)

    def values(self, cell: int) -> dict[str, float]:
        """Return the values of the parameters in a cell, by name."""
        row, column = divmod(cell, self.shape[1])
        values = {self.x.name: self.x.values[column]}
        return values if self.y is None else {**values, self.y.name: self.y.values[row]}

    def check(self, document: Document) -> None:
        """Raise BadInput if the risks of a map cannot be computed."""
        self.x.check()
        if self.y is not None:
            self.y.check()
        rows, columns = self.shape
        self.plan.check(document.problem(), rows * columns)
        if self.plan.procedure == VALIDATION:
            fixed_split(document)

    def adapt(self, document: Document) -> MapSettings:
        """Return the settings, adapted to a document that may lack their parameters or their risk.

        The axes become the default axes if the document lacks one of their parameters. They also
        become the default axes if C was the only parameter of the map, and the document's model now
        has a second parameter.
        """
        axes, plan = axes_of(document), self.plan.for_task(document.task)
        if self.x.name in axes and (self.y is None or self.y.name in axes):
            needs_second = self.y is None and len(axes) > 1 and self.x.name == "C"
            if not needs_second:
                return MapSettings(self.x, self.y, plan)
        return default_settings(document, plan)

    def job(self, document: Document) -> SearchJob:
        """Return the background job that computes the cells of a map, from coarse to fine."""
        rows, columns = self.shape

        def begin(memory: Memory) -> Iterator[CellResult]:
            for cell in coarse_to_fine(rows, columns):
                check_cancelled()
                try:
                    model = model_of(with_values(document, self.values(cell)))
                    for result in self.plan.results(document, model, memory):
                        yield CellResult(cell, result)
                except BadInput as error:
                    yield CellResult(cell, None, str(error))

        return SearchJob(begin, self.plan.fits(document.n, rows * columns))


class CellResult(NamedTuple):
    """One result of a cell, or ``refusal``, a sentence on why no result follows for the cell."""

    cell: int
    result: Result | None
    refusal: str = ""

    @property
    def solved(self) -> bool:
        """Whether a fit was computed for this result."""
        return self.result is not None and self.result.solved


class MapModel(RiskModel[MapSettings]):
    """The settings and results of the map that all Map panels of a window show.

    Parameters
    ----------
    session : Session
    search : BackgroundSearch

    Attributes
    ----------
    cells : Cells
    """

    def __init__(self, session: Session, search: BackgroundSearch) -> None:
        super().__init__(session, search, default_settings(session.document))
        self.cells = Cells(1, 1)

    @property
    def best(self) -> int | None:
        """The cell with the lowest risk; None if no cell has all results yet."""
        if self.result_settings is None or self.document is None:
            return None
        plan = self.result_settings.plan
        # The first fit of leave-one-out leaves out no part, and `Cells` does not count it.
        parts = plan.fits(self.document.n, 1) - plan.leaves_single_points
        return self.cells.best(parts)

    def position_of(self, document: Document) -> tuple[float, float] | None:
        """Return the position of a document's model on the map; None if it is outside the map.

        The position is (column, row), with fractions between two cells.
        """
        settings = self.result_settings
        if settings is None:
            return None
        x = settings.x.position(value_of(document, settings.x.name))
        y = 0.0
        if settings.y is not None:
            y = settings.y.position(value_of(document, settings.y.name))
        return None if x is None or y is None else (x, y)

    def load(self, cell: int) -> None:
        """Give the document the parameters of a cell, with one undo entry."""
        if self.result_settings is None or self.is_stale:
            return
        values = self.result_settings.values(cell)
        try:
            changed = with_values(self._session.document, values)
        except BadInput:
            return
        self._session.edit(changed, "Parameters from the map")

    def _remove_results(self, document: Document) -> None:
        super()._remove_results(document)
        self.cells = Cells(*self.settings.shape)

    def _on_arrived(self, batch: list[CellResult]) -> None:
        for cell_result in batch:
            if cell_result.result is None:
                self.cells.refuse(cell_result.cell, cell_result.refusal)
            else:
                self.cells.add(cell_result.cell, cell_result.result)

    def _differs(self, earlier: Document, now: Document) -> bool:
        assert self.result_settings is not None
        if self.result_settings.plan.procedure == VALIDATION and not same_validation(earlier, now):
            return True
        return not _differ_at_most_in(self.result_settings.names, earlier, now)


def map_of(session: Session, searches: Searches) -> MapModel:
    """Return the map model that all Map panels of a window share."""
    return searches.shared("map", lambda: MapModel(session, searches.make()))


def default_settings(document: Document, plan: Plan | None = None) -> MapSettings:
    """Return settings with C on the x axis and the next parameter of the model on the y axis."""
    axes = list(axes_of(document).values())
    return MapSettings(axes[0], axes[1] if len(axes) > 1 else None, plan or Plan())


def _differ_at_most_in(names: tuple[str, ...], one: Document, other: Document) -> bool:
    """Return whether two documents differ at most in the parameters ``names`` of their models."""
    if one.task != other.task or type(one.kernel) is not type(other.kernel):
        return False
    if one.data is not other.data and not same_points(one.data, other.data):
        return False
    try:
        return without_parameters(one, names) == without_parameters(other, names)
    except BadInput:
        return False


def same_validation(one: Document, other: Document) -> bool:
    """Return whether two documents have the same validation points."""
    first, second = (None if it.held_out is None else it.held_out.validation for it in (one, other))
    return first is second or (
        first is not None and second is not None and same_points(first, second)
    )


def same_points(one: PointSet, other: PointSet) -> bool:
    """Return whether two sets have the same points with the same labels, in the same order."""
    return np.array_equal(one.points, other.points) and np.array_equal(one.labels, other.labels)
