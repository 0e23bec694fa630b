"""How points are divided into parts that are left out in turn, and how many fits that takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from solvers import Method, Problem
from solvers.selection.estimate import NOTES, estimate
from solvers.selection.memory import Memory
from solvers.selection.procedures import PROCEDURES, result_count
from solvers.selection.repeats import repeated_hold_out
from solvers.selection.search import Result
from svmviz.selection.plan import HOLD_OUT, K_FOLD, LEAVE_ONE_OUT, Plan

FIVE_BY_TWO = "5x2"
TITLES = {
    K_FOLD: "k folds",
    FIVE_BY_TWO: "5 × 2",
    HOLD_OUT: "Hold-out, repeated",
    LEAVE_ONE_OUT: "Leave-one-out",
}
# If the number of fits times n² is at most this, the fits take about a second with the methods and
# models of the window. Then they start without a press on a button.
CHEAP = 30_000_000
# Maximum number of points for leave-one-out. With more, the fits would take hours, and the pictures
# gigabytes.
MAX_LEFT_OUT = 5_000


@dataclass(frozen=True)
class FoldPlan(Plan):
    """The procedure that divides the points, with its settings.

    Attributes
    ----------
    procedure : str
        A key of TITLES.
    repeats : int
        Number of splits; used by hold-out only.
    """

    stratified: bool = True
    repeats: int = 6

    def count(self, n: int) -> int:
        """Return the number of results for n points."""
        if self.procedure == HOLD_OUT:
            return self.repeats
        return result_count(self.procedure, n, 1, self.folds)

    def is_cheap(self, n: int) -> bool:
        """Return whether all fits for n points take at most about a second."""
        return self.count(n) * n * n <= CHEAP

    def results(self, problem: Problem, method: Method, memory: Memory) -> Iterator[Result]:
        """Return an iterator over the results, one per part, as soon as each is computed.

        Raises
        ------
        BadInput
            If the points cannot be divided, or the method cannot solve the problem.
        """
        how = {"risk": self.risk or None, "store": memory.store(problem), **self.options}
        if self.procedure == HOLD_OUT:
            return repeated_hold_out(problem, method, self.seed, repeats=self.repeats, **how)
        return PROCEDURES[self.procedure](problem, method, self.seed, **how)

    def note(self, results: list[Result]) -> str:
        """Return one or two sentences on the limits of the estimate, such as correlated folds."""
        procedure = K_FOLD if self.procedure == HOLD_OUT else self.procedure
        note = estimate(procedure, results).note
        if self.procedure == FIVE_BY_TWO:
            # The second half of the note is about the paired test, which compares two models. Here
            # there is only one model.
            return note.replace(NOTES[FIVE_BY_TWO], NOTES[FIVE_BY_TWO].partition(";")[0] + ".")
        return note
