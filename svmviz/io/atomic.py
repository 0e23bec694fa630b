"""Atomic writing: after any failure a file has either its old content or its new content.

Scenes, settings, autosaves and all exports but folders of images are written here. Only regular
files are replaced. Pipes and character devices are written into directly. Folders, sockets and
block devices (disks) are refused.

Qt's QSaveFile is not used, since it promises less (tried with Qt 6): it replaces a pipe or a device
by a file, changes the owner, and reports success if the disk cannot keep the content.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import IO

from solvers import BadInput
from solvers.cancelling import check_cancelled
from solvers.errors import short_path, shorten
from solvers.locks import IS_WINDOWS, lock
from svmviz.base.interrupts import on_interrupt
from svmviz.io.paths import explain, file_path

# New content is first written into a temporary file, ``.name.1a2b3c4d.svmviz-tmp``. Only this
# program uses such names. So files with such a name, left by killed processes, may be removed.
_ENDING = ".svmviz-tmp"
_TEMPORARY = re.compile(rf"\..*\.[0-9a-f]{{8}}{re.escape(_ENDING)}", re.DOTALL)
# Number of tries to replace a file on Windows, and the time between two of them, in seconds.
TRIES, PAUSE = 10, 0.05
# Temporary files that are being written; they are removed if the process is interrupted.
_unfinished: set[Path] = set()


def write_atomically(
    path: str | os.PathLike[str],
    content: str | bytes,
) -> None:
    """Replace a file by new content, or leave it as it was.

    The new content is written into a temporary file in the same folder, which is forced to the disk
    and then renamed. Symbolic links are followed. The permissions of the earlier file are kept
    where the file system allows it.

    Parameters
    ----------
    path : path
    content : str or bytes
        Text is written as UTF-8.

    Raises
    ------
    BadInput
        If the file cannot be written; then it stays as it was.
    Cancelled
        If the work of this thread is cancelled (:func:`solvers.cancelling.cancel_when`). This is
        checked right before the file is replaced, so the file stays as it was.
    """
    write_together(((path, content),))


def write_together(
    files: Iterable[tuple[str | os.PathLike[str], str | bytes]],
) -> None:
    """Replace several files that belong together, in this order; see :func:`write_atomically`.

    No file is replaced before the new contents of all files are on the disk. So if the disk is
    full, all files stay as they were.
    """
    with contextlib.ExitStack() as cleanup:
        prepared = []
        for name, content in files:
            path = file_path(name)
            with _as_bad_input(path):
                prepared.append((path, _prepare(path, _encode(content, path), cleanup)))
        check_cancelled()
        for path, finish in prepared:
            with _as_bad_input(path):
                finish()


@contextlib.contextmanager
def _as_bad_input(path: Path) -> Iterator[None]:
    """Convert an error of the operating system to a BadInput that names the file."""
    try:
        yield
    except BadInput:
        raise
    except (OSError, ValueError) as error:
        raise BadInput(explain(error, path, writing=True)) from None


def _encode(content: str | bytes, path: Path) -> bytes:
    try:
        return content.encode() if isinstance(content, str) else content
    except UnicodeEncodeError:
        raise BadInput(
            f"The text to write to {shorten(path.name)} has a character that UTF-8 cannot encode."
        ) from None


def remove_strays(folder: Path) -> None:
    """Remove the temporary files that killed processes have left in a folder."""
    with contextlib.suppress(OSError):
        names = [entry.name for entry in os.scandir(folder) if _TEMPORARY.fullmatch(entry.name)]
        for stray in map(folder.joinpath, names):
            # If a running process has locked the file, locking raises, and the file is not removed.
            with contextlib.suppress(OSError):
                with stray.open("r+b") as handle:
                    lock(handle)
                # Windows removes no open file, so the file is closed first. This ends the lock, but
                # it is no longer needed: no process writes into a temporary file of another.
                stray.unlink()


def _stat_of(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _write_into(path: Path, status: os.stat_result, data: bytes) -> None:
    """Write into a pipe or a character device; raise for anything else."""
    is_pipe = stat.S_ISFIFO(status.st_mode)
    if not (is_pipe or stat.S_ISCHR(status.st_mode)):
        kind = "socket" if stat.S_ISSOCK(status.st_mode) else "disk"
        raise BadInput(f"This is a {kind}, not a file: {short_path(path)}")
    try:
        # Opening a pipe without a reader would block for ever.
        # Windows, whose only device here is NUL, knows neither flag.
        flag = getattr(os, "O_NONBLOCK" if is_pipe else "O_NOCTTY", 0)
        descriptor = os.open(path, os.O_WRONLY | flag)
    except OSError as error:
        if is_pipe and error.errno == errno.ENXIO:
            raise BadInput(f"Nothing reads from this pipe: {short_path(path)}") from None
        raise
    if is_pipe:
        os.set_blocking(descriptor, True)
    with open(descriptor, "wb", buffering=0) as stream:
        remaining = memoryview(data)
        while remaining:
            remaining = remaining[stream.write(remaining) :]


def _prepare(path: Path, data: bytes, cleanup: contextlib.ExitStack) -> Callable[[], None]:
    """Write a temporary file, and return the function that renames it to ``path``.

    If the returned function is not called, the temporary file is removed when ``cleanup`` closes.
    For a pipe or a device nothing is written yet, and the returned function writes into it.
    """
    old = _stat_of(path)
    if old is not None and not stat.S_ISREG(old.st_mode):
        if stat.S_ISDIR(old.st_mode):
            raise IsADirectoryError
        return partial(_write_into, path, old, data)
    target = Path(os.path.realpath(path))
    if old is not None and not os.access(target, os.W_OK):
        raise PermissionError
    temporary = target.with_name(f".{target.name[:40]}.{os.urandom(4).hex()}{_ENDING}")
    _unfinished.add(temporary)
    cleanup.callback(_unfinished.discard, temporary)
    # If `finish` has renamed the temporary file, this removes nothing.
    cleanup.callback(remove, temporary)
    handle = cleanup.enter_context(temporary.open("xb"))
    _fill(handle, temporary, old, data)

    def finish() -> None:
        if IS_WINDOWS:  # which renames no open file
            handle.close()
        replace(temporary, target)
        _sync_folder(target.parent)

    return finish


def replace(temporary: Path, target: Path) -> None:
    """Rename a temporary file or folder to its target.

    Windows refuses while another program has the target open. Virus scanners and indexers do so for
    a moment after each change, so a few tries are made.
    """
    for tries_left in reversed(range(TRIES if IS_WINDOWS else 1)):
        try:
            temporary.replace(target)
            return
        except PermissionError:
            if not tries_left:
                raise
            time.sleep(PAUSE)


def _fill(handle: IO[bytes], path: Path, old: os.stat_result | None, data: bytes) -> None:
    """Lock an open temporary file, set its owner and permissions, and write its content.

    ``old`` is the status of the file to be replaced; None if there is none.
    """
    if not IS_WINDOWS:
        with contextlib.suppress(OSError):
            lock(handle)
    if old is not None:
        if hasattr(os, "chown"):
            # Only root may give a file to another owner. For others this fails, and the new file is
            # their own.
            with contextlib.suppress(OSError):
                os.chown(path, old.st_uid, old.st_gid)
        # Some file systems refuse to change permissions.
        with contextlib.suppress(OSError):
            os.chmod(path, stat.S_IMODE(old.st_mode))
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


def remove(path: Path) -> None:
    """Remove a file if it is there and may be removed."""
    with contextlib.suppress(OSError):
        path.unlink()


def _remove_unfinished() -> None:
    for path in tuple(_unfinished):
        remove(path)


on_interrupt(_remove_unfinished)
