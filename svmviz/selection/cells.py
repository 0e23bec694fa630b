"""The cells of a map, filled while results come."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from solvers.run.method import Reason
from solvers.selection.search import TRAINING, Result

# Sentences on cells whose fits did not converge.
UNFINISHED = {
    Reason.STEP_LIMIT: "stopped at the step limit",
    Reason.MEMORY_LIMIT: "stopped at the memory limit",
    Reason.STALLED: "stalled",
    Reason.CANCELLED: "was cancelled",
}
NOT_SEPARABLE = "no hard margin: a training part is not separable"


@dataclass(eq=False)
class Sums:
    """Sums over the parts of one cell, from which mean and spread follow."""

    parts: int = 0
    risk: float = 0.0
    squares: float = 0.0
    training: float = 0.0
    training_squares: float = 0.0
    support: float = 0.0
    unfinished: dict[str, int] = field(default_factory=dict)
    refusal: str = ""

    def add(self, result: Result) -> None:
        """Add a part."""
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
        """What stopped fits before they converged, or nothing."""
        return "; ".join(
            f"{number:,} of {self.parts:,} fits {UNFINISHED.get(Reason(reason), reason)}"
            for reason, number in self.unfinished.items()
        )


@dataclass(frozen=True)
class CellNumbers:
    """Mean and sample standard deviation of the risks of one cell; NaN for what is not known."""

    risk: float
    spread: float
    training: float
    training_spread: float
    support: float


class Cells:
    """Risks of a grid of models.

    Parameters
    ----------
    rows, columns : int

    Attributes
    ----------
    risk, spread, training, training_spread, support : arrays, shape (rows, columns)
        Of the parts so far; NaN where there are none.
    """

    def __init__(self, rows: int, columns: int) -> None:
        self.shape = rows, columns
        self._sums: dict[int, Sums] = {}
        self.risk, self.spread, self.training, self.training_spread, self.support = (
            np.full((rows, columns), math.nan) for _ in range(5)
        )

    def add(self, cell: int, result: Result) -> None:
        """Add a result of a cell, numbered row by row."""
        if result.on == TRAINING:
            return
        sums = self._sums.setdefault(cell, Sums())
        sums.add(result)
        place = divmod(cell, self.shape[1])
        m = sums.parts
        self.risk[place], self.spread[place] = _moments(sums.risk, sums.squares, m)
        self.training[place], self.training_spread[place] = _moments(
            sums.training, sums.training_squares, m
        )
        self.support[place] = sums.support / m
        if sums.refusal:
            self.risk[place] = self.spread[place] = math.nan

    def refuse(self, cell: int, sentence: str) -> None:
        """Say why a cell has no risk."""
        self._sums.setdefault(cell, Sums()).refusal = sentence

    def parts(self, cell: int) -> int:
        """Return how many parts of a cell are known."""
        return self._sums[cell].parts if cell in self._sums else 0

    def refusal(self, cell: int) -> str:
        """Return why a cell has no risk, or nothing."""
        return self._sums[cell].refusal if cell in self._sums else ""

    def unfinished(self, cell: int) -> str:
        """Return which fits of a cell did not converge, or nothing."""
        return self._sums[cell].unfinished_words if cell in self._sums else ""

    def numbers(self, cell: int) -> CellNumbers:
        """Return the numbers of a cell."""
        place = divmod(cell, self.shape[1])
        arrays = (self.risk, self.spread, self.training, self.training_spread, self.support)
        return CellNumbers(*(float(array[place]) for array in arrays))

    @property
    def refused(self) -> list[int]:
        """Cells without a risk."""
        return [cell for cell, sums in self._sums.items() if sums.refusal]

    def best(self, parts: int) -> int | None:
        """Return the first cell of the lowest risk, among those with all their parts."""
        risks = self.risk.ravel().copy()
        for cell, sums in self._sums.items():
            if sums.parts < parts:
                risks[cell] = math.nan
        known = np.isfinite(risks)
        return int(np.nanargmin(np.where(known, risks, math.nan))) if known.any() else None


def _moments(total: float, squares: float, m: int) -> tuple[float, float]:
    """Return mean and sample standard deviation; the latter is NaN for one part."""
    mean = total / m
    if m < 2:
        return mean, math.nan
    return mean, math.sqrt(max(0.0, squares - m * mean * mean) / (m - 1))


def coarse_to_fine(rows: int, columns: int) -> list[int]:
    """Return all cells, numbered row by row, so that any first part of them covers the grid."""
    step = 1
    while step < max(rows, columns):
        step *= 2
    found: dict[int, None] = {}
    while step >= 1:
        for row in range(0, rows, step):
            for column in range(0, columns, step):
                found.setdefault(row * columns + column)
        step //= 2
    return list(found)
