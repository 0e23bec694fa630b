"""A box with arrows reads numbers as every field does, whatever the language of the system."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QLineEdit

from svmviz.widgets.column import Column
from svmviz.widgets.inputs.number_box import NumberBox


@pytest.fixture(params=["C", "de_DE", "de_CH", "hi_IN"])
def make(qtbot, show, request):
    """Make boxes beside another field, in a system of some language."""
    before = QLocale()
    QLocale.setDefault(QLocale(request.param))
    windows = []

    def make_one(value: float, decimals: int) -> NumberBox:
        window = Column()
        window.add(QLineEdit())
        box = window.add(NumberBox("Width", 0, 99_999, " px", decimals=decimals))
        box.setValue(value)
        windows.append(show(window))
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        return box

    yield make_one
    QLocale.setDefault(before)


def enter(qtbot, box: NumberBox, keys: str) -> None:
    """Give a box the focus, type over its number, or take digits away, and press Return."""
    box.setFocus(Qt.FocusReason.OtherFocusReason)
    qtbot.waitUntil(box.hasFocus)
    field = box.lineEdit()
    if keys != "\b":
        field.selectAll()
        qtbot.keyClicks(field, keys)
    else:
        field.setCursorPosition(len(box.cleanText()))
        qtbot.keyClick(field, Qt.Key.Key_Backspace)
    qtbot.keyClick(field, Qt.Key.Key_Return)


@pytest.mark.parametrize(
    ("decimals", "before", "keys", "after"),
    [
        (0, 10_000, "\b", 1000),
        (0, 1000, "\b", 100),
        (0, 3, "10,000", 10_000),
        (0, 3, "2,5", 3),  # no whole number: the box keeps its own
        (0, 3, "abc", 3),
        (1, 86.5, "\b", 86),
        (1, 3, "2,5", 2.5),
        (1, 3, "2.5", 2.5),
        (1, 3, "12,345.5", 12_345.5),
        (1, 3, "999999", 99_999),
    ],
)
def test_what_is_typed_is_what_is_read(qtbot, make, decimals, before, keys, after):
    box = make(before, decimals)
    enter(qtbot, box, keys)
    assert box.value() == after


def test_thousands_are_grouped_only_without_the_focus(qtbot, make):
    box = make(10_000, 0)
    assert box.text() == "10,000 px"
    enter(qtbot, box, "20000")
    assert box.text() == "20000 px"
    box.parentWidget().findChild(QLineEdit).setFocus()
    qtbot.waitUntil(lambda: not box.hasFocus())
    assert box.text() == "20,000 px"


def test_a_word_for_the_least_number_is_read_back(qtbot, make):
    box = make(5, 0)
    box.setMinimum(1)
    box.setPrefix("1 in ")
    box.setSpecialValueText("every step")
    assert box.text() == "1 in 5 px"
    enter(qtbot, box, "1")
    assert (box.text(), box.whole()) == ("every step", 1)
    enter(qtbot, box, "")
    assert box.whole() == 1
    enter(qtbot, box, "7")
    assert box.whole() == 7
