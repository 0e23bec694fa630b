"""Density of the steps that carry a mark. Each call counts only the new steps."""

from __future__ import annotations

import numpy as np

from solvers import Run

# Number of steps per block. For a long run, only the number of marked steps before each block is
# stored.
BLOCK = 64
# Maximum number of new steps counted in one call, which takes 1 to 2 ms.
MAX_NEW = 256 * 1024


class Tally:
    """Counter of the steps of a run that carry a mark.

    Parameters
    ----------
    run : Run
    mark : int
        One of the marks of ``solvers.run.trace``.
    """

    def __init__(self, run: Run, mark: int) -> None:
        self.run, self._mark = run, mark
        # Number of marked steps before each block, and up to the end of the last block. The array
        # is longer than needed; its length is doubled when it is full.
        self._before = np.zeros(1024, dtype=np.int64)
        # Number of blocks that have been counted.
        self._blocks = 0

    def density(self, length: int, parts: int) -> tuple[np.ndarray, int]:
        """Return the fraction of marked steps in each of several nearly equal parts of a run.

        Parameters
        ----------
        length : int
            Number of steps to divide into parts, at most ``run.steps``.
        parts : int
            Maximum number of parts.

        Returns
        -------
        fractions : float array, shape (min(steps, parts),)
            One per part. If parts are longer than a block, a block may lie in two parts. The marks
            of that block are then divided between both parts in proportion.
        steps : int
            Number of steps that the fractions cover. If more than ``MAX_NEW`` steps are new, it is
            below ``length``, and the caller should call again.
        """
        is_long = length > BLOCK * parts
        if is_long:
            self._grow(length)
            if self._blocks < length // BLOCK:
                length = self._blocks * BLOCK
        count = min(length, parts)
        if count == 0:
            return np.zeros(0), 0
        edges = np.arange(count + 1) * length // count
        if is_long:
            sums = self._sums(edges)
            # Only the last edge may be after the last whole block, because parts are longer than
            # blocks.
            sums[-1] += self._marks(min(self._blocks * BLOCK, length), length).sum()
        else:
            sums = np.concatenate([[0], np.cumsum(self._marks(0, length))])[edges]
        return np.diff(sums) / np.diff(edges), length

    def _marks(self, start: int, stop: int) -> np.ndarray:
        """Return which steps from ``start`` up to, but not including, ``stop`` are marked."""
        return (self.run.trace.marks(start, stop) & self._mark) != 0

    def _grow(self, length: int) -> None:
        """Count the whole blocks up to ``length`` that are new, but at most MAX_NEW steps."""
        first = self._blocks
        last = min(length // BLOCK, first + MAX_NEW // BLOCK)
        if last >= len(self._before):
            self._before = np.concatenate([self._before, np.zeros(max(last, first), np.int64)])
        if last > first:
            counts = self._marks(first * BLOCK, last * BLOCK).reshape(-1, BLOCK).sum(axis=1)
            self._before[first + 1 : last + 1] = self._before[first] + np.cumsum(counts)
            self._blocks = last

    def _sums(self, edges: np.ndarray) -> np.ndarray:
        """Return the number of marked steps before each of the steps ``edges``.

        Inside a block the number is interpolated linearly.
        """
        block = np.minimum(edges // BLOCK, self._blocks)
        after = self._before[np.minimum(block + 1, self._blocks)]
        before = self._before[block]
        return before + (after - before) * ((edges - block * BLOCK) / BLOCK)
