"""Reading of files in the background, and questions to the user about a file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QWidget

from solvers import BadInput
from solvers.data.datasets import PointSet
from solvers.data.point_files import MissingValues, UnclearColumns
from svmviz.document.document import Document
from svmviz.document.limits import check_number
from svmviz.io import open_and_save
from svmviz.io.scene import Scene
from svmviz.window.files.columns_dialog import ColumnsDialog
from svmviz.window.files.tasks import Tasks
from svmviz.window.messages import Messages, describe_skipped

# Shows a scene or points that were read; see :class:`Opening`.
Show = Callable[[Path, Document, Scene | PointSet], bool]


class Opening:
    """Reads files in the background. A newer request replaces an older one.

    Parameters
    ----------
    window : QWidget
        Parent of the dialogs.
    tasks : Tasks
    messages : Messages
    show : callable(Path, Document, Scene or PointSet) -> bool
        Shows a scene or points that were read. Returns False if the user keeps the old document.
    """

    def __init__(self, window: QWidget, tasks: Tasks, messages: Messages, show: Show) -> None:
        self._window, self._tasks, self._messages = window, tasks, messages
        self._show = show
        # Number of the newest request.
        self._newest = 0

    def open(self, path: Path, before: Document) -> None:
        """Read a file that was requested while the document was ``before``."""
        self._open(path, before, {}, 0)

    def drop(self) -> None:
        """Ignore the result of the file that is being read."""
        self._newest += 1

    def _open(self, path: Path, before: Document, columns: dict[str, Any], left_out: int) -> None:
        """Read a file.

        ``columns`` are options for reading a table. ``left_out`` is the number of rows that these
        options leave out, for a notice.
        """
        self._newest += 1
        request = (self._newest, path, before)
        self._tasks.start(
            f"Opening {path.name}…",
            lambda control: _read(path, task=before.task, report=control.report, **columns),
            partial(self._on_read, *request, left_out),
            partial(self._on_failed, *request, columns),
        )

    def _on_read(
        self, number: int, path: Path, before: Document, left_out: int, content: Scene | PointSet
    ) -> None:
        if number == self._newest and self._show(path, before, content) and left_out:
            self._messages.notify(describe_skipped(left_out))

    def _on_failed(
        self, number: int, path: Path, before: Document, columns: dict[str, Any], error: Exception
    ) -> None:
        if number != self._newest and isinstance(error, BadInput):
            # Another file was requested meanwhile, so the user is not asked about this one.
            return
        if isinstance(error, UnclearColumns):
            dialog = ColumnsDialog(error, self._window)
            if dialog.exec():
                self._open(path, before, dialog.choice(), 0)
        elif isinstance(error, MissingValues):
            if self._messages.may_skip(error):
                self._open(path, before, {**columns, "skip_missing": True}, error.rows)
        elif isinstance(error, BadInput):
            self._messages.warn("The file was not opened", str(error))
        else:
            raise error


def _read(path: Path, **options: Any) -> Scene | PointSet:
    """Read a file; raise BadInput for a scene of more points than the window can show."""
    content = open_and_save.open_file(str(path), **options)
    if isinstance(content, Scene):
        check_number(len(content.document.all_points), path.name)
    return content
