"""Predict first, by real mouse and keys: nothing gives the outcome away before it is answered."""

from __future__ import annotations

import numpy as np
import pytest

from solvers import SMO, Linear, Pegasos
from solvers.errors import BadInput
from svmviz.lessons.lessons import read_lesson
from svmviz.panels.step.prediction_view import PredictionView
from tests.stages import eight, moons
from tests.window.conftest import is_explaining, panel_in, settle
from tests.window.user import xdotool

pytestmark = pytest.mark.display


@pytest.fixture
def user(open_window):
    return open_window(eight(methods=(SMO(),)))


def begin(user):
    """Switch it on, with a click."""
    window = user.window
    settle(user)
    user.key("F6")
    user.until(lambda: is_explaining(window))
    user.until_still(window.plane)
    user.until(lambda: panel_in(window, "step") is not None)
    view = panel_in(window, "step").prediction
    user.until_still(view.switch)
    place = view.switch.mapToGlobal(view.switch.rect().center())
    place.setX(view.switch.mapToGlobal(view.switch.rect().topLeft()).x() + 8)
    user.click(place)
    user.until(lambda: window.stage.prediction.is_on)
    user.until(lambda: window.stage.feed.frame.lane.looked_ahead)
    return window.stage.prediction, view


def click_point(user, index):
    x, y = user.window.stage.session.document.data.points[index]
    user.click(user.at(float(x), float(y)))


def part_of(window):
    lane = window.stage.feed.panel_frame.lane
    return (lane.shown_beat.step, lane.shown_beat.number) if lane and lane.shown_beat else None


def ask(user, prediction, kind):
    user.key("Right")
    user.until(lambda: prediction.question is not None and prediction.question.kind == kind)


def test_points_are_clicked(user):
    window = user.window
    prediction, view = begin(user)
    count = window.stage.session.document.n
    ask(user, prediction, "point")
    # What is on screen is what was there before.
    assert part_of(window) is None
    assert "Which point has the smallest error E" in window.bottom.narrator.text
    click_point(user, 0)
    user.until(lambda: prediction.reply)
    assert prediction.reply == "No: point 1 is not one of those that may rise."
    assert part_of(window) is None
    # All four points of class +1 tie.
    click_point(user, 7)
    user.until(lambda: part_of(window) == (1, 1))
    assert prediction.tally["point"] == (0, 1)
    assert view.reply.text().startswith("Right: point 2, 3, 6 or 8")
    ask(user, prediction, "point")
    click_point(user, 3)
    user.until(lambda: part_of(window) == (1, 2))
    assert prediction.tally["point"] == (1, 2)
    ask(user, prediction, "point")
    click_point(user, 0)
    user.until(lambda: prediction.reply)
    assert prediction.reply.startswith("No. Point 1 has rise of D = 0.1342; the largest is 0.1835")
    user.key("Escape")
    user.until(lambda: part_of(window) == (1, 3))
    assert prediction.reply == "point 5"
    # Two were answered. What was looked at, and steps that are jumped over, are no predictions.
    assert prediction.answered == 2
    user.key("End")
    user.until(lambda: window.stage.playback.finished)
    assert prediction.answered == 2
    # No point was placed or moved by the clicks.
    assert window.stage.session.document.n == count
    assert not window.stage.session.undo_stack.canUndo()


def test_numbers_are_typed(user):
    window = user.window
    prediction, view = begin(user)
    for part in (1, 2, 3):
        ask(user, prediction, "point")
        user.key("Escape")
        user.until(lambda part=part: part_of(window) == (1, part))
    # Its outcome is known, so nothing is asked.
    user.key("Right")
    user.until(lambda: part_of(window) == (1, 4))
    ask(user, prediction, "number")
    user.type("9")
    user.key("Return")
    user.until(lambda: prediction.reply)
    assert prediction.reply == "No. η = Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ."
    user.until(view.form.fields[0].hasFocus)
    user.type("10.9")
    user.key("Return")
    user.until(lambda: prediction.question.labels == ("αⱼ",))
    assert part_of(window) == (1, 4)
    user.type("0.18")
    user.key("Return")
    user.until(lambda: prediction.reply.startswith("No."))
    user.type("0.1835")
    user.key("Return")
    user.until(lambda: part_of(window) == (1, 5))
    # The keys are shortcuts again.
    user.key("Left")
    user.until(lambda: part_of(window) == (1, 4))
    # What was answered is not asked again.
    user.key("Right")
    user.until(lambda: part_of(window) == (1, 5))


def test_right_does_not_pass_a_question_and_left_withdraws_it(user):
    window = user.window
    prediction, _ = begin(user)
    ask(user, prediction, "point")
    user.key("Right", "Right")
    user.until(lambda: prediction.reply == "First answer, or look.")
    assert part_of(window) is None
    user.key("Escape")
    user.until(lambda: part_of(window) == (1, 1))
    ask(user, prediction, "point")
    user.key("Left")
    user.until(lambda: prediction.question is None)
    user.until(lambda: part_of(window) is None)
    assert not window.stage.picking.is_on


