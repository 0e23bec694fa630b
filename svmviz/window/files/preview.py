"""A small version of a figure, painted in another thread, and the dialogs of exports with one."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from solvers import BadInput
from solvers.cancelling import Cancelled
from svmviz.base.background import Worker
from svmviz.base.delivery import delivering
from svmviz.export.figure import Figure
from svmviz.io.paths import is_full_folder
from svmviz.theme import active
from svmviz.widgets.column import Column
from svmviz.widgets.file_dialog import ask_save_path
from svmviz.widgets.plain_text import Label
from svmviz.widgets.still_text import StillText
from svmviz.window.files.process_figure import ProcessFigure
from svmviz.window.messages import Messages

# Size of the preview, px at scale 1.
WIDTH, HEIGHT = 440, 400
# Time without a change before painting begins, ms.
PAINT_DELAY = 60
# Text while another process paints, which takes a second or more.
DRAWING = "Drawing the panels…"
log = logging.getLogger(__name__)
PreviewFigure = Figure | ProcessFigure


class PaintedFigure(NamedTuple):
    """A painted figure, and a sentence on how it differs from the request."""

    image: QImage
    note: str = ""


@dataclass(frozen=True, eq=False)
class PreviewRequest:
    """A figure to be painted in a size in px."""

    figure: PreviewFigure
    size: tuple[float, float]

    def image(self) -> PaintedFigure | str:
        """Paint the figure, in any thread; return a sentence if that fails."""
        try:
            return self._painted()
        except BadInput as error:
            return str(error)
        except Cancelled:
            # The dialog is closed.
            raise
        except Exception:
            log.exception("The preview could not be painted")
            return "No preview can be painted of this figure."

    def _painted(self) -> PaintedFigure:
        if isinstance(self.figure, Figure):
            return PaintedFigure(shrink(self.figure, *self.size).image())
        return PaintedFigure(*self.figure.image(size=self.size))


class Preview(Label):
    """A preview of the newest of several figures.

    Signals
    -------
    preview_changed : another figure is visible
    note_changed : str
        A sentence on how the figure differs from the request; empty if it does not, or if no
        figure is shown.
    """

    preview_changed = Signal()
    note_changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent, wraps=True)
        px = active().metrics.px
        self.setFixedSize(px(WIDTH), px(HEIGHT))
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAccessibleName("Preview of the picture")
        self._newest: PreviewRequest | None = None
        self._worker = Worker("svmviz-preview")
        self._pause = QTimer(self, singleShot=True, interval=PAINT_DELAY)
        self._pause.timeout.connect(self._begin)

    def show_figure(self, figure: PreviewFigure) -> None:
        """Show another figure, once it is painted."""
        ratio = self.devicePixelRatioF()
        size = (self.width() * ratio, self.height() * ratio)
        self._newest = PreviewRequest(figure, size)
        self._pause.start()

    def show_text(self, sentence: str) -> None:
        """Show a sentence in place of a figure."""
        self.rest()
        self.setText(sentence)
        self.note_changed.emit("")

    def rest(self) -> None:
        """Show no other figure, not even the one that is being painted."""
        self._pause.stop()
        self._newest = None

    def _begin(self) -> None:
        request = self._newest
        assert request is not None
        # The old figure stays visible until the next one is ready.
        if isinstance(request.figure, ProcessFigure) and self.pixmap().isNull():
            self.setText(DRAWING)
        self._worker.do(delivering(lambda: (request, request.image()), self._on_painted))

    def _on_painted(self, painted: tuple[PreviewRequest, PaintedFigure | str]) -> None:
        request, result = painted
        if request is not self._newest:
            return
        self.note_changed.emit("" if isinstance(result, str) else result.note)
        if isinstance(result, str):
            self.setText(result)
            return
        image = result.image
        image.setDevicePixelRatio(self.devicePixelRatioF())
        self.setPixmap(QPixmap.fromImage(image))
        self.preview_changed.emit()


def shrink(figure: Figure, width: float, height: float) -> Figure:
    """Return the figure scaled to fit into ``width`` and ``height``, px."""
    figure_width, figure_height = figure.size
    return figure.scaled(min(width / figure_width, height / figure_height))


class PreviewDialog(QDialog):
    """A preview and a note on the left, a form on the right, and two buttons below.

    Parameters
    ----------
    parent : QWidget
    title : str
    proposed : Path
        Proposed file, without its ending.
    note_lines : int
        Number of lines that are reserved for the note.

    Attributes
    ----------
    preview : Preview
    note : StillText
        A sentence on the file for the user.
    path : Path or None
        The file, once the user has chosen it.
    """

    def __init__(self, parent: QWidget, title: str, proposed: Path, note_lines: int) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self._proposed = proposed
        self.path: Path | None = None
        self.preview = Preview(self)
        self.note = StillText(lines=note_lines)

    def done(self, result: int) -> None:
        """Close, and stop the preview."""
        self.preview.rest()
        super().done(result)

    def _lay_out(self, form: QWidget, label: str) -> QPushButton:
        """Lay out preview, note, form and buttons; return the button that asks for the file."""
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        button = buttons.addButton(label, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self._ask_path)
        buttons.rejected.connect(self.reject)
        # The Return key clicks this button, whichever field has the focus.
        button.setDefault(True)
        button.setFocus()
        left = Column(gap=1.0)
        left.add(self.preview)
        left.add(self.note)
        upper = QHBoxLayout()
        upper.setSpacing(active().metrics.space(5))
        upper.addWidget(left)
        upper.addWidget(form)
        layout = QVBoxLayout(self)
        layout.setSpacing(active().metrics.space(4))
        layout.addLayout(upper)
        layout.addWidget(buttons)
        return button

    def _ask_path(self) -> None:
        """Call :meth:`_accept_path` with the endings of this dialog; subclasses override this.

        The button that asks for the file calls this method.
        """
        raise NotImplementedError

    def _accept_path(
        self,
        ending: str,
        filters: str,
        endings: Collection[str],
        check: Callable[[Path], None] = lambda _: None,
    ) -> None:
        """Ask for the file; store its path and accept the dialog if the user chooses one.

        Parameters
        ----------
        ending : str
            Ending of the proposed name; also added to a chosen name that has none of ``endings``.
        filters : str
            Kinds of files, as Qt's file dialog takes them.
        endings : collection of str
            Endings that a name may have. If the collection is empty, a folder is asked for.
        check : callable(Path), optional
            Raises BadInput if the file cannot be written; the dialog then stays open.
        """
        start = f"{self._proposed}{ending}"
        chosen, _ = ask_save_path(self, self.windowTitle(), start, filters, not endings)
        if not chosen:
            return
        path = Path(chosen)
        if endings and path.suffix.lower() not in endings:
            # The file dialog has asked about replacing a file of the typed name, but the file to be
            # written has the ending as well.
            path = path.with_name(path.name + ending)
            if not Messages(self).may_replace(path):
                return
        try:
            check(path)
        except BadInput as error:
            Messages(self).warn_not_written(path, error)
            return
        if is_full_folder(path) and not Messages(self).may_replace(path):
            return
        self.path = path
        self.accept()
