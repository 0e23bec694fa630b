"""The hulls panel shows the solver's own numbers at every step."""

import threading

import numpy as np
import pytest

from solvers import Hulls, Linear
from svmviz.base.words import number
from svmviz.panels.geometry.difference_panel import DifferencePanel
from svmviz.panels.geometry.hull_panel import HullPanel
from svmviz.panels.registry import PANELS
from svmviz.plane import hull_study
from svmviz.plane.overlays import OVERLAYS
from svmviz.plane.paint.labels import labels_of
from svmviz.plane.widget import PlaneView
from tests.stages import eight, moons
from tests.waiting import go_to, settle


def shown(qtbot, show, stage):
    panel = show(HullPanel(stage))
    qtbot.waitUntil(lambda: panel.shown is not None)
    return panel


@pytest.mark.parametrize("algorithm", ["pairwise", "mdm", "wolfe"])
def test_bars_and_numbers_are_those_of_the_step(qtbot, open_stage, show, algorithm):
    stage = open_stage(eight(methods=(Hulls(algorithm=algorithm),)))
    panel = shown(qtbot, show, stage)
    run = stage.session.runs[0]
    steps = np.random.default_rng(5).integers(1, run.steps + 1, 5).tolist()
    for step in [*steps, *steps[::-1]]:
        go_to(qtbot, stage, step)
        event, y = run.at(step).event, run.problem.y
        beta = run.at(step).expansion.beta
        # Weights are |beta| made to sum to 1 in each class.
        expected = np.abs(beta)
        for side in (y > 0, y < 0):
            expected[side] /= max(expected[side].sum(), 1e-300)
        assert np.allclose(panel.shown.weights, expected)
        assert set(panel.members.tolist()) == set(np.flatnonzero(beta).tolist())
        distance = event.values["distance"]
        if distance is not None:
            assert f"‖p − q‖ = {number(distance)}" in panel.numbers.text()
    go_to(qtbot, stage, run.steps)
    assert panel.words.text() == "The hulls are apart; p and q are their nearest points."
    assert panel.numbers.text().startswith("‖p − q‖ = 2")


def test_the_plane_numbers_the_points_that_the_panel_names(qtbot, open_stage, show):
    stage = open_stage(eight())
    panel = shown(qtbot, show, stage)
    settle(qtbot, stage)
    members = panel.members.tolist()
    assert stage.view.drawn.named == tuple(members) != ()
    plane = show(PlaneView(stage))
    picture = plane.picture(plane.theme, 1.0)
    found = {label.index: label.text for label in labels_of(picture.canvas(picture.tiles()[0]))}
    assert {index: found.get(index) for index in members} == {i: str(i + 1) for i in members}
    panel.hide()
    assert stage.view.drawn.named == ()


@pytest.mark.parametrize("make", [HullPanel, DifferencePanel])
def test_the_plane_draws_hulls_while_a_panel_about_them_is_visible(qtbot, open_stage, show, make):
    stage = open_stage(eight())
    plane = show(PlaneView(stage))

    def is_drawn():
        options = plane.picture(plane.theme, 1.0).options
        result = OVERLAYS["hulls"].is_in(stage.session.document, options)
        assert "plane:hulls" in stage.feed.studies or not result
        return result

    options = stage.view.options
    assert not is_drawn()
    panel, other = show(make(stage)), show(HullPanel(stage))
    assert is_drawn()
    other.hide()
    assert is_drawn()
    # What is saved is the user's own choice, which goes first.
    assert stage.view.options is options
    stage.view.set(hulls="never")
    assert not is_drawn()
    stage.view.set(hulls="always")
    panel.hide()
    assert is_drawn()
    stage.view.set(hulls="auto")
    assert not is_drawn()


def test_hulls_that_meet_and_the_cap_that_separates_them(qtbot, open_stage, show):
    stage = open_stage(moons(40, kernel=Linear(), methods=(Hulls(),)))
    panel = shown(qtbot, show, stage)
    assert panel.words.text().startswith("The hulls meet. With a cap μ of at most ")
    wanted = Hulls(mu=round(0.9 * panel.shown.largest, 4))
    panel.form.released.emit(wanted)
    settle(qtbot, stage)
    method = stage.session.document.method
    assert (method.mu, method.algorithm) == (wanted.mu, "wolfe")
    qtbot.waitUntil(lambda: panel.shown is not None and not panel.shown.meeting)
    assert panel.words.text().startswith("The reduced hulls are apart")
    assert panel.shown.weights.max() <= wanted.mu * (1 + 1e-12)
    stage.session.undo_stack.undo()
    assert stage.session.document.method == Hulls()


def test_nonlinear_kernels_and_other_methods(qtbot, open_stage, show):
    curved = open_stage(moons(40, methods=(Hulls(),)))
    panel = shown(qtbot, show, curved)
    assert "in the feature space" in panel.words.text()
    assert panel.shown.outlines is None
    event = curved.session.runs[0].at(curved.session.runs[0].steps).event
    distance = event.values["distance"]
    assert f"‖p − q‖ = {number(distance)}" in panel.numbers.text()
    other = show(HullPanel(open_stage(moons(40))))
    qtbot.waitUntil(lambda: bool(other.numbers.text()))
    assert "lie in the feature space" in other.words.text()
    margin = 2.0 * other.stage.feed.frame.lane.certificate.margin
    assert other.numbers.text() == f"2/‖w‖ = {number(margin)}"
    assert not other.form.isVisible()
    fits = PANELS["hulls"].fits
    assert fits(eight())
    assert fits(moons(methods=(Hulls(),)))
    assert not fits(moons())


def test_bars_light_and_select_their_points(qtbot, open_stage, show):
    stage = open_stage(eight(methods=(Hulls(),)))
    panel = shown(qtbot, show, stage)
    panel.bars.hovered.emit(2.2, 0.1)
    assert stage.spotlight.index == panel.members[1]
    panel.bars.pressed.emit(1.0, 0.1)
    assert stage.session.selection == {panel.members[0]}
    panel.bars.hovered.emit(99.0, 0.1)
    assert stage.spotlight.index is None


def test_an_axis_without_weights_goes_to_one(open_stage, show):
    panel = show(HullPanel(open_stage()))
    low, high = panel.bars.ranges[1]
    assert low == 0.0
    assert 1.0 <= high < 1.2


def test_frames_continue_while_hulls_are_computed(qtbot, open_stage, show, monkeypatch):
    stage, go, work = open_stage(eight()), threading.Event(), hull_study._common_to_steps

    def slow(*arguments):
        go.wait(60.0)
        return work(*arguments)

    monkeypatch.setattr(hull_study, "_common_to_steps", slow)
    try:
        panel = show(HullPanel(stage))
        for step in (2, 0, 1):
            go_to(qtbot, stage, step)
            assert panel.shown is None
            qtbot.waitUntil(lambda: panel.words.text() == hull_study.PENDING)
    finally:
        go.set()
    qtbot.waitUntil(lambda: panel.shown is not None)
    assert panel.words.text() == "The hulls are apart; p and q are their nearest points."
