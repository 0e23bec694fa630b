"""What went wrong, written down: where the log file is, and how it ends."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QFontDatabase, QGuiApplication, QTextCursor
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from svmviz.theme import active
from svmviz.widgets.plain_text import Label

# So many lines are shown, from so many bytes at the end of the file.
LINES, BYTES = 200, 64_000
NO_FILE = "No log is written: its folder cannot be written to."
NO_PROGRAM = "Nothing on this machine opens it; its end is shown here, and its path can be copied."


class LogDialog(QDialog):
    """The path of the log, to be selected or copied, and its last lines.

    It does not rely on a desktop: where there is none, no other program would show the file.

    Parameters
    ----------
    path : Path or None
        None where no log could be written.
    parent : QWidget
    """

    def __init__(self, path: Path | None, parent: QWidget) -> None:
        super().__init__(parent)
        self._log = path
        self.setWindowTitle("Log file")
        self.words = Label("The log of svmviz is in this file; the newest lines come last.")
        self.words.setWordWrap(True)
        self.field = QLineEdit(str(path or ""))
        self.field.setReadOnly(True)
        self.field.setAccessibleName("Path of the log file")
        self.text = QPlainTextEdit(last_lines(path) if path else "")
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName("End of the log file")
        layout = QVBoxLayout(self)
        layout.setSpacing(active().metrics.space(3))
        for widget in (self.words, self.field, self.text, self._make_buttons()):
            layout.addWidget(widget)
        if path is None:
            self.words.setText(NO_FILE)
            for widget in (self.field, self.text, self.copy_path, self.elsewhere):
                widget.hide()
        else:
            px = active().metrics.px
            self.resize(px(720), px(440))
        self._apply_style()

    def _make_buttons(self) -> QDialogButtonBox:
        buttons, roles = QDialogButtonBox(), QDialogButtonBox.ButtonRole
        self.copy_path = buttons.addButton("&Copy path", roles.ActionRole)
        self.elsewhere = buttons.addButton("&Open in another program", roles.ActionRole)
        close = buttons.addButton(QDialogButtonBox.StandardButton.Close)
        close.setDefault(True)
        self.copy_path.clicked.connect(self._on_copy)
        self.elsewhere.clicked.connect(self._on_open)
        buttons.rejected.connect(self.reject)
        return buttons

    def _apply_style(self) -> None:
        # Times and sources stand below each other only where all letters are as wide.
        letters = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        letters.setPixelSize(active().metrics.px(12))
        self.text.document().setDefaultFont(letters)
        self.text.moveCursor(QTextCursor.MoveOperation.End)
        self.text.moveCursor(QTextCursor.MoveOperation.StartOfLine)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.field.text())
        self.copy_path.setText("&Copied")

    def _on_open(self) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._log))):
            self.words.setText(NO_PROGRAM)


def last_lines(path: Path) -> str:
    """The end of a text file; why it cannot be read, if it cannot."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - BYTES))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError as error:
        return f"It cannot be read: {error.strerror or error}."
    return "\n".join(lines[-LINES:])
