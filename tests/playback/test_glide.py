"""Which steps glide, and how far they have: arithmetic on the position."""

from __future__ import annotations

import math

import pytest

from solvers import SMO, solve
from svmviz.frames.clocks import EVALUATIONS, STEPS
from svmviz.playback import glide
from svmviz.playback import player as player_module
from svmviz.playback.glide import glide_share
from svmviz.playback.player import GLIDE, Player
from tests.stages import moons
from tests.waiting import go_to, settle


@pytest.fixture(scope="module")
def run():
    return solve(moons(40).problem(), SMO())


def at(player, seconds, run):
    """Let time pass, and return step and share."""
    player.tick(seconds, run.steps, True)
    step = player.reading
    return step, glide_share(player, STEPS, run, step)


def test_while_playing_slowly_a_step_glides_for_a_fifth_of_a_second(run):
    player = Player(speed=2.0)
    player.seek(3, run.steps)
    player.play(run.steps, True)
    assert at(player, 0.0, run) == (3, 1.0)  # it was there before
    assert at(player, 0.49, run) == (3, 1.0)
    step, first = at(player, 0.02, run)
    assert (step, first < 0.05) == (4, True)
    _, middle = at(player, 0.5 * GLIDE - 0.01, run)
    assert middle == pytest.approx(0.5)
    _, late = at(player, 0.4 * GLIDE, run)
    assert middle < late < 1.0
    assert at(player, 0.1 * GLIDE, run) == (4, 1.0)


@pytest.mark.parametrize(
    ("speed", "glides"), [(0.5, True), (5.0, True), (5.01, False), (900.0, False)]
)
def test_no_step_is_left_before_its_glide_has_ended(run, speed, glides):
    player = Player(speed=speed)
    player.seek(0, run.steps)
    player.play(run.steps, True)
    # Halfway through a glide, if there is one.
    step, found = at(player, 1.0 / speed + 0.5 * GLIDE, run)
    assert (found < 1.0) == glides
    if glides:
        assert step == 1


@pytest.mark.parametrize(
    "leave",
    [
        Player.pause,
        lambda player: player.seek(player.reading, 10**6),
        lambda player: player.seek(player.reading - 1, 10**6),
        Player.follow,
    ],
)
def test_whatever_the_user_does_ends_a_glide(run, leave):
    player = Player(speed=1.0)
    player.seek(4, run.steps)
    player.play(run.steps, True)
    assert at(player, 1.05, run)[1] < 1.0
    leave(player)
    assert at(player, 0.0, run)[1] == 1.0


def test_the_last_step_of_a_run_glides_too(run):
    player = Player(speed=1.0)
    player.seek(run.steps - 1, run.steps)
    player.play(run.steps, True)
    step, begun = at(player, 1.0, run)
    assert (step, player.playing) == (run.steps, False)
    assert begun == 0.0
    assert 0.0 < at(player, 0.5 * GLIDE, run)[1] < 1.0
    assert at(player, GLIDE, run)[1] == 1.0


def test_a_switch_and_a_player_that_shows_the_newest_do_without(run):
    player = Player(speed=1.0, glides=False)
    player.seek(2, run.steps)
    player.play(run.steps, True)
    assert at(player, 1.1, run) == (3, 1.0)
    player.glides, player.speed = True, math.inf
    assert at(player, 0.1, run)[1] == 1.0


def test_on_another_clock_a_step_glides_if_it_is_shown_for_long_enough(run):
    first, second = (run.trace.evaluations_at_step(step) for step in (5, 6))
    for speed, glides in (((second - first) / 0.3, True), ((second - first) / 0.1, False)):
        player = Player(speed=speed)
        player.seek(first - 1, 10**9)
        player.play(10**9, False)
        player.position = first + 0.05 * speed
        assert (glide_share(player, EVALUATIONS, run, 5) < 1.0) == glides


def test_a_step_of_the_user_glides_and_the_next_one_ends_it(stage, qtbot):
    playback = stage.playback
    playback.seek(3)
    assert playback.lane_shares == ()
    playback.move(1)
    assert playback.step == 4
    assert playback.lane_shares == (0.0,)
    playback.move(1)
    assert playback.step == 5
    assert playback.lane_shares == ()
    # And at rest again the next one glides; back and by ten none does.
    playback.advance(1.0)
    playback.move(1)
    assert playback.lane_shares == (0.0,)
    playback.move(-1)
    assert playback.lane_shares == ()
    playback.move(10)
    assert playback.lane_shares == ()
    playback.set_glides(False)
    playback.move(1)
    assert playback.lane_shares == ()


def test_planes_glide_while_panels_show_each_step_once(stage, qtbot, monkeypatch):
    # Long enough for some frames even if the machine is busy.
    monkeypatch.setattr(glide, "GLIDE", 1.5)
    monkeypatch.setattr(player_module, "GLIDE", 1.5)
    run = stage.session.runs[0]
    planes, panels = [], []
    go_to(qtbot, stage, 5)
    stage.feed.frame_changed.connect(planes.append)
    stage.feed.panel_frame_changed.connect(panels.append)
    stage.playback.move(1)
    qtbot.waitUntil(lambda: bool(planes) and not planes[-1].glides)
    qtbot.waitUntil(lambda: stage.feed.panel_frame is stage.feed.frame)
    gliding = [frame for frame in planes if frame.glides]
    assert {frame.lane.step for frame in planes} == {6}
    assert all(frame.lane.event == run.at(6).event for frame in planes)
    assert gliding
    shares = [frame.lane.glide.share for frame in gliding]
    assert shares == sorted(shares)
    # The first shows the step itself, and the last one is there when all is at rest.
    assert sum(frame.glides for frame in panels) == 1


def test_a_step_back_right_after_a_glide_shows_the_step_itself(stage, qtbot):
    go_to(qtbot, stage, 5)
    stage.playback.move(1)
    qtbot.waitUntil(lambda: stage.feed.frame.lane.step == 6)
    stage.playback.move(-1)
    qtbot.waitUntil(lambda: stage.feed.frame.lane.step == 5)
    assert not stage.feed.frame.glides
    stage.playback.go_to_end()
    settle(qtbot, stage)
    assert not stage.feed.frame.glides
