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
_child: Child | None = None
# The threads that wait for it, by their ids.
_waiting: set[int] = set()


@contextlib.contextmanager
def compiling_elsewhere(everything: bool) -> Iterator[None]:
    """Let a second process compile the functions that any thread calls within this block.

    Parameters
    ----------
    everything : bool
        Whether the second process also compiles all other functions.
    """
    global _child
    arguments = [EVERYTHING] if everything else []
    previous, child = _child, Child(PROGRAM, arguments, _variables)
    _child = child
    try:
        yield
    finally:
        child.close()
        _child = previous


def _variables() -> dict[str, str]:
    """Return the environment variables of the second process; there must be a folder."""
    folder = cache.folder()
    assert folder is not None
    return {"NUMBA_CACHE_DIR": str(folder.parent)}


def begin() -> None:
    """Start the second process, unless all functions are compiled; do not wait for it."""
    # Another thread may end the block at any time.
    child = _child
    if child is not None and cache.folder() is not None and not cache.is_compiled(EVERYTHING):
        child.begin()


def is_waited_for() -> bool:
    """Return whether a thread waits for machine code."""
    return _child is not None and bool(_waiting)


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
    child = _child
    if child is None or cache.folder() is None or cache.is_compiled(name):
        return
    thread = threading.get_ident()
    _waiting.add(thread)
    try:
        child.ask(name)
    except ChildEnded:
        if child.closed:
            raise Cancelled from None
    finally:
        _waiting.discard(thread)
