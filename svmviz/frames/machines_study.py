"""The state of each machine of a document, and the errors of their decision."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers import Certificate, Expansion, Run
from svmviz.frames.decided_points import DecidedPoints
from svmviz.frames.frame import Frame
from svmviz.frames.machine_ends import MachineEnds
from svmviz.frames.solved_machines import SolvedMachine, confusion_tables
from svmviz.frames.studies import Pending


@dataclass(frozen=True)
class MachineState:
    """One machine: at its end, or at the step shown if it is looked at.

    Attributes
    ----------
    name : str
    n : int
        Number of its training points.
    step, length : int
        The step, and the number of steps of its run.
    gap : float
    errors, support : int
        Numbers of misclassified training points and of support vectors.
    trouble : str
        Why it cannot be solved; empty if it can.
    """

    name: str
    n: int
    step: int = 0
    length: int = 0
    gap: float = 0.0
    errors: int = 0
    support: int = 0
    trouble: str = ""


@dataclass(frozen=True, eq=False)
class MachinesStudy:
    """The machines at one step of the machine looked at.

    Attributes
    ----------
    states : tuple of MachineState
    expansions : tuple of Expansion or None
        f of each machine, in solver units.
    tables : dict of int to int array, shape (k, k)
        For each part that may be seen, the number of points of each true class (row) that are
        decided for each class (column). Empty if that takes too long at this step.
    decided : int array, shape (n,), or None
        The class decided for at each point of all parts and classes; None if there are no tables.
    unfinished : bool
        Whether the tables are being computed.
    """

    states: tuple[MachineState, ...]
    expansions: tuple[Expansion | None, ...]
    tables: dict[int, np.ndarray]
    decided: np.ndarray | None = None
    unfinished: bool = False


class MachinesStudyMaker:
    """A study (:mod:`svmviz.frames.studies`) of the lane in focus."""

    def __init__(self) -> None:
        self._ends = MachineEnds()
        self._points = DecidedPoints()
        self._of: object = None
        self._states: tuple[MachineState, ...] = ()

    def __call__(self, frame: Frame, _runs: tuple[Run, ...]) -> MachinesStudy | Pending | None:
        document, lane = frame.document, frame.lane
        many = document.many
        if many is None or lane is None or not document.has_decision:
            return None
        ends = self._ends.find(document)
        if isinstance(ends, Pending):
            return ends
        if self._of is not ends:
            self._of = ends
            self._states = tuple(MachineState("", 0) if e is None else _end_state(e) for e in ends)
        states, expansions = list(self._states), [end and end.expansion for end in ends]
        name = many.machine.name(many.data.class_names)
        states[many.shown] = _state(name, document.n, lane.step, lane.length, lane.certificate)
        expansions[many.shown] = lane.expansion
        decided = self._points.find(document, ends, lane)
        is_unfinished = isinstance(decided, Pending)
        if is_unfinished:
            decided = None
        tables = {} if decided is None else confusion_tables(document, decided)
        return MachinesStudy(tuple(states), tuple(expansions), tables, decided, is_unfinished)


def _end_state(end: SolvedMachine) -> MachineState:
    run = end.run
    if run is None:
        return MachineState(end.name, end.n, trouble=end.trouble)
    return _state(end.name, end.n, run.steps, run.steps, run.certificate)


def _state(name: str, n: int, step: int, length: int, certificate: Certificate) -> MachineState:
    errors, support = int((certificate.slack > 1.0).sum()), int((certificate.alpha > 0.0).sum())
    return MachineState(name, n, step, length, certificate.gap, errors, support)
