"""The request that a background thread gets next: only the newest counts."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

Order = TypeVar("Order")


class Inbox(Generic[Order]):
    """Slot for one order to a thread; a newer order replaces one that was not taken yet."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._order: Order | None = None
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether the inbox is closed, so that no order will come."""
        return self._closed

    @property
    def is_urgent(self) -> bool:
        """Whether the thread should stop its work: a newer order is waiting, or it must end."""
        return self._order is not None or self._closed

    def put(self, order: Order) -> None:
        """Put an order into the slot."""
        with self._changed:
            self._order = order
            self._changed.notify()

    def take(self, timeout: float | None = None) -> Order | None:
        """Wait for the newest order, at most ``timeout`` s; None if there is none, or if closed."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_urgent, timeout)
            if self._closed:
                return None
            order, self._order = self._order, None
            return order

    def close(self) -> None:
        """Refuse further orders, and wake the thread so that it may end."""
        with self._changed:
            self._closed = True
            self._changed.notify()
