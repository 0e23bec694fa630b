"""Export of figures to files. A new format is one file and one line in :data:`FORMATS`.

Formats can be listed without Qt: their painting code is imported when a picture is saved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from svmviz.base.lazy import later

if TYPE_CHECKING:
    from svmviz.export.figure import Figure

__all__ = ["FORMATS", "Format", "Save"]


class Save(Protocol):
    """A function that writes a figure to a file, whole or not at all; see :class:`Format`."""

    def __call__(
        self, path: str | Path, figure: Figure, cancelled: Callable[[], bool] = ..., /
    ) -> None: ...


@dataclass(frozen=True)
class Format:
    """A file format.

    Attributes
    ----------
    title : str
        Name shown to people.
    ending : str
        File name ending with its dot, in lower case.
    save : callable(path, Figure, cancelled)
        Writes the file whole or not at all, in any thread; raises BadInput. It calls
        ``cancelled()``, if that is given, right before it replaces the file.
    """

    title: str
    ending: str
    save: Save


_FORMATS = (
    Format("PNG image", ".png", later("export.png:save_png")),
    Format("SVG drawing", ".svg", later("export.svg:save_svg")),
    Format("PDF document", ".pdf", later("export.pdf:save_pdf")),
    Format("TikZ for LaTeX", ".tex", later("export.tex:save_tex")),
)
FORMATS = {format.ending: format for format in _FORMATS}
