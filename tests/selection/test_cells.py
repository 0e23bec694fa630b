"""Means, spreads and refusals of the cells of a map."""

import math

import numpy as np
import pytest

from solvers.run.method import Reason
from solvers.selection.fitting import Fit
from solvers.selection.search import TEST, TRAINING, Result
from solvers.selection.splits import Split
from svmviz.selection.cells import Cells


def result(part, risk, on=TEST):
    rows = np.arange(2)
    fit = Fit(risk, risk / 2, np.zeros(2), 3, Reason.CONVERGED)
    return Result(0, part, Split(rows, rows), on, fit)


def test_numbers_are_those_of_the_results():
    cells, risks = Cells(1, 2), [0.1, 0.4, 0.1]
    for part, risk in enumerate(risks):
        cells.add(1, result(part, risk))
    cells.add(1, result(3, 0.9, on=TRAINING))
    numbers = cells.numbers(1)
    assert numbers.risk == pytest.approx(np.mean(risks))
    assert numbers.spread == pytest.approx(np.std(risks, ddof=1))
    assert numbers.training == pytest.approx(np.mean(risks) / 2)
    assert (cells.parts(0), cells.parts(1)) == (0, 3)


def test_a_refused_cell_is_not_the_best():
    cells = Cells(1, 2)
    for part in range(2):
        cells.add(0, result(part, 0.0))
        cells.add(1, result(part, 0.5))
    assert cells.best(2) == 0
    cells.refuse(0, "The third part has one class only.")
    assert cells.best(2) == 1
    assert math.isnan(cells.numbers(0).risk)
    assert cells.refused == [0]
