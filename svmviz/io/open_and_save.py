"""Opening and saving files, with recognition of their formats and encodings.

Every failure is a BadInput, with one sentence that names the file.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Unpack

from solvers import BadInput
from solvers.cancelling import Report, no_report
from solvers.data.datasets import PointSet
from solvers.data.point_files import (
    MissingValues,
    TableOptions,
    UnclearColumns,
    UnclearNumbers,
    parse_points,
    write_csv,
    write_libsvm,
)
from solvers.data.targets import is_curve
from solvers.errors import quote, short_path, shorten
from svmviz.base.strict_json import suggest
from svmviz.document.document import TASKS
from svmviz.io.atomic import write_atomically
from svmviz.io.paths import explain, file_path
from svmviz.io.scene import Scene, as_scene, read_scene, write_scene
from svmviz.io.scene_line import is_scene_line, read_scene_line
from svmviz.io.target_files import parse_targets, write_targets

SCENE_ENDING = ".svmviz"
# Maximum size of a file, bytes: enough for a million points, more than which no format may have.
MAX_BYTES = 64_000_000
# Number of bytes read or decoded at a time.
CHUNK = 1_000_000
# A scene has its first "{" within this number of characters.
BEGINNING = 10_000
POINT_WRITERS: dict[str, Callable[[PointSet], str]] = {
    ".csv": write_csv,
    # Plain text is written as CSV, since LIBSVM text has no names of classes and axes.
    ".txt": write_csv,
    ".libsvm": write_libsvm,
    ".svm": write_libsvm,
}
# Refusals after which the user can choose how a table is read.
QUESTIONS = (MissingValues, UnclearColumns, UnclearNumbers)
# The first bytes of files that are no text, and what to do with them.
_BINARY_FORMATS = {
    b"PK\3\4": "a workbook or an archive: save its sheet as CSV, or unpack it, and open that",
    b"\xd0\xcf\x11\xe0": "a workbook: save its sheet as CSV, and open that",
    b"\x1f\x8b": "compressed: unpack it, and open the file in it",
    b"\x93NUMPY": "an array of numpy: write it with numpy.savetxt, and open that",
}
# Byte order marks, and the encodings that they stand for.
_MARKS = ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def open_file(
    path: str | os.PathLike[str],
    *,
    tasks: Sequence[str] = tuple(TASKS),
    report: Report = no_report,
    **options: Unpack[TableOptions],
) -> Scene | PointSet:
    """Read a scene, or points from CSV or LIBSVM text. The ending and the content decide which.

    Parameters
    ----------
    path : path
        Path of the file; or the scene itself as one line of text (:mod:`svmviz.io.scene_line`).
    tasks : sequence of str
        How a table may be read: in a "classification" as points of two classes, in a "regression"
        as x and its target, a :class:`TargetSet`. The first task that suits the table is taken. If
        "regression" is not the first, it suits only tables with two columns of numbers. Ignored for
        a scene.
    report : callable(float)
        Called from time to time with the fraction of the text that has been parsed, 0 to 1. It may
        raise an exception to cancel.
    **options
        Columns, labels and rows of a table; see :func:`solvers.data.point_files.parse_points`. They
        are ignored for a scene.

    Raises
    ------
    UnclearColumns, UnclearNumbers
        If the user must choose the columns or the classes of a table, or its decimal mark.
    MissingValues
        If a value of a table is missing, unless ``skip_missing``.
    BadInput
        If the file cannot be read or used.
    """
    if is_scene_line(os.fspath(path)):
        return read_scene_line(os.fspath(path), report)
    path = file_path(path)
    text = read_text(path, report)
    if is_scene_line(text):
        return read_scene_line(text, report)
    if is_scene(path, text):
        return read_scene(text, path.name, report)
    return _read_points(text, path.name, tasks, report, options)


def _read_points(
    text: str, source: str, tasks: Sequence[str], report: Report, options: TableOptions
) -> PointSet:
    """Read points for the first of the tasks that suits the text."""
    try:
        return _read_for(tasks[0], text, source, report, options)
    except QUESTIONS:
        # The task suits the text, and the user has a choice.
        raise
    except BadInput:
        for task in tasks[1:]:
            if task == "regression" and not is_curve(text):
                continue
            try:
                return _read_for(task, text, source, report, options)
            except QUESTIONS:
                raise
            except BadInput:
                continue
        raise


def _read_for(task: str, text: str, source: str, report: Report, options: TableOptions) -> PointSet:
    if task == "classification":
        return parse_points(text, source=source, report=report, **options)
    if options.get("y") is not None or options.get("classes") is not None:
        raise BadInput("A regression has no column of a second coordinate, and no classes.")
    chosen: dict[str, Any] = {k: v for k, v in options.items() if k not in ("y", "classes")}
    return parse_targets(text, source, report, **chosen)


def open_scene(path: str | os.PathLike[str], **options: Any) -> Scene:
    """Read a file as :func:`open_file` does; points become a scene with the default model."""
    return as_scene(open_file(path, **options))


def read_pasted(
    text: str,
    task: str = "classification",
    report: Report = no_report,
    **options: Unpack[TableOptions],
) -> PointSet:
    """Read points from a text without a file, such as that of the clipboard.

    Parameters
    ----------
    text : str
        At most ``MAX_BYTES`` characters of CSV or LIBSVM.
    task : str
        "classification" or "regression".
    report, **options
        See :func:`open_file`.

    Raises
    ------
    UnclearNumbers, MissingValues
        See :func:`open_file`.
    BadInput
        If the text is too long or holds no points.
    """
    if len(text) > MAX_BYTES:
        raise BadInput(f"The text has more than {MAX_BYTES // 10**6} million characters.")
    return _read_for(task, text, "", report, options)


def is_scene(path: Path, text: str) -> bool:
    """Return whether a file is a scene: it has the ending of one, or its text begins with "{"."""
    return (
        path.suffix.lower() == SCENE_ENDING or text[:BEGINNING].lstrip("\ufeff \t\r\n")[:1] == "{"
    )


def read_text(path: Path, report: Report = no_report, max_bytes: int | None = None) -> str:
    """Return the text of a file of at most ``max_bytes``, by default ``MAX_BYTES``.

    The encoding is UTF-16 if the file begins with a byte order mark of UTF-16. Otherwise it is the
    first of UTF-8, Windows-1252 and Latin-1 in which all bytes are valid.
    """
    data = read_bytes(path, report, max_bytes)
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decode(data, encoding, report) or _refuse_binary(path)
    for beginning, what in _BINARY_FORMATS.items():
        if data.startswith(beginning):
            raise BadInput(f"This is {what}: {short_path(path)}")
    if b"\0" in data:
        _refuse_binary(path)
    for encoding in ("utf-8-sig", "cp1252"):
        text = _decode(data, encoding, report)
        if text is not None:
            return text
    return data.decode("latin-1")


def read_bytes(path: Path, report: Report = no_report, max_bytes: int | None = None) -> bytes:
    """Return the bytes of a file of at most ``max_bytes``, by default ``MAX_BYTES``."""
    limit = MAX_BYTES if max_bytes is None else max_bytes
    parts, remaining = [], limit + 1
    try:
        with path.open("rb") as file:
            # The size of a pipe or a device is unknown, so its bytes are counted as they are read.
            if os.fstat(file.fileno()).st_size > limit:
                raise _too_large(path, limit)
            while remaining and (part := file.read(min(CHUNK, remaining))):
                parts.append(part)
                remaining -= len(part)
                report(0.0)
    except BadInput:
        raise
    except (OSError, ValueError) as error:
        raise BadInput(explain(error, path)) from None
    if not remaining:
        raise _too_large(path, limit)
    return b"".join(parts)


def _too_large(path: Path, limit: int) -> BadInput:
    return BadInput(f"The file has more than {limit // 10**6} MB: {short_path(path)}")


def save(
    path: str | os.PathLike[str],
    content: Scene | PointSet,
) -> None:
    """Write a scene, or only its points, including those held out. The ending decides which.

    Parameters
    ----------
    path : path
    content : Scene or PointSet

    Raises
    ------
    BadInput
        If the ending is unknown, the format cannot hold the points, or the file cannot be written.
    Cancelled
        As in :func:`svmviz.io.atomic.write_atomically`.
    """
    path = file_path(path)
    ending = path.suffix.lower()
    scene = as_scene(content)
    if ending == SCENE_ENDING:
        return write_atomically(path, write_scene(scene))
    if ending not in POINT_WRITERS:
        endings = [SCENE_ENDING, *POINT_WRITERS]
        raise BadInput(
            f"No format has the ending {quote(ending)} ({shorten(path.name)}); "
            f"{suggest(ending, endings)}"
        )
    if not len(scene.document.all_points):
        raise BadInput(f"There are no points to write to {shorten(path.name)}.")
    write = POINT_WRITERS[ending]
    if scene.document.is_regression:
        if write is not write_csv:
            raise BadInput(f"Points of a regression are written as CSV, not as {ending}.")
        write = write_targets
    return write_atomically(path, write(scene.document.all_points))


def _decode(data: bytes, encoding: str, report: Report) -> str | None:
    """Decode bytes in pieces, so that other threads can run; None if they are not valid."""
    decoder = codecs.getincrementaldecoder(encoding)()
    parts, view = [], memoryview(data)
    try:
        for start in range(0, len(view), CHUNK):
            is_last = start + CHUNK >= len(view)
            parts.append(decoder.decode(view[start : start + CHUNK], is_last))
            report(0.0)
    except UnicodeDecodeError:
        return None
    return "".join(parts)


def _refuse_binary(path: Path) -> str:
    raise BadInput(f"This is not a text file with points: {short_path(path)}")
