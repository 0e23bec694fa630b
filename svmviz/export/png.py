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
    """Write a picture as a PNG file, whole or, if anything fails, not at all.

    Parameters
    ----------
    path : path
    picture : Picture
    cancelled : callable, optional
        Called before the picture is encoded and before the file is replaced; if it returns true,
        the file stays as it was.

    Raises
    ------
    BadInput
        If the file cannot be written.
    """
    image = picture.image()
    if not cancelled():
        write_atomically(path, _encoded(image, path), cancelled)


def _encoded(image: QImage, path: str | Path) -> bytes:
    """Encode in memory, because Qt gives no reason if writing a file fails."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, "PNG"):  # pyright: ignore
        raise BadInput(f"There is not enough memory to write the picture: {path}")
    return bytes(buffer.data().data())
