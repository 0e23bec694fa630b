"""Keys of the window, which do not act while the user types."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QInputDialog, QLineEdit

from svmviz.document.document import Penalty
from svmviz.document.held_out import Shares
from svmviz.document.splitting import split
from svmviz.panels.controls.points.points_table import PointsTable
from svmviz.panels.controls.settings.model_panel import ModelPanel
from svmviz.panels.kernels.solid_view import SolidView
from svmviz.panels.selection.split.split_panel import SplitPanel
from svmviz.playback.player import MAX_SPEED
from svmviz.widgets.inputs.ticked_slider import Groove
from svmviz.window.help.contents import pages
from tests.stages import moons
from tests.window.conftest import settle

pytestmark = pytest.mark.display


@pytest.fixture
def played(open_window):
    """A window at step 20 of a run of some hundred."""
    user = open_window(moons())
    user.window.stage.playback.seek(20)
    user.until(lambda: user.window.stage.feed.frame.lane.step == 20)
    return user


def step(user):
    return user.window.stage.playback.player.reading


def test_keys_move_through_the_run(played):
    user, length = played, played.window.stage.playback.length
    assert length > 40
    for key, there in (
        ("Right", 21),
        ("Left", 20),
        ("shift+Right", 30),
        ("shift+Left", 20),
        ("Prior", 19),
        ("Next", 20),
        ("End", length),
        ("Home", 0),
        ("Right", 1),
        ("r", 0),
    ):
        user.key(key)
        user.until(lambda there=there: step(user) == there)
        user.until(lambda there=there: user.window.stage.feed.frame.lane.step == there)


def test_arrow_keys_turn_lifted_points_that_have_the_focus_and_step_after_a_drag(played):
    user, docks = played, played.window.docks
    docks.show("feature-map")
    user.until(lambda: docks.docks["feature-map"].findChild(SolidView) is not None)
    view = docks.docks["feature-map"].findChild(SolidView)
    user.until_still(view)
    user.click_on(view)
    user.key("Right")
    user.until(lambda: step(user) == 21)
    before = view.yaw
    view.setFocus(Qt.FocusReason.TabFocusReason)
    user.key("Right")
    user.until(lambda: view.yaw != before)
    assert step(user) == 21


def test_space_plays_and_pauses(played):
    user, player = played, played.window.stage.playback.player
    user.window.stage.playback.set_speed(20.0)
    user.key("space")
    user.until(lambda: player.playing and player.reading > 21)
    user.key("space")
    user.until(lambda: not player.playing)
    at = player.reading
    user.rest(0.2)
    assert player.reading == at


def test_plus_and_minus_change_the_speed(played):
    player = played.window.stage.playback.player
    speed = player.speed
    played.key("plus")
    played.until(lambda: player.speed == 2 * speed)
    played.key("equal")
    played.until(lambda: player.speed == 4 * speed)
    played.key("minus", "minus")
    played.until(lambda: player.speed == speed)
    played.key(*["plus"] * 20)
    played.until(lambda: player.speed == math.inf)
    played.key("minus")
    played.until(lambda: player.speed == MAX_SPEED)


def test_n_and_w_jump_to_changes_and_sweeps(played):
    user, run = played, played.window.stage.session.runs[0]
    user.key("Home")
    user.until(lambda: step(user) == 0)
    user.key("n")
    user.until(lambda: step(user) == 1)
    user.key("w")
    # A sweep begins after as many steps as there are points, or the run ends before it.
    user.until(lambda: step(user) in (81, run.steps))


def test_g_asks_for_a_step(played, answer):
    answer(lambda _: (played.type("33"), played.key("Return")), QInputDialog)
    played.key("g")
    played.until(lambda: step(played) == 33)


# What is typed into a field; each of them is a shortcut somewhere else.
TYPED = ("1", "2", "s", "space", "Home", "Delete", "Left", "BackSpace", "plus", "x", "End", "Left")


def fields(user):
    """Fields in which numbers are typed, by their names."""
    window = user.window
    window.docks.show("table")
    window.docks.column.fold([])
    user.until(lambda: window.findChild(PointsTable))
    table = window.findChild(PointsTable)
    model = window.docks.column.findChild(ModelPanel)
    penalty = next(f for f in model.penalty.findChildren(QLineEdit) if f.isVisible())
    window.docks.settings.widget().ensureWidgetVisible(penalty)
    for widget in (table, penalty):
        user.until_still(widget)
    return {"step": window.bottom.transport.steps.field, "C": penalty, "table": table}


@pytest.mark.parametrize("where", ["step", "C", "table"])
def test_shortcuts_do_not_act_while_typing_in_a_field(played, where):
    user, session = played, played.window.stage.session
    session.select([3])
    widget = fields(user)[where]
    if where == "table":
        cell = widget.table.visualRect(widget.model.index(1, 1)).center()
        place = widget.table.viewport().mapToGlobal(cell)
        user.click(place)
        user.rest(0.6)
        user.key("F2")
        user.until(lambda: isinstance(QApplication.focusWidget(), QLineEdit))
    else:
        widget.window().windowHandle().requestActivate()
        user.click_on(widget)
        user.until(lambda: widget.hasFocus())
    before = session.document, step(user), user.window.stage.playback.player.speed
    user.key(*TYPED)
    user.until_heard()
    after = session.document, step(user), user.window.stage.playback.player.speed
    assert isinstance(QApplication.focusWidget(), QLineEdit)
    assert after == before
    assert user.window.menus.actions["tool-add-positive"].isChecked()
    assert not user.window.stage.playback.player.playing
    user.key("Escape")


def test_keys_are_shortcuts_after_a_button_that_is_disabled_by_its_click(played):
    user, stage = played, played.window.stage
    stage.session.edit(split(stage.session.document, Shares(0.0, 0.25)), "Split")
    settle(user)
    user.window.docks.show("split")
    user.until(lambda: user.window.findChild(SplitPanel))
    drawer = user.window.findChild(SplitPanel).drawer
    user.until(drawer.isEnabled)
    user.until_still(drawer)
    user.click_on(drawer)
    user.until(lambda: not drawer.isEnabled())
    user.until(lambda: not isinstance(QApplication.focusWidget(), QLineEdit))
    user.key("Home")
    user.until(lambda: step(user) == 0)


def test_a_digit_begins_to_edit_the_cell_with_the_focus(played):
    user = played
    panel = fields(user)["table"]
    panel.table.setFocus(Qt.FocusReason.OtherFocusReason)
    panel.table.setCurrentIndex(panel.model.index(1, 1))
    user.key("2", "period", "5", "Return")
    user.until(lambda: user.window.stage.session.document.data.points[1, 0] == 2.5)
    assert user.window.menus.actions["tool-add-positive"].isChecked()
    settle(user)


def test_a_number_typed_for_c_is_solved(played):
    user = played
    field = fields(user)["C"]
    user.click_on(field, times=3)
    user.type("0.25")
    user.key("Return")
    user.until(lambda: user.window.stage.session.document.penalty.value == 0.25)
    settle(user)
    user.key("space")
    user.until(lambda: user.window.stage.playback.player.playing)


def test_the_last_digit_of_a_shown_c_is_taken_away(played):
    user, session = played, played.window.stage.session
    session.edit(replace(session.document, penalty=Penalty("C", 10_000.0)), "C")
    settle(user)
    field = fields(user)["C"]
    user.until(lambda: field.text() == "10,000")
    user.click_on(field)
    user.until(lambda: field.text() == "10000")
    user.key("End", "BackSpace", "Return")
    user.until(lambda: field.text() == "1,000")
    assert session.document.penalty.value == 1000.0
    settle(user)


def kernels(user):
    """The combo box of the kernels, with the focus."""
    user.window.docks.column.fold([])
    combo = user.window.docks.column.findChild(ModelPanel).kernel.combo
    combo.setFocus(Qt.FocusReason.TabFocusReason)
    user.until(combo.hasFocus)
    return combo


def test_keys_of_the_transport_leave_the_choice_in_a_combo_box(played):
    combo, length = kernels(played), played.window.stage.playback.length
    chosen = combo.currentIndex()
    for key, there in (("End", length), ("Home", 0), ("Next", 1), ("Prior", 0), ("Right", 1)):
        played.key(key)
        played.until(lambda there=there: step(played) == there)
    played.key("space")
    played.until(lambda: played.window.stage.playback.player.playing)
    assert combo.hasFocus()
    assert combo.currentIndex() == chosen


def test_home_and_end_move_in_an_open_list(played):
    combo, before = kernels(played), step(played)
    chosen = combo.currentIndex()
    combo.showPopup()
    played.until(lambda: QApplication.activePopupWidget() is not None)
    for key, row in (("End", combo.count() - 1), ("Home", 0)):
        played.key(key)
        played.until(lambda row=row: combo.view().currentIndex().row() == row)
    played.key("Escape")
    played.until(lambda: QApplication.activePopupWidget() is None)
    assert (combo.currentIndex(), step(played)) == (chosen, before)


def test_home_and_end_move_in_the_list_of_the_help(played):
    played.window.help.show_kernel()
    window = played.window.help.window
    played.until(window.isActiveWindow)
    window.list.setFocus(Qt.FocusReason.TabFocusReason)
    for key, page in (("End", list(pages())[-1]), ("Home", next(iter(pages())))):
        played.key(key)
        played.until(lambda page=page: window.shown == page)
    assert step(played) == 20


def press(user, *keys):
    user.key(*keys)
    user.until_heard()


def test_the_key_of_a_panel_opens_it_gives_it_the_focus_and_closes_it(user):
    docks, plane = user.window.docks, user.window.plane
    dock = docks.docks["kkt"]
    press(user, "p", "k")
    assert QApplication.focusWidget() is dock
    user.until_still(dock)
    press(user, "Tab")
    assert dock.isAncestorOf(QApplication.focusWidget())
    press(user, "Escape")
    assert QApplication.focusWidget() is plane
    press(user, "p", "k")
    assert not dock.isHidden()
    press(user, "p", "k")
    assert dock.isHidden()
    assert QApplication.focusWidget() is plane
    # Qt reads P and a key of its own as two shortcuts.
    press(user, "p", "o")
    assert QApplication.focusWidget() is docks.docks["objective"]


def test_each_panel_has_a_key_and_no_two_actions_have_the_same(user):
    window = user.window
    keys = [key for action in window.menus.actions.values() for key in action.shortcuts()]
    assert len({key.toString() for key in keys}) == len(keys)
    # A key that begins another one would never be heard.
    assert not [(a, b) for a in keys for b in keys if a.count() < b.count() and a[0] == b[0]]
    assert all(action.shortcuts() for action in window.docks.toggles.values())


def test_arrows_move_a_slider_from_stop_to_stop(user):
    box = user.window.docks.column.findChild(ModelPanel).penalty
    slider = next(s for s in box.findChildren(Groove) if s.accessibleName() == "C")
    slider.setFocus(Qt.FocusReason.TabFocusReason)
    session = user.window.stage.session
    assert session.document.penalty.value == 10.0
    for keys, value in ((("Right",), 20.0), (("Up",), 50.0), (("Left", "Left", "Down"), 5.0)):
        press(user, *keys)
        assert session.document.penalty.value == value
    press(user, "shift+Right")
    assert 5.0 < session.document.penalty.value < 7.0
    user.until(lambda: not session.previewing)
    settle(user)
    assert session.undo_stack.undoText()


def test_tab_goes_through_what_is_seen_as_it_is_read_and_the_focus_is_seen(user):
    window, seen = user.window, []
    window.docks.show("line")
    user.until_still(window.docks.docks["line"])
    press(user, "Escape")
    while not seen or QApplication.focusWidget() is not window.plane:
        press(user, "Tab")
        widget = QApplication.focusWidget()
        if widget is window.plane:
            continue
        assert not widget.visibleRegion().isEmpty(), widget
        focused = widget.grab().toImage()
        widget.clearFocus()
        assert widget.grab().toImage() != focused, (widget, widget.accessibleName())
        widget.setFocus()
        seen += [name for name, dock in window.docks.docks.items() if dock.isAncestorOf(widget)]
        assert len(seen) < 100
    # Each panel is left only once all of it was reached.
    left = [a for a, b in zip(seen, [*seen[1:], ""], strict=True) if a != b]
    assert left == ["settings", "line"]
