"""The menu of recent files."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QAccessible

from svmviz.io import open_and_save
from svmviz.io.scene import Scene
from tests.stages import eight
from tests.window.conftest import settle

pytestmark = pytest.mark.display


@pytest.fixture
def opened(user, tmp_path):
    """A file that the user has opened."""
    path = tmp_path / "mine & yours.svmviz"
    open_and_save.save(path, Scene(eight()))
    user.window.files.open(str(path))
    user.until(lambda: user.window.files.path == path)
    settle(user)
    return path


def entries(user):
    menu = user.window.menus.submenus.recent
    menu.aboutToShow.emit()
    return menu.actions()


def test_a_file_is_listed_and_opened(user, opened):
    entry = entries(user)[0]
    assert entry.text() == "mine && yours.svmviz"
    menu = QAccessible.queryAccessibleInterface(user.window.menus.submenus.recent)
    assert menu.child(0).text(QAccessible.Text.Name) == opened.name
    user.window.files.new()
    user.until(lambda: user.window.stage.session.document.n == 0)
    entry.trigger()
    user.until(lambda: user.window.stage.session.document.n == 8)
    settle(user)


def test_a_file_that_is_gone_is_told_and_leaves(user, opened, tmp_path):
    opened.unlink()
    entry = entries(user)[0]
    assert entry.text() == "mine && yours.svmviz: no longer there"
    assert not entry.isEnabled()
    assert user.window.files._save(tmp_path / "other.svmviz")
    assert [action.text() for action in entries(user)[:-2]] == ["other.svmviz"]
    entries(user)[-1].trigger()
    assert [action.text() for action in entries(user)] == ["No files yet"]
