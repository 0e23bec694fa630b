"""Regression in the window, by real clicks: the task, points, the tube, undo, the solvers."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt

from solvers import METHODS
from svmviz.panels.controls.settings.data_panel import DataPanel
from svmviz.panels.controls.settings.model_panel import ModelPanel
from svmviz.panels.controls.settings.solver_panel import SolverPanel
from svmviz.panels.registry import PANELS
from tests.stages import moons
from tests.window.conftest import settle

pytestmark = pytest.mark.display


@pytest.fixture
def fitting(open_window):
    """A window that was switched to regression by a click."""
    user = open_window(moons())
    user.window.docks.column.fold([])
    regression = user.window.findChild(DataPanel).task.button("regression")
    user.until_still(regression)
    user.click_on(regression)
    user.until(lambda: user.window.stage.session.document.is_regression)
    settle(user)
    return user


def test_a_click_places_a_point_and_undo_brings_the_classes_back(fitting):
    user, session = fitting, fitting.window.stage.session
    before = session.document
    assert user.window.plane.camera.span_y < 8.0
    for button in (1, 3):
        n = session.document.n
        user.click(user.at(2.6 - 1.2 * button, 0.5 - 0.1 * button), button)
        user.until(lambda n=n: session.document.n == n + 1)
    assert (session.document.data.labels == 1).all()
    settle(user)
    for _ in range(3):
        user.key("ctrl+z")
    user.until(lambda: not session.document.is_regression)
    assert before.is_regression
    assert session.document == moons()


def test_the_tasks_remember_their_points(fitting):
    user, session = fitting, fitting.window.stage.session
    curve, task = session.document.data, user.window.findChild(DataPanel).task
    user.click_on(task.button("classification"))
    user.until(lambda: not session.document.is_regression)
    assert session.document.data == moons().data
    user.click_on(task.button("regression"))
    user.until(lambda: session.document.is_regression)
    assert session.document.data == curve


def test_the_tube_follows_its_slider(fitting):
    user, session = fitting, fitting.window.stage.session
    slider = user.window.findChild(ModelPanel).epsilon
    assert slider.isVisibleTo(user.window)
    slider.released.emit(0.4)
    user.until(lambda: session.document.epsilon == 0.4)
    settle(user)
    lane = user.window.stage.feed.frame.lane
    f = lane.expansion(np.array([[0.5]]))[0]
    upper = lane.field.contours[1.0][0]
    assert np.interp(0.5, upper[:, 0], upper[:, 1]) == pytest.approx(f + 0.4, abs=0.02)
    user.key("ctrl+z")
    user.until(lambda: session.document.epsilon == 0.1)


def test_solvers_of_classes_cannot_be_chosen_and_say_why(fitting):
    combo = fitting.window.findChild(SolverPanel).method.combo
    for row in range(combo.count()):
        name = combo.itemData(row)
        enabled = bool(combo.model().index(row, 0).flags() & Qt.ItemFlag.ItemIsEnabled)
        assert enabled == ("regression" in METHODS[name].tasks)
        if not enabled:
            tip = combo.itemData(row, Qt.ItemDataRole.ToolTipRole)
            assert (
                tip.replace("\n", " ")
                == f"{METHODS[name].label} is for classification, not for regression."
            )


def test_panels_of_classes_wait_and_their_tools_too(fitting):
    docks, actions = fitting.window.docks.docks, fitting.window.menus.actions
    for name, spec in PANELS.items():
        enabled = docks[name].toggleViewAction().isEnabled()
        assert enabled == spec.fits(fitting.window.stage.session.document)
        assert not (enabled and name in ("difference-set", "hulls", "line", "weight-space"))
    assert not actions["tool-add-negative"].isEnabled()
    fitting.key("ctrl+a")
    fitting.until(lambda: fitting.window.stage.session.selection)
    assert not actions["flip"].isEnabled()
