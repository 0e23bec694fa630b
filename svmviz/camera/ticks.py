"""Round numbers along an axis, written with as many digits as tell them apart."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from svmviz.base.words import SMALLEST_PLAIN, mantissa, power_of_ten, signed

# A plain number may be this long before powers of ten are thought of.
LONGEST_PLAIN = 9


@dataclass(frozen=True)
class Ticks:
    """Places along an axis and what is written there.

    Attributes
    ----------
    values : tuple of float
        In data units, ascending.
    labels : tuple of str
        As many; all different, all with the same number of decimals.
    """

    values: tuple[float, ...]
    labels: tuple[str, ...]

    @property
    def longest(self) -> int:
        """Characters of the longest label; 0 without labels."""
        return max((len(label) for label in self.labels), default=0)


# A frame asks for both axes several times, and the next frame mostly looks where this one did.
@lru_cache(maxsize=32)
def make_ticks(low: float, high: float, most: int) -> Ticks:
    """Multiples of 1, 2 or 5 times a power of ten from ``low`` to ``high``, ``most`` at most."""
    if not high > low:
        return Ticks((), ())
    mantissa, exponent = _step((high - low) / max(1, most))
    # With whole numbers, and division for small steps, each value is the nearest float64.
    unit = 10.0 ** abs(exponent)
    size = mantissa * unit if exponent >= 0 else mantissa / unit
    first, last = math.ceil(low / size - 1e-9), math.floor(high / size + 1e-9)
    counts = range(first, last + 1)
    values = tuple(
        count * mantissa * unit if exponent >= 0 else count * mantissa / unit for count in counts
    )
    return Ticks(values, _labels(values, exponent))


def _step(least: float) -> tuple[int, int]:
    """Mantissa and exponent of the smallest round step that is not below ``least``."""
    exponent = math.floor(math.log10(least))
    share = least / 10.0**exponent
    for digit in (1, 2, 5):
        if share <= digit * (1.0 + 1e-9):
            return digit, exponent
    return 1, exponent + 1


def _labels(values: tuple[float, ...], exponent: int) -> tuple[str, ...]:
    decimals = max(0, -exponent)
    largest = max((abs(value) for value in values), default=0.0)
    # Nobody reads 200 zeros, and format() of huge floats is slow.
    short = decimals <= 20 and largest < 1e20
    plain = tuple(signed(f"{value:,.{decimals}f}") for value in values) if short else ()
    easy = largest >= SMALLEST_PLAIN and short and max(map(len, plain)) <= LONGEST_PLAIN
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
