"""Pools that run fits: in the calling thread, or in other threads or processes.

By default, :class:`Local` uses threads. A fit of one millisecond spends two thirds of its time in
compiled code, which does not hold the interpreter lock. On two cores, with 225 models and 5 folds
of 300 points, two threads are at least as fast as two processes that are already running. Starting
processes and loading the library in them takes more than a second.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

# Called with the shared data and an item; returns the result of the item.
Function = Callable[[Any, Any], Any]
# A *batch* is a few items that are passed to a worker together, since passing costs some tenths of
# a millisecond.

# Minimum number of batches per worker, so that the first results come soon; and maximum number of
# items per batch.
MIN_BATCHES, MAX_BATCH = 8, 10


class Pool(Protocol):
    """Runs a function on many items. All pools give the same results, but in different order."""

    def run(
        self, function: Function, shared: Any, items: Sequence[Any]
    ) -> Iterator[tuple[int, Any]]:
        """Yield the index and result of each item, as soon as it is computed.

        The result is ``function(shared, item)``. After the iterator is closed, at most the items
        that were already passed to workers are still computed, and their results are lost.
        """
        ...


class Serial:
    """The calling thread; it computes one item after the other."""

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
        Whether the workers are processes. Processes do not share an interpreter lock.
    """

    def __init__(self, jobs: int, processes: bool = False) -> None:
        self.jobs = jobs
        self._prefer: Any = "processes" if processes else "threads"

    def run(
        self, function: Function, shared: Any, items: Sequence[Any]
    ) -> Iterator[tuple[int, Any]]:
        # joblib is imported here, so that the library can be imported without it.
        from joblib import Parallel, delayed

        # For joblib, each of our batches is one task, so the batch size of joblib is 1. The type
        # hints of joblib wrongly require a text, so the type is Any.
        size: Any = 1
        parallel = Parallel(
            self.jobs, prefer=self._prefer, return_as="generator_unordered", batch_size=size
        )
        computed: Any = parallel(
            delayed(run_batch)(function, shared, batch.start, items[batch])
            for batch in batches(len(items), self.jobs)
        )
        try:
            for results in computed:
                yield from results
        finally:
            # joblib warns about results that are not used. A caller that closes the iterator does
            # not need them.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                computed.close()


def batches(count: int, workers: int) -> list[slice]:
    """Divide ``count`` items into batches; return the slice of the items of each batch."""
    size = max(1, min(MAX_BATCH, count // (MIN_BATCHES * max(1, workers))))
    return [slice(start, start + size) for start in range(0, count, size)]


def run_batch(
    function: Function, shared: Any, first: int, items: Sequence[Any]
) -> list[tuple[int, Any]]:
    """Return index and result of each item of a batch; ``first`` is the index of its first item."""
    return [(first + k, function(shared, item)) for k, item in enumerate(items)]


# The pool of searches for which no pool is given.
SERIAL = Serial()
