"""Checks of paths, and sentences on files that cannot be opened.

The whole program checks with ``os.path.exists``, ``isfile`` and ``isdir`` whether a file or folder
exists. They return False if it cannot be reached, for example because its folder may not be entered
or a network share does not answer. The methods of :class:`Path` raise OSError in these cases.
"""

from __future__ import annotations

import os
import re
from itertools import chain, count
from pathlib import Path

from solvers import BadInput
from solvers.errors import short_path

# What Windows allows in no name of a file, and the names that it has for devices.
_FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f]')
_PORTS = {f"{kind}{number}" for kind in ("COM", "LPT") for number in range(10)}
_DEVICES = {"CON", "PRN", "AUX", "NUL"} | _PORTS
_SEPARATORS = tuple(filter(None, (os.sep, os.altsep)))


def names_folder(path: str | os.PathLike[str]) -> bool:
    """Return whether a path ends in a separator, which :class:`Path` would silently drop."""
    return os.fspath(path).endswith(_SEPARATORS)


def file_path(path: str | os.PathLike[str]) -> Path:
    """Return the path of a file; raise BadInput if it names a folder."""
    if names_folder(path):
        raise BadInput(f"This names a folder, not a file: {short_path(os.fspath(path))}")
    return Path(path)


def absolute_path(path: str | os.PathLike[str]) -> Path:
    """Return the absolute path; the path itself if the working folder no longer exists."""
    try:
        return Path(path).absolute()
    except OSError:
        return Path(path)


def can_enter(folder: str | os.PathLike[str]) -> bool:
    """Return whether a folder exists and its files can be listed and opened."""
    return os.path.isdir(folder) and os.access(folder, os.R_OK | os.X_OK)


def is_full_folder(path: str | os.PathLike[str]) -> bool:
    """Return whether a folder holds something; False for what is no folder or cannot be listed."""
    try:
        with os.scandir(path) as entries:
            return any(entries)
    except OSError:
        return False


def file_name(title: str) -> str:
    """Return a title as the name of a file that each system allows, without an ending."""
    name = _FORBIDDEN.sub("-", title).rstrip(". ")
    return f"{name}-" if name.split(".")[0].upper() in _DEVICES else name or "-"


def free_path(path: Path) -> Path:
    """Return the path if nothing is there; else the first free one of a-2.png, a-3.png, ..."""
    names = chain([path.name], (f"{path.stem}-{number}{path.suffix}" for number in count(2)))
    return next(each for each in map(path.with_name, names) if not os.path.lexists(each))


def explain(error: Exception, path: Path, writing: bool = False) -> str:
    """Return one sentence on a file that could not be opened, read or written."""
    name, verb = short_path(path), "written" if writing else "read"
    if isinstance(error, FileNotFoundError):
        return f"No such folder: {short_path(path.parent)}" if writing else f"No such file: {name}"
    # Windows refuses to open a folder in the same words as a file without permission.
    if isinstance(error, IsADirectoryError) or (
        isinstance(error, PermissionError) and os.path.isdir(path)
    ):
        return f"This is a folder, not a file: {name}"
    if isinstance(error, NotADirectoryError):
        return f"Part of the path is a file, not a folder: {name}"
    if isinstance(error, PermissionError):
        return f"No permission to {'write' if writing else 'read'}: {name}"
    reason = error.strerror if isinstance(error, OSError) else None
    return f"The file cannot be {verb} ({reason or error}): {name}"
