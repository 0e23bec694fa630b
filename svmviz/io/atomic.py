"""Atomic writing: after any failure a file has either its old content or its new content.

Scenes, settings, autosaves and all exports but folders of images are written here. Only regular
files are replaced. Pipes and character devices are written into directly. Folders, sockets and
block devices (disks) are refused.
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

# New content is first written into a temporary file, ``.name.1a2b3c4d.svmviz-tmp``. Only this
# program uses such names. So files with such a name, left by killed processes, may be removed.
_ENDING = ".svmviz-tmp"
_TEMPORARY = re.compile(rf"\..*\.[0-9a-f]{{8}}{re.escape(_ENDING)}", re.DOTALL)
# If the file system can do that, a temporary file has no name until it is complete. These are the
# errors of file systems that cannot create a file without a name, or cannot name it later.
_NO_NAMELESS_FILES = {
    errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT, errno.EPERM, errno.EXDEV,
}  # fmt: skip
# Temporary files that are being written; they are removed if the process is interrupted.
_unfinished: set[Path] = set()


def write_atomically(
    path: str | os.PathLike[str],
    content: str | bytes,
    cancelled: Callable[[], bool] = lambda: False,
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
    with contextlib.ExitStack() as cleanup:
        prepared = []
        for name, content in files:
            path = file_path(name)
            with _as_bad_input(path):
                prepared.append((path, _prepare(path, _encode(content, path), cleanup)))
        if cancelled():
            return
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
        descriptor = os.open(path, os.O_WRONLY | (os.O_NONBLOCK if is_pipe else os.O_NOCTTY))
    except OSError as error:
        if is_pipe and error.errno == errno.ENXIO:
            raise BadInput(f"Nothing reads from this pipe: {short_path(path)}") from None
        raise
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
    cleanup.callback(_remove, temporary)
    handle = _write_nameless(temporary, old, data) or _write_named(temporary, old, data)
    cleanup.callback(handle.close)

    def finish() -> None:
        if os.name == "nt":  # Windows renames no open file
            handle.close()
        temporary.replace(target)
        _sync_folder(target.parent)

    return finish


def _write_nameless(path: Path, old: os.stat_result | None, data: bytes) -> IO[bytes] | None:
    """Write a file that has no name until it is complete, and return it open and locked.

    If the process is killed meanwhile, no file is left behind. Return None if the operating system
    or the file system has no files without a name.
    """
    if not hasattr(os, "O_TMPFILE"):
        return None
    with contextlib.ExitStack() as stack:
        try:
            descriptor = os.open(path.parent, os.O_TMPFILE | os.O_WRONLY, 0o666)
            handle = stack.enter_context(open(descriptor, "wb"))
            _fill(handle, descriptor, old, data)
            folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
            stack.callback(os.close, folder)
            # Only the system call ``linkat`` follows the link in /proc to the open file, and Python
            # uses it only if the descriptor of a folder is given.
            os.link(
                f"/proc/self/fd/{descriptor}", path.name, dst_dir_fd=folder, follow_symlinks=True
            )
        except OSError as error:
            if error.errno in _NO_NAMELESS_FILES:
                return None
            raise
        os.close(folder)
        stack.pop_all()
        return handle


def _write_named(path: Path, old: os.stat_result | None, data: bytes) -> IO[bytes]:
    """Write a new file under its name, and return it open and locked."""
    with contextlib.ExitStack() as stack:
        handle = stack.enter_context(path.open("xb"))
        _fill(handle, path, old, data)
        stack.pop_all()
        return handle


def _fill(handle: IO[bytes], file: int | Path, old: os.stat_result | None, data: bytes) -> None:
    """Lock a temporary file, set its owner and permissions, and write its content.

    ``handle`` is open for writing; ``file`` is the descriptor or the path of the same file. ``old``
    is the status of the file to be replaced, with its owner and permissions; None if there is none.
    """
    if os.name != "nt":
        with contextlib.suppress(OSError):
            lock(handle)
    if old is not None:
        if hasattr(os, "chown"):
            # Only root may give a file to another owner. For others this fails, and the new file is
            # their own.
            with contextlib.suppress(OSError):
                os.chown(file, old.st_uid, old.st_gid)
        # Some file systems refuse to change permissions.
        with contextlib.suppress(OSError):
            os.chmod(file, stat.S_IMODE(old.st_mode))
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
