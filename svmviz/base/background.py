"""Work in other threads, of which the newest wins.

All threads of the window are those of a :class:`Worker`, also those of its tasks.
:func:`svmviz.base.delivery.delivering` brings the result of a job back to the GUI thread.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from weakref import WeakSet

from solvers.cancelling import Cancelled
from solvers.processes import lower_thread_priority

# Maximum time that closing waits for a thread, s.
MAX_CLOSING_TIME = 10.0
# Name of a thread that has no job. While it has one, it has the name of the worker.
IDLE = "svmviz-idle"
log = logging.getLogger(__name__)


class Worker:
    """Does one job at a time in another thread. A new job replaces one that has not begun.

    A job is a function without arguments. If it raises `Cancelled`, it ends; if it raises another
    exception, the error is logged. The methods may be called in any thread, except
    :meth:`is_unwanted` and :meth:`pause`, which are for the job.

    Parameters
    ----------
    name : str
        Name of the thread while it does a job.
    low_priority : bool
        Whether other threads go first (on Linux).

    Attributes
    ----------
    closed : bool
    is_cancelled : bool
        Whether the newest job is cancelled, even if it has not begun.
    """

    def __init__(self, name: str, *, low_priority: bool = True) -> None:
        self._name = name
        self._threads = _LOW_PRIORITY if low_priority else _NORMAL_PRIORITY
        self._changed = threading.Condition()
        # The newest job, until it begins.
        self._job: Callable[[], object] | None = None
        # Whether there is a thread for the jobs, and whether it does one.
        self._has_thread = self._is_working = False
        self._is_held = self._is_woken = False
        self.closed = self.is_cancelled = False
        _workers.add(self)

    def do(self, job: Callable[[], object]) -> None:
        """Do a job next, in place of one that has not begun. After :meth:`close`, do nothing."""
        with self._changed:
            if self.closed:
                return
            self._job, self.is_cancelled = job, False
            if not self._has_thread:
                self._has_thread = True
                self._threads.begin(self._work)
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

    def finish(self, seconds: float) -> bool:
        """Cancel the job, drop one that has not begun, and wait as :meth:`wait` does."""
        with self._changed:
            self._job, self.is_cancelled = None, True
            self._changed.notify_all()
        return self.wait(seconds)

    def close(self) -> None:
        """Drop a job that has not begun, and wait for the end of the present one; do no other."""
        with self._changed:
            self.closed, self._job = True, None
            self._changed.notify_all()
        self.wait(MAX_CLOSING_TIME)

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
        """Do jobs until there is none."""
        threading.current_thread().name = self._name
        while (job := self._take_job()) is not None:
            try:
                job()
            except Cancelled:
                continue
            except Exception:
                log.exception("The thread %s failed", self._name)

    def _take_job(self) -> Callable[[], object] | None:
        """Return the newest job; None if there is none, or this worker is closed."""
        with self._changed:
            self._is_working = False
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._job is None or self.closed or not self._is_held)
            job, self._job = (None if self.closed else self._job), None
            self._has_thread = self._is_working = job is not None
            if job is None:
                threading.current_thread().name = IDLE
            return job


def finish_all(seconds: float) -> bool:
    """Let all workers finish, at the end of the program; return whether they did in this time.

    A job may paint or typeset, which ends in a segmentation fault while Qt destroys its objects.
    """
    end = time.monotonic() + seconds
    return all(worker.finish(max(0.0, end - time.monotonic())) for worker in list(_workers))


class _Threads:
    """Threads that do the work of any worker. Without work they wait for more.

    While another thread holds the interpreter lock, starting a thread takes 5 ms, and giving work
    to one that waits takes 0.1 ms.

    Parameters
    ----------
    low_priority : bool
        Whether other threads go first (on Linux).
    """

    def __init__(self, *, low_priority: bool) -> None:
        self._low_priority = low_priority
        self._waiting: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._lock = threading.Lock()
        # Number of threads without work, less the number of works that wait for one of them.
        self._n_idle = 0

    def begin(self, work: Callable[[], None]) -> None:
        """Do a work at once."""
        self._waiting.put(work)
        with self._lock:
            if self._n_idle:
                self._n_idle -= 1
                return
        threading.Thread(target=self._run, name=IDLE, daemon=True).start()

    def _run(self) -> None:
        """Do works for ever; this is what a thread does."""
        if self._low_priority:
            lower_thread_priority()
        while True:
            self._waiting.get()()
            with self._lock:
                self._n_idle += 1


# On Linux only a superuser can raise the priority of a thread again, so these are not the same.
_LOW_PRIORITY, _NORMAL_PRIORITY = _Threads(low_priority=True), _Threads(low_priority=False)
_workers: WeakSet[Worker] = WeakSet()
