"""The log file is named and shown without any other program."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QMessageBox, QTextEdit

from svmviz.base import logs
from svmviz.base.versions import versions
from svmviz.window import messages

pytestmark = pytest.mark.display


def test_the_menu_shows_path_and_last_lines_of_the_log(user, answer, monkeypatch):
    log, asked = user.window.memory.log_file, []
    log.write_text("".join(f"line {number}\n" for number in range(1000)))
    monkeypatch.setattr(QDesktopServices, "openUrl", asked.append)

    def look(box):
        assert box.informativeText() == str(log)
        lines = box.findChild(QTextEdit).toPlainText().splitlines()
        assert (len(lines), lines[-1]) == (logs.MAX_LINES, "line 999")
        (other,) = (b for b in box.buttons() if "program" in b.text())
        user.click_on(other)

    answer(look, QMessageBox)
    user.window.menus.actions["log"].trigger()
    assert asked == [QUrl.fromLocalFile(str(log))]
    user.wake()


def test_without_a_writable_folder_the_message_says_so(user, answer, tmp_path):
    def look(box):
        assert box.text() == messages.NO_LOG
        assert [button.text().strip("&") for button in box.buttons()] == ["Close"]
        user.key("Escape")

    answer(look, QMessageBox)
    user.window.messages.show_log(None)
    assert logs.last_lines(tmp_path / "gone.log").startswith("The log cannot be read")


def test_what_a_report_needs_is_copied(user):
    user.window.menus.actions["report"].trigger()
    text = QGuiApplication.clipboard().text()
    assert text.startswith(versions())
    size = user.window.screen().size()
    assert f"Screen {size.width()} × {size.height()} at 100%" in text
    assert f"Theme {user.window.memory.values.theme}, " in text
    assert user.window.notice.text == messages.COPIED
