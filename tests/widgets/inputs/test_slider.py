"""The slider emits while the user moves it and at the release, and never otherwise."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit

from svmviz.theme import LIGHT, apply
from svmviz.widgets.inputs.slider import ValueSlider
from svmviz.widgets.inputs.slider_scale import Track
from svmviz.widgets.inputs.ticked_slider import Groove
from svmviz.widgets.plain_text import tip_of
from tests.widgets.emissions import Emissions


@pytest.fixture
def slider(qtbot, qapp: QApplication):
    apply(qapp, LIGHT, 1.0)
    made = ValueSlider(
        "C", Track(1e-2, 1e4, endless=True), 1.0, infinity="∞ hard margin", tip="Penalty"
    )
    qtbot.addWidget(made)
    made.resize(320, 60)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.fixture
def emitted(slider: ValueSlider):
    return Emissions(slider)


def groove(slider: ValueSlider) -> Groove:
    return slider.findChildren(Groove)[0]


def field(slider: ValueSlider) -> QLineEdit:
    return slider.findChildren(QLineEdit)[0]


def at(slider: ValueSlider, value: float) -> QPoint:
    """Place of a number in the groove."""
    return QPoint(round(groove(slider).x_of(slider.track.position(value))), 10)


def test_shows_the_default(slider: ValueSlider):
    assert slider.value == 1.0
    assert field(slider).text() == "1"
    assert "Penalty" in slider.toolTip()


def test_setting_by_the_program_emits_nothing(slider: ValueSlider, emitted: Emissions):
    slider.set_value(37.5)
    slider.set_value(math.inf)
    assert field(slider).text() == "∞ hard margin"
    assert (emitted.moved, emitted.released) == ([], [])


def test_a_number_beyond_the_slider_is_shown_and_kept(slider: ValueSlider, emitted: Emissions):
    slider.set_value(5e7)
    assert (slider.value, field(slider).text()) == (5e7, "5·10⁷")
    assert groove(slider).value() == slider.track.steps
    assert (emitted.moved, emitted.released) == ([], [])


def test_exact_numbers_are_kept(slider: ValueSlider):
    slider.set_value(1 / 3)
    assert slider.value == 1 / 3
    assert field(slider).text() == "0.3333"


def test_drag_moves_and_releases_once(qtbot, slider: ValueSlider, emitted: Emissions):
    qtbot.mousePress(groove(slider), Qt.MouseButton.LeftButton, pos=at(slider, 1))
    qtbot.mouseMove(groove(slider), at(slider, 10))
    qtbot.mouseMove(groove(slider), at(slider, 100))
    assert emitted.released == []
    qtbot.mouseRelease(groove(slider), Qt.MouseButton.LeftButton, pos=at(slider, 100))
    assert emitted.moved[-1] == emitted.released[0] == slider.value == pytest.approx(100, rel=0.1)
    assert len(emitted.released) == 1


def test_a_click_that_moves_nothing_emits_nothing(qtbot, slider: ValueSlider, emitted: Emissions):
    slider.set_value(slider.track.value(groove(slider).position_at(100)))
    qtbot.mouseClick(groove(slider), Qt.MouseButton.LeftButton, pos=QPoint(100, 10))
    assert (emitted.moved, emitted.released) == ([], [])


def test_right_end_is_infinity(qtbot, slider: ValueSlider, emitted: Emissions):
    end = QPoint(groove(slider).width() - 1, 10)
    qtbot.mouseClick(groove(slider), Qt.MouseButton.LeftButton, pos=end)
    assert emitted.released == [math.inf]
    assert field(slider).text() == "∞ hard margin"


def test_the_document_does_not_interrupt_a_drag(qtbot, slider: ValueSlider):
    qtbot.mousePress(groove(slider), Qt.MouseButton.LeftButton, pos=at(slider, 100))
    held = slider.value
    slider.set_value(1.0)
    assert slider.value == held
    qtbot.mouseRelease(groove(slider), Qt.MouseButton.LeftButton, pos=at(slider, 100))


def test_keyboard_moves_and_then_settles(qtbot, slider: ValueSlider, emitted: Emissions):
    groove(slider).setFocus()
    with qtbot.waitSignal(slider.released):
        for _ in range(3):
            qtbot.keyClick(groove(slider), Qt.Key.Key_Right)
    assert len(emitted.moved) == 3
    assert emitted.released == [slider.value]
    assert slider.value > 1


def turn(slider: ValueSlider) -> bool:
    """Turn the wheel by a notch over the groove, and say whether it was taken."""
    there = QPointF(at(slider, 1))
    event = QWheelEvent(
        there,
        groove(slider).mapToGlobal(there),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(groove(slider), event)
    return event.isAccepted()


def test_wheel_works_with_the_focus_only(qtbot, slider: ValueSlider, emitted: Emissions):
    field(slider).setFocus()
    assert not turn(slider)
    slider.activateWindow()
    groove(slider).setFocus()
    qtbot.waitUntil(groove(slider).hasFocus)
    with qtbot.waitSignal(slider.released):
        turn(slider)
        turn(slider)
    assert len(emitted.moved) == 2
    assert len(emitted.released) == 1


def test_hiding_does_not_lose_the_last_notch(qtbot, slider: ValueSlider, emitted: Emissions):
    groove(slider).setFocus()
    qtbot.keyClick(groove(slider), Qt.Key.Key_Right)
    slider.hide()
    assert emitted.released == [slider.value]


def type_in(qtbot, slider: ValueSlider, text: str) -> None:
    field(slider).setFocus()
    field(slider).selectAll()
    qtbot.keyClicks(field(slider), text)
    qtbot.keyClick(field(slider), Qt.Key.Key_Return)


@pytest.mark.parametrize(("text", "value"), [("37.5", 37.5), ("1e3", 1000), ("inf", math.inf)])
def test_typing_releases(qtbot, slider: ValueSlider, emitted: Emissions, text: str, value: float):
    type_in(qtbot, slider, text)
    assert emitted.released == [value]
    assert emitted.moved == []
    assert slider.value == value


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1e9", "C must be from 0.01 to 10,000: got 1·10⁹."),
        ("-1", "C must be from 0.01 to 10,000: got −1."),
        ("abc", "C must be a number: got 'abc'."),
        ("1e400", "C must be below 1.8·10³⁰⁸, the largest double: got '1e400'."),
    ],
)
def test_a_refused_text_stays_with_the_reason_until_escape(
    qtbot, slider: ValueSlider, emitted: Emissions, text: str, why: str
):
    field(slider).setFocus()
    field(slider).selectAll()
    qtbot.keyClicks(field(slider), text)
    assert field(slider).property("invalid") is True
    assert field(slider).toolTip() == tip_of(why)
    assert slider.error_text == ""
    qtbot.keyClick(field(slider), Qt.Key.Key_Return)
    assert (field(slider).text(), slider.error_text) == (text, why)
    qtbot.keyClick(field(slider), Qt.Key.Key_Escape)
    assert (field(slider).text(), slider.error_text) == ("1", "")
    assert field(slider).property("invalid") is False
    assert (slider.value, emitted.released) == (1.0, [])


def test_a_number_after_a_refused_text_takes_the_reason_away(qtbot, slider: ValueSlider, emitted):
    type_in(qtbot, slider, "abc")
    type_in(qtbot, slider, "20")
    assert (slider.error_text, field(slider).text()) == ("", "20")
    type_in(qtbot, slider, "abc")
    qtbot.mouseClick(groove(slider), Qt.MouseButton.LeftButton, pos=at(slider, 10))
    assert (slider.error_text, field(slider).text()) == ("", "10")
    assert emitted.released == [20.0, 10.0]


def test_only_whole_numbers_of_the_slider_are_taken(qtbot, show):
    slider = show(ValueSlider("Folds k", Track(2, 30, logarithmic=False, whole=True), 5))
    for text in ("2.5", "31"):
        type_in(qtbot, slider, text)
        assert slider.error_text == (f"Folds k must be a whole number from 2 to 30: got {text}.")
    type_in(qtbot, slider, "30")
    assert (slider.value, slider.error_text) == (30.0, "")


def test_typing_the_same_number_emits_nothing(qtbot, slider: ValueSlider, emitted: Emissions):
    type_in(qtbot, slider, "1")
    assert emitted.released == []


def test_what_is_being_typed_is_not_overwritten(qtbot, slider: ValueSlider):
    slider.activateWindow()
    field(slider).setFocus()
    qtbot.waitUntil(field(slider).hasFocus)
    field(slider).selectAll()
    qtbot.keyClicks(field(slider), "12")
    slider.set_value(3.0)
    assert field(slider).text() == "12"


def test_double_click_on_the_name_goes_home(qtbot, slider: ValueSlider, emitted: Emissions):
    slider.set_value(500)
    name = next(label for label in slider.findChildren(QLabel) if label.text() == "C")
    qtbot.mouseDClick(name, Qt.MouseButton.LeftButton)
    assert emitted.released == [1.0]
    qtbot.mouseDClick(name, Qt.MouseButton.LeftButton)
    assert emitted.released == [1.0]


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_nothing_is_cut_off(qtbot, qapp: QApplication, slider: ValueSlider, scale: float):
    apply(qapp, LIGHT, 1.0, scale)
    try:
        slider.set_value(math.inf)
        text_width = field(slider).fontMetrics().horizontalAdvance("∞ hard margin")
        assert field(slider).width() >= text_width + 10 * scale
        before = slider.sizeHint()
        slider.set_value(0.0123)
        assert slider.sizeHint() == before
    finally:
        apply(qapp, LIGHT, 1.0)


def test_a_click_makes_a_number_ready_to_be_typed_over(qtbot, slider):
    field = slider._field
    slider.activateWindow()
    qtbot.waitUntil(slider.isActiveWindow)
    groove(slider).setFocus()
    qtbot.mouseClick(field, Qt.MouseButton.LeftButton)
    assert field.selectedText() == field.text()
    qtbot.keyClicks(field, "25")
    assert field.text() == "25"
    # The next click is for the cursor.
    qtbot.mouseClick(field, Qt.MouseButton.LeftButton)
    assert not field.hasSelectedText()
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert slider.value == 25.0


def test_the_mouse_hits_round_numbers_and_with_shift_all(
    qtbot, slider: ValueSlider, emitted: Emissions
):
    left = Qt.MouseButton.LeftButton
    for value in (0.02, 0.5, 1, 2, 5, 10, 2000):
        # One pixel away from it, where a user may click.
        beside = at(slider, value) + QPoint(1, 0)
        qtbot.mouseClick(groove(slider), left, pos=beside)
        assert slider.value == value
    qtbot.mouseClick(
        groove(slider), left, Qt.KeyboardModifier.ShiftModifier, pos=at(slider, 10) + QPoint(3, 0)
    )
    assert slider.value == groove_value(slider, at(slider, 10).x() + 3) != 10


def groove_value(slider: ValueSlider, x: int) -> float:
    return slider.track.value(groove(slider).position_at(x))


@pytest.mark.parametrize("width", [160, 320, 900])
def test_numbers_below_the_groove_have_room(slider: ValueSlider, width: int):
    slider.resize(width, 60)
    shown = groove(slider).shown_numbers
    assert {"1", "∞"} <= set(shown.values())
    spans = sorted(groove(slider)._extent(position) for position in shown)
    assert spans[0][0] >= 0.0
    assert spans[-1][1] <= groove(slider).width()
    assert all(end < begin for (_, end), (begin, _) in pairwise(spans))


def test_a_screen_reader_says_the_number_not_the_position(qtbot, slider: ValueSlider, monkeypatch):
    interface = QAccessible.queryAccessibleInterface(groove(slider))
    assert interface.role() == QAccessible.Role.Slider
    assert interface.text(QAccessible.Text.Name) == "C 1"
    said = []

    def note(event):
        if event.type() == QAccessible.Event.NameChanged and event.object() is groove(slider):
            said.append(interface.text(QAccessible.Text.Name))

    monkeypatch.setattr(QAccessible, "updateAccessibility", note)
    was_active = QAccessible.isActive()
    QAccessible.setActive(True)
    try:
        qtbot.keyClick(groove(slider), Qt.Key.Key_Right)
        qtbot.keyClick(groove(slider), Qt.Key.Key_End)
    finally:
        QAccessible.setActive(was_active)
    assert said == ["C 2", "C ∞ hard margin"]
