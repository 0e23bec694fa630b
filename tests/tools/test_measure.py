"""A rubber band between two places, with their distances in the plane and in the feature space."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solvers import RBF, Custom
from solvers.data.datasets import PointSet
from solvers.data.items import matrix_items
from svmviz.base.resources import path as asset
from svmviz.base.words import number
from svmviz.document.document import Document
from svmviz.io.open_and_save import open_scene
from svmviz.tools.measure import words_at
from tests.plane_fixtures import SQUARE
from tests.waiting import settle


@pytest.fixture
def tool(stage, view, qtbot):
    qtbot.waitUntil(lambda: not stage.session.waiting)
    stage.session.edit(replace(stage.session.document, kernel=RBF(0.5)), "Change kernel")
    view.show_tool("measure")
    return view._mouse.tool


def distances(x, z, gamma=0.5):
    """Both distances and the angle, in closed form: all phi have length 1."""
    away = float(np.linalg.norm(np.subtract(x, z)))
    k = np.exp(-gamma * away**2)
    return away, float(np.sqrt(2.0 - 2.0 * k)), float(np.degrees(np.arccos(k)))


def test_from_point_to_point_it_shows_both_distances_and_selects_them(tool, stage, mouse):
    mouse.drag((-1, -1), (0, 0), (1, 1))
    plane, feature, angle = distances((-1, -1), (1, 1))
    assert tool.feedback.words == (
        f"Points 1 and 4: {number(plane)} apart in the plane, {number(feature)} in the feature "
        f"space, with an angle of {number(angle, 3)}° between their φ."
    )
    assert stage.session.selection == {0, 3}
    np.testing.assert_allclose(
        tool.feedback.band, tool.plane.camera.to_pixels(SQUARE.points[[0, 3]]), atol=0.5
    )


def test_its_ends_may_be_places_and_both_points_are_lit_while_it_is_drawn(tool, stage, mouse):
    mouse.press(mouse.at(-1, 1))
    mouse.move(mouse.at(0, 0.5))
    assert tool.feedback.words.startswith("Point 2 and a place: ")
    mouse.move(mouse.at(1, 1))
    assert stage.spotlight.points == (1, 3)
    mouse.release(mouse.at(0, 0))
    assert tool.feedback.words.startswith("Point 2 and a place: ")
    assert stage.spotlight.points == ()
    assert stage.session.selection == frozenset()


def test_it_follows_the_kernel_and_ends_with_the_next_click(tool, stage, view, mouse):
    mouse.drag((-1, -1), (0, 0), (-1, 1))
    stage.session.edit(replace(stage.session.document, kernel=RBF(3.0)), "Change kernel")
    assert number(distances((0, 0), (0, 2), 3.0)[1]) in tool.feedback.words
    without = view.grab().toImage()
    mouse.click(0.5, 0.0)
    assert tool.feedback.band is None
    assert view.grab().toImage() != without


def test_after_points_were_deleted_the_band_is_gone(tool, stage, mouse):
    mouse.drag((-1, -1), (0, 0), (-1, 1))
    assert tool.feedback.band is not None
    data = replace(SQUARE, points=SQUARE.points[:3], labels=SQUARE.labels[:3])
    stage.session.edit(replace(stage.session.document, data=data), "Delete point")
    assert tool.feedback.band is None


def test_a_formula_that_needs_both_coordinates_is_not_measured_along_x(tool, stage, view, mouse):
    document = stage.session.document
    kernel = Custom("x1 * z1 + x2 * z2")
    regression = replace(document, task="regression", kernel=kernel)
    stage.session.edit(regression, "Fit targets")
    mouse.drag((-1, -1), (0, 0), (1, 1))
    assert tool.feedback.words == (
        "A formula in x1, x2, z1, z2 needs points with 2 coordinates: these have 1."
    )
    assert not view.grab().isNull()


def test_points_without_coordinates_have_a_distance_in_the_feature_space_alone(
    tool, stage, view, mouse, qtbot
):
    K = np.array([[1.0, 0.5, 0.1], [0.5, 1.0, 0.2], [0.1, 0.2, 1.0]])
    data = PointSet(np.zeros((3, 2)), np.array([1, -1, 1]), items=matrix_items(K))
    stage.session.edit(Document(data=data), "Open")
    qtbot.waitUntil(lambda: stage.feed.frame.lane is not None and stage.feed.frame.document.n == 3)
    view.navigation.fit()
    places = [tuple(place) for place in stage.session.document.data.points.tolist()]
    mouse.drag(places[0], (0, 0), places[1])
    # ||phi(x) - phi(z)||^2 = 1 - 2 * 0.5 + 1, and the angle has the cosine 0.5.
    assert tool.feedback.words == (
        "Points 1 and 2: 1 apart in the feature space, with an angle of 60° between their φ."
    )


def test_a_click_says_f_its_class_and_its_distance_there(tool, stage, mouse, qtbot):
    # The lanes of the run before may stay for some frames of the new document.
    qtbot.waitUntil(
        lambda: (lane := stage.feed.frame.lane) is not None and lane.problem.kernel == RBF(0.5)
    )
    mouse.click(0.5, 0.25)
    lane = stage.feed.frame.lane
    place = np.array(tool._ends[0].place)
    X, beta = lane.expansion.X, lane.expansion.beta
    f = float(beta @ np.exp(-0.5 * ((X - place) ** 2).sum(axis=1)) + lane.expansion.bias)
    K = np.exp(-0.5 * ((X[:, None] - X[None, :]) ** 2).sum(axis=2))
    away = f / np.sqrt(beta @ K @ beta)
    words = tool.feedback.words
    assert f"f = {number(f)}, class {'+1' if f >= 0 else '−1'}; f / ‖w‖ = {number(away)}" in words
    assert words.endswith("in the feature space.")
    np.testing.assert_allclose(
        tool.feedback.handles[0], tool.plane.camera.to_pixels(place[None, :])[0]
    )
    stage.view.hide({"f"})
    assert not tool.feedback.words


def test_a_penguin_caught_in_the_wild_is_weighed_in_grams(stage, qtbot):
    document = open_scene(str(asset("scenes/own-line.svmviz"))).document
    stage.session.edit(document, "Open penguins")
    settle(qtbot, stage)
    lane = stage.feed.frame.lane
    # 15 mm and 5,000 g, with w and b of the optimum by hand.
    (w1, w2), b = lane.expansion.w, lane.expansion.bias
    f = w1 * 15.0 + w2 * 25.0 + b
    words = words_at(lane, stage.session.document, np.array([15.0, 25.0]))
    assert words == (
        f"bill depth (mm) 15, body mass (g) 5,000: f = {number(f)}, class Gentoo; "
        f"f / ‖w‖ = {number(f / np.hypot(w1, w2))} from the boundary."
    )
