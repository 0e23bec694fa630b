"""Compiled functions that compiled callers call through an address.

numba links a compiled function into each of its callers, and optimises it there again together with
the functions that it calls. So with many levels of calls the innermost function is compiled a dozen
times. A function with the decorator ``compiled_apart`` is compiled only once, apart from its
callers. Compiling all methods then takes 30 s instead of 73 s.

Each such function has a *slot*: a pointer in memory that contains the address of its machine code.
The slot has a symbol name, which llvmlite resolves when the machine code of a caller is made or
loaded. A caller reads the address from the slot and calls the function there. It passes a pointer
to a *box*, which contains the arguments and has space for the result (:mod:`solvers.jit.box`).

At first the slot contains the address of the Python function ``Separate._call_first``, so the first
caller calls ``_call_first``. This function compiles or loads the machine code, stores the address
of the machine code in the slot, and calls the machine code.
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
    copy_with_globals,
    fail,
)
from solvers.jit.signatures import signature_of

# The type of a function that takes the address of a box.
BOXED = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
# The symbol by which machine code refers to `FAILED`, which is 1 after a failed compilation.
FAILED_SYMBOL = "solvers.jit.failed"
# Source of a function that reads arguments from a box, calls `function` with them, and writes the
# result into the box.
STUB = """
def stub(box):
    {names}, = read_arguments(box)
    write_result(box, function({names}))
"""


class Separate(Compiled):
    """A compiled function that callers call through the address in its slot."""

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        super().__init__(function, **options)
        self._machine_code: Any = None
        # Stored in an attribute, since its address is valid only while this object exists.
        self._first_call = BOXED(self._call_first)
        self._slot = (ctypes.c_void_p * 1)(ctypes.cast(self._first_call, ctypes.c_void_p).value)

    @property
    def stands_alone(self) -> bool:
        return True

    @property
    def is_loaded(self) -> bool:
        """Whether the machine code of this function is loaded in this process."""
        return self._machine_code is not None

    def __call__(self, *arguments: Any) -> Any:
        raise TypeError(f"{self.name} is for compiled code only: call it in a @compiled function.")

    def load(self) -> None:
        with LOCK:
            if self._machine_code is None:
                self._machine_code = call_with_cache(self._make_machine_code, self.name)
                self._slot[0] = self._machine_code.address

    def _call_first(self, box: int) -> None:
        """Load or compile the machine code, and call it.

        The slot contains the address of this method until the machine code is loaded. So the first
        caller calls this method.
        """
        # An exception cannot pass through the machine code of the caller.
        try:
            helper.wait_for([needed.name for needed in self.needs], cancellable=False)
            self.load()
        except BaseException as reason:
            fail(reason)
        else:
            BOXED(self._machine_code.address)(box)

    def _make_machine_code(self, cached: bool) -> Any:
        """Return the machine code as a C function that takes the address of a box."""
        import numba
        from numba import types

        kinds, result = signature_of(self.python)
        code = self.python.__code__
        names = ", ".join(code.co_varnames[: code.co_argcount])
        namespace: dict[str, Any] = {"__name__": self.python.__module__}
        exec(compile(STUB.format(names=names), code.co_filename, "exec"), namespace)
        namespace["stub"].__qualname__ = f"{self.python.__qualname__}.boxed"
        linked = numba.njit(inline="always", **self.options)(self.resolved())
        values = {
            "read_arguments": make_argument_reader(kinds, result),
            "write_result": make_result_writer(kinds, result),
            "function": linked,
        }
        stub = copy_with_globals(namespace["stub"], values)
        return numba.cfunc(types.void(types.voidptr), cache=cached, **self.options)(stub)

    def _make_linked(self) -> Any:
        import llvmlite.binding

        symbol = f"{self.name}.slot"
        llvmlite.binding.add_symbol(symbol, ctypes.addressof(self._slot))
        llvmlite.binding.add_symbol(FAILED_SYMBOL, ctypes.addressof(FAILED))
        return _make_call(symbol, self.python)


def compiled_apart(function: Callable[..., Any]) -> Separate:
    """Compile a function apart from its callers. Its annotations are its signature.

    Arrays must be contiguous. The function must not write to an array that a caller may pass
    read-only, because this is not checked.
    """
    return Separate(function, **COMMON)


def compiled_when_reached(function: Callable[..., Any]) -> Separate:
    """Compile like :func:`compiled_apart`, but only when a run first calls the function.

    This is for functions that few runs call, so that other runs do not wait for the compilation.
    """
    return Separate(function, when_reached=True, **COMMON)


def _make_call(symbol: str, function: Callable[..., Any]) -> Any:
    """Return the numba intrinsic that replaces ``function`` in the code of its callers.

    The intrinsic generates code that fills a box, calls the address in the slot, and reads the
    result from the box. ``symbol`` is the name of the slot.
    """
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
                context.cast(builder, value, argument_kind, kind) if _is_number(kind) else value
                for value, argument_kind, kind in zip(values, arguments, kinds, strict=True)
            ]
            box = Box(context, builder, kinds, result)
            box.store_arguments(values)
            address_type = ir.FunctionType(ir.VoidType(), [byte]).as_pointer()
            slot = context.get_c_value(builder, address_type, symbol)
            builder.call(builder.load(slot), [builder.bitcast(box.pointer, byte)])
            failed = builder.load(context.get_c_value(builder, ir.IntType(64), FAILED_SYMBOL))
            with builder.if_then(cgutils.is_not_null(builder, failed), likely=False):
                context.call_conv.return_user_exc(builder, NotCompiled, (symbol,))
            return box.load_result()

        return result(*arguments), generate

    # numba takes the names of the arguments from the signature.
    named_call: Any = call
    named_call.__signature__ = inspect.signature(lambda typing_context: None).replace(
        parameters=[
            inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD)
            for name in ("typing_context", *inspect.signature(function).parameters)
        ]
    )
    return intrinsic(named_call)


def _fits(argument_kind: Any, kind: Any) -> bool:
    """Return whether an argument of type ``argument_kind`` fits ``kind`` without loss."""
    from numba import types

    accepted = {types.Float: types.Float | types.Integer, types.Integer: types.Integer}
    for number_kind, accepted_kinds in accepted.items():
        if isinstance(kind, number_kind):
            bits, allowed_bits = getattr(argument_kind, "bitwidth", 0), getattr(kind, "bitwidth", 0)
            return isinstance(argument_kind, accepted_kinds) and bits <= allowed_bits
    if isinstance(kind, types.Boolean):
        return isinstance(argument_kind, types.Boolean)
    return _layout(argument_kind) == _layout(kind)


def _is_number(kind: Any) -> bool:
    from numba import types

    return isinstance(kind, types.Number | types.Boolean)


def _layout(kind: Any) -> Any:
    """Return the memory layout of a type. It does not depend on whether arrays are writable."""
    from numba import types

    if isinstance(kind, types.Array):
        return kind.dtype, kind.ndim, kind.layout
    if isinstance(kind, types.BaseTuple):
        elements: Any = kind
        return tuple(_layout(element) for element in elements)
    return kind
