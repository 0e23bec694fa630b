"""The bar, the buttons and the speed under the plane, by the real mouse."""

from __future__ import annotations

import math
import time

import pytest
from PySide6.QtCore import QPoint

from solvers import Pegasos
from svmviz.document.document import Penalty
from tests.stages import eight, moons

pytestmark = pytest.mark.display


@pytest.fixture
def hand(open_window):
    return open_window(moons())


def bar_place(hand, share):
    bar = hand.window.bottom.transport.bar
    return bar.mapToGlobal(QPoint(round(bar.x_of(share * bar.span)), bar.height() // 3))


def test_a_drag_on_the_bar_scrubs(hand):
    playback = hand.window.stage.playback
    length = playback.length
    hand.press(bar_place(hand, 0.75))
    hand.until(lambda: abs(playback.player.reading - 0.75 * length) <= 1)
    for share in (0.5, 0.25):
        hand.move(bar_place(hand, share))
        hand.until(lambda share=share: abs(playback.player.reading - share * length) <= 1)
        hand.until(lambda: hand.window.stage.feed.frame.lane.step == playback.player.reading)
    hand.release()
    hand.move(bar_place(hand, 0.9))
    hand.until_heard()
    assert abs(playback.player.reading - 0.25 * length) <= 1


def test_buttons(hand):
    playback, buttons = hand.window.stage.playback, hand.window.bottom.transport.buttons
    hand.click_on(buttons["start"])
    hand.until(lambda: playback.player.reading == 0)
    hand.click_on(buttons["step"])
    hand.until(lambda: playback.player.reading == 1)
    hand.click_on(buttons["play"])
    hand.until(lambda: playback.player.playing)
    hand.key("space")
    hand.until(lambda: not playback.player.playing)
    hand.click_on(buttons["end"])
    hand.until(lambda: playback.player.reading == playback.length)


def test_speed_from_one_step_in_two_seconds_to_flat_out(hand):
    playback, groove = hand.window.stage.playback, hand.window.bottom.transport.speed.groove
    left = groove.mapToGlobal(QPoint(2, groove.height() // 2))
    right = groove.mapToGlobal(QPoint(groove.width() - 2, groove.height() // 2))
    hand.drag(right, left)
    hand.until(lambda: playback.player.speed == 0.5)
    hand.drag(left, right)
    hand.until(lambda: math.isinf(playback.player.speed))
    hand.key("Home", "space")
    hand.until(lambda: playback.player.reading == playback.length)


def test_what_plays_keeps_time(hand):
    playback = hand.window.stage.playback
    playback.set_speed(40.0)
    # Time that passed since the last look would count.
    hand.until(lambda: not hand.window.stage.feed._timer.isActive())
    # Before it began: a busy machine may look late, and never early.
    began = time.monotonic()
    hand.key("Home", "space")
    hand.until(lambda: playback.player.playing)
    hand.until(lambda: playback.player.position >= 20.0)
    assert playback.player.position <= 40.0 * (time.monotonic() - began)


def endless():
    return moons(200, methods=(Pegasos(max_steps=10**9),), penalty=Penalty("C", 1.0), bias="none")


@pytest.mark.parametrize("way", ["button", "key"])
def test_a_long_solve_is_stopped(open_window, way):
    hand = open_window()
    session, playback = hand.window.stage.session, hand.window.stage.playback
    session.reset(endless())
    hand.until(lambda: session.runs and playback.length > 1000)
    assert hand.window.menus.actions["stop"].isEnabled()
    if way == "button":
        hand.click_on(hand.window.bottom.transport.stop)
    else:
        hand.key("ctrl+period")
    hand.until(lambda: playback.finished)
    length = playback.length
    assert 1000 < length < 10**9
    hand.until(lambda: "Stopped by the user" in hand.window.bottom.narrator.text)
    assert not hand.window.menus.actions["stop"].isEnabled()
    # What is recorded stays, and can be watched.
    hand.key("Home", "Right")
    hand.until(lambda: hand.window.stage.feed.frame.lane.step == 1)
    assert playback.length == length


def test_closing_while_solving_leaves_nothing_running(open_window):
    hand = open_window()
    session = hand.window.stage.session
    session.reset(endless())
    hand.until(lambda: session.runs and hand.window.stage.playback.length > 1000)
    hand.window.close()
    assert not hand.window.isVisible()
    # The threads themselves are looked for after every test.


def test_an_edit_while_playing_shows_the_new_end(hand):
    session, playback = hand.window.stage.session, hand.window.stage.playback
    feed = hand.window.stage.feed
    playback.set_speed(5.0)
    hand.key("Home", "space")
    hand.until(lambda: playback.player.playing)
    hand.click(hand.at(0.3, -0.8))
    hand.until(lambda: session.document.n == 81)
    hand.until(lambda: feed.frame.document is session.document and feed.frame.lane.at_end)


def test_nothing_to_play_is_said_truly(open_window):
    hand = open_window(eight())
    assert hand.window.bottom.transport.buttons["play"].isEnabled()
    hand.key("ctrl+a", "Delete")
    hand.until(lambda: hand.window.stage.session.document.n == 0)
    hand.until(lambda: not hand.window.bottom.transport.buttons["play"].isEnabled())
    assert not hand.window.menus.actions["play"].isEnabled()
