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
    """Write a figure as a PNG file, whole or, if anything fails, not at all.

    Parameters
    ----------
    path : path
    figure : Figure
    cancelled : callable, optional
        Called before the figure is encoded and before the file is replaced; if it returns true,
        the file stays as it was.

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
    """Return an image as a PNG file.

    It is encoded in memory, because Qt gives no reason if writing a file fails.
    """
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, "PNG"):  # pyright: ignore
        raise BadInput(f"There is not enough memory to write the picture: {path}")
    return bytes(buffer.data().data())
