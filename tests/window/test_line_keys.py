"""The user's line laid, shifted, turned and removed by real keys, without a mouse."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from svmviz.tools.line import visible_ends
from tests.window.conftest import settle

pytestmark = pytest.mark.display


def line(user):
    return user.window.stage.session.document.user_line


def stack(user):
    return user.window.stage.session.undo_stack


def press(user, *keys):
    user.key(*keys)
    user.until_heard()


def angle(line):
    return math.degrees(math.atan2(line.w[1], line.w[0]))


@pytest.fixture
def laid(user):
    press(user, "shift+l", "Insert")
    assert stack(user).undoText() == "Draw line"
    settle(user)
    return user


def test_arrows_shift_and_brackets_turn_as_one_undo_entry(laid):
    before, camera = line(laid), laid.window.plane.camera
    count = stack(laid).count()
    laid.key("Right", "bracketleft", "shift+bracketleft")
    laid.until(lambda: stack(laid).count() > count)
    after = line(laid)
    assert stack(laid).undoText() == "Move line"
    assert (angle(after) - angle(before)) % 360 == pytest.approx(5.5)
    assert math.hypot(*after.w) == pytest.approx(math.hypot(*before.w))
    middle = np.mean([camera.to_data(*end) for end in visible_ends(before, camera)], 0)
    assert middle @ after.w + after.b != pytest.approx(0.0, abs=1e-6)
    press(laid, "ctrl+z")
    assert line(laid) == before


def test_it_does_not_leave_the_view_and_delete_removes_it(laid):
    press(laid, *["Right"] * 70)
    assert len(visible_ends(line(laid), laid.window.plane.camera))
    press(laid, "Delete")
    assert line(laid) is None
    assert laid.window.stage.session.document.n == 8


def test_escape_lets_go_and_tab_takes_hold_before_it_chooses_points(laid):
    before, playback = line(laid), laid.window.stage.playback
    playback.seek(3)
    press(laid, "Escape", "Left")
    assert playback.player.reading == 2
    assert line(laid) is before
    press(laid, "Tab", "shift+Up")
    assert line(laid).b != before.b
    assert laid.window.stage.session.selection == set()
    press(laid, "Tab")
    assert len(laid.window.stage.session.selection) == 1
    press(laid, "shift+Tab")
    assert QApplication.focusWidget() is not laid.window.plane
