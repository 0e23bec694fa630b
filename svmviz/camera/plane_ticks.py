"""Round numbers along an axis, written with enough digits to distinguish them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from svmviz.base.words import MIN_PLAIN, mantissa, power_of_ten, signed

# Maximum number of characters of a number without a power of ten.
MAX_PLAIN = 9


@dataclass(frozen=True)
class Ticks:
    """Values along an axis and their labels.

    Attributes
    ----------
    values : tuple of float
        In data units, ascending.
    labels : tuple of str
        One per value: all different, all with the same number of decimals.
    """

    values: tuple[float, ...]
    labels: tuple[str, ...]

    @property
    def longest(self) -> int:
        """Length of the longest label in characters; 0 without labels."""
        return max((len(label) for label in self.labels), default=0)


# The ticks are cached, because each frame needs them several times and they rarely change.
@lru_cache(maxsize=32)
def make_ticks(low: float, high: float, most: int) -> Ticks:
    """Return at most ``most`` ticks in a range: the multiples of 1, 2 or 5 times a power of ten."""
    if not high > low:
        return Ticks((), ())
    mantissa, exponent = _step((high - low) / max(1, most))
    # Values are computed from integers. If the step is below 1, they are divided by a power of ten.
    # So each value is the float64 that is nearest to the tick.
    unit = 10.0 ** abs(exponent)
    size = mantissa * unit if exponent >= 0 else mantissa / unit
    first, last = math.ceil(low / size - 1e-9), math.floor(high / size + 1e-9)
    counts = range(first, last + 1)
    values = tuple(
        count * mantissa * unit if exponent >= 0 else count * mantissa / unit for count in counts
    )
    return Ticks(values, _labels(values, exponent))


def _step(least: float) -> tuple[int, int]:
    """Return mantissa and exponent of the smallest round step of at least ``least``."""
    exponent = math.floor(math.log10(least))
    leading = least / 10.0**exponent
    for digit in (1, 2, 5):
        if leading <= digit * (1.0 + 1e-9):
            return digit, exponent
    return 1, exponent + 1


def _labels(values: tuple[float, ...], exponent: int) -> tuple[str, ...]:
    decimals = max(0, -exponent)
    largest = max((abs(value) for value in values), default=0.0)
    # Numbers with many zeros are unreadable, and format() of huge floats is slow.
    short = decimals <= 20 and largest < 1e20
    plain = tuple(signed(f"{value:,.{decimals}f}") for value in values) if short else ()
    easy = largest >= MIN_PLAIN and short and max(map(len, plain)) <= MAX_PLAIN
    if largest == 0.0 or easy:
        return plain or ("0",) * len(values)
    power = math.floor(math.log10(largest))
    digits = max(0, power - exponent)
    scientific = tuple(_scientific(value, power, digits) for value in values)
    if short and max(map(len, plain)) <= max(map(len, scientific)):
        return plain
    return scientific


def _scientific(value: float, power: int, digits: int) -> str:
    if value == 0.0:
        return "0"
    return signed(f"{mantissa(value, power):.{digits}f}") + power_of_ten(power)
