import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tests.plane_fixtures import RIGHT, SHIFT


def last(stage):
    data = stage.session.document.data
    return tuple(data.points[-1]), int(data.labels[-1])


@pytest.mark.parametrize(("tool", "left"), [("add-positive", 1), ("add-negative", -1)])
def test_click_places_a_point(stage, view, mouse, undo, tool, left):
    view.show_tool(tool)
    mouse.click(0.3, 0.2)
    place, label = last(stage)
    assert place == pytest.approx((0.3, 0.2), abs=view.camera.units[0])
    assert label == left
    mouse.click(-0.3, 0.2, RIGHT)
    assert last(stage)[1] == -left
    assert undo.count() == 2
    assert undo.undoText() == "Add point"


def test_two_quick_clicks_on_a_place_make_one_point(stage, mouse):
    place = mouse.at(0.3, 0.2)
    QTest.mouseClick(mouse.view, Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseDClick(mouse.view, Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseRelease(mouse.view, Qt.MouseButton.LeftButton, pos=place)
    assert stage.session.document.n == 5
    assert stage.session.selection == {4}


def test_a_click_may_move_a_few_pixels(stage, mouse):
    start = mouse.at(0.3, 0.2)
    mouse.drag(start, start + QPoint(2, 1))
    assert stage.session.document.n == 5


def test_click_outside_the_plot_places_nothing(stage, mouse):
    QTest.mouseClick(mouse.view, Qt.MouseButton.LeftButton, pos=QPoint(5, 300))
    assert stage.session.document.n == 4


def test_click_on_a_point_selects_it_with_either_button(stage, mouse):
    mouse.click(1, 1)
    assert stage.session.selection == {3}
    mouse.click(-1, -1, RIGHT)
    assert stage.session.selection == {0}
    mouse.click(1, 1, key=SHIFT)
    assert stage.session.selection == {0, 3}
    mouse.click(1, 1, key=SHIFT)
    assert stage.session.selection == {0}
    assert stage.session.document.n == 4


def test_drag_moves_a_point_live_and_makes_one_entry(qtbot, stage, mouse, undo):
    mouse.press(mouse.at(1, 1))
    mouse.move(mouse.at(0.9, 0.9))
    mouse.move(mouse.at(0.5, 0.8))
    qtbot.waitUntil(lambda: stage.session.previewing)
    assert undo.count() == 0
    assert stage.session.document.data.points[3] == pytest.approx((0.5, 0.8), abs=0.01)
    mouse.release(mouse.at(0.4, 0.8))
    assert undo.count() == 1
    assert undo.undoText() == "Move point"
    assert not stage.session.previewing
    assert stage.session.document.data.points[3] == pytest.approx((0.4, 0.8), abs=0.01)
    undo.undo()
    assert tuple(stage.session.document.data.points[3]) == (1, 1)


def test_drag_of_a_selected_point_moves_the_selection(stage, mouse, undo):
    stage.session.select((0, 3))
    mouse.drag((1, 1), (0.9, 1.0), (0.8, 1.0))
    assert undo.undoText() == "Move 2 points"
    moved = stage.session.document.data.points
    assert moved[[0, 3]] == pytest.approx(np.array([[-1.2, -1], [0.8, 1]]), abs=0.02)
    assert moved[[1, 2]].tolist() == [[-1, 1], [1, -1]]
    assert stage.session.selection == {0, 3}


def test_moves_are_handled_once_per_turn_of_the_loop(qtbot, stage, view, mouse):
    changes = []
    stage.session.document_changed.connect(lambda: changes.append(1))
    mouse.press(mouse.at(1, 1))
    for shift in range(10, 60):
        QTest.mouseMove(view, mouse.at(1, 1) - QPoint(shift, 0))
        if not changes:
            continue
    qtbot.waitUntil(lambda: bool(changes))
    assert len(changes) < 50
    mouse.release(mouse.at(0.5, 1))


def test_off_the_plane_it_is_deleted(stage, view, mouse, undo):
    outside = QPoint(400, view.height() - 5)
    mouse.press(mouse.at(1, 1))
    mouse.move(mouse.at(0.5, 0.5))
    mouse.move(outside)
    assert "delete" in view._mouse.tool.feedback.words
    assert stage.session.document.n == 3, "it is shown what will be"
    view.grab()
    mouse.release(outside)
    assert stage.session.document.n == 3
    assert undo.count() == 1
    assert undo.undoText() == "Delete point"


def test_back_from_outside_nothing_is_deleted(stage, view, mouse, undo):
    stage.session.select((3,))
    mouse.press(mouse.at(1, 1))
    mouse.move(QPoint(400, view.height() - 5))
    mouse.move(mouse.at(0.9, 1))
    assert stage.session.selection == {3}
    mouse.release(mouse.at(0.9, 1))
    assert stage.session.document.n == 4
    assert undo.undoText() == "Move point"


def test_escape_abandons_a_drag(stage, view, mouse, undo):
    mouse.press(mouse.at(1, 1))
    mouse.move(mouse.at(0.5, 0.5))
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert tuple(stage.session.document.data.points[3]) == (1, 1)
    mouse.release(mouse.at(0.5, 0.5))
    assert undo.count() == 0
    assert stage.session.document.n == 4


def test_drag_from_empty_ground_selects(stage, view, mouse, undo):
    mouse.press(mouse.at(0.5, 0))
    mouse.move(mouse.at(0.7, 0.2))
    mouse.move(mouse.at(1.1, 1.1))
    assert view._mouse.tool.feedback.outline is not None
    view.grab()
    mouse.release(mouse.at(1.1, 1.1))
    assert stage.session.selection == {3}
    assert undo.count() == 0
    mouse.drag((0.5, -0.5), (0.7, -0.7), (1.1, -1.1), key=SHIFT)
    assert stage.session.selection == {2, 3}


def test_right_drag_does_nothing(stage, mouse, undo):
    mouse.drag((0.5, 0), (0.7, 0.3), button=RIGHT)
    assert undo.count() == 0
    assert stage.session.selection == frozenset()


def test_another_button_during_a_drag_is_ignored(stage, mouse, undo):
    mouse.press(mouse.at(1, 1))
    mouse.move(mouse.at(0.5, 0.5))
    mouse.press(mouse.at(0.5, 0.5), RIGHT)
    mouse.release(mouse.at(0.5, 0.5), RIGHT)
    assert stage.session.previewing
    mouse.release(mouse.at(0.5, 0.5))
    assert undo.count() == 1
    assert stage.session.document.n == 4


def test_changing_the_tool_abandons_the_drag(stage, view, mouse, undo):
    mouse.press(mouse.at(1, 1))
    mouse.move(mouse.at(0.5, 0.5))
    view.show_tool("hand")
    assert not stage.session.previewing
    assert undo.count() == 0
    mouse.release(mouse.at(0.5, 0.5))


def test_zooming_while_dragging_keeps_the_point_under_the_mouse(stage, view, mouse):
    place = mouse.at(0.5, 0.5)
    mouse.press(mouse.at(1, 1))
    mouse.move(place)
    view.navigation.zoom(2.0)
    mouse.move(place - QPoint(1, 0))
    # The positions are rounded to whole px, before and after the zoom.
    error = mouse.at(*stage.session.document.data.points[3]) - (place - QPoint(1, 0))
    assert max(abs(error.x()), abs(error.y())) <= 1
    mouse.release(place)


def test_a_release_that_went_elsewhere_is_forgotten(stage, mouse, undo):
    mouse.press(mouse.at(1, 1))
    mouse.move(mouse.at(0.5, 0.5))
    mouse.click(0, 0)
    assert tuple(stage.session.document.data.points[3]) == (1, 1)
    assert undo.undoText() == "Add point"
