"""The Sums panel: vectors that end in w, and bumps that add up to f."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from solvers import RBF, Linear, Polynomial, solve
from svmviz.base.words import number
from svmviz.panels.duality.sums import MAX_TERMS, bump_sum, study_off_span, vector_sum
from svmviz.panels.duality.sums_panel import OffSpanPart, SumsPanel
from tests.stages import eight, moons, sine
from tests.waiting import go_to


@pytest.mark.parametrize("seed", range(20))
def test_the_vectors_end_in_w_and_the_classes_are_apart(seed):
    document = moons(int(np.random.default_rng(seed).integers(6, 60)), kernel=Linear())
    run = solve(document.problem(), document.method)
    for step in range(0, run.steps + 1, max(1, run.steps // 5)):
        expansion = run.at(step).expansion
        shown = vector_sum(run.problem, expansion.beta)
        np.testing.assert_allclose(shown.corners[-1] + shown.rest, expansion.w, atol=1e-12)
        signs = run.problem.y[shown.points]
        assert (np.diff(signs) >= 0).all()
        expected = expansion.beta[shown.points, None] * run.problem.X[shown.points]
        np.testing.assert_allclose(np.diff(shown.corners, axis=0), expected, atol=1e-12)


@pytest.mark.parametrize("document", [moons(40), moons(40, kernel=Polynomial()), sine(30)])
def test_the_bumps_and_b_add_up_to_f(document):
    run = solve(document.problem(), document.method)
    expansion, problem = run.expansion, run.problem
    shown = bump_sum(problem, expansion.beta, expansion.bias, (-1.0, 2.0), 0.3)
    places = shown.x[:, None]
    if problem.X.shape[1] == 2:
        places = np.column_stack([shown.x, np.full(len(shown.x), 0.3)])
    np.testing.assert_allclose(shown.total, expansion(places), atol=1e-10)
    np.testing.assert_allclose(shown.total, shown.terms.sum(axis=0) + expansion.bias, atol=1e-10)
    one = frozenset([int(shown.points[0])])
    np.testing.assert_allclose(shown.without(one), shown.total - shown.terms[0], atol=1e-12)


def test_of_many_terms_only_the_largest_are_drawn_and_the_sum_stays():
    document = moons(600, kernel=RBF(50.0))
    run = solve(document.problem(), document.method)
    shown = bump_sum(run.problem, run.expansion.beta, run.expansion.bias, (-1.0, 1.0), 0.0)
    assert len(shown.points) == MAX_TERMS < len(run.expansion.support)
    places = np.column_stack([shown.x, np.zeros(len(shown.x))])
    np.testing.assert_allclose(shown.total, run.expansion(places), atol=1e-9)


def test_a_click_leaves_a_bump_out_and_another_brings_it_back(open_stage, show, qtbot):
    stage = open_stage(moons(40))
    panel = show(SumsPanel(stage), 500, 400)
    qtbot.waitUntil(lambda: panel.shown is not None)
    middle = int(np.argmax(np.abs(panel.shown.terms[0])))
    place = (float(panel.shown.x[middle]), float(panel.shown.terms[0, middle]))
    plain = panel.bumps.grab().toImage()
    panel.bumps.pressed.emit(*place)
    panel.bumps.released.emit()
    (point,) = panel.switched_off
    assert panel.bumps.grab().toImage() != plain
    panel.bumps.hovered.emit(*place)
    assert stage.spotlight.index == point
    panel.bumps.pressed.emit(*place)
    assert not panel.switched_off


def test_the_cut_goes_through_the_selected_point(open_stage, show, qtbot):
    stage = open_stage(moons(40))
    panel = show(SumsPanel(stage), 500, 400)
    qtbot.waitUntil(lambda: panel.shown is not None)
    before = panel.shown.total
    stage.session.select({3})
    assert not np.array_equal(panel.shown.total, before)


def test_the_vectors_grow_with_the_steps(open_stage, show, qtbot):
    stage = open_stage(eight())
    panel = show(SumsPanel(stage), 500, 400)
    counts = []
    for step in (0, 1, 2):
        go_to(qtbot, stage, step)
        qtbot.waitUntil(lambda step=step: stage.feed.panel_frame.lane.step == step)
        counts.append(len(panel.shown.points))
    assert counts[0] == 0 < counts[1]
    assert "head to tail" in panel.words.text()


def test_a_drag_switches_a_bump_once(open_stage, show, qtbot):
    stage = open_stage(moons(40))
    panel = show(SumsPanel(stage), 500, 400)
    qtbot.waitUntil(lambda: panel.shown is not None)
    middle = int(np.argmax(np.abs(panel.shown.terms[0])))
    place = panel.bumps.area.pixel(
        float(panel.shown.x[middle]), float(panel.shown.terms[0, middle])
    ).toPoint()
    QTest.mousePress(panel.bumps.viewport(), Qt.MouseButton.LeftButton, pos=place)
    for _ in range(3):
        QTest.mouseMove(panel.bumps.viewport(), place)
    QTest.mouseRelease(panel.bumps.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert len(panel.switched_off) == 1


def test_a_part_off_the_span_changes_f_between_the_points_and_raises_p(open_stage, show, qtbot):
    stage = open_stage(moons(40, kernel=RBF(2.0)))
    panel = show(SumsPanel(stage), 500, 400)
    stage.session.select({7})
    qtbot.waitUntil(lambda: panel.shown is not None)
    plain = panel.bumps.grab().toImage()
    panel.part.moved.emit(OffSpanPart(length=1.5))
    qtbot.waitUntil(lambda: panel._direction is not None)
    lane = stage.feed.panel_frame.lane
    added = panel._added(panel.shown.places)
    assert np.abs(added).max() > 0.01
    assert np.abs(panel._added(lane.problem.X)).max() < 2e-3
    assert panel.bumps.grab().toImage() != plain
    P = lane.certificate.primal
    assert f"= 1.125 from {number(P)} to {number(P + 1.125)}." in panel.words.text()
    panel.part.released.emit(OffSpanPart())
    assert panel._direction is None
    assert panel.bumps.grab().toImage() == plain


def test_nothing_is_off_the_span_of_a_finite_feature_space(open_stage, show, qtbot):
    stage = open_stage(moons(40, kernel=Polynomial()))
    panel = show(SumsPanel(stage), 500, 400)
    panel.part.moved.emit(OffSpanPart(length=1.0))
    qtbot.waitUntil(lambda: "Nothing lies off the span" in panel.words.text())


def test_places_of_the_document_before_have_no_direction():
    # The task has changed, and the panel has not drawn the new problem yet.
    for document, size in ((sine(12), 2), (moons(12), 1)):
        study = study_off_span(document.problem(), np.zeros((5, size)))
        assert study.direction is None
