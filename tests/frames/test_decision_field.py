from dataclasses import replace

import numpy as np
import pytest

from solvers import RBF, Custom, Expansion, Linear, Perceptron, Polynomial, solve
from solvers.data.datasets import DATASETS
from solvers.rounding import EPS
from svmviz.document.document import Document
from svmviz.frames import decision_field
from svmviz.frames.decision_field import HALF_LEVEL, make_field
from svmviz.frames.viewport import Viewport
from tests.plane.frames import fitted, lane_of, points, solved
from tests.stages import EIGHT

PAIR = Document(data=points([[-1.0, 0.0], [1.0, 0.0]], [-1, 1]), kernel=Linear())


def test_bands_lie_on_their_side_of_the_boundary():
    below, above = lane_of(solved(PAIR, fitted(PAIR))).field.bands
    assert {tuple(np.round((part[:, 0].min(), part[:, 0].max()), 9)) for part, _ in below} == {
        (-1, 0)
    }
    assert {tuple(np.round((part[:, 0].min(), part[:, 0].max()), 9)) for part, _ in above} == {
        (0, 1)
    }


def test_shades_are_f_squeezed_and_from_the_top():
    field = lane_of(solved(PAIR, fitted(PAIR))).field
    values = field.values[::-1]
    assert field.shades == pytest.approx(
        127.5 + 127.5 * values / (HALF_LEVEL + np.abs(values)), abs=0.5
    )
    assert not field.shades.flags.writeable


def test_nodes_between_others_keep_contours_smooth():
    document = Document(data=DATASETS["moons"].generate(80, 0.2, 2), kernel=RBF(1.0))
    lane = lane_of(solved(document, fitted(document)))
    view = Viewport(-2.0, 2.5, -1.5, 2.0, 1.3, size=24 * 96)

    def misses(grid):
        made = make_field(lane.problem, lane.expansion, np.ones(2), grid)
        assert made.values.shape == made.shades.shape == (grid.rows, grid.columns)
        # Compiled code, such as that of the paths of slack, takes nothing else.
        assert made.values.flags.c_contiguous
        line = max(made.contours[0.0], key=len)
        # Between two corners of the contour as at them.
        places = np.vstack([line, 0.5 * (line[1:] + line[:-1])])
        return np.abs(lane.expansion(places)).max()

    moving, resting = view.grid(96, moving=True), view.grid(96)
    assert (moving.columns, moving.rows) == (191, 2 * resting.rows - 1)
    assert misses(moving) < 0.3 * misses(resting)
    small = view._replace(size=11 * 96).grid(96, moving=True)
    # Only a picture at rest may be sampled finer, up to its pixels.
    assert small == replace(resting, pixels=0.0)


def test_interpolation_is_exact_for_cubics():
    xs = np.linspace(-1.0, 1.0, 9)
    values = np.column_stack([xs**3, xs**2 - xs, np.ones(9)])
    finer = np.linspace(-1.0, 1.0, 17)
    expected = np.column_stack([finer**3, finer**2 - finer, np.ones(17)])
    found = decision_field._with_rows_between(values)
    assert np.allclose(found[:, 1:], expected[:, 1:], rtol=0.0, atol=1e-15)
    assert np.allclose(found[2:-2, 0], expected[2:-2, 0], rtol=0.0, atol=1e-15)


def field_of(document, reach=2.0, nodes=96):
    lane = lane_of(solved(document, fitted(document)))
    grid = Viewport(-reach, reach, -reach, reach, 1.0, size=24 * nodes).grid(nodes)
    return make_field(lane.problem, lane.expansion, document.factors, grid)


def test_rounding_of_a_constant_draws_no_crumbs():
    # All points are one to the kernel, so f is a constant: on the margin of a class, give or take.
    places = np.array([[1e-300, 1e-300], [-1e-300, 1e-300], [1e-300, -1e-300], [0.0, 0.0]])
    for reach in (1e-200, 1e-12):
        made = field_of(Document(data=points(places, [1, -1, 1, -1])), reach)
        assert np.ptp(made.values) == 0.0
        assert not any(made.contours.values())


def test_noise_has_a_shade_and_no_contours():
    kernel = Custom("cos(1e9*(x1 - z1)) + cos(1e9*(x2 - z2))")
    made = field_of(Document(data=EIGHT, kernel=kernel), nodes=256)
    assert np.ptp(made.values) > 0.5
    assert not any(made.contours.values())
    assert made.bands == ([], [])


@pytest.mark.parametrize("kernel", [Polynomial(degree=10), Polynomial(coef0=0.0, degree=9)])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_a_field_that_overflows_far_away_is_finite(kernel, task):
    document = Document(data=EIGHT, kernel=kernel, task=task)
    for reach in (1e25, 1e60, 1e150):
        made = field_of(document, reach)
        assert np.isfinite(made.values).all()
        assert made.shades.shape == made.values.shape


NARROW = Document(kernel=RBF(60.0), methods=(Perceptron(zero="mistake"),))


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_level_that_f_only_approaches_has_no_contour(sign):
    data = points([[0.0, 0.0], [0.6, 0.0]], [sign, -sign])
    document = replace(NARROW, data=data)
    problem = document.problem()
    # After the first mistake f = y (k(x_1, x) + 1), which is y wherever k is below rounding.
    first = solve(problem, document.method).at(1).expansion
    grid = Viewport(-2.0, 2.0, -2.0, 2.0, 1.0, size=24 * 96).grid(96)
    made = make_field(problem, first, np.ones(2), grid)
    assert np.abs(made.values).min() == 1.0
    assert np.abs(made.values).max() > 1.5
    assert not any(made.contours.values())
    assert made.bands == ([], [])


def test_a_contour_ends_where_f_is_its_level_up_to_rounding():
    data = points([[-0.3, 0.0], [0.3, 0.0]], [1, -1])
    problem = replace(NARROW, data=data).problem()
    # Antisymmetric, and 0 far away: only between the two points is there a boundary.
    pair = Expansion(problem.kernel, problem.X, np.array([1.0, -1.0]), 0.0)
    grid = Viewport(-2.0, 2.0, -2.0, 2.0, 1.0, size=24 * 96).grid(96)
    made = make_field(problem, pair, np.ones(2), grid)
    corners = np.vstack(made.contours[0.0])
    assert np.abs(corners[:, 0]).max() < 1e-9
    # Not beyond the nodes next to those at which k(x_1, x) is still above rounding.
    reach = np.sqrt(-np.log(128 * EPS) / 60.0) + 2.0 * (grid.xs[1] - grid.xs[0])
    assert 0.3 < np.abs(corners[:, 1]).max() < reach


def test_where_f_is_0_up_to_rounding_is_in_neither_half_of_the_band():
    data = points([[-0.3, 0.0], [0.3, 0.0]], [1, -1])
    problem = replace(NARROW, data=data).problem()
    pair = Expansion(problem.kernel, problem.X, np.array([1.0, -1.0]), 0.0)
    grid = Viewport(-2.0, 2.0, -2.0, 2.0, 1.0, size=24 * 96).grid(96)
    made = make_field(problem, pair, np.ones(2), grid)
    reach = 0.3 + np.sqrt(-np.log(EPS) / 60.0) + 2.0 * (grid.xs[1] - grid.xs[0])
    for half, side in zip(made.bands, (1.0, -1.0), strict=True):
        corners = np.vstack([outline for outline, _ in half])
        assert np.abs(corners).max() < reach < 1.9
        assert (side * corners[:, 0]).min() > -1e-9
