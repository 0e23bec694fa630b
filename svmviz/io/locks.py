"""Locks on open files; the system releases them when their process ends, even in a crash.

Qt's QLockFile is not used. It stores a process id, and only checks whether a Python process with
this id runs. After a crash, another program may have the id (tried with Qt 6).
"""

from __future__ import annotations

import os
from typing import IO, Any


def lock(handle: IO[Any]) -> None:
    """Lock an open file for this handle alone; raise OSError if another handle has the lock."""
    if os.name == "nt":
        import msvcrt

        # The locked byte is far behind the end, so that other programs can read the content.
        handle.seek(1 << 30)
        msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        handle.seek(0)
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
