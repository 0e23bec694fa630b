"""Parts are left out in turn, and never shown for other points or another model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from scipy.stats import t as student

from solvers import RBF, SMO, Linear, solve
from solvers.selection.estimate import NOTES, estimate
from solvers.selection.memory import Memory
from solvers.selection.models import Model
from solvers.selection.procedures import five_by_two, k_fold, leave_one_out
from svmviz.base.words import number
from svmviz.document.document import Penalty
from svmviz.panels.selection.folds.folds_panel import NO_POINTS, START, FoldsPanel
from svmviz.selection.background_search import State
from svmviz.selection.map_model import default_settings
from tests.stages import eight, moons, sine


@pytest.fixture
def open_panel(qtbot, open_stage, show):
    """Open the panel on a document, and wait until all parts are there."""

    def open_one(document, width=500, height=420):
        panel = show(FoldsPanel(open_stage(document)), width, height)
        qtbot.waitUntil(lambda: panel.search.state in (State.DONE, State.FAILED))
        return panel

    return open_one


def choose(qtbot, panel, procedure):
    panel.form.procedure.set_value(procedure)
    panel.form.procedure.chosen.emit(procedure)
    qtbot.waitUntil(lambda: panel.search.state in (State.DONE, State.FAILED))


def test_parts_are_those_of_the_library(qtbot, open_panel):
    document = moons(60, penalty=Penalty("C", 1.0), kernel=RBF(20.0))
    panel = open_panel(document)
    problem = document.problem()
    expected = estimate("k-fold", k_fold(problem, SMO(), 0, folds=5, stratified=True))
    assert [panel.parts[k].result.risk for k in range(5)] == [p.risk for p in expected.parts]
    assert expected.risk > 0.0
    plan = panel.form.plan
    assert plan.words == "5 folds, class shares kept"
    assert panel.words.text().startswith(
        f"{plan.words}: mean 0-1 risk {expected.risk:.3g}, spread "
    )
    assert panel.note.text() == NOTES["k-fold"]
    for k, part in panel.parts.items():
        f = part.result.fit.decision
        wrong = problem.y[part.rows] * f <= 0.0
        assert np.array_equal(part.errors(document.data.labels), wrong)
        m = len(part.rows)
        words = (f"{part.result.risk:.3g}", f"{wrong.sum()} of {m} wrong")
        assert panel.pictures.caption(panel.parts[k]) == words
        # The boundary is where f of what was trained without the part is 0.
        train = part.result.split.train
        run = solve(replace(problem, X=problem.X[train], y=problem.y[train]), SMO())
        corners = np.vstack(part.boundary)
        assert np.abs(run.expansion(corners)).max() < 0.05
        assert not set(train) & set(part.rows)
    place = panel.pictures.tiles()[3].picture.center().toPoint()
    qtbot.mouseClick(panel.pictures, Qt.MouseButton.LeftButton, pos=place)
    assert panel.pictures.enlarged == 3
    assert len(panel.pictures.tiles()) == 1
    qtbot.mouseClick(panel.pictures, Qt.MouseButton.LeftButton, pos=panel.pictures.rect().center())
    assert panel.pictures.enlarged is None
    choose(qtbot, panel, "5x2")
    assert sorted(panel.parts) == list(range(10))
    assert "paired test" not in panel.note.text()
    choose(qtbot, panel, "hold-out")
    assert [len(panel.parts[k].rows) for k in range(6)] == [12] * 6
    assert not panel.grab().isNull()


def test_results_of_other_points_are_dropped(qtbot, open_panel):
    panel = open_panel(moons(60))
    session = panel.stage.session
    before = dict(panel.parts)
    # During a drag there are no results, and after it those of the new points.
    session.preview(session.document.moved([0], (3.0, 3.0)))
    assert not panel.parts
    assert "complete" in panel.words.text()
    session.commit("Move")
    qtbot.waitUntil(lambda: panel.search.state is State.DONE)
    assert len(panel.parts) == 5
    assert not set(panel.parts.values()) & set(before.values())
    session.edit(replace(session.document, kernel=RBF(3.0)), "Kernel")
    assert not panel.parts
    qtbot.waitUntil(lambda: panel.search.state is State.DONE)
    # What takes long is not begun before Start is pressed.
    session.edit(moons(4000), "Many points")
    assert panel.words.text().startswith(START)
    assert panel.bar.isVisible()
    assert not panel.parts
    panel.hide()
    session.edit(moons(40), "Few points")
    assert not panel.search.is_active
    panel.show()
    qtbot.waitUntil(lambda: panel.search.state is State.DONE)
    assert sum(len(part.rows) for part in panel.parts.values()) == 40


def test_bad_input_is_one_sentence(qtbot, open_panel):
    panel = open_panel(eight())
    words = "There are 5 folds, but only 4 points of class -1."
    assert (panel.search.state, panel.words.text()) == (State.FAILED, words)
    panel.form.folds.set_value(4)
    panel.form.changed.emit()
    qtbot.waitUntil(lambda: panel.search.state is State.DONE)
    assert len(panel.parts) == 4
    panel.stage.session.edit(panel.stage.session.document.removed(range(8)), "Clear")
    assert panel.words.text() == NO_POINTS
    assert not panel.parts


def test_map_and_folds_give_the_same_risk_and_say_how_the_points_are_divided(qtbot, open_panel):
    document = moons(50, penalty=Penalty("C", 1.0), kernel=RBF(20.0))
    panel = open_panel(document)
    settings = default_settings(document)
    assert settings.plan.words == panel.form.plan.words == "5 folds, class shares kept"
    results = list(settings.plan.results(document, Model(SMO()), Memory()))
    assert [part.result.risk for part in panel._in_order()] == [each.risk for each in results]
    panel.form.stratified.click()
    assert panel.form.plan.words == "5 folds, at random"
    assert (
        replace(settings.plan, procedure="hold-out").words == "20\xa0% left out, class shares kept"
    )
    assert replace(settings.plan, procedure="leave-one-out").words == "Leave-one-out"


def test_a_pinned_lambda_is_not_held_and_the_panel_says_so(qtbot, open_panel):
    panel = open_panel(moons(40, penalty=Penalty("lambda", 0.025), kernel=RBF(0.5)))
    held = "Every fit keeps C = 1: with fewer points its λ = 1/(C n) is larger than the λ = 0.025"
    assert held in panel.note.text()
    choose(qtbot, panel, "leave-one-out")
    unchanged = next(k for k, part in panel.parts.items() if not part.is_retrained)
    panel.player.go_to(unchanged + 1)
    assert "so leaving it out with the same C changes nothing" in panel.words.text()
    panel.stage.session.edit(moons(40, penalty=Penalty("C", 1.0), kernel=RBF(0.5)), "C")
    qtbot.waitUntil(lambda: panel.search.state is State.DONE and bool(panel.parts))
    panel.player.go_to(unchanged + 1)
    assert "so leaving it out changes nothing" in panel.words.text()


def test_leave_one_out_step_by_step(qtbot, open_panel):
    document = moons(40, penalty=Penalty("C", 1.0), kernel=RBF(0.5))
    panel = open_panel(document)
    choose(qtbot, panel, "leave-one-out")
    expected = estimate("leave-one-out", leave_one_out(document.problem(), SMO()))
    player, view = panel.player, panel.animation
    assert len(panel.parts) == 40
    # What has alpha = 0 is not solved for.
    whole = panel.full_fit.result.fit
    unchanged = [k for k, part in panel.parts.items() if not part.is_retrained]
    assert unchanged == np.flatnonzero(whole.beta == 0.0).tolist() != []
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Right)
    # The plane highlights the point too.
    assert player.point == 0 == panel.stage.spotlight.index
    player.go_to(unchanged[0] + 1)
    assert "α = 0, so leaving it out changes nothing" in panel.words.text()
    player.go_to_change(1)
    assert panel.parts[player.point].is_retrained
    assert "solved again" in panel.words.text()
    assert view.parts[player.point] is panel.parts[player.point]
    assert not panel.grab().isNull()
    wrong = [k for k in range(40) if expected.parts[k].risk]
    assert wrong
    player.go_to(wrong[0] + 1)
    assert panel.words.text().endswith("an error.")
    assert panel.note.text() == f"Left out: {wrong[0] + 1} of 40 points. Errors: 1."
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert (player.at_end, panel.stage.spotlight.index) == (True, None)
    assert view.errors().tolist() == wrong
    bounds = expected.cells[0].bounds
    assert f"0-1 risk: {expected.risk:.3g}." in panel.words.text()
    assert f"support vectors / n = {bounds.support:.3g}" in panel.words.text()
    assert f"ξα = {bounds.xi_alpha:.3g}" in panel.words.text()
    # Played to its end, it visits every point once and in order.
    qtbot.keyClick(view, Qt.Key.Key_Home)
    visited = []
    player.moved.connect(lambda: visited.append(player.point))
    player._timer.setInterval(0)
    player._time = lambda: 0
    qtbot.keyClick(view, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: player.at_end)
    assert visited == [*range(40), None]
    assert not player.playing


def test_a_regression_has_curves_and_errors(qtbot, open_panel):
    panel = open_panel(sine(40), 760, 300)
    assert panel.search.state is State.DONE
    assert panel.pictures.caption(panel.parts[0])[1] == "on 8 points"
    assert panel.words.text().startswith("5 folds, class shares kept: mean absolute risk ")
    choose(qtbot, panel, "leave-one-out")
    panel.player.go_to(7)
    assert "Its error |y − f(x)| is " in panel.words.text()
    assert not panel.grab().isNull()


def test_a_search_that_changes_before_the_panel_knows_the_new_points(open_panel):
    panel = open_panel(moons(60))
    session = panel.stage.session
    # This comes while other listeners of the session know the new document, and the panel does not.
    session.document_changed.disconnect(panel._on_document)
    session.reset(eight())
    panel.search.changed.emit()
    assert panel.words.text().startswith("5 folds")
    panel._on_document()
    assert panel._searched_for is None or panel._searched_for[0].n == 8


def compare(qtbot, panel, key):
    panel.form.rival.set_value(key)
    panel.form.rival.chosen.emit(key)
    done = State.DONE
    qtbot.waitUntil(lambda: panel.search.state is done and len(panel.rival_parts) == 10)


def test_two_models_are_compared_by_the_paired_test(qtbot, open_panel):
    document = moons(60, penalty=Penalty("C", 1.0), kernel=RBF(0.5))
    panel = open_panel(document, 420, 700)
    assert not panel.form.rival.isVisible()
    choose(qtbot, panel, "5x2")
    assert panel.form.rival.isVisible()
    assert "Paired test" not in panel.words.text()
    compare(qtbot, panel, "linear")
    problem = document.problem()
    risks = [
        np.array([one.risk for one in five_by_two(replace(problem, kernel=kernel), SMO(), 0,
                                                  stratified=True)]).reshape(5, 2)
        for kernel in (RBF(0.5), Linear())
    ]  # fmt: skip
    difference = risks[0] - risks[1]
    squares = ((difference - difference.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    t = difference[0, 0] / np.sqrt(squares.mean())
    p = 2.0 * student.sf(abs(t), 5)
    words = panel.words.text()
    assert f"Linear, C = 1, SMO: mean 0-1 risk {risks[1].mean():.3g}." in words
    assert f"Paired test: t = {number(t, 3)}, p = {number(p, 2)};" in words
    assert ("would be rare" in words) == (p < 0.05)
    assert panel.note.text() == NOTES["5x2"]
    # The result is read above the pictures, in which both halves of a division are side by side.
    assert panel.words.mapTo(panel, QPoint()).y() < panel.pictures.mapTo(panel, QPoint()).y()
    for width in (420, 620):
        panel.resize(width, 700)
        tops = [tile.picture.top() for tile in panel.pictures.tiles()]
        assert tops[::2] == tops[1::2]
    assert len(panel.parts) == 10
    # The kept model does not change with the document.
    panel.form.keep.click()
    qtbot.waitUntil(lambda: "the same risk" in panel.words.text())
    session = panel.stage.session
    session.edit(replace(session.document, kernel=Linear()), "Kernel")
    qtbot.waitUntil(lambda: "RBF, γ = 0.5, C = 1, SMO: mean" in panel.words.text())
    assert f"Paired test: t = {number(-t, 3)}" in panel.words.text()
    choose(qtbot, panel, "k-fold")
    assert "RBF" not in panel.words.text()
