"""The document, its undo stack and its runs: where every edit goes in and every run comes out.

``edit`` makes an undo entry and a cold run. While a hand is on a point or a slider, ``preview``
shows a document that is not in the stack yet, solved by warm throwaway runs; ``commit`` makes the
one entry and the cold run that stays, so that the document alone decides every step of it.
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from solvers import Run
from svmviz.document.document import Document
from svmviz.session.runner import Job, Runner


class Edit(QUndoCommand):
    """The one kind of undo entry: a document before and a document after."""

    def __init__(
        self, session: Session, before: Document, after: Document, text: str, note: str
    ) -> None:
        super().__init__(text)
        self._note = note
        self._session = session
        self._before = before
        self._after = after

    def redo(self) -> None:
        self._session.show(self._after, self._note)

    def undo(self) -> None:
        self._session.show(self._before)


class Session(QObject):
    """One document being worked on.

    Signals
    -------
    document_changed : the document shown is another one
    runs_changed : there are other runs (or none); see ``runs``, ``solved`` and ``trouble``
    selection_changed : other points are selected
    """

    document_changed = Signal()
    runs_changed = Signal()
    selection_changed = Signal()
    _started = Signal(object, object)
    _failed = Signal(object, str)

    def __init__(self, document: Document | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.undo_stack = QUndoStack(self)
        self._document = self._committed = document or Document()
        self._runs: tuple[Run, ...] = ()
        self._solved = self._document
        self._trouble = self._note = ""
        self._selection: frozenset[int] = frozenset()
        self._job = self._answered = 0
        self._started.connect(self._on_started)
        self._failed.connect(self._on_failed)
        self._runner = Runner(self._started.emit, self._failed.emit)
        self._solve(warm=False)

    # What there is.

    @property
    def document(self) -> Document:
        """The document shown: the committed one, or a preview of the next."""
        return self._document

    @property
    def committed(self) -> Document:
        """The document without the preview."""
        return self._committed

    @property
    def note(self) -> str:
        """What the newest change has set besides what was asked for, in a sentence, or empty."""
        return "" if self.previewing else self._note

    @property
    def previewing(self) -> bool:
        """Whether a hand is on a point or a slider."""
        return self._document is not self._committed

    @property
    def runs(self) -> tuple[Run, ...]:
        """The runs, one a lane; empty where nothing can be solved."""
        return self._runs

    @property
    def solved(self) -> Document:
        """The document that the runs solve; behind ``document`` for a moment after an edit."""
        return self._solved

    @property
    def waiting(self) -> bool:
        """Whether the runs are still those of an earlier edit."""
        return self._answered != self._job

    @property
    def is_compiling(self) -> bool:
        """Whether there are no runs yet that are ready to step."""
        return not self._runs or not all(run.is_ready for run in self._runs)

    @property
    def trouble(self) -> str:
        """Why nothing is solved, in a sentence, or empty."""
        return self._trouble

    @property
    def selection(self) -> frozenset[int]:
        """Indices of the selected points."""
        return self._selection

    # What can be done.

    def edit(self, document: Document, text: str, note: str = "") -> None:
        """Make a change: one undo entry, and a cold run; ``note`` as the property says."""
        if document == self._committed:
            self.abandon()
            return
        self.undo_stack.push(Edit(self, self._committed, document, text, note))

    def preview(self, document: Document) -> None:
        """Show a document that is not in the undo stack, solved from where the last run stood."""
        self._document = document
        self._solve(warm=True)
        self.document_changed.emit()

    def commit(self, text: str) -> None:
        """Turn the preview into one undo entry and a cold run."""
        self.edit(self._document, text)

    def abandon(self) -> None:
        """Forget the preview."""
        if self.previewing:
            self.show(self._committed, self._note)

    def reset(self, document: Document, note: str = "") -> None:
        """Begin anew with a document: no undo, nothing selected, nothing to be saved."""
        self.undo_stack.clear()
        # Qt leaves an empty stack as it was, and a rescued scene is one that is to be saved.
        self.undo_stack.setClean()
        self.select(())
        self.show(document, note)

    def show(self, document: Document, note: str = "") -> None:
        """Make a document the committed one; only undo entries and ``reset`` call this."""
        self._note = note
        fewer = document.n < self._document.n
        self._document = self._committed = document
        if fewer:
            self.select(i for i in self._selection if i < document.n)
        self._solve(warm=False)
        self.document_changed.emit()

    def select(self, indices: Iterable[int]) -> None:
        """Select points by index."""
        selection = frozenset(indices)
        if selection != self._selection:
            self._selection = selection
            self.selection_changed.emit()

    def hold(self) -> None:
        """Solve nothing yet: what is to be seen first needs the interpreter for itself."""
        self._runner.hold()

    def release(self) -> None:
        """Solve what there is to solve."""
        self._runner.release()

    def cancel_run(self) -> None:
        """End the solving where it is; what is recorded stays."""
        self._runner.cancel()

    def close(self) -> None:
        """End the background thread and forget the undo entries.

        An entry and this object know each other, so the garbage collector would end them in any
        order, and the stack must not outlive the Python half of its entries.
        """
        self._job += 1
        self._runner.close()
        self.undo_stack.clear()

    # The other thread.

    def _solve(self, warm: bool) -> None:
        self._job += 1
        self._runner.solve(Job(self._job, self._document, self._runs if warm else ()))

    def _on_started(self, job: Job, runs: tuple[Run, ...]) -> None:
        self._answer(job, runs, "")

    def _on_failed(self, job: Job, sentence: str) -> None:
        self._answer(job, (), sentence)

    def _answer(self, job: Job, runs: tuple[Run, ...], trouble: str) -> None:
        if job.number == self._job:
            self._answered = job.number
            self._runs, self._solved, self._trouble = runs, job.document, trouble
            self.runs_changed.emit()
