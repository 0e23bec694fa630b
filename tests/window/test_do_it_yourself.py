"""*Do it yourself* in the window: the decisions of steps, by clicks and as numbers."""

from __future__ import annotations

import numpy as np
import pytest

from solvers import SMO, Hulls, InteriorPoint, Pegasos, Perceptron
from svmviz.base.words import read_number
from svmviz.document.document import Penalty
from svmviz.lessons.by_hand import GIVEN_UP, RIGHT, TIED, WRONG
from svmviz.panels.controls.points.points_model import (
    ALPHA,
    CLASS,
    DECISION,
    ERROR,
    ETA,
    FIRST,
    NUMBER,
    SECOND,
    SLACK,
)
from svmviz.panels.controls.points.points_table import PointsTable
from svmviz.panels.lesson.task_views import HandView
from svmviz.stage.open_lesson import BEGINS_AGAIN
from svmviz.widgets.plain_text import RichLabel
from tests.stages import eight, moons
from tests.window.conftest import panel_in, settle

METHODS = {"smo": SMO(), "pegasos": Pegasos(max_steps=200)}


def begin(user):
    """Begin the exercise over the run of the window."""
    settle(user)
    user.window.menus.actions["do-it-yourself"].trigger()
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


def test_the_table_shows_what_the_choice_of_a_step_compares(open_window):
    """The points with the smallest E of the table, of those that may rise, are the right ones."""
    user = open_window(moons(20, penalty=Penalty("C", 1.0)))
    lesson = begin(user)
    table = user.window.findChild(PointsTable)

    def shown():
        return [c for c in range(ETA + 1) if not table.table.isColumnHidden(c)]

    def column(which):
        rows = range(table.model.rowCount())
        texts = [table.model.index(row, which).data() for row in rows]
        return np.array([np.nan if text == "–" else read_number(text) for text in texts])

    while lesson.attempt.done < 4:
        lesson.show_model()
    user.until(lambda: user.window.stage.feed.frame.lane.step == 4)
    user.until(lambda: table.isVisible())
    assert shown() == [NUMBER, CLASS, ALPHA, ERROR]
    alpha, errors = column(ALPHA), column(ERROR)
    y = user.window.stage.session.document.data.labels
    rises = np.where(y > 0, alpha < 1.0, alpha > 0.0)
    best = np.flatnonzero(rises & (errors == errors[rises].min()))
    assert {*best.tolist()} == {*lesson.attempt.decision.key.places[0]}
    # All columns are whole: none is scrolled out of sight, and no number is cut.
    user.until_still(table.table)
    assert table.table.horizontalScrollBar().maximum() == 0
    assert table.table.columnWidth(ERROR) >= table.table.sizeHintForColumn(ERROR)
    decision = user.window.stage.feed.frame.lane.certificate.decision
    np.testing.assert_allclose(errors, decision - y, rtol=1e-3, atol=1e-12)
    # The partner that promises most follows from E and η.
    lesson.decide(tuple(lesson.attempt.decision.own))
    user.until(lambda: shown() == [NUMBER, CLASS, ERROR, ETA])
    i, etas = lesson.attempt.decision.points[0], column(ETA)
    falls = np.where(y > 0, alpha > 0.0, alpha < 1.0)
    falls[i] = False
    assert (np.isfinite(etas) == falls).all()
    gain = np.where(errors > errors[i], (errors - errors[i]) ** 2 / etas, 0.0)
    assert lesson.attempt.decision.own == {int(np.nanargmax(gain))}
    lesson.end()
    assert shown() == [NUMBER, FIRST, SECOND, CLASS, ALPHA, SLACK, DECISION]


@pytest.mark.parametrize("algorithm", ["mdm", "pairwise", "wolfe"])
def test_steps_on_hulls_begin_with_what_their_letters_mean(open_window, algorithm):
    hard = Penalty("C", float("inf"))
    user = open_window(eight(methods=(Hulls(algorithm=algorithm),), penalty=hard))
    lesson = begin(user)
    assert ("τ are the weights" in lesson.card.paragraphs[-1]) == (algorithm == "mdm")
    table = user.window.findChild(PointsTable)
    user.until(table.isVisible)
    shown = [c for c in range(ETA + 1) if not table.table.isColumnHidden(c)]
    assert shown == [NUMBER, FIRST, SECOND, CLASS, ALPHA]
    user.until_still(table.table)
    assert table.table.horizontalScrollBar().maximum() == 0


def test_the_points_of_the_last_step_are_not_marked_while_the_next_one_is_done(open_window):
    user = open_window(eight(methods=(SMO(),)))
    lesson = begin(user)
    stage, plane = user.window.stage, user.window.plane
    while lesson.attempt.done == 0:
        lesson.show_model()
    user.until(lambda: stage.feed.frame.lane.step == 1)
    assert stage.feed.frame.lane.marked
    assert not plane._screen._style(1.0).marks_step
    lesson.end()
    stage.playback.seek(1)
    assert plane._screen._style(1.0).marks_step


def test_no_answer_of_yes_and_no_has_the_focus(open_window):
    user = open_window(eight(methods=(Perceptron(),)))
    lesson = begin(user)
    panel = panel_in(user.window, "lesson")
    while not panel.task_view.choices:
        lesson.decide(tuple(lesson.attempt.decision.own))
    view = panel.task_view
    user.until(view.hasFocus)
    user.key("Tab")
    user.until(view.choices[0].hasFocus)


def test_numbers_with_a_sign_and_four_decimals_can_be_read_in_the_fields(open_window):
    user = open_window(eight(methods=(Pegasos(max_steps=50),)))
    user.window.resize(1280, 720)
    lesson = begin(user)
    panel = panel_in(user.window, "lesson")
    while len(panel.task_view.fields) < 3:
        own = lesson.attempt.decision.own
        lesson.decide(own if isinstance(own, int) else tuple(own))
    for field in panel.task_view.fields:
        user.until_still(field)
        field.setText("−12.3456")
        field.setCursorPosition(0)
        start = field.cursorRect().center().x()
        field.setCursorPosition(8)
        advance = field.fontMetrics().horizontalAdvance(field.text())
        # Nothing is scrolled out of the field at its left.
        assert field.cursorRect().center().x() - start == pytest.approx(advance, abs=2)


def test_the_list_of_mistakes_does_not_have_the_colour_of_what_is_right(open_window):
    user = open_window(eight(methods=(Perceptron(),)))
    lesson = begin(user)
    has_erred = False
    while lesson.attempt is not None:
        decision = lesson.attempt.decision
        if isinstance(decision.own, int) and not has_erred:
            has_erred = bool(lesson.decide(1 - decision.own) or lesson.reply)
        elif isinstance(decision.own, int):
            lesson.decide(decision.own)
        else:
            lesson.decide(tuple(decision.own))
    assert lesson.record(0).result == "right"
    labels = panel_in(user.window, "lesson").findChildren(RichLabel)
    listed = [label for label in labels if "Step" in label.text() and "y·f" in label.text()]
    first = [label for label in labels if "right at first try" in label.text()]
    assert listed
    assert first
    assert "good" not in {label.property("role") for label in (*listed, *first)}
