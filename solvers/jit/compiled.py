"""Functions that numba compiles at their first call, and loads from disk in later processes.

Importing numba takes longer than importing all other modules of the library. So numba is imported
at the first call of a function, and not by its decorator. There are three decorators:

* :func:`compiled`: Python and compiled functions can call the function.
* :func:`inner`: only compiled functions can call it, so less is compiled.
* :func:`called_by_address`: compiled functions call it through its address, which they are given as
  an argument. So its machine code is no part of theirs.

The annotations of a function are its only signature (:mod:`solvers.jit.signatures`). An ``inner``
function without annotations is compiled anew for each caller with other types of arguments.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import logging
import threading
from collections.abc import Callable, Iterator
from typing import Any

from solvers.jit import cache, helper
from solvers.jit.signatures import CALLED_BY_ADDRESS, is_annotated, signature_of

# WORKAROUND: _nrt=False is an internal option of numba. Without it numba counts references to every
# array in a tuple, and a step of Pegasos takes 214 ns instead of 21 ns. The compiled code of this
# library allocates nothing, so it needs no reference counts. But a compiled function must not
# return a view of an array.
_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "_nrt": False,
    # LLVM may assume that NaN does not occur, and nothing else. The flags contract, reassoc and
    # arcp would let LLVM change the rounding. Then results would depend on which functions LLVM
    # inlined. Those flags gain no speed.
    "fastmath": {"nnan"},
    # The entry for callers in C is not used. Compiling it would take 10 to 20 ms.
    "no_cfunc_wrapper": True,
}
# Options of a function for compiled callers. LLVM inlines it, since passing tuples of arrays takes
# tens of nanoseconds. The entry for callers in Python would take up to 90 ms to compile.
_CALLEE_OPTIONS = {**_OPTIONS, "forceinline": True, "no_cpython_wrapper": True}
# The message that the logger of this module writes once per process, before the first function is
# compiled. It can be silenced: logging.getLogger("solvers").setLevel("ERROR").
COMPILING = "Compiling the solvers, once for this machine. This takes some seconds."
# Every decorated function by its full name, in the order of the imports.
FUNCTIONS: dict[str, Compiled] = {}

log = logging.getLogger(__name__)
# A thread holds this lock while it makes or loads machine code, but not while it waits for another
# process.
_LOCK = threading.RLock()


class Compiled:
    """A function that is compiled at its first call.

    Attributes
    ----------
    name : str
        Module and qualified name.
    python : callable
        The undecorated function.
    is_entry : bool
        Whether Python calls the function or asks for its address, so that its machine code has a
        use of its own.
    """

    is_entry = True

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.python: Any = function
        # The function of numba; None until it is needed.
        self._function: Any = None
        FUNCTIONS[self.name] = self

    def __call__(self, *arguments: Any) -> Any:
        return (self._function or self.prepare())(*arguments)

    def prepare(self) -> Any:
        """Load or compile the function, and return the function of numba."""
        helper.wait_for(self.name)
        return self.load()

    def load(self) -> Any:
        """Load the machine code from disk, or compile the function in this process."""
        with _LOCK:
            if self._function is None:
                self._function = _call_with_cache(self._make, self.name)
            return self._function

    @property
    def _numba_type_(self) -> Any:
        """The type by which numba recognises a function that a compiled function calls."""
        return self._callee._numba_type_

    @functools.cached_property
    def _callee(self) -> Any:
        """The function for compiled callers; numba stores its machine code with that of theirs."""
        import numba

        if not is_annotated(self.python):
            return numba.njit(**_CALLEE_OPTIONS)(self.python)
        kinds, result = signature_of(self.python)
        return numba.njit(result(*kinds), **_CALLEE_OPTIONS)(self.python)

    def _make(self, cached: bool) -> Any:
        import numba

        kinds, result = signature_of(self.python)
        return numba.njit(result(*kinds), cache=cached, **_OPTIONS)(self.python)


class Inner(Compiled):
    """A compiled function that only compiled functions can call."""

    is_entry = False

    def __call__(self, *arguments: Any) -> Any:
        raise TypeError(f"{self.name} is for compiled code only: call it in a @compiled function.")


class CalledByAddress(Inner):
    """A compiled function that compiled functions call through its address."""

    is_entry = True

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        CALLED_BY_ADDRESS.append(function)

    @property
    def address(self) -> int:
        """The address of the machine code, which is loaded or compiled first.

        Compiled functions pass it to :func:`solvers.jit.simd.call_at`.
        """
        return (self._function or self.prepare()).address

    def _make(self, cached: bool) -> Any:
        import numba

        kinds, result = signature_of(self.python)
        options = {key: _OPTIONS[key] for key in ("error_model", "_nrt", "fastmath")}
        return numba.cfunc(result(*kinds), cache=cached, **options)(self.python)


def compiled(function: Callable[..., Any]) -> Compiled:
    """Compile a function, and store its machine code on disk; it runs without the interpreter lock.

    The function must not allocate memory. It may return numbers, and arrays that are arguments.
    """
    return Compiled(function)


def inner(function: Callable[..., Any]) -> Inner:
    """Compile like :func:`compiled`, for compiled callers only."""
    return Inner(function)


def called_by_address(function: Callable[..., Any]) -> CalledByAddress:
    """Compile like :func:`compiled`, for compiled callers that have the address of the function."""
    return CalledByAddress(function)


def _call_with_cache(make: Callable[[bool], Any], name: str) -> Any:
    """Return ``make(True)``, which stores its machine code in the folder of :mod:`.cache`.

    If that folder cannot be used, return ``make(False)``, which stores nothing. ``name`` is the
    name of the function that ``make`` compiles.
    """
    folder = cache.folder()
    lock: Any = contextlib.nullcontext()
    if folder is not None and not cache.is_compiled(name):
        _say_once(COMPILING)
        lock = cache.folder_locked()
    # Imported here, because it imports numba.
    import solvers.jit.operations  # noqa: F401

    if folder is not None:
        try:
            with lock, _numba_caching_in(str(folder)), _collector_paused():
                result = make(True)
            cache.mark_compiled(name)
            return result
        except OSError as error:
            log.warning("Machine code cannot be kept in %s: %s.", folder, error.strerror or error)
    return make(False)


@functools.cache
def _say_once(sentence: str) -> None:
    log.warning(sentence)


@contextlib.contextmanager
def _numba_caching_in(folder: str) -> Iterator[None]:
    """Set numba's cache folder to ``folder`` within this block.

    After the block the old folder is set again, since other libraries use numba too.
    """
    import numba

    config: Any = numba.config
    previous, config.CACHE_DIR = config.CACHE_DIR, folder
    try:
        yield
    finally:
        config.CACHE_DIR = previous


@contextlib.contextmanager
def _collector_paused() -> Iterator[None]:
    """Pause the garbage collector within this block, which makes compiling an eighth faster.

    It would scan a million objects of the compiler, and free none of them.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
