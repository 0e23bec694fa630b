"""The table: typed numbers, one undo entry per cell, linked rows, and speed with many points."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtWidgets import QLineEdit

from solvers import RBF, SMO
from solvers.data.datasets import PointSet
from solvers.problem.machines import ONE_AGAINST_REST, machines_of
from svmviz.base.words import number
from svmviz.base.words import read_number as read
from svmviz.document.document import Document, Penalty
from svmviz.panels.controls.points.points_model import ALPHA, CLASS, DECISION, FIRST, SECOND, SLACK
from svmviz.panels.controls.points.points_table import PointsTable, ranges
from svmviz.widgets.scroller import Scroller
from tests.stages import clouds, eight, moons, sine
from tests.waiting import go_to


@pytest.fixture
def stage(open_stage):
    return open_stage(moons(20))


@pytest.fixture
def panel(stage, show):
    return show(PointsTable(stage), 700, 400)


def edit(qtbot, panel, row, column, text):
    """Type into a cell, and press Return."""
    panel.table.setCurrentIndex(panel.model.index(row, column))
    panel.table.edit(panel.model.index(row, column))
    field = panel.table.viewport().findChild(QLineEdit)
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def test_cells_show_document_and_frame(qtbot, stage, panel):
    data = stage.session.document.data
    for step in (3, stage.playback.length):
        go_to(qtbot, stage, step)
        certificate = stage.feed.frame.lane.certificate
        for row in (0, 7, 19):
            shown = {c: panel.model.index(row, c).data() for c in range(7)}
            assert shown[0] == str(row + 1)
            assert read(shown[FIRST]) == pytest.approx(data.points[row, 0], rel=1e-3)
            assert shown[CLASS] == ("−1", "+1")[int(data.labels[row] > 0)]
            for column, values in (
                (ALPHA, certificate.alpha),
                (SLACK, certificate.slack),
                (DECISION, certificate.decision),
            ):
                assert read(shown[column]) == pytest.approx(values[row], rel=1e-3, abs=1e-12)


def test_typing_a_number_is_one_entry_and_exact(qtbot, stage, panel):
    edit(qtbot, panel, 4, SECOND, "0.1234567890123")
    qtbot.waitUntil(lambda: stage.session.undo_stack.count() > 0)
    assert stage.session.document.data.points[4, 1] == 0.1234567890123
    assert stage.session.undo_stack.count() == 1
    exact = panel.model.index(4, SECOND).data(Qt.ItemDataRole.EditRole)
    assert float(exact) == 0.1234567890123
    stage.session.undo_stack.undo()
    assert stage.session.document == moons(20)


@pytest.mark.parametrize(("column", "text"), [(FIRST, "5"), (CLASS, "+1")])
def test_typing_keeps_settings_that_changed_since_the_points_did(stage, panel, column, text):
    session = stage.session
    changed = replace(session.document, kernel=RBF(3.0), penalty=Penalty("C", 7.0), bias="none")
    session.edit(changed.with_methods((SMO(tol=0.01),)), "Change all settings")
    settings = replace(session.document, data=moons(20).data)
    assert panel.model.setData(panel.model.index(0, column), text)
    assert replace(session.document, data=settings.data) == settings


def test_invalid_text_stays_in_the_cell_with_its_reason(qtbot, stage, panel):
    edit(qtbot, panel, 4, FIRST, "abc")
    field = panel.table.viewport().findChild(QLineEdit)
    assert field.text() == "abc"
    assert "x₁ of point 5 must be a number" in panel.words.text()
    assert stage.session.undo_stack.count() == 0
    field.selectAll()
    qtbot.keyClicks(field, "2.5")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: stage.session.undo_stack.count() > 0)
    assert stage.session.document.data.points[4, 0] == 2.5
    assert panel.words.text() == ""


def test_not_finite_is_refused(stage, panel):
    assert not panel.model.setData(panel.model.index(0, FIRST), "inf")
    assert "finite" in panel.words.text()


@pytest.mark.parametrize("text", ["+1", "1", "-1", "−1"])
def test_classes_by_name_or_sign(stage, panel, text):
    assert panel.model.setData(panel.model.index(3, CLASS), text)
    assert stage.session.document.data.labels[3] == (-1 if text[0] in "-−" else 1)


def test_wrong_class_is_refused(stage, panel):
    assert not panel.model.setData(panel.model.index(3, CLASS), "green")
    assert "class of point 4" in panel.words.text()


def test_each_of_many_classes_is_shown_and_typed_by_its_name(stage, panel):
    data = PointSet(np.arange(12.0).reshape(6, 2), [0, 1, 2, 0, 1, 2], ("a", "b", "c"))
    document = Document(data)
    rest = document.with_many(document.many.with_machines(machines_of(ONE_AGAINST_REST, 3)))
    stage.session.reset(rest)
    model = panel.model
    assert [model.index(row, CLASS).data() for row in range(6)] == list("abcabc")
    assert [model.class_icon(row) for row in range(3)] == ["class-1", "class-2", "class-3"]
    assert model.setData(model.index(1, CLASS), "C")
    assert stage.session.document.all_points.classes.tolist() == [0, 2, 2, 0, 1, 2]
    assert not model.setData(model.index(1, CLASS), "green")
    assert "must be a, b or c" in panel.words.text()
    # Another coordinate keeps the classes.
    assert model.setData(model.index(1, FIRST), "7")
    assert stage.session.document.all_points.points[1].tolist() == [7.0, 3.0]
    assert stage.session.document.class_names == ("a", "b", "c")


def test_selection_is_linked_both_ways(qtbot, stage, panel):
    stage.session.select({2, 3, 9})
    rows = {index.row() for index in panel.table.selectionModel().selectedRows()}
    assert rows == {2, 3, 9}
    flags = QItemSelectionModel.SelectionFlag
    panel.table.selectionModel().select(panel.model.index(5, 0), flags.ClearAndSelect | flags.Rows)
    assert stage.session.selection == {5}
    assert stage.session.undo_stack.count() == 0


def test_hover_highlights(qtbot, stage, panel):
    index = panel.model.index(2, FIRST)
    qtbot.mouseMove(panel.table.viewport(), panel.table.visualRect(index).center())
    qtbot.waitUntil(lambda: stage.spotlight.index == 2)
    stage.spotlight.highlight(6)
    assert panel.model.highlighted == 6


def test_rows_are_deleted_together(stage, panel):
    before = stage.session.document.data.points
    stage.session.select({0, 1, 19})
    panel.delete.click()
    assert np.array_equal(stage.session.document.data.points, before[2:19])
    assert stage.session.undo_stack.count() == 1
    assert not stage.session.selection
    assert not panel.delete.isEnabled()


def test_empty_table_says_what_to_do(open_stage, show):
    stage = open_stage()
    panel = show(PointsTable(stage), 700, 400)
    assert panel.empty.isVisible()
    assert "Click in the plane" in panel.empty.text()
    stage.session.edit(eight(), "points")
    assert panel.table.isVisible()


def test_only_the_rows_on_screen_of_twenty_thousand_are_requested(open_stage, show, monkeypatch):
    rng = np.random.default_rng(0)
    points, labels = rng.normal(size=(20_000, 2)), np.where(rng.random(20_000) < 0.5, 1, -1)
    stage = open_stage()
    panel = show(PointsTable(stage), 700, 400)
    asked = set()
    text = panel.model.text

    def noted(row, column, **options):
        asked.add(row)
        return text(row, column, **options)

    monkeypatch.setattr(panel.model, "text", noted)
    # Not solved: a single class would do, but the table shall be full.
    stage.session.preview(Document(data=PointSet(points, labels)))
    panel.grab()
    stage.session.select(range(0, 20_000, 1))
    panel.grab()
    assert panel.model.rowCount() == 20_000
    assert 5 < len(asked) < 200
    stage.session.cancel_run()


def test_ranges():
    assert ranges([]) == []
    assert ranges([1, 2, 3, 7, 9, 10]) == [(1, 3), (7, 7), (9, 10)]


def test_the_words_below_are_visible_in_a_low_dock(qtbot, stage, show):
    place = show(Scroller(PointsTable(stage), may_be_lower=False), 900, 200)
    panel = place.content
    panel._show_refusal("Point 1, x: “abc” is not a number, such as 1.5. " * 3)
    qtbot.waitUntil(lambda: panel.foot.isVisible())
    for width in (900, 320):
        place.resize(width, 200)
        qtbot.waitUntil(lambda: panel.height() == place.viewport().height())
        qtbot.waitUntil(lambda: panel.foot.geometry().bottom() <= panel.height())
        assert panel.words.height() >= panel.words.heightForWidth(panel.words.width())


def test_a_regression_shows_beta_with_its_sign(qtbot, open_stage, show):
    stage = open_stage(sine())
    panel = show(PointsTable(stage), 700, 400)
    beta = stage.session.runs[0].expansion.beta
    name = panel.model.headerData(ALPHA, Qt.Orientation.Horizontal)
    assert name == "β"
    row = int(beta.argmin())
    assert beta[row] < 0.0
    assert panel.model.index(row, ALPHA).data() == number(float(beta[row]))


def test_coordinates_are_in_the_unit_of_their_axis(qtbot, open_stage, show):
    document = moons(20)
    names = ("depth (mm)", "mass (× 200 g)")
    stage = open_stage(replace(document, data=replace(document.data, axis_names=names)))
    panel = show(PointsTable(stage), 700, 400)
    header = panel.model.headerData(SECOND, Qt.Orientation.Horizontal)
    assert header == "mass (g)"
    before = stage.session.document.data.points
    assert read(panel.model.index(3, SECOND).data()) == pytest.approx(200 * before[3, 1], rel=1e-5)
    # Return on an unchanged cell changes nothing, not even a last digit.
    for row in range(20):
        text = panel.model.index(row, SECOND).data(Qt.ItemDataRole.EditRole)
        assert panel.model.with_cell_text(row, SECOND, text) is stage.session.document
    edit(qtbot, panel, 3, SECOND, "300")
    qtbot.waitUntil(lambda: stage.session.undo_stack.count() == 1)
    assert stage.session.document.data.points[3, 1] == 1.5


def test_a_long_name_of_an_axis_leaves_room_for_the_other_columns(open_stage, show):
    document = moons(20)
    names = ("length of the left front flipper (mm)", "x2")
    stage = open_stage(replace(document, data=replace(document.data, axis_names=names)))
    panel = show(PointsTable(stage), 600, 400)
    assert panel.table.horizontalHeader().length() <= panel.table.viewport().width()
    tip = panel.model.headerData(FIRST, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert tip == names[0]


def test_points_left_out_are_rows_at_the_end_and_are_edited(qtbot, open_stage, show):
    stage = open_stage(clouds(3))
    panel = show(PointsTable(stage), 700, 400)
    go_to(qtbot, stage, 1)
    document = stage.session.document
    assert panel.model.rowCount() == 60
    first = document.left_out_rows[0]
    shown = [panel.model.index(40, column).data() for column in range(7)]
    assert (shown[0], shown[CLASS], shown[ALPHA]) == ("–", "c", "–")
    edit(qtbot, panel, 40, FIRST, "0.125")
    qtbot.waitUntil(lambda: stage.session.undo_stack.count() == 1)
    assert stage.session.document.all_points.points[first, 0] == 0.125
    with qtbot.waitSignal(panel.model.refused):
        assert not panel.model.setData(panel.model.index(40, CLASS), "d")
    assert panel.model.setData(panel.model.index(40, CLASS), "a")
    assert stage.session.document.all_points.labels[first] == 0
    assert stage.session.document.n == 41
    stage.session.undo_stack.undo()
    panel.table.entered.emit(panel.model.index(41, FIRST))
    assert stage.spotlight.index is None
    panel.table.selectRow(59)
    assert stage.session.editable_selection == {59}
    panel.delete_selected()
    assert len(stage.session.document.all_points) == 59
    stage.session.undo_stack.undo()
    stage.session.undo_stack.undo()
    assert stage.session.document == document


@pytest.mark.parametrize("key", [Qt.Key.Key_Delete, Qt.Key.Key_Backspace])
def test_rows_are_removed_by_the_key_that_is_called_delete_on_each_keyboard(
    qtbot, stage, panel, key
):
    before = len(stage.session.document.data.labels)
    panel.table.selectRow(3)
    qtbot.keyClick(panel, key)
    assert len(stage.session.document.data.labels) == before - 1
