"""Operations that let LLVM use vector registers, where it cannot do so for plain Python code.

LLVM does not vectorise a loop with ``if v > m: m = v``, since it may not reorder the comparisons.
It may reorder calls of ``llvm.maxnum``. With such calls, a maximum takes 0.1 ns per element instead
of 0.57 ns. The LLVM code of these operations is in :mod:`solvers.jit.operations`.
"""

from __future__ import annotations

import struct
from typing import Any


def larger(a: float, b: float) -> float:
    """Return the larger of two floats; with it LLVM can vectorise the maximum of an array."""
    return a if a > b else b


def smaller(a: float, b: float) -> float:
    """Return the smaller of two floats; with it LLVM can vectorise the minimum of an array."""
    return a if a < b else b


def multiply_add(a: float, b: float, c: float) -> float:
    """Return ``a b + c``, in compiled code rounded only once if the processor can.

    So the rounding depends only on the processor. With the fastmath flag ``contract`` it would also
    depend on which operations LLVM chooses to combine.
    """
    return a * b + c


def bits_of(a: float) -> int:
    """Return the 64 bits of a float as an integer."""
    return struct.unpack("q", struct.pack("d", a))[0]


def float_of(bits: int) -> float:
    """Return the float whose 64 bits are those of an integer; the inverse of ``bits_of``."""
    return struct.unpack("d", struct.pack("q", bits))[0]


def call_at(address: int, arguments: tuple[Any, ...], result: Any) -> Any:
    """Call the function at an address (:func:`solvers.jit.compiled.called_by_address`).

    The arguments must have exactly the types of its annotations. ``result`` is any value of the
    type that the function returns.
    """
    raise TypeError("call_at can only be called by compiled code")


# Arrays are padded to a multiple of this many numbers. Without padding, a vectorised loop would
# leave some last numbers, which would be computed one by one.
PAD = 16


def padded(size: int) -> int:
    """Return the length of an array for ``size`` numbers, rounded up to a multiple of ``PAD``."""
    return -(-size // PAD) * PAD
