"""The commands of the Edit menu."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from solvers import BadInput
from solvers.cancelling import Cancelled
from solvers.data.datasets import NO_PLACES, PointSet
from solvers.data.guesses import Guess
from solvers.data.point_files import MissingValues, UnclearNumbers
from solvers.run.method import counted
from svmviz.io.open_and_save import read_pasted
from svmviz.io.scene_line import is_scene_line
from svmviz.session import edits
from svmviz.session.session import Session
from svmviz.window.files.tasks import Tasks
from svmviz.window.messages import Messages

ONLY_HELD_OUT = "Only held-out points are selected, and this command changes training points only."


class EditActions(QObject):
    """The commands of the Edit menu, except undo and redo."""

    def __init__(
        self,
        session: Session,
        messages: Messages,
        tasks: Tasks,
        open_line: Callable[[str], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._messages = messages
        self._tasks = tasks
        # Opens scenes that are pasted as one line of text.
        self._open_line = open_line
        # Number of calls of `jitter`: the seed, so that each call uses other random numbers.
        self._jitter_count = 0

    def copy(self) -> None:
        """Copy the selected points as text; without a selection, copy all training points."""
        points = edits.points_to_copy(self._session)
        QGuiApplication.clipboard().setText(edits.text_of(points, self._session.document.task))
        self._messages.notify(f"{counted(len(points), 'point')} copied to the clipboard, as text.")

    def paste(self) -> None:
        """Add the points in the text of the clipboard; if the text is a scene, open the scene."""
        if self._tasks.is_waiting:
            return
        text = QGuiApplication.clipboard().text()
        if is_scene_line(text):
            self._open_line(text)
            return
        try:
            self._add(text)
        except BadInput as error:
            self._messages.warn("Nothing was pasted", str(error))
        except Cancelled:
            pass

    def _add(self, text: str) -> None:
        """Add the points of a text; ask how its numbers are written, and about missing values."""
        guesses: list[Guess] = []
        options: dict[str, Any] = {}
        while True:
            guesses.clear()
            try:
                pasted = self._read(text, on_guess=guesses.append, **options)
                break
            except UnclearNumbers as error:
                options["decimal"] = self._messages.choose_decimal(error)
                if options["decimal"] is None:
                    return
            except MissingValues as error:
                if not self._messages.may_skip(error):
                    return
                options["skip_missing"] = True
        edits.paste(self._session, pasted)
        if guesses:
            self._messages.notify(" ".join(guess.sentence for guess in guesses))

    def _read(self, text: str, **options: Any) -> PointSet:
        task = self._session.document.task
        return self._tasks.run(
            "Pasting…",
            lambda report: read_pasted(text, task, report, **options),
            must_finish=False,
        )

    def delete(self) -> None:
        """Remove the selected training points."""
        self._note_held_out()
        edits.delete_selection(self._session)

    def select_all(self) -> None:
        """Select every point."""
        edits.select_all(self._session)

    def flip(self) -> None:
        """Give the selected training points the other label."""
        self._note_held_out()
        edits.flip_selection(self._session)

    def jitter(self) -> None:
        """Move the selected training points at random; without a selection, move all of them."""
        self._note_held_out()
        if not self._session.document.has_coordinates:
            self._messages.notify(NO_PLACES)
            return
        self._jitter_count += 1
        edits.jitter(self._session, amount=0.02, seed=self._jitter_count)

    def clear(self) -> None:
        """Remove every point."""
        edits.clear(self._session)

    def _note_held_out(self) -> None:
        """If only held-out points are selected, say that an edit of training points skips them."""
        if self._session.held_selection and not self._session.editable_selection:
            self._messages.notify(ONLY_HELD_OUT)
