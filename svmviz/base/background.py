"""Slow work in a background thread, one task at a time, so that frames need not wait for it.

A study may take seconds, for compiling or for a search among many points. Until it ends, frames
contain a :class:`Pending` object instead of its result.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from solvers.cancelling import Cancelled

# Time that a frame waits for a result, s; most results take less.
WAIT = 0.03
NICE = 10
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Pending:
    """Placeholder for a result that is still being computed.

    Attributes
    ----------
    words : str
        What is being done, for people.
    """

    words: str
    # Means that another frame must be requested, see ``svmviz.frames.studies``.
    unfinished: bool = True


class BackgroundTask:
    """A background thread that does one task at a time, for the newest request.

    Only one thread, the frame thread, may call it. Work that has begun is completed, since compiled
    code cannot be interrupted; its result is kept if it is still requested.
    """

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._key: Hashable = None
        self._found: Any = None

    def find(self, key: Hashable, work: Callable[[], Any], words: str, wait: float = WAIT) -> Any:
        """Return the result of ``work``, cached under ``key``.

        Until it is computed, a :class:`Pending`.

        Parameters
        ----------
        key : hashable
        work : callable() -> object
            If it raises, the error is logged and the result is None.
        words : str
            What is being done, as shown to the user.
        wait : float
            Maximum time the caller waits for the result, s.
        """
        if self._thread is None:
            self._begin(key, work)
        thread = self._thread
        if thread is not None:
            thread.join(wait)
            if thread.is_alive():
                return Pending(words)
        self._thread = None
        if self._key == key:
            return self._found
        self._begin(key, work)
        return Pending(words)

    def _begin(self, key: Hashable, work: Callable[[], Any]) -> None:
        self._key, self._found = key, None
        self._thread = threading.Thread(
            target=self._do, args=(work,), name="svmviz-background", daemon=True
        )
        self._thread.start()

    def _do(self, work: Callable[[], Any]) -> None:
        lower_thread_priority()
        try:
            self._found = work()
        except Cancelled:
            # The window is closing.
            pass
        except Exception:
            log.exception("Background work failed")


def lower_thread_priority() -> None:
    """Lower the priority of this thread below that of the GUI thread and the frame thread.

    This works on Linux only: on other systems a priority belongs to the whole process.
    """
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
