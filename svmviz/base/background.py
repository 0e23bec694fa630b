"""Slow work in a background thread, one task at a time, so that it delays no frame.

A study (:mod:`svmviz.frames.studies`) may take seconds, because code is compiled or because there
are many points. Until that work ends, frames have a :class:`Pending` object in place of its result.
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

# Maximum time that a frame waits for a result, s. Most results are computed within this time.
WAIT = 0.03
# Priority of background threads on Linux: 0 is the normal priority, 19 the lowest.
NICE = 10
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Pending:
    """Placeholder for a result that is still being computed.

    Attributes
    ----------
    words : str
        The text to show, which says what is being computed.
    unfinished : bool
        Always true, so that another frame is requested (:mod:`svmviz.frames.studies`).
    """

    words: str
    unfinished: bool = True


class BackgroundTask:
    """Runs one function at a time in a background thread.

    Only the frame thread may call ``find``. A function that has begun is completed, since compiled
    code cannot be interrupted. Its result is dropped if the first call of ``find`` after its end
    has another key.
    """

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._key: Hashable = None
        self._result: Any = None

    def find(self, key: Hashable, work: Callable[[], Any], words: str, wait: float = WAIT) -> Any:
        """Return the result of ``work``, or a :class:`Pending` if it is not computed yet.

        Parameters
        ----------
        key : hashable
            Identifies the result. A result is returned once, so the caller stores it: a later call
            with the same key computes it again.
        work : callable() -> object
            Computes the result in the background. If it raises, the error is logged and the result
            is None.
        words : str
            Text of the :class:`Pending`.
        wait : float
            Maximum time that the caller waits for the result, s.
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
            return self._result
        self._begin(key, work)
        return Pending(words)

    def _begin(self, key: Hashable, work: Callable[[], Any]) -> None:
        self._key, self._result = key, None
        self._thread = threading.Thread(
            target=self._compute, args=(work,), name="svmviz-background", daemon=True
        )
        self._thread.start()

    def _compute(self, work: Callable[[], Any]) -> None:
        lower_thread_priority()
        try:
            self._result = work()
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
