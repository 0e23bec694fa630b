"""The transport controls the playback, and shows the step of the frame on screen."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from solvers import (
    RBF,
    SMO,
    Hulls,
    Pegasos,
)
from solvers.jit import cache, helper
from svmviz.panels.controls.transport.narrator import Narrator, compiling_words
from svmviz.panels.controls.transport.transport import Transport, read_step, speed_words
from svmviz.theme import LIGHT, apply
from svmviz.widgets.inputs.scrub_bar import ScrubBar
from tests.stages import moons
from tests.waiting import go_to, settle


@pytest.fixture
def stage(open_stage):
    return open_stage(moons())


@pytest.fixture
def transport(stage, show):
    return show(Transport(stage), 1000, 90)


def test_buttons_move(qtbot, stage, transport):
    player, buttons = stage.playback.player, transport.buttons
    last = stage.playback.length
    assert player.reading == last
    assert not buttons["step"].isEnabled()
    buttons["back"].click()
    assert player.reading == last - 1
    buttons["back-ten"].click()
    assert player.reading == last - 11
    buttons["on-ten"].click()
    buttons["step"].click()
    assert player.reading == last
    buttons["start"].click()
    assert player.reading == 0
    assert not buttons["back"].isEnabled()
    buttons["next-change"].click()
    assert player.reading == 1
    buttons["next-sweep"].click()
    assert player.reading > 1
    buttons["end"].click()
    qtbot.waitUntil(lambda: player.reading == last)


def test_play_and_restart(qtbot, stage, transport):
    stage.playback.set_speed(50.0)
    transport.buttons["restart"].click()
    assert stage.playback.player.playing
    qtbot.waitUntil(lambda: stage.playback.player.reading >= 3)
    transport.buttons["play"].click()
    assert not stage.playback.player.playing


def test_typing_a_step_goes_there(qtbot, stage, transport):
    field = transport.steps.field
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "12")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert stage.playback.player.reading == 12
    assert field.text() == "12"
    field.selectAll()
    qtbot.keyClicks(field, "many")
    assert field.property("invalid") is True
    assert stage.playback.player.reading == 12


@pytest.mark.parametrize("speed", [60.0, math.inf])
def test_number_bar_and_words_are_of_one_frame(qtbot, stage, transport, show, speed):
    """While playing, the player is ahead of the frame; what is read is not."""
    playback, narrator = stage.playback, show(Narrator(stage), 1000, 90)
    shown = []

    def look(*_: object) -> None:
        head = narrator.text.split()
        said = head[1] if head[0] == "Step" else None
        shown.append(
            (stage.feed.panel_frame.lane.step, transport.bar.step, transport.steps.field.text())
        )
        assert said in (None, transport.steps.field.text())

    playback.go_to_start()
    qtbot.waitUntil(lambda: stage.feed.frame.lane.step == 0)
    playback.set_speed(speed)
    playback.moved.connect(look)
    stage.feed.panel_frame_changed.connect(look)
    playback.play()
    qtbot.waitUntil(lambda: not playback.player.playing)
    settle(qtbot, stage)
    go_to(qtbot, stage, playback.length - 3)
    # The widgets end before the stage does.
    playback.moved.disconnect(look)
    stage.feed.panel_frame_changed.disconnect(look)
    assert shown[-1][0] == playback.length - 3
    assert all(step == bar == int(text) for step, bar, text in shown)


def test_speed_in_words_and_by_slider(qtbot, stage, transport):
    assert transport.speed.words.text() == "8 steps/s"
    groove = transport.speed.groove
    end = QPoint(groove.width() - 1, 8)
    qtbot.mouseClick(groove, Qt.MouseButton.LeftButton, pos=end)
    assert math.isinf(stage.playback.player.speed)
    assert transport.speed.words.text() == "flat out"
    stage.playback.set_speed(1000.0)
    assert transport.speed.words.text() == speed_words(1000.0) == "1,000 steps/s"
    assert speed_words(0.5) == "0.5 steps/s"


def test_numbers_have_the_unit_of_their_clock(qtbot, stage, transport):
    length, speed = transport.steps.length, transport.speed.words
    assert length.text() == f"/ {stage.playback.length:,}"
    plain = length.width()
    stage.playback.set_speed(8.0)
    stage.playback.set_clock("evaluations")
    assert length.text() == f"/ {stage.playback.length:,} kernel values"
    assert speed.text() == "8 values/s"
    assert "Kernel values" in transport.steps.toolTip()
    assert length.minimumWidth() > plain
    stage.playback.set_clock("seconds")
    assert length.text() == f"/ {stage.playback.length:,} µs"
    stage.playback.set_speed(1.0)
    assert speed.text() == "1 µs/s"
    stage.playback.set_clock("steps")
    assert length.text() == f"/ {stage.playback.length:,}"
    assert speed.text() == "1 step/s"


def test_scrubbing_seeks(qtbot, stage, transport):
    bar = transport.bar
    middle = QPoint(round(bar.x_of(bar.span // 2)), 10)
    qtbot.mousePress(bar, Qt.MouseButton.LeftButton, pos=middle)
    assert stage.playback.player.reading == bar.span // 2
    qtbot.mouseMove(bar, QPoint(0, 10))
    assert stage.playback.player.reading == 0
    qtbot.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=QPoint(0, 10))


def test_the_scale_is_fixed_while_the_bar_is_dragged(qtbot, show):
    bar = show(ScrubBar(), 420, 28)
    steps = []
    bar.scrubbed.connect(steps.append)
    bar.show_position(0, 100, True)
    at = QPoint(round(bar.x_of(50)), 10)
    qtbot.mousePress(bar, Qt.MouseButton.LeftButton, pos=at)
    bar.show_position(50, 1000, True)
    qtbot.mouseMove(bar, QPoint(at.x() + 1, 10))
    assert steps[0] == 50
    assert steps[-1] in (50, 51)
    qtbot.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=at)
    assert bar.span == 1000


def test_marks_are_where_support_vectors_changed(stage, transport):
    trace, length = stage.session.runs[0].trace, stage.playback.length
    changed = np.flatnonzero(trace.marks(0, length) & 1)
    assert np.array_equal(np.flatnonzero(transport.bar.density), changed)


def test_marks_are_those_of_the_lane_in_focus(qtbot, open_stage, show):
    stage = open_stage(moons(methods=(SMO(), Pegasos(max_steps=300))))
    transport = show(Transport(stage), 1000, 90)
    for lane in (1, 0):
        stage.playback.set_focus(lane)
        run = stage.session.runs[lane]
        changed = np.flatnonzero(run.trace.marks(0, run.steps) & 1)
        assert np.array_equal(np.flatnonzero(transport.bar.density), changed)


def test_stop_ends_a_long_run(qtbot, open_stage, show):
    method = Pegasos(max_steps=500_000_000)
    document = moons(kernel=RBF(1.0), methods=(method,))
    stage = open_stage()
    transport = show(Transport(stage), 1000, 90)
    stage.session.edit(document, "long")
    qtbot.waitUntil(lambda: stage.playback.length > 0)
    assert transport.stop.isVisible()
    transport.stop.click()
    settle(qtbot, stage)
    assert not transport.stop.isVisible()
    assert "by the user" in stage.session.runs[0].stop.sentence


@pytest.mark.parametrize("width", [420, 560, 1400])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_optional_buttons_are_left_out(qapp, stage, show, width, scale):
    apply(qapp, LIGHT, 1.0, scale)
    try:
        transport = show(Transport(stage), int(width * scale), int(90 * scale))
        room = transport.width()
        shown = [b for b in transport.buttons.values() if b.isVisible()]
        assert all(b.mapTo(transport, QPoint(b.width(), 0)).x() <= room for b in shown)
        assert transport.buttons["play"].isVisible()
        speed = transport.speed
        if transport.min_width <= width * scale:
            assert speed.mapTo(transport, QPoint(speed.width(), 0)).x() <= room
        assert transport.buttons["next-sweep"].isVisible() == (width == 1400)
    finally:
        apply(qapp, LIGHT, 1.0)


def test_steps_may_have_separators():
    assert read_step("1,234") == read_step(" 1234 ") == 1234
    assert read_step("9" * 5000) >= 10**15
    assert read_step("-3") is read_step("") is read_step("2.5") is None


def test_the_notice_speaks_of_compiling_only_while_that_is_waited_for():
    assert compiling_words("SMO", 0) == "Getting SMO ready…"
    assert compiling_words("SMO", 3) == "Getting SMO ready (3 s so far)…"
    words = "Preparing SMO, once for this machine (3 s so far)…"
    assert compiling_words("SMO", 3, elsewhere=True) == words


def test_the_notice_says_if_machine_code_cannot_be_kept(monkeypatch):
    monkeypatch.setattr(cache, "is_refused", True)
    words = "Preparing SMO; what is prepared cannot be stored on this computer (3 s so far)…"
    assert compiling_words("SMO", 3) == words


def test_narrator_says_that_it_compiles_while_the_old_picture_stays(
    qtbot, stage, show, monkeypatch
):
    narrator = show(Narrator(stage), 600, 60)
    qtbot.waitUntil(lambda: narrator.text.startswith("Converged"))
    stage.session.hold()
    # The runner has taken its last job, and begins the next one only when it is released.
    monkeypatch.setattr(helper, "is_waited_for", lambda: True)
    waited_for = "svmviz.panels.controls.transport.narrator.is_waited_for"
    monkeypatch.setattr(waited_for, lambda: True)
    document = stage.session.document
    shown = stage.feed.frame
    stage.session.edit(replace(document, methods=(Hulls(),)), "hulls")
    words = f"Preparing {Hulls.label}, once for this machine"
    qtbot.waitUntil(lambda: narrator.text.startswith(words))
    assert stage.feed.frame.document is shown.document
    monkeypatch.undo()
    stage.session.release()
    qtbot.waitUntil(lambda: "Preparing" not in narrator.text)
    qtbot.waitUntil(lambda: stage.feed.frame.document.methods == (Hulls(),))


def test_the_bar_takes_readings_of_any_length_and_shows_their_unit(qtbot, stage, transport):
    bar, steps = transport.bar, []
    bar.scrubbed.disconnect()
    bar.scrubbed.connect(steps.append)
    bar.show_position(0, 4 * 10**9, False)
    qtbot.mousePress(bar, Qt.MouseButton.LeftButton, pos=QPoint(bar.width() - 2, 10))
    qtbot.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=QPoint(bar.width() - 2, 10))
    assert steps == [4 * 10**9]
    assert bar.words(1200) == "Step 1,200"
    stage.playback.set_clock("seconds")
    assert bar.words(1200) == "1,200 µs"


def test_a_mark_says_what_changed_at_its_step(qtbot, stage, transport):
    bar = transport.bar
    bar.show_marks(np.array([0.0, 1.0, 0.0]), 3)
    assert [bar.marks(step) for step in range(5)] == [False, False, True, False, False]
    assert bar.words(2) == "Step 2: the set of support vectors changes"
    assert bar.words(3) == "Step 3"
    # A mark of several steps does not say at which.
    bar.show_marks(np.array([0.5, 0.0, 0.5]), 9)
    assert not any(bar.marks(step) for step in range(10))


def test_the_counter_has_the_step_that_is_explained(qtbot, stage, transport):
    go_to(qtbot, stage, 3)
    assert transport.steps.field.text() == "3"
    stage.playback.set_by_beats(True)
    stage.playback.seek_step(3)
    stage.playback.go_on()
    qtbot.waitUntil(lambda: stage.feed.panel_frame.lane.shown_beat is not None)
    assert stage.feed.panel_frame.lane.shown_beat.step == 4
    qtbot.waitUntil(lambda: transport.steps.field.text() == "4")
