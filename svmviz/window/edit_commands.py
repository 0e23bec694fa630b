"""Edits by menu or key, on the selected points or, if there are none, on all."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from solvers import BadInput
from solvers.data.files import MissingValues
from solvers.run.method import counted
from svmviz.session import edits
from svmviz.session.session import Session
from svmviz.window.messages import Messages, skipped


class EditActions(QObject):
    """The commands of the Edit menu, except undo and redo."""

    def __init__(self, session: Session, messages: Messages, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._messages = messages
        self._shakes = 0

    def copy(self) -> None:
        """Copy the selected points, or all, to the clipboard as text."""
        QGuiApplication.clipboard().setText(edits.copy_text(self._session))
        copied = len(self._session.selection) or self._session.document.n
        self._messages.notify(f"{counted(copied, 'point')} copied to the clipboard, as text.")

    def paste(self) -> None:
        """Add the points on the clipboard."""
        text = QGuiApplication.clipboard().text()
        try:
            edits.paste_text(self._session, text)
        except MissingValues as error:
            if self._messages.may_skip(error):
                edits.paste_text(self._session, text, skip_missing=True)
                self._messages.notify(skipped(error.rows))
        except BadInput as error:
            self._messages.warn("Nothing was pasted", str(error))

    def delete(self) -> None:
        """Remove the selected points."""
        edits.delete_selection(self._session)

    def select_all(self) -> None:
        """Select every point."""
        edits.select_all(self._session)

    def flip(self) -> None:
        """Give the selected points the other label."""
        edits.flip_selection(self._session)

    def jitter(self) -> None:
        """Move the selected points, or all, at random; each call by other random numbers."""
        self._shakes += 1
        edits.jitter(self._session, amount=0.02, seed=self._shakes)

    def clear(self) -> None:
        """Remove every point."""
        edits.clear(self._session)
