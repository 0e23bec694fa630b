"""Progress of long work, and cancelling it, or a wait for compiled code, from another thread.

The thread that runs a method first sets the condition under which it is cancelled::

    with cancel_when(lambda: newer_run_was_requested):
        run = Run(problem, method)

A search or wait that may take seconds calls :func:`check_cancelled` between its steps. The
condition is a context variable: each thread has its own, and no method needs it as a parameter.

Long work of which people see the progress has a parameter ``report``, a :data:`Report`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

# A function that receives the fraction of the work that is done, 0 to 1. It may raise `Cancelled`.
Report = Callable[[float], None]

_condition: ContextVar[Callable[[], bool] | None] = ContextVar("cancel_condition", default=None)


def no_report(_share: float) -> None:
    """Report nothing."""


class Cancelled(Exception):
    """Raised by :func:`check_cancelled` to end a search or a wait that was cancelled."""


@contextmanager
def cancel_when(condition: Callable[[], bool]) -> Iterator[None]:
    """Let searches and waits in this block raise :class:`Cancelled` if ``condition()`` is true."""
    token = _condition.set(condition)
    try:
        yield
    finally:
        _condition.reset(token)


def check_cancelled() -> None:
    """Raise :class:`Cancelled` if the condition of this thread is true."""
    condition = _condition.get()
    if condition is not None and condition():
        raise Cancelled
