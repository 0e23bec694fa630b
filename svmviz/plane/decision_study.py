"""The decision of all machines at the step of each lane, and the regions of the classes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from solvers import Expansion, Run
from svmviz.base.words import class_titles
from svmviz.document.document import Document
from svmviz.document.view_options import ViewOptions
from svmviz.frames.decided_points import DecidedPoints
from svmviz.frames.decision_regions import DecisionFields, Regions
from svmviz.frames.frame import Field, Frame, Lane
from svmviz.frames.machine_ends import MachineEnds
from svmviz.frames.solved_machines import SolvedMachine
from svmviz.frames.studies import Pending, SlowResult

# The key of the results in ``frame.studies``.
KEY = "plane:decision"
# A grid with fewer columns is not painted, as that of a frame for a file, which gets a finer field.
MIN_COLUMNS = 3


@dataclass(eq=False)
class DecisionStudy:
    """The decision of all machines at one step of one lane.

    Attributes
    ----------
    fields : DecisionFields
    expansions : tuple of Expansion or None
        f of each machine: that of the step for the one looked at, and of the ends of the others.
    decided : int array, shape (n,), or None
        The class decided for at each point of all parts; None while that is not known.
    unfinished : bool
        Whether the regions are coarser than the field, and finer ones are being computed.
    """

    fields: DecisionFields
    expansions: tuple[Expansion | None, ...]
    decided: np.ndarray | None = None
    unfinished: bool = False
    _regions: list[tuple[Field, Regions]] = field(default_factory=list)

    def regions(self, of: Field) -> Regions:
        """Return the regions of the classes if the machine looked at has this field."""
        if self._regions and (self.unfinished or self._regions[-1][0] is of):
            return self._regions[-1][1]
        self._regions = [(of, self.fields.regions(of))]
        return self._regions[-1][1]

    def show_coarse(self, other: DecisionStudy) -> None:
        """Show the regions of a study of the same step until there are finer ones."""
        self._regions, self.unfinished = list(other._regions), True


class DecisionStudyMaker:
    """A study (:mod:`svmviz.frames.studies`) that returns one :class:`DecisionStudy` per lane."""

    def __init__(self) -> None:
        self._ends = MachineEnds()
        self._points = DecidedPoints()
        self._slow = SlowResult()
        self._fields: DecisionFields | None = None
        # What the fields belong to.
        self._of: object = None
        # The last result of each run, with its lane.
        self._last: dict[int, tuple[Lane, DecisionStudy]] = {}

    def __call__(
        self, frame: Frame, _runs: tuple[Run, ...]
    ) -> tuple[DecisionStudy | Pending | None, ...]:
        document, many = frame.document, frame.document.many
        if many is None:
            return ()
        ends = self._ends.find(document)
        decided, pending = self._decided(frame, ends)
        if pending is not None:
            # While a point is dragged, the other machines may be those of a moment before.
            is_close = self._fields is not None and (
                (self._fields.machines, self._fields.shown) == (many.machines, many.shown)
            )
            if not (frame.temporary and is_close):
                return (pending,) * len(frame.lanes)
        elif self._of is not ends and not isinstance(ends, Pending):
            self._of = ends
            expansions = [end and end.expansion for end in ends]
            self._fields = DecisionFields(many.machines, expansions, many.shown, document.factors)
            self._last = {}
        assert self._fields is not None
        results = {
            lane.run: self._study_of(lane, self._fields, classes)
            for lane, classes in zip(frame.lanes, decided, strict=True)
        }
        self._last = {lane.run: (lane, results[lane.run]) for lane in frame.lanes}
        return tuple(results[lane.run] for lane in frame.lanes)

    def _decided(
        self, frame: Frame, ends: tuple[SolvedMachine | None, ...] | Pending
    ) -> tuple[list[np.ndarray | None], Pending | None]:
        """Return the classes of all points for each lane, and what they wait for."""
        if isinstance(ends, Pending):
            return [None] * len(frame.lanes), ends
        decided, pending = [], None
        for lane in frame.lanes:
            found = self._points.find(frame.document, ends, lane)
            if isinstance(found, Pending):
                found, pending = None, found
            decided.append(found)
        return decided, pending

    def _study_of(
        self, lane: Lane, fields: DecisionFields, decided: np.ndarray | None
    ) -> DecisionStudy:
        before, last = self._last.get(lane.run, (lane, None))
        if before is lane and last is not None and not last.unfinished and last.fields is fields:
            return replace(last, decided=decided)
        expansions = list(fields.expansions)
        expansions[fields.shown] = lane.expansion
        study, grid = DecisionStudy(fields, tuple(expansions), decided), lane.field.grid
        if grid.columns < MIN_COLUMNS:
            return study
        if last is not None and before.step == lane.step and not fields.knows(grid) and grid.pixels:
            # The picture has come to rest: the fine grid of the other machines may take some time.
            found = self._slow.find((fields, grid), lambda: fields.others_on(grid), "")
            if isinstance(found, Pending):
                study.show_coarse(last)
                return study
            fields.store(grid, found)
        study.regions(lane.field)
        return study


def is_shown(document: Document, options: ViewOptions) -> bool:
    """Return whether the plane shows the decision."""
    return options.decision and document.has_decision


def decision_of(frame: Frame) -> DecisionStudy | None:
    """Return the decision at the step of the lane in focus, or None if it is not known."""
    results = frame.studies.get(KEY) or ()
    result = results[min(frame.focus, len(results) - 1)] if results else None
    return result if isinstance(result, DecisionStudy) else None


def machine_words(frame: Frame, with_name: bool = False) -> str:
    """Return words such as "machine 1: ", which go before errors of one machine.

    They are empty unless the plane shows the decision, beside which the errors could be taken for
    those of all machines.
    """
    many = frame.document.many
    if many is None or KEY not in frame.studies:
        return ""
    name = f", {many.machine.name(class_titles(many.data))}" if with_name else ""
    return f"machine {many.shown + 1}{name}: "
