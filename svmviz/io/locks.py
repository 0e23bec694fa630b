"""Locks on open files: the system releases them when a process dies, in whatever way."""

from __future__ import annotations

import os
from typing import IO, Any


def hold(handle: IO[Any]) -> None:
    """Lock an open file, for this opening of it alone; raises OSError if another holds it."""
    if os.name == "nt":
        import msvcrt

        # Far behind the end, so that others can read what the file says.
        handle.seek(1 << 30)
        msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        handle.seek(0)
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
