"""Models side by side: the panel compares errors, width and support vectors, each of its lane."""

from __future__ import annotations

from dataclasses import replace

import pytest

from solvers import RBF, SMO, Linear, Problem, solve
from svmviz.base.words import number, percent
from svmviz.document.document import Penalty
from svmviz.panels.objective.race.race_panel import RacePanel
from tests.stages import moons
from tests.waiting import come_to_rest


@pytest.fixture
def panel(qtbot, open_stage, show):
    stage = open_stage(moons(60, penalty=Penalty("C", 1.0), kernel=RBF(1.0)))
    panel = show(RacePanel(stage), 320, 560)
    come_to_rest(qtbot, stage)
    return panel


def settle(panel, qtbot):
    come_to_rest(qtbot, panel.stage)


def column_of(problem):
    run = solve(problem, SMO())
    wrong = (problem.y * run.certificate.decision < 0).mean()
    return [
        percent(wrong),
        number(2.0 / run.certificate.norm, 3),
        f"{(run.expansion.beta != 0).sum()} of {problem.n}",
    ]


def test_another_C_comes_beside_and_each_column_is_of_its_problem(panel, qtbot):
    stage = panel.stage
    panel.compare("C")
    settle(panel, qtbot)
    document = stage.session.document
    assert stage.playback.focus == 1
    assert document.C == 100.0
    names, *rows = panel.errors.texts
    assert names == ["", "C = 1", "C = 100"]
    for column, C in ((1, 1.0), (2, 100.0)):
        problem = Problem(document.data.points, document.data.labels, kernel=RBF(1.0), C=C)
        assert [row[column] for row in rows] == column_of(problem)
    assert "The lanes differ in C." in panel.problem.text()
    # P of two problems is not one chart, and no lane leads.
    assert panel.chart.isHidden()
    assert panel._head.isHidden()
    assert not any(row.title.text.endswith(("leads", "1st")) for row in panel.rows)
    stage.session.undo_stack.undo()
    settle(panel, qtbot)
    assert stage.session.document.changes == ()
    assert panel.errors.isHidden()


@pytest.mark.parametrize("width", [170, 230, 320])
def test_no_number_is_cut_in_a_narrow_panel(panel, qtbot, width):
    panel.compare("C")
    settle(panel, qtbot)
    panel.errors.setFixedWidth(width)
    qtbot.waitUntil(lambda: panel.errors.width() == width, timeout=5000)
    qtbot.wait(50)
    for label in (label for labels in panel.errors.cells for label in labels):
        if not label.isHidden() and label.text():
            words = max(label.text().split(), key=label.fontMetrics().horizontalAdvance)
            assert label.width() >= label.fontMetrics().horizontalAdvance(words)
            assert label.height() >= label.heightForWidth(label.width())


def test_sliders_show_and_change_the_lane_in_focus(panel, qtbot):
    stage, session = panel.stage, panel.stage.session
    panel.compare("C")
    settle(panel, qtbot)
    runs = session.runs
    stage.playback.set_focus(0)
    settle(panel, qtbot)
    assert session.document.C == 1.0
    assert session.runs is runs, "another focus starts no run"
    assert session.undo_stack.count() == 1
    frame = stage.feed.frame
    assert frame.document.C == frame.lane.problem.C == 1.0
    assert frame.focused_on(1).document.C == frame.focused_on(1).lane.problem.C == 100.0


def test_lanes_that_become_one_problem_have_the_chart_again(panel, qtbot):
    panel.compare("kernel")
    settle(panel, qtbot)
    assert panel.errors.texts[0] == ["", "RBF", "Linear"]
    stage = panel.stage
    stage.session.edit(stage.session.document.with_lanes([0]), "End")
    panel.compare("gamma")
    settle(panel, qtbot)
    assert panel.errors.texts[0] == ["", "γ = 1", "γ = 20"]
    document = stage.session.document
    stage.session.edit(replace(document, kernel=RBF(1.0)), "Same")
    settle(panel, qtbot)
    assert stage.session.document.has_one_problem
    assert panel.errors.isHidden()
    assert not panel.chart.isHidden()


def test_a_point_that_is_dragged_changes_both_lanes(panel, qtbot):
    panel.compare("C")
    settle(panel, qtbot)
    session = panel.stage.session
    session.preview(session.document.moved([0], (0.5, 0.5)))
    qtbot.waitUntil(lambda: not session.waiting and panel.stage.playback.finished)
    assert len(session.runs) == 2
    moved = session.document.data.points[0]
    for run, C in zip(session.runs, (1.0, 100.0), strict=True):
        assert (run.problem.X[0] == moved).all()
        assert run.problem.C == C
        assert run.certificate.kkt <= 1.001e-3
    session.abandon()


def test_the_menu_offers_what_the_model_has(panel):
    assert isinstance(panel.stage.session.document.kernel, RBF)
    texts = {}
    menu = panel.more.menu()
    panel._offer(menu)
    for action in menu.actions():
        texts[action.text()] = action
    assert texts["Another C beside this one"].isEnabled()
    assert texts["Another γ beside this one"].isEnabled()
    assert not texts["Another ε beside this one"].isVisible()
    session = panel.stage.session
    session.edit(replace(session.document, kernel=Linear()), "Linear")
    panel._offer(menu)
    gamma = next(a for a in menu.actions() if a.text() == "Another γ beside this one")
    assert not gamma.isEnabled()
