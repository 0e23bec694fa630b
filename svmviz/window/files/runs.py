"""Writing the run of the window as a movie, a table or code."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from svmviz.export import RUN_FORMATS
from svmviz.widgets.file_dialog import ask_save_path
from svmviz.window.files.files import Files
from svmviz.window.files.pictures import open_file
from svmviz.window.messages import Messages

if TYPE_CHECKING:
    from svmviz.stage.stage import Stage
    from svmviz.window.memory import Memory

ENDINGS = tuple(ending for ending in RUN_FORMATS if ending != "/")
FILTERS = ";;".join(f"{RUN_FORMATS[ending].title} (*{ending})" for ending in ENDINGS)


class RunExport(QObject):
    """The command "Export run": every step recorded so far, in the format of the ending.

    Parameters
    ----------
    window : QWidget
    stage : Stage
    memory : Memory
        Remembers the folder.
    messages : Messages
    files : Files
        Has the scene, and the tasks in which files are written.
    """

    def __init__(
        self, window: QWidget, stage: Stage, memory: Memory, messages: Messages, files: Files
    ) -> None:
        super().__init__(window)
        self._window, self._stage, self._memory = window, stage, memory
        self._messages, self._files = messages, files

    @property
    def has_run(self) -> bool:
        """Whether there is a run."""
        return bool(self._stage.session.runs)

    def ask(self) -> None:
        """Ask for a file, and write the run."""
        start = str(Path(self._memory.folder) / f"{Path(self._files.name).stem}.gif")
        path, chosen = ask_save_path(self._window, "Export run", start, FILTERS)
        if not path:
            return
        target = Path(path)
        if target.suffix.lower() not in ENDINGS:
            target = target.with_name(target.name + chosen[chosen.index("*") + 1 : -1])
            if not self._messages.may_replace(target):
                return
        self.write(target)

    def write(self, path: Path) -> None:
        """Write the run in the background, with progress and Cancel."""
        # Imported here, because the start of the program does not need it.
        from svmviz.export.order import Order
        from svmviz.export.page import Length
        from svmviz.export.runs.order import MOVIE_SIZE, RunOrder
        from svmviz.export.runs.recording import Recording
        from svmviz.panels.transport.narrator import caption

        width, height = (Length(side, "px") for side in MOVIE_SIZE)
        order = RunOrder(picture=Order(width=width, height=height, caption=True))
        recording = Recording(self._files.scene(), tuple(self._stage.session.runs), caption)
        save = RUN_FORMATS[path.suffix.lower()].save
        self._files.tasks.start(
            f"Writing {path.name}…",
            lambda control: save(path, recording, order, control),
            lambda _: self._on_written(path),
            partial(self._messages.warn_not_written, path),
            must_finish=True,
        )

    def _on_written(self, path: Path) -> None:
        self._memory.remember_folder(path.parent)
        actions = [
            ("Open", partial(open_file, path)),
            ("Show in folder", partial(open_file, path.parent)),
        ]
        self._messages.notify(f"The run was written to {path}", actions)
