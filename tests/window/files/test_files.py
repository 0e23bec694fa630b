"""Opening, saving and leaving, with the real dialogs."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialogButtonBox,
    QFileDialog,
    QMessageBox,
)

from svmviz.io import open_and_save
from svmviz.io.scene import Scene
from svmviz.window.files.columns_dialog import ColumnsDialog
from tests.stages import EIGHT, eight
from tests.time_limits import TIME_LIMIT
from tests.window.conftest import cancel, settle

pytestmark = pytest.mark.display


def session(user):
    return user.window.stage.session


def change(user):
    """Place a point."""
    before = session(user).document.n
    user.click(user.at(0.5, 0.1 - 0.4 * (before - 8)))
    user.until(lambda: session(user).document.n == before + 1)


def work(user):
    """Place three points, so that there is work to lose."""
    for _ in range(3):
        change(user)


def name_it(user, path):
    """Answer of a file dialog: the path, typed."""

    def act(_dialog):
        user.key("ctrl+a")
        user.type(str(path))
        user.key("Return")

    return act


def choose(button):
    """Answer of a message box: a click on one of its buttons."""
    return lambda box: box.button(button).click()


def drop(window, *paths):
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    common = (mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    enter = QDragEnterEvent(QPointF(300, 300).toPoint(), Qt.DropAction.CopyAction, *common)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    event = QDropEvent(QPointF(300, 300), Qt.DropAction.CopyAction, *common)
    QApplication.sendEvent(window, event)
    assert event.isAccepted()


@pytest.fixture
def csv(tmp_path):
    path = tmp_path / "four.csv"
    path.write_text("a,b,kind\n0,0,no\n1,1,yes\n0,1,no\n1,0,yes\n")
    return path


def test_title_and_mark_follow_the_document(user):
    window = user.window
    assert window.windowTitle() == "Untitled[*] — svmviz"
    assert not window.isWindowModified()
    change(user)
    assert window.isWindowModified()
    user.key("ctrl+z")
    user.until(lambda: not window.isWindowModified())


def test_save_open_and_recent(user, answer, tmp_path):
    window, path = user.window, tmp_path / "mine.svmviz"
    change(user)
    # Without an ending: the filter's is taken.
    answer(name_it(user, path.with_suffix("")), QFileDialog)
    user.key("ctrl+s")
    user.until(path.exists)
    user.until(lambda: not window.isWindowModified())
    assert window.windowTitle() == "mine.svmviz[*] — svmviz"
    change(user)
    user.key("ctrl+s")
    user.until(lambda: not window.isWindowModified())
    assert open_and_save.open_scene(path).document == session(user).document
    user.key("ctrl+n")
    user.until(lambda: session(user).document.n == 0)
    answer(name_it(user, path), QFileDialog)
    user.key("ctrl+o")
    user.until(lambda: session(user).document.n == 10)
    settle(user)
    user.wake()
    user.key("ctrl+n")
    user.until(lambda: session(user).document.n == 0)
    window.menus.submenus.recent.aboutToShow.emit()
    entries = window.menus.submenus.recent.actions()
    assert entries[0].text() == "mine.svmviz"
    entries[0].trigger()
    user.until(lambda: session(user).document.n == 10)


def test_a_scene_keeps_its_view(user, tmp_path):
    window, path = user.window, tmp_path / "look.svmviz"
    window.plane.navigation.zoom(2.0)
    window.stage.playback.seek(2)
    window.stage.view.set(sticks=False)
    user.until(lambda: window.stage.feed.frame.lane.step == 2)
    camera = window.plane.camera
    assert window.files._save(path)
    window.files.new()
    settle(user)
    window.files.open(str(path))
    user.until(lambda: window.files.path == path)
    user.until(lambda: window.stage.feed.frame.lane and window.stage.playback.player.reading == 2)
    assert window.plane.camera.view == pytest.approx(camera.view)
    assert not window.stage.view.options.sticks


@pytest.mark.parametrize("button", ["Save", "Discard", "Cancel"])
def test_unsaved_changes_are_asked_about(user, answer, tmp_path, button):
    window, path = user.window, tmp_path / "kept.svmviz"
    work(user)
    asked = answer(choose(getattr(QMessageBox.StandardButton, button)), QMessageBox)
    if button == "Save":
        answer(name_it(user, path), QFileDialog)
    user.key("ctrl+q")
    if button == "Cancel":
        user.until(lambda: asked.given and QApplication.activeModalWidget() is None)
        assert window.isVisible()
        assert window.isWindowModified()
        assert session(user).document.n == 11
        change(user)
    else:
        user.until(lambda: not window.isVisible())
    assert path.exists() == (button == "Save")


def test_cancelled_save_on_the_way_out_stays(user, answer):
    work(user)
    answer(choose(QMessageBox.StandardButton.Save), QMessageBox)
    asked = answer(lambda _: user.key("Escape"), QFileDialog)
    user.key("ctrl+n")
    user.until(lambda: asked.given and QApplication.activeModalWidget() is None)
    assert session(user).document.n == 11


def test_dropped_files_are_opened(user, csv):
    drop(user.window, csv)
    user.until(lambda: session(user).document.n == 4)
    assert session(user).document.data.axis_names == ("a", "b")
    assert session(user).document.data.class_names == ("no", "yes")
    assert user.window.windowTitle() == "four.csv[*] — svmviz"
    settle(user)


def test_a_dropped_file_asks_about_changes_first(user, answer, csv):
    work(user)
    answer(choose(QMessageBox.StandardButton.Discard), QMessageBox)
    drop(user.window, csv)
    user.until(lambda: session(user).document.n == 4)


def test_unclear_columns_open_a_dialog(user, answer, tmp_path):
    path = tmp_path / "three.csv"
    path.write_text("u,v,w,kind\n0,5,0,p\n1,6,1,q\n2,7,2,p\n3,9,3,r\n")

    def act(dialog):
        dialog._x.setCurrentText("u")
        dialog._y.setCurrentText("w")
        dialog._labels.setCurrentText("kind")
        dialog._negative.setCurrentText("q")
        dialog._positive.setCurrentText("p")
        user.click_on(dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok))

    answer(act, ColumnsDialog)
    drop(user.window, path)
    user.until(lambda: session(user).document.n == 3)
    data = session(user).document.data
    assert data.axis_names == ("u", "w")
    assert data.class_names == ("q", "p")
    assert data.labels.tolist() == [1, -1, 1]


@pytest.mark.parametrize("content", [b"", b"\x00\x01", b"x,y\n1,nan,2\n", b"{ not a scene"])
def test_a_bad_file_shows_a_sentence_and_loses_nothing(user, answer, tmp_path, content):
    path = tmp_path / "bad.csv"
    path.write_bytes(content)
    work(user)
    document, undo = session(user).document, session(user).undo_stack.count()
    said = []

    def act(box):
        said.append(box.informativeText())
        user.key("Return")

    first = answer(choose(QMessageBox.StandardButton.Discard), QMessageBox)
    drop(user.window, path)
    # Or the second answer might take the box of the first.
    user.until(lambda: first.given and QApplication.activeModalWidget() is None)
    one = answer(act, QMessageBox)
    user.until(lambda: one.given)
    user.until(lambda: QApplication.activeModalWidget() is None)
    assert said[0].strip()
    assert "\n" not in said[0].strip()
    assert session(user).document is document
    assert session(user).undo_stack.count() == undo
    assert user.window.isWindowModified()


def test_a_failed_save_is_shown_and_stays_modified(user, answer, tmp_path):
    change(user)
    target = tmp_path / "folder.svmviz"
    target.mkdir()
    answer(lambda _: user.key("Return"), QMessageBox)
    assert not user.window.files._save(target)
    assert user.window.isWindowModified()


def test_opening_shows_progress_and_can_be_cancelled(user, monkeypatch):
    gate = threading.Event()

    def slow(_path, **_):
        gate.wait(TIME_LIMIT)
        return EIGHT

    monkeypatch.setattr(open_and_save, "open_file", slow)
    document = session(user).document
    user.window.files.open("slow.csv")
    cancel(user)
    gate.set()
    user.until(lambda: not user.window.files.tasks._tasks)
    assert session(user).document is document
    assert user.window.files.name == "Untitled"


def test_a_slow_save_does_not_block_the_window(user, monkeypatch, tmp_path):
    begun, gate = threading.Event(), threading.Event()
    save = open_and_save.save

    def slow(path, what):
        begun.set()
        gate.wait(TIME_LIMIT)
        save(path, what)

    monkeypatch.setattr(open_and_save, "save", slow)
    change(user)
    playback = user.window.stage.playback
    playback.seek(0)
    timer = QTimer(interval=10)

    def look():
        """Play once the file is being written; let it be written once something has moved."""
        if not begun.is_set():
            return
        if playback.player.reading:
            gate.set()
        elif not playback.player.playing:
            playback.play()

    timer.timeout.connect(look)
    timer.start()
    user.window.files._path = tmp_path / "slow.svmviz"
    assert user.window.files.save()
    timer.stop()
    assert gate.is_set()
    assert not user.window.isWindowModified()


def test_two_opened_at_once_show_the_last(user, monkeypatch):
    gate = threading.Event()

    def slow(path, **_):
        if path == "slow":
            gate.wait(TIME_LIMIT)
            return Scene(eight())
        return open_and_save.as_scene(EIGHT)

    monkeypatch.setattr(open_and_save, "open_file", slow)
    user.window.files.open("slow")
    user.window.files.open("quick")
    user.until(lambda: user.window.files.name == "quick")
    gate.set()
    user.until(lambda: not user.window.files.tasks._tasks)
    assert user.window.files.name == "quick"


def test_a_slow_file_with_unclear_columns_does_not_ask_after_another(user, monkeypatch, tmp_path):
    gate = threading.Event()
    read = open_and_save.open_file
    unclear = tmp_path / "three.csv"
    unclear.write_text("u,v,w,kind\n0,5,0,p\n1,6,1,q\n2,7,2,p\n3,9,3,r\n")

    def slow(path, **columns):
        if path == "quick":
            return open_and_save.as_scene(EIGHT)
        gate.wait(TIME_LIMIT)
        return read(path, **columns)

    asked = []

    class Asking(ColumnsDialog):
        def exec(self):
            asked.append(self)
            return self.DialogCode.Rejected

    monkeypatch.setattr(open_and_save, "open_file", slow)
    monkeypatch.setattr("svmviz.window.files.opening.ColumnsDialog", Asking)
    user.window.files.open(str(unclear))
    user.window.files.open("quick")
    user.until(lambda: user.window.files.name == "quick")
    gate.set()
    user.until(lambda: not user.window.files.tasks._tasks)
    assert not asked
    # By itself, it does ask.
    user.window.files.open(str(unclear))
    user.until(lambda: asked)


def test_a_new_document_stays_when_a_slow_file_is_read(user, monkeypatch):
    gate, read = threading.Event(), threading.Event()

    def slow(_path, **_):
        gate.wait(TIME_LIMIT)
        read.set()
        return EIGHT

    monkeypatch.setattr(open_and_save, "open_file", slow)
    user.window.files.open("slow.csv")
    user.window.files.new()
    gate.set()
    user.until(read.is_set)
    user.until(lambda: not user.window.files.tasks._tasks)
    assert user.window.files.name == "Untitled"
    assert session(user).document.n == 0
