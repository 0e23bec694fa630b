"""Slow work in a thread of its own, one piece at a time, so that frames need not wait for it.

Compiling takes a study seconds the first time, and a search among many points may take as long.
Until it ends, frames contain a :class:`Pending` instead of the result.
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

# How long a frame waits for a result that is nearly done, s: most are there at once.
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
    # As in ``svmviz.frames.studies``: another frame is to be requested.
    unfinished: bool = True


class BackgroundTask:
    """One piece of work in a thread of its own; only the newest request counts.

    For one thread to call, the frame thread. A piece that has begun is finished, since compiled
    code cannot be interrupted; its result is kept if it is still asked for.
    """

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._key: Hashable = None
        self._found: Any = None

    def find(self, key: Hashable, work: Callable[[], Any], words: str, wait: float = WAIT) -> Any:
        """Return the result of ``work``, known by its key; :class:`Pending` until it is there.

        Parameters
        ----------
        key : hashable
        work : callable() -> object
            If it fails, that is logged and the result is None.
        words : str
            What is being done, for people.
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
        give_way()
        try:
            self._found = work()
        except Cancelled:
            # The window is closing.
            pass
        except Exception:
            log.exception("Background work failed")


def give_way() -> None:
    """Let the threads that make pictures go before this one if cores are few.

    On Linux every thread has a priority of its own; elsewhere it would be that of the process.
    """
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
