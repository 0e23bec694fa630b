"""The cells of a map: means and standard deviations of risks, updated with each result.

A map has one model per cell. For each cell, parts of the points are left out, one after the other.
The model is trained on the other points and tested on the part. Each test is one result.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from solvers.run.method import Reason
from solvers.selection.search import Result

# Phrases for fits that did not converge, by the reason for which they stopped.
STOPPED = {
    Reason.STEP_LIMIT: "stopped at the step limit",
    Reason.MEMORY_LIMIT: "stopped at the memory limit",
    Reason.STALLED: "stalled",
    Reason.CANCELLED: "was cancelled",
}
# The sentence of a cell without a risk, because a hard margin does not exist.
NOT_SEPARABLE = "no hard margin: a training part is not separable"


@dataclass(eq=False)
class CellSums:
    """Sums over the results of one cell, from which mean and standard deviation follow.

    Attributes
    ----------
    parts : int
        Number of results so far.
    risk, squares : float
        Sum of the risks on the parts left out, and sum of the squares of these risks.
    training, training_squares : float
        The same sums for the risks on the points that the model was trained on.
    support : float
        Sum of the numbers of support vectors.
    unfinished : dict of str to int
        Number of fits that did not converge, by the reason for which they stopped.
    refusal : str
        A sentence on why the cell has no risk; empty if it has a risk.
    """

    parts: int = 0
    risk: float = 0.0
    squares: float = 0.0
    training: float = 0.0
    training_squares: float = 0.0
    support: float = 0.0
    unfinished: dict[str, int] = field(default_factory=dict)
    refusal: str = ""

    def add(self, result: Result) -> None:
        """Add a result."""
        fit = result.fit
        self.parts += 1
        self.risk += fit.risk
        self.squares += fit.risk**2
        self.training += fit.training_risk
        self.training_squares += fit.training_risk**2
        self.support += fit.support
        if fit.reason == Reason.NOT_SEPARABLE:
            self.refusal = NOT_SEPARABLE
        elif fit.reason != Reason.CONVERGED:
            self.unfinished[fit.reason] = self.unfinished.get(fit.reason, 0) + 1

    @property
    def unfinished_words(self) -> str:
        """A phrase on the fits that did not converge; empty if all converged."""
        return "; ".join(
            f"{number:,} of {self.parts:,} fits {STOPPED.get(Reason(reason), reason)}"
            for reason, number in self.unfinished.items()
        )


@dataclass(frozen=True)
class CellNumbers:
    """The numbers of one cell. A number is NaN while the cell has too few results for it.

    Attributes
    ----------
    risk, spread : float
        Mean and sample standard deviation of the risks on the parts left out.
    training, training_spread : float
        Mean and sample standard deviation of the risks on the points that the model was trained on.
    support : float
        Mean number of support vectors.
    """

    risk: float
    spread: float
    training: float
    training_spread: float
    support: float


class Cells:
    """The risks of a grid of models, one per cell. Cells are numbered row by row, from 0.

    Parameters
    ----------
    rows, columns : int

    Attributes
    ----------
    shape : (int, int)
        Rows and columns.
    risk, spread, training, training_spread, support : arrays, shape (rows, columns)
        The numbers of each cell from its results so far, as in :class:`CellNumbers`.
    """

    def __init__(self, rows: int, columns: int) -> None:
        self.shape = rows, columns
        self._sums: dict[int, CellSums] = {}
        self.risk, self.spread, self.training, self.training_spread, self.support = (
            np.full((rows, columns), math.nan) for _ in range(5)
        )

    def add(self, cell: int, result: Result) -> None:
        """Add the result of a part to a cell.

        A result of a model that was trained on all points is ignored, since it leaves no part out.
        """
        if result.is_of_all_points:
            return
        sums = self._sums.setdefault(cell, CellSums())
        sums.add(result)
        index = divmod(cell, self.shape[1])
        m = sums.parts
        self.risk[index], self.spread[index] = _moments(sums.risk, sums.squares, m)
        self.training[index], self.training_spread[index] = _moments(
            sums.training, sums.training_squares, m
        )
        self.support[index] = sums.support / m
        if sums.refusal:
            self._clear_risk(cell)

    def refuse(self, cell: int, sentence: str) -> None:
        """Store a sentence on why a cell has no risk, and clear a risk that it has so far."""
        self._sums.setdefault(cell, CellSums()).refusal = sentence
        self._clear_risk(cell)

    def _clear_risk(self, cell: int) -> None:
        index = divmod(cell, self.shape[1])
        self.risk[index] = self.spread[index] = math.nan

    def parts(self, cell: int) -> int:
        """Return the number of results of a cell so far."""
        return self._sums[cell].parts if cell in self._sums else 0

    def refusal(self, cell: int) -> str:
        """Return a sentence on why a cell has no risk; empty if it has a risk."""
        return self._sums[cell].refusal if cell in self._sums else ""

    def unfinished(self, cell: int) -> str:
        """Return a phrase on the fits of a cell that did not converge; empty if all converged."""
        return self._sums[cell].unfinished_words if cell in self._sums else ""

    def numbers(self, cell: int) -> CellNumbers:
        """Return the numbers of a cell."""
        index = divmod(cell, self.shape[1])
        arrays = (self.risk, self.spread, self.training, self.training_spread, self.support)
        return CellNumbers(*(float(array[index]) for array in arrays))

    @property
    def refused(self) -> list[int]:
        """The numbers of the cells that cannot have a risk."""
        return [cell for cell, sums in self._sums.items() if sums.refusal]

    def best(self, parts: int) -> int | None:
        """Return the cell with the lowest risk, or None if no cell has all results yet.

        Cells with fewer than ``parts`` results are ignored. Among cells with equal risks the
        first is returned.
        """
        risks = self.risk.ravel().copy()
        for cell, sums in self._sums.items():
            if sums.parts < parts:
                risks[cell] = math.nan
        finite = np.isfinite(risks)
        return int(np.nanargmin(np.where(finite, risks, math.nan))) if finite.any() else None


def _moments(total: float, squares: float, m: int) -> tuple[float, float]:
    """Return mean and sample standard deviation of m numbers, from their sum and sum of squares.

    The standard deviation of a single number is NaN.
    """
    mean = total / m
    if m < 2:
        return mean, math.nan
    return mean, math.sqrt(max(0.0, squares - m * mean * mean) / (m - 1))


def coarse_to_fine(rows: int, columns: int) -> list[int]:
    """Return the numbers of all cells in an order that covers the grid evenly at every stage.

    The cells of a coarse grid come first, then those of finer and finer grids. Each grid is twice
    as fine as the grid before.
    """
    step = 1
    while step < max(rows, columns):
        step *= 2
    # A dict keeps its order, and adding a cell again changes nothing.
    ordered: dict[int, None] = {}
    while step >= 1:
        for row in range(0, rows, step):
            for column in range(0, columns, step):
                ordered.setdefault(row * columns + column)
        step //= 2
    return list(ordered)
