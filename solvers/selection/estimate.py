"""Summing up a stream of results: mean and spread of the risk, per model and for the choice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from solvers.run.method import Reason, counted
from solvers.selection.bounds import Bounds
from solvers.selection.paired_test import REPLICATIONS, PairedTest, five_by_two_test
from solvers.selection.search import TEST, TRAINING, VALIDATION, Result

# For each procedure, what the spread over its parts means, and what it does not.
NOTES = {
    "hold-out": "One part gives no spread: another seed gives another estimate.",
    "validation": "The test part took no part in the choice.",
    "leave-one-out": "Any two training parts differ in two points, so the risks are correlated, and"
    " the spread is that of single points, not of the mean.",
    "k-fold": "The training parts overlap, so the risks are correlated, and the spread is not a"
    " standard error of the mean.",
    "5x2": "The replications share their points, so the risks are correlated; the paired test takes"
    " its variance within each replication.",
    "nested": "Each risk is that of a model chosen without the points of its part. The training"
    " parts overlap, so the risks are correlated.",
}
TOO_LOW = " The lowest of several risks is too low for the model chosen by it: see nested."
# Procedures in which the same parts choose a model and measure its risk.
CHOOSING_ON_TEST = ("hold-out", "leave-one-out", "k-fold", "5x2")


@dataclass(frozen=True, eq=False)
class Cell:
    """One model: mean and sample standard deviation of its risks, and its results by part.

    ``training_risk`` is the mean on the training parts, ``support`` the mean number of support
    vectors. With 5 x 2, ``test`` compares the model with the best one.
    """

    risk: float
    spread: float | None
    parts: list[Result]
    training_risk: float
    support: float
    test: PairedTest | None = None
    bounds: Bounds | None = None


@dataclass(frozen=True, eq=False)
class Estimate:
    """The outcome of a procedure.

    Attributes
    ----------
    procedure : str
    risk : float
        Unweighted mean over the parts, for the chosen model; or for the best model, if the
        procedure has no separate part for the choice.
    spread : float or None
        Sample standard deviation over the parts; None if there is only one part.
    parts : list of Result
    cells : list of Cell
        One per model, on the same splits.
    best : int
        Index of the cell with the lowest risk; the first of equal ones.
    note : str
        One or two sentences on what the numbers do not mean.
    """

    procedure: str
    risk: float
    spread: float | None
    parts: list[Result]
    cells: list[Cell] = field(default_factory=list)
    best: int = 0
    note: str = ""


def estimate(procedure: str, results: Iterable[Result]) -> Estimate:
    """Return the outcome of a procedure from its results, which may come in any order."""
    found = list(results)
    # The models are compared on the validation parts of `validation`, and on the test parts of
    # all other procedures.
    on = VALIDATION if procedure == "validation" else TEST
    compared = [result for result in found if result.on == on]
    cells = [
        _cell([result for result in compared if result.model == model])
        for model in range(1 + max(result.model for result in compared))
    ]
    best = int(np.argmin([cell.risk for cell in cells]))
    chosen = _in_order([result for result in found if result.chosen])
    parts = chosen or cells[best].parts
    cells = _with_bounds(cells, found)
    if procedure == "5x2":
        cells = _with_tests(cells, best)
    note = NOTES[procedure]
    if procedure in CHOOSING_ON_TEST and len(cells) > 1:
        note += TOO_LOW
    note += _unfinished(found)
    return Estimate(procedure, *mean_and_spread(parts), parts, cells, best, note)


def mean_and_spread(parts: Sequence[Result]) -> tuple[float, float | None]:
    """Return the mean of the risks, and their sample standard deviation if there are several."""
    risks = np.array([part.risk for part in parts])
    return float(risks.mean()), float(risks.std(ddof=1)) if len(risks) > 1 else None


def _cell(results: list[Result]) -> Cell:
    parts = _in_order(results)
    return Cell(
        *mean_and_spread(parts),
        parts,
        float(np.mean([part.fit.training_risk for part in parts])),
        float(np.mean([part.fit.support for part in parts])),
    )


def _unfinished(found: list[Result]) -> str:
    """Return a sentence if fits stopped before they converged, else nothing."""
    reasons = [result.fit.reason for result in found if result.fit.reason != Reason.CONVERGED]
    if not reasons:
        return ""
    words = ", ".join(dict.fromkeys(reasons))
    return f" {len(reasons):,} of {counted(len(found), 'fit')} did not converge ({words})."


def _in_order(results: list[Result]) -> list[Result]:
    return sorted(results, key=lambda result: result.part)


def _with_bounds(cells: list[Cell], found: list[Result]) -> list[Cell]:
    bounds = {result.model: result.bounds for result in found if result.on == TRAINING}
    return [replace(cell, bounds=bounds.get(k)) for k, cell in enumerate(cells)]


def _with_tests(cells: list[Cell], best: int) -> list[Cell]:
    """Add the paired test of each model against the best."""
    risks = [
        np.array([part.risk for part in cell.parts]).reshape(REPLICATIONS, 2) for cell in cells
    ]
    return [
        cell if k == best else replace(cell, test=five_by_two_test(risks[k], risks[best]))
        for k, cell in enumerate(cells)
    ]
