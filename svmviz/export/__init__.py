"""Export of figures and of runs.

A new format is one file, and one line in ``_FORMATS`` or ``_RUN_FORMATS``. Listing the formats
does not load Qt. The code of a format is imported when a file is saved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from solvers.entry_points import Group, Registry, checked_name, checked_texts
from solvers.errors import BadInput
from svmviz.base.lazy import later

if TYPE_CHECKING:
    from svmviz.export.figure import Figure

__all__ = ["FORMATS", "RUN_FORMATS", "Format", "RunFormat", "Save"]


class Save(Protocol):
    """A function that writes a figure to a file, as :class:`Format` describes.

    It returns a sentence on contents that the format cannot hold; None or "" if it holds all.
    """

    def __call__(self, path: str | Path, figure: Figure, /) -> str | None: ...


@dataclass(frozen=True)
class Format:
    """A file format of figures.

    Attributes
    ----------
    title : str
        Name shown to people.
    ending : str
        File name ending with its dot, in lower case.
    save : callable(path, Figure)
        Writes the file atomically, in any thread. It raises BadInput if the file cannot be written,
        and Cancelled, before the file is replaced, if the work of its thread is cancelled.
    has_panels : bool
        Whether files of this format can hold panels, and not planes alone.
    """

    title: str
    ending: str
    save: Save
    has_panels: bool = True

    def why_not(self, panel: str) -> str:
        """Return why a file cannot hold a panel, and which formats can, in one sentence."""
        return f"{self.title} holds planes alone: save {panel} as PDF or SVG."


_FORMATS = (
    Format("PNG image", ".png", later("export.png:save_png")),
    Format("SVG drawing", ".svg", later("export.svg:save_svg")),
    Format("PDF document", ".pdf", later("export.pdf:save_pdf")),
    Format("TikZ for LaTeX", ".tex", later("export.tex:save_tex"), has_panels=False),
)


@dataclass(frozen=True)
class RunFormat:
    """A file format of runs.

    Attributes
    ----------
    title : str
        Name shown to people.
    ending : str
        File name ending with its dot, in lower case; "/" for a folder.
    save : callable(path, Recording, RunSettings, Report)
        Writes the file atomically, in any thread, and reports its progress. It raises BadInput if
        the file cannot be written, and Cancelled as `Format.save` does.
        The classes of its arguments are in ``svmviz.export.runs``.
    options : tuple of str
        Names of the fields of ``RunSettings`` that the format uses, except ``picture``, which all
        formats with painted frames use.
    check : callable(ending, RunSettings, *, thoroughly=False), optional
        Raises BadInput if a file of this format cannot be made on this machine or with these
        settings. It is called before a run is solved or painted. If the keyword ``thoroughly`` is
        true, it also makes checks that take some tenths of a second.
    check_target : callable(Path), optional
        Raises BadInput if something at the path must not be replaced.
    """

    title: str
    ending: str
    save: Callable[..., None]
    options: tuple[str, ...]
    check: Callable[..., None] = lambda *_, **__: None
    check_target: Callable[[Path], None] = lambda _: None

    @property
    def is_movie(self) -> bool:
        """Whether the format holds painted frames: a movie, or a folder of images.

        Only these formats have the option ``changes``.
        """
        return "changes" in self.options


# ``RunFormat.options`` of a movie.
MOVIE_OPTIONS = ("steps", "changes", "fps", "hold", "glide")
CHECK_VIDEO = later("export.runs.codecs:check_video")
_RUN_FORMATS = (
    RunFormat("Moving GIF", ".gif", later("export.runs.gif:save_gif"), MOVIE_OPTIONS),
    RunFormat("Moving WebP", ".webp", later("export.runs.webp:save_webp"), MOVIE_OPTIONS),
    RunFormat(
        "MP4 movie (H.264)",
        ".mp4",
        later("export.runs.video:save_video"),
        MOVIE_OPTIONS,
        CHECK_VIDEO,
    ),
    RunFormat(
        "WebM movie (VP9)",
        ".webm",
        later("export.runs.video:save_video"),
        MOVIE_OPTIONS,
        CHECK_VIDEO,
    ),
    RunFormat(
        "Folder of PNG images",
        "/",
        later("export.runs.folder:save_folder"),
        ("steps", "changes"),
        check_target=later("export.runs.folder:check_folder"),
    ),
    RunFormat("Web page", ".html", later("export.html.save:save_html"), ("steps",)),
    RunFormat("Table", ".csv", later("export.runs.tables:save_csv"), ("steps", "table", "step")),
    RunFormat("Python script", ".py", later("export.code.save:save_code"), ("code",)),
    RunFormat("Jupyter notebook", ".ipynb", later("export.code.save:save_code"), ("code",)),
    RunFormat("Arrays of numpy", ".npz", later("export.runs.states:save_npz"), ("steps",)),
)


def _ending_of(format: Any) -> str:
    """Return the ending of a format of another package; BadInput says why it cannot be used."""
    if not isinstance(format, Format | RunFormat):
        raise BadInput("it is no svmviz.export.Format or RunFormat")
    checked_texts(format, "title")
    if format.ending != f".{checked_name(format.ending[1:])}" or not callable(format.save):
        raise BadInput(f"its ending {format.ending!r} has no dot, or its save is no function")
    if isinstance(format, RunFormat):
        from svmviz.export.runs.run_settings import RunSettings

        if unknown := set(format.options) - {field.name for field in fields(RunSettings)}:
            raise BadInput(f"runs have no option {', '.join(sorted(unknown))}")
    return format.ending


_GROUP = Group("svmviz.formats", "format", _ending_of)
FORMATS: Registry[Format] = _GROUP.registry(
    {format.ending: format for format in _FORMATS}, lambda format: isinstance(format, Format)
)
RUN_FORMATS: Registry[RunFormat] = _GROUP.registry(
    {format.ending: format for format in _RUN_FORMATS}
)
