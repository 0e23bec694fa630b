"""How long a test waits for what it needs: until it is there, however busy the machine is.

A test never waits for a time. What has not come after ``GENEROUS`` seconds will not come; only a
test that fails waits that long. Where something must *not* happen, a test waits for something that
comes after it.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from pytestqt.qtbot import QtBot

# Seconds: enough to compile a method beside others that compile.
GENEROUS = 120.0
_MS = round(1000 * GENEROUS)


class PatientBot(QtBot):
    """``qtbot`` whose waits end by themselves only when there is no hope."""

    def waitUntil(self, callback, *, timeout=_MS):
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal, *, timeout=_MS, **options):
        return super().waitSignal(signal, timeout=timeout, **options)

    def waitExposed(self, widget, *, timeout=_MS):
        return super().waitExposed(widget, timeout=timeout)

    def waitActive(self, widget, *, timeout=_MS):
        return super().waitActive(widget, timeout=timeout)


def wait_for(condition: Callable[[], object]) -> None:
    """Wait until something is so, without an event loop."""
    deadline = time.monotonic() + GENEROUS
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.001)
