"""Frames follow the player; each is what the solver had at that step."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QTimer

from solvers import Pegasos, certify
from svmviz.frames import maker as frames
from svmviz.frames.clocks import EVALUATIONS
from svmviz.frames.maker import Request
from svmviz.model.document import Penalty
from svmviz.stage.stage import Stage
from tests.stages import eight, moons


@pytest.fixture
def stage(qtbot):
    stage = Stage.of(moons())
    stage.playback.set_viewport(-3.0, 3.0, -2.0, 2.0, 1.5)
    wait_for_end(stage, qtbot)
    yield stage
    stage.close()


def wait_for_end(stage, qtbot):
    def shown():
        lane = stage.playback.frame.lane
        # Not the end of an earlier run, whose frame may still be on screen.
        numbers = [run.number for run in stage.session.runs]
        return (
            not stage.session.waiting and lane is not None and lane.run in numbers and lane.at_end
        )

    qtbot.waitUntil(shown, timeout=20_000)


def show(stage, qtbot, step):
    stage.playback.seek(step)
    qtbot.waitUntil(lambda: stage.playback.frame.lane.step == step)
    return stage.playback.frame


def test_after_an_edit_the_view_stands_at_the_end(stage, qtbot):
    stage.session.edit(stage.session.document.moved([0], (0.3, 0.0)), "Move")
    wait_for_end(stage, qtbot)
    assert stage.playback.player.reading == stage.session.runs[0].steps


def test_every_frame_is_the_step_itself_with_its_own_field(stage, qtbot):
    run = stage.session.runs[0]
    for step in (0, 1, run.steps // 2, run.steps // 2 - 1, run.steps):
        frame = show(stage, qtbot, step)
        truth = run.at(step)
        lane = frame.lane
        assert lane.expansion.beta.tobytes() == truth.expansion.beta.tobytes()
        assert lane.expansion.bias == truth.expansion.bias
        assert lane.event == truth.event
        assert lane.certificate.gap == certify(run.problem, truth.expansion).gap
        window = lane.field.window
        expected = truth.expansion.on_grid(window.xs, window.ys)
        assert lane.field.values.tobytes() == expected.tobytes()


def test_playing_passes_through_the_steps_and_stops(stage, qtbot):
    stage.playback.go_to_start()
    qtbot.waitUntil(lambda: stage.playback.frame.lane.step == 0)
    seen = []
    stage.playback.frame_changed.connect(lambda frame: seen.append(frame.lane.step))
    stage.playback.set_speed(400.0)
    stage.playback.play()
    qtbot.waitUntil(lambda: not stage.playback.player.playing, timeout=10_000)
    wait_for_end(stage, qtbot)
    assert seen == sorted(seen)
    assert len(set(seen)) > 5


def test_a_resting_view_is_drawn_finely_and_the_timer_sleeps(stage, qtbot):
    qtbot.waitUntil(lambda: stage.playback.frame.lane.field.window.columns > 200)
    qtbot.waitUntil(lambda: not stage.playback._timer.isActive())


def test_trouble_is_a_frame_without_lanes(stage, qtbot):
    document = stage.session.document
    stage.session.edit(document.removed(range(document.n)), "Clear")
    qtbot.waitUntil(lambda: stage.playback.frame.lane is None)
    assert "no points" in stage.playback.frame.trouble
    assert stage.playback.frame.document.n == 0


def test_curves_agree_with_certificates(stage, qtbot):
    qtbot.waitUntil(lambda: bool(stage.playback.curves) and stage.playback.curves[0].complete)
    curve, run = stage.playback.curves[0], stage.session.runs[0]
    assert curve.steps[0] == 0
    assert curve.steps[-1] == run.steps
    for index in (0, len(curve.steps) // 3, len(curve.steps) - 1):
        certificate = certify(run.problem, run.at(int(curve.steps[index])).expansion)
        assert curve.primal[index] == certificate.primal
        assert curve.dual[index] == certificate.dual
    assert (curve.gap >= -1e-9 * np.abs(curve.primal)).all()


def test_a_step_asked_for_early_is_shown_once_it_is_recorded(stage, qtbot):
    stage.session.reset(eight())
    stage.playback.seek_when_recorded(3)
    qtbot.waitUntil(lambda: not stage.session.waiting)
    qtbot.waitUntil(lambda: stage.playback.frame.lane is not None)
    qtbot.waitUntil(lambda: stage.playback.frame.lane.step == 3)


def test_two_lanes_move_by_one_position(stage, qtbot):
    document = moons(methods=(stage.session.document.method, Pegasos(max_steps=3000)))
    stage.session.edit(document, "Race")
    qtbot.waitUntil(lambda: not stage.session.waiting and stage.playback.finished)
    stage.playback.seek(1000)
    qtbot.waitUntil(lambda: [lane.step for lane in stage.playback.frame.lanes][-1] == 1000)
    smo, pegasos = stage.playback.frame.lanes
    assert smo.step == stage.session.runs[0].steps
    assert pegasos.step == 1000
    assert pegasos.certificate.repaired


def test_jumping_to_the_next_change_of_support(stage, qtbot):
    stage.playback.seek(0)
    stage.playback.next_change()
    qtbot.waitUntil(lambda: stage.playback.frame.lane.step == stage.playback.player.reading)
    run, step = stage.session.runs[0], stage.playback.player.reading
    before, after = run.at(step - 1).expansion.support, run.at(step).expansion.support
    assert list(before) != list(after)


def test_new_runs_are_shown_wherever_their_tuple_lies(stage, qtbot):
    """The same steps of other runs are another frame, also right after there were none."""
    document = stage.session.document
    for _ in range(30):
        stage.session.reset(document.removed(range(document.n)))
        qtbot.waitUntil(lambda: not stage.session.waiting)
        stage.session.reset(document)
        wait_for_end(stage, qtbot)
        assert stage.playback.frame.lane.run == stage.session.runs[0].number


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
    qtbot.waitUntil(lambda: tuple(lane.step for lane in playback.frame.lanes) == expected)
    playback.move(1)
    assert playback.step == 21
    playback.go_to_end()
    ends = tuple(run.steps for run in runs)
    qtbot.waitUntil(lambda: tuple(lane.step for lane in playback.frame.lanes) == ends)


def test_the_lane_in_focus_is_what_panels_show(stage, qtbot):
    document = moons(methods=(stage.session.document.method, Pegasos(max_steps=3000)))
    stage.session.edit(document, "Race")
    playback = stage.playback
    wait_for_end(stage, qtbot)
    assert playback.frame.lane.method.name == "smo"
    playback.set_focus(1)
    qtbot.waitUntil(lambda: playback.frame.lane.method.name == "pegasos")
    assert playback.frame.seen_by(0).lane.method.name == "smo"
    playback.seek_step(2500)
    qtbot.waitUntil(lambda: playback.frame.lane.step == 2500)
    stage.session.edit(moons(), "No race")
    wait_for_end(stage, qtbot)
    assert playback.frame.lane.method.name == "smo"


def test_the_speed_fits_the_run_until_a_hand_sets_it(stage, qtbot):
    playback = stage.playback
    assert playback.player.speed == 8.0
    long = stage.session.document.with_method(Pegasos(max_steps=20_000))
    stage.session.edit(long, "Solve by Pegasos")
    qtbot.waitUntil(lambda: playback.player.speed == 800.0, timeout=30_000)
    playback.suggest_speed(6.0)
    qtbot.wait(100)
    assert playback.player.speed == 6.0
    playback.set_speed(50.0)
    stage.session.edit(long.with_method(Pegasos(max_steps=10_000)), "Change Pegasos")
    qtbot.waitUntil(lambda: playback.finished and not stage.session.waiting, timeout=30_000)
    qtbot.wait(100)
    assert playback.player.speed == 50.0


def test_a_preview_says_that_it_goes_on_from_the_last_run(stage, qtbot):
    playback, session = stage.playback, stage.session
    wait_for_end(stage, qtbot)
    assert not playback.frame.lane.warm
    session.preview(replace(session.document, penalty=Penalty("C", 1.001 * session.document.C)))
    qtbot.waitUntil(lambda: playback.frame.lane.warm and playback.frame.lane.at_end)
    session.commit("Change C")
    qtbot.waitUntil(lambda: not playback.frame.lane.warm)


def test_a_run_that_took_no_step_tells_nothing_of_the_next_points(stage, qtbot):
    """So it is while the first solver is being compiled and someone edits."""
    wait_for_end(stage, qtbot)
    playback, session = stage.playback, stage.session
    lane = replace(playback.frame.lane, step=0, length=0, stop=None)
    idle = replace(playback.frame, lanes=(lane,))
    playback.frame = idle
    shown = []
    playback.frame_changed.connect(shown.append)
    request = Request(0, idle.document, session.runs, (0,), lane.field.window)
    session.edit(moons(40), "Other points")
    assert shown[0].document is session.document
    assert not shown[0].lanes
    # Nor does a frame of it that was on its way.
    shown.clear()
    playback._on_made(request, idle)
    assert all(frame is not idle for frame in shown)
    wait_for_end(stage, qtbot)
    assert playback.frame.document is session.document
    assert playback.frame.lane.at_end


def test_the_next_frame_is_made_when_this_one_is_painted(stage, qtbot, monkeypatch):
    playback, made = stage.playback, []
    playback.go_to_start()
    qtbot.waitUntil(lambda: playback.frame.lane.step == 0)
    playback.frame_changed.connect(lambda frame: made.append(frame.lane.step))
    # No tick in the time of this test: only what has been painted counts.
    monkeypatch.setattr(playback._timer, "start", lambda: None)
    playback._timer.stop()
    playback.set_speed(400.0)
    playback.play()
    qtbot.wait(20)
    playback._tick()
    qtbot.waitUntil(lambda: len(made) == 1)
    qtbot.wait(100)
    assert len(made) == 1
    playback.on_painted()
    qtbot.waitUntil(lambda: len(made) == 2)
    # A plane is also painted when a mouse moves over it.
    for _ in range(3):
        playback.on_painted()
        playback.on_painted()
    qtbot.waitUntil(lambda: len(made) == 3)
    assert made == sorted(made)


def test_without_a_plane_frames_come_with_the_ticks(stage, qtbot):
    playback, steps = stage.playback, []
    playback.go_to_start()
    qtbot.waitUntil(lambda: playback.frame.lane.step == 0)
    playback.frame_changed.connect(lambda frame: steps.append(frame.lane.step))
    playback.set_speed(100.0)
    playback.play()
    qtbot.waitUntil(lambda: len(steps) > 5, timeout=5000)


def test_at_the_speed_of_a_lecture_panels_hear_of_every_frame_with_the_plane(stage, qtbot):
    playback, apart = stage.playback, []
    playback.go_to_start()
    qtbot.waitUntil(lambda: playback.frame.lane.step == 0)
    # After all who hear of the frame itself, and of its being told.
    playback.frame_changed.connect(
        lambda frame: QTimer.singleShot(0, lambda: apart.append(playback.panel_frame is not frame))
    )
    playback.set_speed(12.0)
    playback.play()
    qtbot.waitUntil(lambda: playback.frame.lane.step > 10, timeout=10_000)
    assert len(apart) > 8
    assert not any(apart)


def test_panels_are_told_less_often_while_things_move_and_at_once_at_rest(stage, qtbot):
    playback, changed, told = stage.playback, [], []
    playback.frame_changed.connect(changed.append)
    playback.panel_frame_changed.connect(told.append)
    # As fast as a plane could be.
    playback.frame_changed.connect(lambda _frame: QTimer.singleShot(0, playback.on_painted))
    playback.go_to_start()
    qtbot.waitUntil(lambda: playback.frame.lane.step == 0)
    assert told[-1] is playback.panel_frame is playback.frame
    playback.set_speed(30.0)
    playback.play()
    qtbot.waitUntil(lambda: playback.frame.lane.step > 20, timeout=10_000)
    playback.pause()
    qtbot.waitUntil(lambda: playback.panel_frame is playback.frame)
    assert 0 < len(told) <= len(changed)
    assert all(frame in changed for frame in told)
    # With every step to the side the panels say what the plane shows.
    for step in (3, 4, 5):
        assert show(stage, qtbot, step) is playback.panel_frame


def test_a_frame_that_cannot_be_made_is_told_and_the_next_one_comes(stage, qtbot, monkeypatch):
    playback, reader = stage.playback, frames.LaneReader
    read = reader.read

    def fail_at_three(self, step, *rest):
        if step == 3:
            raise MemoryError
        return read(self, step, *rest)

    monkeypatch.setattr(reader, "read", fail_at_three)
    monkeypatch.setattr(frames.log, "exception", lambda *_: None)
    playback.seek(3)
    qtbot.waitUntil(lambda: playback.frame.trouble.startswith(frames.NO_PICTURE))
    assert "MemoryError" in playback.panel_frame.trouble
    playback.seek(4)
    qtbot.waitUntil(lambda: playback.frame.lane is not None and playback.frame.lane.step == 4)


def test_a_place_to_go_to_does_not_begin_to_play(stage, qtbot):
    playback = stage.playback
    # As when a scene is opened while the demo, which is to be played, compiles.
    playback.play_when_recorded()
    playback.seek_when_recorded(3)
    qtbot.waitUntil(lambda: playback.frame.lane.step == 3)
    qtbot.wait(50)
    assert not playback.player.playing
