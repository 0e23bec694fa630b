"""Kernels typed into the real window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint

from solvers import RBF, Composed, Custom, Linear
from svmviz.base.resources import path
from svmviz.document.document import Document
from svmviz.io.open_and_save import open_scene
from svmviz.panels.controls.settings.model_panel import ModelPanel
from tests.choosing import choose
from tests.stages import eight
from tests.window.conftest import settle

pytestmark = pytest.mark.display


def panel_of(user):
    return user.window.findChild(ModelPanel)


def kernel_of(user):
    return user.window.stage.session.document.kernel


def retype(user, control, text):
    user.until_still(control.field)
    user.click_on(control.field, times=3)
    user.until(control.field.hasFocus)
    user.key("ctrl+a")
    user.type(text)


def test_an_expression_is_solved_as_it_is_typed(open_window):
    user = open_window(eight(kernel=Composed("linear")))
    session = user.window.stage.session
    control = panel_of(user).form.controls["expression"]
    retype(user, control, "rbf(gamma=2) + linear")
    user.until(lambda: kernel_of(user) == Composed("rbf(gamma=2) + linear"))
    assert session.previewing
    user.type(" + rbff")
    user.until(lambda: control.error_text)
    assert "at character 25: there is no kernel 'rbff'" in control.error_text
    user.rest(0.5)
    assert kernel_of(user) == Composed("rbf(gamma=2) + linear")
    user.key("BackSpace", "Return")
    user.until(lambda: not session.previewing)
    assert kernel_of(user) == Composed("rbf(gamma=2) + linear + rbf")
    assert session.undo_stack.count() == 1
    assert control.error_text == ""
    settle(user)
    assert user.window.stage.feed.frame.lane.stop.reason.value == "converged"
    user.wake()
    session.undo_stack.undo()
    user.until(lambda: control.field.text() == "linear")


def test_a_kernel_that_is_none_says_so(open_window):
    user = open_window(eight(kernel=Custom()))
    line, yes = panel_of(user).mercer.label, panel_of(user).mercer.yes
    user.until(lambda: line.text().startswith("Not positive semi-definite: on these points"))
    retype(user, panel_of(user).form.controls["formula"], "x1*z1 + x2*z2")
    # While it is typed, no kernel is checked.
    user.key("Return")
    user.until(lambda: yes.text().startswith("Positive semi-definite on these points"))
    retype(user, panel_of(user).form.controls["formula"], "log(x1)")
    user.until(lambda: "log of a number that is not positive" in user.window.stage.session.trouble)


def test_the_list_of_kernels_stays_inside_the_window(open_window):
    user = open_window(eight(kernel=Linear()))
    combo = panel_of(user).kernel.combo
    user.click_on(combo)
    popup = combo.view().window()
    user.until_still(popup)
    window = user.window
    right = window.mapToGlobal(QPoint(window.width(), 0)).x()
    assert popup.geometry().right() < right
    assert popup.geometry().left() >= window.mapToGlobal(QPoint(0, 0)).x()
    # Qt takes the end of a double click for no choice.
    user.rest(0.6)
    entry = combo.view().visualRect(combo.model().index(2, 0))
    user.click(combo.view().viewport().mapToGlobal(entry.center()))
    user.until(lambda: kernel_of(user) == RBF())


def test_a_kernel_is_chosen_by_keys(open_window):
    user = open_window(eight(kernel=Linear()))
    combo = panel_of(user).kernel.combo
    combo.setFocus()
    combo.showPopup()
    user.until(combo.view().window().isVisible)
    user.key("Down", "Down", "Return")
    user.until(lambda: kernel_of(user) == RBF())


def test_generating_points_of_another_scale_says_that_gamma_is_set(open_window):
    document = Document(open_scene(path("penguins.csv")).document.data, kernel=RBF(0.05))
    user = open_window(document)
    column = user.window.docks.column
    column.fold([])
    note = column.findChild(ModelPanel).note
    assert note.isHidden()
    choose(column.data.dataset, "moons")
    session = user.window.stage.session
    user.until(lambda: session.document.data.class_names == ("-1", "+1"))
    assert session.document.kernel.gamma > 0.3
    assert note.isVisible()
    assert note.text().endswith("(was 0.05).")
    user.window.plane.setFocus()
    user.key("ctrl+z")
    user.until(lambda: session.document == document)
    assert note.isHidden()
    user.key("ctrl+y")
    user.until(note.isVisible)
