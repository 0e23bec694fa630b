"""Lines make the labelings of points that a linear program says they make."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from scipy.optimize import linprog

from solvers.geometry.lines import labelings, separating_line, separating_lines


def is_separable(points, labels) -> bool:
    """Whether some w and b have y (<w, x> + b) >= 1 at all points, by a linear program."""
    rows = -labels[:, None] * np.column_stack([points, np.ones(len(points))])
    found = linprog(np.zeros(3), A_ub=rows, b_ub=-np.ones(len(points)), bounds=(None, None))
    return found.status == 0


def check(points) -> int:
    """Check each labeling against the linear program; return how many lines make."""
    lines = separating_lines(points)
    for labels, line in zip(labelings(len(points)), lines, strict=True):
        assert (line is not None) == is_separable(points, labels)
        if line is not None:
            assert (labels * line(points) > 0.0).all()
            # No line separates with a larger margin: `separating_line` returns the widest street.
            again = separating_line(points, labels)
            assert again.margin(points, labels) == pytest.approx(line.margin(points, labels))
    return sum(line is not None for line in lines)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_points_in_general_position_get_the_labelings_that_cover_counts(n):
    rng = np.random.default_rng(n)
    wanted = 2 * sum(comb(n - 1, i) for i in range(3))
    for _ in range(10):
        assert check(rng.uniform(-3.0, 3.0, (n, 2))) == wanted


def test_points_on_a_coarse_grid_are_decided_as_the_linear_program_decides():
    # Many of them are equal, or lie on one line.
    rng = np.random.default_rng(0)
    for _ in range(25):
        check(rng.integers(0, 4, (4, 2)) * 0.25)


def test_three_points_on_a_line_lose_two_labelings_and_no_four_are_shattered():
    assert check(np.array([[0.0, 0.0], [1.0, 0.5], [4.0, 2.0]])) == 6
    assert check(np.array([[0.0, 0.0], [1.0, 0.5], [1.0, 0.5]])) == 4
    rng = np.random.default_rng(2)
    assert max(
        sum(line is not None for line in separating_lines(rng.normal(size=(4, 2))))
        for _ in range(50)
    ) == 14  # fmt: skip


def test_labelings_are_all_different_and_opposites_stand_at_opposite_ends():
    every = labelings(4)
    assert len({tuple(labels) for labels in every}) == 16
    assert (every == -every[::-1]).all()
