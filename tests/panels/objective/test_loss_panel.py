"""The Loss panel puts each point on the curve of its loss, and stacks the two parts of P."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from scipy.optimize import minimize

from solvers import SMO, InteriorPoint, Linear, Subgradient, solve
from solvers.problem.losses import LOSSES, objective_of
from svmviz.base.words import number
from svmviz.document.document import Penalty
from svmviz.document.user_line import UserLine
from svmviz.panels.objective import loss_values
from svmviz.panels.objective.loss_panel import LossPanel
from svmviz.plane import line_study
from svmviz.theme import active
from tests.stages import eight, moons, sine
from tests.waiting import go_to, settle

LINE = UserLine((0.6, 1.0), -0.2)


def shown(qtbot, show, stage):
    """A panel that knows the optimum."""
    panel = show(LossPanel(stage), 340, 640)
    qtbot.waitUntil(lambda: panel.shown is not None and panel.shown.optimum is not None)
    return panel


def press(chart, x, y):
    place = chart.area.pixel(x, y)
    QTest.mouseClick(
        chart.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(round(place.x()), round(place.y()))
    )


def test_points_and_bars_follow_the_steps(qtbot, open_stage, show):
    stage = open_stage(moons(60, kernel=Linear(), methods=(SMO(),)))
    panel = shown(qtbot, show, stage)
    problem = stage.session.document.problem()
    best = solve(problem, InteriorPoint(tol=1e-9))
    for step in (0, 1, stage.session.runs[0].steps):
        go_to(qtbot, stage, step)
        lane = stage.feed.frame.lane
        expansion = stage.session.runs[0].at(step).expansion
        z = problem.y * (problem.X @ (expansion.beta @ problem.X) + expansion.bias)
        hinge = np.maximum(0.0, 1.0 - z)
        assert panel.shown.arguments == pytest.approx(z, abs=1e-9)
        low, high = panel.chart.ranges[0]
        inside = (z > low) & (z < high)
        assert panel.chart.points[inside, 0] == pytest.approx(z[inside], abs=1e-9)
        assert panel.chart.points[inside, 1] == pytest.approx(hinge[inside], abs=1e-9)
        assert panel.shown.objective.primal == pytest.approx(lane.certificate.primal)
        assert panel.numbers.text("primal").startswith(number(lane.certificate.primal))
    # The optimum is searched for in the background, and comes nearer until it is found.
    primal = pytest.approx(best.certificate.primal, rel=1e-6)
    qtbot.waitUntil(lambda: panel.shown.optimum.primal == primal)


def test_another_loss_moves_the_points_to_its_curve(qtbot, open_stage, show):
    stage = open_stage(moons(60, kernel=Linear()))
    panel = shown(qtbot, show, stage)
    z = panel.shown.arguments
    QTest.mouseClick(panel.choices["classification"].button("zero-one"), Qt.MouseButton.LeftButton)
    assert panel.shown.losses.tolist() == (z < 0.0).tolist()
    assert panel.shown.objective.penalty == pytest.approx(10.0 * (z < 0.0).sum())
    assert not panel.shown.is_primal


def test_names_of_the_axes_say_what_bars_and_colours_are(qtbot, open_stage, show):
    stage = open_stage(moons(60, kernel=Linear()))
    panel = shown(qtbot, show, stage)
    settle(qtbot, stage)
    highest = panel.chart._counts.sum(axis=0).max()
    assert panel.chart._labels[0] == f"y f(x), highest bar: {highest:.0f} points"
    assert panel.parts._labels[0] == "P = ■ ½‖w‖² + ■ C Σ ξ"
    picture = panel.parts.grab().toImage()
    ratio = picture.devicePixelRatio()
    below = range(round(ratio * (panel.parts.area.rect.bottom() + 2)), picture.height())
    colours = {picture.pixelColor(x, y).name() for y in below for x in range(picture.width())}
    theme = active().theme
    assert {theme.series[0], theme.series[2]} <= {colour.lower() for colour in colours}


def test_the_best_is_that_of_the_loss_chosen_or_none(qtbot, open_stage, show):
    stage = open_stage(moons(60, kernel=Linear()))
    panel = shown(qtbot, show, stage)
    X, y = stage.session.document.problem().X, stage.session.document.problem().y

    def squared_hinge(p):
        return 0.5 * p[:2] @ p[:2] + 10.0 * (np.maximum(0, 1 - y * (X @ p[:2] + p[2])) ** 2).sum()

    panel.choices["classification"].button("squared-hinge").click()
    wanted = minimize(squared_hinge, np.zeros(3), options={"gtol": 1e-9}).fun
    qtbot.waitUntil(lambda: panel.shown.optimum is not None)
    assert panel.shown.optimum.primal == pytest.approx(wanted, rel=1e-6)
    # That of the hinge is another, and here larger.

    def study():
        return stage.feed.panel_frame.studies["loss"]

    qtbot.waitUntil(lambda: study().optimum is not None)
    of_hinge = study().optimum.certificate
    losses = np.maximum(0.0, 1.0 - y * of_hinge.decision) ** 2
    assert 0.5 * of_hinge.norm**2 + 10.0 * losses.sum() > 1.001 * wanted
    panel.choices["classification"].button("zero-one").click()
    assert panel.shown.optimum is None
    assert "best" not in panel.numbers.text("primal")
    assert "No best" in panel.key.text()
    # Half of w and b has the same errors, and a smaller sum.
    problem, f = panel.shown.problem, y * panel.shown.arguments
    sums = [
        objective_of(problem, s * f, s * panel.shown.norm, LOSSES["zero-one"]).primal
        for s in (1.0, 0.5)
    ]
    assert sums[1] < sums[0] == pytest.approx(panel.shown.objective.primal)


def test_a_regression_has_a_tube(qtbot, open_stage, show):
    stage = open_stage(sine(40))
    panel = shown(qtbot, show, stage)
    residual = panel.shown.arguments
    assert panel.shown.losses == pytest.approx(np.maximum(0.0, abs(residual) - 0.15))
    low, high = panel.chart.ranges[0]
    assert low == -high
    assert panel.shown.objective.primal == pytest.approx(stage.feed.frame.lane.certificate.primal)


def test_a_line_of_ones_own_has_its_own_losses(qtbot, open_stage, show):
    document = replace(moons(60, kernel=Linear()), user_line=LINE, scaling="each")
    stage = open_stage(document)
    panel = shown(qtbot, show, stage)
    w = np.array(LINE.w) * document.factors
    z = document.data.labels * (document.data.points / document.factors @ w + LINE.b)
    assert panel.shown.arguments == pytest.approx(z)
    expected = 0.5 * w @ w + 10.0 * np.maximum(0.0, 1.0 - z).sum()
    assert panel.shown.objective.primal == pytest.approx(expected)
    # While the line is dragged, the points move along the curve.
    moved = replace(document, user_line=replace(LINE, b=0.4))
    stage.session.preview(moved)
    qtbot.waitUntil(lambda: not np.allclose(panel.shown.arguments, z))
    assert panel.shown.arguments == pytest.approx(z + 0.6 * document.data.labels)
    stage.session.abandon()
    document = stage.session.document
    assert line_study.is_shown(document, stage.view.drawn)
    QTest.mouseClick(panel.source.button("run"), Qt.MouseButton.LeftButton)
    # The plane shows the line whose losses are shown.
    assert not line_study.is_shown(document, stage.view.drawn)
    assert panel.shown.objective.primal == pytest.approx(stage.feed.frame.lane.certificate.primal)


def test_the_best_logistic_loss_is_that_of_logistic_regression(qtbot, open_stage, show):
    stage = open_stage(moons(60, kernel=Linear()))
    panel = shown(qtbot, show, stage)
    problem = stage.session.document.problem()

    def primal(p):
        z = problem.y * (problem.X @ p[:2] + p[2])
        return 0.5 * p[:2] @ p[:2] + problem.C * np.log1p(np.exp(-z)).sum()

    QTest.mouseClick(panel.choices["classification"].button("logistic"), Qt.MouseButton.LeftButton)
    wanted = minimize(primal, np.zeros(3), options={"gtol": 1e-9}).fun
    qtbot.waitUntil(lambda: panel.shown.optimum is not None)
    assert panel.shown.optimum.primal == pytest.approx(wanted, rel=1e-6)
    assert panel.shown.objective.primal > wanted
    assert (
        panel.key.text() == "Logistic: log(1 + exp(−z)), with z = y f. Dashed: hinge, dotted: 0-1."
    )
    assert not panel.forms_card.isVisible()
    panel.grab()


def test_a_hard_margin_pays_nothing_or_too_much(qtbot, open_stage, show):
    stage = open_stage(eight(penalty=Penalty("C", math.inf)))
    panel = shown(qtbot, show, stage)
    assert panel.shown.objective.regulariser == pytest.approx(0.5, rel=2e-3)
    assert panel.shown.objective.penalty == 0.0
    go_to(qtbot, stage, 0)
    assert math.isinf(panel.shown.objective.primal)
    # The optimum is searched for in the background, and comes nearer until it is found.
    qtbot.waitUntil(lambda: panel.shown.optimum.primal == pytest.approx(0.5, rel=1e-6))
    # Where a loss is paid, none of the two is 0.
    assert LossPanel._part(panel.shown, "penalty").startswith("∞, optimum 0")
    assert LossPanel._part(panel.shown, "primal").startswith("∞, optimum 0.5")


def test_lines_that_support_the_kink_are_dragged_between_the_two_ends(qtbot, open_stage, show):
    stage = open_stage(moons(60, kernel=Linear(), methods=(Subgradient(max_steps=50),)))
    panel = shown(qtbot, show, stage)
    x, y = panel.chart.handle
    assert panel.chart.slope == -0.5
    press(panel.chart, x, y)
    assert panel.chart.slope == pytest.approx(-0.5, abs=0.03)
    panel.chart.tilt(x, 100.0)
    assert panel.chart.slope == -1.0
    panel.chart.tilt(x, -100.0)
    assert panel.chart.slope == 0.0
    assert "here 0." in panel.key.text()


def test_a_click_selects_and_a_move_highlights(qtbot, open_stage, show):
    stage = open_stage(moons(60, kernel=Linear()))
    panel = shown(qtbot, show, stage)
    point = int(panel.shown.losses.argmax())
    press(panel.chart, *panel.chart.points[point])
    assert stage.session.selection == {point}
    stage.spotlight.highlight(point)
    assert panel.key.text().startswith(f"Point {point + 1}: y f = ")


def test_other_forms_are_multiples_of_P_with_the_same_w(qtbot, open_stage, show):
    stage = open_stage(moons(60, kernel=Linear()))
    panel = shown(qtbot, show, stage)
    problem = stage.session.document.problem()
    w, slack = stage.feed.frame.lane.expansion.w, panel.shown.losses
    square, n, C = float(w @ w), problem.n, problem.C
    expected = (
        0.5 / (C * n) * square + slack.mean(),
        0.5 / C * square + slack.sum(),
        1.0 / (2.0 * C * n) * square + slack.mean(),
        square + 2.0 * C * slack.sum(),
    )
    for line, value in zip(panel.forms.text().splitlines(), expected, strict=True):
        assert f" = {number(float(value))}: " in line
    assert panel.forms_card.is_folded
    QTest.mouseClick(panel.choices["classification"].button("zero-one"), Qt.MouseButton.LeftButton)
    assert not panel.forms_card.isVisible()


def test_with_many_points_the_optimum_is_the_best_bound_so_far(
    qtbot, open_stage, show, monkeypatch
):
    monkeypatch.setattr(loss_values, "MAX_SEARCHED", 20)
    stage = open_stage(moons(60, kernel=Linear()))
    panel = shown(qtbot, show, stage)
    assert not stage.feed.frame.studies["loss"].unfinished
    assert panel.shown.optimum.primal == panel.shown.objective.primal
