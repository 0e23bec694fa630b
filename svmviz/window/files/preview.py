"""A small version of a figure, painted in another thread."""

from __future__ import annotations

import logging
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QWidget

from solvers import BadInput
from svmviz.base.pool import run_in_pool
from svmviz.export.figure import Figure
from svmviz.theme import active
from svmviz.widgets.plain_text import Label
from svmviz.window.files.process_figure import ProcessFigure

# Size of the preview, px at scale 1.
WIDTH, HEIGHT = 440, 400
# Time without a change before painting begins, ms.
PAINT_DELAY = 60
# Text while another process paints, which takes a second or more.
DRAWING = "Drawing the panels…"
log = logging.getLogger(__name__)
PreviewFigure = Figure | ProcessFigure


class PaintedFigure(NamedTuple):
    """A painted figure, and a sentence on what in it differs from the request."""

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
        except Exception:
            log.exception("The preview could not be painted")
            return "No preview can be painted of this figure."

    def _painted(self) -> PaintedFigure:
        if isinstance(self.figure, Figure):
            return PaintedFigure(shrink(self.figure, *self.size).image())
        with tempfile.TemporaryDirectory(prefix="svmviz-") as folder:
            path = Path(folder) / "preview.png"
            note = self.figure.write_preview(path, self.size)
            return PaintedFigure(QImage(str(path)), note)


class Preview(Label):
    """A preview of the newest of several figures.

    Signals
    -------
    preview_changed : another figure is visible
    note_changed : str
        A sentence on what in the figure differs from the request; empty if nothing does, or if no
        figure is shown.
    """

    preview_changed = Signal()
    note_changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        px = active().metrics.px
        self.setFixedSize(px(WIDTH), px(HEIGHT))
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setWordWrap(True)
        self.setAccessibleName("Preview of the picture")
        self._newest: PreviewRequest | None = None
        # The request that is being painted.
        self._painting: PreviewRequest | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAINT_DELAY)
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
        """Show no further figure, not even the one that is being painted."""
        self._pause.stop()
        self._newest = None

    def _begin(self) -> None:
        request = self._newest
        if request is None or self._painting is not None:
            return
        # The old figure stays visible until the next one is ready.
        if isinstance(request.figure, ProcessFigure) and self.pixmap().isNull():
            self.setText(DRAWING)
        self._painting = request
        run_in_pool(request.image, self._on_painted)

    def _on_painted(self, result: PaintedFigure | str) -> None:
        request, self._painting = self._painting, None
        if request is not self._newest:
            self._begin()
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
