"""The dialog of the log file: its path and its last lines."""

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

# Maximum number of lines shown, and of bytes read from the end of the file.
MAX_LINES, MAX_BYTES = 200, 64_000
NO_FILE = "No log is written, because its folder cannot be written to."
NO_PROGRAM = (
    "No program on this machine opens the log file. Its end is shown here; its path can be copied."
)


class LogDialog(QDialog):
    """The path of the log, which can be selected or copied, and its last lines.

    The lines are shown here, because without a desktop no other program could show them.

    Parameters
    ----------
    path : Path or None
        None if no log could be written.
    parent : QWidget
    """

    def __init__(self, path: Path | None, parent: QWidget) -> None:
        super().__init__(parent)
        self._log = path
        self.setWindowTitle("Log file")
        self.words = Label(
            "The log of svmviz is in this file; the newest lines come last.", wraps=True
        )
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
            for widget in (self.field, self.text, self.copy_path, self.open_elsewhere):
                widget.hide()
        else:
            px = active().metrics.px
            self.resize(px(720), px(440))
        self._apply_style()

    def _make_buttons(self) -> QDialogButtonBox:
        buttons, roles = QDialogButtonBox(), QDialogButtonBox.ButtonRole
        self.copy_path = buttons.addButton("&Copy path", roles.ActionRole)
        self.open_elsewhere = buttons.addButton("&Open in another program", roles.ActionRole)
        close = buttons.addButton(QDialogButtonBox.StandardButton.Close)
        close.setDefault(True)
        self.copy_path.clicked.connect(self._on_copy)
        self.open_elsewhere.clicked.connect(self._on_open)
        buttons.rejected.connect(self.reject)
        return buttons

    def _apply_style(self) -> None:
        # Times and sources are aligned only if all letters have the same width.
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
    """Return the last lines of a log file, or a sentence on why it cannot be read."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - MAX_BYTES))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError as error:
        return f"The log cannot be read: {error.strerror or error}."
    return "\n".join(lines[-MAX_LINES:])
