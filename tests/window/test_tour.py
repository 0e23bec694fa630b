"""The tour of the window (docs/tour.md), done by the keyboard alone: each item with real keys."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QAccessible, QImageReader
from PySide6.QtWidgets import QApplication, QFileDialog

from svmviz.base.resources import path
from svmviz.document.examples import FIRST_SCENE
from svmviz.io.open_and_save import open_scene
from svmviz.panels.frame_panel import FramePanel
from svmviz.window.files.export_dialog import ExportDialog
from svmviz.window.files.run_dialog import RunDialog
from tests.window.conftest import settle

pytestmark = pytest.mark.display


@pytest.fixture
def reader(open_window):
    """The user of a window with the two clouds of the first start."""
    return open_window(open_scene(path(f"scenes/{FIRST_SCENE}.svmviz")).document)


def document(user):
    return user.window.stage.session.document


def reading(user):
    return user.window.stage.playback.player.reading


def press(user, *keys):
    user.key(*keys)
    user.until_heard()


def name_of(widget):
    """The name that a screen reader says; on Linux the name of a list of choices is its value."""
    interface = QAccessible.queryAccessibleInterface(widget)
    return widget.accessibleName() or interface.text(QAccessible.Text.Name)


def tab_to(user, name, key="Tab"):
    """Press Tab until the widget of this name has the focus; leave the plane, do not walk it."""
    for _ in range(60):
        press(user, key)
        widget = QApplication.focusWidget()
        if widget is user.window.plane:
            press(user, "Escape")
        elif name_of(widget) == name:
            return widget
    raise AssertionError(f"Tab reaches no {name}")


def open_panel(user, name, *keys):
    """Open a panel by its keys, and return it once it shows something."""
    press(user, "p", *keys)
    dock = user.window.docks.docks[name]
    assert QApplication.focusWidget() is dock
    user.until(lambda: dock.findChild(FramePanel))
    user.until_still(dock)
    return dock.findChild(FramePanel)


def find(user, words):
    """Open the palette and take the first entry with these words."""
    user.key("ctrl+k")
    user.until(QApplication.activePopupWidget)
    user.type(words)
    user.key("Return")
    user.until(lambda: QApplication.activePopupWidget() is None)


def watch(user):
    stage = user.window.stage
    press(user, "Home", "Right")
    assert reading(user) == 1
    user.until(lambda: stage.feed.panel_frame.lane.step == 1)
    first = user.window.bottom.narrator.text
    assert len(stage.feed.panel_frame.lane.marked) == 2
    user.key("space")
    user.until(lambda: reading(user) > 2)
    press(user, "space")
    assert not stage.playback.player.playing
    press(user, "Home", "Right")
    user.until(lambda: user.window.bottom.narrator.text == first)
    press(user, "Left")
    assert reading(user) == 0


def click(user):
    session = user.window.stage.session
    before = document(user)
    press(user, "2", "Tab", "Insert", "Up", "Up")
    user.until(lambda: not session.previewing)
    assert document(user).n == before.n + 1
    assert document(user).data.labels[-1] == -1
    press(user, "Left")
    user.until(lambda: not session.previewing)
    press(user, "Delete")
    assert document(user).n == before.n
    press(user, "ctrl+z", "ctrl+z", "ctrl+z")
    assert document(user).data == before.data
    press(user, "Escape")


def change_the_model(user):
    session = user.window.stage.session
    press(user, "p", "s")
    tab_to(user, "C")
    value = document(user).penalty.value
    press(user, "Right")
    assert document(user).penalty.value > value
    user.until(lambda: not session.previewing)
    tab_to(user, "Kernel", "shift+Tab")
    user.key("space")
    user.until(QApplication.activePopupWidget)
    user.type("Comp")
    user.key("Return")
    user.until(lambda: document(user).kernel.name == "composed")
    tab_to(user, "k(x, z) =")
    press(user, "ctrl+a")
    user.type("exp(linear()) + poly(2)*rbf(sigma=0.5)")
    press(user, "Return")
    user.until(lambda: "exp" in document(user).kernel.expression and not session.previewing)
    settle(user)
    assert reading(user) > 0
    # Return keeps the focus in the field; Escape leaves it.
    press(user, "Escape", "r")
    assert reading(user) == 0


def test_watch_click_and_change_the_model(reader):
    watch(reader)
    click(reader)
    change_the_model(reader)


def test_ask_why(reader):
    user, stage, before = reader, reader.window.stage, document(reader)
    press(user, "Home", "Right", "Right")
    panels = [
        open_panel(user, name, *keys)
        for name, *keys in (("step", "w"), ("pair", "p"), ("kkt", "k"), ("alpha", "a"))
    ]
    assert all(panel.window() is user.window for panel in panels)
    title = user.window.docks.docks["alpha"].windowTitle()
    tab_to(user, f"Close; open it again by View > Panels: {title}")
    press(user, "Escape", "Tab")
    assert stage.spotlight.index in stage.session.selection
    press(user, "Escape")
    find(user, "kernels and γ")
    user.until(lambda: stage.lesson.task is not None)
    settle(user)
    press(user, "p", "e")
    tab_to(user, "γ is 1. What is k of two points at distance 1?")
    user.type("0.368")
    user.key("Return")
    user.until(lambda: stage.lesson.task is None)
    tab_to(user, "Next")
    press(user, "Return")
    assert stage.lesson.index == 1
    press(user, "Escape", "p", "e", "p", "e")
    user.until(lambda: stage.lesson.lesson is None)
    assert document(user) is before


def test_compare(reader):
    user, stage = reader, reader.window.stage
    press(user, "a")
    assert len(document(user).methods) == 2
    settle(user)
    press(user, "Home", "Right")
    user.until(lambda: all(lane.step > 0 for lane in stage.feed.frame.lanes))
    press(user, "shift+a")
    assert len(document(user).methods) == 1


@pytest.mark.slow
def test_test_it(reader):
    user = reader
    folds = open_panel(user, "folds", "shift+f")
    user.until(lambda: folds.parts)
    press(user, "p", "shift+f")
    chart = open_panel(user, "map", "shift+m")
    tab_to(user, "Search")
    press(user, "Return")
    user.until(lambda: chart.model.best is not None)
    press(user, "p", "shift+m", "p", "shift+m")
    risk = open_panel(user, "risk", "r")
    tab_to(user, "Estimate")
    press(user, "Return")
    user.until(lambda: np.isfinite(risk.view.model.risk).any())


@pytest.mark.slow
def test_hold_points_out(reader):
    user, stage = reader, reader.window.stage
    open_panel(user, "split", "shift+s")
    tab_to(user, "80/20")
    press(user, "Return")
    user.until(lambda: document(user).held_out is not None)
    settle(user)
    tab_to(user, "Reveal test points")
    press(user, "Return")
    user.until(lambda: document(user).held_out.seen)
    assert len(document(user).held_out.test.labels)
    user.until(lambda: stage.feed.frame.document is document(user))


def test_take_it_away(reader, answer, tmp_path):
    user = reader

    def save_as(name):
        def type_name(dialog):
            user.key("ctrl+a")
            user.type(str(tmp_path / name))
            user.key("Return")

        answer(type_name, QFileDialog)

    answer(lambda dialog: user.key("Return"), ExportDialog)
    save_as("plane.png")
    user.key("ctrl+e")
    user.until(lambda: (tmp_path / "plane.png").exists())
    assert QImageReader(str(tmp_path / "plane.png")).canRead()
    answer(lambda dialog: user.key("Return"), RunDialog)
    save_as("run.gif")
    user.key("ctrl+shift+e")
    user.until(lambda: (tmp_path / "run.gif").exists())
    user.until(lambda: "run.gif" in user.window.notice.text)
    save_as("scene.svmviz")
    user.key("ctrl+s")
    user.until(lambda: (tmp_path / "scene.svmviz").exists())
    assert open_scene(tmp_path / "scene.svmviz").document.data == document(user).data
