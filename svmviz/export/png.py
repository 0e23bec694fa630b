"""PNG: the plane as pixels."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QIODevice, QSaveFile

from solvers import BadInput
from svmviz.export.picture import Picture


def save_png(path: str | Path, picture: Picture) -> None:
    """Write a picture; the file is there in full or, if anything goes wrong, not at all.

    Raises
    ------
    BadInput
        In one sentence, if the file cannot be written.
    """
    image = picture.image()
    file = QSaveFile(str(path))
    if not file.open(QIODevice.OpenModeFlag.WriteOnly):
        raise BadInput(f"{path} cannot be written: {file.errorString()}.")
    if not (image.save(file, "PNG") and file.commit()):  # pyright: ignore
        raise BadInput(f"{path} cannot be written: {file.errorString()}.")
