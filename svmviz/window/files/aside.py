"""The user's document with its file and its unsaved changes, which waits behind a lesson."""

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
        The document as it was shown, with view and step.
    path : Path or None
    title : str
    is_restored : bool
        Whether it was restored after a crash.
    unsaved : Unsaved or None
        The changed scene, for autosaving; None if there were no changes.
    """

    laid: Laid
    scene: Scene
    path: Path | None
    title: str
    is_restored: bool
    unsaved: Unsaved | None
