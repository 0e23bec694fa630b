"""Supporting lines and difference sets, against sums over all points and a linear program."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import linprog

from solvers import Hulls, Linear, Problem, solve
from solvers.geometry.plane_hulls import difference_hull, nearest_to_origin, supporting_lines


def scene(seed, most=9):
    """Two clouds of random sizes, shapes and units, apart in two of three scenes."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, most, 2)
    size = rng.uniform(0.1, 5.0, 2)
    plus, minus = (rng.normal(size=(int(m), 2)) * size for m in counts)
    if seed % 3:
        plus = plus + 6.0 * size.max() * np.array([math.cos(seed), math.sin(seed)])
    return plus, minus


def mixture(points, rng):
    """A random point of the hull."""
    return rng.dirichlet(np.ones(len(points))) @ points


def distance_to_segment(a, b):
    """Distance of the origin from the segment from a to b."""
    length = float((b - a) @ (b - a))
    share = min(1.0, max(0.0, float(-(a @ (b - a))) / length)) if length > 0.0 else 0.0
    return math.hypot(*(a + share * (b - a)))


SCENES = range(200)


def test_the_nearest_point_of_the_difference_set_is_p_minus_q_of_the_optimum():
    compared = 0
    for seed in SCENES:
        plus, minus = scene(seed)
        nearest = nearest_to_origin(difference_hull(plus, minus))
        differences = [a - b for a in plus for b in minus]
        # If the origin lies outside, the nearest point is on a segment between two differences.
        shortest = min(
            (distance_to_segment(a, b) for a, b in combinations(differences, 2)),
            default=math.hypot(*differences[0]),
        )
        if nearest.distance > 0.01:
            compared += 1
            assert nearest.distance == pytest.approx(shortest, abs=1e-9)
            points = np.concatenate([plus, minus])
            y = np.repeat([1.0, -1.0], [len(plus), len(minus)])
            problem = Problem(points, y, kernel=Linear(), C=math.inf)
            beta = solve(problem, Hulls(algorithm="wolfe", tol=1e-9)).expansion.beta
            # beta is y tau times one scale, and tau has the sum 1 in each class.
            difference = beta @ points / beta[y > 0].sum()
            np.testing.assert_allclose(difference, nearest.point, atol=1e-6)
    assert compared > 100


def test_two_numbers_enclose_the_distance_of_the_hulls():
    for seed in SCENES:
        plus, minus = scene(seed)
        rng = np.random.default_rng(1000 + seed)
        distance = nearest_to_origin(difference_hull(plus, minus)).distance
        for _ in range(3):
            p, q = mixture(plus, rng), mixture(minus, rng)
            lines = supporting_lines(p, q, plus, minus)
            u = (p - q) / np.linalg.norm(p - q)
            assert lines.distance == pytest.approx(np.linalg.norm(p - q))
            assert lines.high == pytest.approx(min(float(x @ u) for x in plus))
            assert lines.low == pytest.approx(max(float(x @ u) for x in minus))
            assert lines.gap <= distance + 1e-9
            assert lines.distance >= distance - 1e-9


@pytest.mark.parametrize("mu", [0.9, 0.5, 0.26])
def test_supporting_lines_of_reduced_hulls_are_those_of_a_linear_program(mu):
    rng = np.random.default_rng(4)
    for _ in range(30):
        plus, minus = rng.normal(size=(7, 2)) + 1.0, rng.normal(size=(4, 2))
        lines = supporting_lines(plus.mean(axis=0), minus.mean(axis=0), plus, minus, mu)
        for points, value, side in ((plus, lines.high, 1.0), (minus, lines.low, -1.0)):
            least = linprog(
                side * points @ lines.unit,
                A_eq=np.ones((1, len(points))),
                b_eq=[1.0],
                bounds=(0.0, mu),
            )
            assert value == pytest.approx(side * least.fun, abs=1e-9)


def test_equal_p_and_q_have_no_direction():
    point = np.ones((1, 2))
    assert supporting_lines(point[0], point[0], point, point) is None
