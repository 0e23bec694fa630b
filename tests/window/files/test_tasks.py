"""Work in a thread: cancelled, it changes nothing; at the end of the window, it is waited for."""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QMessageBox, QProgressBar, QProgressDialog, QPushButton

from solvers import BadInput
from svmviz.io import files as io_files
from svmviz.plane.picture import Picture
from svmviz.window.files import files
from svmviz.window.files.export_dialog import Order
from tests.window.conftest import cancel

pytestmark = pytest.mark.display


@pytest.fixture
def gate(monkeypatch):
    """Pictures for a file are painted only once this is set."""
    opened = threading.Event()
    paint = Picture.image

    def image(picture):
        if threading.current_thread().name == "svmviz-task":
            opened.wait(20)
        return paint(picture)

    monkeypatch.setattr(Picture, "image", image)
    yield opened
    opened.set()


@pytest.fixture
def export(hand, monkeypatch):
    """Begin to write a small picture to a path."""

    def begin(path):
        picture = hand.window.planes.picture(hand.window.plane.theme, 0.25)
        order = Order(path, picture)
        dialog = SimpleNamespace(exec=lambda: True, order=lambda: order)
        monkeypatch.setattr(files, "ExportDialog", lambda *_: dialog)
        hand.window.files.ask_export()

    return begin


def test_cancel_leaves_the_file_as_it_was(hand, gate, export, tmp_path):
    path = tmp_path / "older.png"
    path.write_bytes(b"older")
    export(path)
    cancel(hand)
    gate.set()
    hand.until(lambda: not hand.window.files.tasks._tasks)
    assert path.read_bytes() == b"older"
    assert [file.name for file in tmp_path.glob("*older*")] == ["older.png"]


def test_a_failure_after_cancel_is_logged(hand, caplog):
    gate = threading.Event()
    told = []

    def work(_cancelled):
        gate.wait(20)
        raise BadInput("The disk is full.")

    tasks = hand.window.files.tasks
    tasks.start("Writing…", work, told.append, told.append)
    next(iter(tasks._tasks)).cancel()
    gate.set()
    hand.until(lambda: not tasks._tasks)
    assert not told
    assert "The disk is full." in caplog.text


def test_a_picture_is_finished_before_the_window_closes(hand, gate, export, tmp_path):
    path = tmp_path / "late.png"
    export(path)
    QTimer.singleShot(100, gate.set)
    assert hand.window.close()
    assert QImage(str(path)).width() > 0
    assert hand.window.memory.folder == str(tmp_path)


def test_a_failure_while_the_window_closes_is_shown(hand, answer, gate, export, tmp_path):
    said = []

    def act(box):
        said.append((box.text(), box.informativeText()))
        hand.key("Return")

    export(tmp_path / "nowhere" / "late.png")
    answer(act, QMessageBox)
    QTimer.singleShot(100, gate.set)
    assert hand.window.close()
    ((title, sentence),) = said
    assert title == "late.png was not written"
    assert sentence == f"No such folder: {tmp_path / 'nowhere'}"


def test_a_fault_while_the_window_closes_is_logged(hand, caplog, monkeypatch, export, tmp_path):
    def broken(_picture):
        raise RuntimeError("the painter is broken")

    monkeypatch.setattr(Picture, "image", broken)
    export(tmp_path / "late.png")
    assert hand.window.close()
    assert not hand.window.isVisible()
    assert "the painter is broken" in caplog.text


def test_a_task_that_need_not_finish_is_cancelled_when_the_window_closes(hand):
    gate, wanted = threading.Event(), []

    def work(cancelled):
        gate.wait(20)
        wanted.append(not cancelled())

    tasks = hand.window.files.tasks
    tasks.start("Opening…", work, wanted.append, wanted.append)
    assert hand.window.close()
    gate.set()
    hand.until(lambda: wanted)
    assert wanted == [False]


def click_cancel(hand):
    """Click Cancel in the dialog of progress as soon as there is one, from a timer."""
    clicked = []

    def look():
        dialog = hand.window.findChild(QProgressDialog)
        button = dialog.findChild(QPushButton) if dialog is not None else None
        if button is not None and button.isVisible() and dialog.isActiveWindow():
            timer.stop()
            clicked.append(dialog.windowModality())
            hand.click_on(button)

    timer = QTimer(hand.window, interval=50)
    timer.timeout.connect(look)
    timer.start()
    return clicked


@pytest.fixture
def slow_disk(monkeypatch):
    """A disk that takes a file only once this is set."""
    opened = threading.Event()
    fsync = os.fsync

    def slow(number):
        if threading.current_thread().name == "svmviz-task":
            opened.wait(20)
        fsync(number)

    monkeypatch.setattr(os, "fsync", slow)
    yield opened
    opened.set()


def modify(hand):
    """Do work of one's own, which closing would lose: move a point, and move it back."""
    session = hand.window.stage.session
    document = session.document
    points = document.data.points + 0.0
    points[0] += 0.25
    moved = replace(document.data, points=points)
    session.edit(replace(document, data=moved), "Move point")
    session.edit(document, "Move back")


