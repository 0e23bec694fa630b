"""Kernels typed into the real window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint

from solvers import RBF, Composed, Custom, Linear
from svmviz.base.resources import path
from svmviz.document.document import Document
from svmviz.io.files import open_scene
from svmviz.panels.settings.data_panel import DataPanel
from svmviz.panels.settings.model_panel import ModelPanel
from tests.stages import eight
from tests.window.conftest import settle

pytestmark = pytest.mark.display


def panel_of(hand):
    return hand.window.findChild(ModelPanel)


def kernel_of(hand):
    return hand.window.stage.session.document.kernel


def retype(hand, control, text):
    hand.click_on(control.field, times=3)
    hand.until(control.field.hasFocus)
    hand.key("ctrl+a")
    hand.type(text)


def test_an_expression_is_solved_as_it_is_typed(open_window):
    hand = open_window(eight(kernel=Composed("linear")))
    session = hand.window.stage.session
    control = panel_of(hand).form.controls["expression"]
    retype(hand, control, "rbf(gamma=2) + linear")
    hand.until(lambda: kernel_of(hand) == Composed("rbf(gamma=2) + linear"))
    assert session.previewing
    hand.type(" + rbff")
    hand.until(lambda: control.complaint)
    assert "at character 25: there is no kernel 'rbff'" in control.complaint
    hand.rest(0.5)
    assert kernel_of(hand) == Composed("rbf(gamma=2) + linear")
    hand.key("BackSpace", "Return")
    hand.until(lambda: not session.previewing)
    assert kernel_of(hand) == Composed("rbf(gamma=2) + linear + rbf")
    assert session.undo_stack.count() == 1
    assert control.complaint == ""
    settle(hand)
    assert hand.window.stage.feed.frame.lane.stop.reason.value == "converged"
    hand.wake()
    session.undo_stack.undo()
    hand.until(lambda: control.field.text() == "linear")


def test_a_kernel_that_is_none_says_so(open_window):
    hand = open_window(eight(kernel=Custom()))
    line = panel_of(hand).mercer.label
    hand.until(lambda: line.text().startswith("Not positive semi-definite: on these points"))
    retype(hand, panel_of(hand).form.controls["formula"], "x1*z1 + x2*z2")
    hand.until(lambda: line.text().startswith("Positive semi-definite on these points"))
    retype(hand, panel_of(hand).form.controls["formula"], "log(x1)")
    hand.until(lambda: "log of a number that is not positive" in hand.window.stage.session.trouble)


def test_the_list_of_kernels_stays_inside_the_window(open_window):
    hand = open_window(eight(kernel=Linear()))
    combo = panel_of(hand).kernel.combo
    hand.click_on(combo)
    popup = combo.view().window()
    hand.until_still(popup)
    window = hand.window
    right = window.mapToGlobal(QPoint(window.width(), 0)).x()
    assert popup.geometry().right() < right
    assert popup.geometry().left() >= window.mapToGlobal(QPoint(0, 0)).x()
    # Qt takes the end of a double click for no choice.
    hand.rest(0.6)
    entry = combo.view().visualRect(combo.model().index(2, 0))
    hand.click(combo.view().viewport().mapToGlobal(entry.center()))
    hand.until(lambda: kernel_of(hand) == RBF())


def test_a_kernel_is_chosen_by_keys(open_window):
    hand = open_window(eight(kernel=Linear()))
    combo = panel_of(hand).kernel.combo
    combo.setFocus()
    combo.showPopup()
    hand.until(combo.view().window().isVisible)
    hand.key("Down", "Down", "Return")
    hand.until(lambda: kernel_of(hand) == RBF())


def test_generating_points_of_another_scale_says_that_gamma_is_set(open_window):
    document = Document(open_scene(path("penguins.csv")).document.data, kernel=RBF(0.05))
    hand = open_window(document)
    column = hand.window.docks.column
    column.fold([])
    note = column.findChild(ModelPanel).note
    assert note.isHidden()
    generate = column.findChild(DataPanel).generate
    hand.until_still(generate)
    hand.click_on(generate)
    session = hand.window.stage.session
    hand.until(lambda: session.document.data.class_names == ("-1", "+1"))
    assert session.document.kernel.gamma > 0.3
    assert note.isVisible()
    assert note.text().endswith("(was 0.05).")
    hand.window.plane.setFocus()
    hand.key("ctrl+z")
    hand.until(lambda: session.document == document)
    assert note.isHidden()
    hand.key("ctrl+y")
    hand.until(note.isVisible)
