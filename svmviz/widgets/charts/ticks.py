"""Where the ticks of an axis lie, and what is written beside them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from svmviz.base.words import in_powers, number

# What there is room for beside an axis, and how long a plain number may be there.
WIDEST, LONGEST = "2.5·10⁻⁴", 6
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def nice_step(span: float, most: float) -> float:
    """The smallest of 1, 2 and 5 times a power of ten that divides ``span`` at most so often."""
    rough = span / max(most, 1.0)
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))


def linear_ticks(low: float, high: float, most: float, *, whole: bool = False) -> list[float]:
    """At most about ``most`` round numbers from ``low`` to ``high``, perhaps whole ones only."""
    if not high > low:
        return []
    step = nice_step(high - low, most)
    if whole:
        step = max(1.0, step)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    # Rounded, so that a tick near zero is zero.
    places = max(0, -math.floor(math.log10(step)))
    return [round(k * step, places) for k in range(first, last + 1)]


def log_ticks(low: float, high: float, most: float) -> tuple[list[float], list[float]]:
    """Ticks of a logarithmic axis, in powers of ten: those with a number, and those without.

    Powers of ten where there are two or more; else 1, 2 and 5 times those; else whatever
    numbers are round.
    """
    if not high > low:
        return [], []
    decades = range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)
    if len(decades) >= 2:
        every = max(1, math.ceil(len(decades) / max(most, 2.0)))
        numbered = [float(d) for d in decades if d % every == 0]
        return numbered, [float(d) for d in decades if d % every]
    for factors in ((1, 2, 5), (1, 3), (1, 5)):
        fine = [
            power + math.log10(factor)
            for power in range(math.floor(low), math.ceil(high) + 1)
            for factor in factors
        ]
        fine = [tick for tick in fine if low <= tick <= high]
        if 2 <= len(fine) <= max(most, 3.0):
            return fine, []
    numbers = linear_ticks(10.0**low, 10.0**high, most)
    return [math.log10(value) for value in numbers if value > 0], []


def power_text(exponent: float) -> str:
    """The number of a logarithmic tick: plain where that is short, else a power of ten."""
    if abs(exponent) <= 3.3:
        return number(float(f"{10.0**exponent:.4g}"))
    if exponent == round(exponent):
        return "10" + f"{round(exponent)}".translate(SUPERSCRIPTS)
    power = math.floor(exponent)
    factor = number(float(f"{10.0 ** (exponent - power):.3g}"))
    return f"{factor}·10" + f"{power}".translate(SUPERSCRIPTS)


def tick_texts(values: Sequence[float]) -> list[str]:
    """Numbers of a linear axis; all in powers of ten where one would not fit beside the axis."""
    plain = [number(value) for value in values]
    if max(map(len, plain), default=0) <= LONGEST:
        return plain
    return [in_powers(value, 3) for value in values]


def round_up(value: float) -> float:
    """The next of 1, 2 and 5 times a power of ten that is not below a positive number."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= value * (1 - 1e-9))
