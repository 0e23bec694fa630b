"""Reading of files and texts in the background, and questions to the user about a file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QWidget

from solvers import BadInput
from solvers.data.datasets import PointSet
from solvers.data.guesses import Guess
from solvers.data.point_files import MissingValues, UnclearColumns, UnclearNumbers
from svmviz.document.document import TASKS, Document
from svmviz.document.limits import check_number
from svmviz.io import open_and_save
from svmviz.io.scene import Scene
from svmviz.io.scene_line import read_scene_line
from svmviz.window.files.columns_dialog import ColumnsDialog
from svmviz.window.files.tasks import Tasks, Work
from svmviz.window.messages import Messages

# Shows a scene or points that were read; see :class:`Opening`.
Show = Callable[..., None]


class Opening:
    """A reader of files and texts in the background. A newer request replaces an older one.

    Parameters
    ----------
    window : QWidget
        Parent of the dialogs.
    tasks : Tasks
    messages : Messages
    show : callable(Path or None, Document, Scene or PointSet, sentences, actions)
        Shows a scene or points, unless the user keeps the old document. The path is None if they
        were read from text. The sentences and actions are for a notice.
    document : callable() -> Document
        Returns the document that is shown.
    """

    def __init__(
        self,
        window: QWidget,
        tasks: Tasks,
        messages: Messages,
        show: Show,
        document: Callable[[], Document],
    ) -> None:
        self._window, self._tasks, self._messages = window, tasks, messages
        self._show, self._document = show, document
        # Number of the newest request.
        self._newest = 0

    def open(self, path: Path, before: Document, task: str | None = None) -> None:
        """Read a file that was requested while the document was ``before``.

        ``task`` is the task for which a table is read; by default, the task that suits the table.
        """
        self._open(path, before, {"tasks": tuple(TASKS) if task is None else (task,)})

    def open_text(self, text: str, before: Document) -> None:
        """Read the text of a scene that was requested while the document was ``before``."""
        self._start(
            "Reading the text…",
            lambda report: read_scene_line(text, report),
            lambda scene: self._show(None, before, scene),
            lambda error: self._messages.warn("The text was not opened", str(error)),
        )

    def drop(self) -> None:
        """Ignore the result of the present request."""
        self._newest += 1

    def _open(self, path: Path, before: Document, columns: dict[str, Any]) -> None:
        """Read a file; ``columns`` are options for reading a table."""
        guesses: list[Guess] = []
        options = {"on_guess": guesses.append, **columns}
        self._start(
            f"Opening {path.name}…",
            lambda report: _read(path, report=report, **options),
            partial(self._on_read, path, before, columns, guesses),
            partial(self._on_refused, path, before, columns),
        )

    def _start(
        self,
        words: str,
        read: Work,
        on_read: Callable[[Scene | PointSet], object],
        on_refused: Callable[[BadInput], object],
    ) -> None:
        """Read something; ignore the result if something else was opened or requested meanwhile."""
        self._newest += 1
        number = self._newest

        def done(content: Scene | PointSet) -> None:
            if number == self._newest:
                on_read(content)

        def failed(error: Exception) -> None:
            if not isinstance(error, BadInput):
                raise error
            if number == self._newest:
                on_refused(error)

        self._tasks.start(words, read, done, failed)

    def _on_read(
        self,
        path: Path,
        before: Document,
        columns: dict[str, Any],
        guesses: list[Guess],
        content: Scene | PointSet,
    ) -> None:
        sentences = [guess.sentence for guess in guesses]

        def read_otherwise(guess: Guess) -> None:
            self._open(path, shown, {**columns, **guess.options})

        actions = [(g.offer, partial(read_otherwise, g)) for g in guesses if g.offer]
        self._show(path, before, content, sentences, actions)
        shown = self._document()

    def _on_refused(
        self, path: Path, before: Document, columns: dict[str, Any], error: BadInput
    ) -> None:
        tasks = columns["tasks"]
        if isinstance(error, UnclearColumns) and before.is_regression and tasks == tuple(TASKS):
            # A regression has no classes, so there may be nothing to ask.
            self._open(path, before, {"tasks": tasks[::-1]})
        elif isinstance(error, UnclearColumns):
            dialog = ColumnsDialog(error, self._window)
            if dialog.exec():
                self._open(path, before, {**columns, **dialog.choice()})
        elif isinstance(error, UnclearNumbers):
            decimal = self._messages.choose_decimal(error)
            if decimal is not None:
                self._open(path, before, {**columns, "decimal": decimal})
        elif isinstance(error, MissingValues):
            if self._messages.may_skip(error):
                self._open(path, before, {**columns, "skip_missing": True})
        else:
            self._messages.warn("The file was not opened", str(error))


def _read(path: Path, **options: Any) -> Scene | PointSet:
    """Read a file; raise BadInput for a scene of more points than the window can show."""
    content = open_and_save.open_file(str(path), **options)
    if isinstance(content, Scene):
        check_number(len(content.document.all_points), path.name)
    return content
