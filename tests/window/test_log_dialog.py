"""The log file is named and shown without any other program."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

from svmviz.window import log_dialog
from svmviz.window.log_dialog import LogDialog

pytestmark = pytest.mark.display


def test_the_menu_shows_path_and_last_lines_of_the_log(user, answer, monkeypatch):
    log = user.window.memory.log_file
    log.write_text("".join(f"line {number}\n" for number in range(1000)))
    asked: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: asked.append(url) and False)

    def look(dialog):
        assert dialog.field.text() == str(log)
        lines = dialog.text.toPlainText().splitlines()
        assert (len(lines), lines[-1]) == (log_dialog.MAX_LINES, "line 999")
        dialog.field.selectAll()
        assert dialog.field.selectedText() == str(log)
        user.click_on(dialog.copy_path)
        user.until(lambda: QGuiApplication.clipboard().text() == str(log))
        user.click_on(dialog.open_elsewhere)
        user.until(lambda: dialog.words.text() == log_dialog.NO_PROGRAM)
        user.key("Escape")

    answer(look, LogDialog)
    user.window.menus.actions["log"].trigger()
    assert asked == [QUrl.fromLocalFile(str(log))]
    user.wake()


def test_without_a_writable_folder_the_dialog_says_so(qtbot, user, tmp_path):
    dialog = LogDialog(None, user.window)
    qtbot.addWidget(dialog)
    assert dialog.words.text() == log_dialog.NO_FILE
    assert dialog.copy_path.isHidden()
    assert log_dialog.last_lines(tmp_path / "gone.log").startswith("The log cannot be read")
