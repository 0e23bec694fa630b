"""Leftovers of a test: Python threads, Qt threads, and active timers.

Qt has no list of its timers, so every QTimer and QThread made from Python is noted down as it is
made. (Searching the garbage collector's objects instead takes 100 ms a test.) Qt's own timers,
such as a blinking cursor's, are not made from Python and do not count.
"""

import threading
import time
from typing import Any
from weakref import WeakSet

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QThread, QThreadPool, QTimer

from svmviz.base.background import IDLE

# A solver's thread that was closed while it compiled ends when the compiler is done: on a busy
# machine without a cache that is beyond a minute. Only a test that fails has to wait that long.
SECONDS_TO_END = 120.0

_made: WeakSet[Any] = WeakSet()


def _note_down(kind: type) -> None:
    """Record every new object of a Qt class, or of a subclass."""
    original = kind.__init__

    def __init__(self, *args, **options):
        original(self, *args, **options)
        _made.add(self)

    kind.__init__ = __init__


_note_down(QTimer)
_note_down(QThread)


def find_running() -> set[Any]:
    """Threads that are alive and timers that are active, now."""
    running: set[Any] = {thread for thread in threading.enumerate() if _matters(thread)}
    for made in list(_made):
        if shiboken6.isValid(made) and (
            made.isActive() if isinstance(made, QTimer) else made.isRunning()
        ):
            running.add(made)
    if QThreadPool.globalInstance().activeThreadCount():
        running.add("the global QThreadPool")
    return running


def _matters(thread: threading.Thread) -> bool:
    # Python makes up an object for a thread of Qt's that calls it, and never takes it away.
    # Threads of workers wait for more work, and have the name of the worker while they work.
    return not isinstance(thread, threading._DummyThread) and thread.name != IDLE


def wait_for_end(before: set[Any]) -> set[Any]:
    """Return what still runs and did not before, after unused windows are deleted.

    Threads and single shots get a moment to end by themselves; other timers do not, since time
    only makes them tick. (``QTimer.singleShot`` with a receiver that is deleted leaves its timer.)
    """
    if QCoreApplication.instance():
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    deadline = time.monotonic() + SECONDS_TO_END
    while left := find_running() - before:
        if time.monotonic() > deadline or any(map(_repeats, left)):
            return left
        if QCoreApplication.instance():
            QCoreApplication.processEvents()
        time.sleep(0.005)
    return set()


def _repeats(one: Any) -> bool:
    return isinstance(one, QTimer) and shiboken6.isValid(one) and not one.isSingleShot()
