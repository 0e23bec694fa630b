"""How points are divided into parts that are left out in turn; and how much work that is."""

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
# Up to this product of fits and squared number of points, parts are trained without being asked
# for: about a second with the methods and models of the window.
CHEAP = 30_000_000
# Points from which leave-one-out would take hours, and its pictures gigabytes.
MAX_LEFT_OUT = 5_000


@dataclass(frozen=True)
class FoldPlan:
    """How the parts are made.

    Attributes
    ----------
    procedure : str
        A key of TITLES.
    folds : int
        Of k folds.
    test : float
        Fraction of the points that hold-out leaves out.
    repeats : int
        Number of splits of hold-out.
    stratified : bool
    seed : int
    risk : str
        A key of :data:`solvers.selection.risks.RISKS`; empty for the first of the task.
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
        """Return how many results there are, with n points."""
        if self.procedure == HOLD_OUT:
            return self.repeats
        return result_count(self.procedure, n, 1, self.folds)

    def is_cheap(self, n: int) -> bool:
        """Return whether all parts of n points are trained in about a second."""
        return self.count(n) * n * n <= CHEAP

    def results(self, problem: Problem, method: Method, memory: Memory) -> Iterator[Result]:
        """Yield the result of each part, as it is computed.

        Raises
        ------
        BadInput
            If the points cannot be divided, or the method cannot solve the problem.
        """
        how = {"risk": self.risk or None, "store": memory.store(problem)}
        if self.procedure == HOLD_OUT:
            search = Search(problem, method, **how)
            every = range(self.repeats)
            seeds = [self.seed + number for number in every]
            yield from search.test(
                [hold_out_split(problem, self.test, seed, self.stratified) for seed in seeds]
            )
            return
        sizes = {"folds": self.folds} if self.procedure == K_FOLD else {}
        if not self.leaves_single_points:
            sizes["stratified"] = self.stratified
        yield from PROCEDURES[self.procedure](problem, method, self.seed, **how, **sizes)

    def note(self, results: list[Result]) -> str:
        """Return one or two sentences on what the numbers do not say."""
        procedure = K_FOLD if self.procedure == HOLD_OUT else self.procedure
        note = estimate(procedure, results).note
        if self.procedure == FIVE_BY_TWO:
            # The paired test compares models, and here there is one.
            return note.replace(NOTES[FIVE_BY_TWO], NOTES[FIVE_BY_TWO].partition(";")[0] + ".")
        return note
