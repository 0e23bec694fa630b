"""*Do it yourself* in the window: the decisions of steps, by clicks and as numbers."""

from __future__ import annotations

import pytest

from solvers import SMO, InteriorPoint, Pegasos
from svmviz.lessons.by_hand import GIVEN_UP, RIGHT, TIED, WRONG
from svmviz.panels.lesson.task_views import HandView
from svmviz.stage.open_lesson import BEGINS_AGAIN
from tests.stages import eight
from tests.window.conftest import panel_in, settle

METHODS = {"smo": SMO(), "pegasos": Pegasos(max_steps=200)}


def begin(user):
    """Begin the exercise over the run of the window."""
    settle(user)
    user.window.menus.actions["do-it-yourself"].trigger()
    lesson = user.window.stage.lesson
    lesson = user.window.stage.lesson
    user.until(lambda: lesson.attempt is not None)
    user.until(lambda: isinstance(panel_in(user.window, "lesson").task_view, HandView))
    return lesson


@pytest.mark.parametrize("method", METHODS)
def test_ten_steps_are_done_by_typing(open_window, method):
    user = open_window(eight(methods=(METHODS[method],)))
    lesson = begin(user)
    playback = user.window.stage.playback
    while (attempt := lesson.attempt) is not None:
        decision, view = attempt.decision, panel_in(user.window, "lesson").task_view
        assert view.decision is decision
        # What is asked for is not shown yet, and the steps do not go beyond.
        playback.seek(30)
        assert playback.step <= attempt.shown_step
        if view.choices:
            view.choices[decision.own].click()
            continue
        numbers = decision.question.numbers or [point + 1 for point in sorted(decision.own)]
        for field, number in zip(view.fields, numbers, strict=True):
            field.setText(f"{number:.6g}")
        view.check.click()
    record = lesson.record(0)
    assert {mark.outcome for mark in record.attempt.marks} == {RIGHT}
    assert (record.result, record.wrong) == ("right", 0)
    user.until(lambda: playback.step == 10)


def test_points_are_clicked_and_the_model_goes_on(open_window):
    user = open_window(eight(methods=(SMO(),)))
    lesson = begin(user)
    window, attempt = user.window, lesson.attempt
    window.stage.picking.take(0, 0.0, 0.0)
    assert lesson.reply.startswith("No")
    # All points of class +1 tie before the first step; the run takes the first one.
    ties = attempt.decision.key.places[0]
    window.stage.picking.take(max(ties), 0.0, 0.0)
    assert not lesson.reply
    panel_in(window, "lesson").give_up.click()
    outcomes = [mark.outcome for mark in attempt.marks]
    assert outcomes == [WRONG, GIVEN_UP, GIVEN_UP, GIVEN_UP]
    user.until(lambda: window.stage.playback.step == 1)
    assert "Model answer" in attempt.said
    assert TIED not in outcomes


def test_what_is_no_point_is_refused(open_window):
    user = open_window(eight(methods=(SMO(),)))
    lesson = begin(user)
    view = panel_in(user.window, "lesson").task_view
    for text in ("9", "0", "1.5"):
        view.fields[0].setText(text)
        view.check.click()
        assert view.refusal.text() == "Type the number of a point, from 1 to 8."
    assert not lesson.attempt.marks
    assert not lesson.attempt.wrong


def test_an_edit_begins_the_exercise_again(open_window):
    user = open_window(eight(methods=(SMO(),)))
    lesson = begin(user)
    panel_in(user.window, "lesson").give_up.click()
    session = user.window.stage.session
    session.edit(session.document.moved((0,), (0.5, 0.5)), "Move")
    user.until(lambda: lesson.reply == BEGINS_AGAIN)
    assert lesson.attempt.done == 0


def test_another_method_is_refused_in_words(open_window):
    user = open_window(eight(methods=(InteriorPoint(),)))
    settle(user)
    user.window.menus.actions["do-it-yourself"].trigger()
    assert user.window.stage.lesson.lesson is None
