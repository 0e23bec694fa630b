"""Layouts in the real window: chosen, brought and taken away, changed by hand, and remembered."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtWidgets import QTabBar

from solvers import SMO, Pegasos
from svmviz.document.examples import scenes
from svmviz.frames.frame import Frame
from svmviz.window.layouts.arrangement import MAX_TABS
from svmviz.window.menus.entries import all_entries
from svmviz.window.menus.palette import Palette
from tests.stages import eight
from tests.window.conftest import is_explaining, settle
from tests.window.user import xdotool

pytestmark = pytest.mark.display


def shown(window):
    """Names of the panels in sight."""
    docks = window.docks.docks.items()
    return {name for name, dock in docks if not dock.visibleRegion().isEmpty()}


def placed(window):
    return {name for name, dock in window.docks.docks.items() if not dock.isHidden()}


def choose(window, name):
    action_of(window, name).trigger()


def action_of(window, name):
    """The only entry of a layout; that of Explain is the command of F6."""
    return window.menus.actions[name if name == "explain" else f"layout-{name}"]


def ticked(window):
    window.menus.refresh()
    names = ("explore", "explain", "lesson", "compare", "choose")
    return [name for name in names if action_of(window, name).isChecked()]


def test_the_first_layout_has_the_settings_and_one_chart(user):
    window = user.window
    assert placed(window) == {"settings", "alpha"}
    user.until(lambda: shown(window) == {"settings", "alpha"})
    assert window.docks.settings.y() < window.docks.docks["alpha"].y()
    assert window.plane.width() > 0.55 * window.width()
    assert ticked(window) == ["explore"]


@pytest.mark.parametrize("size", [QSize(1280, 800), QSize(1024, 700)])
def test_each_layout_is_chosen_from_the_menu_and_leaves_half_the_window_to_the_plane(
    open_window, size
):
    user = open_window(eight(), size=size)
    window = user.window
    first = placed(window)
    for name, front in (
        ("explain", "pseudo-code"),
        ("lesson", "lesson"),
        ("compare", "race"),
        ("choose", "model-choice"),
    ):
        choose(window, name)
        user.until(lambda front=front: front in shown(window))
        user.until_still(window.plane)
        assert ticked(window) == [name]
        assert window.plane.width() >= 0.47 * size.width()
        assert window.size() == size
    choose(window, "explore")
    user.until(lambda: placed(window) == first)


def test_the_plane_keeps_half_of_a_window_that_shrinks(open_window):
    user = open_window(eight(), size=QSize(1500, 900))
    window = user.window
    # A panel that is made later gives the docks their shares again.
    user.until(lambda: window.docks.docks["alpha"].widget() is not None)
    user.until_still(window.plane)
    window.resizeDocks([window.docks.settings], [700], Qt.Orientation.Horizontal)
    user.until(lambda: window.docks.settings.width() == 700)
    for width in (1300, 1100, 900):
        window.resize(width, 900)
        user.until(lambda width=width: window.width() == width)
        user.until_still(window.plane)
        assert window.plane.width() >= 0.49 * width


def test_a_line_between_docks_that_was_dragged_stays_where_it_was_put(user, open_window, store):
    window = user.window
    settings = window.docks.settings
    user.until_still(settings)
    edge = settings.mapToGlobal(QPoint(-3, settings.height() // 2))
    width = settings.width()
    user.move(edge)
    xdotool("mousedown", 1)
    # Qt moves the line in a later turn of the event loop.
    for far in (40, 90):
        user.move(edge - QPoint(far, 0))
        user.rest(0.1)
    xdotool("mouseup", 1)
    user.rest(0.2)
    user.until(lambda: settings.width() > width + 30)
    wide = settings.width()
    # Another size of the window keeps the share of it.
    window.resize(1400, 800)
    user.until(lambda: abs(settings.width() - wide * 1400 / 1280) <= 4)
    choose(window, "choose")
    user.until(lambda: "model-choice" in shown(window))
    choose(window, "explore")
    user.until(lambda: abs(settings.width() - wide * 1400 / 1280) <= 4)
    window.close()
    again = open_window(eight(), size=QSize(1280, 800)).window
    user.until(lambda: abs(again.docks.settings.width() - wide) <= 4)
    again.menus.actions["layout-default"].trigger()
    user.until(lambda: again.docks.settings.width() == width)


def test_a_row_of_tabs_has_at_most_five_and_shows_all_names_and_the_settings(open_window):
    user = open_window(eight(), size=QSize(1024, 700))
    window = user.window
    names = ("objective", "step", "kkt", "kernel-matrix", "sums", "quadratic-program", "loss")
    for name in names:
        window.docks.show(name)
        user.until(lambda name=name: name in shown(window))
        user.until_still(window.docks.docks[name])
        user.rest(0.1)
        bars = [bar for bar in window.findChildren(QTabBar) if bar.isVisible()]
        for bar in bars:
            assert bar.count() <= MAX_TABS
            assert sum(bar.tabRect(tab).width() for tab in range(bar.count())) <= bar.width()
        assert "settings" in placed(window)
    # Those used last are still there.
    assert {"loss", "settings"} <= placed(window)
    assert "objective" not in placed(window)


def test_an_example_takes_its_panel_away_again(user):
    window = user.window
    window.docks.show("kkt")
    user.until(lambda: "kkt" in shown(window))
    before = placed(window)
    for stem, panel in (("own-line", "line"), ("human-overfitting", "split"), ("losses", "loss")):
        window._open_example(scenes()[stem])
        user.until(lambda panel=panel: panel in shown(window))
        # A scene may begin at another step.
        window.stage.playback.go_to_end()
        settle(user)
    window._open_example(scenes()["penguins"])
    user.until(lambda: placed(window) == before)
    # What was opened by hand stays, behind the panel of the layout.
    user.until(lambda: "alpha" in shown(window))


def test_a_race_brings_its_layout_and_takes_it_away(user):
    window, session = user.window, user.window.stage.session
    before = placed(window)
    session.edit(eight(methods=(SMO(), Pegasos(max_steps=100))), "Race")
    user.until(lambda: ticked(window) == ["compare"] and "race" in shown(window))
    session.edit(eight(), "One method")
    user.until(lambda: placed(window) == before and ticked(window) == ["explore"])


def test_what_is_changed_in_one_layout_does_not_change_another(user):
    window = user.window
    user.key("F6")
    user.until(lambda: is_explaining(window) and "kkt" in shown(window))
    user.until_still(window.plane)
    window.docks.docks["kkt"].close()
    user.until(lambda: "kkt" not in placed(window))
    user.key("F6")
    user.until(lambda: placed(window) == {"settings", "alpha"})
    user.key("F6")
    user.until(lambda: is_explaining(window) and "pair" in shown(window))
    # Explain is as it was left.
    assert placed(window) == {"pseudo-code", "step", "pair"}
    # The default layout of an explanation also ends it.
    window.menus.actions["layout-default"].trigger()
    user.until(lambda: placed(window) == {"settings", "alpha"})
    user.key("F6")
    user.until(lambda: placed(window) == {"pseudo-code", "step", "pair", "kkt"})


def test_a_layout_chosen_during_a_race_ends_with_the_race(user):
    window, session = user.window, user.window.stage.session
    session.edit(eight(methods=(SMO(), Pegasos(max_steps=100))), "Race")
    user.until(lambda: ticked(window) == ["compare"])
    choose(window, "choose")
    user.until(lambda: ticked(window) == ["choose"])
    session.edit(eight(), "One method")
    user.until(lambda: ticked(window) == ["explore"] and placed(window) == {"settings", "alpha"})


def test_place_and_layouts_are_remembered(open_window, store):
    first = open_window(eight())
    window = first.window
    window.docks.show("model")
    first.until(lambda: "model" in shown(window))
    window.docks.docks["alpha"].hide()
    window.docks.show("table")
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, window.docks.settings)
    window.docks.column.fold(["solver"])
    first.until_still(window.plane)
    window.resize(1100, 760)
    first.until(lambda: window.height() == 760)
    window.move(40, 30)
    first.until(lambda: (window.x(), window.y()) == (40, 30))
    first.until_still(window.plane)
    window.close()
    assert store.values.geometry
    again = open_window(eight(), size=None).window
    docks = again.docks.docks
    assert again.size() == QSize(1100, 760)
    assert (again.x(), again.y()) == (40, 30)
    assert docks["model"].isVisible()
    assert docks["alpha"].isHidden()
    assert docks["table"].isVisible()
    first.until(lambda: docks["table"].widget() is not None)
    assert again.dockWidgetArea(docks["settings"]) == Qt.DockWidgetArea.LeftDockWidgetArea
    assert again.docks.column.folded == ["solver"]


def test_each_layout_folds_its_own_cards_also_after_a_restart(user, open_window, store):
    window, column = user.window, user.window.docks.column
    column.fold(["solver"])
    choose(window, "choose")
    assert column.folded == ["data"]
    column.fold(["data", "model"])
    choose(window, "explore")
    assert column.folded == ["solver"]
    column.mores["model"].button.click()
    window.close()
    again = open_window(eight(), size=None).window
    assert again.docks.column.folded == ["solver"]
    assert again.docks.column.mores["model"].is_open
    choose(again, "choose")
    assert again.docks.column.folded == ["data", "model"]
    again.docks.reset(every=True)
    assert not again.docks.column.mores["model"].is_open
    assert again.docks.column.folded == ["data"]
    choose(again, "choose")
    assert again.docks.column.folded == ["data"]


def test_reset_all_resets_every_layout(user):
    window = user.window
    window.docks.show("model")
    window.docks.docks["alpha"].hide()
    window.docks.reset(every=True)
    user.until(lambda: placed(window) == {"settings", "alpha"})
    assert not window.docks.layouts.stored["own"]


@pytest.mark.parametrize(
    "stored",
    [
        3,
        {"own": 3, "present": [], "floating": {"alpha": "x", "x": [1, 2, 3, 4]}},
        {"own": {"explore": {}}},
    ],
)
def test_a_memory_that_makes_no_sense_is_forgotten(open_window, store, stored):
    store.set(geometry="!!", panels={"layouts": stored})
    window = open_window(eight(), size=None).window
    assert window.isVisible()
    assert {"settings", "alpha"} <= placed(window) or stored == {"own": {"explore": {}}}


def test_panels_are_hidden_and_shown_again(user):
    window, docks = user.window, user.window.docks
    docks.show("objective")
    user.until(lambda: "objective" in shown(window))
    user.key("F9")
    user.until(lambda: docks.layouts.are_hidden)
    user.until(lambda: window.plane.width() > 0.9 * window.width())
    assert not window.menus.actions["panels"].isChecked()
    user.key("F9")
    user.until(lambda: docks.docks["settings"].isVisible())
    user.until(lambda: "objective" in shown(window))
    assert window.menus.actions["panels"].isChecked()
    assert docks.docks["table"].isHidden()


def test_large_type_leaves_the_plane_alone_where_the_window_is_narrow(open_window):
    user = open_window(eight(), size=QSize(1024, 800))
    window, docks = user.window, user.window.docks
    assert not docks.layouts.are_hidden
    window.appearance.set_base(2.0)
    user.until(lambda: docks.layouts.are_hidden)
    user.until_still(window.plane)
    assert window.width() == 1024
    user.key("F9")
    user.until(lambda: not docks.layouts.are_hidden)
    user.until_still(window.plane)
    assert window.width() == 1024
    assert docks.docks["alpha"] in window.tabifiedDockWidgets(docks.settings)
    window.appearance.set_base(1.0)
    user.until(lambda: not window.tabifiedDockWidgets(docks.settings))
    assert docks.docks["alpha"].isVisible()


def test_settings_and_charts_are_tabs_where_half_the_height_would_cut_both(open_window):
    user = open_window(eight(), size=QSize(1024, 600))
    window, docks = user.window, user.window.docks
    assert docks.docks["alpha"] in window.tabifiedDockWidgets(docks.settings)
    assert "settings" in shown(window)
    docks.show("map")
    user.until(lambda: docks.docks["map"].widget() is not None)
    user.until_still(docks.docks["map"].widget())
    assert docks.docks["map"].height() > 0.8 * window.height()
    # In a higher window, both are in sight.
    window.resize(1024, 820)
    user.until(lambda: {"settings", "map"} <= shown(window))


def test_a_panel_opened_before_the_new_size_arrives_stays_in_front(open_window):
    user = open_window(eight(), size=QSize(1024, 800))
    window = user.window
    for height, name in ((600, "kkt"), (800, "objective")):
        # The event of the new size comes only after the panel was opened.
        xdotool("windowsize", int(window.winId()), 1024, height)
        window.docks.show(name)
        user.until(lambda height=height: window.height() == height)
        user.rest(0.3)
        assert name in shown(window)


@pytest.mark.parametrize("words", ["layout", "reset", "close panels", "workspace"])
def test_the_palette_finds_the_layouts(user, words):
    window = user.window
    entries = all_entries(
        window.menuBar(), window.docks, print, print, Frame(window.stage.session.document)
    )
    found = Palette(entries, window)
    found.show_in(window)
    found.field.setText(words)
    rows = [found.list.topLevelItem(row) for row in range(min(6, found.list.topLevelItemCount()))]
    assert "Default layout" in [row.text(0) for row in rows]
    found.close()


def test_the_first_panel_that_is_opened_gets_more_room_than_the_chart(user):
    window, docks = user.window, user.window.docks.docks
    before = docks["alpha"].height()
    docks["step"].toggleViewAction().trigger()
    user.until(lambda: docks["step"].height() > before + 60)
    assert docks["settings"].height() > 250
    # The others have this room then, unless the user has moved the line.
    height = docks["step"].height()
    window.docks.show("kkt")
    user.until(lambda: docks["kkt"].height() == height)


def test_an_example_without_a_panel_of_its_own_shows_that_of_the_layout(user):
    window = user.window
    window.docks.show("feature-map")
    user.until(lambda: window.stage.view.panel == "feature-map")
    window.stage.session.undo_stack.setClean()
    window._open_example(scenes()["two-clouds"])
    settle(user)
    user.until(lambda: window.stage.view.panel == "alpha")
