"""A folder of numbered PNG images, for the LaTeX package animate or for a movie editor."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtGui import QImage

from solvers import BadInput
from solvers.cancelling import Report, check_cancelled, no_report
from solvers.errors import short_path
from svmviz.base.interrupts import on_interrupt
from svmviz.export.png import encoded
from svmviz.export.runs.recording import Recording
from svmviz.export.runs.run_settings import RunSettings
from svmviz.export.runs.shots import Shot, ShotPainter, encode_in_thread, shots
from svmviz.io.atomic import replace
from svmviz.io.paths import absolute_path, explain

# Name of an image; the number counts from 1.
IMAGE_NAME = "frame-{:05}.png"
_NUMBERED = re.compile(r"frame-\d{5}\.png")
# Folders that are being written; they are removed if the process is interrupted.
_unfinished: set[Path] = set()


def save_folder(
    path: str | Path, recording: Recording, settings: RunSettings, report: Report = no_report
) -> None:
    """Write a folder of images ``frame-00001.png``, ``frame-00002.png`` and so on.

    The images are written into a new folder, which is renamed at the end. A folder of that name is
    replaced if it is empty or contains only such images.

    Raises
    ------
    BadInput
        If the folder contains other files, a file cannot be written, or the steps are not in the
        run.
    """
    target = Path(os.path.normpath(absolute_path(path)))
    check_folder(target)
    painter = ShotPainter(recording, settings)
    temporary = target.with_name(f".{target.name[:40]}.{os.urandom(4).hex()}.svmviz-tmp")
    _unfinished.add(temporary)
    try:
        temporary.mkdir()
        encode_in_thread(lambda frames: _write(temporary, frames), shots(painter, report))
        check_cancelled()
        check_folder(target)
        if os.path.lexists(target):
            shutil.rmtree(target)
        replace(temporary, target)
    except OSError as error:
        raise BadInput(explain(error, target, writing=True)) from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
        _unfinished.discard(temporary)


def check_folder(target: Path) -> None:
    """Raise BadInput if something is at the path that must not be replaced.

    Only an empty folder, or a folder that contains nothing but numbered images, may be replaced.
    """
    if not os.path.lexists(target):
        return
    if os.path.islink(target) or not os.path.isdir(target):
        raise BadInput(f"This is a file, not a folder: {short_path(target)}")
    try:
        names = [entry.name for entry in os.scandir(target)]
    except OSError as error:
        raise BadInput(explain(error, target, writing=True)) from None
    if not all(map(_NUMBERED.fullmatch, names)):
        raise BadInput(f"The folder holds other files; choose a new one: {short_path(target)}")


def _write(folder: Path, frames: Iterator[Shot]) -> bytes:
    for number, shot in enumerate(frames, 1):
        height, width, _ = shot.pixels.shape
        image = QImage(shot.pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32)
        (folder / IMAGE_NAME.format(number)).write_bytes(encoded(image, folder))
    return b""


def _remove_unfinished() -> None:
    for folder in tuple(_unfinished):
        shutil.rmtree(folder, ignore_errors=True)


on_interrupt(_remove_unfinished)
