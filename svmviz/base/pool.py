"""Work in Qt's thread pool, whose result comes back to the GUI thread.

The program waits for such work before it destroys Qt's objects, so the work may use QImage and
QPainter.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal

from solvers.cancelling import Cancelled
from svmviz.base.background import lower_thread_priority

log = logging.getLogger(__name__)


def run_in_pool(work: Callable[[], Any], receive: Callable[[Any], None]) -> None:
    """Run ``work()`` in another thread; then the calling thread runs ``receive(result)``.

    Parameters
    ----------
    work : callable() -> object
        If it raises, the result is None, and the error is logged. If it raises `Cancelled`, nothing
        is logged, since the window is closing.
    receive : callable(object)
        A method of a QObject. It is not called if that object has been deleted.
    """
    notifier = _Notifier()
    notifier.ready.connect(receive)
    QThreadPool.globalInstance().start(_PoolTask(work, notifier))


class _Notifier(QObject):
    """A sender of the signal that work is done. Qt drops the connection of a deleted receiver."""

    ready = Signal(object)


class _PoolTask(QRunnable):
    def __init__(self, work: Callable[[], Any], notifier: _Notifier) -> None:
        super().__init__()
        self._work, self._notifier = work, notifier

    def run(self) -> None:
        lower_thread_priority()
        result = None
        try:
            result = self._work()
        except Cancelled:
            pass
        except Exception:
            log.exception("Work in the background failed")
        # If the application has ended since, Qt has deleted the notifier.
        with contextlib.suppress(RuntimeError):
            self._notifier.ready.emit(result)
            # ``deleteLater`` deletes the notifier in the thread that made it.
            self._notifier.deleteLater()
