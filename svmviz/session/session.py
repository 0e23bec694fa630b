"""The document, its undo stack and its runs.

``edit`` makes an undo entry (:mod:`svmviz.session.undo`) and starts runs from zero. While the user
drags a point or a slider, ``preview`` shows a document that is not in the undo stack yet. Temporary
runs, which start from the last solution, solve it. When the drag ends, ``commit`` makes one undo
entry and starts runs from zero. The steps of a run from zero depend on the document alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from solvers import Run
from solvers.jit import helper
from svmviz.document.document import Document
from svmviz.session.runner import Job, Runner
from svmviz.session.undo import Edit
from svmviz.session.used_points import UsedPoints, key_of

# Maximum number of edits that can be undone. An edit of 20,000 points keeps half a megabyte.
MAX_UNDO = 200


@dataclass(frozen=True)
class Laid:
    """A document that was laid aside with its undo entries; see :meth:`Session.lay_aside`.

    Attributes
    ----------
    document : Document
    note : str
    edits : tuple of Edit
        All entries, oldest first, with those that were undone.
    index, clean_index : int
        Of the undo stack.
    selection, held_selection : frozenset of int
    used_points : UsedPoints
    """

    document: Document
    note: str
    edits: tuple[Edit, ...]
    index: int
    clean_index: int
    selection: frozenset[int]
    held_selection: frozenset[int]
    used_points: UsedPoints


class Session(QObject):
    """The open document with its undo stack, its runs and its selection.

    Signals
    -------
    document_changed()
        Another document is shown.
    runs_changed()
        ``runs``, ``solved`` or ``trouble`` have changed.
    selection_changed()
        Other points are selected.
    """

    document_changed = Signal()
    runs_changed = Signal()
    selection_changed = Signal()
    _started = Signal(object, object)
    _failed = Signal(object, str)

    def __init__(self, document: Document | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(MAX_UNDO)
        # The entries of the stack. Qt's stack cannot return them as Python objects.
        self._entries: list[Edit] = []
        self._document = self._committed = document or Document()
        self._runs: tuple[Run, ...] = ()
        self._solved = self._document
        self._trouble = self._note = ""
        self._selection: frozenset[int] = frozenset()
        # The largest selected index; -1 if no point is selected.
        self._max_selected = -1
        self._held_selection: frozenset[int] = frozenset()
        self._used_points = UsedPoints(self._document)
        # Number of the newest job, and of the newest job whose runs (or failure) have arrived.
        self._job = self._answered_job = 0
        # Whether :meth:`take_up` is putting back entries of the stack. Their result is shown
        # already.
        self._is_refilling = False
        # Whether the newest runs are those of a preview, which start from the last solution.
        self._is_warm = False
        self._started.connect(self._on_started)
        self._failed.connect(self._on_failed)
        self._runner = Runner(self._started.emit, self._failed.emit)
        self._solve(warm=False)

    # State.

    @property
    def document(self) -> Document:
        """The document shown: the committed one, or a preview."""
        return self._document

    @property
    def committed(self) -> Document:
        """The document of the newest undo entry, without the preview."""
        return self._committed

    @property
    def note(self) -> str:
        """Sentence on what the newest edit changed besides what the user asked for, or empty."""
        return "" if self.previewing else self._note

    @property
    def previewing(self) -> bool:
        """Whether a preview is shown with temporary runs, as while a point is dragged."""
        return self._is_warm

    @property
    def runs(self) -> tuple[Run, ...]:
        """The runs, one per lane; empty if nothing can be solved."""
        return self._runs

    @property
    def solved(self) -> Document:
        """The document that the runs solve: for a moment after an edit, the document before it."""
        return self._solved

    @property
    def waiting(self) -> bool:
        """Whether the newest document has no runs yet, so that ``runs`` are of an earlier one."""
        return self._answered_job != self._job

    @property
    def is_compiling(self) -> bool:
        """Whether a solver is being compiled, there is no run, or a run is not ready to begin."""
        # The helper is a second process, which compiles solvers in advance.
        if helper.is_waited_for():
            return True
        return not self._runs or not all(run.is_ready for run in self._runs)

    @property
    def trouble(self) -> str:
        """Sentence on why nothing can be solved, or empty."""
        return self._trouble

    @property
    def edits(self) -> list[Edit]:
        """The edits that are not undone, oldest first."""
        return self._entries[: self.undo_stack.index()]

    @property
    def unsaved_edits(self) -> list[Edit]:
        """The edits, and undone edits, by which the document differs from the one in its file."""
        ends = self.undo_stack.index(), max(self.undo_stack.cleanIndex(), 0)
        return self._entries[min(ends) : max(ends)]

    @property
    def newest_edit(self) -> Edit | None:
        """The newest edit that is not undone; None during :meth:`take_up`."""
        return self.edits[-1] if self.edits and not self._is_refilling else None

    def points_are_manual(self, steps_back: int = 0) -> bool | None:
        """Return whether the user, and not a generator, made the last change of the points.

        Return None if the points are still those of the document that was opened. The newest
        ``steps_back`` edits are ignored.
        """
        entries = self.edits
        entries = entries[: len(entries) - steps_back]
        changes = [entry for entry in entries if entry.changes_points]
        return not changes[-1].generates if changes else None

    @property
    def selection(self) -> frozenset[int]:
        """Indices of the selected training points of the document shown."""
        return self._selected_below(self._document.n)

    @property
    def editable_selection(self) -> frozenset[int]:
        """Indices of the selected points in ``Document.editable``.

        They are those of :attr:`selection`, and those that the machine leaves out.
        """
        return self._selected_below(len(self._document.editable))

    def _selected_below(self, end: int) -> frozenset[int]:
        # A preview may have fewer points. The stored selection is kept, because the preview may be
        # dropped.
        if self._max_selected < end:
            return self._selection
        return frozenset(i for i in self._selection if i < end)

    @property
    def held_selection(self) -> frozenset[int]:
        """Indices of the selected held-out points, numbered as in ``Document.held_out_rows``."""
        return self._held_selection

    # Commands.

    def edit(
        self,
        document: Document,
        text: str,
        note: str = "",
        *,
        generates: bool = False,
    ) -> None:
        """Change the document with one undo entry, and start runs from zero.

        Parameters
        ----------
        document : Document
        text, note, generates
            See :class:`svmviz.session.undo.Edit`.
        """
        document = self._used_points.mark(document)
        before, after = self._committed.all_points, document.all_points
        # Points with other names are still those of the generator.
        is_from_source = generates or key_of(after) == key_of(before)
        if document.source is not None and not is_from_source:
            # Fresh points of the generator would not be distributed like the changed points.
            document = replace(document, source=None)
        if document == self._committed:
            self.abandon()
            return
        entry = Edit(self.show, self._committed, document, text, note, generates)
        self._entries = [*self.edits, entry][-MAX_UNDO:]
        self.undo_stack.push(entry)

    def preview(self, document: Document) -> None:
        """Show a document that is not in the undo stack; its runs start from the last solution.

        If only the user's line differs, the runs continue.
        """
        before, self._document = self._document, self._used_points.mark(document)
        # While the held-out parts stay the same, no test point becomes a training point, and
        # nothing need be recorded.
        if document.held_out is not self._committed.held_out:
            self._used_points.record(self._document)
        self._start_runs(before, warm=not self._document.has_runs_of(self._committed))
        self.document_changed.emit()

    def commit(self, text: str) -> None:
        """Turn the preview into one undo entry called ``text``, and start runs from zero."""
        self.edit(self._document, text)

    def abandon(self) -> None:
        """Drop the preview and show the committed document."""
        if self._document is not self._committed:
            self.show(self._committed, self._note)

    def reset(self, document: Document, note: str = "") -> None:
        """Replace the document, empty the undo stack and the selection."""
        self._entries = []
        self.undo_stack.clear()
        # The stack may be empty but marked as not clean, as after a scene of a crashed session is
        # restored. `clear` does not change the mark of an empty stack.
        self.undo_stack.setClean()
        self.select(())
        self._used_points = UsedPoints(document)
        self.show(document, note, restart=True)

    def look_from(self, lane: int) -> None:
        """Show the document as seen from a lane; no undo entry is made, and the runs continue."""
        seen = self._document.seen_from(lane)
        if seen is not self._document:
            self._document, self._committed = seen, self._committed.seen_from(lane)
            self._solved = self._solved.seen_from(lane)
            self.document_changed.emit()

    def lay_aside(self) -> Laid:
        """Return the document with its undo entries, to be shown again by :meth:`take_up`."""
        self.abandon()
        return Laid(
            self._committed,
            self._note,
            tuple(edit.copy() for edit in self._entries),
            self.undo_stack.index(),
            self.undo_stack.cleanIndex(),
            self._selection,
            self._held_selection,
            self._used_points,
        )

    def take_up(self, laid: Laid) -> None:
        """Show a document again that was laid aside, with its undo entries."""
        self.reset(laid.document, laid.note)
        self._used_points = laid.used_points
        stack = self.undo_stack
        self._is_refilling = True
        try:
            for edit in laid.edits:
                if stack.index() == laid.clean_index:
                    stack.setClean()
                self._entries = [*self._entries, edit]
                stack.push(edit)
            if stack.index() == laid.clean_index:
                stack.setClean()
            stack.setIndex(laid.index)
            if laid.clean_index < 0:
                stack.resetClean()
        finally:
            self._is_refilling = False
        self.select(laid.selection, laid.held_selection)

    def open_test_part(self, risk: float | None) -> None:
        """Show the test points from now on; ``risk`` is their error for the model shown.

        This makes no undo entry, since the user cannot unsee the points. If undo restores a
        document whose test part contains one of these points, that part counts as seen as well.
        The runs continue.
        """
        self.abandon()
        opened = self._used_points.open(self._document, risk)
        if opened is self._document:
            return
        if not self.waiting:
            self._solved = opened
        self._document = self._committed = opened
        self.undo_stack.resetClean()
        self.document_changed.emit()

    def show(self, document: Document, note: str = "", *, restart: bool = False) -> None:
        """Make a document the committed one. Only undo entries and this class may call this.

        If only the user's line differs, the runs continue, unless ``restart``.
        """
        if self._is_refilling:
            return
        self._note = note
        document = self._used_points.mark(document)
        self._used_points.record(document)
        before, old = self._document, self._committed
        is_numbered_alike = document.many is None or _counts(document) == _counts(old)
        if document.held_out != old.held_out or not is_numbered_alike:
            # Only training points stay selected, since indices of other points may have changed.
            self.select(self.selection)
        if document.many and old.many and document.many.machine != old.many.machine:
            self.select(())
        self._document = self._committed = document
        if self._max_selected >= document.n:
            self.select(self.editable_selection)
        self._start_runs(before, warm=False, restart=restart)
        self.document_changed.emit()

    def select(self, indices: Iterable[int], held_out: Iterable[int] = ()) -> None:
        """Select points, numbered as in ``editable_selection`` and ``held_selection``."""
        selection, held_selection = frozenset(indices), frozenset(held_out)
        if (selection, held_selection) != (self._selection, self._held_selection):
            self._selection, self._max_selected = selection, max(selection, default=-1)
            self._held_selection = held_selection
            self.selection_changed.emit()

    def hold(self) -> None:
        """Start no run until :meth:`release`, so that the first picture is painted sooner."""
        self._runner.hold()

    def release(self) -> None:
        """Start the runs that were delayed by :meth:`hold`."""
        self._runner.release()

    def cancel_run(self) -> None:
        """Stop the runs where they are; their recorded steps stay."""
        self._runner.cancel()

    def close(self) -> None:
        """End the background thread and delete the undo entries.

        Without this, the garbage collector would delete entries and session in any order, since
        they refer to each other. Qt's stack must not outlive the Python objects of its entries.
        """
        self._job += 1
        self._runner.close()
        self._entries = []
        self.undo_stack.clear()

    # The thread with the runs.

    def _start_runs(self, before: Document, warm: bool, restart: bool = False) -> None:
        """Solve the document, unless the runs of the document ``before`` it solve it as well."""
        keeps_runs = warm == self._is_warm and not restart and self._document.has_runs_of(before)
        self._is_warm = warm
        if not keeps_runs:
            self._solve(warm)
        elif not self.waiting:
            self._solved = self._document

    def _solve(self, warm: bool) -> None:
        self._job += 1
        self._runner.solve(Job(self._job, self._document, self._runs if warm else ()))

    def _on_started(self, job: Job, runs: tuple[Run, ...]) -> None:
        self._accept(job, runs, "")

    def _on_failed(self, job: Job, sentence: str) -> None:
        self._accept(job, (), sentence)

    def _accept(self, job: Job, runs: tuple[Run, ...], trouble: str) -> None:
        """Use the runs of a job, unless a newer job was started."""
        if job.number == self._job:
            self._answered_job = job.number
            # Not ``job.document``: the test part of the document shown may have been opened since.
            # Apart from that, both documents are equal.
            self._runs, self._solved, self._trouble = runs, self._document, trouble
            self.runs_changed.emit()


def _counts(document: Document) -> tuple[int, int]:
    return document.n, len(document.editable)
