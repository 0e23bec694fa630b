"""Pictures to take away. A new format is one file and one line in :data:`FORMATS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from svmviz.export.picture import Picture
from svmviz.export.png import save_png

__all__ = ["FORMATS", "Format", "Picture"]


@dataclass(frozen=True)
class Format:
    """A kind of file.

    Attributes
    ----------
    title : str
        For people.
    ending : str
        With its dot, in small letters.
    save : callable(path, Picture)
        Writes the file whole or not at all; raises BadInput in words; in any thread.
    """

    title: str
    ending: str
    save: Callable[[str | Path, Picture], None]


_FORMATS = (Format("PNG image", ".png", save_png),)
FORMATS = {format.ending: format for format in _FORMATS}
