"""PNG: the figure as pixels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QImage

from solvers import BadInput
from svmviz.export.figure import Figure
from svmviz.io.atomic import write_atomically


def save_png(
    path: str | Path, figure: Figure, cancelled: Callable[[], bool] = lambda: False
) -> None:
    """Write a figure as a PNG file. If anything fails, the file stays as it was.

    Parameters
    ----------
    path : path
    figure : Figure
    cancelled : callable, optional
        Called before the figure is encoded, and again before the file is replaced. If it returns
        true, nothing is written.

    Raises
    ------
    BadInput
        If the file cannot be written.
    """
    image = figure.image()
    if cancelled():
        return
    if image.isNull():
        raise BadInput(f"There is not enough memory to write the picture: {path}")
    write_atomically(path, encoded(image, path), cancelled)


def encoded(image: QImage, path: str | Path = "") -> bytes:
    """Return the bytes of a PNG file of an image.

    The image is encoded in memory, because Qt gives no reason if writing to a file fails. If memory
    is not enough, the BadInput names ``path``.
    """
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, "PNG"):  # pyright: ignore
        raise BadInput(f"There is not enough memory to write the picture: {path}")
    return bytes(buffer.data().data())
