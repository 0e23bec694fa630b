"""The command "Share as page": the run or the lesson as a page, and a QR code of its address."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QVBoxLayout, QWidget

from svmviz.base.qr_code import qr_rows, too_long
from svmviz.theme import active
from svmviz.widgets.file_dialog import ask_save_path
from svmviz.widgets.plain_text import Label
from svmviz.window.files.desktop import open_file, show_in_folder
from svmviz.window.files.files import Files
from svmviz.window.messages import Messages

if TYPE_CHECKING:
    from solvers.cancelling import Report
    from svmviz.export.runs.recording import Recording
    from svmviz.frames.frame import Frame
    from svmviz.lessons.lessons import Lesson
    from svmviz.stage.stage import Stage
    from svmviz.window.memory import WindowMemory

FILTER = "Web page (*.html)"
# Width of the white border of a QR code, in modules; side of the code, px at scale 1.
QUIET, SIDE = 4, 320


class SharedPage(QObject):
    """The command "Share as page", for the lesson that is open or, without one, for the run.

    Parameters
    ----------
    view : QWidget
        Its window is the parent of dialogs.
    stage : Stage
    memory : WindowMemory
        Remembers the folder.
    messages : Messages
    files : Files
        Has the scene, and the tasks in which files are written.
    """

    def __init__(
        self, view: QWidget, stage: Stage, memory: WindowMemory, messages: Messages, files: Files
    ) -> None:
        super().__init__(view)
        self._view, self._stage, self._memory = view, stage, memory
        self._messages, self._files = messages, files

    @property
    def has_run(self) -> bool:
        """Whether there is a run of the document shown."""
        session = self._stage.session
        return bool(session.runs) and session.solved is session.document

    @property
    def has_content(self) -> bool:
        """Whether there is something to share."""
        return self._stage.lesson.lesson is not None or self.has_run

    def ask(self) -> None:
        """Ask for the file, and write the page."""
        if not self.has_content:
            return
        lesson = self._stage.lesson.lesson
        name = lesson.name if lesson is not None else Path(self._files.name).stem
        proposed = Path(self._memory.folder) / f"{name}.html"
        path, _ = ask_save_path(self._view.window(), "Share as page", str(proposed), FILTER)
        if not path:
            return
        target = Path(path)
        if not target.suffix:
            target = target.with_suffix(".html")
            if not self._messages.may_replace(target):
                return
        self.write(target)

    def write(self, path: Path) -> None:
        """Write the page in the background, and say where it is."""
        # Imported here, because the start of the program does not need it.
        from svmviz.export.runs.recording import Recording
        from svmviz.panels.controls.transport.narrator import caption

        lesson = self._stage.lesson.lesson
        if lesson is not None:
            work = partial(_write_lesson, path, lesson, caption)
        else:
            runs = tuple(self._stage.session.runs)
            work = partial(_write_run, path, Recording(self._files.scene(), runs, caption))
        self._files.export("page", path, work, self._show)

    def _show(self, path: Path) -> None:
        dialog = SharedDialog(path, self._view.window())
        dialog.exec()
        dialog.deleteLater()


def _write_run(path: Path, recording: Recording, report: Report) -> None:
    """Write the page of a run; for a long run, only as many steps as a page may have."""
    from svmviz.export.html.save import save_html, steps_for
    from svmviz.export.runs.run_settings import RunSettings

    save_html(path, recording, RunSettings(steps=steps_for(recording)), report)


def _write_lesson(
    path: Path, lesson: Lesson, caption: Callable[[Frame], str], report: Report
) -> None:
    from svmviz.export.html.save import save_lesson
    from svmviz.panels.registry import shown_by_lessons

    save_lesson(path, lesson, shown_by_lessons(), caption, report)


class SharedDialog(QDialog):
    """The path of a page that was written, and a field for its address with a QR code.

    Parameters
    ----------
    path : Path
    parent : QWidget
    """

    def __init__(self, path: Path, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Share as page")
        words = Label(
            "The page is in this file. It needs no network and nothing installed: put it on the "
            "page of your course, or mail it."
        )
        self.path = QLineEdit(str(path))
        self.path.setReadOnly(True)
        self.path.setAccessibleName("Path of the page")
        question = Label("Its address, if it is on a web server, as a QR code to be projected:")
        self.address = QLineEdit()
        self.address.setPlaceholderText("https://")
        self.address.setAccessibleName("Address of the page")
        self.code, self.trouble = QrCode(), Label()
        layout = QVBoxLayout(self)
        layout.setSpacing(active().metrics.space(3))
        for label in (words, question, self.trouble):
            label.setWordWrap(True)
        for widget in (words, self.path, question, self.address, self.trouble):
            layout.addWidget(widget)
        layout.addWidget(self.code, 1)
        layout.addWidget(self._make_buttons(path))
        self.address.textChanged.connect(self._show_code)
        self._show_code("")
        self.address.setFocus()
        self.setMinimumWidth(active().metrics.px(460))

    def _make_buttons(self, path: Path) -> QDialogButtonBox:
        buttons, roles = QDialogButtonBox(), QDialogButtonBox.ButtonRole
        self.open_page = buttons.addButton("&Open", roles.ActionRole)
        self.show_folder = buttons.addButton("Show in &folder", roles.ActionRole)
        close = buttons.addButton(QDialogButtonBox.StandardButton.Close)
        # The Return key only finishes the address; it must not click a button.
        for button in (self.open_page, self.show_folder, close):
            button.setAutoDefault(False)
        self.open_page.clicked.connect(partial(open_file, path))
        self.show_folder.clicked.connect(partial(show_in_folder, path))
        buttons.rejected.connect(self.reject)
        return buttons

    def _show_code(self, address: str) -> None:
        address = address.strip()
        self.code.show_rows(qr_rows(address) if address else [])
        self.trouble.setText("" if self.code.rows or not address else too_long(address))
        self.trouble.setVisible(bool(self.trouble.text()))


class QrCode(QWidget):
    """A QR code, black on white. Without rows, its place is empty.

    Attributes
    ----------
    rows : list of str
        As `qr_rows` returns them.
    """

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[str] = []
        self.setAccessibleName("QR code of the address")
        side = active().metrics.px(SIDE)
        self.setMinimumSize(side, side)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def show_rows(self, rows: list[str]) -> None:
        """Show another code."""
        self.rows = rows
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.rows:
            return
        # A module has a whole number of device pixels, so that all are equal.
        ratio, count = self.devicePixelRatioF(), len(self.rows) + 2 * QUIET
        side = max(1, int(min(self.width(), self.height()) * ratio / count)) / ratio
        left, top = (0.5 * (length - count * side) for length in (self.width(), self.height()))
        left, top = round(left * ratio) / ratio, round(top * ratio) / ratio
        with QPainter(self) as painter:
            painter.fillRect(QRectF(left, top, count * side, count * side), Qt.GlobalColor.white)
            for y, row in enumerate(self.rows, start=QUIET):
                for x, module in enumerate(row, start=QUIET):
                    if module == "1":
                        place = QRectF(left + x * side, top + y * side, side, side)
                        painter.fillRect(place, Qt.GlobalColor.black)
