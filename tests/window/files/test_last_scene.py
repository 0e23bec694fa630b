"""A second start opens where one was."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QMessageBox

from svmviz.document.document import Penalty
from svmviz.document.examples import examples
from svmviz.io.open_and_save import open_scene, save
from svmviz.io.scene import Scene
from tests.stages import eight, moons
from tests.window.conftest import settle

pytestmark = pytest.mark.display


def session(user):
    return user.window.stage.session


def change_penalty(user, C=3.0):
    document = session(user).document
    session(user).edit(replace(document, penalty=Penalty("C", C)), "Change C")
    settle(user)


def reopened(user, open_window):
    """Close a window as its user does, and return the user of a second one, with its scene."""
    user.window.close()
    again = open_window()
    assert again.window.last_scene.show()
    settle(again)
    return again


def test_without_a_last_scene_there_is_none_to_show(user):
    assert not user.window.last_scene.show()


def test_an_example_is_shown_as_it_was_left(user, open_window):
    example = examples()[0]
    user.window.files.show_scene(open_scene(example.path), title=example.title)
    settle(user)
    change_penalty(user)
    document, stage = session(user).document, user.window.stage
    stage.playback.seek(3)
    user.until(lambda: stage.playback.step == 3)
    user.window.close()
    again = open_window()
    assert again.window.last_scene.show()
    again.until(lambda: again.window.stage.playback.step == 3)
    assert session(again).document == document
    assert again.window.files.name == example.title
    assert again.window.files.path is None


def test_a_file_is_that_file_again_and_not_changed(user, open_window, tmp_path):
    path = tmp_path / "eight.svmviz"
    save(path, Scene(eight()))
    user.window.files.open(str(path))
    user.until(lambda: user.window.files.path == path)
    again = reopened(user, open_window)
    assert again.window.files.path == path
    assert not again.window.files.is_modified
    # Another program writes the file: its new content is shown, and Save cannot undo it.
    again.window.close()
    save(path, Scene(moons(20)))
    os.utime(path, (1.0, 1.0))
    last = open_window()
    assert last.window.last_scene.show()
    last.until(lambda: session(last).document.n == 20)
    # A file that is gone leaves its scene.
    last.window.close()
    path.unlink()
    gone = open_window()
    assert gone.window.last_scene.show()
    assert session(gone).document.n == 20
    assert (gone.window.files.path, gone.window.files.name) == (None, "eight.svmviz")


def test_what_was_discarded_is_not_shown_again(user, open_window, tmp_path, monkeypatch):
    path = tmp_path / "eight.svmviz"
    save(path, Scene(eight()))
    user.window.files.open(str(path))
    user.until(lambda: user.window.files.path == path)
    for C in (3.0, 4.0, 5.0, 6.0):
        change_penalty(user, C)
    discard = QMessageBox.StandardButton.Discard
    monkeypatch.setattr(user.window.messages, "ask_save", lambda _name: discard)
    assert user.window.files.would_lose_work
    again = reopened(user, open_window)
    again.until(lambda: again.window.files.path == path)
    assert session(again).document.C == eight().C
