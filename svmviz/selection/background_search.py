"""Computing a stream of results in a thread, and passing it to the GUI thread.

Each search has one thread, at low priority. Measured on two cores while the plane is repainted all
the time, one thread solves 533 fits of 240 points per second, and two threads solve only 343,
because a third of the time of a fit is Python, which needs the interpreter's lock. The 95th
percentile of the time between two frames is 42 ms without a search, 58 ms with one thread and 71 ms
with two. Processes are no alternative, since each takes more than a second to start.

Two panels, such as Parameter map and Folds, may search at the same time, each with a
:class:`BackgroundSearch` of its own. So their threads take turns (:class:`Turns`).

Results of a cancelled search are not lost: they stay in the :class:`Memory` of the window, where
the same search finds them again.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from solvers import BadInput
from solvers.cancelling import Cancelled, cancel_when, check_cancelled
from solvers.selection.memory import Memory
from svmviz.base.background import Worker
from svmviz.base.words import failure

# Time between two deliveries of results to the GUI thread, ms. A shorter interval delays frames of
# the plane: while a run of 300 points is played, the 95th percentile of the time between two frames
# is 15 ms without a search, 31 ms with this interval, and 40 to 50 ms with an interval of 40 ms
# (bench map).
INTERVAL = 120
# The time between two deliveries, ms, in a search with at most BATCH results, and after a delivery
# that was too short for all results that waited.
SHORT_INTERVAL = 20
# Maximum duration of a delivery, s.
MAX_DELIVERY_TIME = 0.003
# Maximum number of results per signal. A receiver may take some tenths of a millisecond for each.
BATCH = 8
# Maximum number of results that wait for delivery. While so many wait, the thread computes no more.
MAX_WAITING = 2000
# Time between two checks whether a waiting thread may continue, s.
POLL = 0.005
# Time that a search computes before it is the turn of the next one, s. A thread notices only after
# some milliseconds that it is its turn, so much shorter turns would waste time.
TURN = 0.2
# Type of an object that panels share.
Shared = TypeVar("Shared")
log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class SearchJob:
    """The work of a search.

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


