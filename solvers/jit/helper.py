"""Letting another process compile: a program that may not stall only loads machine code.

The compiler is Python for the most part, so it would hold the interpreter lock for seconds. Within
:func:`compiling_elsewhere`, a function whose machine code is not kept yet is requested from a
second process (:mod:`solvers.precompile`), and the thread that calls it waits without the lock. The
two share only the folder of the machine code: a note in it says that a function is there. So it
does not matter which process compiled it, or whether one is killed. Without a folder or a second
process, functions are compiled where they are called, as in scripts and tests.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from solvers.cancelling import Cancelled, check_cancelled
from solvers.jit import cache

if TYPE_CHECKING:
    import subprocess

# What the second process runs: the top of the library, which knows all methods.
PROGRAM = "solvers.precompile"
# Seconds between two looks whether a function is there.
LOOK = 0.01
# A process that ended before its time is started anew so often.
MAX_STARTS = 3
# The note that every function is there.
EVERYTHING = "everything"

_helper: Helper | None = None


class Helper:
    """The process that compiles, from the side of the one that waits.

    Parameters
    ----------
    everything : bool
        Whether it compiles all there is, and not only what is requested.
    """

    def __init__(self, everything: bool) -> None:
        self._everything = everything
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._starts = 0
        self.closed = False
        # Of each thread that waits: functions that are there, and all it waits for.
        self.waits: dict[int, tuple[int, int]] = {}

    def request(self, names: Sequence[str]) -> bool:
        """Have functions compiled before all others; return whether a process will do it."""
        with self._lock:
            if not self._is_running() and not self._start():
                return False
            assert self._process is not None
            assert self._process.stdin is not None
            try:
                self._process.stdin.write(f"{' '.join(names)}\n")
                self._process.stdin.flush()
            except (OSError, ValueError):
                # It ended just now; whoever waits will see that.
                return False
            return True

    @property
    def is_running(self) -> bool:
        """Return whether the process is running."""
        with self._lock:
            return self._is_running()

    def close(self) -> None:
        """End the process, wherever it is, and every wait for it."""
        self.closed = True
        with self._lock:
            self._end()

    def _end(self) -> None:
        process = self._process
        if process is not None and process.stdin is not None:
            process.kill()
            process.wait()
            with contextlib.suppress(OSError):
                process.stdin.close()

    def _is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _start(self) -> bool:
        folder = cache.folder()
        if self.closed or self._starts == MAX_STARTS or folder is None or not sys.executable:
            return False
        if getattr(sys, "frozen", False):
            return False
        self._end()
        # Imported late: with what it needs it takes 5 ms of the start of the window.
        import subprocess

        self._starts += 1
        paths = [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
            "NUMBA_CACHE_DIR": str(folder.parent),
        }
        what = [EVERYTHING] if self._everything else []
        windows = ("CREATE_NO_WINDOW", "BELOW_NORMAL_PRIORITY_CLASS")
        try:
            # -P: the folder that the program was started in is no place to import from.
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", PROGRAM, *what],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                text=True,
                env=environment,
                creationflags=sum(getattr(subprocess, flag, 0) for flag in windows),
            )
        except OSError:
            return False
        return True


@contextlib.contextmanager
def compiling_elsewhere(everything: bool) -> Iterator[None]:
    """Let another process compile what is called in this block, in any thread.

    Parameters
    ----------
    everything : bool
        Whether the process goes on to compile all there is.
    """
    global _helper
    before, mine = _helper, Helper(everything)
    _helper = mine
    try:
        yield
    finally:
        mine.close()
        _helper = before


def begin() -> None:
    """Have the process compile everything, if that was not done yet; nothing is waited for."""
    if _helper is not None and not cache.is_kept(EVERYTHING):
        _helper.request(())


def progress() -> tuple[int, int] | None:
    """Return how many of the functions that threads wait for are compiled; None if none waits."""
    waits = list(_helper.waits.values()) if _helper is not None else []
    return (sum(done for done, _ in waits), sum(total for _, total in waits)) if waits else None


def wait_for(names: Sequence[str], cancellable: bool = True) -> None:
    """Return when the machine code of functions is kept, or has to be made in this process.

    Raises
    ------
    Cancelled
        If it is no longer wanted, or the block of :func:`compiling_elsewhere` has ended.
    """
    helper = _helper
    if helper is None or cache.folder() is None:
        return
    missing = [name for name in names if not cache.is_kept(name)]
    if not missing:
        return
    thread = threading.get_ident()
    requested = helper.request(missing)
    try:
        while missing and requested:
            helper.waits[thread] = len(names) - len(missing), len(names)
            if cancellable:
                check_cancelled()
            time.sleep(LOOK)
            missing = [name for name in missing if not cache.is_kept(name)]
            # One that was killed is started anew.
            requested = helper.is_running or helper.request(missing)
    finally:
        helper.waits.pop(thread, None)
    if missing and cancellable and helper.closed:
        raise Cancelled
