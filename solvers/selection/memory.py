"""Results in memory, so that a search that was cancelled in this process can continue."""

from __future__ import annotations

import threading
from dataclasses import fields

import numpy as np

from solvers.problem.problem import Problem
from solvers.selection.fitting import Fit, FitRequest
from solvers.selection.keys import Keys

# Memory that a result takes in addition to its arrays, for the object and its key, in bytes.
OVERHEAD = 700
# Memory for all results, in bytes.
MAX_BYTES = 100_000_000


class Memory:
    """Results for any points. If the results take too much memory, the oldest are removed.

    Any thread may call the methods.

    Parameters
    ----------
    max_bytes : int
        Memory for all results, in bytes.
    """

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._results: dict[str, Fit] = {}
        self._lock = threading.Lock()

    def store(self, problem: Problem) -> MemoryStore:
        """Return the store for the points of a problem."""
        return MemoryStore(self, problem)

    def find(self, key: str) -> Fit | None:
        """Return the result of a key, or None if there is none."""
        return self._results.get(key)

    def keep(self, key: str, result: Fit) -> None:
        """Store a result; remove the oldest results if all results take too much memory."""
        with self._lock:
            if key in self._results:
                return
            self._results[key] = result
            self._bytes += _size(result)
            while self._bytes > self._max_bytes:
                oldest = next(iter(self._results))
                self._bytes -= _size(self._results.pop(oldest))


class MemoryStore(Keys):
    """The results of a :class:`Memory` for one set of points.

    Parameters
    ----------
    memory : Memory
    problem : Problem
    """

    def __init__(self, memory: Memory, problem: Problem) -> None:
        super().__init__(problem)
        self._memory = memory

    def find(self, kind: str, key: str, request: FitRequest) -> Fit | None:
        """Return the result of a key, or None if there is none."""
        return self._memory.find(key)

    def keep(self, key: str, result: Fit) -> None:
        """Store a result under a key."""
        self._memory.keep(key, result)


def _size(result: Fit) -> int:
    """Return the memory that a result takes, in bytes."""
    values = (getattr(result, field.name) for field in fields(result))
    return OVERHEAD + sum(value.nbytes for value in values if isinstance(value, np.ndarray))
