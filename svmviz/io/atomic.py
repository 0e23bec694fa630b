"""Atomic writing: after any failure a file has either its old content or its new content.

All files of the program are written here. Only regular files are replaced. Pipes and character
devices are written into directly. Folders, sockets and disks are refused.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import IO

from solvers import BadInput
from solvers.errors import short_path, shorten
from svmviz.base.interrupts import on_interrupt
from svmviz.io.locks import lock
from svmviz.io.paths import explain, file_path

# A file that is being written is called ``.name.1a2b3c4d.svmviz-tmp``. No other program uses such
# names, so leftovers of this form may be removed.
_ENDING = ".svmviz-tmp"
_TEMPORARY = re.compile(rf"\..*\.[0-9a-f]{{8}}{re.escape(_ENDING)}", re.DOTALL)
# Errors of file systems that cannot create a file without a name, or cannot name it later.
_NAMELESS_UNKNOWN = {
    errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT, errno.EPERM, errno.EXDEV,
}  # fmt: skip
_unfinished: set[Path] = set()


def write_atomically(
    path: str | os.PathLike[str],
    content: str | bytes,
    cancelled: Callable[[], bool] = lambda: False,
) -> None:
    """Replace a file by new content, or leave it as it was.

    The new content is written into a temporary file in the same folder, which is forced to the disk
    and then renamed. Symbolic links are followed. The permissions of the earlier file are kept.

    Parameters
    ----------
    path : path
    content : str or bytes
        Text is written as UTF-8.
    cancelled : callable, optional
        Called right before the file is replaced. If it returns true, the file stays as it was.

    Raises
    ------
    BadInput
        If the file cannot be written; then it stays as it was.
    """
    write_together(((path, content),), cancelled)


def write_together(
    files: Iterable[tuple[str | os.PathLike[str], str | bytes]],
    cancelled: Callable[[], bool] = lambda: False,
) -> None:
    """Replace several files that belong together, in this order; see :func:`write_atomically`.

    No file is replaced before the new contents of all files are on the disk. So if the disk is
    full, all files stay as they were.
    """
    with contextlib.ExitStack() as unfinished:
        prepared = []
        for path, content in files:
            given = file_path(path)
            with _explained(given):
                prepared.append((given, _prepare(given, _encoded(content, given), unfinished)))
        if cancelled():
            return
        for given, finish in prepared:
            with _explained(given):
                finish()


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Convert an error of the operating system to a BadInput that names the file."""
    try:
        yield
    except BadInput:
        raise
    except (OSError, ValueError) as error:
        raise BadInput(explain(error, path, writing=True)) from None


def _encoded(content: str | bytes, path: Path) -> bytes:
    try:
        return content.encode() if isinstance(content, str) else content
    except UnicodeEncodeError:
        raise BadInput(
            f"A name contains characters that no file can hold: {shorten(path.name)}"
        ) from None


def remove_strays(folder: Path) -> None:
    """Remove the unfinished files that killed programs have left in a folder."""
    with contextlib.suppress(OSError):
        names = [entry.name for entry in os.scandir(folder) if _TEMPORARY.fullmatch(entry.name)]
        for stray in map(folder.joinpath, names):
            # If a running program has locked the file, locking raises, and the file is not removed.
            with contextlib.suppress(OSError), stray.open("r+b") as handle:
                lock(handle)
                stray.unlink()


def _stat_of(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _write_into(path: Path, found: os.stat_result, data: bytes) -> None:
    """Write into a pipe or a character device; raise for anything else."""
    is_pipe = stat.S_ISFIFO(found.st_mode)
    if not (is_pipe or stat.S_ISCHR(found.st_mode)):
        kind = "socket" if stat.S_ISSOCK(found.st_mode) else "disk"
        raise BadInput(f"This is a {kind}, not a file: {short_path(path)}")
    try:
        # Opening a pipe without a reader would block for ever.
        number = os.open(path, os.O_WRONLY | (os.O_NONBLOCK if is_pipe else os.O_NOCTTY))
    except OSError as error:
        if is_pipe and error.errno == errno.ENXIO:
            raise BadInput(f"Nothing reads from this pipe: {short_path(path)}") from None
        raise
    os.set_blocking(number, True)
    with open(number, "wb", buffering=0) as stream:
        rest = memoryview(data)
        while rest:
            rest = rest[stream.write(rest) :]


def _prepare(given: Path, data: bytes, unfinished: contextlib.ExitStack) -> Callable[[], None]:
    """Write a temporary file, and return the function that renames it.

    If this function was not called, the temporary file is removed when ``unfinished`` closes. For a
    pipe or a device nothing is written yet, and the function returned writes into it.
    """
    before = _stat_of(given)
    if before is not None and not stat.S_ISREG(before.st_mode):
        if stat.S_ISDIR(before.st_mode):
            raise IsADirectoryError
        return partial(_write_into, given, before, data)
    target = Path(os.path.realpath(given))
    if before is not None and not os.access(target, os.W_OK):
        raise PermissionError
    temporary = target.with_name(f".{target.name[:40]}.{os.urandom(4).hex()}{_ENDING}")
    _unfinished.add(temporary)
    unfinished.callback(_unfinished.discard, temporary)
    # If `finish` has renamed the file, there is nothing left to remove.
    unfinished.callback(_remove, temporary)
    handle = _write_nameless(temporary, before, data) or _write_named(temporary, before, data)
    unfinished.callback(handle.close)

    def finish() -> None:
        if os.name == "nt":  # Windows renames no open file
            handle.close()
        temporary.replace(target)
        _sync_folder(target.parent)

    return finish


def _write_nameless(path: Path, before: os.stat_result | None, data: bytes) -> IO[bytes] | None:
    """Write a file that has no name until it is complete, and return it open and locked.

    If the process is killed meanwhile, no file is left behind. Return None if the operating system
    or the file system has no files without a name.
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
            # Python calls ``linkat`` only if the descriptor of a folder is given. Only ``linkat``
            # follows the link in /proc to the open file.
            os.link(f"/proc/self/fd/{number}", path.name, dst_dir_fd=folder, follow_symlinks=True)
        except OSError as error:
            if error.errno in _NAMELESS_UNKNOWN:
                return None
            raise
        os.close(folder)
        opened.pop_all()
        return handle


def _write_named(path: Path, before: os.stat_result | None, data: bytes) -> IO[bytes]:
    """Write a new file under its name, and return it open and locked."""
    with contextlib.ExitStack() as opened:
        handle = opened.enter_context(path.open("xb"))
        _fill(handle, path, before, data)
        opened.pop_all()
        return handle


def _fill(handle: IO[bytes], place: int | Path, before: os.stat_result | None, data: bytes) -> None:
    """Lock a new file, give it the owner and permissions of the old one, and write its content."""
    if os.name != "nt":
        with contextlib.suppress(OSError):
            lock(handle)
    if before is not None:
        if hasattr(os, "chown"):
            # Only root may change an owner; for others the owner is already right.
            with contextlib.suppress(OSError):
                os.chown(place, before.st_uid, before.st_gid)
        os.chmod(place, stat.S_IMODE(before.st_mode))
    handle.write(data)
    handle.flush()
    os.fsync(handle.fileno())


def _sync_folder(folder: Path) -> None:
    """Force the names in a folder to the disk; on Windows, which cannot do this, do nothing."""
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
