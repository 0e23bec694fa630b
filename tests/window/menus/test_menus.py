"""Menus, theme and projector size, clipboard and pictures."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QApplication,
    QDialogButtonBox,
    QFileDialog,
    QInputDialog,
    QMessageBox,
    QToolButton,
)

from solvers import RBF
from svmviz import theme
from svmviz.panels.registry import PANELS
from svmviz.window.files.export_dialog import ExportDialog
from svmviz.window.menus.keys_dialog import KeysDialog
from tests.stages import eight
from tests.window.conftest import settle

pytestmark = pytest.mark.display
RUNNING = ("play", "step", "back", "restart", "end", "go-to", "next-change", "next-sweep")
NEEDS_POINTS = ("copy", "jitter", "clear", *RUNNING)
NEEDS_SELECTION = ("delete", "flip")


def enabled(hand, names):
    return {hand.window.menus.actions[name].isEnabled() for name in names}


def test_actions_are_enabled_when_they_can_be_done(open_window):
    hand = open_window()
    session = hand.window.stage.session
    assert enabled(hand, (*NEEDS_POINTS, *NEEDS_SELECTION, "undo", "redo", "stop")) == {False}
    assert enabled(hand, ("new", "open", "save", "paste", "fit")) == {True}
    session.edit(eight(), "Open")
    settle(hand)
    assert enabled(hand, (*NEEDS_POINTS, "undo")) == {True}
    assert enabled(hand, (*NEEDS_SELECTION, "redo", "stop")) == {False}
    hand.key("ctrl+a")
    hand.until(lambda: enabled(hand, NEEDS_SELECTION) == {True})
    hand.key("ctrl+z")
    hand.until(lambda: enabled(hand, NEEDS_POINTS) == {False})
    assert enabled(hand, ("redo",)) == {True}


def test_menus_open_by_the_mouse(hand):
    bar = hand.window.menuBar()
    menu = hand.window.menus.menus["Run"]
    hand.click(bar.mapToGlobal(bar.actionGeometry(menu.menuAction()).center()))
    hand.until(menu.isVisible)
    place = menu.actionGeometry(hand.window.menus.actions["restart"]).center()
    hand.click(menu.mapToGlobal(place))
    hand.until(lambda: hand.window.stage.playback.player.reading == 0)
    assert not menu.isVisible()


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


def test_theme_and_size_keep_the_layout(hand, store):
    window = hand.window
    # Docks find their places after the window is seen.
    for name in ("settings", "alpha"):
        hand.until_still(window.docks.docks[name])
    before, step = places(window), window.stage.playback.player.reading
    colour = window.plane.grab().toImage().pixelColor(5, 5)
    hand.key("ctrl+d")
    hand.until(lambda: window.appearance.is_dark)
    hand.until(lambda: window.plane.grab().toImage().pixelColor(5, 5) != colour)
    hand.until(lambda: places(window) == before)
    assert window.menus.actions["dark"].isChecked()
    width, high = window.docks.settings.width(), window.menuBar().height()
    window.appearance.set_scale(1.5)
    hand.until(lambda: window.menuBar().height() > 1.3 * high)
    hand.until(lambda: window.docks.settings.width() >= 1.3 * width)
    hand.until_still(window.plane)
    # Settings and charts may share one place now, but on the same side; it is also the place of
    # what would open below them, for which a low window has no room.
    side = before["settings"][:1]
    hand.until(lambda: all(place[:1] == side for place in places(window).values()))
    assert window.width() == 1280
    assert store.values.theme == "dark"
    assert store.values.scale == 1.5
    window.appearance.set_scale(1.0)
    hand.key("ctrl+d")
    hand.until(lambda: not window.appearance.is_dark)
    hand.until(lambda: window.menuBar().height() == high)
    hand.until(lambda: places(window) == before)
    assert window.stage.playback.player.reading == step


@pytest.mark.parametrize("scale", theme.SCALES)
def test_the_window_fits_a_small_projector(open_window, qapp, scale):
    theme.apply(qapp, theme.LIGHT, scale)
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


def test_points_are_copied_and_pasted_as_text(hand):
    session, clipboard = hand.window.stage.session, QApplication.clipboard()
    session.select([1, 2])
    hand.key("ctrl+c")
    # Another test may have left something on the clipboard.
    hand.until(lambda: "-2.1" in clipboard.text())
    assert len(clipboard.text().strip().splitlines()) >= 2
    hand.key("ctrl+v")
    hand.until(lambda: session.document.n == 10)
    assert session.undo_stack.count() == 1
    clipboard.setText("3 4 +1\n5\t6\t-1\n")
    hand.key("ctrl+v")
    hand.until(lambda: session.document.n == 12)
    assert session.document.data.points[-2:].tolist() == [[3, 4], [5, 6]]


def test_nonsense_is_not_pasted(hand, answer):
    QApplication.clipboard().setText("what a day")
    said = []
    answer(lambda box: (said.append(box.informativeText()), hand.key("Return")), QMessageBox)
    hand.key("ctrl+v")
    hand.until(lambda: said and QApplication.activeModalWidget() is None)
    assert hand.window.stage.session.document.n == 8


def test_the_picture_goes_to_the_clipboard_at_twice_its_size_and_as_svg(hand):
    clipboard = QApplication.clipboard()
    clipboard.clear()
    hand.key("ctrl+shift+c")
    hand.until(lambda: not clipboard.image().isNull())
    assert clipboard.image().size() == 2 * hand.window.plane.size()
    assert bytes(clipboard.mimeData().data("image/svg+xml").data()).startswith(b"<?xml")


def test_an_unknown_ending_gets_a_known_one(hand, answer, tmp_path):
    answer(
        lambda dialog: (
            dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Save).click()
        ),
        ExportDialog,
    )
    answer(
        lambda _: (hand.key("ctrl+a"), hand.type(tmp_path / "x.jpg"), hand.key("Return")),
        QFileDialog,
    )
    hand.key("ctrl+e")
    hand.until((tmp_path / "x.jpg.pdf").exists)
    hand.until(lambda: not hand.window.files.tasks._tasks)


def test_the_page_of_keys_opens_and_closes(hand, answer):
    seen = []
    answer(lambda dialog: (seen.append(dialog), hand.key("Escape")), KeysDialog)
    hand.key("question")
    hand.until(lambda: seen and not seen[0].isVisible())


def test_full_screen_comes_and_goes(hand):
    window = hand.window
    hand.key("F11")
    hand.until(window.isFullScreen)
    assert window.windowState() & Qt.WindowState.WindowFullScreen
    hand.key("F11")
    hand.until(lambda: not window.isFullScreen())


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_all_menus_have_room_beside_the_badge(open_window, scale):
    hand = open_window(eight(), size=QSize(1024, 700))
    window = hand.window
    bar = window.menuBar()
    window.appearance.set_scale(scale)
    hand.until(lambda: window.badge.height() == pytest.approx(26 * scale, abs=1))
    hand.until_still(window.badge)
    last = bar.actionGeometry(window.menus.menus["Help"].menuAction())
    hand.until(lambda: last.right() < window.badge.geometry().left())
    assert not bar.findChild(QToolButton, "qt_menubar_ext_button").isVisible()
    hand.click(bar.mapToGlobal(last.center()))
    hand.until(window.menus.menus["Help"].isVisible)
    hand.key("Escape")


def test_a_fault_names_the_log_file(hand, answer, tmp_path):
    sentences = []
    answer(lambda box: (sentences.append(box.informativeText()), box.close()), QMessageBox)
    hand.window.messages.fault("ValueError: nothing", tmp_path / "svmviz.log")
    assert "ValueError: nothing" in sentences[0]
    assert str(tmp_path / "svmviz.log") in sentences[0]


def test_ways_to_open_stand_together(hand):
    texts = [action.text().replace("&", "") for action in hand.window.menus.menus["File"].actions()]
    first = texts[: texts.index("")]
    assert first == ["New", "Open…", "Open recent", "Examples"]


def test_a_panel_that_is_not_offered_says_what_it_needs(open_window):
    hand = open_window(eight())
    docks = hand.window.docks
    for name, spec in PANELS.items():
        action = docks.docks[name].toggleViewAction()
        assert action.isEnabled()
        assert action.toolTip() == spec.help
    session = hand.window.stage.session
    session.edit(replace(session.document, kernel=RBF()), "kernel")
    action = docks.docks["weight-space"].toggleViewAction()
    assert not action.isEnabled()
    assert action.toolTip() == "It needs two classes and the linear kernel."


def test_another_size_of_type_leaves_the_theme_to_the_system(open_window, store):
    hand = open_window(eight())
    hand.window.appearance.set_scale(1.5)
    assert (store.values.theme, store.values.scale) == ("system", 1.5)
    hand.window.appearance.toggle_dark()
    assert (store.values.theme, store.values.scale) == ("dark", 1.5)


def test_recent_files_tell_where_they_are(hand, tmp_path):
    recent = hand.window.menus.submenus.recent
    assert recent.toolTipsVisible()
    paths = [tmp_path / place for place in ("first/same.csv", "second/same.csv", "first/other.csv")]
    for path in paths:
        path.parent.mkdir(exist_ok=True)
        path.touch()
        hand.window.memory.remember_file(path)
    recent.aboutToShow.emit()
    texts = [action.text() for action in recent.actions()[:3]]
    assert texts == ["other.csv", "same.csv (second)", "same.csv (first)"]


@pytest.mark.parametrize(("clock", "label"), [("steps", "Step, 0"), ("seconds", "Solving time, 0")])
def test_g_asks_in_the_unit_of_the_clock_until_it_is_a_number(hand, answer, clock, label):
    playback, labels = hand.window.stage.playback, []
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
    hand.window.menus.actions["go-to"].trigger()
    assert labels[0].startswith(label)
    assert labels[1].startswith("“two” is not a whole number")
    assert playback.player.reading == 2


def test_full_screen_hides_menu_and_tools_and_keeps_their_keys(hand):
    window = hand.window
    hand.key("F11")
    hand.until(lambda: window.menuBar().isHidden() and window.toolbar.isHidden())
    hand.key("F9")
    hand.until(lambda: window.docks.layout.are_hidden)
    hand.key("F9", "F11")
    hand.until(lambda: window.menuBar().isVisible() and window.toolbar.isVisible())
