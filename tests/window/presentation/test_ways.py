"""What opens in a presentation is as large as its type, and each command there has an effect."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QToolButton

from svmviz.panels.lesson.lesson_panel import LessonPanel
from svmviz.widgets.answer_form import AnswerForm
from svmviz.window.main import FIRST_KEYS
from svmviz.window.menus.keys_dialog import KeysDialog
from svmviz.window.menus.palette import Palette
from svmviz.window.notice import Notice
from tests.window.conftest import settle
from tests.window.presentation.conftest import leave, present

pytestmark = pytest.mark.display


def is_large(widget):
    """Whether no text of a widget is smaller than a hall permits."""
    labels = [widget, *widget.findChildren(QLabel), *widget.findChildren(QLineEdit)]
    return min(label.font().pixelSize() for label in labels) >= widget.screen().size().height() / 40


def run(user, screen, text):
    """Run the command that the palette finds first."""
    user.key("ctrl+k")
    user.until(lambda: isinstance(QApplication.activePopupWidget(), Palette))
    palette = QApplication.activePopupWidget()
    assert is_large(palette)
    assert palette.list.font().pixelSize() >= screen.height() / 40
    user.type(text)
    user.until(lambda: palette.field.text() == text)
    user.key("Return")
    user.until(lambda: QApplication.activePopupWidget() is None)
    screen.activateWindow()
    user.until(screen.isActiveWindow)


def test_dialogs_and_help_are_as_large_as_the_presentation_and_small_again_after_it(user, answer):
    screen, window = present(user), user.window
    sizes = []

    def close(dialog):
        sizes.append((is_large(dialog), dialog.width()))
        dialog.reject()

    answer(close, KeysDialog)
    user.key("question")
    user.until(lambda: sizes)
    assert sizes[0][0]
    screen.activateWindow()
    user.until(screen.isActiveWindow)
    user.key("F1")
    user.until(lambda: window.help.window is not None)
    user.until(window.help.window.isVisible)
    assert is_large(window.help.window.page)
    assert is_large(window.planes)
    screen.activateWindow()
    user.until(screen.isActiveWindow)
    leave(user)
    window.help.show_method()
    assert not is_large(window.help.window.page)
    answer(close, KeysDialog)
    window.menus.actions["keys"].trigger()
    assert sizes[1][1] < sizes[0][1]


def test_a_message_takes_the_place_of_the_sentence_until_a_key_is_pressed(user):
    screen, window = present(user), user.window
    notice = window.notice
    assert notice.text == FIRST_KEYS
    assert is_large(notice)
    assert notice.geometry().top() >= screen.caption.geometry().top() - 1
    assert notice.geometry().bottom() == screen.rect().bottom()
    user.key("Left")
    user.until(notice.isHidden)
    leave(user)
    assert notice.parentWidget() is window.planes
    window.messages.notify("Some points were copied.")
    assert not is_large(notice)
    # The keys are named at the first presentation only.
    present(user)
    assert not notice.isVisible()
    assert isinstance(notice, Notice)


def test_commands_show_a_panel_or_a_setting_in_the_presentation(user):
    screen, window = present(user), user.window
    before_commands = screen.side.title
    run(user, screen, "C")
    user.until(lambda: screen.side.title == "Settings")
    user.until(lambda: isinstance(QApplication.focusWidget(), QLineEdit))
    field = QApplication.focusWidget()
    assert screen.isAncestorOf(field)
    assert field.accessibleName() == "C"
    run(user, screen, "race methods")
    user.until(lambda: screen.side.title == "Race")
    shown = [button.text() for button in screen.side.findChildren(QToolButton)]
    assert "Add a method or model" in shown
    run(user, screen, "kernel matrix")
    user.until(lambda: screen.side.title == "Kernel matrix")
    # What acts on the hidden window is not offered.
    before = window.docks.layouts.stored
    user.key("ctrl+k")
    user.until(lambda: isinstance(QApplication.activePopupWidget(), Palette))
    entries = QApplication.activePopupWidget()._entries
    texts = {entry.text for entry in entries}
    assert not {"Panels beside the plane", "Full screen", "Default layout"} & texts
    assert ("Panels", "Help") in {(entry.text, entry.place) for entry in entries}
    user.key("Escape")
    user.until(lambda: QApplication.activePopupWidget() is None)
    screen.activateWindow()
    user.until(screen.isActiveWindow)
    # Esc ends what the commands have opened, and only then the presentation.
    user.key("Escape")
    user.until(lambda: screen.side.title == before_commands)
    leave(user)
    assert window.docks.layouts.stored == before


def test_the_three_decisions_are_whole(user):
    screen = present(user)
    screen.resize(1280, 720)
    screen.show_panel("settings")
    user.until_still(screen.side)
    column = screen.side.panel
    viewport = column.parentWidget()
    assert column.cards["data"].is_folded
    for name in ("model", "solver"):
        card = column.cards[name]
        assert viewport.rect().contains(card.geometry().translated(column.pos()))


def test_a_lesson_is_chosen_and_ended_and_its_tool_goes_with_it(user):
    screen, window = present(user), user.window
    lesson, tool = window.stage.lesson, window.planes.tool
    points = window.stage.session.document.data
    run(user, screen, "lessons")
    user.until(lambda: screen.side.title == "Lesson")
    panel = screen.side.findChild(LessonPanel)
    assert panel.lessons is not None
    run(user, screen, "slack and c")
    user.until(lambda: lesson.lesson is not None)
    settle(user)
    lesson.tool_requested.emit("line")
    assert window.planes.tool == "line"
    # In the field of an answer a letter is a command; a digit is typed.
    form = AnswerForm("How many?", labels=("",))
    panel.add(form)
    form.fields[0].setFocus()
    user.key("4", "p", "k")
    user.until(lambda: screen.side.chosen == "kkt")
    assert form.fields[0].text() == "4"
    run(user, screen, "end the lesson")
    user.until(lambda: lesson.lesson is None)
    assert window.planes.tool == tool
    user.until(lambda: window.stage.session.document.data == points)
    leave(user)
    # In the window an open lesson says why the list does not come.
    window.lessons.open("slack-and-c")
    user.until(lambda: lesson.lesson is not None)
    window.menus.actions["lessons"].trigger()
    assert "End the lesson" in lesson.reply
    window.menus.actions["end-lesson"].trigger()
    assert lesson.lesson is None
