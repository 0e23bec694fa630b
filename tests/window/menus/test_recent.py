"""The menu of recent files and its pictures."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QAccessible, QImage

from svmviz.io import open_and_save
from svmviz.io.scene import Scene
from svmviz.theme import DARK, LIGHT
from svmviz.window.menus import recent_pictures
from svmviz.window.menus.recent_pictures import SIZE, file_of
from tests.stages import eight
from tests.window.conftest import settle

pytestmark = pytest.mark.display


@pytest.fixture
def user(open_window, monkeypatch, tmp_path):
    monkeypatch.setattr(recent_pictures, "PAINT_DELAY", 0)
    monkeypatch.setattr(recent_pictures, "_folder", lambda: tmp_path / "cache" / "recent")
    return open_window(eight())


@pytest.fixture
def opened(user, tmp_path):
    """A file that the user has opened, and of which there are pictures."""
    path = tmp_path / "mine & yours.svmviz"
    open_and_save.save(path, Scene(eight()))
    user.window.files.open(str(path))
    user.until(lambda: pictures(user) == {file_of(path, is_dark=d) for d in (False, True)})
    settle(user)
    return path


def pictures(user):
    return set(recent_pictures._folder().glob("*.png"))


def entries(user):
    menu = user.window.menus.submenus.recent
    menu.aboutToShow.emit()
    return menu.actions()


def test_a_file_is_listed_with_its_picture(user, opened):
    entry = entries(user)[0]
    assert entry.text() == "mine && yours.svmviz"
    menu = QAccessible.queryAccessibleInterface(user.window.menus.submenus.recent)
    assert menu.child(0).text(QAccessible.Text.Name) == opened.name
    assert entry.isIconVisibleInMenu()
    shown = entry.icon().pixmap(*SIZE).toImage().convertToFormat(QImage.Format.Format_RGB32)
    for theme in (LIGHT, DARK):
        image = QImage(str(file_of(opened, is_dark=theme.is_dark)))
        assert (image.width(), image.height()) == SIZE
        colours = {image.pixelColor(x, y).name() for x in range(SIZE[0]) for y in range(SIZE[1])}
        # Points of both classes.
        assert {theme.positive, theme.negative} <= colours
        assert (image == shown) == (theme is LIGHT)


def test_a_file_that_is_gone_is_told_and_leaves_with_its_pictures(user, opened, tmp_path):
    opened.unlink()
    entry = entries(user)[0]
    assert entry.text() == "mine && yours.svmviz: no longer there"
    assert not entry.isEnabled()
    other = tmp_path / "other.svmviz"
    assert user.window.files._save(other)
    user.until(lambda: pictures(user) == {file_of(other, is_dark=d) for d in (False, True)})
    assert [action.text() for action in entries(user)[:-2]] == ["other.svmviz"]
    entries(user)[-1].trigger()
    assert not pictures(user)
    assert [action.text() for action in entries(user)] == ["No files yet"]


def test_without_its_picture_a_file_can_still_be_opened(user, opened):
    file_of(opened, is_dark=False).write_bytes(b"no picture")
    entry = entries(user)[0]
    assert entry.icon().pixmap(*SIZE).isNull()
    user.window.files.new()
    user.until(lambda: user.window.stage.session.document.n == 0)
    entry.trigger()
    user.until(lambda: user.window.stage.session.document.n == 8)
    settle(user)


def test_a_folder_that_cannot_be_written_costs_only_the_picture(
    user, monkeypatch, tmp_path, caplog
):
    (tmp_path / "file").touch()
    monkeypatch.setattr(recent_pictures, "_folder", lambda: tmp_path / "file")
    path = tmp_path / "mine.svmviz"
    assert user.window.files._save(path)
    user.until(lambda: "picture for the recent files was not written" in caplog.text)
    assert entries(user)[0].text() == path.name
