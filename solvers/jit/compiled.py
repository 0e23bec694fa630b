"""Functions that numba compiles when they are first called, and loads from disk ever after.

numba takes longer to import than the rest of the library together, so decorating imports nothing.
A function is one of three things to the functions that call it:

* :func:`compiled`: numba links its machine code into theirs. If it is annotated, Python may call it
  as well; the annotations are its one signature (:mod:`solvers.jit.signatures`).
* :func:`inlined`: its text is put into theirs.
* :func:`solvers.jit.separate.compiled_apart`: its machine code stands alone, and they call it.
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

# Only "NaN does not occur". Whatever lets LLVM round differently (contract, reassoc, arcp) makes
# the bits depend on what was inlined where: a run in the process that compiled then differs from
# one in a process that loaded the same code from disk. It gained no speed.
FASTMATH = {"nnan"}
# WORKAROUND: _nrt=False is for numba's own use. Without it numba counts references of every array
# in a tuple: 214 ns instead of 21 for a step of Pegasos. Compiled code here allocates nothing, so
# there is nothing to count; but it may not return a view of an array (what does so is inlined).
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "_nrt": False}
COMMON = {"fastmath": FASTMATH, **_OPTIONS}
# Not 0 once machine code has met a function that could not be compiled, and why that was.
FAILED = (ctypes.c_int64 * 1)(0)
_reasons: list[BaseException] = []
# Every compiled function by its name, in the order in which modules are imported.
FUNCTIONS: dict[str, Compiled] = {}

log = logging.getLogger(__name__)
# Held while machine code is made or loaded, never while another process is waited for.
LOCK = threading.RLock()


class NotCompiled(Exception):
    """Machine code met a function that could not be compiled; never leaves this module."""


class Compiled:
    """A function that is compiled when it is first called.

    Attributes
    ----------
    name : str
        Module and qualified name.
    options : dict
        Options of numba.
    python : callable
        The function as it was written.
    seldom : bool
        Whether callers do not wait for it: it is compiled or loaded when they first reach it.
    """

    def __init__(self, function: Callable[..., Any], seldom: bool = False, **options: Any) -> None:
        functools.update_wrapper(self, function)
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.options, self.seldom = options, seldom
        self.python: Any = function
        self._entry: Any = None
        self._linked: Any = None
        FUNCTIONS[self.name] = self

    @property
    def has_machine_code(self) -> bool:
        """Return whether it has machine code of its own, and not only as a part of its callers."""
        return is_annotated(self.python)

    @property
    def linked(self) -> Any:
        """Return the object that numba uses for this one when it compiles a caller."""
        with LOCK:
            if self._linked is None:
                self._linked = self._make_linked()
            return self._linked

    @property
    def needs(self) -> list[Compiled]:
        """Return what must be compiled before a call: what it calls, except rarely, and itself."""
        found: dict[Compiled, None] = {}

        def visit(one: Compiled) -> None:
            for callee in one._mentions.values():
                if isinstance(callee, Compiled) and not callee.seldom and callee not in found:
                    visit(callee)
            found[one] = None

        visit(self)
        return [one for one in found if one is self or one.stands_alone]

    @property
    def stands_alone(self) -> bool:
        """Return whether callers call its machine code, instead of containing it."""
        return False

    def load(self) -> None:
        """Have machine code in this process: from disk, else compile it."""
        with LOCK:
            if self._entry is None:
                self._entry = keeping(self._make_entry, self.name)

    def __call__(self, *arguments: Any) -> Any:
        try:
            return (self._entry or self._prepare())(*arguments)
        except NotCompiled:
            raise take_failure() from None

    def _prepare(self) -> Any:
        needs = self.needs
        helper.wait_for([one.name for one in needs])
        for one in needs[:-1]:
            one.load()
        # Python calls this one also if other callers have it linked or by its address.
        Compiled.load(self)
        return self._entry

    def _make_entry(self, cached: bool) -> Any:
        """Return the function that Python calls."""
        import numba

        kinds, result = signature_of(self.python)
        function = self.resolved()
        return numba.njit(result(*kinds), nogil=True, cache=cached, **self.options)(function)

    def _make_linked(self) -> Any:
        from numba.extending import register_jitable

        return register_jitable(**self.options)(self.resolved())

    def resolved(self) -> Any:
        """Return a copy of the function, with numba's objects in place of ours."""
        values = {name: getattr(one, "linked", one) for name, one in self._mentions.items()}
        return copied(self.python, values)

    @property
    def _mentions(self) -> dict[str, Any]:
        """Return the global values that the function uses, by name."""
        known = self.python.__globals__
        return {name: known[name] for name in self.python.__code__.co_names if name in known}


class Inlined(Compiled):
    """A compiled function whose text is put into its callers, in their own arithmetic."""

    def _make_linked(self) -> Any:
        import numba

        return numba.njit(inline="always", **self.options)(self.resolved())


class Intrinsic:
    """An operation given as LLVM code, made when compiled code first mentions it."""

    def __init__(self, make: Callable[[], Any]) -> None:
        functools.update_wrapper(self, make)
        self._make = make

    @functools.cached_property
    def linked(self) -> Any:
        """Return the object that numba uses for this one when it compiles a caller."""
        return self._make()

    def __call__(self, *arguments: Any) -> Any:
        raise TypeError(f"{self.__name__} can only be called by compiled code")  # type: ignore[attr-defined]


def compiled(function: Callable[..., Any]) -> Compiled:
    """Compile without the interpreter lock and keep the machine code on disk.

    Compiled functions allocate nothing, and return numbers or arrays they were given.
    """
    return Compiled(function, **COMMON)


def inlined(function: Callable[..., Any]) -> Inlined:
    """Like :func:`compiled`, for small functions that are put into their callers."""
    return Inlined(function, **COMMON)


def compiled_strictly(function: Callable[..., Any]) -> Compiled:
    """Like :func:`compiled`, with every rounding as written (bit tricks need it).

    Strictness must be said: a function without the option inherits it from its first caller.
    """
    return Compiled(function, fastmath=False, **_OPTIONS)


def fail(reason: BaseException) -> None:
    """Have machine code go back to Python, which raises this."""
    _reasons.append(reason)
    FAILED[0] = 1


def take_failure() -> BaseException:
    """Return the reason for the last failure, and forget it."""
    FAILED[0] = 0
    return _reasons.pop() if _reasons else RuntimeError("Another thread could not compile.")


def copied(function: Any, values: dict[str, Any]) -> Any:
    """Return a copy of a function with these global values."""
    known = {"__name__": function.__module__, **values}
    copy = FunctionType(function.__code__, known, function.__name__, function.__defaults__)
    copy.__qualname__ = function.__qualname__
    return copy


def keeping(make: Callable[[bool], Any], name: str) -> Any:
    """Call ``make(cached)`` with numba's cache in our folder; without a cache if there is none."""
    folder = cache.folder()
    if folder is not None:
        try:
            with _numba_caching_in(str(folder)):
                made = make(True)
            cache.note_kept(name)
            return made
        except OSError as error:
            log.warning("Machine code cannot be kept in %s: %s.", folder, error.strerror or error)
    return make(False)


@contextlib.contextmanager
def _numba_caching_in(folder: str) -> Iterator[None]:
    """Within this block; other users of numba keep their folder."""
    import numba

    config: Any = numba.config
    before, config.CACHE_DIR = config.CACHE_DIR, folder
    try:
        yield
    finally:
        config.CACHE_DIR = before
