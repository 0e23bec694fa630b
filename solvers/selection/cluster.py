"""Fits on the workers of a Dask cluster, for searches that take too long on one machine.

This module needs the optional extra ``dask``. The workers need the same version of svmviz.

The data that all fits share are passed through a task that only returns them. If the worker that
stores the result of this task is killed, the scheduler runs the task again. joblib has a backend
for Dask as well, but it stores these data on one worker only, and they are lost if that worker is
killed.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from typing import Any

from solvers.errors import BadInput, quote
from solvers.selection.pools import Function, batches, run_batch

# Maximum time to wait for the scheduler, and again for its first worker, in seconds.
TIMEOUT = 5
# A search ends if no worker has sent a sign of life for this time, in seconds. Workers send one
# every second or two, also while they compute.
MAX_SILENCE = 20.0
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
    """

    def __init__(self, address: str) -> None:
        try:
            # Dask is imported here, because it is optional, and its import takes most of a second.
            from distributed import Client  # pyright: ignore[reportMissingImports]
        except ImportError:
            raise BadInput(NOT_INSTALLED) from None
        self._address = address
        try:
            self._client: Any = Client(address, timeout=TIMEOUT, set_as_default=False)
        except (OSError, ValueError):
            raise BadInput(
                f"No Dask scheduler answers at {quote(address)} within {TIMEOUT} s."
            ) from None
        try:
            self._client.wait_for_workers(1, timeout=TIMEOUT)
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
        with contextlib.suppress(OSError):
            self._client.close()

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
            raise self._lost() from None

    def _results(
        self, function: Function, shared: Any, items: Sequence[Any]
    ) -> Iterator[tuple[int, Any]]:
        client = self._client
        workers = sum(client.ncores().values())
        shared_data = client.submit(_return_shared, shared, pure=False)
        futures = [
            client.submit(run_batch, function, shared_data, batch.start, items[batch], pure=False)
            for batch in batches(len(items), workers)
        ]
        try:
            for results in self._completed(futures):
                yield from results
        finally:
            with contextlib.suppress(CancelledError, OSError):
                client.cancel([*futures, shared_data])

    def _lost(self) -> ClusterLost:
        return ClusterLost(
            f"The Dask scheduler at {quote(self._address)} does not answer any more."
        )

    def _completed(self, futures: Sequence[Any]) -> Iterator[Any]:
        """Yield the results of futures as soon as they are computed."""
        from distributed import as_completed  # pyright: ignore[reportMissingImports]

        completed = as_completed(futures, with_results=True, loop=self._client.loop)
        remaining, watch = len(futures), _Watch(self._client)
        while remaining:
            ready = completed.next_batch(block=False)
            # If the scheduler is gone, futures are cancelled.
            if any(future.cancelled() for future, _ in ready):
                raise self._lost()
            yield from (results for _, results in ready)
            remaining -= len(ready)
            if ready:
                watch.restart()
            elif watch.silence > MAX_SILENCE:
                raise ClusterLost(
                    f"No worker of the Dask scheduler at {quote(self._address)} has answered for"
                    f" {MAX_SILENCE:g} s."
                )
            else:
                time.sleep(PAUSE)


def silence_logs() -> None:
    """Let Dask write nothing to stderr, such as tracebacks on connections that are lost.

    The command line says what happened in one sentence. This is called once a :class:`Cluster`
    exists, since Dask makes its handlers when it is imported.
    """
    for name in ("distributed", "tornado.application", "asyncio"):
        logger = logging.getLogger(name)
        # Children of "distributed" have levels of their own, but they write by its handlers.
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
        self.restart()

    def restart(self) -> None:
        """Set the time to 0, since a result has arrived."""
        self._alive = self._looked = time.monotonic()

    @property
    def silence(self) -> float:
        """The time since the last sign of life, in seconds."""
        now = time.monotonic()
        if now - self._looked > WATCH:
            self._looked = now
            newest = self._newest
            with contextlib.suppress(OSError):
                workers = self._client.scheduler_info()["workers"].values()
                newest = max((worker["last_seen"] for worker in workers), default=newest)
            if newest != self._newest:
                self._newest, self._alive = newest, now
        return now - self._alive


def _return_shared(shared: Any) -> Any:
    """Return the argument. This is the task through which the shared data are passed."""
    return shared
