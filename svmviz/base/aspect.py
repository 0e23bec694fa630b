"""Comparison of the ranges of two axes."""

from __future__ import annotations

import numpy as np

# If the ratio of two ranges is larger, the axes probably show different quantities, such as
# millimetres and grams.
MAX_RATIO = 5.0


def are_comparable(ranges: np.ndarray) -> bool:
    """Return whether the ranges of the two axes, shape (2,), have similar sizes.

    They also count as similar if one of them is 0.
    """
    return bool(ranges.min() <= 0.0 or ranges.max() <= MAX_RATIO * ranges.min())
