"""Work in background threads.

A study (:mod:`svmviz.frames.studies`) may take seconds, because code is compiled or because there
are many points. So a worker computes it, and delays no frame. Until that work ends, frames have a
:class:`Pending` object in place of its result.
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
# Maximum time that closing waits for a thread, s.
MAX_CLOSING_TIME = 10.0
# Priority of background threads on Linux: 0 is the normal priority, 19 the lowest.
NICE = 10
log = logging.getLogger(__name__)


class Worker:
    """A thread that does one job at a time. A new job replaces one that has not begun.

    A job is a function without arguments. If it raises `Cancelled`, it ends; if it raises another
    exception, the error is logged. The methods may be called in any thread, except
    :meth:`is_unwanted` and :meth:`pause`, which are for the job.

    Parameters
    ----------
    name : str
        Name of the thread.
    stays : bool
        Whether the thread waits for further jobs until :meth:`close`. Otherwise it ends after the
        newest job, and another job starts another thread. (That takes 0.1 ms, but several ms while
        other threads hold the interpreter lock.)
    low_priority : bool
        Whether other threads go first (on Linux).

    Attributes
    ----------
    closed : bool
    is_cancelled : bool
        Whether the newest job is cancelled, even if it has not begun.
    """

    def __init__(self, name: str, *, stays: bool = False, low_priority: bool = True) -> None:
        self._name, self._stays, self._low_priority = name, stays, low_priority
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        # The newest job, until it begins.
        self._job: Callable[[], object] | None = None
        self._is_working = self._is_held = self._is_woken = False
        self.closed = self.is_cancelled = False

    def do(self, job: Callable[[], object]) -> None:
        """Do a job next, in place of one that has not begun. After :meth:`close`, do nothing."""
        with self._changed:
            if self.closed:
                return
            self._job, self.is_cancelled = job, False
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def cancel(self) -> None:
        """Cancel the newest job. If it has not begun, it begins, but is unwanted at once."""
        with self._changed:
            self.is_cancelled = True
            self._changed.notify_all()

    def hold(self) -> None:
        """Begin no job until :meth:`release`; the present one waits in :meth:`is_unwanted`."""
        self._is_held = True

    def release(self) -> None:
        """Go on after :meth:`hold`."""
        with self._changed:
            self._is_held = False
            self._changed.notify_all()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until all jobs are done, at most this long; return whether they are."""
        with self._changed:
            return self._changed.wait_for(
                lambda: self._job is None and not self._is_working, seconds
            )

    def close(self) -> None:
        """Drop a job that has not begun, and wait for the end of the thread."""
        with self._changed:
            self.closed, thread = True, self._thread
            self._changed.notify_all()
        if thread is not None:
            thread.join(MAX_CLOSING_TIME)

    def is_unwanted(self) -> bool:
        """Return whether the present job must end: it is cancelled, or a newer one waits.

        This waits while the worker is held. A closed worker wants no job.
        """
        with self._changed:
            self._changed.wait_for(lambda: not self._is_held or self._must_end())
            return self._must_end()

    def pause(self, seconds: float) -> bool:
        """Wait this long or until :meth:`wake`. If the job must end, return False at once."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_woken or self._must_end(), seconds)
            self._is_woken = False
            return not self._must_end()

    def wake(self) -> None:
        """End the pause of the job, or its next pause."""
        with self._changed:
            self._is_woken = True
            self._changed.notify_all()

    def _must_end(self) -> bool:
        return self.closed or self.is_cancelled or self._job is not None

    def _work(self) -> None:
        """Do jobs until there is none; this is what the thread does."""
        if self._low_priority:
            lower_thread_priority()
        while (job := self._take_job()) is not None:
            try:
                job()
            except Cancelled:
                continue
            except Exception:
                log.exception("The thread %s failed", self._name)

    def _take_job(self) -> Callable[[], object] | None:
        """Return the newest job; None if the thread must end."""
        with self._changed:
            self._is_working = False
            self._changed.notify_all()
            self._changed.wait_for(self._can_go_on)
            job, self._job = (None if self.closed else self._job), None
            self._is_working = job is not None
            if job is None:
                self._thread = None
            return job

    def _can_go_on(self) -> bool:
        if self._job is None:
            return self.closed or not self._stays
        return self.closed or not self._is_held


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
    """A worker whose results are requested repeatedly, as studies are for each frame.

    Only the frame thread may call ``find``. A function that has begun is completed, since compiled
    code cannot be interrupted. Its result is dropped if the first call of ``find`` after its end
    has another key.
    """

    def __init__(self) -> None:
        self._worker = Worker("svmviz-background")
        self._has_begun = False
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
        if not self._has_begun:
            self._begin(key, work)
        if not self._worker.wait(wait):
            return Pending(words)
        self._has_begun = False
        if self._key == key:
            return self._result
        self._begin(key, work)
        return Pending(words)

    def _begin(self, key: Hashable, work: Callable[[], Any]) -> None:
        def job() -> None:
            self._result = work()

        self._has_begun, self._key, self._result = True, key, None
        self._worker.do(job)


def lower_thread_priority() -> None:
    """Lower the priority of this thread below that of the GUI thread and the frame thread.

    This works on Linux only: on other systems a priority belongs to the whole process.
    """
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
