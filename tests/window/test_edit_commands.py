"""Commands of the Edit menu that take long, or have to ask."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QProgressBar, QProgressDialog, QPushButton

from svmviz.document.held_out import Shares
from svmviz.document.splitting import split
from svmviz.io.open_and_save import read_pasted
from svmviz.window import edit_commands

pytestmark = pytest.mark.display


@pytest.fixture
def slow(monkeypatch):
    """Pasted text is read only once this is set; before, 40 % are reported."""
    gate = threading.Event()

    def read(text, task, report, **more):
        assert threading.current_thread() is not threading.main_thread()
        while not gate.wait(0.01):
            report(0.4)
        return read_pasted(text, task, report, **more)

    monkeypatch.setattr(edit_commands, "read_pasted", read)
    QApplication.clipboard().setText("0.5,1,1\n2,2,-1\n")
    yield gate
    gate.set()


def when_progress_shows(user, act):
    """Call ``act(dialog)`` once the dialog with the progress is visible."""
    done = []

    def look():
        dialog = user.window.findChild(QProgressDialog)
        if dialog is not None and dialog.isVisible():
            bar = dialog.findChild(QProgressBar)
            if bar.maximum() > 0 and bar.value() == 0.4 * bar.maximum():
                timer.stop()
                done.append(True)
                act(dialog)

    timer = QTimer(user.window, interval=20)
    timer.timeout.connect(look)
    timer.start()
    return done


def test_pasting_shows_progress_and_can_be_cancelled(user, slow):
    document = user.window.stage.session.document
    done = when_progress_shows(user, lambda dialog: dialog.findChild(QPushButton).click())
    user.window.edits.paste()
    assert done
    assert not slow.is_set()
    assert user.window.stage.session.document is document
    user.until(lambda: not user.window.files.tasks.is_running)


def test_the_window_turns_while_long_text_is_read(user, slow):
    turned = []

    def act(_dialog):
        # Another paste, and closing, wait for this one.
        user.window.edits.paste()
        turned.append(user.window.close())
        slow.set()

    when_progress_shows(user, act)
    user.window.edits.paste()
    assert turned == [False]
    assert user.window.stage.session.document.n == 10
    assert user.window.stage.session.undo_stack.undoText() == "Paste 2 points"


def test_commands_on_training_points_say_that_they_skip_held_out_points(user):
    session, edits = user.window.stage.session, user.window.edits
    session.edit(split(session.document, Shares(test=0.25)), "Split")
    session.select((), (0, 1))
    document, notices = session.document, []
    edits._messages.notify = notices.append
    for command in (edits.jitter, edits.delete, edits.flip):
        command()
    assert session.document is document
    assert notices == [edit_commands.ONLY_HELD_OUT] * 3
    edits.copy()
    assert notices[-1] == "2 points copied to the clipboard, as text."
