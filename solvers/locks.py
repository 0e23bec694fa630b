"""Locks on open files; the system releases them when their process ends, even in a crash.

Qt's QLockFile is not used. It stores a process id, and only checks whether a Python process with
this id runs. After a crash, another program may have the id (tried with Qt 6).
"""

from __future__ import annotations

import os
import time
from typing import IO, Any

# Tests set it to see what happens on Windows.
IS_WINDOWS = os.name == "nt"
# Time between two tries to lock a file on Windows, where the system cannot wait for long, in s.
PAUSE = 0.05


def lock(handle: IO[Any], wait: bool = False) -> None:
    """Lock an open file for this handle alone.

    If another handle has the lock, this waits for it, or raises OSError unless ``wait``.
    """
    if not IS_WINDOWS:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        return
    while True:
        try:
            _lock_byte(handle)
            return
        except OSError:
            if not wait:
                raise
            time.sleep(PAUSE)


def _lock_byte(handle: IO[Any]) -> None:
    """Lock a byte far behind the end, so that other programs can read the content."""
    import msvcrt

    handle.seek(1 << 30)
    try:
        msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    finally:
        handle.seek(0)
