"""The LLVM code of the operations of :mod:`solvers.jit.simd`; importing this imports numba.

Each function of :mod:`~solvers.jit.simd` gets a type, by ``type_callable``, and code, by
``lower_builtin``: the low-level extension interface of numba.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import lower_builtin, type_callable

from solvers.jit import simd
from solvers.jit.signatures import CALLED_BY_ADDRESS, signature_of

DOUBLE = ir.DoubleType()


def _define(operation: Any, result: Any, kinds: tuple[Any, ...], generate: Any) -> None:
    """Define an operation with arguments of the given types."""

    @type_callable(operation)
    def _(context: Any) -> Any:
        # numba counts the arguments of this function.
        return {
            1: lambda a: result(*kinds),
            2: lambda a, b: result(*kinds),
            3: lambda a, b, c: result(*kinds),
        }[len(kinds)]

    lower_builtin(operation, *kinds)(generate)


def _of_floats(name: str, count: int, flags: tuple[str, ...]) -> Any:
    """Return a generator of the LLVM intrinsic of this name, for ``count`` floats."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(DOUBLE, [DOUBLE] * count)
        function = builder.module.declare_intrinsic(name, [DOUBLE], kind)
        return builder.call(function, arguments, fastmath=flags)

    return generate


def _bitcast(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return builder.bitcast(arguments[0], context.get_value_type(signature.return_type))


def _call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    address, values = arguments[0], cgutils.unpack_tuple(builder, arguments[1])
    result = context.get_value_type(signature.return_type)
    kind = ir.FunctionType(result, [value.type for value in values])
    return builder.call(builder.inttoptr(address, kind.as_pointer()), values)


FLOAT, INTEGER = types.float64, types.int64
FLAGS = ("nnan", "nsz", "reassoc")
_define(simd.larger, FLOAT, (FLOAT, FLOAT), _of_floats("llvm.maxnum", 2, FLAGS))
_define(simd.smaller, FLOAT, (FLOAT, FLOAT), _of_floats("llvm.minnum", 2, FLAGS))
_define(simd.multiply_add, FLOAT, (FLOAT, FLOAT, FLOAT), _of_floats("llvm.fmuladd", 3, ()))
_define(simd.bits_of, INTEGER, (FLOAT,), _bitcast)
_define(simd.float_of, FLOAT, (INTEGER,), _bitcast)


@type_callable(simd.call_at)
def _type_of_call(context: Any) -> Any:
    def type_of(address: Any, arguments: Any, result: Any) -> Any:
        called = tuple(map(types.unliteral, arguments)), types.unliteral(result)
        # It is not known before the call whether the function at the address has these types. But
        # it is an error if no function that is called by its address has them.
        if called not in map(signature_of, CALLED_BY_ADDRESS):
            return None
        return called[1](types.int64, arguments, result)

    return type_of


lower_builtin(simd.call_at, types.int64, types.BaseTuple, types.Any)(_call)
