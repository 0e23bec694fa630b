"""Passing requests to a background thread, which always takes the newest one."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

Request = TypeVar("Request")


class Inbox(Generic[Request]):
    """Holds one request for a thread. A newer request replaces one that was not taken yet."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._request: Request | None = None
        self._closed = self._woken = False

    @property
    def closed(self) -> bool:
        """Whether the inbox is closed, so that the thread must end."""
        return self._closed

    @property
    def is_urgent(self) -> bool:
        """Whether the thread should stop working: a newer request waits, or the inbox is closed."""
        return self._request is not None or self._closed

    def put(self, request: Request) -> None:
        """Store a request in place of one that was not taken yet, and wake the thread."""
        with self._changed:
            self._request = request
            self._changed.notify()

    def take(self, timeout: float | None = None) -> Request | None:
        """Wait for a request, at most ``timeout`` s, and take it.

        Return None if no request comes in this time, after :meth:`wake`, or if the inbox is closed.
        """
        with self._changed:
            self._changed.wait_for(lambda: self.is_urgent or self._woken, timeout)
            self._woken = False
            if self._closed:
                return None
            request, self._request = self._request, None
            return request

    def wake(self) -> None:
        """End the wait for a request, or the next wait if the thread does not wait now."""
        with self._changed:
            self._woken = True
            self._changed.notify()

    def close(self) -> None:
        """Close the inbox, and wake the thread so that it ends."""
        with self._changed:
            self._closed = True
            self._changed.notify()
