"""The compiled functions of ``solvers`` in the interpreter, where they can be debugged.

They are some hundred times slower there, and may differ in the last digits.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from solvers.jit import compiled

# Operations that only compiled code has, or whose integers wrap around only there.
REPLACED = {
    "call_at": lambda function, arguments, _result: function(*arguments),
    "float_of": lambda bits: struct.unpack("d", struct.pack("Q", int(bits) % 2**64))[0],
}


def interpret() -> None:
    """Make Python run the compiled functions of all modules imported so far, from now on."""
    for kind in (compiled.Compiled, compiled.Inner):
        kind.__call__ = _call
    compiled.CalledByAddress.address = property(lambda self: self)
    for function in compiled.FUNCTIONS.values():
        names = function.python.__globals__
        names.update({name: REPLACED[name] for name in REPLACED.keys() & names.keys()})


def _call(function: Any, *arguments: Any) -> Any:
    # Random numbers overflow on purpose.
    with np.errstate(all="ignore"):
        return function.python(*map(_with_attributes, arguments))


def _with_attributes(argument: Any) -> Any:
    """Return an argument whose records have their fields as attributes, as in compiled code."""
    if isinstance(argument, tuple):
        parts = map(_with_attributes, argument)
        return type(argument)(*parts) if hasattr(argument, "_fields") else tuple(parts)
    if isinstance(argument, np.ndarray) and argument.dtype.names:
        return _Records(argument)
    return _Record(argument) if isinstance(argument, np.void) else argument


class _Records:
    """A structured array. (The attribute ``size`` of a numpy record is not its field ``size``.)"""

    def __init__(self, array: np.ndarray) -> None:
        self._array = array

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, key: int | slice) -> Any:
        return _Records(self._array[key]) if isinstance(key, slice) else _Record(self._array[key])


class _Record:
    """One record, which is written through to its array."""

    def __init__(self, record: np.void) -> None:
        self.__dict__["_record"] = record

    def __getattr__(self, name: str) -> Any:
        return self._record[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self._record[name] = value
