"""A second process that compiles, for a program that must stay responsive.

Most of the compiler is Python code, which would hold the interpreter lock for seconds. Within a
block of :func:`compiling_elsewhere`, a thread that calls a function without machine code on disk
requests the machine code from a second process (:mod:`solvers.precompile`). The thread waits
without the interpreter lock, and then loads the machine code.

The two processes share only the folder of the machine code, where an empty file marks each compiled
function. So either process may compile a function, and either may be killed at any time. If there
is no such folder or no second process, a thread compiles the functions that it calls itself, as in
scripts and tests.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from solvers.cancelling import Cancelled, check_cancelled
from solvers.jit import cache
from solvers.processes import end_process, start_python

if TYPE_CHECKING:
    from subprocess import Popen

# The module that the second process runs. It imports all methods.
PROGRAM = "solvers.precompile"
# Pause of a waiting thread between two checks whether its functions are compiled, in seconds.
CHECK_INTERVAL = 0.01
# Maximum number of starts of the second process, which is started again if it ends too early.
MAX_STARTS = 3
# The name of the empty file that marks that every function is compiled, and the argument that lets
# the second process compile every function.
EVERYTHING = "everything"

# The helper of the current block of `compiling_elsewhere`; None outside such a block.
_helper: Helper | None = None


class Helper:
    """A handle of the second process, in the program that requests machine code from that process.

    Parameters
    ----------
    everything : bool
        Whether the process also compiles the functions that are not requested.
    """

    def __init__(self, everything: bool) -> None:
        self._everything = everything
        self._lock = threading.Lock()
        self._process: Popen[str] | None = None
        self._starts = 0
        self.closed = False
        # For each waiting thread, by its id: how many of the functions that it needs are compiled
        # already, and how many it needs.
        self.waits: dict[int, tuple[int, int]] = {}

    def request(self, names: Sequence[str]) -> bool:
        """Request the compilation of functions; return whether the request could be sent."""
        with self._lock:
            while self._is_running() or self._start():
                assert self._process is not None
                assert self._process.stdin is not None
                try:
                    self._process.stdin.write(f"{' '.join(names)}\n")
                    self._process.stdin.flush()
                except (OSError, ValueError):
                    # The process ended after it was found running, so start another one.
                    self._end()
                else:
                    return True
            return False

    @property
    def is_running(self) -> bool:
        """Whether the process is running."""
        with self._lock:
            return self._is_running()

    def close(self) -> None:
        """End the process, and the waits of all threads."""
        self.closed = True
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._process is not None:
            end_process(self._process)

    def _is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _start(self) -> bool:
        folder = cache.folder()
        if self.closed or self._starts == MAX_STARTS or folder is None:
            return False
        self._end()
        self._starts += 1
        try:
            self._process = start_python(
                PROGRAM,
                [EVERYTHING] if self._everything else [],
                {"NUMBA_CACHE_DIR": str(folder.parent)},
                answers=False,
            )
        except OSError:
            return False
        return True


@contextlib.contextmanager
def compiling_elsewhere(everything: bool) -> Iterator[None]:
    """Let a second process compile the functions that any thread calls within this block.

    Parameters
    ----------
    everything : bool
        Whether the second process also compiles all other functions.
    """
    global _helper
    previous, helper = _helper, Helper(everything)
    _helper = helper
    try:
        yield
    finally:
        helper.close()
        _helper = previous


def begin() -> None:
    """Start the second process, unless all functions are compiled; do not wait for it."""
    # Another thread may end the block at any time.
    helper = _helper
    if helper is not None and not cache.is_compiled(EVERYTHING):
        helper.request(())


def progress() -> tuple[int, int] | None:
    """Return ``(compiled, needed)``, two numbers of functions; None if no thread waits.

    ``needed`` is the number of functions that waiting threads need, and ``compiled`` says how many
    of these are compiled already.
    """
    helper = _helper
    waits = list(helper.waits.values()) if helper is not None else []
    if not waits:
        return None
    return sum(compiled for compiled, _ in waits), sum(needed for _, needed in waits)


def wait_for(names: Sequence[str], cancellable: bool = True) -> None:
    """Wait until the second process has compiled the functions with these names.

    Return at once if there is no second process. If the process ends and cannot be started again,
    return too: the caller then compiles the functions itself.

    Raises
    ------
    Cancelled
        If ``cancellable``, and the work of the caller is cancelled
        (:func:`solvers.cancelling.cancel_when`) or the block of :func:`compiling_elsewhere` ends.
    """
    helper = _helper
    if helper is None or cache.folder() is None:
        return
    missing = [name for name in names if not cache.is_compiled(name)]
    if not missing:
        return
    thread = threading.get_ident()
    requested = helper.request(missing)
    try:
        while missing and requested:
            helper.waits[thread] = len(names) - len(missing), len(names)
            if cancellable:
                check_cancelled()
            time.sleep(CHECK_INTERVAL)
            missing = [name for name in missing if not cache.is_compiled(name)]
            # A process that was killed is started again.
            requested = helper.is_running or helper.request(missing)
    finally:
        helper.waits.pop(thread, None)
    if missing and cancellable and helper.closed:
        raise Cancelled
