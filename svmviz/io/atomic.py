"""Atomic writing: a file has its old content or its new one, whatever happens in between.

Scenes, points, pictures, autosaves and settings are all written here. Only regular files are
replaced; into a pipe or a character device the content is written, and the rest is refused.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import IO

from solvers import BadInput
from solvers.errors import shorten, shown_path
from svmviz.base.interrupts import on_interrupt
from svmviz.io.locks import hold
from svmviz.io.paths import explain, file_path

# Names of files that are being written, ``.name.1a2b3c4d.svmviz-tmp``: no other program has such.
_ENDING = ".svmviz-tmp"
_TEMPORARY = re.compile(rf"\..*\.[0-9a-f]{{8}}{re.escape(_ENDING)}", re.DOTALL)
# What file systems answer that cannot write a file without a name, or name it later.
_NAMELESS_UNKNOWN = {
    errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT, errno.EPERM, errno.EXDEV,
}  # fmt: skip
_unfinished: set[Path] = set()


def write_atomically(
    path: str | os.PathLike[str],
    content: str | bytes,
    cancelled: Callable[[], bool] = lambda: False,
) -> None:
    """Replace a file by new content, or leave it as it was: nothing in between.

    Writes a file in the same folder, forces it to the disk and renames it. Follows symbolic links
    and keeps the permissions of the file that was there; text is written as UTF-8.

    Parameters
    ----------
    path : path
    content : str or bytes
    cancelled : callable, optional
        Asked right before the file is replaced; if it answers true, the file stays as it was.

    Raises
    ------
    BadInput
        If it cannot be written; the earlier file is then still there.
    """
    given = file_path(path)
    try:
        data = content.encode() if isinstance(content, str) else content
    except UnicodeEncodeError:
        raise BadInput(f"A name holds characters that no file can: {shorten(given.name)}") from None
    try:
        before = _stat_of(given)
        if before is None or stat.S_ISREG(before.st_mode):
            _replace(Path(os.path.realpath(given)), before, data, cancelled)
        elif not cancelled():
            _write_into(given, before, data)
    except BadInput:
        raise
    except (OSError, ValueError) as error:
        raise BadInput(explain(error, given, writing=True)) from None


def remove_strays(folder: Path) -> None:
    """Remove what programs that were killed while they wrote have left in a folder."""
    with contextlib.suppress(OSError):
        names = [entry.name for entry in os.scandir(folder) if _TEMPORARY.fullmatch(entry.name)]
        for stray in map(folder.joinpath, names):
            # What is held by a living program raises, and stays.
            with contextlib.suppress(OSError), stray.open("r+b") as handle:
                hold(handle)
                stray.unlink()


def _stat_of(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _write_into(path: Path, found: os.stat_result, data: bytes) -> None:
    """Write into what is no regular file, and cannot be replaced."""
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError
    is_pipe = stat.S_ISFIFO(found.st_mode)
    if not (is_pipe or stat.S_ISCHR(found.st_mode)):
        kind = "socket" if stat.S_ISSOCK(found.st_mode) else "disk"
        raise BadInput(f"This is a {kind}, not a file: {shown_path(path)}")
    try:
        # A pipe that nothing reads would hold us up for ever.
        number = os.open(path, os.O_WRONLY | (os.O_NONBLOCK if is_pipe else os.O_NOCTTY))
    except OSError as error:
        if is_pipe and error.errno == errno.ENXIO:
            raise BadInput(f"Nothing reads from this pipe: {shown_path(path)}") from None
        raise
    os.set_blocking(number, True)
    with open(number, "wb", buffering=0) as stream:
        rest = memoryview(data)
        while rest:
            rest = rest[stream.write(rest) :]


def _replace(
    target: Path, before: os.stat_result | None, data: bytes, cancelled: Callable[[], bool]
) -> None:
    if before is not None and not os.access(target, os.W_OK):
        raise PermissionError
    temporary = target.with_name(f".{target.name[:40]}.{os.urandom(4).hex()}{_ENDING}")
    _unfinished.add(temporary)
    try:
        handle = _write_nameless(temporary, before, data) or _write_named(temporary, before, data)
        if os.name == "nt":  # where no open file can be renamed
            handle.close()
        with handle:
            if cancelled():
                temporary.unlink()
                return
            temporary.replace(target)
    except BaseException:
        _remove(temporary)
        raise
    finally:
        _unfinished.discard(temporary)
    _sync_folder(target.parent)


def _write_nameless(path: Path, before: os.stat_result | None, data: bytes) -> IO[bytes] | None:
    """Write a file that has no name until it is complete, so that a kill leaves none.

    Returns the file, open and locked; None where the system cannot do this.
    """
    if not hasattr(os, "O_TMPFILE"):
        return None
    with contextlib.ExitStack() as opened:
        try:
            number = os.open(path.parent, os.O_TMPFILE | os.O_WRONLY, 0o666)
            handle = opened.enter_context(open(number, "wb"))
            _fill(handle, number, before, data)
            folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
            opened.callback(os.close, folder)
            # With a folder's number, Python calls linkat, which follows the link to the file.
            os.link(f"/proc/self/fd/{number}", path.name, dst_dir_fd=folder, follow_symlinks=True)
        except OSError as error:
            if error.errno in _NAMELESS_UNKNOWN:
                return None
            raise
        os.close(folder)
        opened.pop_all()
        return handle


def _write_named(path: Path, before: os.stat_result | None, data: bytes) -> IO[bytes]:
    """Write a new file; returns it open and locked."""
    with contextlib.ExitStack() as opened:
        handle = opened.enter_context(path.open("xb"))
        _fill(handle, path, before, data)
        opened.pop_all()
        return handle


def _fill(handle: IO[bytes], place: int | Path, before: os.stat_result | None, data: bytes) -> None:
    """Lock a new file, give it what the one it replaces has, and force its content to the disk."""
    if os.name != "nt":
        with contextlib.suppress(OSError):
            hold(handle)
    if before is not None:
        if hasattr(os, "chown"):
            # Only root may give files away; the owner of a file of one's own is right already.
            with contextlib.suppress(OSError):
                os.chown(place, before.st_uid, before.st_gid)
        os.chmod(place, stat.S_IMODE(before.st_mode))
    handle.write(data)
    handle.flush()
    os.fsync(handle.fileno())


def _sync_folder(folder: Path) -> None:
    """Force the new name to the disk, where folders can be opened (not on Windows)."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


def _remove_unfinished() -> None:
    for path in tuple(_unfinished):
        _remove(path)


on_interrupt(_remove_unfinished)
