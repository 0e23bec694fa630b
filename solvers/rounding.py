"""The relative rounding error of double precision, and vectors that are shown without it."""

from __future__ import annotations

import sys
from collections.abc import Sequence

EPS = sys.float_info.epsilon
"""Machine epsilon, 2^-52: the distance from 1 to the next larger number."""

NOISE = 4.0 * EPS
"""Bound on the relative rounding error of a few operations, such as a sum of few products."""

# If the largest entry of a vector is between these sizes, entries of up to NEGLIGIBLE_ENTRY times
# its size are shown as 0: they would be 0 without rounding or with a smaller tolerance. Coordinates
# of other vectors may have very different units, such as 1e6 and 1e-6, so all entries are shown.
MIN_COMMON, MAX_COMMON = 1e-3, 1e3
NEGLIGIBLE_ENTRY = 1e-8


def without_noise(values: Sequence[float]) -> tuple[float, ...]:
    """Return the entries of a vector as they are shown, with 0 for those that are noise."""
    largest = max(map(abs, values), default=0.0)
    noise = NEGLIGIBLE_ENTRY * largest if MIN_COMMON <= largest <= MAX_COMMON else 0.0
    return tuple(0.0 if abs(value) <= noise else value for value in values)
