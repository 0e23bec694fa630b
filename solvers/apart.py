"""Compiled functions that are called through their address.

Whatever a compiled function calls is linked into it and optimised again, and so is everything the
callee calls: with many levels of functions the one at the bottom is compiled a dozen times. A
function compiled *apart* has a slot in memory that holds its address. Callers load the address
and call it, so it is compiled once, when first needed, and its bits are the same for all callers.
"""

from __future__ import annotations

import ctypes
import functools
import inspect
from collections.abc import Callable
from typing import Any

from solvers.compiled import FAILURES, SYMBOLS, Compiled, NotCompiled, compiled, name_symbols


class Apart(Compiled):
    """A compiled function with a fixed signature, compiled once for all its callers.

    Compiled code that mentions it refers to a symbol, ``slot``: two pointers, to the machine code
    (null before the first call) and to a function that fills in the first. If that fails, compiled
    code ends with an error, and whoever called it from Python gets the reason.
    """

    def __init__(self, function: Callable[..., Any], signature: str, **options: Any) -> None:
        super().__init__(function, **options)
        self._signature = signature
        self._fill = ctypes.CFUNCTYPE(None)(self._try_to_compile)
        self._slot = (ctypes.c_void_p * 2)(None, ctypes.cast(self._fill, ctypes.c_void_p))
        self._symbol = f"{function.__module__}.{function.__qualname__}.slot"
        SYMBOLS[self._symbol] = ctypes.addressof(self._slot)

    def types(self) -> tuple[tuple[Any, ...], Any]:
        """The numba types of the arguments and of the result."""
        from numba.core import sigutils, types

        signature = self._signature if "(" in self._signature else f"void({self._signature})"
        arguments, result = sigutils.normalize_signature(signature)
        return arguments, types.none if result == types.void else result

    def compile(self) -> None:
        """Put the address of the machine code into the slot."""
        if not self._slot[0]:
            arguments, _ = self.types()
            self.dispatcher.compile(arguments)
            made = self.dispatcher.overloads[arguments]
            self._slot[0] = made.library.get_pointer_to_function(made.fndesc.llvm_func_name)

    def _try_to_compile(self) -> None:
        # Nothing can be raised through machine code, which looks at the slot when this returns.
        try:
            self.compile()
        except BaseException as failure:
            FAILURES.reason = failure

    @functools.cached_property
    def _numba_type_(self) -> Any:
        from numba.core.registry import cpu_target

        name_symbols()
        context: Any = cpu_target.typing_context
        made = _call_through(self._function, self._symbol, *self.types())
        context.refresh()
        return context.resolve_value_type(made)


def compiled_apart(signature: str) -> Callable[[Callable[..., Any]], Apart]:
    """Compile a function apart from those that call it.

    Parameters
    ----------
    signature : str
        numba types of the arguments, in brackets after that of the result if there is one. Arrays
        are contiguous; a read-only one may be handed in.
    """

    def decorate(function: Callable[..., Any]) -> Apart:
        return Apart(function, signature, **compiled(function).options)

    return decorate


def _call_through(
    function: Callable[..., Any], symbol: str, kinds: tuple[Any, ...], result: Any
) -> Any:
    """The operation that compiled code sees: load the address from the slot, and call it."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    def call(typing_context: Any, *arguments: Any) -> Any:
        fits = functools.partial(_fits, typing_context)
        if len(arguments) != len(kinds) or not all(map(fits, arguments, kinds)):
            return None

        def generate(context: Any, builder: Any, _: Any, values: Any) -> Any:
            byte = ir.IntType(8).as_pointer()
            slot = context.get_c_value(builder, ir.ArrayType(byte, 2), symbol)
            address = cgutils.gep_inbounds(builder, slot, 0, 0)
            with builder.if_then(cgutils.is_null(builder, builder.load(address)), likely=False):
                fill = builder.load(cgutils.gep_inbounds(builder, slot, 0, 1))
                action = ir.FunctionType(ir.VoidType(), [])
                builder.call(builder.bitcast(fill, action.as_pointer()), [])
                with builder.if_then(cgutils.is_null(builder, builder.load(address))):
                    context.call_conv.return_user_exc(builder, NotCompiled, (symbol,))
            values = [
                value
                if isinstance(kind, types.Array)
                else context.cast(builder, value, given, kind)
                for value, given, kind in zip(values, arguments, kinds, strict=True)
            ]
            convention = context.call_conv
            kind = convention.get_function_type(result, kinds).as_pointer()
            target = builder.bitcast(builder.load(address), kind)
            status, value = convention.call_function(builder, target, result, kinds, values)
            with builder.if_then(status.is_error, likely=False):
                convention.return_status_propagate(builder, status)
            return value

        return result(*arguments), generate

    names: Any = call
    names.__signature__ = inspect.signature(lambda typing_context: None).replace(
        parameters=[
            inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD)
            for name in ("typing_context", *inspect.signature(function).parameters)
        ]
    )
    return intrinsic(names)


def _fits(typing_context: Any, given: Any, kind: Any) -> bool:
    """Whether an argument can be passed: an array as it is, a number if no digit is lost."""
    from numba import types
    from numba.core.typeconv import Conversion

    if isinstance(kind, types.Array) and isinstance(given, types.Array):
        # Whether it may be written to makes no difference to its layout.
        layouts = [(array.dtype, array.ndim, array.layout) for array in (given, kind)]
        return layouts[0] == layouts[1]
    found = typing_context.can_convert(given, kind)
    return found is not None and found <= Conversion.safe
