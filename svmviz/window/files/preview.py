"""A small version of a figure, painted in a thread of its own."""

from __future__ import annotations

import contextlib
import logging
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QWidget

from solvers import BadInput
from svmviz.export.figure import Figure
from svmviz.theme import active
from svmviz.widgets.plain_text import Label
from svmviz.window.files.process_figure import ProcessFigure

# Size of the preview, px at scale 1.
WIDTH, HEIGHT = 440, 400
# Time without a change before painting begins, ms; longer than the time between two typed digits.
PAUSE = 60
# Shown while another process paints, which takes a second or more.
DRAWING = "Drawing the panels…"
# Time that a figure may still take after it was replaced, s; ending its process would take longer.
MAX_EXTRA = 1.0
log = logging.getLogger(__name__)
PreviewFigure = Figure | ProcessFigure


class Painted(NamedTuple):
    """A painted figure, and a sentence on what differs from the request."""

    image: QImage
    note: str = ""


@dataclass(frozen=True, eq=False)
class PreviewRequest:
    """A figure to be painted, and whether a newer request has replaced it."""

    figure: PreviewFigure
    size: tuple[float, float]
    replaced: threading.Event

    def image(self) -> Painted | str:
        """Paint it, in any thread; return a sentence if that fails."""
        try:
            return self._painted()
        except BadInput as error:
            return str(error)
        except Exception:
            log.exception("The preview could not be painted")
            return "There is no preview of this."

    def _painted(self) -> Painted:
        if isinstance(self.figure, Figure):
            return Painted(shrunk(self.figure, *self.size).image())
        with tempfile.TemporaryDirectory(prefix="svmviz-") as folder:
            path = Path(folder) / "preview.png"
            note = self.figure.write_preview(path, self.size, DelayedCancel(self.replaced.is_set))
            return Painted(QImage(str(path)), note)


class DelayedCancel:
    """Cancels a replaced figure only after a while, since it may be nearly finished."""

    def __init__(self, replaced: Callable[[], bool]) -> None:
        self._replaced = replaced
        self._since: float | None = None

    def __call__(self) -> bool:
        if not self._replaced():
            return False
        now = time.monotonic()
        self._since = now if self._since is None else self._since
        return now - self._since > MAX_EXTRA


class _Notifier(QObject):
    """Signal that a figure is painted; Qt drops the connection of a preview that is deleted."""

    painted = Signal(object, object)


class Preview(Label):
    """A preview of the newest of several figures.

    Signals
    -------
    shown : a new preview is visible
    noted : str
        A sentence on what differs from the request; empty if nothing does, or nothing is shown.
    """

    shown = Signal()
    noted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        px = active().metrics.px
        self.setFixedSize(px(WIDTH), px(HEIGHT))
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setWordWrap(True)
        self.setAccessibleName("Preview of the picture")
        self._wanted: PreviewRequest | None = None
        self._is_painting = False
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE)
        self._pause.timeout.connect(self._begin)

    def show_figure(self, figure: PreviewFigure) -> None:
        """Show another figure soon."""
        self._forget()
        ratio = self.devicePixelRatioF()
        size = (self.width() * ratio, self.height() * ratio)
        self._wanted = PreviewRequest(figure, size, threading.Event())
        self._pause.start()

    def show_text(self, sentence: str) -> None:
        """Show a sentence in place of a figure."""
        self._forget()
        self._pause.stop()
        self.setText(sentence)
        self.noted.emit("")

    def rest(self) -> None:
        """Cancel all previews. One that is being painted is completed, but not shown."""
        self._pause.stop()
        self._forget()

    def _forget(self) -> None:
        if self._wanted is not None:
            self._wanted.replaced.set()
            self._wanted = None

    def _begin(self) -> None:
        wanted = self._wanted
        if wanted is None or self._is_painting:
            return
        # A figure that is shown stays until the next one is ready.
        if isinstance(wanted.figure, ProcessFigure) and self.pixmap().isNull():
            self.setText(DRAWING)
        self._is_painting = True
        notifier = _Notifier()
        notifier.painted.connect(self._on_painted)
        threading.Thread(
            target=_paint, args=(wanted, notifier), name="svmviz-preview", daemon=True
        ).start()

    def _on_painted(self, wanted: PreviewRequest, found: Painted | str) -> None:
        self._is_painting = False
        if wanted is not self._wanted:
            self._begin()
            return
        self.noted.emit("" if isinstance(found, str) else found.note)
        if isinstance(found, str):
            self.setText(found)
            return
        image = found.image
        image.setDevicePixelRatio(self.devicePixelRatioF())
        self.setPixmap(QPixmap.fromImage(image))
        self.shown.emit()


def _paint(wanted: PreviewRequest, notifier: _Notifier) -> None:
    found = wanted.image()
    # If the application has ended since, Qt has deleted the notifier.
    with contextlib.suppress(RuntimeError):
        notifier.painted.emit(wanted, found)
        # The thread that made it deletes it.
        notifier.deleteLater()


def shrunk(figure: Figure, width: float, height: float) -> Figure:
    """Return the figure scaled to fit into ``width`` and ``height``, px."""
    across, up = figure.size
    return figure.scaled(min(width / across, height / up))
