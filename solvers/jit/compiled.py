"""Functions that numba compiles at their first call, and loads from disk in later processes.

Importing numba takes longer than importing the rest of the library, so a decorator does not import
it. There are three decorators. They differ in how compiled callers use the function:

* :func:`compiled`: numba links its machine code into that of each caller. If it is annotated,
  Python can call it too; the annotations are its only signature (:mod:`solvers.jit.signatures`).
* :func:`inlined`: its source is copied into each caller.
* :func:`solvers.jit.separate.compiled_apart`: it has machine code of its own, which callers call.
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

# LLVM may assume that NaN does not occur, and nothing else. Flags that permit other rounding
# (contract, reassoc, arcp) make results depend on what was inlined: the process that compiled then
# gets other bits than a process that loads the same code from disk. They gained no speed.
FASTMATH = {"nnan"}
# WORKAROUND: _nrt=False is an internal option of numba. Without it numba counts references to every
# array in a tuple: a step of Pegasos takes 214 ns instead of 21. Compiled code here allocates
# nothing, so it needs no reference counts. But it must not return a view of an array: functions
# that do are inlined.
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "_nrt": False}
COMMON = {"fastmath": FASTMATH, **_OPTIONS}
# 1 after machine code has called a function that could not be compiled; and the reasons.
FAILED = (ctypes.c_int64 * 1)(0)
_reasons: list[BaseException] = []
# Every decorated function by its full name, in the order of the imports.
FUNCTIONS: dict[str, Compiled] = {}

log = logging.getLogger(__name__)
# Held while machine code is made or loaded, but not while waiting for another process.
LOCK = threading.RLock()


class NotCompiled(Exception):
    """Machine code called a function that could not be compiled; caught in this module."""


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
    seldom : bool
        Whether it is compiled or loaded only when a caller first reaches it. Other functions are
        compiled before their callers run.
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
        """Whether it has machine code of its own, and is not only a part of its callers."""
        return is_annotated(self.python)

    @property
    def linked(self) -> Any:
        """The numba object that stands for this function when a caller is compiled."""
        with LOCK:
            if self._linked is None:
                self._linked = self._make_linked()
            return self._linked

    @property
    def needs(self) -> list[Compiled]:
        """The functions to compile before a call: callees that are not ``seldom``, then itself."""
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
        """Whether callers call its machine code, and do not contain a copy of it."""
        return False

    def load(self) -> None:
        """Load the machine code from disk; compile it if it is not there."""
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
        helper.wait_for([one.name for one in needs])
        for one in needs[:-1]:
            one.load()
        # The entry for Python is separate from what compiled callers use.
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
        """Return a copy of the function that refers to numba's objects instead of ours."""
        values = {name: getattr(one, "linked", one) for name, one in self._mentions.items()}
        return copied(self.python, values)

    @property
    def _mentions(self) -> dict[str, Any]:
        """The global values that the function uses, by name."""
        known = self.python.__globals__
        return {name: known[name] for name in self.python.__code__.co_names if name in known}


class Inlined(Compiled):
    """A compiled function whose source is copied into its callers, with their fastmath flags."""

    def _make_linked(self) -> Any:
        import numba

        return numba.njit(inline="always", **self.options)(self.resolved())


class Intrinsic:
    """An operation given as LLVM code, generated when a function that uses it is compiled."""

    def __init__(self, make: Callable[[], Any]) -> None:
        functools.update_wrapper(self, make)
        self._make = make

    @functools.cached_property
    def linked(self) -> Any:
        """The numba object that stands for this operation when a caller is compiled."""
        return self._make()

    def __call__(self, *arguments: Any) -> Any:
        raise TypeError(f"{self.__name__} can only be called by compiled code")  # type: ignore[attr-defined]


def compiled(function: Callable[..., Any]) -> Compiled:
    """Compile a function and keep its machine code on disk; it runs without the interpreter lock.

    The function must allocate nothing, and return only numbers or arrays from its arguments.
    """
    return Compiled(function, **COMMON)


def inlined(function: Callable[..., Any]) -> Inlined:
    """Compile a small function by copying its source into each caller."""
    return Inlined(function, **COMMON)


def compiled_strictly(function: Callable[..., Any]) -> Compiled:
    """Compile like :func:`compiled`, but without any fastmath flag, which bit tricks need.

    The option is set explicitly, since a function without it inherits that of its first caller.
    """
    return Compiled(function, fastmath=False, **_OPTIONS)


def fail(reason: BaseException) -> None:
    """Make machine code return to Python, which then raises ``reason``."""
    _reasons.append(reason)
    FAILED[0] = 1


def take_failure() -> BaseException:
    """Return the reason for the last failure, and clear it."""
    FAILED[0] = 0
    return _reasons.pop() if _reasons else RuntimeError("Another thread could not compile.")


def copied(function: Any, values: dict[str, Any]) -> Any:
    """Return a copy of a function with other global values, given by name."""
    known = {"__name__": function.__module__, **values}
    copy = FunctionType(function.__code__, known, function.__name__, function.__defaults__)
    copy.__qualname__ = function.__qualname__
    return copy


def call_with_cache(make: Callable[[bool], Any], name: str) -> Any:
    """Return ``make(cached)``: ``cached`` is True if numba can keep its cache in our folder."""
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
    """Set numba's cache folder within this block only, since other libraries use numba too."""
    import numba

    config: Any = numba.config
    before, config.CACHE_DIR = config.CACHE_DIR, folder
    try:
        yield
    finally:
        config.CACHE_DIR = before
