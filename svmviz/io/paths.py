"""Checks of paths, and sentences on files that cannot be opened."""

from __future__ import annotations

import os
from pathlib import Path

from solvers import BadInput
from solvers.errors import short_path

_SEPARATORS = tuple(filter(None, (os.sep, os.altsep)))


def names_folder(path: str | os.PathLike[str]) -> bool:
    """Return whether a path ends in a separator, which :class:`Path` would silently drop."""
    return os.fspath(path).endswith(_SEPARATORS)


def file_path(path: str | os.PathLike[str]) -> Path:
    """Return the path of a file; raise BadInput if it names a folder."""
    if names_folder(path):
        raise BadInput(f"This names a folder, not a file: {short_path(os.fspath(path))}")
    return Path(path)


def explain(error: Exception, path: Path, writing: bool = False) -> str:
    """Return one sentence on a file that could not be opened, read or written."""
    name, verb = short_path(path), "written" if writing else "read"
    if isinstance(error, FileNotFoundError):
        return f"No such folder: {short_path(path.parent)}" if writing else f"No such file: {name}"
    if isinstance(error, IsADirectoryError):
        return f"This is a folder, not a file: {name}"
    if isinstance(error, NotADirectoryError):
        return f"Part of the path is a file, not a folder: {name}"
    if isinstance(error, PermissionError):
        return f"No permission to {'write' if writing else 'read'}: {name}"
    reason = error.strerror if isinstance(error, OSError) else None
    return f"The file cannot be {verb} ({reason or error}): {name}"
