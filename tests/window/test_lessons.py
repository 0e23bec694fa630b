"""A lesson is played in the window; the user's own document comes back as it was."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox

from solvers import RBF
from svmviz.document.document import Penalty
from svmviz.lessons.shipped import LESSONS
from svmviz.panels.lesson.lesson_panel import LessonPanel
from svmviz.widgets.plain_text import RichLabel
from tests.stages import moons
from tests.window.conftest import settle


@pytest.fixture
def opened(user):
    """The user, and the Lesson panel with the list of lessons."""
    user.window.menus.actions["lessons"].trigger()
    user.until(lambda: user.window.findChild(LessonPanel) is not None)
    panel = user.window.findChild(LessonPanel)
    user.until(lambda: panel.isVisible() and panel.lessons is not None)
    user.until(panel.lessons.buttons["slack-and-c"].isVisible)
    return user, panel


def begin(user, panel, name):
    panel.lessons.buttons[name].click()
    user.until(lambda: panel.stage.session.document.data == scene_of(name, 0).data)
    settle(user)


def scene_of(name, card):
    return LESSONS[name].cards[card].show.read_scene().document


def known(user, panel):
    """Wait until the present task is evaluated at the frame shown."""
    user.until(lambda: panel.shown is not None and panel.shown.task is panel.stage.lesson.task)


def test_a_lesson_is_played_with_right_and_wrong_answers(opened):
    user, panel = opened
    session, lesson = panel.stage.session, panel.stage.lesson
    begin(user, panel, "slack-and-c")
    assert "1 of 6" in panel.place.text()
    assert not panel.on.isEnabled()
    panel.task_view.choices[0].click()
    assert panel.reply.text().startswith("No. ξ = 0 needs y f(x)")
    panel.task_view.choices[1].click()
    # Each wrong choice has its own reply.
    assert panel.reply.text().startswith("No. So it is in the street")
    assert not panel.on.isEnabled()
    panel.task_view.choices[2].click()
    assert panel.on.isEnabled()
    lesson.go(2)
    # A point at C, and the one with the largest slack.
    for _ in range(2):
        known(user, panel)
        panel.stage.picking.take(min(panel.shown.key.places[0]), 0.0, 0.0)
    for text, reply in (("many", ""), ("0.9", "No."), ("0.807", "")):
        known(user, panel)
        user.until(lambda: panel.shown.key.numbers == (pytest.approx(0.807, rel=0.01),))
        panel.task_view.fields[0].setText(text)
        panel.task_view.check.click()
        assert panel.reply.text().startswith(reply)
    panel.on.click()
    assert lesson.index == 3
    settle(user)
    panel.task_view.choices[0].click()
    user.until(lambda: panel.shown is not None and panel.shown.holds == (False,))
    session.edit(replace(session.document, penalty=Penalty("C", 0.1)), "C")
    user.until(lambda: lesson.task_index == 2)
    user.until(lambda: panel.shown is not None and panel.shown.holds == (False, False))
    assert [tick.text() for tick in panel.task_view.ticks] == ["○", "○"]
    session.edit(replace(session.document, penalty=Penalty("C", 200.0)), "C")
    user.until(lambda: lesson.task is None)
    lesson.go(2)
    assert panel.on.text() == "End"
    lesson.go(1)
    assert lesson.lesson is None
    assert user.window.memory.get("lessons") == {"slack-and-c": 6}


def test_a_lesson_goes_on_at_the_card_at_which_it_was_left(opened):
    user, panel = opened
    begin(user, panel, "who-holds")
    known(user, panel)
    panel.give_up.click()
    # Giving up asks, and the second click of a double click is no answer.
    assert panel.give_up.text() == "Really show the answer?"
    panel.give_up.click()
    assert panel.stage.lesson.task_index == 0
    user.rest(0.001 * QApplication.styleHints().mouseDoubleClickInterval() + 0.05)
    panel.give_up.click()
    assert any(label.text() == "point 1 or 2 or 6" for label in panel.findChildren(RichLabel))
    panel.on.click()
    assert panel.task_view.choices
    panel.stage.lesson.end()
    assert user.window.memory.get("lessons") == {"who-holds": 1}
    assert panel.lessons.go_on.text() == f"Continue: {LESSONS['who-holds'].title}"
    panel.lessons.go_on.click()
    assert "2 of 3" in panel.place.text()
    assert panel.stage.session.document.data == scene_of("who-holds", 0).data


def test_the_list_has_parts_with_what_a_lesson_takes_and_needs(opened):
    user, panel = opened
    opened_lesson = panel.stage.lesson
    opened_lesson.left_at |= {name: len(LESSONS[name].cards) for name in list(LESSONS)[:2]}
    opened_lesson.left_at["who-holds"] = 1
    opened_lesson.changed.emit()
    user.until(lambda: panel.lessons.buttons["own-line"].text().startswith("✓ "))
    texts = [label.text() for label in panel.lessons.findChildren(QLabel)]
    parts = dict.fromkeys(lesson.chapter for lesson in LESSONS.values())
    assert list(parts) == [
        "Geometry", "The dual and its methods", "Kernels, choice and regression",
    ]  # fmt: skip
    counts = [sum(lesson.chapter == part for lesson in LESSONS.values()) for part in parts]
    assert [text for text in texts if text.endswith(" read")] == [
        f"{part} · {2 if part == 'Geometry' else 0} of {count} read"
        for part, count in zip(parts, counts, strict=True)
    ]
    left = next(text for text in texts if text.endswith("Left at card 2 of 3."))
    assert f"After “{LESSONS['widest-street'].title}”" in left.replace(", after", ", After")
    assert panel.lessons.go_on.text() == f"Continue: {LESSONS['who-holds'].title}"
    opened_lesson.left_at |= dict.fromkeys(LESSONS, 99)
    opened_lesson.changed.emit()
    user.until(lambda: panel.lessons.go_on is None)


def test_a_hint_is_shown_on_request(opened):
    user, panel = opened
    panel.stage.lesson.left_at["slack-and-c"] = 3
    begin(user, panel, "slack-and-c")
    panel.give_up_now()
    assert not panel.reply.text()
    panel.hint.click()
    assert panel.reply.text().startswith("Which way must C go")


def test_the_own_document_comes_back_with_its_undo_entries(opened):
    user, panel = opened
    window, session = user.window, panel.stage.session
    first = session.document
    session.edit(replace(first, penalty=Penalty("C", 3.0)), "C")
    second = session.document
    session.edit(replace(second, kernel=RBF(2.0)), "Kernel")
    session.undo_stack.undo()
    begin(user, panel, "who-holds")
    assert not window.files.is_modified
    assert window.files.unsaved.scene.document is second
    session.edit(moons(40), "Something in the lesson")
    panel.stage.lesson.end()
    assert session.document is second
    assert window.files.is_modified
    assert session.undo_stack.canRedo()
    session.undo_stack.undo()
    assert session.document is first
    assert not window.files.is_modified
    assert not session.undo_stack.canUndo()
    session.undo_stack.redo()
    session.undo_stack.redo()
    assert session.document.kernel == RBF(2.0)
    assert [edit.text() for edit in session.edits] == ["C", "Kernel"]


def test_another_document_asks_about_the_own_one_and_ends_the_lesson(opened, answer):
    user, panel = opened
    window, session = user.window, panel.stage.session
    session.edit(moons(40), "My points")
    own = session.document
    begin(user, panel, "who-holds")
    cancel = answer(lambda box: box.button(QMessageBox.StandardButton.Cancel).click(), QMessageBox)
    window.files.new()
    assert cancel.given
    assert session.document is own
    assert panel.stage.lesson.lesson is None
    user.until(lambda: panel.lessons.buttons["who-holds"].isVisible())


def test_closing_the_panel_ends_the_lesson(opened):
    user, panel = opened
    session = panel.stage.session
    own = session.document
    begin(user, panel, "kernels-and-gamma")
    user.window.docks.docks["lesson"].close()
    assert session.document is own


def test_no_movement_passes_the_step_of_a_question(opened):
    user, panel = opened
    playback, lesson = panel.stage.playback, panel.stage.lesson
    # The third card shows step 1 of 17.
    lesson.left_at["a-pair-moves"] = 2
    panel.lessons.buttons["a-pair-moves"].click()
    user.until(lambda: playback.finished and playback.length == 17 and playback.step == 1)
    user.until(lambda: panel.task_view is not None)
    moves = (playback.go_on, playback.play, playback.go_to_end)
    for move in (*moves, lambda: playback.seek(2), lambda: playback.move(10)):
        lesson.reply = ""
        move()
        assert playback.step == 1
        assert not playback.player.playing
        assert "First answer" in panel.reply.text()
    playback.go_to_start()
    playback.play()
    user.until(lambda: not playback.player.playing)
    assert playback.step == 1
    while lesson.task is not None:
        panel.give_up_now()
    playback.go_on()
    assert playback.step == 2
    # A card that opens, with a step before the one shown, does not ask to answer first.
    playback.go_to_end()
    lesson.go(1)
    user.until(lambda: playback.finished and playback.step == 2)
    user.rest(0.3)
    assert not panel.reply.text()


def drop(window, path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    copies = Qt.DropAction.CopyAction
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(9, 9), copies, data, buttons, keys))
    QApplication.sendEvent(window, QDropEvent(QPointF(9, 9), copies, data, buttons, keys))


def test_a_lesson_is_dropped_on_the_window(opened, answer, tmp_path):
    user, panel = opened
    file = tmp_path / "mine.md"
    file.write_text("---\ntitle: My <b>own</b>\n---\n# First\nSome <i>words</i>.\n", "utf-8")
    drop(user.window, file)
    user.until(lambda: panel.stage.lesson.lesson is not None)
    assert "&lt;b&gt;own&lt;/b&gt; · 1 of 1" in panel.place.text()
    panel.on.click()
    file.write_text("---\ntitle: T\n---\n# First\n```show\npanels nothing\n```\nWords.\n", "utf-8")
    refusal = answer(lambda box: box.accept(), QMessageBox)
    drop(user.window, file)
    user.until(lambda: refusal.given)
    assert panel.stage.lesson.lesson is None


def type_at_once(user, panel, text):
    """Type a number into the next field, which has the focus already."""
    user.until(panel.task_view.fields[0].hasFocus)
    user.type(text)
    user.key("Return")


@pytest.mark.display
def test_a_lesson_is_played_by_mouse_and_keys(opened):
    user, panel = opened
    lesson = panel.stage.lesson
    user.until_still(panel.lessons.buttons["who-holds"])
    user.click_on(panel.lessons.buttons["who-holds"])
    user.until(lambda: panel.task_view is not None)
    settle(user)
    known(user, panel)
    user.until_still(user.window.plane)
    user.click(user.at(0.4, 0.6))
    user.until(lambda: lesson.task is None)
    user.until_still(panel.on)
    user.click_on(panel.on)
    user.until(lambda: lesson.index == 1)
    user.until_still(panel.task_view.choices[2])
    user.click_on(panel.task_view.choices[2])
    user.until(lambda: lesson.task_index == 1)
    known(user, panel)
    type_at_once(user, panel, "6")
    user.until(lambda: lesson.task_index == 2)
    known(user, panel)
    type_at_once(user, panel, "3")
    user.until(lambda: lesson.task is None)
    user.until_still(panel.on)
    user.click_on(panel.on)
    user.until(lambda: lesson.index == 2)
    settle(user)
    known(user, panel)
    user.until(lambda: panel.shown.holds == (False, False) or panel.shown.holds == (False, True))
    # This point has α = 0.
    user.until_still(user.window.plane)
    user.drag(user.at(3.0, 2.0), user.at(3.1, 2.1), user.at(3.3, 2.3))
    user.until(lambda: lesson.task_index == 1)
    settle(user)
    known(user, panel)
    user.until(lambda: panel.shown.holds == (False, False))
    user.drag(user.at(0.4, 0.6), user.at(0.4, 0.5), user.at(0.4, 0.2))
    user.until(lambda: lesson.task is None)
    assert panel.on.text() == "End"
    user.until_still(panel.on)
    user.click_on(panel.on)
    user.until(lambda: lesson.lesson is None)


@pytest.mark.display
def test_a_line_is_laid_into_the_widest_street_by_the_mouse(opened):
    user, panel = opened
    lesson = panel.stage.lesson
    lesson.left_at["widest-street"] = 3
    user.until_still(panel.lessons.buttons["widest-street"])
    user.click_on(panel.lessons.buttons["widest-street"])
    settle(user)
    known(user, panel)
    user.until(lambda: panel.shown.holds == (True, False))
    assert [tick.text() for tick in panel.task_view.ticks] == ["✓", "○"]
    user.until_still(user.window.plane)
    user.window.plane.setFocus()
    user.key("shift+l")
    user.drag(user.at(-4.0, -2.0), user.at(0.0, 1.0), user.at(4.0, 4.0))
    user.until(lambda: lesson.task is None)
    assert panel.on.isEnabled()
