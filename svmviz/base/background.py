"""Work that must not hold up frames: done in a thread of its own, one piece at a time.

What a study has to compile takes seconds the first time, and what it searches may take as long
where there are many points. Meanwhile frames say that it is awaited.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

# How long a frame waits for what is nearly done, s: most of it is there at once.
WAIT = 0.03
NICE = 10
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Awaited:
    """Stands for a result that is still being worked out.

    Attributes
    ----------
    words : str
        What is being done, for people.
    """

    words: str
    # As in ``svmviz.frames.studies``: another frame shall be asked for.
    unfinished: bool = True


class Aside:
    """Works things out aside; only the newest wish counts. For one thread, the frame thread.

    What has begun is finished, for compiled code hears nothing; its result is kept if it is still
    asked for.
    """

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._key: Hashable = None
        self._found: Any = None

    def find(self, key: Hashable, work: Callable[[], Any], words: str, wait: float = WAIT) -> Any:
        """The result of ``work``, known by its key; :class:`Awaited` while it is not there.

        The caller waits for it no longer than ``wait``, s. Where the work fails, that is logged
        and the result is None.
        """
        if self._thread is None:
            self._begin(key, work)
        thread = self._thread
        if thread is not None:
            thread.join(wait)
            if thread.is_alive():
                return Awaited(words)
        self._thread = None
        if self._key == key:
            return self._found
        self._begin(key, work)
        return Awaited(words)

    def _begin(self, key: Hashable, work: Callable[[], Any]) -> None:
        self._key, self._found = key, None
        self._thread = threading.Thread(
            target=self._do, args=(work,), name="svmviz-aside", daemon=True
        )
        self._thread.start()

    def _do(self, work: Callable[[], Any]) -> None:
        give_way()
        try:
            self._found = work()
        except Exception:
            log.exception("What was to be worked out aside failed")


def give_way() -> None:
    """Let the threads that make pictures go before this one where cores are few.

    On Linux every thread has a priority of its own; elsewhere it would be that of the process.
    """
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
