"""Computing a stream of results in a thread, and passing it to the GUI thread.

Each search has one thread, at low priority. Measured on two cores while the plane is repainted all
the time, one thread solves 533 fits of 240 points per second, and two threads solve 343. A third
of a fit is Python, so two threads wait for the interpreter's lock. The 95th percentile of the time
between two frames is 42 ms without a search, 58 ms with one thread and 71 ms with two. Processes
are no alternative, since each takes more than a second to start. Two searches at once, as those of
the map and of the folds, do not take turns: one fit may take seconds, for which the other would
wait, and only searches of about a second begin by themselves.

A search that is cancelled loses nothing: its results are in the :class:`Memory` of the window,
where the same search finds them again.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from solvers import BadInput
from solvers.cancelling import Cancelled, cancel_when
from solvers.selection.memory import Memory
from svmviz.base.background import lower_thread_priority
from svmviz.base.words import failure

# Time between two deliveries of results to the GUI thread, ms. A shorter time delays frames of the
# plane: the 95th percentile of the time between two frames is 31 ms with 120 ms, 15 ms without a
# search (bench map), and was 40 to 50 ms with 40 ms.
INTERVAL = 120
# The same if the search has few results in all, or if results were left over by the last delivery.
SHORT_INTERVAL = 20
# Maximum time of a delivery, s.
BUDGET = 0.003
# Maximum number of results per signal, so that a receiver may take some tenths of a millisecond
# for each.
BATCH = 8
# If this number of results waits for delivery, the thread waits too.
MAX_WAITING = 2000
# Time between two checks of a waiting thread, s.
POLL = 0.005
# Maximum time that closing waits for a thread, s.
JOIN_TIME = 10.0
Shared = TypeVar("Shared")
log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Job:
    """A search.

    Attributes
    ----------
    begin : callable(Memory) -> iterator
        Called in the thread; returns the stream of results. It may raise BadInput.
    count : int
        Number of results in the stream.
    """

    begin: Callable[[Memory], Iterator[Any]]
    count: int


class State(Enum):
    """The state of a search."""

    IDLE = "idle"
    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


class BackgroundSearch(QObject):
    """Runs one search at a time in a thread; starting a search cancels the one before.

    Parameters
    ----------
    memory : Memory
        The store of results that all searches of the window share.

    Attributes
    ----------
    state : State
    done, count : int
        Number of results that have arrived, and number of all results of the search.
    trouble : str
        A sentence on why the search failed; empty if it did not.

    Signals
    -------
    arrived(list)
        The next few results, in the order of the stream.
    changed()
        State or progress have changed.
    """

    arrived = Signal(object)
    changed = Signal()

    def __init__(self, memory: Memory) -> None:
        super().__init__()
        self._memory = memory
        self.state = State.IDLE
        self.done = self.count = 0
        self.trouble = ""
        self._clock = _Clock()
        self._work: _Work | None = None
        self._threads: list[threading.Thread] = []
        self._closed = False
        self._announced_at = 0.0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._deliver)

    @property
    def is_active(self) -> bool:
        """Whether a search is running or paused."""
        return self.state in (State.RUNNING, State.PAUSED)

    @property
    def seconds_left(self) -> float | None:
        """Estimated time left, s; None before two results are computed, and at the end."""
        return self._clock.left(self.count - self.done) if self.is_active else None

    def start(self, job: Job) -> None:
        """Start a search, and cancel the one before."""
        if self._closed:
            return
        self._drop()
        self.done, self.count, self.trouble = 0, job.count, ""
        self._clock = _Clock()
        self._work = _Work(job, self._memory)
        self._threads = [t for t in self._threads if t.is_alive()]
        self._threads.append(self._work.thread)
        self._announced_at = time.perf_counter()
        self._timer.start(SHORT_INTERVAL if job.count <= BATCH else INTERVAL)
        self._enter(State.RUNNING)

    def pause(self) -> None:
        """Make the thread wait; it may compute for some milliseconds more."""
        if self._work is not None and self.state is State.RUNNING:
            self._work.pause()
            self._clock.pause()
            self._enter(State.PAUSED)

    def resume(self) -> None:
        """Continue after a pause."""
        if self._work is not None and self.state is State.PAUSED:
            self._clock.resume()
            self._work.resume()
            self._enter(State.RUNNING)

    def cancel(self) -> None:
        """End the search: no more results arrive. All computed results stay in the memory."""
        if self.is_active:
            self._drop()
            self._enter(State.CANCELLED)

    def close(self) -> None:
        """End the search and wait for its thread. After this, ``start`` does nothing."""
        self._closed = True
        self._drop()
        for thread in self._threads:
            thread.join(timeout=JOIN_TIME)

    def _drop(self) -> None:
        if self._work is not None:
            self._work.cancel()
        self._work = None
        self._timer.stop()

    def _enter(self, state: State) -> None:
        self.state = state
        self.changed.emit()

    def _deliver(self) -> None:
        """Emit results for at most ``BUDGET``; enter the final state after the last result."""
        work = self._work
        if work is None:
            return
        # This is read before the queue. If the thread has ended, the queue then holds all results.
        ended = work.ended
        deadline = time.perf_counter() + BUDGET
        before = self.done
        while work.results and time.perf_counter() < deadline:
            batch = [work.results.popleft() for _ in range(min(BATCH, len(work.results)))]
            self.done += len(batch)
            self._clock.count(sum(getattr(result, "solved", True) for result in batch))
            self.arrived.emit(batch)
            if self._work is not work:
                # A receiver has started another search or ended this one.
                return
        if ended and not work.results:
            self.trouble = work.trouble
            self._drop()
            self._enter(State.FAILED if self.trouble else State.DONE)
        elif self.done != before:
            self._go_on(bool(work.results))

    def _go_on(self, more_waits: bool) -> None:
        """Set the time to the next delivery, and emit ``changed`` if it was not emitted lately."""
        if self.count > BATCH:
            self._timer.start(SHORT_INTERVAL if more_waits else INTERVAL)
        now = time.perf_counter()
        if 1e3 * (now - self._announced_at) >= INTERVAL - SHORT_INTERVAL:
            self._announced_at = now
            self.changed.emit()


class Searches:
    """The background searches of one window, and the results that they share.

    Attributes
    ----------
    memory : Memory
    """

    def __init__(self) -> None:
        self.memory = Memory()
        self._searches: list[BackgroundSearch] = []
        self._shared: dict[str, Any] = {}

    def make(self) -> BackgroundSearch:
        """Return a new background search; ``close`` ends it."""
        search = BackgroundSearch(self.memory)
        self._searches.append(search)
        return search

    def shared(self, name: str, make: Callable[[], Shared]) -> Shared:
        """Return the object of this name that all panels of one kind share.

        The first call makes it.
        """
        if name not in self._shared:
            self._shared[name] = make()
        return self._shared[name]

    def close(self) -> None:
        """End all searches, and wait for their threads."""
        for search in self._searches:
            search.close()


class _Work:
    """A job with its thread. The thread does not use Qt."""

    def __init__(self, job: Job, memory: Memory) -> None:
        self._job = job
        self._memory = memory
        self.results: deque[Any] = deque()
        self.trouble = ""
        self.ended = False
        self._may_go = threading.Event()
        self._may_go.set()
        self._cancelled = threading.Event()
        self.thread = threading.Thread(target=self._do, name="svmviz-search", daemon=True)
        self.thread.start()

    def pause(self) -> None:
        self._may_go.clear()

    def resume(self) -> None:
        self._may_go.set()

    def cancel(self) -> None:
        self._cancelled.set()
        self._may_go.set()

    def _do(self) -> None:
        lower_thread_priority()
        try:
            with cancel_when(self._is_unwanted):
                for result in self._job.begin(self._memory):
                    self.results.append(result)
                    self._wait_for_delivery()
                    if self._is_unwanted():
                        return
        except Cancelled:
            pass
        except BadInput as error:
            self.trouble = str(error)
        except Exception as error:
            log.exception("A search failed")
            self.trouble = failure("The search failed", error)
        finally:
            self.ended = True

    def _is_unwanted(self) -> bool:
        """Wait while the search is paused, and return whether it is cancelled."""
        self._may_go.wait()
        return self._cancelled.is_set()

    def _wait_for_delivery(self) -> None:
        while len(self.results) >= MAX_WAITING and not self._cancelled.is_set():
            time.sleep(POLL)


class _Clock:
    """Measures the time per computed result.

    Pauses do not count. Neither does the time before the first result, in which code may be
    compiled, nor results that were stored, which take no time.
    """

    def __init__(self) -> None:
        self._seconds = 0.0
        # Time of the last result or of the end of the last pause, s; None before the first result.
        self._since: float | None = None
        self._counted = 0

    def count(self, solved: int) -> None:
        """Count results that were computed just now."""
        if not solved:
            return
        now = time.perf_counter()
        if self._since is None:
            self._since = now
            return
        self._counted += solved
        self._seconds += now - self._since
        self._since = now

    def pause(self) -> None:
        """Stop the clock."""
        if self._since is not None:
            self._seconds += time.perf_counter() - self._since

    def resume(self) -> None:
        """Start the clock again."""
        if self._since is not None:
            self._since = time.perf_counter()

    def left(self, results: int) -> float | None:
        """Return the estimated time for a number of results, s; None if it cannot be estimated."""
        return self._seconds / self._counted * results if self._counted else None
