"""One position moves all lanes, by the commands of the transport."""

from __future__ import annotations

from dataclasses import replace

import pytest

from solvers import RBF, SMO, Pegasos
from svmviz.document.document import Penalty
from svmviz.frames.clocks import EVALUATIONS
from svmviz.playback.player import fitting_speed
from tests.stages import eight, moons
from tests.waiting import go_to, settle


def test_after_an_edit_the_view_stands_at_the_end(stage, qtbot):
    stage.session.edit(stage.session.document.moved([0], (0.3, 0.0)), "Move")
    settle(qtbot, stage)
    assert stage.playback.player.reading == stage.session.runs[0].steps


def test_playing_passes_through_the_steps_and_stops(stage, qtbot):
    stage.playback.go_to_start()
    qtbot.waitUntil(lambda: stage.feed.frame.lane.step == 0)
    seen = []
    stage.feed.frame_changed.connect(lambda frame: seen.append(frame.lane.step))
    stage.playback.set_speed(20.0)
    stage.playback.play()
    qtbot.waitUntil(lambda: len(set(seen)) > 5)
    stage.playback.set_speed(400.0)
    qtbot.waitUntil(lambda: not stage.playback.player.playing)
    settle(qtbot, stage)
    assert seen == sorted(seen)


def test_a_step_asked_for_early_is_shown_once_it_is_recorded(stage, qtbot):
    stage.session.reset(eight())
    stage.playback.seek_when_recorded(3)
    qtbot.waitUntil(lambda: not stage.session.waiting)
    qtbot.waitUntil(lambda: stage.feed.frame.lane is not None)
    qtbot.waitUntil(lambda: stage.feed.frame.lane.step == 3)


def test_two_lanes_move_by_one_position(stage, qtbot):
    document = moons(methods=(stage.session.document.method, Pegasos(max_steps=3000)))
    stage.session.edit(document, "Race")
    qtbot.waitUntil(lambda: not stage.session.waiting and stage.playback.finished)
    stage.playback.seek(1000)
    qtbot.waitUntil(lambda: [lane.step for lane in stage.feed.frame.lanes][-1] == 1000)
    smo, pegasos = stage.feed.frame.lanes
    assert smo.step == stage.session.runs[0].steps
    assert pegasos.step == 1000
    assert pegasos.certificate.repaired


def test_jumping_to_the_next_change_of_support(stage, qtbot):
    stage.playback.seek(0)
    stage.playback.next_change()
    qtbot.waitUntil(lambda: stage.feed.frame.lane.step == stage.playback.player.reading)
    run, step = stage.session.runs[0], stage.playback.player.reading
    before, after = run.at(step - 1).expansion.support, run.at(step).expansion.support
    assert list(before) != list(after)


def test_another_clock_moves_the_lanes_together(stage, qtbot):
    document = moons(methods=(stage.session.document.method, Pegasos(max_steps=3000)))
    stage.session.edit(document, "Race")
    playback = stage.playback
    qtbot.waitUntil(lambda: not stage.session.waiting and playback.finished)
    runs = stage.session.runs
    playback.seek_step(20)
    playback.set_clock("evaluations")
    expected = EVALUATIONS.steps(runs, EVALUATIONS.reading(runs[0], 20))
    assert expected[0] == 20
    qtbot.waitUntil(lambda: tuple(lane.step for lane in stage.feed.frame.lanes) == expected)
    playback.move(1)
    assert playback.step == 21
    playback.go_to_end()
    ends = tuple(run.steps for run in runs)
    qtbot.waitUntil(lambda: tuple(lane.step for lane in stage.feed.frame.lanes) == ends)


def test_the_clock_of_a_race_ends_with_the_race(stage, qtbot):
    playback, session = stage.playback, stage.session
    session.edit(moons(methods=(SMO(), SMO(pair="platt"))), "Race")
    settle(qtbot, stage)
    playback.set_clock("seconds")
    session.edit(replace(session.document, penalty=Penalty("C", 3.0)), "Change C")
    settle(qtbot, stage)
    assert playback.clock.name == "seconds"
    session.edit(session.document.with_methods((SMO(),)), "No race")
    settle(qtbot, stage)
    assert playback.clock.name == "steps"
    assert playback.length == session.runs[0].steps
    # A player that follows a run is moved to its end by the next tick.
    qtbot.waitUntil(lambda: playback.player.reading == playback.length)


