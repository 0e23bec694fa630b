"""Turns of the searches of a window, of which only one computes at a time."""

from __future__ import annotations

import threading
import time

# Time that a search computes before it is the turn of the next one, s. A thread notices only after
# some milliseconds that it is its turn, so much shorter turns would waste time.
TURN = 0.2


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
