"""Menus, theme and sizes, clipboard and pictures."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QInputDialog,
    QMessageBox,
    QToolButton,
    QWidgetAction,
)

from solvers import RBF
from svmviz import theme
from svmviz.panels.registry import PANELS, by_family
from svmviz.widgets.plain_text import words_of_tip
from svmviz.window.files.export_dialog import ExportDialog
from svmviz.window.menus.entries import plain_text
from svmviz.window.menus.keys_dialog import KeysDialog
from tests.stages import eight
from tests.window.conftest import settle

pytestmark = pytest.mark.display
RUNNING = ("play", "step", "back", "restart", "end", "go-to", "next-change", "next-sweep")
NEEDS_POINTS = ("copy", "jitter", "clear", *RUNNING)
NEEDS_SELECTION = ("delete", "flip")


def enabled(user, names):
    return {user.window.menus.actions[name].isEnabled() for name in names}


def test_actions_are_enabled_when_they_can_be_done(open_window):
    user = open_window()
    session = user.window.stage.session
    assert enabled(user, (*NEEDS_POINTS, *NEEDS_SELECTION, "undo", "redo", "stop")) == {False}
    assert enabled(user, ("new", "open", "save", "paste", "fit")) == {True}
    session.edit(eight(), "Open")
    settle(user)
    assert enabled(user, (*NEEDS_POINTS, "undo")) == {True}
    assert enabled(user, (*NEEDS_SELECTION, "redo", "stop")) == {False}
    user.key("ctrl+a")
    user.until(lambda: enabled(user, NEEDS_SELECTION) == {True})
    user.key("ctrl+z")
    user.until(lambda: enabled(user, NEEDS_POINTS) == {False})
    assert enabled(user, ("redo",)) == {True}


def test_menus_open_by_the_mouse(user):
    bar = user.window.menuBar()
    menu = user.window.menus.menus["Run"]
    user.click(bar.mapToGlobal(bar.actionGeometry(menu.menuAction()).center()))
    user.until(menu.isVisible)
    place = menu.actionGeometry(user.window.menus.actions["restart"]).center()
    user.click(menu.mapToGlobal(place))
    user.until(lambda: user.window.stage.playback.player.reading == 0)
    assert not menu.isVisible()


def menus_below(bar_or_menu, path=""):
    """Return the paths of all menus below a bar or menu, with the actions in each."""
    actions = bar_or_menu.actions()
    found = [(path, actions)]
    for action in actions:
        if action.menu() is not None:
            found += menus_below(action.menu(), f"{path} > {action.text()}")
    return found


def test_no_menu_has_a_mnemonic_twice(user):
    for path, actions in menus_below(user.window.menuBar()):
        by_key = {}
        for action in actions:
            if key := QKeySequence.mnemonic(action.text()).toString():
                by_key.setdefault(key, []).append(action.text())
        twice = {key: texts for key, texts in by_key.items() if len(texts) > 1}
        assert not twice, (path, twice)


def places(window):
    """Where the docks are, and which are seen."""
    return {
        name: (
            window.dockWidgetArea(dock),
            dock.isVisible(),
            bool(window.tabifiedDockWidgets(dock)),
        )
        for name, dock in window.docks.docks.items()
    }


def test_theme_and_size_keep_the_layout(user, store):
    window = user.window
    # Docks find their places after the window is seen.
    for name in ("settings", "alpha"):
        user.until_still(window.docks.docks[name])
    before, step = places(window), window.stage.playback.player.reading
    colour = window.plane.grab().toImage().pixelColor(5, 5)
    user.key("ctrl+d")
    user.until(lambda: window.appearance.is_dark)
    user.until(lambda: window.plane.grab().toImage().pixelColor(5, 5) != colour)
    user.until(lambda: places(window) == before)
    width, high = window.docks.settings.width(), window.menuBar().height()
    window.appearance.set_base(1.5)
    user.until(lambda: window.menuBar().height() > 1.3 * high)
    user.until(lambda: window.docks.settings.width() >= 1.3 * width)
    user.until_still(window.plane)
    # Settings and chart may share one place now, but on the same side.
    side = before["settings"][0]
    user.until(lambda: {area for area, seen, _ in places(window).values() if seen} == {side})
    assert window.width() == 1280
    assert store.values.theme == "dark"
    user.until(lambda: store.values.controls == 1.5)
    window.appearance.set_base(1.0)
    user.key("ctrl+d")
    user.until(lambda: not window.appearance.is_dark)
    user.until(lambda: window.menuBar().height() == high)
    user.until(lambda: places(window) == before)
    assert window.stage.playback.player.reading == step


@pytest.mark.parametrize("scale", theme.CONTROL_SIZES)
def test_the_window_fits_a_small_projector(open_window, qapp, scale):
    theme.apply(qapp, theme.LIGHT, 1.0, scale)
    window = open_window(eight()).window
    size = window.size()
    assert (size.width(), size.height()) == (1280, 800)
    for name in ("alpha", "objective", "model", "table", "settings"):
        window.docks.show(name)
        QApplication.processEvents()
    room = window.docks.settings.widget().viewport()
    assert window.docks.column.width() <= room.width()
    assert window.size() == size
    assert window.plane.height() >= 240


def test_points_are_copied_and_pasted_as_text(user):
    session, clipboard = user.window.stage.session, QApplication.clipboard()
    session.select([1, 2])
    user.key("ctrl+c")
    # Another test may have left something on the clipboard.
    user.until(lambda: "-2.1" in clipboard.text())
    assert len(clipboard.text().strip().splitlines()) >= 2
    user.key("ctrl+v")
    user.until(lambda: session.document.n == 10)
    assert session.undo_stack.count() == 1
    clipboard.setText("3 4 +1\n5\t6\t-1\n")
    user.key("ctrl+v")
    user.until(lambda: session.document.n == 12)
    assert session.document.data.points[-2:].tolist() == [[3, 4], [5, 6]]


def test_nonsense_is_not_pasted(user, answer):
    QApplication.clipboard().setText("what a day")
    said = []
    answer(lambda box: (said.append(box.informativeText()), user.key("Return")), QMessageBox)
    user.key("ctrl+v")
    user.until(lambda: said and QApplication.activeModalWidget() is None)
    assert user.window.stage.session.document.n == 8


def test_the_picture_goes_to_the_clipboard_at_twice_its_size_and_as_svg(user):
    clipboard = QApplication.clipboard()
    clipboard.clear()
    user.key("ctrl+shift+c")
    user.until(lambda: not clipboard.image().isNull())
    assert clipboard.image().size() == 2 * user.window.plane.size()
    assert bytes(clipboard.mimeData().data("image/svg+xml").data()).startswith(b"<?xml")


def test_an_unknown_ending_gets_a_known_one(user, answer, tmp_path):
    answer(
        lambda dialog: dialog.save.click(),
        ExportDialog,
    )
    answer(
        lambda _: (user.key("ctrl+a"), user.type(tmp_path / "x.jpg"), user.key("Return")),
        QFileDialog,
    )
    user.key("ctrl+e")
    user.until((tmp_path / "x.jpg.pdf").exists)
    user.until(lambda: not user.window.files.tasks._tasks)


def test_the_page_of_keys_opens_and_closes(user, answer):
    seen = []
    answer(lambda dialog: (seen.append(dialog), user.key("Escape")), KeysDialog)
    user.key("question")
    user.until(lambda: seen and not seen[0].isVisible())


def test_full_screen_comes_and_goes(user):
    window = user.window
    user.key("F11")
    user.until(window.isFullScreen)
    assert window.windowState() & Qt.WindowState.WindowFullScreen
    user.key("F11")
    user.until(lambda: not window.isFullScreen())


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_all_menus_have_room_beside_the_badge(open_window, scale):
    user = open_window(eight(), size=QSize(1024, 700))
    window = user.window
    bar = window.menuBar()
    window.appearance.set_base(scale)
    user.until(lambda: window.badge.height() == pytest.approx(26 * scale, abs=1))
    user.until_still(window.badge)
    last = bar.actionGeometry(window.menus.menus["Help"].menuAction())
    user.until(lambda: last.right() < window.badge.geometry().left())
    assert not bar.findChild(QToolButton, "qt_menubar_ext_button").isVisible()
    user.click(bar.mapToGlobal(last.center()))
    user.until(window.menus.menus["Help"].isVisible)
    user.key("Escape")


def test_a_fault_names_the_log_file(user, answer, tmp_path):
    sentences = []
    answer(lambda box: (sentences.append(box.informativeText()), box.close()), QMessageBox)
    user.window.messages.fault("ValueError: nothing", tmp_path / "svmviz.log")
    assert "ValueError: nothing" in sentences[0]
    assert str(tmp_path / "svmviz.log") in sentences[0]


def test_ways_to_open_stand_together(user):
    texts = [action.text().replace("&", "") for action in user.window.menus.menus["File"].actions()]
    first = texts[: texts.index("")]
    assert first == ["New", "Open…", "Open from text…", "Open recent", "Examples"]


def test_a_panel_that_is_not_offered_says_what_it_needs(open_window):
    user = open_window(eight())
    docks = user.window.docks
    for name, spec in PANELS.items():
        action = docks.docks[name].toggleViewAction()
        fits = spec.fits(user.window.stage.session.document)
        assert action.isEnabled() == fits
        action.hovered.emit()
        assert words_of_tip(action) == (spec.help if fits else f"This needs {spec.needs}.")
    session = user.window.stage.session
    session.edit(replace(session.document, kernel=RBF()), "kernel")
    action = docks.docks["weight-space"].toggleViewAction()
    assert not action.isEnabled()
    assert words_of_tip(action) == "This needs two classes and the linear kernel."


def test_another_size_of_type_leaves_the_theme_to_the_system(open_window, store):
    user = open_window(eight())
    user.window.appearance.set_scale(1.5)
    user.until(lambda: (store.values.theme, store.values.scale) == ("system", 1.5))
    user.window.appearance.toggle_dark()
    assert (store.values.theme, store.values.scale) == ("dark", 1.5)


def test_the_glide_is_a_switch_that_stays(open_window):
    user = open_window(eight())
    action = user.window.menus.actions["glide"]
    assert action.isChecked()
    action.trigger()
    assert not user.window.stage.playback.player.glides
    other = open_window(eight()).window
    assert not other.stage.playback.player.glides
    assert not other.menus.actions["glide"].isChecked()
    other.menus.actions["glide"].trigger()
    assert other.stage.playback.player.glides


def test_recent_files_tell_where_they_are(user, tmp_path):
    recent = user.window.menus.submenus.recent
    assert recent.toolTipsVisible()
    paths = [tmp_path / place for place in ("first/same.csv", "second/same.csv", "first/other.csv")]
    for path in paths:
        path.parent.mkdir(exist_ok=True)
        path.touch()
        user.window.memory.remember_file(path)
    recent.aboutToShow.emit()
    texts = [action.text() for action in recent.actions()[:3]]
    assert texts == ["other.csv", "same.csv (second)", "same.csv (first)"]


@pytest.mark.parametrize(("clock", "label"), [("steps", "Step, 0"), ("seconds", "Solving time, 0")])
def test_g_asks_in_the_unit_of_the_clock_until_it_is_a_number(user, answer, clock, label):
    playback, labels = user.window.stage.playback, []
    playback.set_clock(clock)

    def type_into(dialog, text):
        labels.append(dialog.labelText())
        dialog.setTextValue(text)
        dialog.accept()

    def type_nonsense(dialog):
        type_into(dialog, "two")
        # Only now, or both might answer the first dialog.
        answer(lambda dialog: type_into(dialog, "2"), QInputDialog)

    answer(type_nonsense, QInputDialog)
    user.window.menus.actions["go-to"].trigger()
    assert labels[0].startswith(label)
    assert labels[1].startswith("“two” is not a whole number")
    assert playback.player.reading == 2


def test_full_screen_hides_menu_and_tools_and_keeps_their_keys(user):
    window = user.window
    user.key("F11")
    user.until(lambda: window.menuBar().isHidden() and window.toolbar.isHidden())
    user.key("F9")
    user.until(lambda: window.docks.layouts.are_hidden)
    user.key("F9", "F11")
    user.until(lambda: window.menuBar().isVisible() and window.toolbar.isVisible())


def test_the_menu_has_the_panels_of_five_families(user):
    found: dict[str, list[list[str]]] = {}
    heading = ""
    for action in user.window.menus.submenus.panels.actions():
        if isinstance(action, QWidgetAction):
            heading = action.defaultWidget().text()
            continue
        inner = action.menu()
        entries = [one.text() for one in inner.actions()] if inner else [action.text()]
        found.setdefault(heading, []).append(entries)
    assert found.pop("") == [["Settings"], ["Lesson"]]
    assert found == {
        family: [[PANELS[name].title for name in views] for views in panels]
        for family, panels in by_family().items()
    }


def test_keys_of_panels_are_pressed_one_after_the_other(user):
    menus = user.window.menus
    panels = menus.submenus.panels
    panels.aboutToShow.emit()
    assert menus.actions["panel-settings"].text() == "Settings\tP then S"
    assert menus.menus["View"].actions()[1].menu() is panels


def test_quit_is_the_last_entry_of_the_file_menu(user):
    assert user.window.menus.menus["File"].actions()[-1] is user.window.menus.actions["quit"]


def test_no_command_stands_in_two_menus(user):
    # Theme > Dark and "Dark theme", Layout > Explain and "Explain the step" did the same.
    actions = user.window.menus.actions
    below = [a for _, found in menus_below(user.window.menuBar()) for a in found]
    for name in ("dark", "explain", "race", "add-to-race", "end-race"):
        assert below.count(actions[name]) == 1, name
    assert "layout-explain" not in actions
    races = [
        plain_text(path)
        for path, found in menus_below(user.window.menuBar())
        if any("race" in plain_text(action.text()).casefold() for action in found)
    ]
    commands = [path for path in races if not path.startswith(" > View > Panels")]
    assert commands == [" > Run", " > Run > Race"]