class Turns:
    """The searches that want to compute, in a line; the first computes.

    A search asks during its work, every few milliseconds, so it need not finish a fit before its
    turn ends. Any thread may call the methods.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._line: list[object] = []
        # When the turn of the first search began, s.
        self._begun = 0.0

    def is_turn_of(self, search: object) -> bool:
        """Return whether a search may compute; put it into the line if it is not there.

        A search whose turn is over goes to the end of the line.
        """
        now = time.monotonic()
        with self._lock:
            if search not in self._line:
                self._line.append(search)
            if self._line[0] is search and len(self._line) > 1 and now - self._begun > TURN:
                self._line.append(self._line.pop(0))
                self._begun = now
            return self._line[0] is search

    def leave(self, search: object) -> None:
        """Take a search out of the line, since it waits for something else, or has ended."""
        with self._lock:
            if search in self._line:
                self._line.remove(search)
                self._begun = time.monotonic()


class BackgroundSearch(QObject):
    """A thread that runs one search at a time; starting another cancels the first.

    Parameters
    ----------
    memory : Memory
        The store of results that all searches of the window share.
    turns : Turns, optional
        The turns of all searches of the window; by default this search has no turns.

    Attributes
    ----------
    state : State
    n_arrived, count : int
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

    def __init__(self, memory: Memory, turns: Turns | None = None) -> None:
        super().__init__()
        self._memory, self._turns = memory, turns or Turns()
        self.state = State.IDLE
        self.n_arrived = self.count = 0
        self.trouble = ""
        self._clock = _Clock()
        self._worker = Worker("svmviz-search")
        self._stream: _Stream | None = None
        # When `changed` was last emitted because results arrived, or when the search began.
        self._announced_at = 0.0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._deliver)

    @property
    def is_active(self) -> bool:
        """Whether a search is running or paused."""
        return self.state in (State.RUNNING, State.PAUSED)

    @property
    def seconds_left(self) -> float | None:
        """Estimated time left, s; None before two results are computed, and after the end."""
        return self._clock.estimate_seconds(self.count - self.n_arrived) if self.is_active else None

    def start(self, job: SearchJob) -> None:
        """Start a search, and cancel the search before."""
        if self._worker.closed:
            return
        self._end_work()
        self.n_arrived, self.count, self.trouble = 0, job.count, ""
        self._clock = _Clock()
        self._stream = _Stream()
        self._worker.release()
        self._worker.do(partial(self._compute, job, self._stream))
        self._announced_at = time.perf_counter()
        self._timer.start(SHORT_INTERVAL if job.count <= BATCH else INTERVAL)
        self._enter_state(State.RUNNING)

    def pause(self) -> None:
        """Pause the search; its thread may compute for some more milliseconds."""
        if self.state is State.RUNNING:
            self._worker.hold()
            self._turns.leave(self)
            self._clock.stop()
            self._enter_state(State.PAUSED)

    def resume(self) -> None:
        """Continue after a pause."""
        if self.state is State.PAUSED:
            self._clock.stop()
            self._worker.release()
            self._enter_state(State.RUNNING)

    def cancel(self) -> None:
        """End the search: no more results arrive. All computed results stay in the memory."""
        if self.is_active:
            self._end_work()
            self._enter_state(State.CANCELLED)

    def close(self) -> None:
        """End the search and wait for its thread. After this, ``start`` does nothing."""
        self._end_work()
        self._worker.close()

    def _end_work(self) -> None:
        """Cancel the thread's work and stop the deliveries."""
        self._worker.cancel()
        self._stream = None
        self._timer.stop()

    def _enter_state(self, state: State) -> None:
        self.state = state
        self.changed.emit()

    def _compute(self, job: SearchJob, stream: _Stream) -> None:
        try:
            with cancel_when(self._must_end):
                check_cancelled()
                for result in job.begin(self._memory):
                    stream.results.append(result)
                    while len(stream.results) >= MAX_WAITING and self._worker.pause(POLL):
                        self._turns.leave(self)
                    check_cancelled()
        except Cancelled:
            pass
        except BadInput as error:
            stream.trouble = str(error)
        except Exception as error:
            log.exception("A search failed")
            stream.trouble = failure("The search failed", error)
        finally:
            self._turns.leave(self)
            stream.has_ended = True

    def _must_end(self) -> bool:
        """Return whether the thread must end; wait while the search is paused or others compute."""
        while not self._worker.is_unwanted():
            if self._turns.is_turn_of(self):
                return False
            self._worker.pause(POLL)
        return True

    def _deliver(self) -> None:
        """Emit results for at most ``MAX_DELIVERY_TIME``; after the last result, end the search."""
        stream = self._stream
        if stream is None:
            return
        # `has_ended` is read before the queue. So if it is true, the queue contains all results.
        has_ended = stream.has_ended
        deadline = time.perf_counter() + MAX_DELIVERY_TIME
        n_before = self.n_arrived
        while stream.results and time.perf_counter() < deadline:
            batch = [stream.results.popleft() for _ in range(min(BATCH, len(stream.results)))]
            self.n_arrived += len(batch)
            self._clock.count(sum(getattr(result, "solved", True) for result in batch))
            self.arrived.emit(batch)
            if self._stream is not stream:
                # A receiver has started another search or ended this one.
                return
        if has_ended and not stream.results:
            self.trouble = stream.trouble
            self._end_work()
            self._enter_state(State.FAILED if self.trouble else State.DONE)
        elif self.n_arrived != n_before:
            self._plan_delivery(bool(stream.results))

    def _plan_delivery(self, results_remain: bool) -> None:
        """Set the time to the next delivery; emit ``changed``, but at most every 100 ms."""
        if self.count > BATCH:
            self._timer.start(SHORT_INTERVAL if results_remain else INTERVAL)
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
        self._turns = Turns()
        self._searches: list[BackgroundSearch] = []
        self._shared: dict[str, Any] = {}

    def make(self) -> BackgroundSearch:
        """Return a new background search, which :meth:`close` ends."""
        search = BackgroundSearch(self.memory, self._turns)
        self._searches.append(search)
        return search

    def shared(self, name: str, make: Callable[[], Shared]) -> Shared:
        """Return the object of this name that all panels of one kind share.

        The first call makes the object by ``make()``.
        """
        if name not in self._shared:
            self._shared[name] = make()
        return self._shared[name]

    def close(self) -> None:
        """End all searches, and wait for their threads."""
        for search in self._searches:
            search.close()


@dataclass(eq=False)
class _Stream:
    """The results of a search that were not delivered yet, and how it ended."""

    results: deque[Any] = field(default_factory=deque)
    trouble: str = ""
    has_ended: bool = False


class _Clock:
    """Clock for the time per computed result.

    The time before the first result does not count, because code may be compiled then. The time
    from the last result before a pause to the first one after it does not count either. Results
    that were found in the memory do not count, because they take no time.
    """

    def __init__(self) -> None:
        # The measured time, s, and the number of results that were computed in it.
        self._seconds, self._counted = 0.0, 0
        # When the last result came, s; None before the first result, also after a pause.
        self._since: float | None = None

    def count(self, solved: int) -> None:
        """Count ``solved`` results, which were computed just now and not found in the memory."""
        if not solved:
            return
        now = time.perf_counter()
        if self._since is not None:
            self._counted += solved
            self._seconds += now - self._since
        self._since = now

    def stop(self) -> None:
        """Leave out the time until the next result."""
        self._since = None

    def estimate_seconds(self, results: int) -> float | None:
        """Return the estimated time for this many results, s; None if it cannot be estimated."""
        return self._seconds / self._counted * results if self._counted else None
