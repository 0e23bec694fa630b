"""The presentation: what it shows, its keys and controls, and the window afterwards."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QDialog, QLabel, QWidget

from solvers import SMO, Hulls, InteriorPoint, Pegasos
from svmviz.base.notation import ITALICS, html_in_letters, of_keys
from svmviz.panels.registry import PANELS
from svmviz.theme import DARK, LIGHT, apply, font
from svmviz.widgets.more import More
from svmviz.widgets.scroller import Scroller
from svmviz.window.menus.keys_dialog import keys_as_html
from svmviz.window.presentation.screen import KEYS
from tests.stages import eight, moons
from tests.window.conftest import settle
from tests.window.presentation.conftest import leave, present
from tests.window.user import xdotool

pytestmark = pytest.mark.display


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


def test_it_shows_planes_line_and_caption_and_nothing_else(user):
    user.window.docks.docks["alpha"].close()
    screen = present(user)
    assert not user.window.isVisible()
    assert screen.geometry() == user.window.screen().geometry()
    user.key("Left")
    user.until(user.window.notice.isHidden)
    children = screen.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    shown = {child for child in children if child.isVisible()}
    assert shown == {user.window.planes, screen.model, screen.line, screen.caption}
    words = "SMO · RBF, γ = 1 · C = 10 · "
    assert screen.model.accessibleName() == words + user.window.badge.badge.text
    planes = user.window.planes.size()
    assert planes.width() * planes.height() >= 0.65 * screen.width() * screen.height()
    user.key("Home", "Right")
    user.until(lambda: screen.caption.text.startswith("Step 1 "))


def test_the_window_is_as_it_was(user):
    window = user.window
    window.docks.show("step")
    user.until_still(window.plane)
    before = arrangement(window)
    present(user)
    leave(user)
    assert arrangement(window) == before


def test_a_presentation_may_end_before_it_is_shown(user):
    window = user.window
    window.docks.show("step")
    user.until_still(window.plane)
    before = arrangement(window)
    for begin in (window.presentation.begin, window.presentation.toggle_second_picture):
        begin()
        assert window.presentation.is_on
        window.presentation.end()
        assert not window.presentation.is_on
        user.wake()
        user.until_still(window.plane)
        assert arrangement(window) == before
    present(user)
    leave(user)
    assert arrangement(window) == before


def test_the_window_is_as_it_was_in_full_screen_and_without_panels(user):
    window = user.window
    user.key("F11", "F9")
    user.until(lambda: window.isFullScreen() and window.docks.layouts.are_hidden)
    user.until_still(window.plane)
    before = arrangement(window)
    present(user)
    leave(user)
    assert arrangement(window) == before
    user.key("F11", "F9")
    user.until(lambda: not window.isFullScreen() and not window.docks.layouts.are_hidden)


def test_keys_of_a_clicker(user):
    present(user)
    player = user.window.stage.playback.player
    position = 0
    user.key("Home")
    user.until(lambda: player.reading == 0)
    for key, change in (("Next", 1), ("Right", 1), ("Prior", -1), ("Left", -1)):
        position += change
        user.key(key)
        user.until(lambda position=position: player.reading == position)
    user.key("End")
    user.until(lambda: player.reading == user.window.stage.playback.length)
    user.window.stage.playback.set_speed(0.5)
    for key in ("period", "space"):
        user.key("Home", key)
        user.until(lambda: player.playing)
        user.key(key)
        user.until(lambda: not player.playing)


def test_a_black_screen_hides_all_and_the_next_key_shows_the_same_step(user):
    screen = present(user)
    player = user.window.stage.playback.player
    user.key("Home", "Right", "b")
    user.until(screen.blank.isVisible)
    assert screen.blank.geometry() == screen.rect()
    assert screen.blank.grab().toImage().pixelColor(5, 5) == Qt.GlobalColor.black
    user.key("Next")
    user.until(screen.blank.isHidden)
    assert player.reading == 1
    user.key("b", "b", "Next")
    user.until(lambda: player.reading == 2)
    assert screen.blank.isHidden()


def test_the_line_shows_the_position_in_the_run(user):
    screen = present(user)
    playback = user.window.stage.playback
    user.key("Home")
    user.until(lambda: screen.line.value() == 0)
    playback.seek(playback.length // 2)
    user.until(lambda: screen.line.value() == playback.length // 2)
    assert screen.line.maximum() == playback.length
    user.key("End")
    user.until(lambda: screen.line.value() == playback.length)


def test_controls_take_the_place_of_the_sentence_while_the_mouse_is_at_the_lower_edge(user):
    screen = present(user)
    planes = user.window.planes.geometry()
    assert screen.controls.isHidden()
    middle, edge = planes.center(), QPoint(screen.width() // 2, screen.height() - 5)
    user.move(screen.mapToGlobal(middle))
    user.rest()
    assert screen.controls.isHidden()
    user.move(screen.mapToGlobal(edge))
    user.until(screen.controls.isVisible)
    # They cover neither planes nor panel.
    assert screen.controls.geometry().top() >= screen.line.geometry().top()
    assert user.window.planes.geometry() == planes
    user.move(screen.mapToGlobal(middle))
    user.until(screen.controls.isHidden)
    user.move(screen.mapToGlobal(edge))
    user.until(screen.controls.isVisible)
    # A mouse that rests does not hide the sentence for long.
    user.until(screen.controls.isHidden)


@pytest.mark.parametrize("method", [SMO(), Pegasos()])
def test_the_caption_is_whole_in_two_lines(open_window, method):
    user = open_window(eight(methods=(method,)), size=QSize(1024, 700))
    screen = present(user)
    caption, height = screen.caption, screen.height()
    for step in range(4):
        user.window.stage.playback.seek(step)
        user.until(lambda step=step: user.window.stage.feed.panel_frame.lane.step == step)
        fitting = next(s for s in caption.sizes if _lines(caption, s) <= 2)
        assert QFontMetricsF(font(fitting)).height() <= 0.5 * caption.height()
        assert fitting >= height / 45


def _lines(caption, size):
    measure = QFontMetricsF(font(size))
    room = QRectF(0, 0, caption.width() - 40, 1e6)
    box = measure.boundingRect(room, Qt.TextFlag.TextWordWrap, caption.text)
    return round(box.height() / measure.lineSpacing())


def test_a_ring_shows_the_mouse_while_a_key_is_held(user):
    screen = present(user)
    place = screen.mapToGlobal(user.window.planes.geometry().center())
    user.move(place)
    user.until(lambda: screen.cursor().pos() == place)
    assert screen.ring.isHidden()
    xdotool("keydown", "l")
    try:
        user.until(screen.ring.isVisible)
        assert (screen.ring.centre.toPoint() - screen.mapFromGlobal(place)).manhattanLength() <= 4
        controls = screen.controls.isVisible()
        user.move(place + QPoint(60, -40))
        there = screen.mapFromGlobal(place + QPoint(60, -40))
        user.until(lambda: (screen.ring.centre.toPoint() - there).manhattanLength() <= 4)
        assert screen.controls.isVisible() <= controls
        # X repeats a key that is held.
        user.rest(0.8)
        assert screen.ring.isVisible()
    finally:
        xdotool("keyup", "l")
    user.until(screen.ring.isHidden)


def test_a_ring_shows_the_mouse_while_a_button_is_held_on_the_picture(user):
    screen = present(user)
    user.key("h")
    place = screen.mapToGlobal(user.window.planes.geometry().center())
    user.press(place)
    user.until(screen.ring.isVisible)
    user.release()
    user.until(screen.ring.isHidden)
    user.move(screen.mapToGlobal(QPoint(30, screen.height() - 5)))
    user.until(screen.controls.isVisible)
    user.press(screen.controls.mapToGlobal(QPoint(30, 10)))
    user.rest()
    assert screen.ring.isHidden()
    user.release()


def test_the_ring_goes_with_the_focus(user):
    screen = present(user)
    user.move(screen.mapToGlobal(user.window.planes.geometry().center()))
    xdotool("keydown", "l")
    try:
        user.until(screen.ring.isVisible)
        dialog = QDialog(screen)
        dialog.show()
        dialog.activateWindow()
        user.until(dialog.isActiveWindow)
        user.until(screen.ring.isHidden)
    finally:
        xdotool("keyup", "l")
    dialog.close()
    screen.activateWindow()
    user.until(screen.isActiveWindow)
    user.until_heard()
    assert screen.ring.isHidden()


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_ring_is_seen_in_both_themes(user, qapp, theme):
    apply(qapp, theme, 1.0)
    screen = present(user)
    ring = screen.ring
    ring.show_at(QPointF(user.window.planes.geometry().center()))
    image = ring.grab().toImage()
    across = [image.pixelColor(x, image.height() // 2) for x in range(image.width() // 3)]
    assert max(c.lightnessF() for c in across) - min(c.lightnessF() for c in across) > 0.35
    assert any(c.red() > 200 and c.green() > 160 and c.blue() < 90 for c in across)


def test_it_shows_the_panel_in_front_of_the_window_or_none(user):
    window = user.window
    window.docks.show("kkt")
    user.until(lambda: window.stage.view.panel == "kkt")
    screen = present(user)
    user.until(lambda: screen.side.title == "KKT")
    leave(user)
    window.docks.show("alpha")
    user.until(lambda: window.stage.view.panel == "alpha")
    screen = present(user)
    user.until(lambda: screen.side.title == "α values")
    leave(user)
    # The settings in front are not shown to an audience.
    for name, dock in window.docks.docks.items():
        dock.setVisible(name == "settings")
    user.until(lambda: not window.stage.view.panel)
    assert present(user).side.isHidden()


def test_f9_hides_the_panel_and_p_with_a_letter_chooses_one_as_in_the_window(user):
    window = user.window
    window.docks.show("alpha")
    user.until(lambda: window.stage.view.panel == "alpha")
    kernel = window.stage.session.document.kernel
    screen = present(user)
    user.until(lambda: screen.side.title == "α values")
    assert 0.3 * screen.width() <= screen.side.width() < 0.5 * screen.width()
    assert window.planes.width() + screen.side.width() == screen.width()
    user.key("F9")
    user.until(screen.side.isHidden)
    assert window.planes.word.text == "No panel"
    user.key("F9")
    user.until(lambda: screen.side.title == "α values")
    for keys, title in (("p", "k"), "KKT"), (("p", "shift+k"), "Kernel matrix"):
        user.key(*keys)
        user.until(lambda title=title: screen.side.title == title)
        user.until(lambda title=title: window.planes.word.text == title)
    # The letter has chosen a panel, and no other kernel; the same letter again hides the panel.
    assert window.stage.session.document.kernel == kernel
    user.key("p", "shift+k")
    user.until(screen.side.isHidden)
    user.key("F9")
    user.key("p", "o")
    user.until(lambda: screen.side.title == "Objective")
    # The window keeps its own panel.
    leave(user)
    assert window.stage.view.panel == "alpha"
    assert not window.docks.docks["objective"].isVisible()


def test_the_letters_are_shown_until_a_key_comes_and_esc_is_none(user):
    window, notice = user.window, user.window.notice
    window.docks.show("alpha")
    user.until(lambda: window.stage.view.panel == "alpha")
    screen, kernel = present(user), window.stage.session.document.kernel
    user.until(lambda: screen.side.title == "α values")
    user.key("p")
    user.until(lambda: notice.text.startswith("Panel: "))
    # Longer than anybody would wait by mistake.
    user.rest(1.0)
    assert of_keys("K") + "\u00a0KKT" in notice.text
    # Views are chosen in the title of their panel, and this kernel has no hulls.
    assert not any(word in notice.text for word in ("Split", "Hulls"))
    assert notice.geometry().bottom() == screen.rect().bottom()
    user.key("k")
    user.until(lambda: screen.side.title == "KKT" and notice.isHidden())
    assert window.stage.session.document.kernel == kernel
    # A key that is no panel's letter does nothing, and Esc does not leave.
    for key in ("z", "Escape"):
        user.key("p")
        user.until(notice.isVisible)
        user.key(key)
        user.until(notice.isHidden)
    assert window.presentation.is_on
    assert screen.side.title == "KKT"
    leave(user)
    user.key("p")
    user.until(lambda: notice.text.startswith("Panel: "))
    user.key("o")
    user.until(lambda: window.stage.view.panel == "objective" and notice.isHidden())


def test_right_scrolls_a_panel_that_is_too_high_before_it_steps(open_window):
    user = open_window(moons())
    playback, screen = user.window.stage.playback, present(user)
    screen.resize(1280, 720)
    user.window.appearance.set_scale(2.0)
    screen.show_panel("model")
    user.until_still(screen.side)
    playback.seek(2)
    bar = screen.side.findChild(Scroller).verticalScrollBar()
    user.until(lambda: bar.maximum() > 0)
    presses = 0
    while bar.value() < bar.maximum():
        value = bar.value()
        user.key("Next")
        user.until(lambda value=value: bar.value() > value)
        presses += 1
    assert 1 <= presses <= 3
    assert playback.step == 2
    user.key("Next")
    user.until(lambda: playback.step == 3)
    user.key("Prior")
    user.until(lambda: bar.value() < bar.maximum())
    assert playback.step == 3
    # A margin out of sight is no part of the panel.
    bar.setValue(bar.maximum() - 5)
    user.key("Next")
    user.until(lambda: playback.step == 4)
    assert bar.value() == bar.maximum() - 5


def test_every_panel_shows_the_frame_and_the_window_keeps_its_own(user):
    window = user.window
    window.docks.show("kernel-matrix")
    feed = window.stage.feed
    user.until(lambda: "kernel-matrix" in feed.studies)
    before = feed.studies
    screen = present(user)
    document = window.stage.session.document
    for name, spec in PANELS.items():
        if not spec.fits(document):
            continue
        screen.side.choose(name)
        user.until(screen.side.isVisible)
        if name in ("kernel-matrix", "race"):
            user.until(lambda name=name: name in feed.frame.studies)
    leave(user)
    user.until(lambda: feed.studies == before and "kernel-matrix" in feed.frame.studies)


def test_a_panel_that_does_not_fit_is_hidden_until_it_fits_again(user):
    screen = present(user)
    screen.show_panel("pair")
    session = user.window.stage.session
    session.edit(session.document.with_method(InteriorPoint()), "A method that moves no pairs")
    user.until(screen.side.isHidden)
    session.edit(session.document.with_method(Hulls()), "One that does")
    user.until(lambda: screen.side.title == "Pair")


def test_closing_it_returns_to_the_window_and_closing_the_window_ends_it(user):
    present(user).close()
    user.until(lambda: not user.window.presentation.is_on and user.window.isVisible())
    user.until(user.window.isActiveWindow)
    present(user)
    user.window.stage.session.undo_stack.setClean()
    user.window.close()
    assert not user.window.presentation.is_on


def test_a_race_is_presented_too(open_window):
    user = open_window(moons(methods=(SMO(), Pegasos())))
    before = arrangement(user.window)
    present(user)
    assert all(view.isVisible() for view in user.window.planes.views)
    leave(user)
    settle(user)
    assert arrangement(user.window) == before


def test_the_page_of_keys_lists_them(user):
    groups = user.window.menus.groups
    first = keys_as_html(groups, presents=True)
    assert first.index("Presentation") < first.index("Mouse")
    page = keys_as_html(groups)
    assert page.index("Presentation") > page.index("Mouse")
    assert all(entry.words in page for entry in KEYS)
    # Letters that are keys are upright, unlike those of formulas.
    shown = html_in_letters(page)
    assert f"<b>{of_keys('B')}</b>" in shown
    assert ITALICS["B"] not in shown
    assert f"Larger {ITALICS['C']}" in shown


@pytest.mark.parametrize("name", ["model", "settings", "table", "race"])
def test_no_text_of_a_panel_is_smaller_than_a_hall_permits(user, name):
    screen = present(user)
    screen.show_panel(name)
    user.until(screen.side.isVisible)
    for more in screen.side.findChildren(More):
        more.button.click()
    user.until_still(screen)
    labels = [label for label in screen.side.findChildren(QLabel) if label.text()]
    assert labels
    assert min(label.font().pixelSize() for label in labels) >= screen.height() // 36


def test_a_panel_is_below_the_planes_of_a_race_that_would_be_small_beside_it(open_window):
    user = open_window(moons(methods=(SMO(), SMO(pair="maximal-violation"), SMO(pair="platt"))))
    window = user.window
    window.docks.show("race")
    user.until(lambda: window.stage.view.panel == "race")
    screen = present(user)
    screen.resize(1600, 700)
    user.until(lambda: screen.side.title == "Race")
    user.until_still(screen)
    assert screen.side.is_below
    assert screen.side.width() == window.planes.width() == screen.width()
    assert window.planes.height() > 0.4 * screen.height()
    user.key("shift+a")
    user.until(lambda: not screen.side.is_below)
    user.until_still(screen)
    assert window.planes.width() + screen.side.width() == screen.width()
    assert window.planes.height() == screen.side.height()
