"""The time for which the event loop is blocked, and the code that blocks it."""

from __future__ import annotations

import contextlib
import faulthandler
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from PySide6.QtCore import QObject, Qt, QTimer

# Between two beats, ms; and how late a beat is before the stack is looked at, s.
BEAT, LATE = 10, 0.15
# Gaps below this are not written down, s.
MIN_SHOWN_SECONDS = 0.1
# Lines of a stack that are kept.
STACK = 12
# A process that sleeps until its standard input ends, and prints its longest delay, s.
SLEEPER = f"""
import select, time
longest, last = 0.0, time.perf_counter()
while not select.select([0], [], [], {BEAT / 1e3})[0]:
    now = time.perf_counter()
    longest, last = max(longest, now - last), now
print(longest)
"""


@dataclass(frozen=True)
class Gap:
    """A time in which the event loop was blocked.

    Attributes
    ----------
    at : float
        Since the watchdog was made, s.
    wall : float
        As a user saw it, s.
    own : float
        The part of it that this process is to blame for, s. A machine that others use takes the
        processor away: that time of the window's thread does not count, nor does a wait for
        another thread of this process that did not get to run either.
    stack : str
        Where the window's thread was when the beat was late; empty if nothing could look.
    """

    at: float
    wall: float
    own: float
    stack: str = ""


class Watchdog(QObject):
    """A timer in the event loop that records the gaps between its ticks.

    Its slot is short, so that it beats within the loops of dialogs as well.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.gaps: list[Gap] = []
        self._began = self._last = time.perf_counter()
        self._readings = _readings()
        self._stack = ""
        self._main = threading.get_ident()
        self._ended = threading.Event()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(BEAT)
        self._timer.timeout.connect(self._beat)
        self._timer.start()
        self._thread = threading.Thread(target=self._look, name="watchdog", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop the timer and the watching thread."""
        self._timer.stop()
        self._ended.set()
        self._thread.join()

    def forgive(self) -> None:
        """Start again: the delays until now were caused by the campaign itself."""
        self._last, self._readings = time.perf_counter(), _readings()

    def _beat(self) -> None:
        now, readings = time.perf_counter(), _readings()
        wall = now - self._last
        if wall > MIN_SHOWN_SECONDS:
            own = _own_part(wall, self._readings, readings)
            self.gaps.append(Gap(now - self._began, wall, own, self._stack))
        self._last, self._readings, self._stack = now, readings, ""

    def _look(self) -> None:
        while not self._ended.wait(0.02):
            if time.perf_counter() - self._last > LATE and not self._stack:
                self._stack = self._stack_of_window()

    def _stack_of_window(self) -> str:
        """Return the stack of the window's thread, the innermost call first.

        Not by ``sys._current_frames()``: this thread would hold frames, and what it let go of last
        (painters, say) would be destroyed in the wrong thread.
        """
        with tempfile.TemporaryFile("w+") as file:
            faulthandler.dump_traceback(file, all_threads=True)
            file.seek(0)
            threads = file.read().split("\n\n")
        own = [text for text in threads if f"Thread 0x{self._main:016x}" in text]
        return "\n".join(own[0].splitlines()[:STACK]) if own else ""

    def report(self) -> dict[str, object]:
        """The gaps for JSON."""
        return {"gaps": [asdict(gap) for gap in self.gaps]}


@contextlib.contextmanager
def longest_delay() -> Iterator[list[float]]:
    """Run a process that only sleeps; at the end, the list holds its longest delay in seconds.

    That is what the machine does to every process, whatever the program does.
    """
    found: list[float] = []
    sleeper = subprocess.Popen(
        [sys.executable, "-c", SLEEPER], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        yield found
    finally:
        found.append(float(sleeper.communicate()[0]))


def _readings() -> dict[int, tuple[float, float]]:
    """For each thread the time that it ran, and that it waited for a processor, s."""
    readings = {}
    for task in os.listdir("/proc/self/task"):
        # A thread may have ended since.
        with contextlib.suppress(OSError, IndexError):
            with open(f"/proc/self/task/{task}/schedstat") as file:
                ran, waited = file.read().split()[:2]
            readings[int(task)] = int(ran) / 1e9, int(waited) / 1e9
    return readings


def _own_part(
    wall: float, before: dict[int, tuple[float, float]], after: dict[int, tuple[float, float]]
) -> float:
    """Return the part of a gap in which the window's thread ran, or waited for one that could.

    What it waits for is not known, so that is taken for the thread that got a processor least.
    """
    nothing = (0.0, 0.0)
    changes = {
        task: tuple(b - a for a, b in zip(before.get(task, nothing), now, strict=True))
        for task, now in after.items()
    }
    ran, waited = changes.pop(threading.get_native_id(), nothing)
    starved = max((other[1] for other in changes.values()), default=0.0)
    return ran + max(0.0, wall - ran - waited - starved)
