"""Slack sticks end at the margin, or are stubs where the way leads elsewhere."""

import numpy as np
import pytest

from solvers import RBF, BadInput, Linear, Polynomial, Sigmoid
from solvers.data.datasets import DATASETS
from svmviz.document.document import Document
from svmviz.frames import slack
from svmviz.frames.slack import _nearest_on_lines
from tests.campaigns.limits import SETS, as_points
from tests.plane.frames import fitted, lane_of, points, solved

PAIR = Document(data=points([[-1.0, 0.0], [1.0, 0.0]], [-1, 1]), kernel=Linear())


def nearest_by_brute_force(place, lines):
    starts = np.concatenate([line[:-1] for line in lines])
    steps = np.concatenate([np.diff(line, axis=0) for line in lines])
    share = np.clip(((place - starts) * steps).sum(axis=1) / (steps**2).sum(axis=1), 0, 1)
    feet = starts + share[:, None] * steps
    return np.hypot(*(feet - place).T).min()


def test_sticks_end_at_the_nearest_place_of_the_contour():
    document = Document(data=DATASETS["moons"].generate(80, 0.3, 2), kernel=RBF(2.0))
    lane = lane_of(solved(document, fitted(document)))
    lines = [line for level in (-1.0, 1.0) for line in lane.field.contours[level]]
    places = np.random.default_rng(0).uniform(-3, 3, (200, 2))
    found = np.hypot(*(_nearest_on_lines(places, lines) - places).T)
    wanted = [nearest_by_brute_force(place, lines) for place in places]
    assert found == pytest.approx(wanted, abs=1e-12)


def test_lines_of_two_corners_are_enough():
    lines = [np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([[3.0, 0.0], [3.0, 1.0]])]
    places = np.array([[0.0, 0.5], [4.0, 2.0], [2.9, -1.0]])
    assert _nearest_on_lines(places, lines).tolist() == [[1, 0.5], [3, 1], [3, 0]]


def test_a_stick_stays_a_stub_where_another_region_is_in_between():
    # Along x, from a plain point of class +1 at 0, y f falls to a dip at 1 before it rises to 2.
    grid = np.linspace(-1.0, 3.0, 65)
    profile = np.interp(grid, [-1.0, 0.0, 1.0, 2.0, 3.0], [0.5, 0.5, -0.8, 1.2, 1.2])
    values = np.tile(profile, (65, 1))
    start, far = np.array([[0.0, 0.5], [1.2, 0.5]]), np.array([[1.9, 0.5], [1.9, 0.5]])
    labels = np.ones(2)
    astray = slack._dips(start, far, labels, grid, grid, values)
    assert astray.tolist() == [True, False]
    assert slack._dips(start, far, -labels, grid, grid, -values).tolist() == [True, False]
    cut = slack._stubs(start, far, np.array([0.1, 0.1]))
    assert np.allclose(cut, [[0.1, 0.5], [1.3, 0.5]])
    near = slack._stubs(start, start + 0.01, np.array([0.1, 0.1]))
    assert np.allclose(near, start + 0.01)


def test_where_axes_are_of_different_kinds_sticks_lead_where_the_contour_seems_near():
    # A narrow kernel along y alone: contours run almost along x, and y is in thousands.
    rng = np.random.default_rng(3)
    places = np.column_stack([rng.uniform(0.0, 10.0, 120), rng.normal(0.0, 700.0, 120)])
    labels = np.where(places[:, 1] + 0.3 * rng.normal(0.0, 700.0, 120) > 0.0, 1, -1)
    document = Document(data=points(places, labels), kernel=RBF(3e-6))
    sticks = lane_of(solved(document, fitted(document))).sticks
    assert len(sticks) > 20
    across, up = np.abs(sticks[:, 2:] - sticks[:, :2]).T / np.ptp(places, axis=0)[:, None]
    assert across.max() < 0.1
    assert (across < up).mean() > 0.9


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("kernel", [RBF(1.0), RBF(1e-200), Polynomial(), Sigmoid(1e-3)], ids=repr)
def test_points_at_the_limits_have_finite_sticks(kernel, name):
    document = Document(data=as_points(SETS[name]), kernel=kernel)
    try:
        document.problem()
    except BadInput:
        pytest.skip("too large for this kernel")
    assert np.isfinite(lane_of(solved(document, fitted(document))).sticks).all()


def test_sticks_of_points_far_away_in_one_place():
    places = np.array([[1e100, 1.0], [1e100, 2.0], [1e100, 1.0]])
    document = Document(data=points(places, [1, -1, -1]), kernel=RBF(1.0))
    sticks = lane_of(solved(document, fitted(document))).sticks
    assert np.isfinite(sticks).all()
