"""P along a line through two iterates is P there, and its slopes are those of the step."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from solvers import InteriorPoint, Linear, Subgradient, certify, solve
from svmviz.document.document import Penalty
from svmviz.panels.objective.slice_panel import SlicePanel
from svmviz.panels.registry import PANELS
from tests.stages import eight, moons, sine
from tests.waiting import go_to


def shown(qtbot, show, stage):
    panel = show(SlicePanel(stage), 340, 520)
    qtbot.waitUntil(lambda: panel.shown is not None and not panel.shown.unfinished)
    return panel


def choose(panel, key):
    QTest.mouseClick(panel.line.button(key), Qt.MouseButton.LeftButton)


def test_the_ends_of_each_line_are_the_iterates(qtbot, open_stage, show):
    stage = open_stage(moons(60))
    panel = shown(qtbot, show, stage)
    go_to(qtbot, stage, 5)
    run = stage.session.runs[0]
    problem = run.problem
    best = solve(problem, InteriorPoint(tol=1e-9)).certificate.primal
    before, here = (certify(problem, run.at(step).expansion).primal for step in (4, 5))
    zero = problem.C * problem.n
    for key, ends in (("zero", (zero, here)), ("step", (before, here)), ("best", (here, best))):
        choose(panel, key)
        assert [panel.chart.value(t) for t in (0.0, 1.0)] == pytest.approx(ends, rel=1e-6)
        assert panel.chart.chord_is_above
    assert "0 is among them, so P is smallest here" in panel.key.text()
    # Another panel of this name, as in an exported figure, has the same line.
    assert stage.view.choices["slice.line"] == "best"
    assert SlicePanel(stage).line.value == "best"
    # So it has the same chord and the same supporting line.
    start = panel.chart.area.pixel(panel.chart.ends[0], panel.chart.value(panel.chart.ends[0]))
    QTest.mousePress(panel.chart.viewport(), Qt.MouseButton.LeftButton, pos=start.toPoint())
    QTest.mouseMove(panel.chart.viewport(), start.toPoint() + QPoint(40, 0))
    QTest.mouseRelease(panel.chart.viewport(), Qt.MouseButton.LeftButton)
    other = SlicePanel(stage).chart
    assert other.ends == panel.chart.ends != [-0.3, 1.5]
    assert (other.touch, other.share) == (panel.chart.touch, panel.chart.share)


def test_a_subgradient_step_falls_by_the_square_of_its_subgradient(qtbot, open_stage, show):
    """At its start, P falls along the step w - eta g with the slope -eta |g|^2."""
    document = moons(60, kernel=Linear(), methods=(Subgradient(max_steps=30),), bias="none")
    stage = open_stage(document)
    panel = shown(qtbot, show, stage)
    go_to(qtbot, stage, 3)
    run = stage.session.runs[0]
    problem, w = run.problem, run.at(2).expansion.w
    z = problem.y * (problem.X @ w)
    g = w - problem.C * (problem.y[:, None] * problem.X)[z < 1.0].sum(axis=0)
    step = run.at(3).expansion.w - w
    assert step[0] * g[1] == pytest.approx(step[1] * g[0])
    choose(panel, "step")
    assert panel.chart.touch == 0.0
    assert panel.chart.slope == pytest.approx(step @ g, rel=1e-9)


def test_there_is_no_line_without_a_step_or_with_a_hard_margin(qtbot, open_stage, show):
    stage = open_stage(sine(30))
    panel = shown(qtbot, show, stage)
    assert panel.chart.curve is not None
    go_to(qtbot, stage, 0)
    choose(panel, "step")
    assert panel.chart.curve is None
    assert not PANELS["slice"].fits(eight(penalty=Penalty("C", math.inf)))


def test_the_point_that_crosses_at_a_kink_is_lit_and_a_lit_point_has_a_ring(
    qtbot, open_stage, show
):
    stage = open_stage(moons(60, kernel=Linear()))
    panel = shown(qtbot, show, stage)
    kinks = panel.chart.curve.kinks()
    kink = float(kinks[(kinks > 0.2) & (kinks < 0.9)][0])
    panel.chart.touch = kink
    panel.chart.changed.emit()
    point = stage.spotlight.index
    z = panel.slice.start[point] + kink * panel.slice.change[point]
    assert z == pytest.approx(1.0)
    assert panel.chart.ringed == [(pytest.approx(kink), "text")]
    # With the mouse, too.
    stage.spotlight.highlight(None)
    panel.chart.hovered.emit(kink, panel.chart.value(kink))
    assert stage.spotlight.index == point
    panel.chart.hovered.emit(kink, panel.chart.value(kink) + 1e6)
    assert stage.spotlight.index is None
    stage.session.select({point, 3})
    assert len(panel.chart.ringed) == 2
