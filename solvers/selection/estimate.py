"""The summary of a stream of results: mean and spread of the risks of models."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from solvers.run.method import Reason, counted
from solvers.selection.bounds import Bounds
from solvers.selection.paired_test import REPLICATIONS, PairedTest, five_by_two_test
from solvers.selection.search import TEST, VALIDATION, Result

# For each procedure, sentences on how to read its risk and its spread.
NOTES = {
    "hold-out": "One test part gives no spread. Another seed gives another estimate.",
    "validation": "The test points were not used to choose the model.",
    "leave-one-out": "Any two training parts differ in two points, so the risks are correlated, and"
    " the spread is that of single points, not of the mean.",
    "k-fold": "The training parts overlap, so the risks are correlated, and the spread is not a"
    " standard error of the mean.",
    "5x2": "The replications share their points, so the risks are correlated; the paired test takes"
    " its variance within each replication.",
    "nested": "Each risk is that of a model chosen without the points of its part. The training"
    " parts overlap, so the risks are correlated.",
}
# The sentence that is added to a note if a model was chosen by the risks of the same procedure.
TOO_LOW = (
    " The lowest of several risks was chosen, so it is too low as an estimate; the risk of the"
    " nested procedure is not."
)
# Procedures whose best model is chosen by the same risks that are then its estimate.
CHOOSING_ON_TEST = ("hold-out", "leave-one-out", "k-fold", "5x2")


@dataclass(frozen=True, eq=False)
class Cell:
    """The results of one model, which is one cell of a grid of models.

    Attributes
    ----------
    risk : float
        Mean of the risks over the splits.
    spread : float or None
        Sample standard deviation of these risks; None if there is only one.
    parts : list of Result
        One result per split, in order.
    training_risk : float
        Mean of the risks on the training parts.
    support : float
        Mean number of support vectors.
    test : PairedTest, optional
        With the procedure "5x2", the comparison with the best model; None for the best model.
    bounds : Bounds, optional
        With the procedure "leave-one-out" and the 0-1 risk, bounds on the leave-one-out error.
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
        Unweighted mean of the risks in ``parts``.
    spread : float or None
        Sample standard deviation of these risks; None if there is only one.
    parts : list of Result
        With the procedures "validation" and "nested", which choose models without the test points,
        the results of the chosen models on the test points. Otherwise the results of the best
        model.
    cells : list of Cell
        One per model; all models have the same splits.
    best : int
        Index of the first cell with the lowest risk.
    note : str
        One or two sentences on how to read risk and spread.
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
    all_results = list(results)
    # The procedure "validation" compares the models on validation parts, the others on test parts.
    compared_on = VALIDATION if procedure == "validation" else TEST
    compared = [result for result in all_results if result.measured_on == compared_on]
    cells = [
        _cell([result for result in compared if result.model == model])
        for model in range(1 + max(result.model for result in compared))
    ]
    best = int(np.argmin([cell.risk for cell in cells]))
    chosen_results = _in_order([result for result in all_results if result.chosen])
    parts = chosen_results or cells[best].parts
    cells = _with_bounds(cells, all_results)
    if procedure == "5x2":
        cells = _with_tests(cells, best)
    note = NOTES[procedure]
    if procedure in CHOOSING_ON_TEST and len(cells) > 1:
        note += TOO_LOW
    note += _unconverged_sentence(all_results)
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


def _unconverged_sentence(results: list[Result]) -> str:
    """Return a sentence about the fits that did not converge; empty if all fits converged."""
    reasons = [result.fit.reason for result in results if result.fit.reason != Reason.CONVERGED]
    if not reasons:
        return ""
    words = ", ".join(dict.fromkeys(reasons))
    return f" {len(reasons):,} of {counted(len(results), 'fit')} did not converge ({words})."


def _in_order(results: list[Result]) -> list[Result]:
    return sorted(results, key=lambda result: result.part)


def _with_bounds(cells: list[Cell], results: list[Result]) -> list[Cell]:
    """Add to each cell the bounds of its model, which are stored with the fit on all points."""
    bounds = {result.model: result.bounds for result in results if result.is_of_all_points}
    return [replace(cell, bounds=bounds.get(k)) for k, cell in enumerate(cells)]


def _with_tests(cells: list[Cell], best: int) -> list[Cell]:
    """Add the paired test of each model against the best model."""
    risks = [
        np.array([part.risk for part in cell.parts]).reshape(REPLICATIONS, 2) for cell in cells
    ]
    return [
        cell if k == best else replace(cell, test=five_by_two_test(risks[k], risks[best]))
        for k, cell in enumerate(cells)
    ]
