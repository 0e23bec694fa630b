"""Slack is drawn from the point to its margin, for every kernel."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter

from solvers import RBF, BadInput, Laplacian, Linear, Polynomial, Sigmoid
from solvers.data.datasets import DATASETS
from solvers.data.regression_datasets import CURVES
from svmviz.document.document import Document, Penalty
from svmviz.frames import slack_paths
from svmviz.frames.slack_paths import MIN_SLACK
from svmviz.plane.draw import draw_plane
from svmviz.plane.paint import slack
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.slack import shortened
from svmviz.plane.paint.style import Style
from tests.campaigns.limits import SETS, as_points
from tests.plane.frames import fitted, lane_of, points, solved


def moons(kernel, **changes) -> Document:
    return Document(DATASETS["moons"].generate(60, 0.4, 2), kernel, Penalty("C", 1.0), **changes)


def paths_of(document, nodes=400, step=None):
    lane = lane_of(solved(document, fitted(document), step, nodes=nodes))
    return slack_paths.slack_paths(lane, document), lane


@pytest.mark.parametrize("scaling", ["none", "common", "each"])
def test_for_the_linear_kernel_it_is_the_perpendicular_to_the_margin(qapp, scaling):
    document = moons(Linear(), scaling=scaling)
    found, lane = paths_of(document)
    own = np.flatnonzero(lane.certificate.slack > MIN_SLACK)
    assert found.rows.tolist() == own.tolist()
    assert len(own) > 10
    w = lane.expansion.w
    for index, path in zip(found.rows, found.paths, strict=True):
        assert path[0] == pytest.approx(document.data.points[index])
        # In solver units: its length is xi / ||w||, it is parallel to w, and ends where y f = 1.
        along = (path[-1] - path[0]) / document.factors
        assert np.hypot(*along) == pytest.approx(lane.certificate.slack[index] / np.hypot(*w))
        assert along[0] * w[1] - along[1] * w[0] == pytest.approx(0.0, abs=1e-9)
        end = lane.expansion(path[-1:] / document.factors)[0]
        assert document.data.labels[index] * end == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("kernel", "least"),
    # f of the Laplacian kernel has ridges, and often a maximum on them.
    [(RBF(2.0), 0.7), (Polynomial(1.0, 1.0, 3), 0.7), (Laplacian(1.0), 0.6)],
    ids=str,
)
@pytest.mark.parametrize("nodes", [128, 400])
def test_for_other_kernels_it_follows_the_gradient_to_the_margin(qapp, kernel, least, nodes):
    document = moons(kernel)
    found, lane = paths_of(document, nodes)
    own = np.flatnonzero(lane.certificate.slack > MIN_SLACK)
    reached, off = 0, []
    for index, path, is_open in zip(found.rows, found.paths, found.is_open, strict=True):
        assert index in own
        assert path[0] == pytest.approx(document.data.points[index])
        values = document.data.labels[index] * lane.expansion(path / document.factors)
        # It never goes away from the margin, but by what the grid does not know.
        assert np.diff(values).min(initial=0.0) > -0.05
        if not is_open:
            reached += 1
            assert values[-1] == pytest.approx(1.0, abs=0.05)
            off.append(abs(values[-1] - 1.0))
    assert reached >= least * len(own)
    # Where it ends at a free support vector, the grid cuts off the tip of f.
    assert np.median(off) < 0.01


def test_the_path_is_at_right_angles_to_the_contours(qapp):
    document = moons(RBF(1.0))
    found, lane = paths_of(document)
    checked = 0
    for path in found.paths:
        for start, end in pairwise(path[:-1]):
            step, at, small = end - start, 0.5 * (start + end), 1e-5
            around = np.array([[small, 0.0], [-small, 0.0], [0.0, small], [0.0, -small]])
            right, left, above, below = lane.expansion(at + around)
            gradient = np.array([right - left, above - below])
            if not step.any():
                continue
            sine = step[0] * gradient[1] - step[1] * gradient[0]
            assert abs(sine) < 0.2 * np.hypot(*step) * np.hypot(*gradient)
            checked += 1
    assert checked > 50


def test_the_end_is_open_where_no_margin_is_in_sight(qapp):
    # One point of class +1 deep among those of class -1, with a C too small to make f = 1 there.
    ring = np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
    places = np.vstack([np.column_stack([np.cos(ring), np.sin(ring)]), [[0.0, 0.0], [4.0, 0.0]]])
    document = Document(points(places, [-1] * 12 + [1, 1]), RBF(0.3), Penalty("C", 0.5))
    found, lane = paths_of(document)
    assert lane.certificate.slack[12] > 1.0
    (row,) = np.flatnonzero(found.rows == 12)
    path = found.paths[row]
    assert found.is_open[row] or np.hypot(*(path[-1] - path[0])) > 1.5
    # A perpendicular that leaves the picture has an open end, too.
    weak = Document(points([[-1, 0], [1, 0], [2, 0.5]], [-1, 1, 1]), Linear(), Penalty("C", 1e-4))
    assert paths_of(weak)[0].is_open.all()


def test_at_the_start_there_is_no_direction_of_slack(qapp):
    for kernel in (Linear(), RBF(1.0)):
        found, lane = paths_of(moons(kernel), step=0)
        assert (lane.certificate.slack == 1.0).all()
        assert not len(found.rows)


def test_an_open_end_is_short(qapp):
    path = np.array([[0.0, 0.0], [3.0, 4.0], [3.0, 10.0]])
    assert shortened(path, 7.0)[-1] == pytest.approx([3.0, 6.0])
    assert shortened(path, 2.5)[-1] == pytest.approx([1.5, 2.0])
    assert shortened(path, 50.0) is path


def test_of_very_many_points_those_with_the_largest_slack_are_drawn(qapp, monkeypatch):
    document = moons(Linear())
    monkeypatch.setattr(slack_paths, "MAX_PATHS", 7)
    found, lane = paths_of(document)
    assert set(found.rows) == set(np.argsort(-lane.certificate.slack)[:7])


def test_in_a_regression_a_line_joins_point_and_tube(qapp, monkeypatch):
    data = next(iter(CURVES.values())).generate(60, 0.3, 1)
    document = Document(data, RBF(1.0), task="regression", epsilon=0.1)
    drawn = []
    monkeypatch.setattr(slack, "draw_lines", lambda _painter, ends: drawn.append(ends))
    for step in (0, 3, None):
        camera = fitted(document)
        frame = solved(document, camera, step)
        lane = lane_of(frame)
        image = QImage(800, 600, QImage.Format.Format_RGB32)
        with QPainter(image) as painter:
            slack.draw_slack(painter, Canvas(frame, camera, Style()), lane)
        own = np.flatnonzero(lane.certificate.slack > MIN_SLACK)
        ends = drawn.pop()
        assert len(ends) == len(own) > 10
        f = lane.certificate.decision[own]
        edge = f + 0.1 * np.sign(data.points[own, 1] - f)
        wanted = camera.to_pixels(np.column_stack([data.points[own, 0], edge]))
        assert ends[:, :2] == pytest.approx(camera.to_pixels(data.points[own]))
        assert ends[:, 2:] == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize(
    "kernel", [Linear(), RBF(1.0), RBF(1e-200), Polynomial(), Sigmoid(1e-3)], ids=repr
)
def test_points_at_the_limits_have_finite_paths(qapp, kernel, name):
    document = Document(data=as_points(SETS[name]), kernel=kernel)
    try:
        document.problem()
    except BadInput:
        pytest.skip("too large for this kernel")
    found, _ = paths_of(document, 64)
    assert all(np.isfinite(path).all() for path in found.paths)


def test_slack_can_be_hidden(qapp):
    document = Document(DATASETS["moons"].generate(60, 0.4, 2), RBF(1.0), Penalty("C", 0.1))
    camera = fitted(document)
    frame = solved(document, camera)
    style = Style(options=replace(Style().options, legend=False))
    images = []
    for sticks in (True, True, False):
        image = QImage(800, 600, QImage.Format.Format_RGB32)
        with QPainter(image) as painter:
            shown = replace(style, options=replace(style.options, sticks=sticks))
            draw_plane(painter, Canvas(frame, camera, shown))
        images.append(image)
    assert images[0] == images[1] != images[2]
