"""Round numbers along an axis, written with enough digits to distinguish them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from svmviz.base.words import MIN_PLAIN, mantissa, power_of_ten, signed

# Maximum number of characters of a number without a power of ten.
MAX_PLAIN_CHARACTERS = 9


@dataclass(frozen=True)
class Ticks:
    """Values along an axis and their labels.

    Attributes
    ----------
    values : tuple of float
        In data units, ascending.
    labels : tuple of str
        One per value: all different, and all with the same number of decimals. If the labels have
        powers of ten, 0 is written without decimals.
    """

    values: tuple[float, ...]
    labels: tuple[str, ...]

    @property
    def longest(self) -> int:
        """Length of the longest label in characters; 0 without labels."""
        return max((len(label) for label in self.labels), default=0)


# The ticks are cached, because each frame needs them several times and they rarely change.
@lru_cache(maxsize=32)
def make_ticks(low: float, high: float, max_gaps: int) -> Ticks:
    """Return the ticks in a range: all multiples of a step, which is 1, 2 or 5 times 10**k.

    There are at most ``max_gaps`` gaps between ticks, so at most ``max_gaps + 1`` ticks.
    """
    if not high > low:
        return Ticks((), ())
    digit, exponent = _round_step((high - low) / max(1, max_gaps))
    # Each value is an integer times 10**exponent. For a negative exponent the integer is divided by
    # 10**-exponent, since that rounds only once. So each value is the float64 nearest to the tick,
    # if the power is exact, that is up to 10**22. The 1e-9 in ``first`` and ``last`` allows for
    # rounding errors.
    unit = 10.0 ** abs(exponent)
    step = digit * unit if exponent >= 0 else digit / unit
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    multiples = range(first, last + 1)
    values = tuple(
        multiple * digit * unit if exponent >= 0 else multiple * digit / unit
        for multiple in multiples
    )
    return Ticks(values, _labels(values, exponent))


def _round_step(min_step: float) -> tuple[int, int]:
    """Return digit and exponent of the smallest step digit * 10**exponent >= ``min_step``.

    The digit is 1, 2 or 5.
    """
    exponent = math.floor(math.log10(min_step))
    scaled_step = min_step / 10.0**exponent
    for digit in (1, 2, 5):
        if scaled_step <= digit * (1.0 + 1e-9):
            return digit, exponent
    return 1, exponent + 1


def _labels(values: tuple[float, ...], exponent: int) -> tuple[str, ...]:
    decimals = max(0, -exponent)
    largest = max((abs(value) for value in values), default=0.0)
    # Numbers with many zeros are unreadable, and format() of huge floats is slow.
    is_short = decimals <= 20 and largest < 1e20
    plain = tuple(signed(f"{value:,.{decimals}f}") for value in values) if is_short else ()
    is_readable = largest >= MIN_PLAIN and is_short and max(map(len, plain)) <= MAX_PLAIN_CHARACTERS
    if largest == 0.0 or is_readable:
        return plain or ("0",) * len(values)
    power = math.floor(math.log10(largest))
    digits = max(0, power - exponent)
    scientific = tuple(_scientific(value, power, digits) for value in values)
    if is_short and max(map(len, plain)) <= max(map(len, scientific)):
        return plain
    return scientific


def _scientific(value: float, power: int, digits: int) -> str:
    if value == 0.0:
        return "0"
    return signed(f"{mantissa(value, power):.{digits}f}") + power_of_ten(power)
