"""How points are divided into parts that are left out in turn, and how many fits that takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from solvers import Method, Problem
from solvers.selection.estimate import NOTES, estimate
from solvers.selection.memory import Memory
from solvers.selection.procedures import PROCEDURES, result_count
from solvers.selection.search import Result, Search
from solvers.selection.splits import hold_out_split

K_FOLD, FIVE_BY_TWO, HOLD_OUT, LEAVE_ONE_OUT = "k-fold", "5x2", "hold-out", "leave-one-out"
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
class FoldPlan:
    """The procedure that divides the points, with its settings.

    Attributes
    ----------
    procedure : str
        A key of TITLES.
    folds : int
        Number of folds; used by k folds only.
    test : float
        Fraction of the points that is left out; used by hold-out only.
    repeats : int
        Number of splits; used by hold-out only.
    stratified : bool
        Whether each part has the classes in the proportions of all points.
    seed : int
    risk : str
        A key of :data:`solvers.selection.risks.RISKS`; empty for the first risk of the task.
    """

    procedure: str = K_FOLD
    folds: int = 5
    test: float = 0.2
    repeats: int = 6
    stratified: bool = True
    seed: int = 0
    risk: str = ""

    @property
    def leaves_single_points(self) -> bool:
        """Whether each part is one point."""
        return self.procedure == LEAVE_ONE_OUT

    def count(self, n: int) -> int:
        """Return the number of results for n points."""
        if self.procedure == HOLD_OUT:
            return self.repeats
        return result_count(self.procedure, n, 1, self.folds)

    def is_cheap(self, n: int) -> bool:
        """Return whether all fits for n points take at most about a second."""
        return self.count(n) * n * n <= CHEAP

    def results(self, problem: Problem, method: Method, memory: Memory) -> Iterator[Result]:
        """Yield one result per part, as soon as it is computed.

        Raises
        ------
        BadInput
            If the points cannot be divided, or the method cannot solve the problem.
        """
        arguments = {"risk": self.risk or None, "store": memory.store(problem)}
        if self.procedure == HOLD_OUT:
            search = Search(problem, method, **arguments)
            seeds = range(self.seed, self.seed + self.repeats)
            yield from search.test(
                [hold_out_split(problem, self.test, seed, self.stratified) for seed in seeds]
            )
            return
        sizes = {"folds": self.folds} if self.procedure == K_FOLD else {}
        if not self.leaves_single_points:
            sizes["stratified"] = self.stratified
        yield from PROCEDURES[self.procedure](problem, method, self.seed, **arguments, **sizes)

    def note(self, results: list[Result]) -> str:
        """Return one or two sentences on the limits of the estimate, such as correlated folds."""
        procedure = K_FOLD if self.procedure == HOLD_OUT else self.procedure
        note = estimate(procedure, results).note
        if self.procedure == FIVE_BY_TWO:
            # The second half of the note is about the paired test, which compares two models. Here
            # there is only one model.
            return note.replace(NOTES[FIVE_BY_TWO], NOTES[FIVE_BY_TWO].partition(";")[0] + ".")
        return note
