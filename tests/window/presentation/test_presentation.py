"""The presentation: what it shows, its keys and controls, and the window afterwards."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QWidget

from solvers import SMO, Pegasos
from svmviz.theme import font
from svmviz.window.menus.keys_dialog import keys_as_html
from svmviz.window.presentation.screen import KEYS
from tests.stages import eight, moons
from tests.window.conftest import settle

pytestmark = pytest.mark.display


@pytest.fixture
def hand(open_window):
    return open_window(moons())


def present(hand):
    """Begin a presentation by its key, and return its window."""
    hand.key("F5")
    hand.until(lambda: hand.window.presentation.is_on)
    screen = hand.window.presentation.screen
    hand.until(screen.isActiveWindow)
    hand.until_still(screen)
    return screen


def leave(hand):
    hand.key("Escape")
    hand.until(lambda: not hand.window.presentation.is_on)
    hand.until(hand.window.isActiveWindow)
    hand.until_still(hand.window.plane)


def arrangement(window):
    """Every place in the window that a user would miss."""
    widgets = dict(window.docks.docks)
    widgets |= {"plane": window.plane, "bottom": window.bottom, "tools": window.toolbar}
    widgets |= {"menu": window.menuBar()}
    places = {
        name: (w.isHidden(), w.visibleRegion().isEmpty(), w.mapToGlobal(QPoint()), w.size())
        for name, w in widgets.items()
        if not w.isHidden()
    }
    return places, window.geometry(), window.windowState(), window.plane.camera


def test_it_shows_planes_line_and_caption_and_nothing_else(hand):
    screen = present(hand)
    assert not hand.window.isVisible()
    assert screen.geometry() == hand.window.screen().geometry()
    children = screen.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    shown = {child for child in children if child.isVisible()}
    assert shown == {hand.window.planes, screen.line, screen.caption}
    planes = hand.window.planes.size()
    assert planes.width() * planes.height() >= 0.65 * screen.width() * screen.height()
    hand.key("Home", "Right")
    hand.until(lambda: screen.caption.text.startswith("Step 1 "))


def test_the_window_is_as_it_was(hand):
    window = hand.window
    window.docks.show("step")
    hand.until_still(window.plane)
    before = arrangement(window)
    present(hand)
    leave(hand)
    assert arrangement(window) == before


def test_the_window_is_as_it_was_in_full_screen_and_without_panels(hand):
    window = hand.window
    hand.key("F11", "F9")
    hand.until(lambda: window.isFullScreen() and window.docks.layout.are_hidden)
    hand.until_still(window.plane)
    before = arrangement(window)
    present(hand)
    leave(hand)
    assert arrangement(window) == before
    hand.key("F11", "F9")
    hand.until(lambda: not window.isFullScreen() and not window.docks.layout.are_hidden)


def test_floating_docks_are_hidden_meanwhile(hand):
    dock = hand.window.docks.docks["settings"]
    dock.setFloating(True)
    hand.until(dock.isVisible)
    place = dock.geometry()
    present(hand)
    assert not dock.isVisible()
    leave(hand)
    hand.until(dock.isVisible)
    assert (dock.isFloating(), dock.geometry()) == (True, place)


def test_keys_of_a_clicker(hand):
    present(hand)
    player = hand.window.stage.playback.player
    position = 0
    hand.key("Home")
    hand.until(lambda: player.reading == 0)
    for key, change in (("Next", 1), ("Right", 1), ("space", 1), ("Prior", -1), ("Left", -1)):
        position += change
        hand.key(key)
        hand.until(lambda position=position: player.reading == position)
    hand.key("End")
    hand.until(lambda: player.reading == hand.window.stage.playback.length)
    hand.window.stage.playback.set_speed(0.5)
    hand.key("Home", "period")
    hand.until(lambda: player.playing)
    hand.key("period")
    hand.until(lambda: not player.playing)


def test_a_black_screen_hides_all_and_the_next_key_shows_the_same_step(hand):
    screen = present(hand)
    player = hand.window.stage.playback.player
    hand.key("Home", "Right", "b")
    hand.until(screen.blank.isVisible)
    assert screen.blank.geometry() == screen.rect()
    assert screen.blank.grab().toImage().pixelColor(5, 5) == Qt.GlobalColor.black
    hand.key("Next")
    hand.until(screen.blank.isHidden)
    assert player.reading == 1
    hand.key("b", "b", "Next")
    hand.until(lambda: player.reading == 2)
    assert screen.blank.isHidden()


def test_the_line_shows_the_position_in_the_run(hand):
    screen = present(hand)
    playback = hand.window.stage.playback
    hand.key("Home")
    hand.until(lambda: screen.line.share == 0.0)
    playback.seek(playback.length // 2)
    hand.until(lambda: screen.line.share == playback.length // 2 / playback.length)
    hand.key("End")
    hand.until(lambda: screen.line.share == 1.0)


def test_controls_appear_while_the_mouse_moves(hand):
    screen = present(hand)
    planes = hand.window.planes.geometry()
    assert screen.controls.isHidden()
    hand.move(QPoint(340, 240))
    hand.until(screen.controls.isVisible)
    assert screen.controls.geometry().bottom() <= screen.line.geometry().top()
    assert hand.window.planes.geometry() == planes
    hand.until(screen.controls.isHidden)


@pytest.mark.parametrize("method", [SMO(), Pegasos()])
def test_the_caption_is_whole_in_two_lines(open_window, method):
    hand = open_window(eight(methods=(method,)), size=QSize(1024, 700))
    screen = present(hand)
    caption, height = screen.caption, screen.height()
    for step in range(4):
        hand.window.stage.playback.seek(step)
        hand.until(lambda step=step: hand.window.stage.feed.panel_frame.lane.step == step)
        fitting = next(s for s in caption.sizes if _lines(caption, s) <= 2)
        assert QFontMetricsF(font(fitting)).height() <= 0.5 * caption.height()
        assert fitting >= height / 45


def _lines(caption, size):
    measure = QFontMetricsF(font(size))
    room = QRectF(0, 0, caption.width() - 40, 1e6)
    box = measure.boundingRect(room, Qt.TextFlag.TextWordWrap, caption.text)
    return round(box.height() / measure.lineSpacing())


def test_closing_it_returns_to_the_window_and_closing_the_window_ends_it(hand):
    present(hand).close()
    hand.until(lambda: not hand.window.presentation.is_on and hand.window.isVisible())
    hand.until(hand.window.isActiveWindow)
    present(hand)
    hand.window.stage.session.undo_stack.setClean()
    hand.window.close()
    assert not hand.window.presentation.is_on


def test_a_race_is_presented_too(open_window):
    hand = open_window(moons(methods=(SMO(), Pegasos())))
    before = arrangement(hand.window)
    present(hand)
    assert all(view.isVisible() for view in hand.window.planes.views)
    leave(hand)
    settle(hand)
    assert arrangement(hand.window) == before


def test_the_page_of_keys_lists_them(hand):
    page = keys_as_html(hand.window.menus.specs)
    assert all(entry.words in page for entry in KEYS)
