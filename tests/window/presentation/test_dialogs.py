"""Dialogs, files and faults during a presentation are seen."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QMessageBox

from svmviz.io.open_and_save import save
from svmviz.io.scene import Scene
from svmviz.window.menus.keys_dialog import KeysDialog
from tests.stages import eight
from tests.window.presentation.conftest import present

pytestmark = pytest.mark.display


def check_in_front(screen, dialog):
    """Whether a dialog belongs to the presentation, and lies on it."""
    assert dialog.windowHandle().transientParent() is screen.windowHandle()
    assert screen.isVisible()
    assert screen.geometry().intersects(dialog.geometry())


def test_a_fault_and_a_warning_are_seen(user, answer):
    screen = present(user)

    def close(dialog):
        check_in_front(screen, dialog)
        dialog.reject()

    answer(close, QMessageBox)
    user.window.messages.fault("The solver failed.", None)
    answer(close, QMessageBox)
    user.window.messages.warn("The file was not opened", "It is no table.")
    assert user.window.presentation.is_on


def test_the_page_of_keys_and_a_file_that_cannot_be_read(user, answer, tmp_path):
    screen = present(user)
    seen = []

    def close(dialog):
        check_in_front(screen, dialog)
        seen.append(type(dialog))
        dialog.reject()

    answer(close, KeysDialog)
    user.key("question")
    user.until(lambda: seen)
    screen.activateWindow()
    user.until(screen.isActiveWindow)
    wrong = tmp_path / "wrong.csv"
    wrong.write_text("x\n1\n2\n")
    answer(close, QMessageBox)
    drop(screen, wrong)
    user.until(lambda: len(seen) == 2)


def test_a_file_that_is_dropped_is_shown_in_the_presentation(user, tmp_path):
    screen = present(user)
    path = tmp_path / "eight.svmviz"
    save(path, Scene(eight()))
    drop(screen, path)
    user.until(lambda: user.window.stage.session.document.n == 8)
    assert screen.isVisible()
    assert user.window.plane.window() is screen


def drop(screen, path):
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    at, nothing = QPoint(200, 200), Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(at, Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, nothing)
    QApplication.sendEvent(screen, enter)
    assert enter.isAccepted()
    event = QDropEvent(
        at.toPointF(), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, nothing
    )
    QApplication.sendEvent(screen, event)


def test_help_opened_before_or_during_a_presentation_is_in_front_and_stays_in_the_window(user):
    window = user.window
    window.help.show_concepts()
    user.until(window.help.window.isVisible)
    window.activateWindow()
    user.until(window.isActiveWindow)
    screen = present(user)
    assert not window.help.window.isVisible()
    user.key("F1")
    user.until(window.help.window.isVisible)
    check_in_front(screen, window.help.window)
    screen.activateWindow()
    user.until(screen.isActiveWindow)
    user.key("Escape")
    user.until(lambda: not window.presentation.is_on)
    user.until(window.isActiveWindow)
    assert window.help.window.isVisible()
    assert window.help.window.windowHandle().transientParent() is window.windowHandle()
