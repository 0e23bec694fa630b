"""Pictures to take away. A new format is one file and one line in :data:`FORMATS`.

Formats can be listed where there is no Qt: what paints them is imported when one is saved.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from svmviz.export.picture import Picture

__all__ = ["FORMATS", "Format"]


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


def _by(place: str) -> Callable[[str | Path, Picture], None]:
    """Saver at ``module:function`` in this package, imported when it is needed."""
    module, _, name = place.partition(":")

    def save(path: str | Path, picture: Picture) -> None:
        getattr(importlib.import_module(f"svmviz.export.{module}"), name)(path, picture)

    return save


_FORMATS = (Format("PNG image", ".png", _by("png:save_png")),)
FORMATS = {format.ending: format for format in _FORMATS}
