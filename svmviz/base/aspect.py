"""Whether lengths along the two axes can be compared."""

from __future__ import annotations

import numpy as np

# Ranges whose ratio is larger are of different kinds: millimetres and grams.
MOST_UNEQUAL = 5.0


def are_comparable(ranges: np.ndarray) -> bool:
    """Whether ranges along the two axes, shape (2,), are of one size.

    A range of 0 says nothing about its axis.
    """
    return bool(ranges.min() <= 0.0 or ranges.max() <= MOST_UNEQUAL * ranges.min())
