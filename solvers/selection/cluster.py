"""Fits on the workers of a Dask cluster, for searches that take too long on one machine.

This module needs the optional extra ``dask``. The workers need the same version of svmviz.

The data that all fits share are passed through a task that only returns them. If the worker that
stores the result of this task is killed, the scheduler runs the task again. joblib has a backend
for Dask as well, but it stores these data on one worker only, and they are lost if that worker is
killed.

A call that waits for an answer of Dask may never return, even with a timeout. This happens if the
program at the address listens but sends no greeting, or if the scheduler was stopped. So such calls
are made in threads of their own. When the time is over, the thread is abandoned.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from typing import Any

from solvers.cancelling import Cancelled, check_cancelled
from solvers.errors import BadInput, quote
from solvers.selection.pools import Function, batches, run_batch

# Maximum time to wait for the scheduler, and again for its first worker, in seconds.
TIMEOUT = 5
# A search ends if no worker has sent a sign of life for this time, in seconds. Workers send one
# every second or two, also while they compute.
MAX_SILENCE = 20.0
# Maximum time to wait until tasks are cancelled, and again until the connection is closed, in
# seconds.
CLOSING = 1.0
# Time between two looks for results, and between two looks at the workers, in seconds.
PAUSE, WATCH = 0.005, 1.0
# The message if Dask cannot be imported.
NOT_INSTALLED = "Dask is not installed; install it by pip install 'svmviz[dask]'."


class ClusterLost(BadInput):
    """The scheduler or all workers of a cluster do not answer any more."""


class Cluster:
    """A connection to a scheduler of Dask.

    Parameters
    ----------
    address : str
        ``HOST:PORT`` of the scheduler.

    Raises
    ------
    BadInput
        If Dask is not installed, or no scheduler or no worker answers.
    Cancelled
        If the search is cancelled before they answer.
    """

    def __init__(self, address: str) -> None:
        try:
            # Dask is imported here, because it is optional, and its import takes most of a second.
            from distributed import Client  # pyright: ignore[reportMissingImports]
        except ImportError:
            raise BadInput(NOT_INSTALLED) from None
        self._address = address
        self._closing = CLOSING
        try:
            self._client: Any = _answer(
                lambda: Client(address, timeout=TIMEOUT, set_as_default=False), TIMEOUT
            )
        except ImportError as error:
            reason = str(error).strip().partition("\n")[0]
            raise BadInput(
                f"The Dask scheduler at {quote(address)} cannot be used: {reason}"
            ) from None
        except Cancelled:
            raise
        except Exception:
            # Another program at this address may answer anything, so errors of any kind occur.
            raise BadInput(
                f"No Dask scheduler answers at {quote(address)} within {TIMEOUT} s."
            ) from None
        try:
            _answer(lambda: self._client.wait_for_workers(1, timeout=TIMEOUT), TIMEOUT)
        except OSError:
            self.close()
            raise BadInput(
                f"The Dask scheduler at {quote(address)} has no worker within {TIMEOUT} s."
            ) from None

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connection. The cluster keeps running."""
        with contextlib.suppress(Exception):
            _answer(self._client.close, self._closing)

    def run(
        self, function: Function, shared: Any, items: Sequence[Any]
    ) -> Iterator[tuple[int, Any]]:
        """Yield index and result of each item; see :class:`solvers.selection.pools.Pool`.

        Raises
        ------
        ClusterLost
            If the scheduler or all workers do not answer any more.
        """
        try:
            yield from self._results(function, shared, items)
        except (CancelledError, OSError):
            raise self._lost("does not answer any more") from None

    def _results(
        self, function: Function, shared: Any, items: Sequence[Any]
    ) -> Iterator[tuple[int, Any]]:
        client = self._client
        workers = sum(_answer(client.ncores, MAX_SILENCE).values())
        shared_data = client.submit(_return_shared, shared, pure=False)
        futures = [
            client.submit(run_batch, function, shared_data, batch.start, items[batch], pure=False)
            for batch in batches(len(items), workers)
        ]
        try:
            for results in self._completed(futures):
                yield from results
        finally:
            with contextlib.suppress(Exception):
                _answer(lambda: client.cancel([*futures, shared_data]), self._closing)

    def _lost(self, how: str) -> ClusterLost:
        # Do not wait until tasks are cancelled or the connection is closed: nothing answers.
        self._closing = 0.0
        return ClusterLost(f"The Dask scheduler at {quote(self._address)} {how}.")

    def _completed(self, futures: Sequence[Any]) -> Iterator[Any]:
        """Yield the results of futures as soon as they are computed."""
        from distributed import (  # pyright: ignore[reportMissingImports]
            KilledWorker,
            as_completed,
        )

        completed = as_completed(futures, with_results=True, loop=self._client.loop)
        remaining, watch = len(futures), _Watch(self._client)
        while remaining:
            check_cancelled()
            ready = completed.next_batch(block=False)
            for future, results in ready:
                # If the scheduler is gone, futures are cancelled.
                if future.cancelled():
                    raise CancelledError
                if future.status == "error":
                    error = results[1]
                    if isinstance(error, KilledWorker):
                        raise self._lost("has lost every worker that trained one of the models")
                    raise error
                yield results
            remaining -= len(ready)
            if ready:
                watch.restart()
            elif watch.silence > MAX_SILENCE:
                if not watch.scheduler_answers:
                    raise self._lost(f"has not answered for {MAX_SILENCE:g} s")
                raise ClusterLost(
                    f"No worker of the Dask scheduler at {quote(self._address)} has answered for"
                    f" {MAX_SILENCE:g} s."
                )
            else:
                time.sleep(PAUSE)


