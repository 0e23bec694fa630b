"""PNG: the figure as pixels."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QImage

from solvers import BadInput
from solvers.cancelling import check_cancelled
from svmviz.export.figure import Figure
from svmviz.io.atomic import write_atomically


def save_png(path: str | Path, figure: Figure) -> None:
    """Write a figure as a PNG file. If anything fails, the file stays as it was.

    Raises
    ------
    BadInput
        If the file cannot be written.
    Cancelled
        As in :func:`svmviz.io.atomic.write_atomically`; it is also checked before encoding.
    """
    image = figure.image()
    check_cancelled()
    if image.isNull():
        raise BadInput(f"There is not enough memory to write the picture: {path}")
    write_atomically(path, encoded(image, path))


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
