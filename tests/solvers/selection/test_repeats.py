"""Learning curves and repeated hold-outs are equal to single hold-outs of the same seeds."""

from itertools import pairwise

import numpy as np
import pytest

from solvers import RBF, SMO, BadInput
from solvers.selection.procedures import curve_sizes, hold_out, learning_curve, repeated_hold_out
from tests.solvers.selection.sets import moons, sine


def test_each_repeat_is_a_hold_out_of_its_seed():
    problem = moons(60, kernel=RBF(2.0))
    found = list(repeated_hold_out(problem, SMO(), 3, repeats=4, test=0.3))
    for r, result in enumerate(found):
        [alone] = hold_out(problem, SMO(), 3 + r, test=0.3)
        assert (result.part, result.risk) == (r, alone.risk)


@pytest.mark.parametrize("problem", [moons(60, kernel=RBF(2.0)), sine(40, kernel=RBF(1.0))])
def test_a_learning_curve_trains_on_more_and_more_of_a_part(problem):
    sizes = [4, 10, 30]
    found = list(learning_curve(problem, SMO(), 1, sizes=sizes, repeats=3))
    assert [len(result.split.train) for result in found] == sizes * 3
    for r in range(3):
        parts = [result.split for result in found[3 * r : 3 * r + 3]]
        [alone] = hold_out(problem, SMO(), 1 + r)
        assert all(np.array_equal(part.test, alone.split.test) for part in parts)
        assert set(parts[0].train) < set(parts[1].train) < set(parts[2].train)
        assert set(parts[2].train) <= set(alone.split.train)
        if problem.task == "classification":
            assert len(set(problem.y[parts[0].train])) == 2


def test_sizes_grow_by_about_the_same_factor():
    sizes = curve_sizes(240)
    assert (sizes[0], sizes[-1], len(sizes)) == (4, 240, 12)
    assert max(b / a for a, b in pairwise(sizes)) < 1.7
    assert curve_sizes(3) == [2, 3]
    with pytest.raises(BadInput, match="Sizes must be from 2 to 48, the training part"):
        list(learning_curve(moons(60), sizes=[1, 5]))
