"""Cancelling a long search, or a wait for compiled code, from another thread.

The thread that runs a method first sets the condition under which it is cancelled::

    with cancel_when(lambda: a_newer_run_was_requested):
        run = Run(problem, method)

A search or wait that may take seconds calls :func:`check_cancelled` between its steps. The
condition is a context variable: each thread has its own, and no method needs it as a parameter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_condition: ContextVar[Callable[[], bool] | None] = ContextVar("unwanted", default=None)


class Cancelled(Exception):
    """Raised by a search or a wait that was cancelled, so that it returns no result."""


@contextmanager
def cancel_when(unwanted: Callable[[], bool]) -> Iterator[None]:
    """End searches in this block with :class:`Cancelled` once ``unwanted()`` is true."""
    token = _condition.set(unwanted)
    try:
        yield
    finally:
        _condition.reset(token)


def check_cancelled() -> None:
    """Raise :class:`Cancelled` if the result is no longer wanted."""
    unwanted = _condition.get()
    if unwanted is not None and unwanted():
        raise Cancelled
