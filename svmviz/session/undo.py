"""The entry of the undo stack; :class:`svmviz.session.session.Session` makes one for each edit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtGui import QUndoCommand

from solvers.settings import settings_of
from svmviz.document.document import Document

# The work of an edit of substance; see :attr:`Edit.work`.
SUBSTANCE = 3


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
        self.before, self.after, self.generates = before, after, generates
        self._note = note

    def copy(self) -> Edit:
        """Return an equal entry that is in no stack."""
        return Edit(self._show, self.before, self.after, self.text(), self._note, self.generates)

    @property
    def changes_points(self) -> bool:
        """Whether the edit changes points of any part."""
        return self.after.all_points != self.before.all_points

    @property
    def replaces_points(self) -> bool:
        """Whether a generator replaced the training points; it may also make only test points."""
        return self.generates and self.after.data != self.before.data

    @property
    def types_kernel(self) -> bool:
        """Whether the user changed the text of a typed kernel."""
        before, after = self.before.kernel, self.after.kernel
        is_typed = any(spec.scale == "text" for spec in settings_of(after).values())
        return is_typed and type(before) is type(after) and before != after

    @property
    def is_manual(self) -> bool:
        """Whether the user changed points by hand, or changed the text of a typed kernel."""
        return (self.changes_points and not self.generates) or self.types_kernel

    @property
    def work(self) -> int:
        """How much work of the user the edit has, by a rough measure.

        It is the number of points that the user added, SUBSTANCE for a typed kernel, and 1 for any
        other edit. Edits that together have at least SUBSTANCE are work of substance: the user is
        asked before it is left unsaved. A stray click is not.
        """
        if self.types_kernel:
            return SUBSTANCE
        added = len(self.after.all_points) - len(self.before.all_points)
        return max(1, 0 if self.generates else added)

    def redo(self) -> None:
        self._show(self.after, self._note)

    def undo(self) -> None:
        self._show(self.before, "")


def title_of_points(edits: Sequence[Edit], opened: str) -> str:
    """Return the title of the points after some edits; empty if they have none.

    Points that the user changes keep their title. Generated points have the title of their
    generator. Points that return when the user returns to a task have their old title again.

    Parameters
    ----------
    edits : sequence of Edit
        The edits since the document was opened, oldest first.
    opened : str
        The title of the points that were opened.
    """
    title, titles = opened, {}
    for edit in edits:
        titles[id(edit.before.all_points)] = title
        points, source = edit.after.all_points, edit.after.source
        if not len(points):
            title = ""
        elif edit.replaces_points:
            title = titles.get(id(points)) or (source.title if source else "")
    return title
