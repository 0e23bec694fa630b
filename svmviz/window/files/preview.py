"""A small version of a picture, painted in a thread of its own."""

from __future__ import annotations

import threading
from dataclasses import replace

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QWidget

from svmviz.plane.picture import Picture
from svmviz.theme import active
from svmviz.widgets.plain_text import Label

# Size of the preview, px at scale 1.
WIDTH, HEIGHT = 360, 270
# Time without a change before painting begins, ms; longer than the time between two typed digits.
PAUSE = 60


class Preview(Label):
    """A preview of the newest of several pictures.

    Signals
    -------
    shown : a new preview is visible
    """

    shown = Signal()
    _painted = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        px = active().metrics.px
        self.setFixedSize(px(WIDTH), px(HEIGHT))
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAccessibleName("Preview of the picture")
        self._wanted: Picture | None = None
        self._thread: threading.Thread | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE)
        self._pause.timeout.connect(self._begin)
        self._painted.connect(self._on_painted)

    def show_picture(self, picture: Picture) -> None:
        """Show another picture soon."""
        self._wanted = picture
        self._pause.start()

    def rest(self) -> None:
        """Stop painting, and wait for the thread."""
        self._pause.stop()
        self._wanted = None
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _begin(self) -> None:
        wanted = self._wanted
        if wanted is None or self._thread is not None:
            return
        small = shrunk(wanted, self.width(), self.height(), self.devicePixelRatioF())
        self._thread = threading.Thread(
            target=lambda: self._painted.emit(wanted, small.image()), name="svmviz-preview"
        )
        self._thread.start()

    def _on_painted(self, wanted: Picture, image: QImage) -> None:
        if self._thread is None:
            return
        self._thread.join()
        self._thread = None
        if wanted is not self._wanted:
            self._begin()
            return
        image.setDevicePixelRatio(self.devicePixelRatioF())
        self.setPixmap(QPixmap.fromImage(image))
        self.shown.emit()


def shrunk(picture: Picture, width: int, height: int, ratio: float = 1.0) -> Picture:
    """Return the picture scaled to fit into ``width`` and ``height``, px."""
    across, up = picture.size
    factor = min(width * ratio / across, height * ratio / up)
    size = (max(1, round(across * factor)), max(1, round(up * factor)))
    return replace(picture, size=size, scale=picture.scale * factor)
