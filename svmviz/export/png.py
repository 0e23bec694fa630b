"""PNG: the plane as pixels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QImage

from solvers import BadInput
from svmviz.io.atomic import write_atomically
from svmviz.plane.picture import Picture


def save_png(
    path: str | Path, picture: Picture, cancelled: Callable[[], bool] = lambda: False
) -> None:
    """Write a picture; the file is there in full or, if anything goes wrong, not at all.

    Parameters
    ----------
    path : path
    picture : Picture
    cancelled : callable, optional
        Asked before the picture is encoded and before the file is replaced; it then stays.

    Raises
    ------
    BadInput
        In one sentence, if the file cannot be written.
    """
    image = picture.image()
    if not cancelled():
        write_atomically(path, _encoded(image, path), cancelled)


def _encoded(image: QImage, path: str | Path) -> bytes:
    """The file's content. It is made in memory: of a file, Qt knows no reason why it failed."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, "PNG"):  # pyright: ignore
        raise BadInput(f"The picture cannot be written, for memory is short: {path}")
    return bytes(buffer.data().data())
