"""Examples: all scenes of the assets are in the menu, and none of them can be overwritten."""

from __future__ import annotations

import re
from itertools import groupby

import pytest
from PySide6.QtWidgets import QFileDialog, QWidgetAction

from svmviz.base.resources import root
from svmviz.document.examples import examples, races
from svmviz.document.ready_races import ready_race_of
from svmviz.panels.selection.folds.folds_panel import FoldsPanel
from svmviz.widgets.plain_text import words_of_tip

pytestmark = pytest.mark.display


def test_every_scene_is_an_example(user):
    files = {example.path for example in (*examples(), *races())}
    assert files == set((root() / "scenes").glob("*.svmviz"))
    menus = user.window.menus.submenus
    for menu, entries in ((menus.examples, examples()), (menus.races, races())):
        shown = [action for action in menu.actions() if not heading_of(action)]
        assert [action.text() for action in shown] == [one.title for one in entries]
        assert [words_of_tip(action) for action in shown] == [one.help for one in entries]


def test_an_example_says_what_is_seen_and_what_to_try():
    for example in examples():
        assert example.about.endswith((".", "?"))
        assert len(re.findall(r"[.?](?: |$)", example.about)) <= 2
        assert len(example.prompts) <= 3
        assert all(prompt.endswith((".", "?")) for prompt in example.prompts)


def heading_of(action):
    return action.defaultWidget().text() if isinstance(action, QWidgetAction) else ""


def test_the_menu_has_the_chapters_of_a_course_as_headings(user):
    actions = user.window.menus.submenus.examples.actions()
    titles = [heading_of(action) or action.text() for action in actions]
    expected = []
    for chapter, entries in groupby(examples(), key=lambda example: example.chapter):
        expected += [chapter, *(example.title for example in entries)]
    assert len({*expected}) == len(expected)
    assert titles == expected


def test_another_example_is_opened_with_the_first_tool(user):
    window = user.window
    window.use_tool("erase")
    actions = {action.text(): action for action in window.menus.submenus.examples.actions()}
    actions["Six points, the nearest pair"].trigger()
    user.until(lambda: window.files.name == "Six points, the nearest pair")
    assert window.planes.tool == "add-positive"


def test_each_example_opens_without_a_path_and_waits(user, answer):
    window, menus = user.window, user.window.menus.submenus
    actions = {one.text(): one for menu in (menus.examples, menus.races) for one in menu.actions()}
    for entry in (*examples(), *races()):
        path, title = entry.path, entry.title
        before = path.read_bytes()
        actions[title].trigger()
        user.until(lambda title=title: window.files.name == title)
        # The notice goes after some seconds, and compiling may take longer.
        if entry in races():
            user.until(lambda entry=entry: window.notice.text == entry.help)
        assert window.files.path is None
        assert not window.stage.playback.player.playing
        assert not window.files.is_modified
        race = ready_race_of(window.stage.session.document)
        assert window.stage.playback.clock.name == (race.clock if race else "steps")
        if entry.panel:
            assert window.docks.docks[entry.panel].isVisible()
        asked = answer(lambda dialog: user.key("Escape"), QFileDialog)
        window.files.save()
        assert asked.given, title
        assert path.read_bytes() == before


@pytest.mark.parametrize("opened_before", [False, True])
def test_an_example_chooses_in_its_panel(user, opened_before):
    window = user.window
    dock = window.docks.docks["folds"]
    if opened_before:
        window.docks.show("folds")
        user.until(lambda: dock.findChild(FoldsPanel) is not None)
    actions = {action.text(): action for action in window.menus.submenus.examples.actions()}
    actions["Two models, tested on halves"].trigger()
    user.until(lambda: dock.findChild(FoldsPanel) is not None)
    words = dock.findChild(FoldsPanel).words
    user.until(lambda: "Paired test: t = −1.89, p = 0.12" in words.text())


def test_the_examples_have_one_column_on_a_low_screen(user):
    menu = user.window.menus.submenus.examples
    # Qt breaks a menu that is higher than its screen into columns, without regard to headings.
    user.until(lambda: menu.sizeHint().height() > 0)
    assert menu.sizeHint().height() <= 680
    lefts = {menu.actionGeometry(action).left() for action in menu.actions()}
    assert len(lefts) == 1
