"""The machines of a document, solved to their ends, and their decision.

A document of more than two classes looks at one machine, whose run has steps. The others are solved
without a recording. Two classes are one machine, whose sign decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from solvers import BadInput, Expansion, Run, solve
from solvers.problem.machines import Decision, Machine, confusion, decide
from svmviz.document.document import Document


@dataclass(frozen=True, eq=False)
class SolvedMachine:
    """One machine at the end of its run.

    Attributes
    ----------
    machine : Machine
    name : str
        Its name, such as "Adelie against Gentoo".
    n : int
        Number of its training points.
    run : Run or None
        None if the machine cannot be solved.
    trouble : str
        A sentence that says why it cannot be solved; empty if it can.
    """

    machine: Machine
    name: str
    n: int
    run: Run | None
    trouble: str = ""

    @property
    def expansion(self) -> Expansion | None:
        """Its decision function, in solver units; None if it cannot be solved."""
        return self.run.expansion if self.run else None


def solve_machine(document: Document, index: int) -> SolvedMachine:
    """Solve one machine of a document with the document's model and first method.

    Raises
    ------
    Cancelled
        As :func:`solvers.solve`.
    """
    looked = document.looking_at(index)
    many = looked.many_classes
    name = many.machine.name(many.data.class_names)
    try:
        run = solve(looked.problem(), looked.method, record=False)
    except BadInput as error:
        return SolvedMachine(many.machine, name, looked.n, None, str(error))
    return SolvedMachine(many.machine, name, looked.n, run)


def solve_machines(document: Document) -> Iterator[SolvedMachine]:
    """Solve the machines of a document one after the other."""
    for index in range(len(document.many_classes.machines)):
        yield solve_machine(document, index)


def decision_at(
    machines: Sequence[Machine],
    expansions: Sequence[Expansion | None],
    points: np.ndarray,
) -> Decision:
    """Return what machines say about points in solver units, shape (m, 2).

    A machine without an expansion takes no part.
    """
    present = [(machine, f) for machine, f in zip(machines, expansions, strict=True) if f]
    if not present:
        raise BadInput("None of the machines can be solved, so nothing decides.")
    values = np.column_stack([f(points) for _, f in present])
    return decide([machine for machine, _ in present], values)


def confusion_tables(document: Document, decided: np.ndarray) -> dict[int, np.ndarray]:
    """Return the confusion matrix of each part that may be seen.

    ``decided`` has the class decided for at each point of all parts.
    """
    many = document.many_classes
    return {
        part: confusion(many.data.classes[many.parts == part], decided[many.parts == part], many.k)
        for part in document.parts_seen
    }
