"""A number that is shown can be edited: what stays after Backspace is what is read."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QLineEdit

from svmviz.base.words import number
from svmviz.theme import LIGHT, apply
from svmviz.widgets.column import Column
from svmviz.widgets.inputs.number_field import NumberField, read_named


@pytest.fixture
def field(qtbot, qapp, show):
    """A field beside another, which takes the focus."""
    apply(qapp, LIGHT, 1.0)
    window = Column()
    window.add(QLineEdit())
    made = window.add(NumberField(lambda text: read_named("C", text)))
    show(window).activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    yield made
    window.close()


def enter(qtbot, field: NumberField) -> None:
    field.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(field.hasFocus)


@pytest.mark.parametrize(
    ("value", "typed", "left"),
    [
        (1000.0, "1000", 100.0),
        (10_000.0, "10000", 1000.0),
        (-10_000.0, "-10000", -1000.0),
        (1.5e6, "1500000", 150_000.0),
        (9_999_999.0, "9999999", 999_999.0),
        (0.0125, "0.0125", 0.012),
        (-2.5, "-2.5", -2.0),
    ],
)
def test_backspace_takes_the_last_digit_of_a_shown_number(qtbot, field, value, typed, left):
    taken = []
    field.typed.connect(taken.append)
    field.set_value(value)
    assert field.text() == number(value)
    enter(qtbot, field)
    assert field.text() == typed
    field.end(False)
    qtbot.keyClick(field, Qt.Key.Key_Backspace)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert taken == [left]


def test_half_a_power_of_ten_is_refused(qtbot, field):
    field.set_value(1.5e-7)
    enter(qtbot, field)
    assert field.text() == "1.5e-7"
    field.end(False)
    qtbot.keyClick(field, Qt.Key.Key_Backspace)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert field.property("invalid") is True


def test_only_looking_at_a_number_changes_nothing(qtbot, field):
    taken = []
    field.typed.connect(taken.append)
    field.set_value(12345.678)
    enter(qtbot, field)
    assert (field.text(), field.selectedText()) == ("12350", "12350")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    field.parentWidget().findChildren(QLineEdit)[0].setFocus()
    qtbot.waitUntil(lambda: not field.hasFocus())
    assert (field.text(), taken, field.read()) == ("12,350", [], 12345.678)


def test_a_number_that_changes_meanwhile_keeps_the_form(qtbot, field):
    enter(qtbot, field)
    field.set_value(20_000)
    assert field.text() == "20000"
    qtbot.keyClicks(field, "7")
    field.set_value(30_000)
    assert field.text() == "200007"
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == "30000"


def test_the_menu_of_a_field_copies_what_is_selected(qtbot, field):
    field.set_value(10_000)
    enter(qtbot, field)
    menu = field.createStandardContextMenu()
    menu.popup(field.mapToGlobal(field.rect().center()))
    qtbot.waitUntil(menu.isVisible)
    assert field.selectedText() == "10000"
    menu.close()
    qtbot.keySequence(field, QKeySequence.StandardKey.Copy)
    assert QGuiApplication.clipboard().text() == "10000"
    menu.deleteLater()
