"""The dual of a few points over one or two variables."""

import itertools

import numpy as np
import pytest

from solvers import RBF, BadInput, InteriorPoint, Linear, Problem, certify, solve
from solvers.geometry.dual_slice import dual_slice
from solvers.problem.expansion import Expansion

LABELS = [(1, -1), (1, 1, -1), (-1, -1, 1), (1, -1, 1, -1), (1, 1, 1, -1)]


def problem_of(labels, seed, bias="free", C=2.0):
    X = np.random.default_rng(seed).normal(size=(len(labels), 2))
    return Problem(X, np.array(labels, dtype=float), RBF(0.7), C=C, bias=bias)


@pytest.mark.parametrize(("labels", "seed"), [*itertools.product(LABELS, range(10))])
@pytest.mark.parametrize("bias", ["free", "none"])
def test_values_are_those_of_the_certificate_and_the_region_is_feasible(labels, seed, bias):
    problem = problem_of(labels, seed, bias)
    run = solve(problem, InteriorPoint(tol=1e-9))
    alpha = run.certificate.alpha
    cut = dual_slice(problem, alpha)
    here = alpha[list(cut.axes)]
    assert cut.values(here)[0] == pytest.approx(run.certificate.dual, rel=1e-6, abs=1e-9)
    corners = cut.region(problem.C)
    assert cut.feasible(corners, 1e-12).all()
    rng = np.random.default_rng(seed)
    inside = rng.dirichlet(np.ones(len(corners)), 50) @ corners
    assert cut.feasible(inside, 1e-12).all()
    # The optimum of all variables is the top of the slice through it.
    assert cut.values(inside).max() <= run.certificate.dual + 1e-6
    for coordinates in inside[:5]:
        beta = problem.y * cut.alphas(coordinates)[0]
        found = certify(problem, Expansion(problem.kernel, problem.X, beta, 0.0)).dual
        assert cut.values(coordinates)[0] == pytest.approx(found, rel=1e-6, abs=1e-9)


def test_three_points_have_a_triangle_cut_by_the_box():
    cut = dual_slice(problem_of((1, 1, -1), 0, C=1.0), np.zeros(3))
    assert (cut.axes, cut.dependent) == ((0, 1), 2)
    corners = cut.region(1.0)
    assert {tuple(corner) for corner in corners.tolist()} == {(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)}


def test_two_points_have_a_segment():
    problem = Problem(np.array([[0.0, 0.0], [2.0, 0.0]]), np.array([1.0, -1.0]), Linear(), C=1.0)
    cut = dual_slice(problem, np.zeros(2))
    np.testing.assert_array_equal(cut.region(1.0), [[0.0], [1.0]])
    # D(a) = 2 a - 2 a^2: its top is at 2 / D^2 = 1/2 for a distance of 2.
    np.testing.assert_allclose(cut.values(np.array([[0.0], [0.5], [1.0]])), [0.0, 0.5, 0.0])


def test_more_points_are_refused():
    with pytest.raises(BadInput, match="at most 4 points"):
        dual_slice(problem_of((1, -1, 1, -1, 1), 0), np.zeros(5))
