"""Computing a stream of results in a thread, and passing it to the GUI thread.

One thread per search, at low priority. On two cores, beside a plane that is repainted all the time,
two threads solve fewer fits per second than one, since a third of a fit is Python and they wait for
its lock: 343 against 533 fits of 240 points. Frames come later, too: their p95 was 71 against
58 ms, and 42 without a search, on a busy machine. Processes need more than a second to start.

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

# Time between two deliveries, ms. With 40, frames of the plane came late: their p95 was 40 to 50 ms
# on a busy machine. With 120 it is 31 ms on an idle one, and 15 ms without a search (bench map).
# It is shorter if the search has few results, or more are waiting than one delivery may take.
INTERVAL, SHORT_INTERVAL = 120, 20
# Time that a delivery may take, s. The size of a batch is limited, so that a receiver may take some
# tenths of a millisecond for each.
BUDGET, BATCH = 0.003, 8
# Results that may wait for delivery; then the thread waits.
MAX_WAITING = 2000
# Time between two checks of a waiting thread, s, and maximum time that closing waits for a thread,
# s.
POLL, JOIN_TIME = 0.005, 10.0
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
    """One search at a time; a new one replaces it.

    Parameters
    ----------
    memory : Memory
        Stores results.

    Attributes
    ----------
    state : State
    done, count : int
        Number of results that have arrived, and of all.
    trouble : str
        Why the search failed, one sentence; empty if it did not.

    Signals
    -------
    arrived : list
        The next few results, in the order of the stream.
    changed : state or progress have changed
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
        """Begin a search; the last one is cancelled."""
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
        """Let the thread wait; it may compute for some milliseconds more."""
        if self._work is not None and self.state is State.RUNNING:
            self._work.pause()
            self._clock.pause()
            self._enter(State.PAUSED)

    def resume(self) -> None:
        """Go on after a pause."""
        if self._work is not None and self.state is State.PAUSED:
            self._clock.resume()
            self._work.resume()
            self._enter(State.RUNNING)

    def cancel(self) -> None:
        """End the search; nothing more arrives. What was computed is kept for the next one."""
        if self.is_active:
            self._drop()
            self._enter(State.CANCELLED)

    def close(self) -> None:
        """End the search, and wait for its thread; no other can be started."""
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
        """Emit results for some milliseconds; end the search after the last one."""
        work = self._work
        if work is None:
            return
        # Read before the queue: then all results of a search that has ended are in the queue.
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
        """Announce the progress, and deliver sooner if results are waiting."""
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
        """Return a new search, which ends with the window."""
        search = BackgroundSearch(self.memory)
        self._searches.append(search)
        return search

    def shared(self, name: str, make: Callable[[], Shared]) -> Shared:
        """Return the object that all panels of one kind show; it is made at the first call."""
        if name not in self._shared:
            self._shared[name] = make()
        return self._shared[name]

    def close(self) -> None:
        """End all searches, and wait for their threads."""
        for search in self._searches:
            search.close()


class _Work:
    """A job and its thread, which does not use Qt."""

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
        """Return whether the search is cancelled; first wait for the end of a pause."""
        self._may_go.wait()
        return self._cancelled.is_set()

    def _wait_for_delivery(self) -> None:
        while len(self.results) >= MAX_WAITING and not self._cancelled.is_set():
            time.sleep(POLL)


class _Clock:
    """The time that results took, without pauses and without the time before the first result.

    Before the first result code may be compiled. Stored results take no time and are not counted.
    """

    def __init__(self) -> None:
        self._seconds = 0.0
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
