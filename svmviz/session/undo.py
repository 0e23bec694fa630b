"""The entry of the undo stack; :class:`svmviz.session.session.Session` makes one for each edit."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QUndoCommand

from solvers.settings import settings_of
from svmviz.document.document import Document


class Edit(QUndoCommand):
    """The only kind of undo entry: the document before an edit and the one after it.

    Parameters
    ----------
    show : callable(Document, str)
        Makes a document the committed one (``Session.committed``), with a note; called when the
        entry is pushed, undone or redone.
    before, after : Document
    text : str
        What the edit does, as the Edit menu shows it after "Undo".
    note : str
        Sentence on what else the edit changed, or empty.
    generates : bool
        Whether the points after the edit come from a generator, and not from the user.
    """

    def __init__(
        self,
        show: Callable[[Document, str], None],
        before: Document,
        after: Document,
        text: str,
        note: str,
        generates: bool = False,
    ) -> None:
        super().__init__(text)
        self._show = show
        self._before = before
        self._after = after
        self._note = note
        self._generates = generates

    @property
    def before(self) -> Document:
        """The document before the edit."""
        return self._before

    @property
    def after(self) -> Document:
        """The document after the edit."""
        return self._after

    @property
    def changes_points(self) -> bool:
        """Whether the edit changes points of any part."""
        return self._after.all_points != self._before.all_points

    @property
    def changes_training_points(self) -> bool:
        """Whether the edit changes the training points."""
        return self._after.data != self._before.data

    @property
    def generates(self) -> bool:
        """Whether the points after the edit come from a generator."""
        return self._generates

    @property
    def is_manual(self) -> bool:
        """Whether the user changed points by hand, or changed the text of a typed kernel."""
        before, after = self._before.kernel, self._after.kernel
        is_typed = any(spec.scale == "text" for spec in settings_of(after).values())
        by_hand = self.changes_points and not self._generates
        return by_hand or (is_typed and type(before) is type(after) and before != after)

    def redo(self) -> None:
        self._show(self._after, self._note)

    def undo(self) -> None:
        self._show(self._before, "")
