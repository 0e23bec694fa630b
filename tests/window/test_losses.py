"""Losses, budget, chords and supporting lines, with real clicks in the window."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint

from solvers import InteriorPoint, Linear, Subgradient, solve
from svmviz.document.document import Penalty
from svmviz.document.user_line import UserLine
from svmviz.panels.geometry.weight_panel import WeightPanel
from svmviz.panels.objective.budget_panel import BudgetPanel
from svmviz.panels.objective.loss_panel import LossPanel
from svmviz.panels.objective.slice_panel import SlicePanel
from svmviz.selection.background_search import State
from tests.stages import moons

pytestmark = pytest.mark.display

CLOUD = moons(60, kernel=Linear(), penalty=Penalty("C", 1.0))
LINE = UserLine((0.0, 1.0), -0.3)
PANELS = {
    "loss": LossPanel,
    "budget": BudgetPanel,
    "slice": SlicePanel,
    "weight-space": WeightPanel,
}


def panel_of(user, name):
    """Open a panel, and wait until it has its place."""
    user.window.docks.show(name)
    user.until(lambda: user.window.findChild(PANELS[name]) is not None)
    panel = user.window.findChild(PANELS[name])
    user.until_still(panel.chart)
    return panel


def place(chart, x, y):
    pixel = chart.area.pixel(x, y)
    return chart.mapToGlobal(QPoint(round(pixel.x()), round(pixel.y())))


def test_a_point_is_lit_in_both_and_the_line_moves_the_points(open_window):
    user = open_window(replace(CLOUD, user_line=LINE))
    stage, panel = user.window.stage, panel_of(user, "loss")
    user.until(lambda: panel.shown is not None and panel.shown.is_line)
    point = int(panel.shown.losses.argmax())
    user.move(place(panel.chart, *panel.chart.points[point]))
    user.until(lambda: stage.spotlight.index == point)
    user.move(user.at(*CLOUD.data.points[7]))
    user.until(lambda: stage.spotlight.index == 7)
    assert panel.key.text().startswith("Point 8: ")
    user.window.plane.show_tool("line")
    before, undo = panel.shown.arguments, stage.session.undo_stack.count()
    user.drag(user.at(0.5, 0.3), user.at(0.5, 0.5), user.at(0.5, 0.8))
    user.until(lambda: not np.array_equal(panel.shown.arguments, before))
    user.until(lambda: stage.session.undo_stack.count() == undo + 1)
    shift = -stage.session.document.user_line.b - 0.3
    assert shift == pytest.approx(0.5, abs=0.05)
    user.until(
        lambda: np.allclose(panel.shown.arguments, before - shift * CLOUD.data.labels, atol=1e-9)
    )


def test_the_budget_is_dragged_and_c_follows_with_one_undo(open_window):
    user = open_window(CLOUD)
    stage, panel = user.window.stage, panel_of(user, "budget")
    user.until(lambda: panel.model.search.state is State.DONE)
    low, (_, M) = panel.chart.ranges[0][0] + 0.4, panel.chart.here
    wanted = M + 8.0
    user.drag(*(place(panel.chart, low, y) for y in (M, M + 3.0, wanted)))
    user.until(lambda: stage.session.undo_stack.count() == 1)
    assert stage.session.undo_stack.undoText() == "Change budget"
    found = solve(stage.session.document.problem(), InteriorPoint(tol=1e-9)).certificate
    assert found.slack.sum() == pytest.approx(wanted, abs=0.02 * wanted)
    user.window.plane.setFocus()
    user.key("ctrl+z")
    user.until(lambda: stage.session.document.C == 1.0)


def test_a_chord_and_a_w_are_dragged(open_window):
    user = open_window(replace(CLOUD, methods=(Subgradient(rate="root", max_steps=30),)))
    panel = panel_of(user, "slice")
    user.until(lambda: panel.chart.curve is not None)
    end = panel.chart.ends[0]
    user.drag(*(place(panel.chart, t, panel.chart.value(t)) for t in (end, end + 0.2, end + 0.5)))
    user.until(lambda: abs(panel.chart.ends[0] - end - 0.5) < 0.05)
    assert panel.key.text().startswith("The chord lies above the curve.")
    weights = panel_of(user, "weight-space")
    user.until(lambda: weights.support is not None)
    (left, right), (bottom, top) = weights.chart.ranges
    w = np.array([left + 0.3 * (right - left), bottom + 0.3 * (top - bottom)])
    user.click(place(weights.chart, *w))
    user.until(lambda: np.abs(weights.support.w - w).max() < 0.1 * (right - left))