def test_playing_asks_nothing_and_a_new_run_begins_anew(user):
    window = user.window
    prediction, view = begin(user)
    ask(user, prediction, "point")
    window.stage.playback.set_speed(20.0)
    user.key("space")
    user.until(lambda: window.stage.playback.step > 2)
    user.until(lambda: prediction.question is None)
    user.key("space")
    user.until(lambda: not window.stage.playback.player.playing)
    session = window.stage.session
    session.edit(session.document.with_methods((Pegasos(max_steps=40),)), "Another method")
    settle(user)
    user.key("Right")
    user.until(lambda: window.stage.playback.step == 0)
    user.until(lambda: prediction.question is not None)
    assert prediction.question.ask.startswith("With λ")
    assert view.is_asking
    view.switch.click()
    user.until(lambda: prediction.question is None)
    user.key("Right")
    user.until(lambda: part_of(window) == (1, 1))


def test_a_choice_is_made_by_its_number_and_no_tool_is_taken(open_window):
    user = open_window(moons(methods=(Pegasos(max_steps=40),), kernel=Linear()))
    window = user.window
    prediction, _ = begin(user)
    tool = window.planes.tool
    ask(user, prediction, "number")
    user.key("Escape")
    user.until(lambda: part_of(window) == (1, 1))
    ask(user, prediction, "case")
    user.key("2")
    user.until(lambda: prediction.reply.startswith("No. It is added if y·f < 1"))
    user.key("1")
    user.until(lambda: part_of(window) == (1, 2))
    assert prediction.tally["case"] == (0, 1)
    assert window.planes.tool == tool


def test_the_picture_is_that_of_the_state_before(user):
    window = user.window
    marks = window.bottom.transport.bar
    settle(user)
    user.until(lambda: len(marks.density))
    prediction, _ = begin(user)
    # The marks of the timeline tell which steps change the support vectors.
    user.until(lambda: not len(marks.density))
    run = window.stage.session.runs[0]
    for _ in range(12):
        user.key("Right")
        user.rest()
        user.until(lambda: prediction.question is not None or prediction.reply == "")
        if prediction.question is None:
            continue
        lane = window.stage.feed.frame.lane
        before = run.at(prediction.step - 1).expansion.beta
        np.testing.assert_array_equal(lane.expansion.beta, before)
        place = prediction.step, prediction.part
        assert part_of(window) != place
        assert window.bottom.narrator.text.endswith(("?", "."))
        assert not panel_in(window, "step").sentence.isVisible()
        assert "worst" not in panel_in(window, "kkt").words.text()
        xdotool("key", "Escape")
        user.until(lambda place=place: part_of(window) == place)
    user.key("F6")
    user.until(lambda: len(marks.density))


def test_in_a_presentation_the_clicker_shows_the_answer(user):
    window = user.window
    prediction, _ = begin(user)
    user.key("F5")
    user.until(lambda: window.presentation.is_on)
    screen = window.presentation.screen
    user.until(screen.isActiveWindow)
    user.key("Right")
    user.until(lambda: prediction.question is not None)
    assert "Which point" in screen.caption.text
    user.key("Next")
    user.until(lambda: part_of(window) == (1, 1))
    user.key("Right")
    user.until(lambda: prediction.question is not None)
    # Esc looks, and only then leaves.
    user.key("Escape")
    user.until(lambda: part_of(window) == (1, 2))
    assert window.presentation.is_on
    user.key("Right")
    user.until(lambda: prediction.question is not None)
    # The presentation has a panel of its own.
    (view,) = screen.side.findChildren(PredictionView)
    user.until_still(view.show_button)
    user.click_on(view.show_button)
    user.until(lambda: part_of(window) == (1, 3))
    user.key("Next")
    user.until(lambda: part_of(window) == (1, 4))
    # A number may be typed, but its field does not take the keys of the clicker.
    user.key("Next")
    user.until(lambda: prediction.question is not None and prediction.question.numbers)
    user.key("Next")
    user.until(lambda: part_of(window) == (1, 5))
    user.key("Escape")
    user.until(lambda: not window.stage.playback.by_beats)
    assert window.presentation.is_on
    user.key("Escape")
    user.until(lambda: not window.presentation.is_on)


LESSON = """---
title: Parts
---
# One
Press F6.
```show
scene eight-points
step 0
predict first
```
# Two
That was it.
```show
step end
```
"""


def test_a_card_of_a_lesson_switches_it_on(user):
    window = user.window
    settle(user)
    lesson, prediction = window.stage.lesson, window.stage.prediction
    lesson.begin(read_lesson(LESSON, "parts"))
    user.until(lambda: window.stage.playback.finished and window.stage.playback.step == 0)
    user.until(lambda: window.stage.feed.frame.lane.step == 0)
    assert prediction.is_on
    window.plane.setFocus()
    user.key("F6")
    user.until(lambda: is_explaining(window))
    user.until(lambda: panel_in(window, "step") is not None)
    assert panel_in(window, "step").prediction.switch.isChecked()
    ask(user, prediction, "point")
    user.key("F6")
    user.until(lambda: not is_explaining(window))
    user.until(lambda: prediction.question is None)
    lesson.go(1)
    assert not prediction.is_on
    with pytest.raises(BadInput, match="there is no way to predict 'last'"):
        read_lesson(LESSON.replace("predict first", "predict last"), "parts")
