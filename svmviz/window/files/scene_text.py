"""Copying a scene as one line of text, and opening such a line."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from svmviz.io.scene_line import is_scene_line, round_points, write_scene_line
from svmviz.theme import active
from svmviz.widgets.plain_text import Label
from svmviz.window.files.files import Files
from svmviz.window.messages import Messages

# Maximum characters of a text that the dialog proposes; the layout of longer ones takes seconds.
MAX_PROPOSED = 200_000


class SceneText(QObject):
    """The commands "Copy scene as text" and "Open from text".

    Parameters
    ----------
    window : QWidget
        Parent of the dialog.
    files : Files
        Has the scene, and shows what was read.
    messages : Messages
    """

    def __init__(self, window: QWidget, files: Files, messages: Messages) -> None:
        super().__init__(window)
        self._window, self._files, self._messages = window, files, messages

    def copy(self) -> None:
        """Copy the scene to the clipboard as one line."""
        scene = self._files.scene()
        self._files.tasks.start(
            "Copying the scene…",
            lambda _: (write_scene_line(scene), round_points(scene) == scene),
            self._on_written,
            lambda error: self._messages.warn("The scene was not copied", str(error)),
        )

    def ask_open(self) -> None:
        """Ask for the text of a scene, and open it; propose the text of the clipboard."""
        dialog = TextDialog(QGuiApplication.clipboard().text(), self._window)
        if dialog.exec():
            self.confirm_and_open(dialog.text)
        dialog.deleteLater()

    def confirm_and_open(self, text: str) -> None:
        """Open the text of a scene, after asking about unsaved changes."""
        if self._files.may_leave():
            self.open(text)

    def open(self, text: str) -> None:
        """Read the text of a scene in the background and show it."""
        self._files.open_text(text)

    def _on_written(self, written: tuple[str, bool]) -> None:
        line, is_exact = written
        QGuiApplication.clipboard().setText(line)
        precision = "" if is_exact else "; its points are rounded to the precision of the screen"
        self._messages.notify(
            f"The scene was copied as text of {len(line):,} characters{precision}. "
            "Pasting it into the window opens it."
        )


class TextDialog(QDialog):
    """A field for the text of a scene.

    Parameters
    ----------
    proposed : str
        A text that is put into the field if it is a scene.
    parent : QWidget
    """

    def __init__(self, proposed: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Open from text")
        self.field = QPlainTextEdit()
        self.field.setAccessibleName("Text of a scene")
        self.field.setPlaceholderText("svmviz:1:…")
        self.field.setTabChangesFocus(True)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.open_button = buttons.button(QDialogButtonBox.StandardButton.Open)
        self.open_button.setDefault(True)
        layout = QVBoxLayout(self)
        layout.setSpacing(active().metrics.space(3))
        layout.addWidget(Label("A scene as text, from Copy scene as text or svmviz scene --text:"))
        layout.addWidget(self.field)
        layout.addWidget(buttons)
        px = active().metrics.px
        self.resize(px(560), px(260))
        self.field.textChanged.connect(self._on_changed)
        if is_scene_line(proposed) and len(proposed) < MAX_PROPOSED:
            self.field.setPlainText(proposed.strip())
        self._on_changed()

    @property
    def text(self) -> str:
        """The text in the field."""
        return self.field.toPlainText()

    def _on_changed(self) -> None:
        self.open_button.setEnabled(bool(self.text.strip()))
