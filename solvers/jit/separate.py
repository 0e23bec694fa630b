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

from solvers.jit.compiled import FAILURES, SYMBOLS, Compiled, NotCompiled, compiled, name_symbols
from solvers.jit.signatures import signature_of


class Apart(Compiled):
    """A compiled function with a fixed signature, compiled once for all its callers.

    Compiled code that mentions it refers to a symbol, ``slot``: two pointers, to the machine code
    (null before the first call) and to a function that fills in the first. If that fails, compiled
    code ends with an error, and whoever called it from Python gets the reason.
    """

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        super().__init__(function, **options)
        self._fill = ctypes.CFUNCTYPE(None)(self._try_to_compile)
        self._slot = (ctypes.c_void_p * 2)(None, ctypes.cast(self._fill, ctypes.c_void_p))
        self._symbol = f"{function.__module__}.{function.__qualname__}.slot"
        SYMBOLS[self._symbol] = ctypes.addressof(self._slot)

    def compile(self) -> None:
        """Put the address of the machine code into the slot."""
        if not self._slot[0]:
            arguments, _ = signature_of(self._function)
            self._called.compile(arguments)
            self._slot[0] = _address_of(self._called.overloads[arguments])

    def _for_python(self) -> Callable[..., Any]:
        """A function that only calls this one, through the slot: numba compiles it for Python."""
        code = self._function.__code__
        names = ", ".join(code.co_varnames[: code.co_argcount])
        # At the line of this one, by which numba names what it keeps on disk.
        text = "\n" * (code.co_firstlineno - 1) + f"def through({names}): return apart({names})"
        made = {"apart": self, "__name__": self._function.__module__}
        exec(compile(text, code.co_filename, "exec"), made)
        return functools.wraps(self._function)(made["through"])

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
        made = _call_through(self._function, self._symbol)
        context.refresh()
        return context.resolve_value_type(made)


def _address_of(made: Any) -> int:
    """Where the machine code of a compiled function is."""
    return made.library.get_pointer_to_function(made.fndesc.llvm_func_name)


def compiled_apart(function: Callable[..., Any]) -> Apart:
    """Compile a function apart from those that call it; its annotations say its signature.

    Arrays are contiguous. A read-only one may be handed in, so it had better not be written to.
    """
    return Apart(function, **compiled(function).options)


def _call_through(function: Callable[..., Any], symbol: str) -> Any:
    """The operation that compiled code sees: load the address from the slot, and call it."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    kinds, result = signature_of(function)

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
            cast = functools.partial(context.cast, builder)
            values = [
                cast(value, given, kind) if isinstance(kind, types.Number) else value
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
    """Whether an argument can be passed: arrays as they are, a number if no digit is lost."""
    from numba import types
    from numba.core.typeconv import Conversion

    if isinstance(kind, types.Number | types.Boolean):
        found = typing_context.can_convert(given, kind)
        return found is not None and found <= Conversion.safe
    return _layout(given) == _layout(kind)


def _layout(kind: Any) -> Any:
    """What two types have in common that are the same in memory.

    Whether an array may be written to, also one in a tuple, makes no difference.
    """
    from numba import types

    if isinstance(kind, types.Array):
        return kind.dtype, kind.ndim, kind.layout
    if isinstance(kind, types.BaseTuple):
        parts: Any = kind
        return tuple(_layout(part) for part in parts)
    return kind
