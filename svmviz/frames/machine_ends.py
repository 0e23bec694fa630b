"""The machines that are not looked at, solved to their ends in the background.

An end depends on the points and the model alone, so it is stored, and serves every view. While the
machine looked at has steps, views use its present state in place of its end.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock

from solvers.cancelling import check_cancelled
from svmviz.document.document import Document
from svmviz.frames.solved_machines import SolvedMachine, solve_machine
from svmviz.frames.studies import Pending, SlowResult

# Maximum number of stored ends: those of two documents with the largest number of machines.
MAX_STORED = 60
# Time between two checks whether another thread has solved a machine, s.
POLL = 0.02
PENDING = "Solving the other machines …"


class MachineEnds:
    """The ends of all machines of a document but the one looked at; for the frame thread."""

    def __init__(self) -> None:
        self._slow = SlowResult()

    def find(self, document: Document) -> tuple[SolvedMachine | None, ...] | Pending:
        """Return one end per machine, with None for the one looked at; or a placeholder.

        If another document is asked for meanwhile, the work for this one is cancelled.
        """
        return self._slow.find(_key(document), lambda: _solve_others(document), PENDING) or ()


def _solve_others(document: Document) -> tuple[SolvedMachine | None, ...]:
    many = document.many_classes
    count = len(many.machines)
    return tuple(None if i == many.shown else _end_of(document, i) for i in range(count))


def _end_of(document: Document, index: int) -> SolvedMachine:
    """Return the end of a machine, from the store if it is there; solve it once for all threads."""
    key = (document.many_classes.machines[index], *_problem_key(document))
    while not _solving.acquire(timeout=POLL):
        check_cancelled()
    try:
        if key not in _stored:
            _stored[key] = solve_machine(document, index)
            if len(_stored) > MAX_STORED:
                _stored.popitem(last=False)
        _stored.move_to_end(key)
        return _stored[key]
    finally:
        _solving.release()


def _problem_key(document: Document) -> tuple[Hashable, ...]:
    """Return all that the end of a machine depends on, besides its code."""
    many = document.many_classes
    model = document.kernel, document.penalty, document.bias, document.scaling, document.method
    return many.data, many.parts.tobytes(), document.class_weights, *model


def _key(document: Document) -> Hashable:
    return document.many_classes, *_problem_key(document)


_solving = Lock()
_stored: OrderedDict[Hashable, SolvedMachine] = OrderedDict()
