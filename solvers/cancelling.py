"""Cancelling a long search, or a wait for compiled code, from outside the thread that runs it.

Code that runs a method in a thread says how to ask whether the result is still wanted::

    with cancel_when(lambda: something_newer_came):
        run = Run(problem, method)

Whatever may take seconds calls :func:`check_cancelled` now and then. The question belongs to the
thread (a context variable), so it need not be passed through every method.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_unwanted: ContextVar[Callable[[], bool] | None] = ContextVar("unwanted", default=None)


class Cancelled(Exception):
    """A search or a wait was cancelled; it has no result."""


@contextmanager
def cancel_when(unwanted: Callable[[], bool]) -> Iterator[None]:
    """End searches in this block with :class:`Cancelled` once ``unwanted()`` is true."""
    token = _unwanted.set(unwanted)
    try:
        yield
    finally:
        _unwanted.reset(token)


def check_cancelled() -> None:
    """Raise :class:`Cancelled` if the result is no longer wanted."""
    unwanted = _unwanted.get()
    if unwanted is not None and unwanted():
        raise Cancelled
