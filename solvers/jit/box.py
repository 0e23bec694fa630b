"""The box: memory that passes arguments to a function called by its address, and its result back.

A box is a sequence of numbers and addresses. An array is stored as its address and its shape. These
are 2 numbers for a vector, where numba passes 7: arrays here are contiguous, so the strides follow
from the shape, and compiled code counts no references. A tuple is stored part by part. SMO's
``Points`` take 41 numbers instead of 136. All numbers are stored at each call. With 41 instead of
136, a step of the working set is 60 ns faster.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any


class Box:
    """A box in the LLVM code of a function: a struct with the arguments, then the result.

    Parameters
    ----------
    context, builder : numba code generation context and LLVM IR builder of the function
    kinds : tuple of numba types
        Types of the arguments.
    result : numba type
    pointer : LLVM value, optional
        Address of the box; by default a new box on the stack.
    """

    def __init__(
        self, context: Any, builder: Any, kinds: Any, result: Any, pointer: Any = None
    ) -> None:
        from llvmlite import ir
        from numba import types

        self._context, self._builder = context, builder
        self._arguments, self._result = types.Tuple(kinds), result
        inputs, outputs = (list(_types_in(context, one)) for one in (self._arguments, result))
        self._inputs, self._outputs = len(inputs), len(outputs)
        struct = ir.LiteralStructType(inputs + outputs)
        if pointer is None:
            # cgutils.alloca_once would fill the box with zeros at each call.
            with builder.goto_entry_block():
                self.pointer = builder.alloca(struct)
        else:
            self.pointer = builder.bitcast(pointer, struct.as_pointer())

    def store_arguments(self, values: list[Any]) -> None:
        """Write the arguments into the box."""
        parts = [
            part
            for value, kind in zip(values, self._arguments, strict=True)
            for part in _parts_of(self._context, self._builder, kind, value)
        ]
        self._store(parts, 0)

    def load_arguments(self) -> Any:
        """Return the arguments as one tuple."""
        parts = self._load(0, self._inputs)
        return _made_of(self._context, self._builder, self._arguments, parts)

    def store_result(self, value: Any) -> None:
        """Write the result into the box."""
        parts = _parts_of(self._context, self._builder, self._result, value)
        self._store(list(parts), self._inputs)

    def load_result(self) -> Any:
        """Return the result."""
        parts = self._load(self._inputs, self._outputs)
        return _made_of(self._context, self._builder, self._result, parts)

    def _store(self, parts: list[Any], first: int) -> None:
        for place, part in enumerate(parts, first):
            self._builder.store(part, self._at(place))

    def _load(self, first: int, count: int) -> Iterator[Any]:
        return (self._builder.load(self._at(first + k)) for k in range(count))

    def _at(self, place: int) -> Any:
        from numba.core import cgutils

        return cgutils.gep_inbounds(self._builder, self.pointer, 0, place)


def make_argument_reader(kinds: tuple[Any, ...], result: Any) -> Any:
    """Return the numba intrinsic that reads the arguments from a box."""
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def take(typing_context: Any, box: Any) -> Any:
        def generate(context: Any, builder: Any, _: Any, values: Any) -> Any:
            return Box(context, builder, kinds, result, values[0]).load_arguments()

        return types.Tuple(kinds)(types.voidptr), generate

    return take


def make_result_writer(kinds: tuple[Any, ...], result: Any) -> Any:
    """Return the numba intrinsic that writes the result into a box."""
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def put(typing_context: Any, box: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, _: Any, values: Any) -> Any:
            Box(context, builder, kinds, result, values[0]).store_result(values[1])
            return context.get_dummy_value()

        return types.none(types.voidptr, result), generate

    return put


def _types_in(context: Any, kind: Any) -> Iterator[Any]:
    """Yield the LLVM types of the numbers and addresses in a value of a numba type."""
    from numba import types

    if isinstance(kind, types.Array):
        yield context.get_data_type(kind.dtype).as_pointer()
        yield from [context.get_value_type(types.intp)] * kind.ndim
    elif isinstance(kind, types.BaseTuple):
        tuple_kind: Any = kind
        for part in tuple_kind:
            yield from _types_in(context, part)
    else:
        yield context.get_value_type(kind)


def _parts_of(context: Any, builder: Any, kind: Any, value: Any) -> Iterator[Any]:
    """Yield the numbers and addresses in a value, see the docstring of this module."""
    from numba import types
    from numba.core import cgutils

    if isinstance(kind, types.Array):
        array = cgutils.create_struct_proxy(kind)(context, builder, value)
        yield array.data
        yield from cgutils.unpack_tuple(builder, array.shape)
    elif isinstance(kind, types.BaseTuple):
        tuple_kind: Any = kind
        for k, part in enumerate(tuple_kind):
            yield from _parts_of(context, builder, part, builder.extract_value(value, k))
    else:
        yield value


def _made_of(context: Any, builder: Any, kind: Any, parts: Iterator[Any]) -> Any:
    """Return the value that consists of these numbers and addresses; inverse of `_parts_of`."""
    from numba import types

    if isinstance(kind, types.Array):
        data, *shape = islice(parts, 1 + kind.ndim)
        return _array(context, builder, kind, data, shape)
    if isinstance(kind, types.BaseTuple):
        tuple_kind: Any = kind
        return context.make_tuple(
            builder, kind, [_made_of(context, builder, part, parts) for part in tuple_kind]
        )
    return next(parts)


def _array(context: Any, builder: Any, kind: Any, data: Any, shape: list[Any]) -> Any:
    """Return the contiguous array of this shape at an address."""
    from numba import types
    from numba.core import cgutils

    # The fields for the owner of the memory and for the Python object stay null.
    array = cgutils.create_struct_proxy(kind)(context, builder)
    size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    array.data, array.itemsize = data, context.get_constant(types.intp, size)
    array.shape = cgutils.pack_array(builder, shape)
    strides = [array.itemsize]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(length, strides[0]))
    array.strides = cgutils.pack_array(builder, strides)
    array.nitems = builder.sdiv(builder.mul(strides[0], shape[0]), array.itemsize)
    return array._getvalue()
