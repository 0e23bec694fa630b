"""Handling of Ctrl+C, which ends a command at once and removes unfinished files."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable
from types import FrameType
from typing import NoReturn

_clean_ups: list[Callable[[], object]] = []


def on_interrupt(clean_up: Callable[[], object]) -> None:
    """Register a function that is called if the process ends by an interrupt or by :func:`end`."""
    _clean_ups.append(clean_up)


def end_on_interrupt() -> None:
    """Make Ctrl+C call the registered functions and end the process with exit code 130.

    Python's KeyboardInterrupt is not used, since libraries cannot handle it: Qt's painter crashes,
    numba turns it into other exceptions, and an interrupted import looks like a missing library. If
    the process was started to ignore interrupts, it keeps ignoring them.
    """
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _end)


def ignore_interrupts() -> None:
    """Ignore Ctrl+C from now on; call this when all work is done and the interpreter ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def end(code: int) -> NoReturn:
    """Call the registered functions and end the process, without waiting for threads."""
    for clean_up in _clean_ups:
        with contextlib.suppress(Exception):
            clean_up()
    os._exit(code)


def _end(number: int, _frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)
    end(128 + number)
