"""Examples: all scenes of the assets are in the menu, and none of them can be overwritten."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QFileDialog

from svmviz.base.resources import root
from svmviz.window.menus.examples import examples

pytestmark = pytest.mark.display


def test_every_scene_is_an_example(user):
    files = {path for path, _, _ in examples()}
    assert files == set((root() / "scenes").glob("*.svmviz"))
    titles = [action.text() for action in user.window.menus.submenus.examples.actions()]
    assert titles == [title for _, title, _ in examples()]


@pytest.mark.parametrize("place", range(len(examples())))
def test_an_example_opens_without_a_path_and_plays(user, answer, place):
    window = user.window
    path, title, _ = examples()[place]
    before = path.read_bytes()
    window.menus.submenus.examples.actions()[place].trigger()
    user.until(lambda: window.files.name == title)
    assert window.files.path is None
    user.until(lambda: window.stage.playback.player.playing)
    assert not window.files.is_modified
    asked = answer(lambda dialog: user.key("Escape"), QFileDialog)
    window.files.save()
    assert asked.given
    assert path.read_bytes() == before
