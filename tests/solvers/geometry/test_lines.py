"""Lines of the plane against sums over all points and pairs, and against the solver's optimum."""

from __future__ import annotations

import math
from math import comb

import numpy as np
import pytest
from scipy.optimize import linprog

from solvers import SMO, Linear, Problem, solve
from solvers.geometry.lines import (
    Line,
    gap_of,
    labelings,
    margins_over_angles,
    nearest_pair,
    separating_line,
    separating_lines,
    widest_street,
)
from solvers.geometry.plane_hulls import difference_hull, nearest_to_origin


def scene(seed):
    """Two clouds of random sizes and scales, apart in every second scene."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 40))
    points = rng.normal(size=(n, 2)) * rng.uniform(0.1, 5.0, 2)
    labels = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    labels[:2] = 1.0, -1.0
    if seed % 2:
        points[labels > 0] += 8.0 * np.array([math.cos(seed), math.sin(seed)])
    return points, labels


SCENES = range(200)


def test_distances_feet_and_margins():
    for seed in SCENES:
        points, labels = scene(seed)
        rng = np.random.default_rng(1000 + seed)
        w, b = rng.normal(size=2), float(rng.normal())
        line = Line((float(w[0]), float(w[1])), b)
        f = points[:, 0] * w[0] + points[:, 1] * w[1] + b
        feet = line.feet(points)
        np.testing.assert_allclose(feet @ w + b, 0.0, atol=1e-9)
        np.testing.assert_allclose(
            np.linalg.norm(points - feet, axis=1), np.abs(f) / np.linalg.norm(w), atol=1e-9
        )
        assert line.margin(points, labels) == pytest.approx(
            (labels * f).min() / np.linalg.norm(w), abs=1e-12
        )


def test_gaps_and_margins_over_an_angle():
    for seed in SCENES:
        points, labels = scene(seed)
        angles = np.linspace(0.0, math.pi, 37)
        forward, backward = margins_over_angles(points, labels, angles)
        for angle, ahead, back in zip(angles, forward, backward):
            u = np.array([math.cos(angle), math.sin(angle)])
            high, low = (points[labels > 0] @ u).min(), (points[labels < 0] @ u).max()
            assert ahead == pytest.approx(0.5 * (high - low), abs=1e-12)
            gap = gap_of(3.0 * u, points, labels)
            assert (gap.low, gap.high) == pytest.approx((low, high), abs=1e-12)
            assert points[gap.high_index] @ u == pytest.approx(high, abs=1e-12)
            assert back == pytest.approx(gap_of(-u, points, labels).margin, abs=1e-12)


def test_the_widest_street_is_the_optimum_of_the_hard_margin():
    compared = 0
    for seed in SCENES:
        points, labels = scene(seed)
        street = widest_street(points, labels)
        assert street is not None
        margin = street.margin(points, labels)
        angles = np.linspace(0.0, math.pi, 2001)
        tops = np.maximum(*margins_over_angles(points, labels, angles))
        assert tops.max() <= margin + 1e-12
        assert tops.max() == pytest.approx(margin, abs=1e-2 * np.ptp(points))
        if margin > 0.05:
            compared += 1
            problem = Problem(points, labels, kernel=Linear(), C=math.inf)
            run = solve(problem, SMO(tol=1e-9))
            w = run.expansion.w
            assert margin == pytest.approx(1.0 / float(np.linalg.norm(w)), rel=1e-6)
            np.testing.assert_allclose(street.w, w, rtol=1e-4, atol=1e-6)
            assert (labels * street(points)).min() == pytest.approx(1.0)
    assert compared > 60


def test_the_difference_set_is_that_of_all_pairs():
    for seed in SCENES:
        points, labels = scene(seed)
        plus, minus = points[labels > 0], points[labels < 0]
        pairs = (plus[:, None, :] - minus[None, :, :]).reshape(-1, 2)
        corners = difference_hull(plus, minus)
        assert {tuple(corner) for corner in corners} <= {tuple(pair) for pair in pairs}
        angles = np.linspace(0.0, 2.0 * math.pi, 50)
        units = np.array([np.cos(angles), np.sin(angles)])
        np.testing.assert_allclose((pairs @ units).min(0), (corners @ units).min(0), atol=1e-9)
        nearest = nearest_to_origin(corners)
        assert nearest.distance == pytest.approx(
            2.0 * widest_street(points, labels).margin(points, labels), abs=1e-9
        )
        assert np.hypot(*nearest.point) == pytest.approx(abs(nearest.distance), abs=1e-12)


def test_the_nearest_pair_is_that_of_all_pairs():
    for seed in SCENES:
        points, labels = scene(seed)
        i, j = nearest_pair(points, labels)
        assert (labels[i], labels[j]) == (1.0, -1.0)
        lengths = np.linalg.norm(points[labels > 0][:, None] - points[labels < 0][None], axis=2)
        assert np.linalg.norm(points[i] - points[j]) == pytest.approx(lengths.min(), abs=1e-12)


def test_one_class_has_no_street_and_no_pair():
    points = np.array([[0.0, 0.0], [1.0, 1.0]])
    assert widest_street(points, np.ones(2)) is None
    assert nearest_pair(points, np.ones(2)) is None


def test_one_place_in_both_classes_has_no_best_direction():
    assert widest_street(np.ones((2, 2)), np.array([1.0, -1.0])) is None


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
