"""Forms are made from settings, show an instance, and report changes by the user."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit

from solvers import KERNELS, METHODS, RBF, SMO, Pegasos, Polynomial, Subgradient, WorkingSet
from solvers.settings import settings_of
from svmviz.widgets.forms import SettingsForm
from svmviz.widgets.inputs.choice_box import ChoiceBox
from svmviz.widgets.inputs.ticked_slider import Groove
from svmviz.widgets.plain_text import words_of_tip
from tests.widgets.emissions import Emissions


def type_in(qtbot, control, text):
    field = control.findChild(QLineEdit)
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    return field


@pytest.mark.parametrize("kind", [*KERNELS.values(), *METHODS.values()])
def test_every_kind_gets_a_control_for_each_setting(show, kind):
    form = show(SettingsForm(kind()))
    assert list(form.controls) == list(settings_of(kind))
    for name, spec in settings_of(kind).items():
        control = form.controls[name]
        assert spec.help in words_of_tip(control)
        value = getattr(kind(), name)
        if isinstance(control, QCheckBox):
            assert control.isChecked() == value
        else:
            assert control.value == value


def test_showing_emits_nothing_and_keeps_the_controls(show):
    form = show(SettingsForm(Polynomial()))
    emitted, before = Emissions(form), dict(form.controls)
    form.set_instance(Polynomial(gamma=0.3, coef0=2.0, degree=5))
    assert form.controls == before
    assert form.controls["degree"].value == 5
    form.set_instance(RBF(2.0))
    assert list(form.controls) == ["gamma"]
    assert (emitted.moved, emitted.released) == ([], [])


def test_dragging_moves_and_letting_go_releases(qtbot, show):
    form = show(SettingsForm(RBF()))
    emitted = Emissions(form)
    groove = form.controls["gamma"].findChild(Groove)
    qtbot.mousePress(groove, Qt.MouseButton.LeftButton, pos=groove.rect().center())
    qtbot.mouseMove(groove, groove.rect().center() + groove.rect().center() / 3)
    assert emitted.moved
    assert emitted.released == []
    qtbot.mouseRelease(groove, Qt.MouseButton.LeftButton)
    assert emitted.released == [emitted.moved[-1]]
    assert isinstance(emitted.released[0], RBF)


def test_choices_and_switches_release_at_once(qtbot, show):
    form = show(SettingsForm(SMO()))
    emitted = Emissions(form)
    choice = form.controls["pair"]
    assert isinstance(choice, ChoiceBox)
    choice.set_value("maximal-violation")
    assert emitted.released == []
    choice.combo.activated.emit(1)
    assert emitted.released == [SMO(pair="maximal-violation")]
    form = show(SettingsForm(Pegasos()))
    emitted = Emissions(form)
    form.controls["average"].click()
    assert emitted.released == [Pegasos(average=True)]


def test_numbers_beyond_the_slider_may_be_typed(qtbot, show):
    form = show(SettingsForm(RBF()))
    emitted = Emissions(form)
    type_in(qtbot, form.controls["gamma"], "12,345")
    assert emitted.released == [RBF(12345.0)]
    form.set_instance(RBF(12345.0))
    assert form.controls["gamma"].findChild(QLineEdit).text() == "12,345"


def test_a_zero_that_leaves_the_choice_says_so(qtbot, show):
    form = show(SettingsForm(WorkingSet()))
    name = next(name for name, spec in settings_of(WorkingSet).items() if spec.zero)
    emitted, control = Emissions(form), form.controls[name]
    assert control.findChild(QLineEdit).text() == "by n"
    type_in(qtbot, control, "64")
    form.set_instance(emitted.released[-1])
    assert getattr(form.instance, name) == 64
    type_in(qtbot, control, "by n")
    assert emitted.released[-1] == WorkingSet()


@pytest.mark.parametrize(
    ("instance", "name", "text", "why"),
    [
        (RBF(), "gamma", "-1", "above 0"),
        (RBF(), "gamma", "abc", "a number"),
        (Polynomial(), "degree", "2.5", "whole"),
        (Polynomial(), "degree", "50", "at most 10"),
        (SMO(), "tol", "inf", "finite"),
        (SMO(), "tol", "1e400", "below 1.8·10³⁰⁸, the largest double"),
    ],
)
def test_an_invalid_text_is_explained_and_stays(qtbot, show, instance, name, text, why):
    form = show(SettingsForm(instance))
    emitted = Emissions(form)
    control = form.controls[name]
    field = type_in(qtbot, control, text)
    assert field.text() == text
    assert field.property("invalid") is True
    assert why in control.error_text
    assert emitted.released == []
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert control.error_text == ""
    assert field.property("invalid") is False


def test_double_click_on_a_name_goes_back(qtbot, show):
    form = show(SettingsForm(SMO(tol=1e-5, pair="maximal-violation")))
    emitted = Emissions(form)
    for name in ("tol", "pair"):
        label = form.controls[name].findChild(QLabel)
        qtbot.mouseDClick(label, Qt.MouseButton.LeftButton)
    assert emitted.released == [
        SMO(tol=1e-3, pair="maximal-violation"),
        SMO(tol=1e-3, pair="second-order"),
    ]


@pytest.mark.parametrize(
    ("reason", "claimed"),
    [(Qt.FocusReason.TabFocusReason, True), (Qt.FocusReason.MouseFocusReason, False)],
)
def test_arrow_keys_belong_to_a_slider_reached_by_tab_only(qapp, show, reason, claimed):
    groove = show(Groove(), 200, 30)
    qapp.sendEvent(groove, QFocusEvent(QEvent.Type.FocusIn, reason))
    none = Qt.KeyboardModifier.NoModifier
    asked = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Right, none)
    asked.ignore()
    qapp.sendEvent(groove, asked)
    assert asked.isAccepted() is claimed


def test_an_error_speaks_of_the_field_as_the_form_does(show):
    kernel, method = show(SettingsForm(Polynomial())), show(SettingsForm(Pegasos()))
    assert kernel._check_of("coef0")(-5.0) == "c must be at least 0: got -5."
    said = method._check_of("batch_size")(0.0)
    label = settings_of(Pegasos)["batch_size"].label
    assert said.startswith(f"{label} must be at least 1")
    assert said.endswith("got 0.")


def test_a_field_that_is_being_replaced_emits_nothing(show):
    form = show(SettingsForm(Pegasos()))
    seed, emitted = form.controls["seed"], []
    form.released.connect(emitted.append)
    field = seed.findChild(QLineEdit)
    # As by a key that arrives with the change: the field still exists when it handles it.
    field.setText("3")
    field.setModified(True)
    form.set_instance(Subgradient())
    field.returnPressed.emit()
    field.editingFinished.emit()
    assert emitted == []


def test_two_clicks_before_the_owner_shows_the_first_are_both_kept(show):
    form = show(SettingsForm(Pegasos()))
    emitted = Emissions(form)
    for name in ("project", "average"):
        form.controls[name].click()
    first, second = emitted.released
    assert (first.project, first.average) == (True, False)
    assert (second.project, second.average) == (True, True)
    # What the owner shows counts, even if it is not what was clicked.
    form.set_instance(Pegasos())
    form.controls["average"].click()
    assert emitted.released[-1] == Pegasos(average=True)
