"""Compiled functions that others call through their address.

numba links a compiled function into each of its callers and optimises it there again, together with
its callees. With many levels of calls the innermost function is compiled a dozen times: compiling
all methods takes 73 s instead of 30. A function that is *compiled apart*, with the decorator
``compiled_apart``, is compiled once, apart from its callers.

Its callers read its address from a *slot*: a pointer in memory with a symbol name, which llvmlite
resolves when machine code is made or loaded. The function at that address takes one pointer, to a
*box* with the arguments and space for the result (:mod:`solvers.jit.box`). At first the slot holds
the address of a Python function. It compiles or loads the machine code, stores the address of that
in the slot, and calls it.
"""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Callable
from typing import Any

from solvers.jit import helper
from solvers.jit.box import Box, make_argument_reader, make_result_writer
from solvers.jit.compiled import (
    COMMON,
    FAILED,
    LOCK,
    Compiled,
    NotCompiled,
    call_with_cache,
    copied,
    fail,
)
from solvers.jit.signatures import signature_of

BOXED = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
FAILED_SYMBOL = "solvers.jit.failed"
# Calls the function with the arguments in the box, and writes its result into the box.
STUB = """
def stub(box):
    {names}, = read_arguments(box)
    write_result(box, function({names}))
"""


class Separate(Compiled):
    """A compiled function that callers call through the address in its slot."""

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        super().__init__(function, **options)
        self._code: Any = None
        self._first = BOXED(self._call_first)
        self._slot = (ctypes.c_void_p * 1)(ctypes.cast(self._first, ctypes.c_void_p).value)

    @property
    def stands_alone(self) -> bool:
        return True

    @property
    def is_loaded(self) -> bool:
        """Whether its machine code is loaded in this process."""
        return self._code is not None

    def __call__(self, *arguments: Any) -> Any:
        raise TypeError(f"{self.name} is for compiled code only: compile a caller.")

    def load(self) -> None:
        with LOCK:
            if self._code is None:
                self._code = call_with_cache(self._make_code, self.name)
                self._slot[0] = self._code.address

    def _call_first(self, box: int) -> None:
        """Load the machine code and call it; machine code calls this at the first call."""
        # An exception cannot pass through machine code.
        try:
            helper.wait_for([one.name for one in self.needs], cancellable=False)
            self.load()
        except BaseException as reason:
            fail(reason)
        else:
            BOXED(self._code.address)(box)

    def _make_code(self, cached: bool) -> Any:
        """Return a C function that takes a box."""
        import numba
        from numba import types

        kinds, result = signature_of(self.python)
        code = self.python.__code__
        names = ", ".join(code.co_varnames[: code.co_argcount])
        made: dict[str, Any] = {"__name__": self.python.__module__}
        exec(compile(STUB.format(names=names), code.co_filename, "exec"), made)
        made["stub"].__qualname__ = f"{self.python.__qualname__}.boxed"
        linked = numba.njit(inline="always", **self.options)(self.resolved())
        values = {
            "read_arguments": make_argument_reader(kinds, result),
            "write_result": make_result_writer(kinds, result),
            "function": linked,
        }
        stub = copied(made["stub"], values)
        return numba.cfunc(types.void(types.voidptr), cache=cached, **self.options)(stub)

    def _make_linked(self) -> Any:
        import llvmlite.binding

        symbol = f"{self.name}.slot"
        llvmlite.binding.add_symbol(symbol, ctypes.addressof(self._slot))
        llvmlite.binding.add_symbol(FAILED_SYMBOL, ctypes.addressof(FAILED))
        return _call_in(symbol, self.python)


def compiled_apart(function: Callable[..., Any]) -> Separate:
    """Compile a function apart from its callers; its annotations give its signature.

    Arrays must be contiguous. Read-only arrays are accepted without a check, so the function must
    not write to an array that a caller may pass read-only.
    """
    return Separate(function, **COMMON)


def compiled_when_reached(function: Callable[..., Any]) -> Separate:
    """Compile like :func:`compiled_apart`, but only when a run first calls the function.

    This is for functions that few runs call: other runs need not wait until they are compiled.
    """
    return Separate(function, seldom=True, **COMMON)


def _call_in(symbol: str, function: Callable[..., Any]) -> Any:
    """Return the intrinsic for callers: it fills a box and calls the function in the slot."""
    from llvmlite import ir
    from numba.core import cgutils
    from numba.extending import intrinsic

    kinds, result = signature_of(function)
    byte = ir.IntType(8).as_pointer()

    def call(typing_context: Any, *arguments: Any) -> Any:
        if len(arguments) != len(kinds) or not all(map(_fits, arguments, kinds)):
            return None

        def generate(context: Any, builder: Any, _: Any, values: Any) -> Any:
            values = [
                context.cast(builder, value, given, kind) if _is_number(kind) else value
                for value, given, kind in zip(values, arguments, kinds, strict=True)
            ]
            box = Box(context, builder, kinds, result)
            box.store_arguments(values)
            action = ir.FunctionType(ir.VoidType(), [byte]).as_pointer()
            slot = context.get_c_value(builder, action, symbol)
            builder.call(builder.load(slot), [builder.bitcast(box.pointer, byte)])
            failed = builder.load(context.get_c_value(builder, ir.IntType(64), FAILED_SYMBOL))
            with builder.if_then(cgutils.is_not_null(builder, failed), likely=False):
                context.call_conv.return_user_exc(builder, NotCompiled, (symbol,))
            return box.load_result()

        return result(*arguments), generate

    names: Any = call
    names.__signature__ = inspect.signature(lambda typing_context: None).replace(
        parameters=[
            inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD)
            for name in ("typing_context", *inspect.signature(function).parameters)
        ]
    )
    return intrinsic(names)


def _fits(given: Any, kind: Any) -> bool:
    """Return whether an argument of type ``given`` can be passed for ``kind`` without loss."""
    from numba import types

    same = {types.Float: types.Float | types.Integer, types.Integer: types.Integer}
    for family, others in same.items():
        if isinstance(kind, family):
            width: Any = kind
            return isinstance(given, others) and getattr(given, "bitwidth", 0) <= width.bitwidth
    if isinstance(kind, types.Boolean):
        return isinstance(given, types.Boolean)
    return _layout(given) == _layout(kind)


def _is_number(kind: Any) -> bool:
    from numba import types

    return isinstance(kind, types.Number | types.Boolean)


def _layout(kind: Any) -> Any:
    """Return the memory layout of a type: the type, without whether its arrays are writable."""
    from numba import types

    if isinstance(kind, types.Array):
        return kind.dtype, kind.ndim, kind.layout
    if isinstance(kind, types.BaseTuple):
        parts: Any = kind
        return tuple(_layout(part) for part in parts)
    return kind
