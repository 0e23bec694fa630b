"""Giving up a long search from outside: between two steps it asks whether it is still wanted.

Whoever runs a method in a thread says how to ask, for as long as that takes::

    with asking(lambda: something_newer_came):
        run = Run(problem, method)

and searches that may take seconds call :func:`breathe`. What asks belongs to the thread (a context
variable), so it need not be handed through every method to the one search deep inside that is long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_unwanted: ContextVar[Callable[[], bool] | None] = ContextVar("unwanted", default=None)


class GivenUp(Exception):
    """A search was given up; what it would have found is not known."""


@contextmanager
def asking(unwanted: Callable[[], bool]) -> Iterator[None]:
    """Have searches in this block end with :class:`GivenUp` once ``unwanted()`` is true."""
    token = _unwanted.set(unwanted)
    try:
        yield
    finally:
        _unwanted.reset(token)


def breathe() -> None:
    """Raise :class:`GivenUp` if nobody wants the result any more."""
    unwanted = _unwanted.get()
    if unwanted is not None and unwanted():
        raise GivenUp
