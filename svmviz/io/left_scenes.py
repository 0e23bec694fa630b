"""Scenes that the user left, kept beside the autosaves: the last one, and those not saved.

Leaving a scene with small changes asks no question. File > Open recent brings it back.
"""

from __future__ import annotations

import contextlib
import logging
import time
from pathlib import Path

import platformdirs

from solvers import BadInput
from svmviz.io.atomic import remove, write_atomically
from svmviz.io.open_and_save import read_text
from svmviz.io.paths import file_name
from svmviz.io.scene import Scene, read_scene, write_scene

log = logging.getLogger(__name__)
# Maximum number of scenes that are kept. The oldest is removed first.
MAX_KEPT = 5
# The file of the last scene, beside the folder of autosaves.
LAST = "last-scene.svmviz"
# The file of the lecture that is being made, beside it.
LECTURE = "lecture.md"
# Length of the title in the name of a file: file systems limit names to 255 bytes.
MAX_TITLE = 40


def keep_scene(scene: Scene, title: str) -> Path | None:
    """Write a scene that the user leaves, and return its file; None if it cannot be written."""
    folder = _folder()
    left = time.strftime("%Y-%m-%d %H.%M.%S")
    path = folder / f"{file_name(title[:MAX_TITLE])} (left {left}).svmviz"
    if not _keep(path, write_scene(scene), "The scene"):
        return None
    for old in sorted(folder.glob("*.svmviz"), key=time_of, reverse=True)[MAX_KEPT:]:
        remove(old)
    return path


def is_kept(path: Path) -> bool:
    """Return whether a file was written by :func:`keep_scene`, and may be removed again."""
    return path.parent == _folder()


def keep_last(scene: Scene) -> bool:
    """Write the scene with which the next start begins; return False if it cannot be written."""
    return _keep(_folder().parents[1] / LAST, write_scene(scene), "The last scene")


def read_last() -> Scene | None:
    """Return the scene of :func:`keep_last`; None if it cannot be read."""
    try:
        return read_scene(read_text(_folder().parents[1] / LAST), LAST)
    except (BadInput, OSError) as error:
        log.warning("The last scene was not shown: %s", error)
        return None


def keep_lecture(text: str) -> None:
    """Write the text of the lecture that is being made; an empty one stands for none."""
    _keep(_folder().parents[1] / LECTURE, text, "The lecture")


def read_kept_lecture() -> str:
    """Return the text of :func:`keep_lecture`; empty if there is none."""
    path = _folder().parents[1] / LECTURE
    try:
        return read_text(path) if time_of(path) else ""
    except (BadInput, OSError) as error:
        log.warning("The lecture was not read: %s", error)
        return ""


def _keep(path: Path, text: str, what: str) -> bool:
    """Write a file of the program's own; return False, and log why, if it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_atomically(path, text)
    except (BadInput, OSError) as error:
        log.warning("%s was not kept: %s", what, error)
        return False
    return True


def _folder() -> Path:
    return platformdirs.user_state_path("svmviz", appauthor=False) / "autosave" / "left"


def time_of(path: Path) -> float:
    """Return the time of writing, in seconds since 1970; 0 if the file is gone."""
    with contextlib.suppress(OSError):
        return path.stat().st_mtime
    return 0.0
