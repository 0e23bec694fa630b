"""What a background thread is asked for: only the newest counts."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

Order = TypeVar("Order")


class Inbox(Generic[Order]):
    """Room for one order to a thread; a newer one takes the place of one that has not begun."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._order: Order | None = None
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether there will be no more orders."""
        return self._closed

    @property
    def urges(self) -> bool:
        """Whether the thread should leave what it does, for a newer order or for good."""
        return self._order is not None or self._closed

    def put(self, order: Order) -> None:
        """Ask for something."""
        with self._changed:
            self._order = order
            self._changed.notify()

    def take(self, patience: float | None = None) -> Order | None:
        """The newest order; waits for one, for ever or for some s. None without one, or closed."""
        with self._changed:
            self._changed.wait_for(lambda: self.urges, patience)
            if self._closed:
                return None
            order, self._order = self._order, None
            return order

    def close(self) -> None:
        """Take no more orders, and wake the thread so that it may end."""
        with self._changed:
            self._closed = True
            self._changed.notify()