def test_a_save_can_be_cancelled(hand, slow_disk, tmp_path):
    path = tmp_path / "older.svmviz"
    path.write_text("older")
    modify(hand)
    hand.window.files._path = path
    clicked = click_cancel(hand)
    assert not hand.window.files.save()
    assert clicked == [Qt.WindowModality.ApplicationModal]
    assert not slow_disk.is_set()
    slow_disk.set()
    hand.until(lambda: not hand.window.files.tasks.is_running)
    hand.until(lambda: not hand.window.files.tasks._tasks)
    assert path.read_text() == "older"
    assert [file.name for file in tmp_path.glob("*older*")] == ["older.svmviz"]
    assert hand.window.isWindowModified()
    # Nothing of it is in the way of the next one.
    assert hand.window.files.save()
    assert path.read_text() != "older"


def test_a_save_on_the_way_out_can_be_cancelled_and_the_window_stays(
    hand, answer, slow_disk, tmp_path
):
    modify(hand)
    hand.window.files._path = tmp_path / "new.svmviz"
    answer(lambda box: box.button(QMessageBox.StandardButton.Save).click(), QMessageBox)
    clicked = click_cancel(hand)
    assert not hand.window.close()
    assert clicked
    assert hand.window.isVisible()
    slow_disk.set()
    hand.until(lambda: not hand.window.files.tasks.is_running)
    assert not (tmp_path / "new.svmviz").exists()


def test_what_the_window_waits_for_when_it_closes_can_be_cancelled(hand, gate, export, tmp_path):
    path = tmp_path / "older.png"
    path.write_bytes(b"older")
    export(path)
    clicked = click_cancel(hand)
    assert hand.window.close()
    assert clicked == [Qt.WindowModality.ApplicationModal]
    # The painting was not waited for, and comes to nothing.
    assert not gate.is_set()
    assert hand.window.files.tasks.is_running
    gate.set()
    hand.until(lambda: not hand.window.files.tasks.is_running)
    assert path.read_bytes() == b"older"


def test_a_cancelled_task_is_not_waited_for_when_the_window_closes(hand, gate, export, tmp_path):
    export(tmp_path / "late.png")
    cancel(hand)
    assert hand.window.close()
    assert not gate.is_set()
    gate.set()
    hand.until(lambda: not hand.window.files.tasks.is_running)
    assert not (tmp_path / "late.png").exists()


def test_a_window_that_waits_is_not_closed_meanwhile(hand, slow_disk, tmp_path):
    modify(hand)
    hand.window.files._path = tmp_path / "new.svmviz"
    tried = []
    QTimer.singleShot(50, lambda: tried.append(hand.window.close()))
    QTimer.singleShot(400, slow_disk.set)
    assert hand.window.files.save()
    assert tried == [False]
    assert hand.window.isVisible()


def test_a_fault_while_it_is_asked_whether_to_leave_closes_nothing(hand, monkeypatch):
    def broken(*_):
        raise RuntimeError("the question is broken")

    modify(hand)
    closed = []
    hand.window.closed.connect(lambda: closed.append(True))
    with monkeypatch.context() as patch:
        patch.setattr(hand.window.messages, "ask_save", broken)
        with pytest.raises(RuntimeError, match="is broken"):
            hand.window.close()
    hand.rest()
    assert hand.window.isVisible()
    assert not closed


def test_a_fault_of_the_memory_keeps_no_window_open(hand, monkeypatch):
    def broken(*_):
        raise RuntimeError("the memory is broken")

    closed = []
    hand.window.closed.connect(lambda: closed.append(True))
    with monkeypatch.context() as patch:
        patch.setattr(hand.window.memory, "remember", broken)
        with pytest.raises(RuntimeError, match="is broken"):
            hand.window.close()
    assert not hand.window.isVisible()
    assert closed == [True]


def test_a_slow_file_shows_how_far_it_is_and_cancel_ends_the_reading(hand, monkeypatch, tmp_path):
    told, ended = threading.Event(), threading.Event()
    path = tmp_path / "points.csv"
    path.write_text("0,0,a\n1,1,b\n")
    read = io_files.read_text

    def slow(path, report, **more):
        report(0.4)
        try:
            while not told.wait(0.01):
                report(0.4)
            report(0.4)
            return read(path, report, **more)
        finally:
            ended.set()

    monkeypatch.setattr(io_files, "read_text", slow)
    document = hand.window.stage.session.document
    hand.window.files.open(str(path))
    hand.until(lambda: hand.window.findChild(QProgressDialog))
    bar = hand.window.findChild(QProgressDialog).findChild(QProgressBar)
    hand.until(lambda: bar.maximum() > 0 and bar.value() == 0.4 * bar.maximum())
    assert not bar.isTextVisible()
    cancel(hand)
    # It was never let go on: Cancel alone ended it.
    hand.until(ended.is_set)
    hand.until(lambda: not hand.window.files.tasks._tasks)
    assert hand.window.stage.session.document is document
    told.set()
    hand.window.files.open(str(path))
    hand.until(lambda: hand.window.stage.session.document.n == 2)
