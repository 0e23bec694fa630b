"""A second process that compiles, for a program that must stay responsive.

Most of the compiler is Python code, which would hold the interpreter lock for seconds. Within a
block of :func:`compiling_elsewhere`, a thread that calls a function without machine code on disk
asks a second process (:mod:`solvers.precompile`) to compile it. The thread waits without the
interpreter lock, and then loads the machine code.

The two processes share only the folder of the machine code, where an empty file marks each compiled
function. So either process may compile a function, and either may be killed at any time. If there
is no such folder or no second process, a thread compiles the functions that it calls itself, as in
scripts, tests and the command line.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

from solvers.cancelling import Cancelled
from solvers.jit import cache
from solvers.processes import Child, ChildEnded

# The module that the second process runs. It imports all methods.
PROGRAM = "solvers.precompile"
# The name of the empty file that marks that every function is compiled, and the argument that lets
# the second process compile every function.
EVERYTHING = "everything"

# The second process of the current block of `compiling_elsewhere`; None outside such a block.
_helper: Helper | None = None


class Helper:
    """The second process of one block, and the threads that wait for it.

    Parameters
    ----------
    everything : bool
        Whether the process also compiles the functions that are not requested.
    """

    def __init__(self, everything: bool) -> None:
        self._everything = everything
        self._lock = threading.Lock()
        self._child: Child | None = None
        self.closed = False
        # The waiting threads, by their ids.
        self.waiting: set[int] = set()

    @property
    def child(self) -> Child:
        """The process, which is started by its first request; there must be a folder."""
        with self._lock:
            if self._child is None:
                folder = cache.folder()
                assert folder is not None
                arguments = [EVERYTHING] if self._everything else []
                variables = {"NUMBA_CACHE_DIR": str(folder.parent)}
                self._child = Child(PROGRAM, arguments, variables)
                if self.closed:
                    self._child.close()
            return self._child

    def close(self) -> None:
        """End the process, and the waits of all threads."""
        with self._lock:
            self.closed = True
            if self._child is not None:
                self._child.close()


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
    if helper is not None and cache.folder() is not None and not cache.is_compiled(EVERYTHING):
        helper.child.begin()


def is_waited_for() -> bool:
    """Return whether a thread waits for machine code."""
    helper = _helper
    return helper is not None and bool(helper.waiting)


def wait_for(name: str) -> None:
    """Wait until the second process has compiled the function with this name.

    Return at once if there is no second process. If the process ends and cannot be started again,
    return too: the caller then compiles the function itself.

    Raises
    ------
    Cancelled
        If the work of the caller is cancelled (:func:`solvers.cancelling.cancel_when`), or the
        block of :func:`compiling_elsewhere` ends.
    """
    helper = _helper
    if helper is None or cache.folder() is None or cache.is_compiled(name):
        return
    thread = threading.get_ident()
    helper.waiting.add(thread)
    try:
        helper.child.ask(name)
    except ChildEnded:
        if helper.closed:
            raise Cancelled from None
    finally:
        helper.waiting.discard(thread)
