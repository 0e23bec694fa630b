"""Where fits run: in the calling thread, or in threads or processes of a pool.

A fit of a millisecond spends two thirds of it in compiled code, which holds no lock. On two cores
and 225 models with 5 folds of 300 points, two threads take as long as two processes that are
already running, or less; processes have to be started first, and load the library, which takes
more than a second. So threads are the default.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

Function = Callable[[Any, Any], Any]
# Batches per worker, and items per batch: results should come soon, but a batch costs some tenths
# of a millisecond.
MIN_BATCHES, MAX_BATCH = 8, 10


class Pool(Protocol):
    """Runs a function on many items; all pools give the same results, in another order."""

    def run(
        self, function: Function, shared: Any, items: Sequence[Any]
    ) -> Iterator[tuple[int, Any]]:
        """Yield index and ``function(shared, item)`` of each item as it is done.

        Closing the iterator drops what has not begun.
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
        Whether they are processes, which leave the interpreter lock to the caller.
    """

    def __init__(self, jobs: int, processes: bool = False) -> None:
        self.jobs = jobs
        self._prefer: Any = "processes" if processes else "threads"

    def run(
        self, function: Function, shared: Any, items: Sequence[Any]
    ) -> Iterator[tuple[int, Any]]:
        # Imported late: the library loads without it.
        from joblib import Parallel, delayed

        # Batches are made here, so joblib should make none. Its types say that a size is a text.
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
            # joblib warns of results that are not used, which is what closing a stream means.
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
