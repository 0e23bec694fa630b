"""Functions that numba compiles at their first call, and loads from disk in later processes.

Importing numba takes longer than importing all other modules of the library. So numba is imported
at the first call of a function, and not by its decorator. There are three main decorators. They
differ in how compiled callers use the function:

* :func:`compiled`: numba links the function into the machine code of each caller.
* :func:`inlined`: numba copies the source of the function into each caller.
* :func:`solvers.jit.separate.compiled_apart`: callers call the machine code of the function.

Python can call the functions of the first two too, if they are annotated: the annotations are then
the only signature (:mod:`solvers.jit.signatures`).
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import logging
import threading
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from solvers.jit import cache, helper
from solvers.jit.signatures import is_annotated, signature_of

# LLVM may assume that NaN does not occur, and nothing else. The flags contract, reassoc and arcp
# would let LLVM change the rounding. Then results would depend on which functions were inlined, and
# a process that compiled a function would get other bits than a process that loads it from disk.
# Those flags gain no speed.
FASTMATH = {"nnan"}
# WORKAROUND: _nrt=False is an internal option of numba. Without it numba counts references to every
# array in a tuple, and a step of Pegasos takes 214 ns instead of 21 ns. The compiled code of this
# library allocates nothing, so it needs no reference counts. But a compiled function must not
# return a view of an array. Functions that return views are inlined.
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "_nrt": False}
COMMON = {"fastmath": FASTMATH, **_OPTIONS}
# 1 if machine code has called a function that could not be compiled, and the error has not been
# raised yet; otherwise 0.
FAILED = (ctypes.c_int64 * 1)(0)
# The errors of the functions that could not be compiled, the newest last.
_failures: list[BaseException] = []
# Every decorated function by its full name, in the order of the imports.
FUNCTIONS: dict[str, Compiled] = {}

log = logging.getLogger(__name__)
# A thread holds this lock while it makes or loads machine code, but not while it waits for another
# process.
LOCK = threading.RLock()


class NotCompiled(Exception):
    """Raised if machine code called a function that could not be compiled; caught in this file."""


class Compiled:
    """A function that is compiled at its first call.

    Attributes
    ----------
    name : str
        Module and qualified name.
    options : dict
        Options of numba.
    python : callable
        The undecorated function.
    when_reached : bool
        If True, the function is compiled or loaded only when a running caller reaches the call. If
        False, it is compiled or loaded before its callers run.
    """

    def __init__(
        self, function: Callable[..., Any], when_reached: bool = False, **options: Any
    ) -> None:
        functools.update_wrapper(self, function)
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.options, self.when_reached = options, when_reached
        self.python: Any = function
        # The compiled function that Python calls, and the numba object that replaces this function
        # in the code of compiled callers. Both are None until they are needed.
        self._entry: Any = None
        self._linked: Any = None
        FUNCTIONS[self.name] = self

    @property
    def has_machine_code(self) -> bool:
        """Whether the function has machine code of its own, apart from the code of its callers."""
        return is_annotated(self.python)

    @property
    def linked(self) -> Any:
        """The numba object that replaces this function in the code of compiled callers."""
        with LOCK:
            if self._linked is None:
                self._linked = self._make_linked()
            return self._linked

    @property
    def needs(self) -> list[Compiled]:
        """The functions to compile before a call: separately compiled callees, then this function.

        Functions that are compiled only when a caller reaches them are left out.
        """
        # A dictionary keeps the order of insertion: callees come before their callers.
        visited: dict[Compiled, None] = {}

        def visit(function: Compiled) -> None:
            for callee in function._globals_used.values():
                is_needed = isinstance(callee, Compiled) and not callee.when_reached
                if is_needed and callee not in visited:
                    visit(callee)
            visited[function] = None

        visit(self)
        return [function for function in visited if function is self or function.stands_alone]

    @property
    def stands_alone(self) -> bool:
        """Whether callers call this function's machine code instead of containing a copy of it."""
        return False

    def load(self) -> None:
        """Load the machine code from disk, or compile the function."""
        with LOCK:
            if self._entry is None:
                self._entry = call_with_cache(self._make_entry, self.name)

    def __call__(self, *arguments: Any) -> Any:
        try:
            return (self._entry or self._prepare())(*arguments)
        except NotCompiled:
            raise take_failure() from None

    def _prepare(self) -> Any:
        needs = self.needs
        helper.wait_for([function.name for function in needs])
        for callee in needs[:-1]:
            callee.load()
        # Not self.load: in the subclass Separate, it loads the machine code for compiled callers,
        # and not the function that Python calls.
        Compiled.load(self)
        return self._entry

    def _make_entry(self, cached: bool) -> Any:
        """Return the compiled function that Python calls."""
        import numba

        kinds, result = signature_of(self.python)
        function = self.resolved()
        return numba.njit(result(*kinds), nogil=True, cache=cached, **self.options)(function)

    def _make_linked(self) -> Any:
        from numba.extending import register_jitable

        return register_jitable(**self.options)(self.resolved())

    def resolved(self) -> Any:
        """Return a copy of the function that numba can compile.

        In the copy, each global name of a :class:`Compiled` or :class:`Intrinsic` refers to the
        attribute ``linked`` of this object, which is an object of numba.
        """
        values = {
            name: getattr(value, "linked", value) for name, value in self._globals_used.items()
        }
        return copy_with_globals(self.python, values)

    @property
    def _globals_used(self) -> dict[str, Any]:
        """The global values that the function uses, by name."""
        values = self.python.__globals__
        return {name: values[name] for name in self.python.__code__.co_names if name in values}


