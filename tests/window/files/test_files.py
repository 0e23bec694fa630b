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

from svmviz.io import files
from svmviz.io.scene import Scene
from svmviz.panels.settings.data_panel import DataPanel
from svmviz.window.files.columns_dialog import ColumnsDialog
from tests.stages import EIGHT, eight
from tests.time_limits import TIME_LIMIT
from tests.window.conftest import cancel, settle

pytestmark = pytest.mark.display


def session(hand):
    return hand.window.stage.session


def change(hand):
    """Place a point, so that there is something to lose."""
    before = session(hand).document.n
    hand.click(hand.at(0.5, 0.1 - 0.4 * (before - 8)))
    hand.until(lambda: session(hand).document.n == before + 1)


def name_it(hand, path):
    """Answer of a file dialog: the path, typed."""

    def act(_dialog):
        hand.key("ctrl+a")
        hand.type(str(path))
        hand.key("Return")

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


def test_title_and_mark_follow_the_document(hand):
    window = hand.window
    assert window.windowTitle() == "Untitled[*] — svmviz"
    assert not window.isWindowModified()
    change(hand)
    assert window.isWindowModified()
    hand.key("ctrl+z")
    hand.until(lambda: not window.isWindowModified())


def test_save_open_and_recent(hand, answer, tmp_path):
    window, path = hand.window, tmp_path / "mine.svmviz"
    change(hand)
    # Without an ending: the filter's is taken.
    answer(name_it(hand, path.with_suffix("")), QFileDialog)
    hand.key("ctrl+s")
    hand.until(path.exists)
    hand.until(lambda: not window.isWindowModified())
    assert window.windowTitle() == "mine.svmviz[*] — svmviz"
    change(hand)
    hand.key("ctrl+s")
    hand.until(lambda: not window.isWindowModified())
    assert files.open_scene(path).document == session(hand).document
    hand.key("ctrl+n")
    hand.until(lambda: session(hand).document.n == 0)
    answer(name_it(hand, path), QFileDialog)
    hand.key("ctrl+o")
    hand.until(lambda: session(hand).document.n == 10)
    settle(hand)
    hand.wake()
    hand.key("ctrl+n")
    hand.until(lambda: session(hand).document.n == 0)
    window.menus.submenus.recent.aboutToShow.emit()
    entries = window.menus.submenus.recent.actions()
    assert entries[0].text() == "mine.svmviz"
    entries[0].trigger()
    hand.until(lambda: session(hand).document.n == 10)


def test_a_scene_keeps_its_view(hand, tmp_path):
    window, path = hand.window, tmp_path / "look.svmviz"
    window.plane.navigation.zoom(2.0)
    window.stage.playback.seek(2)
    window.stage.view.set(sticks=False)
    hand.until(lambda: window.stage.feed.frame.lane.step == 2)
    camera = window.plane.camera
    assert window.files._save(path)
    window.files.new()
    settle(hand)
    window.files.open(str(path))
    hand.until(lambda: window.files.path == path)
    hand.until(lambda: window.stage.feed.frame.lane and window.stage.playback.player.reading == 2)
    assert window.plane.camera.view == pytest.approx(camera.view)
    assert not window.stage.view.options.sticks


@pytest.mark.parametrize("button", ["Save", "Discard", "Cancel"])
def test_unsaved_changes_are_asked_about(hand, answer, tmp_path, button):
    window, path = hand.window, tmp_path / "kept.svmviz"
    change(hand)
    asked = answer(choose(getattr(QMessageBox.StandardButton, button)), QMessageBox)
    if button == "Save":
        answer(name_it(hand, path), QFileDialog)
    hand.key("ctrl+q")
    if button == "Cancel":
        hand.until(lambda: asked.given and QApplication.activeModalWidget() is None)
        assert window.isVisible()
        assert window.isWindowModified()
        assert session(hand).document.n == 9
        change(hand)
    else:
        hand.until(lambda: not window.isVisible())
    assert path.exists() == (button == "Save")


def test_cancelled_save_on_the_way_out_stays(hand, answer):
    change(hand)
    answer(choose(QMessageBox.StandardButton.Save), QMessageBox)
    asked = answer(lambda _: hand.key("Escape"), QFileDialog)
    hand.key("ctrl+n")
    hand.until(lambda: asked.given and QApplication.activeModalWidget() is None)
    assert session(hand).document.n == 9


def test_dropped_files_are_opened(hand, csv):
    drop(hand.window, csv)
    hand.until(lambda: session(hand).document.n == 4)
    assert session(hand).document.data.axis_names == ("a", "b")
    assert session(hand).document.data.class_names == ("no", "yes")
    assert hand.window.windowTitle() == "four.csv[*] — svmviz"
    settle(hand)


def test_a_dropped_file_asks_about_changes_first(hand, answer, csv):
    change(hand)
    answer(choose(QMessageBox.StandardButton.Discard), QMessageBox)
    drop(hand.window, csv)
    hand.until(lambda: session(hand).document.n == 4)


def test_unclear_columns_open_a_dialog(hand, answer, tmp_path):
    path = tmp_path / "three.csv"
    path.write_text("u,v,w,kind\n0,5,0,p\n1,6,1,q\n2,7,2,p\n3,9,3,r\n")

    def act(dialog):
        dialog._x.setCurrentText("u")
        dialog._y.setCurrentText("w")
        dialog._labels.setCurrentText("kind")
        dialog._negative.setCurrentText("q")
        dialog._positive.setCurrentText("p")
        hand.click_on(dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok))

    answer(act, ColumnsDialog)
    drop(hand.window, path)
    hand.until(lambda: session(hand).document.n == 3)
    data = session(hand).document.data
    assert data.axis_names == ("u", "w")
    assert data.class_names == ("q", "p")
    assert data.labels.tolist() == [1, -1, 1]


