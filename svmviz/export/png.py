"""PNG: the plane as pixels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QIODevice, QSaveFile

from solvers import BadInput
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
    if cancelled():
        return
    file = QSaveFile(str(path))
    if not file.open(QIODevice.OpenModeFlag.WriteOnly):
        raise BadInput(f"{path} cannot be written: {file.errorString()}.")
    encoded = image.save(file, "PNG")  # pyright: ignore
    if cancelled():
        file.cancelWriting()
    elif not (encoded and file.commit()):
        raise BadInput(f"{path} cannot be written: {file.errorString()}.")
