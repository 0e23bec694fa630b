"""A text that is checked while it is typed: valid texts are emitted, invalid ones explained."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QToolButton

from svmviz.theme import LIGHT, apply
from svmviz.widgets.inputs.text_field import TYPING_PAUSE, TextField
from tests.widgets.emissions import Emissions


@pytest.fixture
def field(qtbot, qapp: QApplication):
    """A field that takes anything without a question mark."""
    apply(qapp, LIGHT, 1.0)
    check = lambda text: "There is a question." if "?" in text else ""  # noqa: E731
    pieces = [("one", "a word"), ("", ""), ("f(…)", "around"), ("^2", "after")]
    shown = TextField("text =", check, pieces, "What to type.")
    qtbot.addWidget(shown)
    shown.set_value("a + b")
    shown.resize(300, 100)
    with qtbot.waitExposed(shown):
        shown.show()
    return shown


def retype(qtbot, field, text):
    field.field.setFocus()
    field.field.selectAll()
    qtbot.keyClicks(field.field, text)


def test_shows_without_emitting(field):
    emitted = Emissions(field)
    field.set_value("c")
    assert (field.value, field.field.text(), field.error_text) == ("c", "c", "")
    assert (emitted.moved, emitted.released) == ([], [])


def test_good_text_moves_after_a_pause_and_enter_releases_it(qtbot, field):
    emitted = Emissions(field)
    retype(qtbot, field, "a*c")
    assert emitted.moved == []
    qtbot.waitUntil(lambda: emitted.moved == ["a*c"])
    assert emitted.released == []
    qtbot.keyClick(field.field, Qt.Key.Key_Return)
    assert emitted.released == ["a*c"]


def test_enter_does_not_wait(qtbot, field):
    emitted = Emissions(field)
    retype(qtbot, field, "a*c")
    qtbot.keyClick(field.field, Qt.Key.Key_Return)
    assert (emitted.moved, emitted.released) == ([], ["a*c"])
    qtbot.wait(2 * TYPING_PAUSE)
    assert emitted.moved == []


def test_a_bad_text_is_explained_and_the_last_good_one_stays(qtbot, field):
    emitted = Emissions(field)
    retype(qtbot, field, "c")
    qtbot.waitUntil(lambda: emitted.moved == ["c"])
    qtbot.keyClicks(field.field, "?")
    assert field.error_text == "There is a question."
    assert field.field.property("invalid")
    qtbot.wait(2 * TYPING_PAUSE)
    qtbot.keyClick(field.field, Qt.Key.Key_Return)
    assert (emitted.moved, emitted.released) == (["c"], ["c"])
    field.set_value("c")
    assert field.field.text() == "c?"
    qtbot.keyClick(field.field, Qt.Key.Key_Backspace)
    assert field.error_text == ""


def test_escape_brings_the_good_text_back(qtbot, field):
    retype(qtbot, field, "what?")
    qtbot.keyClick(field.field, Qt.Key.Key_Escape)
    assert (field.field.text(), field.error_text) == ("a + b", "")


@pytest.mark.parametrize(
    ("select", "piece", "text"),
    [
        (None, "one", "a + b + one"),
        (None, "^2", "a + b^2"),
        (None, "f(…)", "f(a + b)"),
        ((4, 1), "one", "a + one"),
        ((4, 1), "f(…)", "a + f(b)"),
        ((0, 5), "one", "one"),
    ],
)
def test_pieces_join_replace_or_wrap(field, select, piece, text):
    field.field.setCursorPosition(5)
    if select:
        field.field.setSelection(*select)
    actions = {action.data(): action for action in field.menu.actions()}
    assert list(actions) == ["one", None, "f(…)", "^2"]
    actions[piece].trigger()
    assert field.field.text() == text
    assert field.window().focusWidget() is field.field


def test_the_menu_opens_at_the_button(qtbot, field):
    button = field.findChild(QToolButton)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert field.menu.isVisible()
    right = button.mapToGlobal(button.rect().bottomRight()).x()
    assert field.menu.geometry().right() <= right
    field.menu.close()
