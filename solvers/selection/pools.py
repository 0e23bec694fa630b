"""Pools that run fits: in the calling thread, or in other threads or processes.

A fit of a millisecond spends two thirds of its time in compiled code, which does not hold the
interpreter lock. On two cores, with 225 models and 5 folds of 300 points, two threads are at least
as fast as two processes that are already running. To start processes and load the library in them
takes more than a second. So threads are the default.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

Function = Callable[[Any, Any], Any]
# At least MIN_BATCHES batches per worker, so that results come soon; at most MAX_BATCH items per
# batch. A batch costs some tenths of a millisecond.
MIN_BATCHES, MAX_BATCH = 8, 10


class Pool(Protocol):
    """Runs a function on many items. The results are the same in all pools, but not their order."""

    def run(
        self, function: Function, shared: Any, items: Sequence[Any]
    ) -> Iterator[tuple[int, Any]]:
        """Yield index and ``function(shared, item)`` of each item as it is done.

        If the iterator is closed, items that have not begun are not computed.
        """
        ...


class Serial:
    """The calling thread, one item after the other."""

    def run(
        self, function: Function, shared: Any, items: Sequence[Any]
    ) -> Iterator[tuple[int, Any]]:
        for index, item in enumerate(items):
            yield index, function(shared, item)


class Local:
    """Threads or processes of this machine, by joblib.

    Parameters
    ----------
    jobs : int
        Number of workers.
    processes : bool
        Whether the workers are processes, which do not use the interpreter lock of the caller.
    """

    def __init__(self, jobs: int, processes: bool = False) -> None:
        self.jobs = jobs
        self._prefer: Any = "processes" if processes else "threads"

    def run(
        self, function: Function, shared: Any, items: Sequence[Any]
    ) -> Iterator[tuple[int, Any]]:
        # Imported here, so that the library loads without joblib.
        from joblib import Parallel, delayed

        # Batches are made here, so joblib gets a batch size of 1. Its type hints wrongly require a
        # text.
        size: Any = 1
        parallel = Parallel(
            self.jobs, prefer=self._prefer, return_as="generator_unordered", batch_size=size
        )
        parts = batches(len(items), self.jobs)
        done: Any = parallel(
            delayed(run_batch)(function, shared, part.start, items[part]) for part in parts
        )
        try:
            for results in done:
                yield from results
        finally:
            # joblib warns if results are not used; closing a stream leaves some unused on purpose.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                done.close()


def batches(count: int, workers: int) -> list[slice]:
    """Divide items into batches, of one item if there are few."""
    size = max(1, min(MAX_BATCH, count // (MIN_BATCHES * max(1, workers))))
    return [slice(start, start + size) for start in range(0, count, size)]


def run_batch(
    function: Function, shared: Any, first: int, items: Sequence[Any]
) -> list[tuple[int, Any]]:
    """Return index and result of each item; ``first`` is the index of the first."""
    return [(first + k, function(shared, item)) for k, item in enumerate(items)]


SERIAL = Serial()
