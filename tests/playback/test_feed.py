"""Frames follow the player; each is what the solver had at that step."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QTimer

from solvers import Perceptron, certify
from svmviz.document.document import Penalty
from svmviz.frames import maker as frames
from svmviz.frames.maker import Request
from svmviz.panels.controls.transport.narrator import Narrator
from svmviz.panels.objective.badge_panel import verdict_words
from svmviz.playback.feed import PANEL_INTERVAL
from tests.stages import moons
from tests.waiting import go_to, settle


def test_every_frame_is_the_step_itself_with_its_own_field(stage, qtbot):
    run = stage.session.runs[0]
    for step in (0, 1, run.steps // 2, run.steps // 2 - 1, run.steps):
        frame = go_to(qtbot, stage, step)
        truth = run.at(step)
        lane = frame.lane
        assert lane.expansion.beta.tobytes() == truth.expansion.beta.tobytes()
        assert lane.expansion.bias == truth.expansion.bias
        assert lane.event == truth.event
        assert lane.certificate.gap == certify(run.problem, truth.expansion).gap
        window = lane.field.grid
        expected = truth.expansion.on_grid(window.xs, window.ys)
        assert lane.field.values.tobytes() == expected.tobytes()


def test_a_resting_view_is_drawn_finely_and_the_timer_sleeps(stage, qtbot):
    qtbot.waitUntil(lambda: stage.feed.frame.lane.field.grid.columns > 200)
    qtbot.waitUntil(lambda: not stage.feed._timer.isActive())


def test_trouble_is_a_frame_without_lanes(stage, qtbot):
    document = stage.session.document
    stage.session.edit(document.removed(range(document.n)), "Clear")
    qtbot.waitUntil(lambda: stage.feed.frame.lane is None)
    assert "no points" in stage.feed.frame.trouble
    assert stage.feed.frame.document.n == 0


def test_curves_agree_with_certificates(stage, qtbot):
    qtbot.waitUntil(lambda: bool(stage.feed.curves) and stage.feed.curves[0].complete)
    curve, run = stage.feed.curves[0], stage.session.runs[0]
    assert curve.steps[0] == 0
    assert curve.steps[-1] == run.steps
    for index in (0, len(curve.steps) // 3, len(curve.steps) - 1):
        certificate = certify(run.problem, run.at(int(curve.steps[index])).expansion)
        assert curve.primal[index] == certificate.primal
        assert curve.dual[index] == certificate.dual
    assert (curve.gap >= -1e-9 * np.abs(curve.primal)).all()


def test_new_runs_are_shown_wherever_their_tuple_lies(stage, qtbot):
    """The same steps of other runs are another frame, also right after there were none."""
    document = stage.session.document
    for _ in range(30):
        stage.session.reset(document.removed(range(document.n)))
        qtbot.waitUntil(lambda: not stage.session.waiting)
        stage.session.reset(document)
        settle(qtbot, stage)
        assert stage.feed.frame.lane.run == stage.session.runs[0].number


def test_a_preview_says_that_it_goes_on_from_the_last_run(stage, qtbot):
    session = stage.session
    settle(qtbot, stage)
    assert not stage.feed.frame.lane.warm
    session.preview(replace(session.document, penalty=Penalty("C", 1.001 * session.document.C)))
    qtbot.waitUntil(lambda: stage.feed.frame.lane.warm and stage.feed.frame.lane.at_end)
    session.commit("Change C")
    qtbot.waitUntil(lambda: not stage.feed.frame.lane.warm)


def test_a_run_without_steps_says_nothing_about_the_next_points(stage, qtbot):
    """This happens if someone edits while the first solver compiles."""
    settle(qtbot, stage)
    session = stage.session
    lane = replace(stage.feed.frame.lane, step=0, length=0, stop=None)
    idle = replace(stage.feed.frame, lanes=(lane,))
    stage.feed.frame = idle
    shown = []
    stage.feed.frame_changed.connect(shown.append)
    request = Request(idle.document, session.runs, (0,), lane.field.grid)
    session.edit(moons(40), "Other points")
    assert shown[0].document is session.document
    assert not shown[0].lanes
    # Nor does a frame of it that was on its way.
    shown.clear()
    stage.feed._requests._on_answered(request, idle)
    assert all(frame is not idle for frame in shown)
    settle(qtbot, stage)
    assert stage.feed.frame.document is session.document
    assert stage.feed.frame.lane.at_end


def test_the_next_frame_is_made_when_this_one_is_painted(stage, qtbot, monkeypatch):
    playback, made = stage.playback, []
    playback.go_to_start()
    qtbot.waitUntil(lambda: stage.feed.frame.lane.step == 0)
    stage.feed.frame_changed.connect(lambda frame: made.append(frame.lane.step))
    # No tick in the time of this test: only what has been painted counts.
    monkeypatch.setattr(stage.feed._timer, "start", lambda *_: None)
    stage.feed._timer.stop()
    playback.set_speed(400.0)
    playback.play()
    qtbot.wait(20)
    stage.feed._tick()
    qtbot.waitUntil(lambda: len(made) == 1)
    qtbot.wait(100)
    assert len(made) == 1
    stage.feed.on_painted()
    qtbot.waitUntil(lambda: len(made) == 2)
    # A plane is also painted when a mouse moves over it.
    for _ in range(3):
        stage.feed.on_painted()
        stage.feed.on_painted()
    qtbot.waitUntil(lambda: len(made) == 3)
    assert made == sorted(made)


def test_without_a_plane_frames_come_with_the_ticks(stage, qtbot):
    playback, steps = stage.playback, []
    playback.go_to_start()
    qtbot.waitUntil(lambda: stage.feed.frame.lane.step == 0)
    stage.feed.frame_changed.connect(lambda frame: steps.append(frame.lane.step))
    playback.set_speed(100.0)
    playback.play()
    qtbot.waitUntil(lambda: len(steps) > 5)


def test_at_the_speed_of_a_lecture_panels_get_every_frame_of_the_plane(stage, qtbot):
    playback, frames, panel_frames, last = stage.playback, [], [], [0.0]
    playback.go_to_start()
    qtbot.waitUntil(lambda: stage.feed.frame.lane.step == 0)

    def on_panel_frame(frame):
        panel_frames.append(frame)
        last[0] = time.monotonic()

    def on_frame(frame):
        # On a busy machine a frame may come late, and the next one right after it.
        if time.monotonic() - last[0] > PANEL_INTERVAL:
            frames.append(frame)

    stage.feed.panel_frame_changed.connect(on_panel_frame)
    stage.feed.frame_changed.connect(on_frame)
    playback.set_speed(12.0)
    playback.play()
    qtbot.waitUntil(lambda: len(frames) > 8)
    assert all(frame in panel_frames for frame in frames[:-1])


def test_panels_get_fewer_frames_during_movement_and_the_last_one_at_once(stage, qtbot):
    playback, changed, received = stage.playback, [], []
    stage.feed.frame_changed.connect(changed.append)
    stage.feed.panel_frame_changed.connect(received.append)
    # As fast as a plane could be.
    stage.feed.frame_changed.connect(lambda _frame: QTimer.singleShot(0, stage.feed.on_painted))
    playback.go_to_start()
    qtbot.waitUntil(lambda: stage.feed.frame.lane.step == 0)
    assert received[-1] is stage.feed.panel_frame is stage.feed.frame
    playback.set_speed(30.0)
    playback.play()
    qtbot.waitUntil(lambda: stage.feed.frame.lane.step > 20)
    playback.pause()
    qtbot.waitUntil(lambda: stage.feed.panel_frame is stage.feed.frame)
    assert 0 < len(received) <= len(changed)
    assert all(frame in changed for frame in received)
    # With every step to the side the panels say what the plane shows.
    for step in (3, 4, 5):
        assert go_to(qtbot, stage, step) is stage.feed.panel_frame


def test_a_frame_that_cannot_be_made_is_reported_and_the_next_one_comes(stage, qtbot, monkeypatch):
    playback, reader = stage.playback, frames.LaneReader
    read = reader.read

    def fail_at_three(self, step, *rest, **options):
        if step == 3:
            raise MemoryError
        return read(self, step, *rest, **options)

    monkeypatch.setattr(reader, "read", fail_at_three)
    monkeypatch.setattr(frames.log, "exception", lambda *_: None)
    playback.seek(3)
    qtbot.waitUntil(lambda: stage.feed.frame.trouble.startswith(frames.NO_PICTURE))
    assert "MemoryError" in stage.feed.panel_frame.trouble
    playback.seek(4)
    qtbot.waitUntil(lambda: stage.feed.frame.lane is not None and stage.feed.frame.lane.step == 4)


def test_a_study_is_replaced_while_the_last_frame_at_rest_is_made(stage, qtbot):
    feed, requests = stage.feed, stage.feed._requests
    asked = []
    first, second = (lambda _frame, _runs, name=name: asked.append(name) for name in "ab")
    feed.subscribe("panel", first)
    qtbot.waitUntil(lambda: "a" in asked and not feed._timer.isActive())
    feed.unsubscribe("panel", first)
    feed.subscribe("panel", second)
    # As if the frame at rest had taken so long that the next request is at rest too.
    feed._timer.stop()
    requests.send(fine=True)
    qtbot.waitUntil(lambda: "b" in asked)


def test_panels_and_verdict_are_empty_while_a_solver_is_compiled(stage, qtbot, monkeypatch):
    session, feed = stage.session, stage.feed
    narrator = Narrator(stage)
    qtbot.addWidget(narrator)
    monkeypatch.setattr(type(session), "is_compiling", property(lambda _: session.waiting))
    session.hold()
    session.edit(replace(session.document, methods=(Perceptron(),)), "Perceptron")
    qtbot.waitUntil(lambda: not feed.panel_frame.lanes)
    assert feed.panel_frame.document is session.document
    assert verdict_words(feed.panel_frame) == ()
    qtbot.waitUntil(lambda: "Perceptron" in narrator.text)
    # The plane keeps its picture, and a new one of the earlier runs is not for the panels.
    old = feed.frame
    assert old.lanes
    feed.set_viewport(-4.0, 4.0, -2.0, 2.0, 1.5)
    qtbot.waitUntil(lambda: feed.frame is not old)
    assert not feed.panel_frame.lanes
    assert "Perceptron" in narrator.text
    session.release()
    settle(qtbot, stage)
    qtbot.waitUntil(lambda: feed.panel_frame is feed.frame)
    assert feed.panel_frame.lane.method.name == "perceptron"
