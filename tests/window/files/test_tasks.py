"""Work in a thread: it changes nothing if cancelled, and the closing window waits for it."""

from __future__ import annotations

import os
import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QMessageBox, QProgressBar, QProgressDialog, QPushButton

from solvers import BadInput
from solvers.cancelling import Cancelled
from svmviz.export.figure import Figure
from svmviz.io import open_and_save
from svmviz.window.files import export_dialog
from svmviz.window.files.export_dialog import Export
from tests.window.conftest import cancel

pytestmark = pytest.mark.display


def delay_tasks(monkeypatch, owner, name):
    """Make a function wait in threads of tasks until the event returned is set."""
    opened = threading.Event()
    function = getattr(owner, name)

    def delayed(argument):
        if threading.current_thread().name == "svmviz-task":
            opened.wait(20)
        return function(argument)

    monkeypatch.setattr(owner, name, delayed)
    return opened


@pytest.fixture
def gate(monkeypatch):
    """Event that lets pictures for a file be painted."""
    opened = delay_tasks(monkeypatch, Figure, "image")
    yield opened
    opened.set()


@pytest.fixture
def export(user, monkeypatch):
    """Begin to write a small picture to a path."""

    def begin(path):
        picture = user.window.planes.picture(user.window.plane.theme, 0.25)
        made = Export(path, Figure.of(picture))
        dialog = QObject()
        vars(dialog).update(exec=lambda: True, values=dict, export=lambda: made)
        monkeypatch.setattr(export_dialog, "ExportDialog", lambda *_: dialog)
        user.window.exports.ask_picture()

    return begin


def test_cancel_leaves_the_file_as_it_was(user, gate, export, tmp_path):
    path = tmp_path / "older.png"
    path.write_bytes(b"older")
    export(path)
    cancel(user)
    gate.set()
    user.until(lambda: not user.window.files.tasks._tasks)
    assert path.read_bytes() == b"older"
    assert [file.name for file in tmp_path.glob("*older*")] == ["older.png"]


def test_a_failure_after_cancel_is_logged(user, caplog):
    gate = threading.Event()
    called = []

    def work(_report):
        gate.wait(20)
        raise BadInput("The disk is full.")

    tasks = user.window.files.tasks
    tasks.start("Writing…", work, called.append, called.append)
    next(iter(tasks._tasks)).cancel()
    gate.set()
    user.until(lambda: not tasks._tasks)
    assert not called
    assert "The disk is full." in caplog.text


def test_a_picture_is_finished_before_the_window_closes(user, gate, export, tmp_path):
    path = tmp_path / "late.png"
    export(path)
    QTimer.singleShot(100, gate.set)
    assert user.window.close()
    assert QImage(str(path)).width() > 0
    assert user.window.memory.folder == str(tmp_path)


def test_a_failure_while_the_window_closes_is_shown(user, answer, gate, export, tmp_path):
    said = []

    def act(box):
        said.append((box.text(), box.informativeText()))
        user.key("Return")

    export(tmp_path / "nowhere" / "late.png")
    answer(act, QMessageBox)
    QTimer.singleShot(100, gate.set)
    assert user.window.close()
    ((title, sentence),) = said
    assert title == "late.png was not written"
    assert sentence == f"No such folder: {tmp_path / 'nowhere'}"


def test_a_fault_while_the_window_closes_is_logged(user, caplog, monkeypatch, export, tmp_path):
    def broken(_picture):
        raise RuntimeError("the painter is broken")

    monkeypatch.setattr(Figure, "image", broken)
    export(tmp_path / "late.png")
    assert user.window.close()
    assert not user.window.isVisible()
    assert "the painter is broken" in caplog.text


def test_a_task_that_need_not_finish_is_cancelled_when_the_window_closes(user):
    gate, wanted = threading.Event(), []

    def work(report):
        gate.wait(20)
        try:
            report(0.5)
        except Cancelled:
            wanted.append(False)
        else:
            wanted.append(True)

    tasks = user.window.files.tasks
    tasks.start("Opening…", work, wanted.append, wanted.append)
    assert user.window.close()
    gate.set()
    user.until(lambda: wanted)
    assert wanted == [False]


def click_cancel(user):
    """Click Cancel in the dialog of progress as soon as there is one, from a timer."""
    clicked = []

    def look():
        dialog = user.window.findChild(QProgressDialog)
        button = dialog.findChild(QPushButton) if dialog is not None else None
        if button is not None and button.isVisible() and dialog.isActiveWindow():
            timer.stop()
            clicked.append(dialog.windowModality())
            user.click_on(button)

    timer = QTimer(user.window, interval=50)
    timer.timeout.connect(look)
    timer.start()
    return clicked


@pytest.fixture
def slow_disk(monkeypatch):
    """Event that lets the disk accept a file."""
    opened = delay_tasks(monkeypatch, os, "fsync")
    yield opened
    opened.set()


def modify(user):
    """Make changes of substance, which closing asks about: move a point and back, twice."""
    session = user.window.stage.session
    document = session.document
    points = document.data.points + 0.0
    points[0] += 0.25
    moved = replace(document.data, points=points)
    for _ in range(2):
        session.edit(replace(document, data=moved), "Move point")
        session.edit(document, "Move back")


