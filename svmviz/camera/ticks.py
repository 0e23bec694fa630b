"""Round numbers along an axis of a plane, chart or map, and their labels."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from functools import lru_cache

from svmviz.base.words import MIN_PLAIN, mantissa, number, power_of_ten, signed

# Maximum number of characters of a number without a power of ten.
MAX_PLAIN_CHARACTERS = 9
# Powers of ten with exponents up to this size are written as plain numbers: 1/2000 to 2000.
MAX_PLAIN_EXPONENT = 3.3


@dataclass(frozen=True)
class Ticks:
    """Values along an axis and their labels.

    Attributes
    ----------
    values : tuple of float
        In the units of the axis, ascending; exponents of ten on a logarithmic axis.
    labels : tuple of str
        One per value. Those of a linear axis are all different, and all have the same number of
        decimals; if they have powers of ten, 0 is written without decimals. On a logarithmic axis
        some are empty.
    """

    values: tuple[float, ...]
    labels: tuple[str, ...]

    @property
    def longest(self) -> int:
        """Length of the longest label in characters; 0 without labels."""
        return max((len(label) for label in self.labels), default=0)

    @property
    def pairs(self) -> list[tuple[float, str]]:
        """Value and label of each tick."""
        return list(zip(self.values, self.labels, strict=True))


# The ticks are cached, because each frame needs them several times and they rarely change.
@lru_cache(maxsize=64)
def linear_ticks(low: float, high: float, max_gaps: int, whole: bool = False) -> Ticks:
    """Return the ticks in a range: all multiples of a step, which is 1, 2 or 5 times 10**k.

    There are at most ``max_gaps`` gaps between ticks, so at most ``max_gaps + 1`` ticks. With
    ``whole``, they are integers.
    """
    if not high > low:
        return Ticks((), ())
    digit, exponent = _round_up((high - low) / max(1, max_gaps))
    if whole and exponent < 0:
        digit, exponent = 1, 0
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


@lru_cache(maxsize=64)
def log_ticks(low: float, high: float, max_ticks: int) -> Ticks:
    """Return the ticks of a logarithmic axis; ``low``, ``high`` and the ticks are exponents of ten.

    If the range contains at least two powers of ten, these are the ticks, and every k-th has a
    label, so that at most about ``max_ticks`` have one. If not, the ticks are 1, 2 and 5 times
    powers of ten. If those are too many, the factors are 1 and 3, or else 1 and 5. If none of the
    three choices gives at least two ticks that fit, the ticks are round numbers with equal steps.
    """
    if not high > low:
        return Ticks((), ())
    decades = range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)
    if len(decades) >= 2:
        every = max(1, math.ceil(len(decades) / max(max_ticks, 2)))
        labels = tuple("" if power % every else power_text(power) for power in decades)
        return Ticks(tuple(map(float, decades)), labels)
    for factors in ((1, 2, 5), (1, 3), (1, 5)):
        exponents = [
            power + math.log10(factor)
            for power in range(math.floor(low), math.ceil(high) + 1)
            for factor in factors
        ]
        fitting = tuple(exponent for exponent in exponents if low <= exponent <= high)
        if 2 <= len(fitting) <= max(max_ticks, 3):
            return Ticks(fitting, tuple(map(power_text, fitting)))
    ticks = [pair for pair in linear_ticks(10.0**low, 10.0**high, max_ticks).pairs if pair[0] > 0]
    return Ticks(tuple(math.log10(value) for value, _ in ticks), tuple(text for _, text in ticks))


def power_text(exponent: float) -> str:
    """Return the text of 10**exponent: a plain number if it is short, or with a power of ten."""
    if abs(exponent) <= MAX_PLAIN_EXPONENT:
        return number(float(f"{10.0**exponent:.4g}"))
    power = math.floor(exponent)
    factor = number(float(f"{10.0 ** (exponent - power):.3g}"))
    return f"{factor}{power_of_ten(power)}".removeprefix("1·")


def round_up(value: float) -> float:
    """Return the smallest of 1, 2 and 5 times powers of ten that is at least ``value`` > 0.

    Smaller values than the smallest normal number, 2.2e-308, are replaced by that number.
    """
    digit, exponent = _round_up(value)
    return float(f"{digit}e{exponent}")


def nice_step(span: float, max_steps: float) -> float:
    """Return the smallest step of `round_up` with at most ``max_steps`` steps in ``span``."""
    return round_up(span / max(max_steps, 1.0))


def _round_up(value: float) -> tuple[int, int]:
    """Return digit and exponent of the smallest digit * 10**exponent >= ``value``.

    The digit is 1, 2 or 5.
    """
    value = max(value, sys.float_info.min)
    exponent = math.floor(math.log10(value))
    scaled = value / 10.0**exponent
    for digit in (1, 2, 5):
        if scaled <= digit * (1.0 + 1e-9):
            return digit, exponent
    return 1, exponent + 1


def _labels(values: tuple[float, ...], exponent: int) -> tuple[str, ...]:
    decimals = max(0, -exponent)
    largest = max((abs(value) for value in values), default=0.0)
    # Numbers with many zeros are unreadable, and format() of huge floats is slow.
    is_short = decimals <= 20 and largest < 1e20
    plain = tuple(signed(f"{value:,.{decimals}f}") for value in values) if is_short else ()
    is_readable = largest >= MIN_PLAIN and is_short and max(map(len, plain)) <= MAX_PLAIN_CHARACTERS
    if largest == 0.0:
        return ("0",) * len(values)
    if is_readable:
        return plain
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
