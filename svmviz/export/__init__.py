"""Pictures to take away. A new format is one file and one line in :data:`FORMATS`.

Formats can be listed where there is no Qt: what paints them is imported when one is saved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from svmviz.base.lazy import later

if TYPE_CHECKING:
    from svmviz.plane.picture import Picture

__all__ = ["FORMATS", "Format", "Save"]


class Save(Protocol):
    """Writes a picture to a file, whole or not at all; see :class:`Format`."""

    def __call__(
        self, path: str | Path, picture: Picture, cancelled: Callable[[], bool] = ..., /
    ) -> None: ...


@dataclass(frozen=True)
class Format:
    """A kind of file.

    Attributes
    ----------
    title : str
        For people.
    ending : str
        With its dot, in small letters.
    save : callable(path, Picture, cancelled)
        Writes the file whole or not at all; raises BadInput in words; in any thread. It asks
        ``cancelled()``, if that is given, right before it replaces the file.
    """

    title: str
    ending: str
    save: Save


_FORMATS = (Format("PNG image", ".png", later("export.png:save_png")),)
FORMATS = {format.ending: format for format in _FORMATS}
