"""Scenes as text in the window: copied, pasted, dropped, typed into the dialog."""

import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from solvers import Linear
from solvers.data.datasets import DATASETS
from svmviz.document.document import Document
from svmviz.io.scene import Scene
from svmviz.io.scene_line import read_scene_line, round_points, write_scene_line
from svmviz.window.files.scene_text import TextDialog
from tests.stages import eight
from tests.time_limits import TIME_LIMIT
from tests.window.conftest import settle
from tests.window.user import Answer

pytestmark = pytest.mark.display

SCENE = round_points(
    Scene(Document(DATASETS["moons"].generate(30, 0.2, 1), kernel=Linear()), step=4)
)
LINE = write_scene_line(SCENE)


@pytest.fixture
def user(open_window):
    return open_window()


@pytest.fixture
def warnings(user, monkeypatch):
    """Titles and sentences of warnings."""
    shown = []
    monkeypatch.setattr(user.window.messages, "warn", lambda *words: shown.append(words))
    return shown


def shows(user, scene):
    return lambda: user.window.stage.session.document == scene.document


def drop(window, text):
    mime = QMimeData()
    mime.setText(text)
    common = (mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    enter = QDragEnterEvent(QPointF(300, 300).toPoint(), Qt.DropAction.CopyAction, *common)
    enter.ignore()
    QApplication.sendEvent(window, enter)
    if enter.isAccepted():
        QApplication.sendEvent(
            window, QDropEvent(QPointF(300, 300), Qt.DropAction.CopyAction, *common)
        )
    return enter.isAccepted()


def test_what_is_copied_opens_again(user):
    before = user.window.files.scene()
    QApplication.clipboard().clear()
    user.window.menus.actions["copy-scene"].trigger()
    user.until(lambda: QApplication.clipboard().text().startswith("svmviz:1:"))
    line = QApplication.clipboard().text()
    assert read_scene_line(line) == round_points(before)
    user.window.files.show_scene(SCENE)
    user.key("ctrl+v")
    user.until(shows(user, round_points(before)))
    settle(user)


def test_a_drop_opens_a_scene_and_no_other_text(user):
    assert not drop(user.window, "1 2 3")
    assert drop(user.window, LINE)
    user.until(shows(user, SCENE))
    user.until(lambda: user.window.stage.playback.step == SCENE.step)


def test_the_dialog_proposes_the_clipboard(user):
    QApplication.clipboard().setText(f"  {LINE[:60]}\n{LINE[60:]}\n")
    answer = Answer(lambda dialog: dialog.open_button.click(), TextDialog)
    user.window.menus.actions["open-text"].trigger()
    answer.stop()
    user.until(shows(user, SCENE))


def test_other_text_is_not_proposed(user):
    QApplication.clipboard().setText("dear all")
    texts = []

    def look(dialog):
        texts.append((dialog.text, dialog.open_button.isEnabled()))
        dialog.reject()

    answer = Answer(look, TextDialog)
    user.window.menus.actions["open-text"].trigger()
    answer.stop()
    assert texts == [("", False)]


def test_damaged_text_is_refused_and_nothing_is_lost(user, warnings):
    document = user.window.stage.session.document
    user.window.scene_text.open(LINE[:-9])
    user.until(lambda: warnings)
    assert warnings[0][0] == "The text was not opened"
    assert "damaged or incomplete" in warnings[0][1]
    assert user.window.stage.session.document is document


def test_a_slow_text_does_not_replace_what_was_opened_meanwhile(user, warnings, monkeypatch):
    gate = threading.Event()

    def slow(text, report):
        assert gate.wait(TIME_LIMIT)
        return read_scene_line(text, report)

    monkeypatch.setattr("svmviz.window.files.opening.read_scene_line", slow)
    other, files = Scene(eight()), user.window.files
    for text in (LINE, LINE[:-9]):
        gate.clear()
        user.window.scene_text.open(text)
        files.show_scene(other, title="Other")
        gate.set()
        user.until(lambda: not files.tasks._tasks)
        assert files.name == "Other"
        assert user.window.stage.session.document == other.document
    assert warnings == []


def test_edits_made_while_a_text_is_read_are_asked_about(user, monkeypatch):
    gate, asked = threading.Event(), []

    def slow(text, report):
        assert gate.wait(TIME_LIMIT)
        return read_scene_line(text, report)

    def keep():
        asked.append(True)
        return False

    monkeypatch.setattr("svmviz.window.files.opening.read_scene_line", slow)
    monkeypatch.setattr(user.window.files, "may_leave", keep)
    session = user.window.stage.session
    user.window.scene_text.open(LINE)
    changed = replace(session.document, kernel=Linear())
    session.edit(changed, "Change kernel")
    gate.set()
    user.until(lambda: asked)
    assert session.document == changed


def test_unsaved_changes_are_asked_about(user, monkeypatch):
    session = user.window.stage.session
    monkeypatch.setattr(user.window.files, "may_leave", lambda: False)
    changed = replace(session.document, kernel=Linear())
    session.edit(changed, "Change kernel")
    assert drop(user.window, LINE)
    user.rest()
    assert session.document == changed
