"""Cancelling a long search from outside.

The code that runs a method in a thread says when its result is no longer wanted::

    with cancel_when(lambda: something_newer_came):
        run = Run(problem, method)

A search that may take seconds calls :func:`check_cancelled` between its steps. The condition is a
context variable, so it belongs to the thread and need not be passed through every method.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_unwanted: ContextVar[Callable[[], bool] | None] = ContextVar("unwanted", default=None)


class Cancelled(Exception):
    """Raised by a search that was cancelled; its result is not known."""


@contextmanager
def cancel_when(unwanted: Callable[[], bool]) -> Iterator[None]:
    """End searches in this block with :class:`Cancelled` as soon as ``unwanted()`` is true."""
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