def silence_logs() -> None:
    """Let Dask write nothing to stderr, such as tracebacks on connections that are lost.

    The command line says what happened in one sentence. This is called before a :class:`Cluster`
    is made. Dask is imported here, since it makes its handlers when it is imported.
    """
    with contextlib.suppress(ImportError):
        import distributed  # noqa: F401  # pyright: ignore[reportMissingImports]
    for name in ("distributed", "tornado.application", "asyncio"):
        logger = logging.getLogger(name)
        # Child loggers of "distributed" have levels of their own, but share its handlers.
        for handler in logger.handlers or (logging.NullHandler(),):
            handler.setLevel(logging.CRITICAL + 1)
            logger.addHandler(handler)
        logger.propagate = False


class _Watch:
    """The time since the last sign of life of any worker of a client.

    ``as_completed`` waits forever if all workers are gone, since others may come.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self._newest = 0.0
        # The question that the scheduler has not answered yet.
        self._asked: Future[Any] | None = None
        self.restart()

    @property
    def scheduler_answers(self) -> bool:
        """Whether the scheduler has answered the last question."""
        return self._asked is None

    def restart(self) -> None:
        """Set the time to 0, since a result has arrived."""
        self._alive = self._looked = time.monotonic()

    @property
    def silence(self) -> float:
        """The time since the last sign of life, in seconds."""
        now = time.monotonic()
        if self._asked is None and now - self._looked > WATCH:
            self._looked = now
            self._asked = _ask(self._client.scheduler_info)
        if self._asked is not None and self._asked.done():
            newest = self._newest
            with contextlib.suppress(OSError, KeyError):
                workers = self._asked.result()["workers"].values()
                newest = max((worker["last_seen"] for worker in workers), default=newest)
            if newest != self._newest:
                self._newest, self._alive = newest, now
            self._asked = None
        return now - self._alive


def _ask(call: Callable[[], Any]) -> Future[Any]:
    """Make a call that may never return, in a thread of its own; return its future result."""
    answer: Future[Any] = Future()

    def run() -> None:
        try:
            answer.set_result(call())
        except BaseException as error:
            answer.set_exception(error)

    # A daemon, so that the process may end while it waits.
    threading.Thread(target=run, name="question to Dask", daemon=True).start()
    return answer


def _answer(call: Callable[[], Any], seconds: float) -> Any:
    """Return the result of a call; raise TimeoutError, an OSError, if it takes longer than this.

    Raise Cancelled if the search is cancelled meanwhile.
    """
    answer, deadline = _ask(call), time.monotonic() + seconds
    while not answer.done() and time.monotonic() < deadline:
        check_cancelled()
        time.sleep(PAUSE)
    return answer.result(0.0)


def _return_shared(shared: Any) -> Any:
    """Return the argument. This is the task through which the shared data are passed."""
    return shared
