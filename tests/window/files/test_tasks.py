"""Work in a thread: cancelled, it changes nothing; at the end of the window, it is waited for."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QMessageBox

from solvers import BadInput
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


def test_a_failure_while_the_window_closes_is_told(hand, answer, gate, export, tmp_path):
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


def test_what_does_not_matter_is_cancelled_when_the_window_closes(hand):
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
