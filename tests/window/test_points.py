"""Points by the real mouse."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLineEdit

from tests.window.conftest import settle

pytestmark = pytest.mark.display


def labels(user):
    return user.window.stage.session.document.data.labels.tolist()


def points(user):
    return user.window.stage.session.document.data.points


def test_left_and_right_click_place_both_classes(open_window):
    user = open_window()
    user.click(user.at(0.2, 0.3))
    user.until(lambda: labels(user) == [1])
    user.click(user.at(-0.4, -0.2), button=3)
    user.until(lambda: labels(user) == [1, -1])
    near = user.window.plane.camera.units[0]
    assert points(user) == pytest.approx(np.array([[0.2, 0.3], [-0.4, -0.2]]), abs=1.5 / near)
    settle(user)
    assert user.window.stage.feed.frame.lane.certificate.gap < 0.01


def test_keys_choose_the_class_for_trackpads(open_window):
    user = open_window()
    user.key("2")
    user.until(lambda: user.window.menus.actions["tool-add-negative"].isChecked())
    user.click(user.at(0, 0))
    user.until(lambda: labels(user) == [-1])
    user.key("1")
    user.until(lambda: user.window.menus.actions["tool-add-positive"].isChecked())
    user.click(user.at(0.5, 0.5))
    user.until(lambda: labels(user) == [-1, 1])


def test_a_drag_moves_live_and_is_one_entry(user):
    session = user.window.stage.session
    before = points(user)[5].copy()
    user.press(user.at(*before))
    for y in (1.6, 1.9, 2.2):
        user.move(user.at(-0.5, y))
        user.until(lambda y=y: abs(points(user)[5, 1] - y) < 0.05)
        assert session.previewing
        assert session.undo_stack.count() == 0
    user.until(lambda: user.window.stage.feed.frame.document is session.document)
    user.release()
    user.until(lambda: not session.previewing)
    assert session.undo_stack.count() == 1
    user.key("ctrl+z")
    user.until(lambda: points(user)[5].tolist() == before.tolist())
    user.key("ctrl+shift+z")
    user.until(lambda: points(user)[5, 1] > 2)


def test_a_drag_off_the_plane_deletes(user):
    place = user.at(*points(user)[0])
    outside = user.window.bottom.mapToGlobal(QPoint(200, 100))
    user.drag(place, place + QPoint(0, 20), outside)
    user.until(lambda: len(labels(user)) == 7)
    assert user.window.stage.session.undo_stack.count() == 1
    user.key("ctrl+z")
    user.until(lambda: len(labels(user)) == 8)


def test_rubber_band_and_delete(user):
    session = user.window.stage.session
    user.drag(user.at(0.3, 0.6), user.at(0.8, 1.2), user.at(1.2, 2.3))
    user.until(lambda: session.selection == {2, 7})
    user.key("Delete")
    user.until(lambda: len(labels(user)) == 6)
    assert session.undo_stack.count() == 1
    user.key("ctrl+z")
    user.until(lambda: len(labels(user)) == 8)


def test_escape_in_the_middle_of_a_drag_puts_the_point_back(user):
    before = points(user)[5].tolist()
    user.press(user.at(*before))
    user.move(user.at(-0.5, 2.0))
    user.until(lambda: points(user)[5].tolist() != before)
    user.key("Escape")
    user.until(lambda: points(user)[5].tolist() == before)
    user.release()
    user.until_heard()
    assert user.window.stage.session.undo_stack.count() == 0


@pytest.mark.parametrize("key", ["ctrl+z", "Delete", "ctrl+n", "ctrl+a", "x", "j", "r", "space"])
def test_keys_in_the_middle_of_a_drag_do_no_harm(user, key):
    session = user.window.stage.session
    user.click(user.at(2.5, 2.5))
    user.until(lambda: len(labels(user)) == 9)
    user.press(user.at(*points(user)[5]))
    user.move(user.at(-0.5, 1.8))
    user.until(lambda: session.previewing)
    user.key(key)
    user.until_heard()
    user.move(user.at(-0.5, 2.0))
    user.release()
    user.until(lambda: not session.previewing)
    assert len(labels(user)) == 9
    session.undo_stack.undo()
    assert len(labels(user)) in (8, 9)


def test_wheel_and_middle_button_edit_nothing(user):
    camera = user.window.plane.camera
    user.click(user.at(0.0, 0.0), button=4)
    user.until(lambda: user.window.plane.camera.span_x < camera.span_x)
    x = user.window.plane.camera.x
    user.drag(user.at(0.0, 0.0), user.at(0.5, 0.2), button=2)
    user.until(lambda: user.window.plane.camera.x < x - 0.1)
    assert user.window.stage.session.undo_stack.count() == 0


def test_radius_and_rate_of_the_spray_can_be_typed(open_window):
    user = open_window()
    bar, plane = user.window.planes.brush_bar, user.window.plane
    assert not bar.isVisible()
    user.key("b")
    user.until(bar.isVisible)
    for name, text in (("rate", "500"), ("radius", "20")):
        field = bar.form.controls[name].findChild(QLineEdit)
        user.click_on(field, times=2)
        user.type(text)
        user.key("Return")
        user.until(lambda name=name, text=text: getattr(plane.brush, name) == float(text))
    plane.setFocus()
    user.key("bracketright")
    user.until(lambda: bar.form.controls["radius"].value == 25)
    user.press(user.at(1.0, 0.0))
    user.until(lambda: user.window.stage.session.document.n > 100)
    user.release()
    user.until(lambda: user.window.stage.session.undo_stack.count() == 1)
    sprayed = points(user)
    away = np.hypot(*((sprayed - [1.0, 0.0]) * plane.camera.units).T)
    assert away.max() <= 25.5
    user.key("e")
    user.until(lambda: list(bar.form.controls) == ["radius"])
    user.key("1")
    user.until(lambda: not bar.isVisible())


def test_the_bar_of_the_brush_fits_the_tool_in_use(user):
    bar = user.window.planes.brush_bar
    heights = {}
    actions = user.window.menus.actions
    for key, tool in (("b", "spray"), ("e", "erase"), ("b", "spray"), ("e", "erase")):
        user.key(key)
        user.until(actions[f"tool-{tool}"].isChecked)
        user.until_still(bar)
        assert bar.height() == bar.sizeHint().height()
        assert heights.setdefault(key, bar.height()) == bar.height()
    assert heights["b"] > heights["e"] + 10
