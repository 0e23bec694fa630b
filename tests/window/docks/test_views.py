"""The views of a panel: one dock's place, a row of buttons, and the old names."""

from __future__ import annotations

import math
import unicodedata
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication

from svmviz.document.document import Penalty
from svmviz.panels.registry import PANELS, views_of
from svmviz.widgets.tab_order import give_focus
from tests.stages import eight


@pytest.fixture
def user(open_window):
    return open_window(eight())


def shown(window) -> set[str]:
    return {name for name, dock in window.docks.docks.items() if not dock.isHidden()}


def row_of(window, name: str):
    return window.docks.docks[name].titleBarWidget().views


def place_of(window, name: str):
    dock = window.docks.docks[name]
    return dock.mapToGlobal(QPoint(0, 0)), dock.size()


def test_a_view_stands_where_the_one_before_it_stood(user):
    window = user.window
    window.docks.show("kernel-matrix")
    user.until(lambda: window.stage.view.panel == "kernel-matrix")
    user.until_still(window.docks.docks["kernel-matrix"])
    before, place = shown(window), place_of(window, "kernel-matrix")
    assert window.docks.docks["components"].widget() is None
    user.click_on(row_of(window, "kernel-matrix").button("components"))
    user.until(lambda: window.stage.view.panel == "components")
    assert shown(window) == before - {"kernel-matrix"} | {"components"}
    user.until(lambda: place_of(window, "components") == place)
    user.until(lambda: window.docks.docks["components"].widget() is not None)
    assert window.docks.docks["feature-map"].widget() is None
    assert row_of(window, "components").value == "components"
    assert row_of(window, "kernel-matrix").value == "kernel-matrix"
    # Its old name opens a view too, and never two of one panel.
    window.docks.show("feature-map")
    assert len(shown(window) & set(views_of("feature-map"))) == 1
    user.until(lambda: window.stage.view.panel == "feature-map")


def test_the_focus_stays_in_the_row_of_views(user):
    window = user.window
    window.docks.show("map")
    user.until(lambda: row_of(window, "map") is not None and row_of(window, "map").isVisible())
    give_focus(row_of(window, "map").button("map"))
    user.key("Right")
    user.until(lambda: window.stage.view.panel == "risk")
    user.until(lambda: QApplication.focusWidget() is row_of(window, "risk").button("risk"))
    user.key("Left")
    user.until(lambda: window.stage.view.panel == "map")


def test_a_view_that_does_not_fit_says_what_it_needs(user):
    window, session = user.window, user.window.stage.session
    window.docks.show("slice")
    user.until(lambda: window.stage.view.panel == "slice")
    soft = session.document
    session.edit(replace(soft, penalty=Penalty("C", math.inf)), "hard")
    # The panel stays, with a view that fits; the one before comes back with the document.
    user.until(lambda: "loss" in shown(window))
    assert "slice" not in shown(window)
    button = row_of(window, "loss").button("slice")
    assert not button.isEnabled()
    # The letters of formulas are typeset.
    assert unicodedata.normalize("NFKC", button.toolTip()) == "This needs a finite C."
    assert row_of(window, "loss").button("budget").isEnabled()
    session.edit(soft, "soft")
    user.until(lambda: "slice" in shown(window) and "loss" not in shown(window))
    session.edit(replace(soft, penalty=Penalty("C", math.inf)), "hard")
    user.until(lambda: "loss" in shown(window))
    window.docks.docks["loss"].close()
    session.edit(soft, "soft")
    window.docks.layouts.fit()
    assert not shown(window) & set(views_of("slice"))


def test_the_row_has_the_titles_of_the_views_in_order(user):
    window = user.window
    for name in ("hulls", "objective", "model"):
        window.docks.show(name)
        views = views_of(name)
        row = row_of(window, name)
        assert row.keys == views
        assert [row.button(view).text() for view in views] == [PANELS[v].title for v in views]
    assert row_of(window, "objective").button("race").isEnabled()
    window.docks.show("kkt")
    assert row_of(window, "kkt") is None
