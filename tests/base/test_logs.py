"""The log: uncaught exceptions are written to it and reported."""

import logging
import os
import sys
import threading

import pytest

from svmviz.base import logs


@pytest.fixture
def reported(monkeypatch):
    """Return the sentences reported; the hooks that existed before do nothing."""
    monkeypatch.setattr(sys, "excepthook", lambda *_: None)
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)
    sentences = []
    yield sentences
    logs.tear_down_logging()


def fail(error):
    """Pass an exception to the hook, as the end of a program does."""
    try:
        raise error
    except BaseException as raised:
        sys.excepthook(type(raised), raised, raised.__traceback__)


def text_of(folder):
    for handler in logging.getLogger().handlers:
        handler.flush()
    return (folder / "svmviz.log").read_text(encoding="utf-8")


def test_uncaught_exceptions_are_logged_and_reported(tmp_path, reported):
    path = logs.set_up_logging(reported.append, tmp_path)
    assert path == tmp_path / "svmviz.log"
    fail(ValueError("two\nlines"))
    assert reported == ["ValueError: two lines"]
    assert "Traceback" in text_of(tmp_path)
    assert "in fail" in text_of(tmp_path)


def test_exceptions_in_threads(tmp_path, reported):
    logs.set_up_logging(reported.append, tmp_path)
    thread = threading.Thread(target=lambda: 1 / 0, name="worker")
    thread.start()
    thread.join()
    assert reported == ["ZeroDivisionError: division by zero"]
    assert "worker" in text_of(tmp_path)


def test_exceptions_that_cannot_be_raised_are_logged_only(tmp_path, reported):
    class Stubborn:
        def __del__(self):
            raise ValueError("from a destructor")

    logs.set_up_logging(reported.append, tmp_path)
    Stubborn()
    assert reported == []
    assert "from a destructor" in text_of(tmp_path)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(1)])
def test_intended_ends_are_no_errors(tmp_path, reported, error):
    logs.set_up_logging(reported.append, tmp_path)
    fail(error)
    assert reported == []
    assert "Uncaught" not in text_of(tmp_path)


def test_what_qt_was_doing_is_left_out_of_the_sentence(tmp_path, reported):
    logs.set_up_logging(reported.append, tmp_path)
    way = "Error calling Python override of QMainWindow::event(): "
    fail(RuntimeError(f"{way}{way.replace('event', 'closeEvent')}the disk is gone"))
    assert reported == ["RuntimeError: the disk is gone"]
    assert "closeEvent" in text_of(tmp_path)


def test_an_error_while_reporting_is_logged(tmp_path, reported):
    def tell(sentence):
        reported.append(sentence)
        fail(RuntimeError("inner"))
        raise RuntimeError("no dialog")

    logs.set_up_logging(tell, tmp_path)
    fail(ValueError())
    assert reported == ["ValueError"]
    assert "inner" in text_of(tmp_path)
    assert "could not be shown" in text_of(tmp_path)


def test_without_a_log_file_errors_are_still_reported(tmp_path, reported):
    (tmp_path / "file").touch()
    assert logs.set_up_logging(reported.append, tmp_path / "file") is None
    fail(ValueError("x"))
    assert reported == ["ValueError: x"]


def test_everything_is_taken_back(tmp_path):
    root = logging.getLogger()

    def state():
        return (
            sys.excepthook,
            threading.excepthook,
            sys.unraisablehook,
            root.level,
            *root.handlers,
        )

    before = state()
    logs.set_up_logging(None, tmp_path)
    logs.set_up_logging(None, tmp_path)
    assert len(root.handlers) == len(before) - 4 + 1
    logs.tear_down_logging()
    assert state() == before


def test_a_long_log_is_renamed_at_the_next_start(tmp_path, reported, monkeypatch):
    monkeypatch.setattr(logs, "MAX_BYTES", 500)
    starts = logs.BACKUPS + 3
    for start in range(starts):
        logs.set_up_logging(None, tmp_path)
        for number in range(20):
            logging.getLogger("svmviz").info("start %d, message %d", start, number)
        # What was begun stays in one file, however long it gets.
        assert text_of(tmp_path).count(f"start {start},") == 20
    endings = ["", *(f".{number}" for number in range(1, logs.BACKUPS + 1))]
    assert {path.name for path in tmp_path.iterdir()} == {f"svmviz.log{end}" for end in endings}
    for age, end in enumerate(endings):
        text = (tmp_path / f"svmviz.log{end}").read_text(encoding="utf-8")
        assert text.count(f"start {starts - 1 - age},") == text.count(" message ") == 20


def test_a_short_log_is_continued(tmp_path, reported):
    for _ in range(2):
        logs.set_up_logging(None, tmp_path)
    assert text_of(tmp_path).count("INFO MainThread svmviz.base.logs: svmviz") == 2
    assert len(list(tmp_path.iterdir())) == 1


def test_a_log_that_another_window_has_open_loses_nothing(tmp_path, reported, monkeypatch):
    """As on Windows, where a file that is open cannot be renamed."""

    def refuse(*_names):
        raise PermissionError("The file is used by another process.")

    monkeypatch.setattr(logs, "MAX_BYTES", 500)
    monkeypatch.setattr(os, "rename", refuse)
    monkeypatch.setattr(os, "replace", refuse)
    (tmp_path / "svmviz.log.1").write_text("older")
    for start in range(2):
        logs.set_up_logging(None, tmp_path)
        for number in range(20):
            logging.getLogger("svmviz").info("start %d, message %d", start, number)
    assert text_of(tmp_path).count(" message ") == 40
    assert (tmp_path / "svmviz.log.1").read_text() == "older"


def test_messages_of_qt(tmp_path, reported):
    from PySide6.QtCore import QLoggingCategory, qCWarning, qWarning

    logs.set_up_logging(None, tmp_path)
    logs.log_qt()
    qWarning("something odd")
    category = QLoggingCategory("svmviz.test")  # type: ignore[arg-type]
    qCWarning(category, "in a category")  # type: ignore[arg-type]
    logs.tear_down_logging()
    text = (tmp_path / "svmviz.log").read_text(encoding="utf-8")
    assert "WARNING MainThread qt.default: something odd" in text
    assert "qt.svmviz.test: in a category" in text
