"""Pictures of the planes: written to a file, printed, or copied to the clipboard."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QMimeData, QObject
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QWidget

from svmviz.window.files.files import Files
from svmviz.window.messages import Messages

if TYPE_CHECKING:
    from svmviz.window.files.export_dialog import ExportDialog
    from svmviz.window.memory import WindowMemory
    from svmviz.window.planes import Planes

Asked = TypeVar("Asked", bound="ExportDialog")


class Pictures(QObject):
    """The commands "Export picture", "Print" and "Copy picture".

    Parameters
    ----------
    window : QWidget
        Parent of the dialog.
    planes : Planes
    memory : WindowMemory
        Remembers the folder and the choices of the dialog.
    messages : Messages
    files : Files
        Proposes a name, and has the tasks in which pictures are painted.
    """

    def __init__(
        self,
        window: QWidget,
        planes: Planes,
        memory: WindowMemory,
        messages: Messages,
        files: Files,
    ) -> None:
        super().__init__(window)
        self._window, self._planes, self._memory = window, planes, memory
        self._messages, self._files = messages, files

    def ask_export(self) -> None:
        """Ask for size and file, and write a picture."""
        # Imported late, because the start of the program needs no dialog.
        from svmviz.window.files.export_dialog import ExportDialog

        dialog, values = self._ask(ExportDialog, "export")
        if dialog is not None:
            export = dialog.export()
            self._memory.put("export", values)
            self._files.export("picture", export.path, export.write)

    def ask_print(self) -> None:
        """Ask for size and printer, and print a picture."""
        from svmviz.window.files.export_dialog import PrintDialog

        dialog, values = self._ask(PrintDialog, "print")
        if dialog is not None:
            self._memory.put("print", values)
            self._files.tasks.start(
                "Printing…",
                dialog.job().run,
                lambda note: self._messages.notify(f"The picture was printed. {note}".strip()),
                lambda error: self._messages.warn("The picture was not printed", str(error)),
                must_finish=True,
            )

    def _ask(self, make: type[Asked], kind: str) -> tuple[Asked | None, dict[str, Any]]:
        """Return the dialog, or None if it was not accepted, and the values to be remembered."""
        dialog = make(
            self._window,
            Path(self._memory.folder) / Path(self._files.name).stem,
            self._planes.picture(self._planes.main.theme, 1.0),
            self._files.scene(),
            self._memory.get(kind, {}),
            self._files.clock,
            self._files.derivation,
            self._files.choices,
        )
        accepted = dialog.exec()
        dialog.deleteLater()
        return (dialog if accepted else None), dialog.values()

    def copy(self) -> None:
        """Copy a picture of the planes to the clipboard, as SVG and as pixels of twice the size."""
        # Imported late, because the start of the program needs no export.
        from svmviz.export.figure import Figure
        from svmviz.export.svg import svg_of

        figure = Figure.of(self._planes.picture(self._planes.main.theme, 2.0))
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
