"""What waits behind a lesson: the document of the user with its file, and what is unsaved of it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from svmviz.io.scene import Scene
from svmviz.session.session import Laid


class Unsaved(NamedTuple):
    """A changed scene, its file if it has one, and its name."""

    scene: Scene
    path: Path | None
    name: str


class Aside(NamedTuple):
    """The document of the user, as it is shown again after a lesson.

    Attributes
    ----------
    laid : Laid
        Document and undo entries.
    scene : Scene
        What was shown.
    path : Path or None
    title : str
    is_restored : bool
        Whether it was restored after a crash.
    unsaved : Unsaved or None
        For autosaving; None if it had no changes.
    """

    laid: Laid
    scene: Scene
    path: Path | None
    title: str
    is_restored: bool
    unsaved: Unsaved | None
