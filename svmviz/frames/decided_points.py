"""The class that all machines together decide for at each point of a document."""

from __future__ import annotations

import numpy as np

from solvers.cancelling import check_cancelled
from solvers.problem.machines import decide
from svmviz.document.document import Document
from svmviz.frames.frame import Lane
from svmviz.frames.solved_machines import SolvedMachine
from svmviz.frames.studies import Pending, SlowResult

# With more kernel values than this, the points are decided at the end of a run only.
MAX_KERNEL_VALUES = 2_000_000
PENDING = "Counting the errors of the decision …"


class DecidedPoints:
    """The decision at the points, for the frame thread."""

    def __init__(self) -> None:
        # f of the machines that are not looked at, at all points, shape (n, machines). It stays
        # while the other one takes steps.
        self._slow = SlowResult()

    def find(
        self, document: Document, ends: tuple[SolvedMachine | None, ...], lane: Lane
    ) -> np.ndarray | Pending | None:
        """Return the class decided for at each point of all parts, shape (n,).

        None if that takes too long at this step. ``ends`` are from
        :class:`svmviz.frames.machine_ends.MachineEnds`.
        """
        many = document.many_classes
        values = self._slow.find(ends, lambda: _values_of(document, ends), PENDING)
        if values is None or isinstance(values, Pending):
            return values
        n_values = len(many.data) * len(lane.expansion.support)
        if n_values > MAX_KERNEL_VALUES and not lane.at_end:
            return None
        values = values.copy()
        values[:, many.shown] = lane.expansion(document.solver_points)
        present = [i for i, end in enumerate(ends) if end is None or end.expansion]
        return decide([many.machines[i] for i in present], values[:, present]).classes


def _values_of(document: Document, ends: tuple[SolvedMachine | None, ...]) -> np.ndarray:
    many = document.many_classes
    values = np.zeros((len(many.data), len(ends)))
    points = document.solver_points
    for index, end in enumerate(ends):
        check_cancelled()
        if end is not None and end.expansion is not None:
            values[:, index] = end.expansion(points)
    return values
