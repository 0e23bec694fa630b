"""Lazy compiling: ``@compiled`` costs nothing until the first call.

numba takes longer to import than the rest of the library together, so it is loaded when a
compiled function is first called (in the window: by the background thread), never at import.
The machine code is kept on disk. numba does not notice when a compiled callee *in another file*
has changed, so the folder is named after a hash of every source file of this library.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

# Only "NaN does not occur". Whatever lets LLVM round differently (contract, reassoc, arcp) makes
# the bits depend on what was inlined where: a run in the process that compiled then differs from
# one in a process that loaded the same code from disk. It gained no speed.
FASTMATH = {"nnan"}

# Memory that machine code refers to by name, with its address (see solvers.jit.separate).
SYMBOLS: dict[str, int] = {}
# Of each thread: why machine code ended with NotCompiled.
FAILURES = threading.local()

_lock = threading.RLock()


class NotCompiled(Exception):
    """Machine code met a function that could not be compiled; never leaves this module."""


class Compiled:
    """A function that numba compiles when it is first called, or first called by another one.

    Compiled code may call it: numba asks global names for ``_numba_type_``.
    """

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self.options = options
        self._dispatcher: Any = None

    @property
    def dispatcher(self) -> Any:
        """The numba dispatcher that Python calls, made on first use."""
        if self._dispatcher is None:
            with _lock:
                if self._dispatcher is None:
                    self._dispatcher = _dispatcher_of(self._for_python(), self.options)
        return self._dispatcher

    def _for_python(self) -> Callable[..., Any]:
        """What is compiled for calls from Python."""
        return self._function

    @functools.cached_property
    def _called(self) -> Any:
        """The numba dispatcher that compiled code calls.

        It makes nothing that takes apart Python's arguments, which for tuples of many arrays is
        longer than the function. Both have the same key in numba's cache, hence the folder.
        """
        options = {**self.options, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        return _dispatcher_of(self._function, options, "called")

    @property
    def _numba_type_(self) -> Any:
        return self._called._numba_type_

    def __call__(self, *arguments: Any) -> Any:
        try:
            return (self._dispatcher or self.dispatcher)(*arguments)
        except NotCompiled:
            raise FAILURES.reason from None


class Intrinsic:
    """An operation given as LLVM code, made when compiled code first mentions it."""

    def __init__(self, make: Callable[[], Any]) -> None:
        functools.update_wrapper(self, make)
        self._make = make

    @functools.cached_property
    def _numba_type_(self) -> Any:
        from numba.core.registry import cpu_target

        made = self._make()
        context: Any = cpu_target.typing_context
        context.refresh()
        return context.resolve_value_type(made)

    def __call__(self, *arguments: Any) -> Any:
        raise TypeError(f"{self.__name__} can only be called by compiled code")  # type: ignore[attr-defined]


class Inlined(Compiled):
    """A compiled function whose text is put into its callers, in their own arithmetic.

    numba recognises it by these two attributes of its own dispatchers.
    """

    targetoptions: ClassVar[dict[str, str]] = {"inline": "always"}

    @property
    def py_func(self) -> Callable[..., Any]:
        """The Python function."""
        return self._function


# WORKAROUND: without ``_nrt=False`` numba counts references of every array in every tuple passed
# to a function or read in a loop: 430 ns instead of 15 for a step of Pegasos. Compiled code here
# never allocates, so there is nothing to count; in exchange it may not return a view of an array
# (a function that has to is ``inlined``). The option is numba's own, for its internals.
_OPTIONS = {"error_model": "numpy", "_nrt": False}


def compiled(function: Callable[..., Any]) -> Compiled:
    """Compile without the interpreter lock and keep the machine code on disk.

    Compiled functions allocate nothing, and return numbers or arrays they were given.
    """
    return Compiled(function, fastmath=FASTMATH, **_OPTIONS)


def inlined(function: Callable[..., Any]) -> Inlined:
    """Like :func:`compiled`, for small functions that are put into their callers."""
    return Inlined(function, fastmath=FASTMATH, **_OPTIONS)


def compiled_strictly(function: Callable[..., Any]) -> Compiled:
    """Like :func:`compiled`, with every rounding as written (bit tricks need it).

    Strictness must be said: a function without the option inherits it from its first caller.
    """
    return Compiled(function, fastmath=False, **_OPTIONS)


def name_symbols() -> None:
    """Tell the compiler where :data:`SYMBOLS` are."""
    import llvmlite.binding

    for name, address in SYMBOLS.items():
        llvmlite.binding.add_symbol(name, address)


def _dispatcher_of(function: Callable[..., Any], options: dict[str, Any], folder: str = "") -> Any:
    import numba

    # Machine code from disk may mention them.
    name_symbols()
    # numba looks up the cache folder while it decorates; other users of numba keep theirs.
    config: Any = numba.config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(cache_folder() / folder)
    try:
        dispatcher = numba.njit(nogil=True, cache=True, **options)(function)
    finally:
        config.CACHE_DIR = before
    return _for_any_value(dispatcher)


def _for_any_value(dispatcher: Any) -> Any:
    """Let compiled callers share one version, whether an argument is a constant or not.

    numba would compile ``f(values, 0)`` once more for the 0, even where it is only the first value
    of a variable, while the types of a loop are still being found out.
    """
    from numba.core.types import unliteral

    find = dispatcher.get_call_template

    def find_for_any(args: Any, kws: Any) -> Any:
        return find(
            [unliteral(kind) for kind in args],
            {name: unliteral(kind) for name, kind in kws.items()},
        )

    dispatcher.get_call_template = find_for_any
    return dispatcher


@functools.cache
def cache_folder() -> Path:
    """Folder of the machine code: the user's cache folder, else a temporary one."""
    import tempfile

    for base in _cache_bases():
        folder = base / f"compiled-{source_hash()}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # The only honest test of a folder is to write into it.
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return Path(tempfile.mkdtemp(prefix="svmviz-compiled-"))


def _cache_bases() -> list[Path]:
    import platformdirs

    given = os.environ.get("NUMBA_CACHE_DIR")
    own = platformdirs.user_cache_path("svmviz", appauthor=False)
    return [Path(given), own] if given else [own]


@functools.cache
def source_hash() -> str:
    """Hash of every source file of the library and of the compiler's version."""
    import hashlib

    import numba

    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(Path(__file__).parents[1].glob("**/*.py")):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
