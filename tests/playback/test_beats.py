"""By beats, the playback goes through the parts of a step, forwards and backwards."""

import numpy as np
import pytest

from solvers import METHODS, SMO, Perceptron
from svmviz.plane.sentences import sentence
from tests.stage_fixtures import open_stage
from tests.stages import moons
from tests.waiting import go_to, settle

__all__ = ["open_stage"]


def places(stage):
    lane = stage.feed.frame.lane
    return lane.step, (
        lane.shown_beat.step,
        lane.shown_beat.number,
        len(lane.shown_beat.event.beats),
    ) if lane.shown_beat else None


def wait_for(qtbot, stage, step, part):
    qtbot.waitUntil(lambda: places(stage) == (step, part))


def test_right_goes_through_the_beats_and_left_returns(qtbot, open_stage):
    stage = open_stage(moons(methods=(SMO(),)))
    playback, run = stage.playback, stage.session.runs[0]
    go_to(qtbot, stage, 2)
    playback.set_by_beats(True)
    # What was shown is the whole of step 2, so its explanation begins with its first part.
    wait_for(qtbot, stage, 1, (2, 1, 7))
    playback.seek_step(2)
    count = len(run.at(3).event.beats)
    before = run.at(2).expansion.beta
    wait_for(qtbot, stage, 2, (2, 7, 7))
    seen = []
    for beat in range(1, count):
        playback.go_on()
        wait_for(qtbot, stage, 2, (3, beat, count))
        lane = stage.feed.frame.lane
        # What explains the step is shown on the state from which it was computed.
        np.testing.assert_array_equal(lane.expansion.beta, before)
        assert lane.marked == run.at(3).event.beats[beat - 1].points
        seen.append(sentence(lane, stage.feed.frame.document))
    assert seen[0][0] == "Step 3 · part 1 of 7"
    # Before a prediction, the number of parts would give the step away.
    assert sentence(lane, stage.feed.frame.document, is_counted=False)[0] == "Step 3 · part 6"
    assert len(set(seen)) == count - 1
    playback.go_on()
    wait_for(qtbot, stage, 3, (3, count, count))
    np.testing.assert_array_equal(stage.feed.frame.lane.expansion.beta, run.at(3).expansion.beta)
    for beat in range(count - 1, 0, -1):
        playback.go_back()
        wait_for(qtbot, stage, 2, (3, beat, count))
    playback.go_back()
    wait_for(qtbot, stage, 2, (2, 7, 7))


def test_many_presses_at_once_are_all_counted(qtbot, open_stage):
    stage = open_stage(moons(methods=(SMO(),)))
    playback = stage.playback
    go_to(qtbot, stage, 1)
    playback.set_by_beats(True)
    for _ in range(23):
        playback.go_on()
    # Seven beats per step: from the first beat of step 1 to its last, two steps, and three more.
    wait_for(qtbot, stage, 3, (4, 3, 7))
    for _ in range(10):
        playback.go_back()
    wait_for(qtbot, stage, 2, (2, 7, 7))


def test_the_ends_of_a_run_are_the_ends_of_its_beats(qtbot, open_stage):
    stage = open_stage(moons(methods=(SMO(),)))
    playback, run = stage.playback, stage.session.runs[0]
    # At the end the step is kept, and the next beat is the first one, as playing starts again.
    playback.set_by_beats(True)
    wait_for(qtbot, stage, run.steps, (run.steps, 7, 7))
    playback.set_by_beats(False)
    wait_for(qtbot, stage, run.steps, None)
    playback.set_by_beats(True)
    playback.go_on()
    playback.go_on()
    wait_for(qtbot, stage, 0, (1, 2, 7))
    playback.seek_step(run.steps - 1)
    for _ in range(9):
        playback.go_on()
    wait_for(qtbot, stage, run.steps, (run.steps, 7, 7))
    playback.go_back()
    wait_for(qtbot, stage, run.steps - 1, (run.steps, 6, 7))


