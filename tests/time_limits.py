"""Time limits of the tests, which are long enough on a busy machine.

A test waits for a condition, never for a fixed time; only a failing test waits for ``TIME_LIMIT``
seconds. To check that something does *not* happen, a test waits for a later event.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from pytestqt.exceptions import TimeoutError
from pytestqt.qtbot import QtBot

# Enough to compile a method beside ten busy processes on two cores, and below the time limit of a
# whole test in pyproject.toml, s.
TIME_LIMIT = 200.0
_MS = round(1000 * TIME_LIMIT)
# Time between two looks at a condition, ms.
LOOK_EVERY = 3


class LongWaitBot(QtBot):
    """``qtbot`` whose waits have a long time limit."""

    def waitUntil(self, callback, *, timeout=_MS):
        """Wait until the callback returns something true or None, and raises no AssertionError.

        That of pytest-qt looks every 10 ms, and refuses an empty list.
        """
        deadline = time.monotonic() + timeout / 1000
        while True:
            trouble = None
            try:
                result = callback()
                if result is None or result:
                    return
            except AssertionError as error:
                trouble = error
            if time.monotonic() > deadline:
                raise TimeoutError(f"waitUntil timed out in {timeout} milliseconds") from trouble
            self.wait(LOOK_EVERY)

    def waitSignal(self, signal, *, timeout=_MS, **options):
        return super().waitSignal(signal, timeout=timeout, **options)

    def waitExposed(self, widget, *, timeout=_MS):
        return super().waitExposed(widget, timeout=timeout)

    def waitActive(self, widget, *, timeout=_MS):
        return super().waitActive(widget, timeout=timeout)


def wait_for(condition: Callable[[], object]) -> None:
    """Wait until a condition holds, without an event loop."""
    deadline = time.monotonic() + TIME_LIMIT
    while not condition():
        assert time.monotonic() < deadline, "the condition never held"
        time.sleep(0.001)
