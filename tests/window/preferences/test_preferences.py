"""Preferences: what they change now and at the next start, and keys without conflicts."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QTabWidget

from svmviz import theme
from svmviz.window.memory import WindowMemory
from svmviz.window.preferences.choices import stored_speed
from svmviz.window.preferences.dialog import PreferencesDialog
from svmviz.window.preferences.key_map import STORED, KeyMap


def choose(dialog, label, value):
    box = dialog.boxes[label]
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


@pytest.mark.display
def test_choices_take_effect_and_outlive_the_window(user, answer, store, tmp_path):
    window, seen = user.window, {}

    def use(dialog):
        choose(dialog, "Theme", "dark")
        choose(dialog, "Button size", 1.25)
        choose(dialog, "Animation", "reduced")
        choose(dialog, "Speed", 30.0)
        dialog.folder.setText("/nowhere")
        dialog.folder.editingFinished.emit()
        seen["words"] = dialog.error.text()
        dialog.folder.setText(str(tmp_path))
        dialog.folder.editingFinished.emit()
        seen["error"] = dialog.error.text()
        user.key("Escape")

    answer(use, PreferencesDialog)
    user.key("ctrl+comma")
    user.until(lambda: "error" in seen)
    assert seen == {"words": "There is no folder /nowhere.", "error": ""}
    assert theme.active().theme is theme.DARK
    assert theme.active().metrics.base == 1.25
    assert window.stage.playback.player.speed == 30.0
    window.appearance.finish()
    memory = WindowMemory(store)
    assert (memory.values.theme, store.values.controls, memory.motion) == ("dark", 1.25, "reduced")
    assert (stored_speed(memory), memory.folder) == (30.0, str(tmp_path))
    answer(lambda dialog: (dialog.reset.click(), user.key("Escape")), PreferencesDialog)
    user.wake()
    user.key("ctrl+comma")
    user.until(lambda: memory.values.theme == "system")
    assert (stored_speed(memory), memory.motion) == (0.0, "system")
    assert theme.active().metrics.base == 1.0


@pytest.mark.display
def test_a_key_is_taken_over_from_another_command_which_is_told(user, answer, store):
    window, told = user.window, []
    actions = window.menus.actions

    def use(dialog):
        dialog.findChild(QTabWidget).setCurrentWidget(dialog.keys)
        page = dialog.keys
        page.search.setText("swap class")
        (item,) = [i for items in page._items.values() for i in items if not i.isHidden()]
        page.list.setCurrentItem(item)
        page.field.setFocus()
        user.until(page.field.hasFocus)
        user.key("k")
        # The field waits for a second key.
        user.until(page.use.isEnabled)
        told.append(page.words.text())
        page.use.click()
        user.key("Escape")

    answer(use, PreferencesDialog)
    user.key("ctrl+comma")
    user.until(lambda: told and not QApplication.activeModalWidget())
    assert told[0].startswith("“Next kernel” has K;")
    assert actions["flip"].shortcuts() == [QKeySequence("K")]
    assert actions["next-kernel"].shortcuts() == []
    user.wake()
    before = window.stage.session.document
    user.key("ctrl+a", "k")
    user.until(lambda: window.stage.session.document is not before)
    assert (window.stage.session.document.data.labels == -before.data.labels).all()
    assert window.stage.session.document.kernel == before.kernel
    assert WindowMemory(store).get(STORED) == {"flip": ["K"], "next-kernel": []}


def some_actions(qapp):
    actions = {name: QAction(name) for name in ("pair", "kkt", "quit")}
    for action, key in zip(actions.values(), ("P, P", "P, K", "Ctrl+Q"), strict=True):
        action.setShortcuts([QKeySequence(key)])
    return actions


def test_a_key_that_begins_others_is_theirs_too(qapp):
    actions = some_actions(qapp)
    keys = KeyMap({"all": actions}, WindowMemory(), qapp)
    assert keys.holder(QKeySequence("P"), "quit") == "pair"
    assert keys.holder(QKeySequence("P, R"), "quit") is None
    assert "dialogs" in keys.refusal(QKeySequence("Esc"))
    keys.give("quit", QKeySequence("P"))
    assert [bool(action.shortcuts()) for action in actions.values()] == [False, False, True]
    keys.restore("kkt")
    assert actions["kkt"].shortcuts() == [QKeySequence("P, K")]
    assert actions["quit"].shortcuts() == []
    keys.restore_all()
    assert [keys.is_usual(name) for name in actions] == [True] * 3


@pytest.mark.parametrize(
    ("stored", "kept"),
    [
        ({"kkt": ["Ctrl+Q"]}, []),
        ({"kkt": ["Esc", 7, "no key at all"]}, []),
        ({"kkt": "Ctrl+K", "none": ["A"]}, ["P, K"]),
        ({"kkt": ["Ctrl+K"]}, ["Ctrl+K"]),
        (["kkt"], ["P, K"]),
    ],
)
def test_stored_keys_that_cannot_be_are_left_out(qapp, stored, kept):
    actions, memory = some_actions(qapp), WindowMemory()
    memory.put(STORED, stored)
    KeyMap({"all": actions}, memory, qapp)
    assert [key.toString() for key in actions["kkt"].shortcuts()] == kept
    assert actions["quit"].shortcuts() == [QKeySequence("Ctrl+Q")]
