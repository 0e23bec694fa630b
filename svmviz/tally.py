"""Where in a run something happened, counted while it grows: the work is that of the new steps."""

from __future__ import annotations

import numpy as np

from solvers import Run

# Steps that are counted together; in parts of fewer steps than this each is looked at.
BLOCK = 64
# New steps looked at in one call, which takes some ms.
MOST = 2 * 1024 * 1024


class Tally:
    """How many steps of a run carry a mark.

    Parameters
    ----------
    run : Run
    mark : int
        One of the marks of ``solvers.trace``.
    """

    def __init__(self, run: Run, mark: int) -> None:
        self.run, self._mark = run, mark
        # Marked steps before each block and after the last; room is made for twice as many.
        self._before = np.zeros(1024, dtype=np.int64)
        self._blocks = 0
        # Runs up to this length are looked at step by step.
        self._exact = 0

    def density(self, length: int, parts: int) -> np.ndarray:
        """Share of marked steps in each of at most so many equal parts of the first steps.

        Parameters
        ----------
        length : int
            How many steps, at most ``run.steps``.
        parts : int

        Returns
        -------
        float array, shape (min(length, parts),)
            Where parts are longer than a block, to within a block at either end. What is not
            looked at yet counts as unmarked, see :meth:`is_up_to_date`.
        """
        count = min(length, parts)
        if count == 0:
            return np.zeros(0)
        edges = np.arange(count + 1) * length // count
        self._exact = BLOCK * parts
        if length <= self._exact:
            marked = self._marks(0, length)
            sums = np.concatenate([[0], np.cumsum(marked)])[edges]
        else:
            self._grow(length)
            sums = self._sums(edges)
        return np.diff(sums) / np.diff(edges)

    def is_up_to_date(self, length: int) -> bool:
        """Whether all of the first steps are counted; else ask for their density once more."""
        return length // BLOCK <= self._blocks or length <= self._exact

    def _marks(self, start: int, stop: int) -> np.ndarray:
        return (self.run.trace.marks(start, stop) & self._mark) != 0

    def _grow(self, length: int) -> None:
        """Count the whole blocks that are new."""
        first = self._blocks
        last = min(length // BLOCK, first + MOST // BLOCK)
        if last >= len(self._before):
            self._before = np.concatenate([self._before, np.zeros(max(last, first), np.int64)])
        if last > first:
            counts = self._marks(first * BLOCK, last * BLOCK).reshape(-1, BLOCK).sum(axis=1)
            self._before[first + 1 : last + 1] = self._before[first] + np.cumsum(counts)
            self._blocks = last

    def _sums(self, edges: np.ndarray) -> np.ndarray:
        """Marked steps before each edge; inside a block by proportion."""
        block = np.minimum(edges // BLOCK, self._blocks)
        after = self._before[np.minimum(block + 1, self._blocks)]
        before = self._before[block]
        return before + (after - before) * ((edges - block * BLOCK) / BLOCK)
