"""Export of the run in the window as a movie, a table, arrays or code."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from svmviz.export import RUN_FORMATS
from svmviz.window.files.files import Files
from svmviz.window.files.shared_page import SharedPage
from svmviz.window.messages import Messages

if TYPE_CHECKING:
    from svmviz.export.runs.recording import Recording
    from svmviz.export.runs.run_settings import RunSettings
    from svmviz.stage.stage import Stage
    from svmviz.window.memory import WindowMemory
    from svmviz.window.planes import Planes

# Key under which `Memory` stores the choices of the dialog.
MEMORY_KEY = "export-run"


class RunExport(QObject):
    """The command "Export run": the steps recorded so far, as a movie, a table, arrays or code.

    Parameters
    ----------
    stage : Stage
    planes : Planes
        Their window is the parent of the dialog. The preview shows them as they are when it opens.
    memory : WindowMemory
        Remembers the folder and the choices.
    messages : Messages
    files : Files
        Has the scene, and the tasks in which files are written.

    Attributes
    ----------
    page : SharedPage
        The command "Share as page".
    """

    def __init__(
        self, stage: Stage, planes: Planes, memory: WindowMemory, messages: Messages, files: Files
    ) -> None:
        super().__init__(planes)
        self._stage, self._planes, self._memory = stage, planes, memory
        self._messages, self._files = messages, files
        self.page = SharedPage(planes, stage, memory, messages, files)

    @property
    def has_run(self) -> bool:
        """Whether there is a run of the document shown."""
        return self.page.has_run

    def ask(self) -> None:
        """Ask for the format and the file, and write the run."""
        # Imported here, because the start of the program does not need it.
        from svmviz.export.runs.recording import Recording
        from svmviz.panels.controls.transport.narrator import caption
        from svmviz.window.files.run_dialog import RunDialog, RunFacts

        if not self.has_run:
            return
        shown = self._planes.picture(self._planes.main.theme, 1.0)
        recording = Recording(self._files.scene(), tuple(self._stage.session.runs), caption)
        facts = RunFacts(
            recording.length,
            self._stage.playback.player.glides,
            self._files.clock,
            shown.frame.focus,
        )
        proposed = Path(self._memory.folder) / Path(self._files.name).stem
        dialog = RunDialog(
            self._window(), proposed, recording, shown, facts, self._memory.get(MEMORY_KEY, {})
        )
        path = dialog.path if dialog.exec() else None
        values, ending = dialog.values(), dialog.form.kind.ending
        settings = None if path is None else dialog.form.settings()
        dialog.deleteLater()
        if path is not None and settings is not None:
            self._memory.put(MEMORY_KEY, values)
            self.write(path, ending, recording, settings)

    def write(self, path: Path, ending: str, recording: Recording, settings: RunSettings) -> None:
        """Write a run in a format of ``RUN_FORMATS``, in the background."""
        self._files.export(
            "run", path, partial(RUN_FORMATS[ending].save, path, recording, settings)
        )

    def _window(self) -> QWidget:
        return self._planes.window()