@pytest.mark.parametrize("content", [b"", b"\x00\x01", b"x,y\n1,nan,2\n", b"{ not a scene"])
def test_a_bad_file_shows_a_sentence_and_loses_nothing(hand, answer, tmp_path, content):
    path = tmp_path / "bad.csv"
    path.write_bytes(content)
    change(hand)
    document, undo = session(hand).document, session(hand).undo_stack.count()
    said = []

    def act(box):
        said.append(box.informativeText())
        hand.key("Return")

    first = answer(choose(QMessageBox.StandardButton.Discard), QMessageBox)
    drop(hand.window, path)
    # Or the second answer might take the box of the first.
    hand.until(lambda: first.given and QApplication.activeModalWidget() is None)
    one = answer(act, QMessageBox)
    hand.until(lambda: one.given)
    hand.until(lambda: QApplication.activeModalWidget() is None)
    assert said[0].strip()
    assert "\n" not in said[0].strip()
    assert session(hand).document is document
    assert session(hand).undo_stack.count() == undo
    assert hand.window.isWindowModified()


def test_a_failed_save_is_shown_and_stays_modified(hand, answer, tmp_path):
    change(hand)
    target = tmp_path / "folder.svmviz"
    target.mkdir()
    answer(lambda _: hand.key("Return"), QMessageBox)
    assert not hand.window.files._save(target)
    assert hand.window.isWindowModified()


def test_opening_shows_progress_and_can_be_cancelled(hand, monkeypatch):
    gate = threading.Event()

    def slow(_path, **_):
        gate.wait(TIME_LIMIT)
        return EIGHT

    monkeypatch.setattr(files, "open_file", slow)
    document = session(hand).document
    hand.window.files.open("slow.csv")
    cancel(hand)
    gate.set()
    hand.until(lambda: not hand.window.files.tasks._tasks)
    assert session(hand).document is document
    assert hand.window.files.name == "Untitled"


def test_a_slow_save_does_not_block_the_window(hand, monkeypatch, tmp_path):
    begun, gate = threading.Event(), threading.Event()
    save = files.save

    def slow(path, what, cancelled):
        begun.set()
        gate.wait(TIME_LIMIT)
        save(path, what, cancelled)

    monkeypatch.setattr(files, "save", slow)
    change(hand)
    playback = hand.window.stage.playback
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
    hand.window.files._path = tmp_path / "slow.svmviz"
    assert hand.window.files.save()
    timer.stop()
    assert gate.is_set()
    assert not hand.window.isWindowModified()


def test_two_opened_at_once_show_the_last(hand, monkeypatch):
    gate = threading.Event()

    def slow(path, **_):
        if path == "slow":
            gate.wait(TIME_LIMIT)
            return Scene(eight())
        return files.as_scene(EIGHT)

    monkeypatch.setattr(files, "open_file", slow)
    hand.window.files.open("slow")
    hand.window.files.open("quick")
    hand.until(lambda: hand.window.files.name == "quick")
    gate.set()
    hand.until(lambda: not hand.window.files.tasks._tasks)
    assert hand.window.files.name == "quick"


def test_a_slow_file_with_unclear_columns_does_not_ask_after_another(hand, monkeypatch, tmp_path):
    gate = threading.Event()
    read = files.open_file
    unclear = tmp_path / "three.csv"
    unclear.write_text("u,v,w,kind\n0,5,0,p\n1,6,1,q\n2,7,2,p\n3,9,3,r\n")

    def slow(path, **columns):
        if path == "quick":
            return files.as_scene(EIGHT)
        gate.wait(TIME_LIMIT)
        return read(path, **columns)

    asked = []

    class Asking(ColumnsDialog):
        def exec(self):
            asked.append(self)
            return self.DialogCode.Rejected

    monkeypatch.setattr(files, "open_file", slow)
    monkeypatch.setattr("svmviz.window.files.opening.ColumnsDialog", Asking)
    hand.window.files.open(str(unclear))
    hand.window.files.open("quick")
    hand.until(lambda: hand.window.files.name == "quick")
    gate.set()
    hand.until(lambda: not hand.window.files.tasks._tasks)
    assert not asked
    # By itself, it does ask.
    hand.window.files.open(str(unclear))
    hand.until(lambda: asked)


def test_the_title_is_what_was_generated(hand):
    window = hand.window
    assert window.files.name == "Untitled"
    window.docks.column.findChild(DataPanel).generate.click()
    assert window.files.name == "Two moons"
    assert window.windowTitle().startswith("Two moons")
    change(hand)
    assert window.files.name == "Two moons"
    session(hand).undo_stack.setIndex(0)
    assert window.windowTitle().startswith("Untitled")


def test_a_new_document_stays_when_a_slow_file_is_read(hand, monkeypatch):
    gate, read = threading.Event(), threading.Event()

    def slow(_path, **_):
        gate.wait(TIME_LIMIT)
        read.set()
        return EIGHT

    monkeypatch.setattr(files, "open_file", slow)
    hand.window.files.open("slow.csv")
    hand.window.files.new()
    gate.set()
    hand.until(read.is_set)
    hand.until(lambda: not hand.window.files.tasks._tasks)
    assert hand.window.files.name == "Untitled"
    assert session(hand).document.n == 0
