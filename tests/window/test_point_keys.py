"""Points chosen, moved, added and erased by real keys, without a mouse."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from solvers.data.datasets import NO_PLACES
from solvers.data.point_files import parse_points
from svmviz.document.document import Document
from svmviz.plane.keys import key_run
from svmviz.plane.keys.key_run import FINE_STEPS
from tests.window.conftest import settle

pytestmark = pytest.mark.display


def session(user):
    return user.window.stage.session


def points(user):
    return session(user).document.data.points


def press(user, *keys):
    user.key(*keys)
    user.until_heard()


def chosen(user):
    """The chosen point, which is selected and lit; None if there is none."""
    (index,) = session(user).selection or (None,)
    assert user.window.stage.spotlight.index == index
    return index


def has_focus(user):
    return QApplication.focusWidget() is user.window.plane


def by_nearness(user):
    """All points: the nearest to the middle of the plane, then always the nearest of the rest."""
    camera = user.window.plane.camera
    pixels = camera.to_pixels(points(user))
    place = np.array([camera.left + 0.5 * camera.plot_width, camera.top + 0.5 * camera.plot_height])
    rest, order = list(range(len(pixels))), []
    while rest:
        order.append(min(rest, key=lambda i: np.hypot(*(pixels[i] - place))))
        rest.remove(order[-1])
        place = pixels[order[-1]]
    return order


def test_tab_goes_from_point_to_point_by_nearness_and_then_leaves(user):
    order = by_nearness(user)
    for index in order:
        press(user, "Tab")
        assert chosen(user) == index
        assert user.window.plane._mouse.card_index == index
    press(user, "shift+Tab")
    assert chosen(user) == order[-2]
    press(user, "Tab")
    assert has_focus(user)
    press(user, "Tab")
    assert not has_focus(user)
    assert chosen(user) is None


def test_shift_tab_at_the_first_point_leaves(user):
    press(user, "Tab")
    assert has_focus(user)
    press(user, "shift+Tab")
    assert not has_focus(user)


@pytest.fixture
def unhurried(monkeypatch):
    """A run of keys that ends later, so that a slow machine does not make two of one."""
    monkeypatch.setattr(key_run, "RUN_PAUSE", 3000)


def test_arrows_move_the_chosen_point_as_one_undo_entry(unhurried, user):
    press(user, "Tab")
    index, before = chosen(user), points(user).copy()
    user.key("Right")
    user.until(lambda: points(user)[index, 0] > before[index, 0])
    assert session(user).previewing
    assert session(user).undo_stack.count() == 0
    soft = points(user)[index, 0] - before[index, 0]
    user.key("Up", "Up", "shift+Left")
    moved = before[index] + (soft - soft / FINE_STEPS, 2 * soft)
    user.until(lambda: np.allclose(points(user)[index], moved))
    user.until(lambda: not session(user).previewing)
    assert session(user).undo_stack.undoText() == "Move point"
    assert session(user).undo_stack.count() == 1
    assert chosen(user) == index
    settle(user)
    assert user.window.stage.feed.frame.document is session(user).document
    press(user, "ctrl+z")
    assert np.array_equal(points(user), before)


def test_undo_right_after_a_movement_takes_it_back(user):
    before = points(user).copy()
    press(user, "Tab", "Right", "ctrl+z")
    assert np.array_equal(points(user), before)
    assert session(user).undo_stack.canRedo()


def test_a_point_does_not_leave_the_view(unhurried, user):
    press(user, "Tab", *["Right"] * 70)
    camera = user.window.plane.camera
    assert camera.inside(camera.to_pixels(points(user))).all()
    user.until(lambda: not session(user).previewing)
    assert session(user).undo_stack.count() == 1


def test_escape_lets_go_and_arrows_are_steps_again(user):
    before = session(user).document
    playback = user.window.stage.playback
    playback.seek(3)
    press(user, "Tab", "Escape")
    assert chosen(user) is None
    press(user, "Left")
    assert playback.player.reading == 2
    assert session(user).document is before
    press(user, "Tab")
    assert not has_focus(user)


def test_a_presentation_lets_go_so_that_a_clicker_steps(user):
    stage = user.window.stage
    user.key("Home", "Tab")
    user.until(lambda: len(stage.session.selection) == 1)
    before = stage.session.document
    user.key("F5")
    user.until(lambda: user.window.presentation.screen is not None)
    user.until(lambda: user.window.presentation.screen.isVisible())
    user.key("Right")
    user.until(lambda: stage.playback.step == 1)
    assert stage.session.document is before
    user.key("Escape")
    user.until(lambda: user.window.presentation.screen is None)


def test_delete_erases_and_tab_goes_on_from_there(user):
    press(user, "Tab")
    place, n = points(user)[chosen(user)].copy(), session(user).document.n
    press(user, "Delete")
    assert session(user).document.n == n - 1
    pixels = user.window.plane.camera.to_pixels
    distances = np.hypot(*(pixels(points(user)) - pixels(place[None])).T)
    press(user, "Tab")
    assert chosen(user) == distances.argmin()


def test_insert_adds_a_point_which_arrows_move(open_window):
    user = open_window()
    press(user, "2", "Insert", "Right", "Right")
    user.until(lambda: not session(user).previewing)
    assert session(user).document.data.labels.tolist() == [-1]
    assert session(user).undo_stack.count() == 1
    assert session(user).undo_stack.undoText() == "Add point"
    press(user, "shift+Insert")
    user.until(lambda: not session(user).previewing)
    assert session(user).document.data.labels.tolist() == [-1, 1]
    assert chosen(user) == 1
    assert points(user)[1, 0] > points(user)[0, 0] > 0
    settle(user)


def test_tab_goes_on_after_an_added_point_is_undone(user):
    n = session(user).document.n
    press(user, "Tab", "Insert", "Tab")
    index = chosen(user)
    assert session(user).document.n == n + 1
    press(user, "ctrl+z")
    assert session(user).document.n == n
    assert session(user).selection == {index}
    press(user, "Tab")
    assert chosen(user) not in (None, index)


def test_words_are_chosen_but_neither_moved_nor_added(open_window):
    user = open_window(Document(data=parse_points("singing,a\nringing,a\nwalker,b\nsinger,b\n")))
    before = session(user).document
    for key in ("Right", "Insert"):
        press(user, "Tab")
        assert chosen(user) is not None
        press(user, key)
        assert user.window.plane._points.words == NO_PLACES
    press(user, "Escape")
    assert user.window.plane._points.words == ""
    assert session(user).document is before


def test_a_question_takes_the_chosen_point(user):
    picking, answers = user.window.stage.picking, []
    picking.picked.connect(answers.append)
    picking.ask_points(1)
    press(user, "Tab", "Return")
    assert answers == [(chosen(user),)]
    assert session(user).undo_stack.count() == 0


def test_a_ring_shows_the_focus_that_came_by_a_key(user):
    plane = user.window.plane

    def edge():
        return plane.grab().toImage().pixelColor(0, plane.height() // 2).name()

    assert edge() != plane.theme.focus
    press(user, "Tab")
    assert edge() == plane.theme.focus
    user.click(user.at(0.01, 0.01))
    user.until(lambda: edge() != plane.theme.focus)
