"""Bars of slack: as long as the slack, at their points, for every kernel."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter

from solvers import RBF, BadInput, Linear, Polynomial, Sigmoid
from solvers.data.datasets import DATASETS
from solvers.data.regression_datasets import CURVES
from svmviz.document.document import Document, Penalty
from svmviz.plane.draw import draw_plane
from svmviz.plane.paint import slack
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.ink import Ink
from svmviz.plane.paint.slack import END_PIECE, GAP, MAX_UNITS, MIN_SLACK, bars
from svmviz.plane.paint.style import Style
from tests.campaigns.limits import SETS, as_points
from tests.plane.frames import fitted, lane_of, points, solved

VECTOR = Style(vector=True)


@pytest.fixture
def filled(monkeypatch):
    """Rectangles of the bars of a document at a step, shape (m, 4), with its lane and camera."""

    def filled(document, step=None, style=VECTOR, camera=None):
        camera = camera or fitted(document)
        frame = solved(document, camera, step)
        lane = lane_of(frame)
        found = [np.zeros((0, 4))]
        monkeypatch.setattr(
            slack, "fill_bars", lambda _painter, boxes, *_style: found.append(boxes)
        )
        slack.draw_slack(QPainter(), Canvas(frame, camera, style), lane)
        return np.concatenate(found), lane, camera

    return filled


@pytest.mark.parametrize("kernel", [Linear(), RBF(2.0), Polynomial(1.0, 1.0, 3)], ids=repr)
def test_each_bar_is_as_long_as_the_slack_of_its_point(filled, kernel):
    document = Document(DATASETS["moons"].generate(60, 0.4, 2), kernel, Penalty("C", 1.0))
    boxes, lane, camera = filled(document)
    found = lane.certificate.slack
    own = np.flatnonzero(found > MIN_SLACK)
    assert 5 < len(own) < 60
    # Bars of misclassified points come last.
    own = own[np.argsort(found[own] > 1.0, kind="stable")]
    assert found.max() < MAX_UNITS
    heights = boxes[: len(own), 3]
    assert heights == pytest.approx(found[own] * Ink().slack_unit)
    x, y = camera.to_pixels(document.data.points[own]).T
    assert boxes[: len(own), 0] + 0.5 * boxes[: len(own), 2] == pytest.approx(x)
    # It stands on the rings of its point.
    feet = boxes[: len(own), 1] + heights
    reach = [Ink().reach(kind) for kind in lane.certificate.kinds[own]]
    assert y - feet == pytest.approx(reach)
    # One tick for each misclassified point.
    assert len(boxes) - len(own) == np.count_nonzero(found > 1.0)


def test_in_a_crowd_only_misclassified_points_have_bars(filled):
    document = Document(DATASETS["moons"].generate(60, 0.4, 2), RBF(2.0), Penalty("C", 1.0))
    boxes, lane, _ = filled(document, style=replace(VECTOR, ink=Ink(share=0.3)))
    wrong = np.count_nonzero(lane.certificate.slack > 1.0)
    # A bar and a tick for each.
    assert wrong > 0
    assert len(boxes) == 2 * wrong


def test_without_rings_a_bar_stands_on_the_mark(filled):
    document = Document(DATASETS["moons"].generate(60, 0.4, 2), RBF(1.0))
    hidden = replace(VECTOR, options=replace(VECTOR.options, rings=False))
    boxes, lane, camera = filled(document, style=hidden)
    found = lane.certificate.slack
    own = np.flatnonzero(found > MIN_SLACK)
    own = own[np.argsort(found[own] > 1.0, kind="stable")]
    _, y = camera.to_pixels(document.data.points[own]).T
    feet = (boxes[:, 1] + boxes[:, 3])[: len(own)]
    assert y - feet == pytest.approx(np.full(len(own), Ink().radius))


def test_a_tick_stands_at_slack_1():
    unit = Ink().slack_unit
    body, tick = bars(np.array([[50.0, 80.0]]), np.array([1.5]), VECTOR)
    assert body[3] == pytest.approx(1.5 * unit)
    assert tick[1] + 0.5 * tick[3] == pytest.approx(80.0 - unit)
    assert tick[0] + 0.5 * tick[2] == pytest.approx(50.0)
    assert len(bars(np.array([[50.0, 80.0]]), np.array([0.99]), VECTOR)) == 1


def test_a_long_bar_is_cut_and_shows_it():
    unit = Ink().slack_unit
    boxes = bars(np.array([[50.0, 500.0]]), np.array([1e6]), VECTOR)
    body, top = boxes[0], boxes[1]
    assert top[1] == pytest.approx(500.0 - MAX_UNITS * unit)
    assert top[3] == pytest.approx(END_PIECE * unit)
    assert body[1] - (top[1] + top[3]) == pytest.approx(GAP * unit)


def test_a_bar_of_a_regression_joins_point_and_tube(filled):
    data = next(iter(CURVES.values())).generate(60, 0.3, 1)
    document = Document(data, RBF(1.0), task="regression", epsilon=0.1)
    for step in (0, 3, None):
        boxes, lane, camera = filled(document, step)
        own = np.flatnonzero(lane.certificate.slack > MIN_SLACK)
        assert len(boxes) == len(own) > 10
        _, y = camera.to_pixels(data.points[own]).T
        f = lane.certificate.decision[own]
        edge = f + 0.1 * np.sign(data.points[own, 1] - f)
        _, end = camera.to_pixels(np.column_stack([data.points[own, 0], edge])).T
        assert boxes[:, 1] == pytest.approx(np.minimum(y, end), abs=1e-6)
        assert boxes[:, 1] + boxes[:, 3] == pytest.approx(np.maximum(y, end), abs=1e-6)


def test_no_bar_is_drawn_for_a_point_far_outside_the_plot(filled):
    document = Document(DATASETS["moons"].generate(60, 0.4, 2), Linear())
    everything, _, camera = filled(document)
    near = camera.zoomed(0.1, 200.0, 200.0)
    shown, _, _ = filled(document, camera=near)
    assert len(shown) < 0.5 * len(everything)


def test_of_very_many_points_the_longest_bars_are_drawn(filled, monkeypatch):
    document = Document(DATASETS["moons"].generate(60, 0.4, 2), Linear(), Penalty("C", 1.0))
    everything, lane, _ = filled(document)
    count = np.count_nonzero(lane.certificate.slack > MIN_SLACK)
    monkeypatch.setattr(slack, "MAX_BARS", 7)
    few, _, _ = filled(document)
    longest = np.sort(everything[:count, 3])[-7:]
    assert np.sort(few[:7, 3]) == pytest.approx(longest)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("kernel", [RBF(1.0), RBF(1e-200), Polynomial(), Sigmoid(1e-3)], ids=repr)
def test_points_at_the_limits_have_finite_bars(filled, kernel, name):
    document = Document(data=as_points(SETS[name]), kernel=kernel)
    try:
        document.problem()
    except BadInput:
        pytest.skip("too large for this kernel")
    assert np.isfinite(filled(document)[0]).all()


def test_points_far_away_in_one_place_have_finite_bars(filled):
    places = np.array([[1e100, 1.0], [1e100, 2.0], [1e100, 1.0]])
    document = Document(data=points(places, [1, -1, -1]), kernel=RBF(1.0))
    assert np.isfinite(filled(document)[0]).all()


def test_bars_can_be_hidden(qapp):
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
