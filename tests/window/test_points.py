"""Points by the real mouse."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLineEdit

from tests.window.conftest import settle

pytestmark = pytest.mark.display


def labels(hand):
    return hand.window.stage.session.document.data.labels.tolist()


def points(hand):
    return hand.window.stage.session.document.data.points


def test_left_and_right_click_place_both_classes(open_window):
    hand = open_window()
    hand.click(hand.at(0.2, 0.3))
    hand.until(lambda: labels(hand) == [1])
    hand.click(hand.at(-0.4, -0.2), button=3)
    hand.until(lambda: labels(hand) == [1, -1])
    near = hand.window.plane.camera.units[0]
    assert points(hand) == pytest.approx(np.array([[0.2, 0.3], [-0.4, -0.2]]), abs=1.5 / near)
    settle(hand)
    assert hand.window.stage.feed.frame.lane.certificate.gap < 0.01


def test_keys_choose_the_class_for_trackpads(open_window):
    hand = open_window()
    hand.key("2")
    hand.until(lambda: hand.window.menus.actions["tool-add-negative"].isChecked())
    hand.click(hand.at(0, 0))
    hand.until(lambda: labels(hand) == [-1])
    hand.key("1")
    hand.until(lambda: hand.window.menus.actions["tool-add-positive"].isChecked())
    hand.click(hand.at(0.5, 0.5))
    hand.until(lambda: labels(hand) == [-1, 1])


def test_a_drag_moves_live_and_is_one_entry(hand):
    session = hand.window.stage.session
    before = points(hand)[5].copy()
    hand.press(hand.at(*before))
    for y in (1.6, 1.9, 2.2):
        hand.move(hand.at(-0.5, y))
        hand.until(lambda y=y: abs(points(hand)[5, 1] - y) < 0.05)
        assert session.previewing
        assert session.undo_stack.count() == 0
    hand.until(lambda: hand.window.stage.feed.frame.document is session.document)
    hand.release()
    hand.until(lambda: not session.previewing)
    assert session.undo_stack.count() == 1
    hand.key("ctrl+z")
    hand.until(lambda: points(hand)[5].tolist() == before.tolist())
    hand.key("ctrl+shift+z")
    hand.until(lambda: points(hand)[5, 1] > 2)


def test_a_drag_off_the_plane_deletes(hand):
    place = hand.at(*points(hand)[0])
    outside = hand.window.bottom.mapToGlobal(QPoint(200, 100))
    hand.drag(place, place + QPoint(0, 20), outside)
    hand.until(lambda: len(labels(hand)) == 7)
    assert hand.window.stage.session.undo_stack.count() == 1
    hand.key("ctrl+z")
    hand.until(lambda: len(labels(hand)) == 8)


def test_rubber_band_and_delete(hand):
    session = hand.window.stage.session
    hand.drag(hand.at(0.3, 0.6), hand.at(0.8, 1.2), hand.at(1.2, 2.3))
    hand.until(lambda: session.selection == {2, 7})
    hand.key("Delete")
    hand.until(lambda: len(labels(hand)) == 6)
    assert session.undo_stack.count() == 1
    hand.key("ctrl+z")
    hand.until(lambda: len(labels(hand)) == 8)


def test_escape_in_the_middle_of_a_drag_puts_the_point_back(hand):
    before = points(hand)[5].tolist()
    hand.press(hand.at(*before))
    hand.move(hand.at(-0.5, 2.0))
    hand.until(lambda: points(hand)[5].tolist() != before)
    hand.key("Escape")
    hand.until(lambda: points(hand)[5].tolist() == before)
    hand.release()
    hand.until_heard()
    assert hand.window.stage.session.undo_stack.count() == 0


@pytest.mark.parametrize("key", ["ctrl+z", "Delete", "ctrl+n", "ctrl+a", "x", "j", "r", "space"])
def test_keys_in_the_middle_of_a_drag_do_no_harm(hand, key):
    session = hand.window.stage.session
    hand.click(hand.at(2.5, 2.5))
    hand.until(lambda: len(labels(hand)) == 9)
    hand.press(hand.at(*points(hand)[5]))
    hand.move(hand.at(-0.5, 1.8))
    hand.until(lambda: session.previewing)
    hand.key(key)
    hand.until_heard()
    hand.move(hand.at(-0.5, 2.0))
    hand.release()
    hand.until(lambda: not session.previewing)
    assert len(labels(hand)) == 9
    session.undo_stack.undo()
    assert len(labels(hand)) in (8, 9)


def test_wheel_and_middle_button_edit_nothing(hand):
    camera = hand.window.plane.camera
    hand.click(hand.at(0.0, 0.0), button=4)
    hand.until(lambda: hand.window.plane.camera.span_x < camera.span_x)
    x = hand.window.plane.camera.x
    hand.drag(hand.at(0.0, 0.0), hand.at(0.5, 0.2), button=2)
    hand.until(lambda: hand.window.plane.camera.x < x - 0.1)
    assert hand.window.stage.session.undo_stack.count() == 0


def test_radius_and_rate_of_the_spray_can_be_typed(open_window):
    hand = open_window()
    bar, plane = hand.window.planes.brush_bar, hand.window.plane
    assert not bar.isVisible()
    hand.key("b")
    hand.until(bar.isVisible)
    for name, text in (("rate", "500"), ("radius", "20")):
        field = bar.form.controls[name].findChild(QLineEdit)
        hand.click_on(field, times=2)
        hand.type(text)
        hand.key("Return")
        hand.until(lambda name=name, text=text: getattr(plane.brush, name) == float(text))
    plane.setFocus()
    hand.key("bracketright")
    hand.until(lambda: bar.form.controls["radius"].value == 25)
    hand.press(hand.at(1.0, 0.0))
    hand.until(lambda: hand.window.stage.session.document.n > 100)
    hand.release()
    hand.until(lambda: hand.window.stage.session.undo_stack.count() == 1)
    sprayed = points(hand)
    away = np.hypot(*((sprayed - [1.0, 0.0]) * plane.camera.units).T)
    assert away.max() <= 25.5
    hand.key("e")
    hand.until(lambda: list(bar.form.controls) == ["radius"])
    hand.key("1")
    hand.until(lambda: not bar.isVisible())


def test_the_bar_of_the_brush_fits_the_tool_in_use(hand):
    bar = hand.window.planes.brush_bar
    heights = {}
    actions = hand.window.menus.actions
    for key, tool in (("b", "spray"), ("e", "erase"), ("b", "spray"), ("e", "erase")):
        hand.key(key)
        hand.until(actions[f"tool-{tool}"].isChecked)
        hand.until_still(bar)
        assert bar.height() == bar.sizeHint().height()
        assert heights.setdefault(key, bar.height()) == bar.height()
    assert heights["b"] > heights["e"] + 10