def test_a_save_can_be_cancelled(user, slow_disk, tmp_path):
    path = tmp_path / "older.svmviz"
    path.write_text("older")
    modify(user)
    user.window.files._path = path
    clicked = click_cancel(user)
    assert not user.window.files.save()
    assert clicked == [Qt.WindowModality.ApplicationModal]
    assert not slow_disk.is_set()
    slow_disk.set()
    user.until(lambda: not user.window.files.tasks.is_running)
    user.until(lambda: not user.window.files.tasks._tasks)
    assert path.read_text() == "older"
    assert [file.name for file in tmp_path.glob("*older*")] == ["older.svmviz"]
    assert user.window.isWindowModified()
    # It does not prevent the next one.
    assert user.window.files.save()
    assert path.read_text() != "older"


def test_a_save_on_the_way_out_can_be_cancelled_and_the_window_stays(
    user, answer, slow_disk, tmp_path
):
    modify(user)
    user.window.files._path = tmp_path / "new.svmviz"
    answer(lambda box: box.button(QMessageBox.StandardButton.Save).click(), QMessageBox)
    clicked = click_cancel(user)
    assert not user.window.close()
    assert clicked
    assert user.window.isVisible()
    slow_disk.set()
    user.until(lambda: not user.window.files.tasks.is_running)
    assert not (tmp_path / "new.svmviz").exists()


def test_what_the_window_waits_for_when_it_closes_can_be_cancelled(user, gate, export, tmp_path):
    path = tmp_path / "older.png"
    path.write_bytes(b"older")
    export(path)
    clicked = click_cancel(user)
    assert user.window.close()
    assert clicked == [Qt.WindowModality.ApplicationModal]
    # The painting was not waited for, and comes to nothing.
    assert not gate.is_set()
    assert user.window.files.tasks.is_running
    gate.set()
    user.until(lambda: not user.window.files.tasks.is_running)
    assert path.read_bytes() == b"older"


def test_a_cancelled_task_is_not_waited_for_when_the_window_closes(user, gate, export, tmp_path):
    export(tmp_path / "late.png")
    cancel(user)
    assert user.window.close()
    assert not gate.is_set()
    gate.set()
    user.until(lambda: not user.window.files.tasks.is_running)
    assert not (tmp_path / "late.png").exists()


def test_a_window_that_waits_is_not_closed_meanwhile(user, slow_disk, tmp_path):
    modify(user)
    user.window.files._path = tmp_path / "new.svmviz"
    tried = []
    QTimer.singleShot(50, lambda: tried.append(user.window.close()))
    QTimer.singleShot(400, slow_disk.set)
    assert user.window.files.save()
    assert tried == [False]
    assert user.window.isVisible()


def test_work_that_need_not_finish_ends_with_the_program(user):
    patience = threading.Event()

    def work(report):
        while not patience.wait(0.01):
            report(0.5)

    tasks = user.window.files.tasks
    timer = QTimer(user.window, interval=10)
    # What the end of the program does to every event loop.
    timer.timeout.connect(lambda: [task._loop.exit(1) for task in tasks._tasks if task._loop])
    timer.start()
    late = threading.Timer(20, patience.set)
    late.start()
    with pytest.raises(Cancelled):
        tasks.run("Pasting…", work, must_finish=False)
    timer.stop()
    late.cancel()
    assert not patience.is_set()


def test_a_fault_while_it_is_asked_whether_to_leave_closes_nothing(user, monkeypatch):
    def broken(*_):
        raise RuntimeError("the question is broken")

    modify(user)
    closed = []
    user.window.closed.connect(lambda: closed.append(True))
    with monkeypatch.context() as patch:
        patch.setattr(user.window.messages, "ask_save", broken)
        with pytest.raises(RuntimeError, match="is broken"):
            user.window.close()
    user.rest()
    assert user.window.isVisible()
    assert not closed


def test_a_fault_of_the_memory_keeps_no_window_open(user, monkeypatch):
    def broken(*_):
        raise RuntimeError("the memory is broken")

    closed = []
    user.window.closed.connect(lambda: closed.append(True))
    with monkeypatch.context() as patch:
        patch.setattr(user.window.memory, "remember", broken)
        with pytest.raises(RuntimeError, match="is broken"):
            user.window.close()
    assert not user.window.isVisible()
    assert closed == [True]


def test_a_slow_file_shows_how_far_it_is_and_cancel_ends_the_reading(user, monkeypatch, tmp_path):
    go_on, ended = threading.Event(), threading.Event()
    path = tmp_path / "points.csv"
    path.write_text("0,0,a\n1,1,b\n")
    read = open_and_save.read_text

    def slow(path, report, **more):
        report(0.4)
        try:
            while not go_on.wait(0.01):
                report(0.4)
            report(0.4)
            return read(path, report, **more)
        finally:
            ended.set()

    monkeypatch.setattr(open_and_save, "read_text", slow)
    document = user.window.stage.session.document
    user.window.files.open(str(path))
    user.until(lambda: user.window.findChild(QProgressDialog))
    bar = user.window.findChild(QProgressDialog).findChild(QProgressBar)
    user.until(lambda: bar.maximum() > 0 and bar.value() == 0.4 * bar.maximum())
    assert not bar.isTextVisible()
    cancel(user)
    # Cancel alone ended it.
    user.until(ended.is_set)
    user.until(lambda: not user.window.files.tasks._tasks)
    assert user.window.stage.session.document is document
    go_on.set()
    user.window.files.open(str(path))
    user.until(lambda: user.window.stage.session.document.n == 2)
