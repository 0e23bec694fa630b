"""Numba types of arguments and results, read from annotations.

An annotation is ``float``, ``int``, ``bool``, one of the array types below, a record
``Annotated[Any, dtype]``, or a tuple or NamedTuple of these.
"""

from __future__ import annotations

import typing
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np


@dataclass(frozen=True)
class Contiguous:
    """Annotation of a contiguous array of ``dtype`` with ``ndim`` axes.

    ``readonly`` says whether the array is read-only. In a field of a NamedTuple it must agree with
    the arrays that Python passes, otherwise numba compiles the function a second time.
    """

    dtype: Any
    ndim: int
    readonly: bool = False


# The array types of annotations. FixedVector and FixedMatrix are read-only.
Vector = Annotated[np.ndarray, Contiguous(np.float64, 1)]
Matrix = Annotated[np.ndarray, Contiguous(np.float64, 2)]
Matrices = Annotated[np.ndarray, Contiguous(np.float64, 3)]
FixedVector = Annotated[np.ndarray, Contiguous(np.float64, 1, readonly=True)]
FixedMatrix = Annotated[np.ndarray, Contiguous(np.float64, 2, readonly=True)]
Indices = Annotated[np.ndarray, Contiguous(np.int64, 1)]
Table = Annotated[np.ndarray, Contiguous(np.int64, 2)]
Switches = Annotated[np.ndarray, Contiguous(np.bool_, 1)]
Marks = Annotated[np.ndarray, Contiguous(np.uint8, 1)]


# The functions that are called by their address (:func:`solvers.jit.compiled.called_by_address`).
CALLED_BY_ADDRESS: list[Any] = []


def signature_of(function: Any) -> tuple[tuple[Any, ...], Any]:
    """Return the numba types of the arguments and of the result of an annotated function.

    Raises
    ------
    TypeError
        If an annotation is missing, or is none of those listed at the top of this module.
    """
    hints = typing.get_type_hints(function, include_extras=True)
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    if missing := [name for name in (*names, "return") if name not in hints]:
        raise TypeError(f"{function.__qualname__} has no annotation of {', '.join(missing)}.")
    return tuple(kind_of(hints[name]) for name in names), kind_of(hints["return"])


def is_annotated(function: Any) -> bool:
    """Return whether every argument and the result are annotated."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    return {*names, "return"} <= set(function.__annotations__)


def kind_of(annotation: Any) -> Any:
    """Return the numba type of an annotation."""
    from numba import from_dtype, types

    scalars = {
        float: types.float64,
        int: types.int64,
        bool: types.boolean,
        type(None): types.none,
    }
    if annotation in scalars:
        return scalars[annotation]
    for mark in getattr(annotation, "__metadata__", ()):
        if isinstance(mark, Contiguous):
            dtype = from_dtype(np.dtype(mark.dtype))
            return types.Array(dtype, mark.ndim, "C", readonly=mark.readonly)
        if isinstance(mark, np.dtype):
            return from_dtype(mark)
    if typing.get_origin(annotation) is tuple:
        return types.BaseTuple.from_types([kind_of(item) for item in typing.get_args(annotation)])
    if isinstance(annotation, type) and issubclass(annotation, tuple):
        fields = typing.get_type_hints(annotation, include_extras=True)
        return types.BaseTuple.from_types([kind_of(item) for item in fields.values()], annotation)
    raise TypeError(f"Compiled code has no type for the annotation {annotation!r}.")
