"""The numbers of a state as one record with named fields: a structured array with one entry.

Compiled code reads ``state.scalars[0].steps``, Python ``state.scalars["steps"][0]``. numpy takes 9
microseconds to copy a structured array with 17 fields, since it copies field by field, and 2 to
allocate one. The functions here go through bytes and take less than 1 microsecond each. For
comparison, a run on 50 points takes 70.
"""

from __future__ import annotations

import numpy as np


def new_record(dtype: np.dtype) -> np.ndarray:
    """Return a structured array, shape (1,), of zeros."""
    return np.ndarray(1, dtype, bytearray(dtype.itemsize))


def copy_array(array: np.ndarray) -> np.ndarray:
    """Return a copy of any array of a state."""
    if array.dtype.names is None:
        return array.copy()
    return np.ndarray(array.shape, array.dtype, bytearray(array.tobytes()))