def test_it_begins_with_the_first_beat_of_the_step_shown_and_returns_to_that_step(
    qtbot, open_stage
):
    stage = open_stage(moons(methods=(SMO(),)))
    playback, run = stage.playback, stage.session.runs[0]
    for step in (1, 5, run.steps):
        # The last step is gone to, not followed, so it is explained too.
        go_to(qtbot, stage, step)
        playback.set_by_beats(True)
        wait_for(qtbot, stage, step - 1, (step, 1, 7))
        playback.set_by_beats(False)
        wait_for(qtbot, stage, step, None)
        playback.set_by_beats(True)
        playback.go_on()
        wait_for(qtbot, stage, step - 1, (step, 2, 7))
        playback.set_by_beats(False)
        wait_for(qtbot, stage, step, None)
    # From a step that is shown to its end, and before the first step, nothing moves.
    playback.set_by_beats(True)
    playback.seek_step(3)
    wait_for(qtbot, stage, 3, (3, 7, 7))
    playback.set_by_beats(False)
    wait_for(qtbot, stage, 3, None)
    go_to(qtbot, stage, 0)
    playback.set_by_beats(True)
    playback.set_by_beats(False)
    wait_for(qtbot, stage, 0, None)


def test_playing_goes_by_whole_steps_and_turning_it_off_shows_the_step(qtbot, open_stage):
    stage = open_stage(moons(methods=(SMO(),)))
    playback = stage.playback
    go_to(qtbot, stage, 2)
    playback.set_by_beats(True)
    wait_for(qtbot, stage, 1, (2, 1, 7))
    playback.set_speed(200.0)
    playback.play()
    qtbot.waitUntil(lambda: stage.feed.frame.lane.step > 3)
    assert stage.feed.frame.lane.shown_beat is None
    playback.pause()
    qtbot.waitUntil(lambda: stage.feed.frame.lane.shown_beat is not None)
    playback.set_by_beats(False)
    qtbot.waitUntil(lambda: stage.feed.frame.lane.shown_beat is None)
    step = stage.feed.frame.lane.step
    playback.go_on()
    wait_for(qtbot, stage, step + 1, None)


def test_a_new_run_forgets_the_beats(qtbot, open_stage):
    stage = open_stage(moons(methods=(SMO(),)))
    go_to(qtbot, stage, 2)
    stage.playback.set_by_beats(True)
    wait_for(qtbot, stage, 1, (2, 1, 7))
    stage.session.edit(stage.session.document.with_methods((Perceptron(),)), "Another method")
    settle(qtbot, stage)
    assert stage.feed.frame.lane.method == Perceptron()
    go_to(qtbot, stage, 0)
    stage.playback.go_on()
    wait_for(qtbot, stage, 0, (1, 1, 3))


def test_right_at_the_end_of_a_new_run_explains_its_first_step(qtbot, open_stage):
    stage = open_stage(moons(methods=(SMO(),)))
    stage.playback.set_by_beats(True)
    stage.session.edit(stage.session.document.with_methods((Perceptron(),)), "Another method")
    settle(qtbot, stage)
    assert stage.playback.player.following
    stage.playback.go_on()
    wait_for(qtbot, stage, 0, (1, 1, 3))


@pytest.mark.parametrize("kind", METHODS.values(), ids=METHODS)
def test_every_method_is_explained_from_its_first_step(qtbot, open_stage, kind):
    bias = kind.biases[0]
    stage = open_stage(moons(methods=(kind(max_steps=50),), bias=bias))
    if not stage.session.runs or stage.session.runs[0].steps == 0:
        pytest.skip("this data has no step")
    run = stage.session.runs[0]
    stage.playback.set_by_beats(True)
    stage.playback.go_to_start()
    for step in range(1, min(3, run.steps) + 1):
        count = len(run.at(step).event.beats)
        for beat in range(1, count + 1):
            stage.playback.go_on()
            wait_for(qtbot, stage, step - (beat < count), (step, beat, count))


def test_a_frame_has_the_beat_that_follows_if_it_is_asked_for(qtbot, open_stage):
    stage = open_stage(moons(methods=(SMO(),)))
    playback, run = stage.playback, stage.session.runs[0]
    go_to(qtbot, stage, 2)
    playback.set_by_beats(True)
    wait_for(qtbot, stage, 1, (2, 1, 7))
    assert stage.feed.frame.lane.next_beat is None
    stage.prediction.set_on(True)
    qtbot.waitUntil(lambda: stage.feed.frame.lane.looked_ahead)
    lane = stage.feed.frame.lane
    assert (lane.next_beat.step, lane.next_beat.number) == (2, 2)
    assert lane.next_beat.beat == run.at(2).event.beats[1]
    # The state shown is still the one before.
    assert places(stage) == (1, (2, 1, 7))
    playback.seek_step(run.steps)
    qtbot.waitUntil(lambda: stage.feed.frame.lane.step == run.steps)
    assert stage.feed.frame.lane.next_beat is None
