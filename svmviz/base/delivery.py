"""Bringing results of other threads back to the GUI thread."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal


def delivering(work: Callable[[], Any], receive: Callable[[Any], None]) -> Callable[[], None]:
    """Return a job for a worker: ``work()``. Then this thread runs ``receive(result)``.

    Parameters
    ----------
    work : callable() -> object
        If it raises, nothing is delivered.
    receive : callable(object)
        A method of a QObject. It is not called if that object has been deleted.
    """
    notifier = _Notifier()
    notifier.ready.connect(receive)

    def job() -> None:
        try:
            result = work()
            # If the application has ended since, Qt has deleted the notifier.
            with contextlib.suppress(RuntimeError):
                notifier.ready.emit(result)
        finally:
            with contextlib.suppress(RuntimeError):
                # ``deleteLater`` deletes the notifier in the thread that made it.
                notifier.deleteLater()

    return job


class _Notifier(QObject):
    """A sender of the signal that work is done. Qt drops the connection of a deleted receiver."""

    ready = Signal(object)
