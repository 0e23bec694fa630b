"""The 5 x 2 test, against its formula by hand and against its distribution."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from solvers import RBF
from solvers.selection.estimate import estimate
from solvers.selection.models import grid
from solvers.selection.paired_test import five_by_two_test
from solvers.selection.procedures import five_by_two
from tests.solvers.selection.sets import moons


def test_the_formula_by_hand():
    first = np.array([[0.3, 0.2], [0.25, 0.2], [0.2, 0.3], [0.4, 0.2], [0.1, 0.1]])
    second = np.full((5, 2), 0.2)
    # Differences p1, p2 have variances (p1 - p2)^2 / 2.
    variances = [0.1**2 / 2, 0.05**2 / 2, 0.1**2 / 2, 0.2**2 / 2, 0.0]
    t = 0.1 / np.sqrt(np.mean(variances))
    found = five_by_two_test(first, second)
    assert found.t == pytest.approx(t)
    assert found.p == pytest.approx(2 * stats.t.sf(t, 5))
    assert five_by_two_test(second, first).p == pytest.approx(found.p)


def test_differences_that_do_not_vary_have_no_test():
    assert five_by_two_test(np.ones((5, 2)), np.zeros((5, 2))) == (None, None)


def test_equal_models_differ_no_more_often_than_p_says():
    # With independent risks t is not quite Student's, since p_11 is part of its own variance.
    rng = np.random.default_rng(0)
    ps = np.array([five_by_two_test(*rng.normal(size=(2, 5, 2))).p for _ in range(4000)])
    for level in (0.01, 0.05, 0.2):
        assert level / 4 < (ps < level).mean() <= level


def test_each_model_is_compared_with_the_best():
    found = estimate("5x2", five_by_two(moons(), grid({"gamma": [1.0, 1e-3, 1e3]}, RBF())))
    assert found.cells[found.best].test is None
    risks = [np.array([p.risk for p in cell.parts]).reshape(5, 2) for cell in found.cells]
    cells: Any = found.cells
    for k, cell in enumerate(cells):
        if k != found.best:
            assert cell.test == five_by_two_test(risks[k], risks[found.best])
            assert cell.test.t > 0
