"""The bar, the buttons and the speed under the plane, by the real mouse."""

from __future__ import annotations

import math
import time

import pytest
from PySide6.QtCore import QPoint

from solvers import Pegasos
from svmviz.document.document import Penalty
from svmviz.document.step_marks import StepMarks
from svmviz.frames.clocks import CLOCKS
from svmviz.window import messages
from tests.stages import eight, moons

pytestmark = pytest.mark.display


@pytest.fixture
def user(open_window):
    return open_window(moons())


def bar_place(user, share):
    bar = user.window.bottom.transport.bar
    return bar.mapToGlobal(QPoint(round(bar.x_of(share * bar.span)), bar.height() // 3))


def test_a_drag_on_the_bar_scrubs(user):
    playback = user.window.stage.playback
    length = playback.length
    user.press(bar_place(user, 0.75))
    user.until(lambda: abs(playback.player.reading - 0.75 * length) <= 1)
    for share in (0.5, 0.25):
        user.move(bar_place(user, share))
        user.until(lambda share=share: abs(playback.player.reading - share * length) <= 1)
        user.until(lambda: user.window.stage.feed.frame.lane.step == playback.player.reading)
    user.release()
    user.move(bar_place(user, 0.9))
    user.until_heard()
    assert abs(playback.player.reading - 0.25 * length) <= 1


def test_buttons(user):
    playback, buttons = user.window.stage.playback, user.window.bottom.transport.buttons
    user.click_on(buttons["start"])
    user.until(lambda: playback.player.reading == 0)
    user.click_on(buttons["step"])
    user.until(lambda: playback.player.reading == 1)
    user.click_on(buttons["play"])
    user.until(lambda: playback.player.playing)
    user.key("space")
    user.until(lambda: not playback.player.playing)
    user.click_on(buttons["end"])
    user.until(lambda: playback.player.reading == playback.length)


def test_speed_from_one_step_in_two_seconds_to_flat_out(user):
    playback, groove = user.window.stage.playback, user.window.bottom.transport.speed.groove
    left = groove.mapToGlobal(QPoint(2, groove.height() // 2))
    right = groove.mapToGlobal(QPoint(groove.width() - 2, groove.height() // 2))
    user.drag(right, left)
    user.until(lambda: playback.player.speed == 0.5)
    user.drag(left, right)
    user.until(lambda: math.isinf(playback.player.speed))
    user.key("Home", "space")
    user.until(lambda: playback.player.reading == playback.length)


def test_what_plays_keeps_time(user):
    playback = user.window.stage.playback
    playback.set_speed(40.0)
    # Time that passed since the last look would count.
    user.until(lambda: not user.window.stage.feed._timer.isActive())
    # Before it began: a busy machine may look late, and never early.
    began = time.monotonic()
    user.key("Home", "space")
    user.until(lambda: playback.player.playing)
    user.until(lambda: playback.player.position >= 20.0)
    assert playback.player.position <= 40.0 * (time.monotonic() - began)


def endless():
    return moons(200, methods=(Pegasos(max_steps=10**9),), penalty=Penalty("C", 1.0), bias="none")


@pytest.mark.parametrize("way", ["button", "key"])
def test_a_long_solve_is_stopped(open_window, way):
    user = open_window()
    session, playback = user.window.stage.session, user.window.stage.playback
    session.reset(endless())
    user.until(lambda: session.runs and playback.length > 1000)
    assert user.window.menus.actions["stop"].isEnabled()
    if way == "button":
        user.click_on(user.window.bottom.transport.stop)
    else:
        user.key("ctrl+period")
    user.until(lambda: playback.finished)
    length = playback.length
    assert 1000 < length < 10**9
    user.until(lambda: "Stopped by the user" in user.window.bottom.narrator.text)
    assert not user.window.menus.actions["stop"].isEnabled()
    # What is recorded stays, and can be watched.
    user.key("Home", "Right")
    user.until(lambda: user.window.stage.feed.frame.lane.step == 1)
    assert playback.length == length


def test_closing_while_solving_leaves_nothing_running(open_window):
    user = open_window()
    session = user.window.stage.session
    session.reset(endless())
    user.until(lambda: session.runs and user.window.stage.playback.length > 1000)
    user.window.close()
    assert not user.window.isVisible()
    # The threads themselves are looked for after every test.


def test_an_edit_while_playing_shows_the_new_end(user):
    session, playback = user.window.stage.session, user.window.stage.playback
    feed = user.window.stage.feed
    playback.set_speed(5.0)
    user.key("Home", "space")
    user.until(lambda: playback.player.playing)
    user.click(user.at(0.3, -0.8))
    user.until(lambda: session.document.n == 81)
    user.until(lambda: feed.frame.document is session.document and feed.frame.lane.at_end)


def test_nothing_to_play_is_said_truly(open_window):
    user = open_window(eight())
    assert user.window.bottom.transport.buttons["play"].isEnabled()
    user.key("ctrl+a", "Delete")
    user.until(lambda: user.window.stage.session.document.n == 0)
    user.until(lambda: not user.window.bottom.transport.buttons["play"].isEnabled())
    assert not user.window.menus.actions["play"].isEnabled()


def test_a_loop_and_bookmarks_by_keys_and_on_the_bar(user):
    window = user.window
    playback, bar = window.stage.playback, window.bottom.transport.bar
    playback.seek(10)
    user.key("shift+Home")
    user.until(lambda: playback.marks.loop == (10, playback.length))
    playback.seek(14)
    user.key("shift+End")
    user.until(lambda: playback.marks.loop == (10, 14))
    playback.set_speed(math.inf)
    user.key("space")
    user.until(lambda: playback.player.playing)
    seen = set()
    playback.moved.connect(lambda: seen.add(playback.player.reading))
    user.until(lambda: seen >= {10, 11, 12, 13, 14})
    user.until(lambda: window.stage.feed.frame.lane.step in range(10, 15))
    user.key("space")
    user.until(lambda: not playback.player.playing)
    assert seen == {10, 11, 12, 13, 14}
    playback.mark(playback.marks.named(3, "the first").named(20, "later"))
    assert bar._flags == (3, 20)
    assert bar._range == (10, 14)
    assert bar.words(20).endswith(": later")
    user.key("shift+Next")
    user.until(lambda: playback.player.reading == 20)
    user.key("shift+Prior")
    user.until(lambda: playback.player.reading == 3)
    # It is kept in the scene, and another document has none.
    assert window.files.scene().marks == playback.marks
    window.menus.actions["end-loop"].trigger()
    assert playback.marks.loop is None
    bar.ranged.emit(2, 5)
    assert bar._range == (2, 5)
    window.files.new()
    assert playback.marks == StepMarks()


def test_the_example_of_a_step_is_within_the_run(user, monkeypatch):
    asked, answers = [], iter(["x", None])

    def answer(_parent, _title, words, _text):
        asked.append(words)
        return next(answers)

    monkeypatch.setattr(messages, "ask_text", answer)
    assert user.window.messages.ask_reading(CLOCKS["steps"], 0, 35) is None
    assert "“x” is not a whole number, such as 17." in asked[1]
