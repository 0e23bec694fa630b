"""Every tool of the registry; select, spray, erase and mouse in particular."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest

from solvers.data.point_files import parse_points
from svmviz.document.document import Document
from svmviz.theme.icons import names
from svmviz.tools import TOOLS
from svmviz.tools.brushes import SpraySettings
from tests.plane_fixtures import RIGHT, SHIFT


@pytest.mark.parametrize("entry", TOOLS.values(), ids=list(TOOLS))
def test_every_tool_is_complete(entry, view, mouse):
    assert entry.icon in names()
    assert not QKeySequence(entry.key).isEmpty()
    assert entry.help.endswith(".")
    view.show_tool(entry.name)
    mouse.move(mouse.at(0, 0))
    mouse.drag((0, 0), (0.2, 0.2))
    view.grab()
    assert not view._mouse.tool.busy


@pytest.mark.parametrize("entry", TOOLS.values(), ids=list(TOOLS))
def test_every_tool_can_be_abandoned(entry, stage, view, mouse, undo):
    view.show_tool(entry.name)
    before = stage.session.document
    mouse.press(mouse.at(1, 1))
    mouse.move(mouse.at(0.6, 0.6))
    QTest.keyClick(view, Qt.Key.Key_Escape)
    mouse.release(mouse.at(0.6, 0.6))
    assert stage.session.document is before, "a tool edits when the button is released, not before"
    assert undo.count() == 0


def test_keys_are_different():
    assert len({entry.key for entry in TOOLS.values()}) == len(TOOLS)


def test_select_clicks_and_drags(stage, view, mouse, undo):
    view.show_tool("select")
    mouse.click(1, 1)
    assert stage.session.selection == {3}
    mouse.click(-1, 1, key=SHIFT)
    assert stage.session.selection == {1, 3}
    mouse.drag((1, 1), (0.9, 1), (0.8, 1))
    assert undo.undoText() == "Move 2 points"
    mouse.drag((-1, -1), (-0.9, -1), (-0.8, -1))
    assert undo.undoText() == "Move point"
    assert stage.session.selection == {0}
    mouse.click(0, 0)
    assert stage.session.selection == frozenset()
    assert stage.session.document.n == 4


def spray(qtbot, stage, mouse, button=Qt.MouseButton.LeftButton):
    mouse.press(mouse.at(0, 0), button)
    qtbot.waitUntil(lambda: stage.session.document.n > 12)
    mouse.move(mouse.at(0.2, 0))
    mouse.release(mouse.at(0.2, 0), button)


def test_spray_makes_one_entry_a_stroke(qtbot, stage, view, mouse, undo):
    view.show_tool("spray")
    view.set_brush(SpraySettings(radius=40, rate=300))
    spray(qtbot, stage, mouse)
    assert undo.count() == 1
    assert undo.undoText() == f"Spray {stage.session.document.n - 4} points"
    sprayed = stage.session.document.data.points[4:]
    pixels = view.camera.to_pixels(sprayed) - (mouse.at(0.1, 0).x(), mouse.at(0.1, 0).y())
    assert np.hypot(*pixels.T).max() < 40 + 0.2 / view.camera.units[0]
    assert (stage.session.document.data.labels[4:] == 1).all()
    undo.undo()
    assert stage.session.document.n == 4


def test_right_button_sprays_the_other_class(qtbot, stage, view, mouse):
    view.show_tool("spray")
    view.set_brush(SpraySettings(rate=300))
    spray(qtbot, stage, mouse, RIGHT)
    assert (stage.session.document.data.labels[4:] == -1).all()


def test_spray_goes_on_with_the_class_placed_last(qtbot, stage, view, mouse):
    view.show_tool("add-negative")
    view.show_tool("hand")
    view.show_tool("spray")
    view.set_brush(SpraySettings(rate=300))
    spray(qtbot, stage, mouse)
    assert (stage.session.document.data.labels[4:] == -1).all()


def test_where_points_fall_is_seeded(stage, view, mouse, undo):
    view.show_tool("spray")
    mouse.drag(mouse.at(0, 0))
    first = stage.session.document.data.points[4:].copy()
    assert len(first) >= 1
    undo.undo()
    view._mouse._tools.clear()
    mouse.drag(mouse.at(0, 0))
    assert stage.session.document.data.points[4].tolist() == first[0].tolist()


def test_nothing_is_sprayed_outside_the_plot(stage, view, mouse, undo):
    view.show_tool("spray")
    mouse.drag(QPoint(400, view.height() - 2))
    assert stage.session.document.n == 4
    assert undo.count() == 0
    assert not stage.session.previewing


def test_erase_makes_one_entry_a_stroke(stage, view, mouse, undo):
    view.show_tool("erase")
    stage.session.select((0,))
    mouse.drag((-1, 1.1), (-1, 1), (-1, 0), (-1, -1))
    assert stage.session.document.data.labels.tolist() == [1, 1]
    assert stage.session.selection == frozenset()
    assert undo.count() == 1
    assert undo.undoText() == "Erase 2 points"


def test_erase_leaves_no_gaps_for_a_fast_mouse(stage, view, mouse):
    view.show_tool("erase")
    mouse.drag((-1, 1.1), (-1, -1.1))
    assert stage.session.document.n == 2


def test_erasing_nothing_makes_no_entry(stage, view, mouse, undo):
    view.show_tool("erase")
    mouse.drag((0, 0), (0.2, 0.2))
    assert undo.count() == 0


def test_brackets_change_the_brush(view, mouse):
    view.show_tool("erase")
    mouse.move(mouse.at(0, 0))
    radius = view.brush.radius
    QTest.keyClick(view, Qt.Key.Key_BracketRight)
    assert view.brush.radius == pytest.approx(1.25 * radius)
    mouse.move(mouse.at(0.1, 0))
    assert view._mouse.tool.feedback.circle[2] == pytest.approx(
        view.brush.radius * view.navigation.scale
    )
    for _ in range(60):
        QTest.keyClick(view, Qt.Key.Key_BracketLeft)
    assert view.brush.radius >= 2


def test_hand_pans_and_edits_nothing(view, mouse, undo):
    view.show_tool("hand")
    before = view.camera.to_data(400, 300)
    mouse.drag(QPoint(400, 300), QPoint(430, 280), QPoint(460, 260))
    assert view.camera.to_data(460, 260) == pytest.approx(before)
    assert undo.count() == 0


def test_tools_without_a_brush_have_no_settings(view):
    view.show_tool("hand")
    assert view.brush is None


def test_a_stroke_of_points_ends_if_words_are_opened_meanwhile(stage, view, mouse, qtbot):
    view.show_tool("spray")
    mouse.press(mouse.at(0.3, 0.3))
    assert view._mouse.tool.busy
    stage.session.reset(Document(data=parse_points("ab,x\nba,y\nabc,x\n")))
    assert not view._mouse.tool.busy
    qtbot.wait(80)
    mouse.release(mouse.at(0.3, 0.3))
    assert stage.session.document.n == 3
    assert not stage.session.document.has_coordinates
