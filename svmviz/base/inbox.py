"""The request that a background thread takes next; a newer one replaces it."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

Request = TypeVar("Request")


class Inbox(Generic[Request]):
    """A slot for one request to a thread; a newer request replaces one that was not taken yet."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._order: Request | None = None
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether the inbox is closed, so that no request will come."""
        return self._closed

    @property
    def is_urgent(self) -> bool:
        """Whether the thread should stop its work: a newer request is waiting, or it must end."""
        return self._order is not None or self._closed

    def put(self, request: Request) -> None:
        """Put an request into the slot."""
        with self._changed:
            self._order = request
            self._changed.notify()

    def take(self, timeout: float | None = None) -> Request | None:
        """Wait for the newest request, at most ``timeout`` s.

        None if none comes, or after closing.
        """
        with self._changed:
            self._changed.wait_for(lambda: self.is_urgent, timeout)
            if self._closed:
                return None
            request, self._order = self._order, None
            return request

    def close(self) -> None:
        """Refuse further orders, and wake the thread so that it may end."""
        with self._changed:
            self._closed = True
            self._changed.notify()
