"""Small pictures of the recent files, in the user's cache folder."""

from __future__ import annotations

import contextlib
import hashlib
import logging
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

import platformdirs
from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPixmap

from solvers import BadInput
from svmviz.base.background import Worker
from svmviz.camera.camera import Camera, Margins
from svmviz.colours.themes import DARK, LIGHT, Theme, theme_of
from svmviz.document.document import Document
from svmviz.document.view_options import ViewOptions
from svmviz.export.png import encoded
from svmviz.frames.frame import Frame
from svmviz.io.atomic import remove, remove_strays, write_atomically
from svmviz.io.paths import absolute_path
from svmviz.plane.draw import draw_plane
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.style import Style
from svmviz.plane.picture import refine
from svmviz.stage.stage import Stage
from svmviz.theme import active
from svmviz.window.files.files import Files
from svmviz.window.memory import WindowMemory

log = logging.getLogger(__name__)
# Size of a picture, px: three times that in the menu, for screens of high density.
SIZE = (240, 216)
# Factor on marks and lines, so that they are visible in the small picture.
SCALE = 2.0
# Time from the first frame of an opened file to its picture, ms, in which the run may end.
PAINT_DELAY = 1000


class RecentPictures(QObject):
    """A painter of files that are opened or saved: in a thread, a light and a dark picture of each.

    A file that is left before its first frame gets no picture.

    Parameters
    ----------
    stage : Stage
    files : Files
    memory : WindowMemory
        Pictures of files that are not in its list are removed.
    """

    def __init__(self, stage: Stage, files: Files, memory: WindowMemory) -> None:
        super().__init__(files)
        self._stage, self._memory = stage, memory
        # The file that waits for its picture, its document, and the newest frame of the document.
        self._waiting: tuple[Path, Document] | None = None
        self._frame: Frame | None = None
        self._delay = QTimer(self, singleShot=True, interval=PAINT_DELAY)
        self._delay.timeout.connect(self._paint)
        files.remembered.connect(self._on_remembered)
        stage.feed.frame_changed.connect(self._on_frame)

    def _on_remembered(self, path: Path) -> None:
        self._waiting = absolute_path(path), self._stage.session.document
        self._frame = None
        self._on_frame(self._stage.feed.frame)
        # A saved file already has its frame. If the user leaves the file, no other frame follows.
        self._paint()

    def _on_frame(self, frame: Frame) -> None:
        is_made = bool(frame.lanes or frame.trouble)
        if is_made and self._waiting and frame.document is self._waiting[1]:
            self._frame = frame
            if not self._delay.isActive():
                self._delay.start()

    def _paint(self) -> None:
        if self._waiting is None or self._frame is None:
            return
        self._delay.stop()
        options, palette = self._stage.view.options, active().theme.palette
        work = partial(self._write, self._waiting[0], self._frame, options, palette)
        self._waiting = self._frame = None
        # Another picture must not replace this one, so each has a worker.
        Worker("svmviz-recent").do(work)

    def _write(self, path: Path, frame: Frame, options: ViewOptions, palette: str) -> None:
        try:
            _folder().mkdir(parents=True, exist_ok=True, mode=0o700)
            remove_strays(_folder())
            for theme in (LIGHT, DARK):
                image = paint(frame, options, theme_of(theme.name, palette))
                write_atomically(file_of(path, is_dark=theme.is_dark), encoded(image))
        except (BadInput, OSError) as error:
            log.warning("The picture for the recent files was not written: %s", error)
        # The list may have been cleared meanwhile.
        keep_only(self._memory.recent)


def paint(frame: Frame, options: ViewOptions, theme: Theme) -> QImage:
    """Return a picture of all points, in a race with the lane in focus; works in any thread."""
    document, (width, height) = frame.document, SIZE
    camera = Camera(width=width, height=height, margins=Margins(0.0, 0.0, 0.0, 0.0)).fitted(
        document.visible_points, options.aspect_for(document.task)
    )
    details = "legend", "grid", "numbers", "alpha_numbers", "touched"
    plain = replace(options, **dict.fromkeys(details, False), hulls="never")
    style = Style(theme=theme, scale=SCALE, options=plain, vector=True, axes=False)
    image = QImage(width, height, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_plane(painter, Canvas(refine(frame, camera), camera, style))
        painter.setPen(QPen(QColor(theme.line_strong), 2 * SCALE))
        painter.drawRect(image.rect())
    return image


def keep_only(recent: Iterable[Path]) -> None:
    """Remove the pictures of all other files."""
    kept = {file_of(path, is_dark=is_dark) for path in recent for is_dark in (False, True)}
    with contextlib.suppress(OSError):
        for picture in set(_folder().glob("*.png")) - kept:
            remove(picture)


def picture_of(path: Path) -> QPixmap:
    """Return the light or dark picture of a file, as the theme; null if there is none."""
    return QPixmap(str(file_of(path, is_dark=active().theme.is_dark)))


def file_of(path: Path, *, is_dark: bool) -> Path:
    """Return the file that holds the picture of a recent file."""
    digest = hashlib.sha256(str(path).encode(errors="surrogateescape")).hexdigest()
    return _folder() / f"{digest[:32]}-{'dark' if is_dark else 'light'}.png"


def _folder() -> Path:
    return platformdirs.user_cache_path("svmviz", appauthor=False) / "recent"