class Inlined(Compiled):
    """A function whose source is copied into its callers, and gets the callers' fastmath flags."""

    def _make_linked(self) -> Any:
        import numba

        return numba.njit(inline="always", **self.options)(self.resolved())


class Intrinsic:
    """An operation written in LLVM code, which is generated when a function uses it."""

    def __init__(self, make: Callable[[], Any]) -> None:
        functools.update_wrapper(self, make)
        self._make = make

    @functools.cached_property
    def linked(self) -> Any:
        """The numba object that replaces this operation in the code of compiled callers."""
        return self._make()

    def __call__(self, *arguments: Any) -> Any:
        raise TypeError(f"{self.__name__} can only be called by compiled code")  # type: ignore[attr-defined]


def compiled(function: Callable[..., Any]) -> Compiled:
    """Compile a function, and store its machine code on disk; it runs without the interpreter lock.

    The function must not allocate memory. It may return numbers, and arrays that are arguments.
    """
    return Compiled(function, **COMMON)


def inlined(function: Callable[..., Any]) -> Inlined:
    """Compile a small function by copying its source into each caller."""
    return Inlined(function, **COMMON)


def compiled_strictly(function: Callable[..., Any]) -> Compiled:
    """Compile like :func:`compiled`, but without fastmath flags, which would break bit tricks.

    ``fastmath=False`` must be passed to numba, since otherwise numba takes the flags of the first
    caller.
    """
    return Compiled(function, fastmath=False, **_OPTIONS)


def fail(reason: BaseException) -> None:
    """Make machine code return to Python, which then raises ``reason``."""
    _failures.append(reason)
    FAILED[0] = 1


def take_failure() -> BaseException:
    """Return the reason for the last failure, and clear it."""
    FAILED[0] = 0
    message = "A function could not be compiled in another thread."
    return _failures.pop() if _failures else RuntimeError(message)


def copy_with_globals(function: Any, values: dict[str, Any]) -> Any:
    """Return a copy of a function whose global names have the given values."""
    namespace = {"__name__": function.__module__, **values}
    copy = FunctionType(function.__code__, namespace, function.__name__, function.__defaults__)
    copy.__qualname__ = function.__qualname__
    return copy


def call_with_cache(make: Callable[[bool], Any], name: str) -> Any:
    """Return ``make(True)``, which stores its machine code in the folder of :mod:`.cache`.

    If that folder cannot be used, return ``make(False)``, which stores nothing. ``name`` is the
    name of the function that ``make`` compiles.
    """
    folder = cache.folder()
    if folder is not None:
        try:
            with _numba_caching_in(str(folder)):
                result = make(True)
            cache.mark_compiled(name)
            return result
        except OSError as error:
            log.warning("Machine code cannot be kept in %s: %s.", folder, error.strerror or error)
    return make(False)


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