def test_the_lane_in_focus_is_what_panels_show(stage, qtbot):
    document = moons(methods=(stage.session.document.method, Pegasos(max_steps=3000)))
    stage.session.edit(document, "Race")
    playback = stage.playback
    settle(qtbot, stage)
    assert stage.feed.frame.lane.method.name == "smo"
    playback.set_focus(1)
    qtbot.waitUntil(lambda: stage.feed.frame.lane.method.name == "pegasos")
    assert stage.feed.frame.focused_on(0).lane.method.name == "smo"
    go_to(qtbot, stage, 2500)
    stage.session.edit(moons(), "No race")
    settle(qtbot, stage)
    assert stage.feed.frame.lane.method.name == "smo"


def test_the_speed_fits_the_run_until_the_user_sets_it(stage, qtbot):
    playback = stage.playback
    assert playback.player.speed == 8.0
    long = stage.session.document.with_method(Pegasos(max_steps=20_000))
    stage.session.edit(long, "Solve by Pegasos")
    qtbot.waitUntil(lambda: playback.player.speed == 800.0)
    playback.suggest_speed(6.0)
    qtbot.wait(100)
    assert playback.player.speed == 6.0
    playback.set_speed(50.0)
    stage.session.edit(long.with_method(Pegasos(max_steps=10_000)), "Change Pegasos")
    qtbot.waitUntil(lambda: playback.finished and not stage.session.waiting)
    qtbot.wait(100)
    assert playback.player.speed == 50.0


def test_an_edit_keeps_the_speed(stage, qtbot):
    playback, session = stage.playback, stage.session
    settle(qtbot, stage)
    playback.suggest_speed(0.5)
    session.edit(replace(session.document, kernel=RBF(30.0), penalty=Penalty("C", 1e4)), "Model")
    settle(qtbot, stage)
    assert fitting_speed(playback.length) != 0.5
    assert playback.player.speed == 0.5
    playback.fit_speed_again()
    playback.advance(0.0)
    assert playback.player.speed == fitting_speed(playback.length)
    session.edit(session.document.with_method(Pegasos(max_steps=20_000)), "Solve by Pegasos")
    qtbot.waitUntil(lambda: playback.player.speed == 800.0)
    session.edit(session.document.with_method(Pegasos(max_steps=5_000)), "Change Pegasos")
    settle(qtbot, stage)
    assert playback.length == 5_000
    playback.advance(0.0)
    assert playback.player.speed == 800.0


def test_the_first_lane_of_a_race_arrives_after_twelve_seconds(stage, qtbot):
    playback, session = stage.playback, stage.session
    settle(qtbot, stage)
    playback.set_speed(0.5)
    alone = session.document
    for clock in ("steps", "evaluations", "seconds"):
        playback.set_clock(clock)
        session.edit(alone.with_methods((Pegasos(max_steps=20_000), SMO())), "Race")
        settle(qtbot, stage)
        qtbot.waitUntil(lambda: playback.finished)
        playback.advance(0.0)
        smo = session.runs[1]
        # Pegasos ends at its limit, and does not arrive.
        arrival = playback.clock.reading(smo, smo.steps)
        assert arrival / playback.player.speed == pytest.approx(12.0, rel=0.06)
        session.edit(alone, "No race")
        settle(qtbot, stage)
        playback.advance(0.0)
        assert playback.player.speed == fitting_speed(playback.length)


def test_in_a_race_the_speed_of_the_user_stays_until_another_clock(stage, qtbot):
    playback, session = stage.playback, stage.session
    session.edit(session.document.with_methods((SMO(), SMO(pair="platt"))), "Race")
    qtbot.waitUntil(lambda: len(session.runs) == 2 and playback.finished)
    playback.advance(0.0)
    fitted = playback.player.speed
    playback.set_speed(40.0)
    playback.suggest_speed(41.0)
    playback.set_speed(42.0)
    session.edit(replace(session.document, penalty=Penalty("C", 3.0)), "Change C")
    qtbot.waitUntil(lambda: not session.waiting and playback.finished)
    playback.advance(0.0)
    assert playback.player.speed == 42.0
    playback.set_clock("evaluations")
    playback.advance(0.0)
    assert playback.player.speed not in (42.0, fitted)


def test_a_place_to_go_to_does_not_begin_to_play(stage, qtbot):
    playback = stage.playback
    # As when a scene is opened while the demo, which is to be played, compiles.
    playback.play_when_recorded()
    playback.seek_when_recorded(3)
    qtbot.waitUntil(lambda: stage.feed.frame.lane.step == 3)
    qtbot.wait(50)
    assert not playback.player.playing
