"""What leaves the window: pictures, prints, runs as files, and pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QMimeData, QObject
from PySide6.QtGui import QGuiApplication, QImage

from svmviz.export import RUN_FORMATS
from svmviz.plane.picture import Picture
from svmviz.stage.stage import Stage
from svmviz.window.files.files import Files
from svmviz.window.memory import WindowMemory
from svmviz.window.messages import Messages
from svmviz.window.planes import Planes

if TYPE_CHECKING:
    from solvers.cancelling import Report
    from svmviz.export.runs.recording import Recording
    from svmviz.export.runs.run_settings import RunSettings
    from svmviz.frames.frame import Frame
    from svmviz.io.scene import Scene
    from svmviz.lessons.lessons import Lesson
    from svmviz.window.files.export_dialog import ExportDialog

Asked = TypeVar("Asked", bound="ExportDialog")
# Preference with the choices of the dialog for a run, and what the dialog for a page offers.
RUN_CHOICES, PAGE_FILTER = "export-run", "Web page (*.html)"


class Exports(QObject):
    """The commands that export or print what the window shows.

    Dialogs and formats are imported late, because the start of the program does not need them.

    Parameters
    ----------
    stage : Stage
    planes : Planes
        Pictures and previews show them as they are. Their window is the parent of dialogs.
    memory : WindowMemory
        Remembers the folder and the choices of the dialogs.
    messages : Messages
    files : Files
        Has the scene, proposes a name, and has the tasks in which files are written.
    """

    def __init__(
        self, stage: Stage, planes: Planes, memory: WindowMemory, messages: Messages, files: Files
    ) -> None:
        super().__init__(planes)
        self._stage, self._planes, self._memory = stage, planes, memory
        self._messages, self._files = messages, files

    @property
    def has_run(self) -> bool:
        """Whether there is a run of the document shown."""
        session = self._stage.session
        return bool(session.runs) and session.solved is session.document

    @property
    def has_page(self) -> bool:
        """Whether there is a lesson or a run, which can be a page."""
        return self._stage.lesson.lesson is not None or self.has_run

    def _proposed(self, name: str = "") -> Path:
        return Path(self._memory.folder) / (name or Path(self._files.name).stem)

    def _picture(self, scale: float = 1.0) -> Picture:
        return self._planes.picture(self._planes.main.theme, scale)

    def _scene(self) -> Scene:
        """Return the scene as it is drawn, also with what visible panels add to the plane."""
        return replace(self._files.scene(), options=self._stage.view.drawn)

    # Pictures.

    def ask_picture(self) -> None:
        """Ask for size and file, and write a picture."""
        from svmviz.window.files.export_dialog import ExportDialog

        dialog = self._ask(ExportDialog, "export")
        if dialog is not None:
            export = dialog.export()
            self._files.export("picture", export.path, export.write)

    def ask_print(self) -> None:
        """Ask for size and printer, and print a picture."""
        from svmviz.window.files.export_dialog import PrintDialog

        dialog = self._ask(PrintDialog, "print")
        if dialog is not None:
            self._files.tasks.start(
                "Printing…",
                dialog.job().run,
                lambda note: self._messages.notify(f"The picture was printed. {note}".strip()),
                lambda error: self._messages.warn("The picture was not printed", str(error)),
                must_finish=True,
            )

    def _ask(self, make: type[Asked], kind: str) -> Asked | None:
        """Return the dialog after it was accepted, and remember its choices; None if it was not."""
        dialog = make(
            self._planes.window(),
            self._proposed(),
            self._picture(),
            self._scene(),
            self._memory.get(kind, {}),
            self._stage.playback.clock.name,
            self._stage.reading.derivation.name,
            self._stage.view.choices,
        )
        accepted = dialog.exec()
        dialog.deleteLater()
        if accepted:
            self._memory.put(kind, dialog.values())
        return dialog if accepted else None

    def copy_picture(self) -> None:
        """Copy a picture of the planes to the clipboard, as SVG and as pixels of twice the size."""
        from svmviz.export.figure import Figure
        from svmviz.export.svg import svg_of

        figure = Figure.of(self._picture(2.0))
        self._files.tasks.start(
            "Painting…",
            lambda _: (figure.image(), svg_of(figure)),
            self._on_painted,
            lambda error: self._messages.warn("No picture was copied", str(error)),
        )

    def _on_painted(self, painted: tuple[QImage, str]) -> None:
        image, drawing = painted
        data = QMimeData()
        data.setImageData(image)
        data.setData("image/svg+xml", drawing.encode())
        QGuiApplication.clipboard().setMimeData(data)
        size = f"{image.width():,} × {image.height():,} pixels"
        self._messages.notify(f"The picture was copied to the clipboard ({size}, and as SVG).")

    # Runs and pages.

    def ask_run(self) -> None:
        """Ask for the format and the file, and write the steps recorded so far."""
        from svmviz.window.files.run_dialog import RunDialog, RunFacts

        if not self.has_run:
            return
        shown, recording = self._picture(), self._recording()
        facts = RunFacts(
            recording.length,
            self._stage.playback.player.glides,
            self._stage.playback.clock.name,
            shown.frame.focus,
            self._stage.playback.loop and recording.scene.marks.loop_within(recording.length),
        )
        remembered = self._memory.get(RUN_CHOICES, {})
        dialog = RunDialog(
            self._planes.window(), self._proposed(), recording, shown, facts, remembered
        )
        if dialog.exec() and dialog.path is not None:
            self._memory.put(RUN_CHOICES, dialog.values())
            ending, settings = dialog.form.kind.ending, dialog.form.settings()
            self.write_run(dialog.path, ending, recording, settings)
        dialog.deleteLater()

    def write_run(
        self, path: Path, ending: str, recording: Recording, settings: RunSettings
    ) -> None:
        """Write a run in a format of ``RUN_FORMATS``, in the background."""
        work = partial(RUN_FORMATS[ending].save, path, recording, settings)
        self._files.export("run", path, work)

    def _recording(self) -> Recording:
        from svmviz.export.runs.recording import Recording
        from svmviz.plane.sentences import caption

        return Recording(self._scene(), tuple(self._stage.session.runs), caption)

    def ask_page(self) -> None:
        """Ask for the file, and write the lesson that is open or, without one, the run."""
        if not self.has_page:
            return
        lesson = self._stage.lesson.lesson
        proposed = self._proposed(lesson.name if lesson is not None else "")
        target = self._messages.ask_target("Share as page", f"{proposed}.html", PAGE_FILTER)
        if target is not None:
            self.write_page(target)

    def write_page(self, path: Path) -> None:
        """Write the page in the background, and say where it is."""
        from svmviz.plane.sentences import caption

        lesson = self._stage.lesson.lesson
        if lesson is not None:
            work = partial(_write_lesson, path, lesson, caption)
        else:
            clock = self._stage.playback.clock.name
            work = partial(_write_page, path, self._recording(), clock)
        self._files.export("page", path, work, self._show_page)

    def _show_page(self, path: Path) -> None:
        from svmviz.window.files.shared_page import SharedDialog

        dialog = SharedDialog(path, self._planes.window())
        dialog.exec()
        dialog.deleteLater()


def _write_page(path: Path, recording: Recording, clock: str, report: Report) -> None:
    """Write the page of a run; for a long run, only as many steps as a page may have."""
    from svmviz.export.figure_settings import FigureSettings
    from svmviz.export.html.save import save_html, steps_for
    from svmviz.export.runs.run_settings import RunSettings

    picture = FigureSettings(clock=clock)
    save_html(path, recording, RunSettings(steps=steps_for(recording), picture=picture), report)


def _write_lesson(
    path: Path, lesson: Lesson, caption: Callable[[Frame], str], report: Report
) -> None:
    from svmviz.export.html.save import save_lesson
    from svmviz.panels.registry import shown_by_lessons

    save_lesson(path, lesson, shown_by_lessons(), caption, report)
