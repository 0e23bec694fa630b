"""Export of figures and of runs. A new format is one file and one line in one of the registries.

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

__all__ = ["FORMATS", "RUN_FORMATS", "Format", "RunFormat", "Save"]


class Save(Protocol):
    """A function that writes a figure to a file, whole or not at all; see :class:`Format`.

    It may return a sentence on what the format cannot hold.
    """

    def __call__(
        self, path: str | Path, figure: Figure, cancelled: Callable[[], bool] = ..., /
    ) -> str | None: ...


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


@dataclass(frozen=True)
class RunFormat:
    """A file format of a whole run.

    Attributes
    ----------
    title : str
        Name shown to people.
    ending : str
        File name ending with its dot, in lower case; "/" for a folder.
    save : callable(path, Recording, RunOrder, Progress)
        Writes the file whole or not at all, in any thread; raises BadInput. Its arguments are
        those of ``svmviz.export.runs``.
    options : tuple of str
        Fields of ``RunOrder`` that the format uses.
    check : callable(ending, RunOrder, thoroughly), optional
        Raises BadInput if no such file can be made here, before a run is solved or painted. Without
        ``thoroughly`` it takes no time.
    """

    title: str
    ending: str
    save: Callable[..., None]
    options: tuple[str, ...]
    check: Callable[..., None] = lambda *_, **__: None

    @property
    def is_movie(self) -> bool:
        """Whether it consists of painted frames."""
        return "changes" in self.options


MOVIE = ("steps", "changes", "fps", "hold", "glide")
CHECK = later("export.runs.codecs:check_video")
_RUN_FORMATS = (
    RunFormat("Moving GIF", ".gif", later("export.runs.gif:save_gif"), MOVIE),
    RunFormat("Moving WebP", ".webp", later("export.runs.webp:save_webp"), MOVIE),
    RunFormat("MP4 movie (H.264)", ".mp4", later("export.runs.video:save_video"), MOVIE, CHECK),
    RunFormat("WebM movie (VP9)", ".webm", later("export.runs.video:save_video"), MOVIE, CHECK),
    RunFormat(
        "Folder of PNG images", "/", later("export.runs.folder:save_folder"), ("steps", "changes")
    ),
    RunFormat("Table", ".csv", later("export.runs.tables:save_csv"), ("steps", "table", "step")),
    RunFormat("Python script", ".py", later("export.code.save:save_code"), ("code",)),
    RunFormat("Jupyter notebook", ".ipynb", later("export.code.save:save_code"), ("code",)),
    RunFormat("Arrays of numpy", ".npz", later("export.runs.states:save_npz"), ("steps",)),
)
RUN_FORMATS = {format.ending: format for format in _RUN_FORMATS}
