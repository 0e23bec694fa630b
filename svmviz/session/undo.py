"""The entry of the undo stack; :class:`svmviz.session.session.Session` makes one for each edit."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QUndoCommand

from svmviz.document.document import Document


class Edit(QUndoCommand):
    """The only kind of undo entry: the document before an edit and the one after it.

    Parameters
    ----------
    show : callable(Document, str)
        Makes a document the committed one, with a note; called once when the entry is pushed.
    before, after : Document
    text : str
        What the edit does, as the Edit menu shows it after "Undo".
    note : str
        Sentence on what the edit changed beyond the request, or empty.
    """

    def __init__(
        self,
        show: Callable[[Document, str], None],
        before: Document,
        after: Document,
        text: str,
        note: str,
    ) -> None:
        super().__init__(text)
        self._show = show
        self._before = before
        self._after = after
        self._note = note

    def redo(self) -> None:
        self._show(self._after, self._note)

    def undo(self) -> None:
        self._show(self._before, "")
