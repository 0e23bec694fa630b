"""The box: memory in which a function called by address gets its arguments and returns its result.

Compiled code calls the functions of :mod:`solvers.jit.separate` in this way. The caller writes the
arguments into a box on its stack, and passes the address of the box. The function reads the
arguments from the box and writes its result into it.

A box is a struct of LLVM. Each of its *fields* is a number or an address. An array takes a field
for its address and one for each axis of its shape. A tuple takes the fields of its elements. Other
values take one field.

numba itself would pass a vector as 7 values. A box needs only 2 fields: arrays are contiguous, so
their strides follow from the shape, and compiled code counts no references. The tuple
``solvers.methods.smo.state.Points`` takes 41 fields instead of 136 values. Since all fields are
stored at each call, this makes a step of the working-set method 60 ns faster.

In this file and in ``separate``, a *kind* is a numba type.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any


class Box:
    """A box, seen from one of its two sides: the caller or the called function.

    The methods of this class generate LLVM code that reads or writes the box. The fields of the
    arguments come first, then those of the result.

    Parameters
    ----------
    context, builder : numba code generation context and LLVM IR builder of this function
    kinds : tuple of numba types
        Types of the arguments of the called function.
    result : numba type
        Type of the result of the called function.
    pointer : LLVM value, optional
        In the called function, the address of the box, which was passed to it. In the caller there
        is no such address yet: without ``pointer`` a new box is made on the stack of the caller.
    """

    def __init__(
        self, context: Any, builder: Any, kinds: Any, result: Any, pointer: Any = None
    ) -> None:
        from llvmlite import ir
        from numba import types

        self._context, self._builder = context, builder
        self._arguments, self._result = types.Tuple(kinds), result
        inputs = list(_field_types(context, self._arguments))
        outputs = list(_field_types(context, result))
        # Numbers of fields of the arguments and of the result.
        self._n_inputs, self._n_outputs = len(inputs), len(outputs)
        struct = ir.LiteralStructType(inputs + outputs)
        if pointer is None:
            # cgutils.alloca_once would fill the box with zeros at each call.
            with builder.goto_entry_block():
                self.pointer = builder.alloca(struct)
        else:
            self.pointer = builder.bitcast(pointer, struct.as_pointer())

    def store_arguments(self, values: list[Any]) -> None:
        """Write the arguments into the box."""
        fields = [
            field
            for value, kind in zip(values, self._arguments, strict=True)
            for field in _fields_of(self._context, self._builder, kind, value)
        ]
        self._store(fields, 0)

    def load_arguments(self) -> Any:
        """Return the arguments as one tuple."""
        fields = self._load(0, self._n_inputs)
        return _value_of(self._context, self._builder, self._arguments, fields)

    def store_result(self, value: Any) -> None:
        """Write the result into the box."""
        fields = _fields_of(self._context, self._builder, self._result, value)
        self._store(list(fields), self._n_inputs)

    def load_result(self) -> Any:
        """Return the result, read from the box."""
        fields = self._load(self._n_inputs, self._n_outputs)
        return _value_of(self._context, self._builder, self._result, fields)

    def _store(self, fields: list[Any], first: int) -> None:
        for index, field in enumerate(fields, first):
            self._builder.store(field, self._address_of(index))

    def _load(self, first: int, count: int) -> Iterator[Any]:
        return (self._builder.load(self._address_of(first + k)) for k in range(count))

    def _address_of(self, index: int) -> Any:
        """Return the address of field number ``index``."""
        from numba.core import cgutils

        return cgutils.gep_inbounds(self._builder, self.pointer, 0, index)


def make_argument_reader(kinds: tuple[Any, ...], result: Any) -> Any:
    """Return the numba intrinsic that reads the arguments from the box at an address."""
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def read_arguments(typing_context: Any, box: Any) -> Any:
        def generate(context: Any, builder: Any, _: Any, values: Any) -> Any:
            return Box(context, builder, kinds, result, values[0]).load_arguments()

        return types.Tuple(kinds)(types.voidptr), generate

    return read_arguments


def make_result_writer(kinds: tuple[Any, ...], result: Any) -> Any:
    """Return the numba intrinsic that writes the result into the box at an address."""
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def write_result(typing_context: Any, box: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, _: Any, values: Any) -> Any:
            Box(context, builder, kinds, result, values[0]).store_result(values[1])
            return context.get_dummy_value()

        return types.none(types.voidptr, result), generate

    return write_result


def _field_types(context: Any, kind: Any) -> Iterator[Any]:
    """Yield the LLVM types of the fields of a value of type ``kind``."""
    from numba import types

    if isinstance(kind, types.Array):
        yield context.get_data_type(kind.dtype).as_pointer()
        yield from [context.get_value_type(types.intp)] * kind.ndim
    elif isinstance(kind, types.BaseTuple):
        tuple_kind: Any = kind
        for element_kind in tuple_kind:
            yield from _field_types(context, element_kind)
    else:
        yield context.get_value_type(kind)


def _fields_of(context: Any, builder: Any, kind: Any, value: Any) -> Iterator[Any]:
    """Yield the fields of a value of type ``kind``, as LLVM values."""
    from numba import types
    from numba.core import cgutils

    if isinstance(kind, types.Array):
        array = cgutils.create_struct_proxy(kind)(context, builder, value)
        yield array.data
        yield from cgutils.unpack_tuple(builder, array.shape)
    elif isinstance(kind, types.BaseTuple):
        tuple_kind: Any = kind
        for k, element_kind in enumerate(tuple_kind):
            element = builder.extract_value(value, k)
            yield from _fields_of(context, builder, element_kind, element)
    else:
        yield value


def _value_of(context: Any, builder: Any, kind: Any, fields: Iterator[Any]) -> Any:
    """Return a value of type ``kind``, made from the next of ``fields``.

    This is the inverse of :func:`_fields_of`.
    """
    from numba import types

    if isinstance(kind, types.Array):
        data, *shape = islice(fields, 1 + kind.ndim)
        return _array(context, builder, kind, data, shape)
    if isinstance(kind, types.BaseTuple):
        tuple_kind: Any = kind
        return context.make_tuple(
            builder, kind, [_value_of(context, builder, element, fields) for element in tuple_kind]
        )
    return next(fields)


def _array(context: Any, builder: Any, kind: Any, data: Any, shape: list[Any]) -> Any:
    """Return the contiguous array of this shape at an address."""
    from numba import types
    from numba.core import cgutils

    # An array of numba also refers to the owner of its memory and to a Python object. Both pointers
    # stay null.
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
