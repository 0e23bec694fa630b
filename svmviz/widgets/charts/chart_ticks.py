"""Ticks of an axis and their texts."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from itertools import pairwise

from svmviz.base.words import in_powers, number, signed

# A text as wide as the widest number beside an axis.
WIDEST_NUMBER = "2.5·10⁻⁴"
# Maximum length of a number that is written without a power of ten, characters.
MAX_PLAIN_LENGTH = 6
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def nice_step(span: float, max_steps: float) -> float:
    """Return the smallest round step with at most ``max_steps`` steps in ``span``.

    Round steps are 1, 2 and 5 times powers of ten.
    """
    return round_up(span / max(max_steps, 1.0))


def linear_ticks(low: float, high: float, max_ticks: float, *, whole: bool = False) -> list[float]:
    """Return equally spaced round numbers from ``low`` to ``high``.

    There are at most about ``max_ticks``. With ``whole``, they are integers.
    """
    if not high > low:
        return []
    step = nice_step(high - low, max_ticks)
    if whole:
        step = max(1.0, step)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    # Rounding makes a tick near zero exactly zero.
    digits = max(0, -math.floor(math.log10(step)))
    return [round(k * step, digits) for k in range(first, last + 1)]


def log_ticks(low: float, high: float, max_ticks: float) -> tuple[list[float], list[float]]:
    """Return two lists of ticks of a logarithmic axis: those with and those without a number.

    ``low``, ``high`` and the ticks are exponents of ten. If the range contains at least two powers
    of ten, these are the ticks, and every k-th has a number, so that the numbers fit. If not, the
    ticks are 1, 2 and 5 times powers of ten. If those are too many, the factors are 1 and 3, or
    else 1 and 5. If none of the three choices gives at least two ticks that fit, the ticks are
    round numbers with equal steps.
    """
    if not high > low:
        return [], []
    decades = range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)
    if len(decades) >= 2:
        every = max(1, math.ceil(len(decades) / max(max_ticks, 2.0)))
        numbered = [float(d) for d in decades if d % every == 0]
        return numbered, [float(d) for d in decades if d % every]
    for factors in ((1, 2, 5), (1, 3), (1, 5)):
        ticks = [
            power + math.log10(factor)
            for power in range(math.floor(low), math.ceil(high) + 1)
            for factor in factors
        ]
        ticks = [tick for tick in ticks if low <= tick <= high]
        if 2 <= len(ticks) <= max(max_ticks, 3.0):
            return ticks, []
    numbers = linear_ticks(10.0**low, 10.0**high, max_ticks)
    return [math.log10(value) for value in numbers if value > 0], []


def power_text(exponent: float) -> str:
    """Return the text of 10**exponent: a plain number if it is short, or with a power of ten."""
    # Numbers from about 1/2000 to 2000 are short.
    if abs(exponent) <= 3.3:
        return number(float(f"{10.0**exponent:.4g}"))
    if exponent == round(exponent):
        return "10" + f"{round(exponent)}".translate(SUPERSCRIPTS)
    power = math.floor(exponent)
    factor = number(float(f"{10.0 ** (exponent - power):.3g}"))
    return f"{factor}·10" + f"{power}".translate(SUPERSCRIPTS)


def tick_texts(values: Sequence[float]) -> list[str]:
    """Return the texts of the numbers of a linear axis.

    If one of them has more than ``MAX_PLAIN_LENGTH`` characters, all have powers of ten.
    """
    plain = [number(value) for value in values]
    are_short = max(map(len, plain), default=0) <= MAX_PLAIN_LENGTH
    texts = plain if are_short else [in_powers(value, 3) for value in values]
    return make_distinct(values, texts)


def make_distinct(values: Sequence[float], texts: list[str]) -> list[str]:
    """Return the texts of ascending numbers, changed such that no two are equal.

    If two texts are equal, all numbers get more decimals. If the longer texts do not fit, or two of
    them are equal, the original texts stay, but of equal ones all except the first become empty.
    """
    if len(set(texts)) == len(texts):
        return texts
    step = min((b - a for a, b in pairwise(values) if b > a), default=1.0)
    decimals = -math.floor(math.log10(step))
    plain = [signed(f"{value:,.{min(max(decimals, 0), 20)}f}") for value in values]
    if max(map(len, plain)) <= len(WIDEST_NUMBER) and len(set(plain)) == len(plain):
        return plain
    return [text if text not in texts[:index] else "" for index, text in enumerate(texts)]


def round_up(value: float) -> float:
    """Return the smallest of 1, 2 and 5 times powers of ten that is at least ``value`` > 0.

    Smaller values than the smallest normal number, 2.2e-308, are replaced by that number.
    """
    value = max(value, sys.float_info.min)
    power = 10.0 ** math.floor(math.log10(value))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= value * (1 - 1e-9))
