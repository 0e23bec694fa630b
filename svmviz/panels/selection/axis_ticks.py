"""Ticks of an axis of a map."""

from __future__ import annotations

import math

from svmviz.base.words import number
from svmviz.selection.axes import Axis
from svmviz.widgets.charts.chart_ticks import SUPERSCRIPTS, linear_ticks, log_ticks

# Powers of ten in this range are written as plain numbers; other powers are written like 10⁴.
MIN_PLAIN, MAX_PLAIN = 0.01, 1000.0


def ticks_of(axis: Axis, most: float) -> list[tuple[float, str]]:
    """Return about ``most`` ticks, each as its position (see ``Axis.position``) and its text."""
    if axis.low == axis.high:
        return [(0.0, value_words(axis.low))]
    if axis.logarithmic:
        powers, _ = log_ticks(math.log10(axis.low), math.log10(axis.high), most)
        values = [10.0**power for power in powers]
    else:
        values = linear_ticks(axis.low, axis.high, most, whole=axis.is_integer)
    positions = [(axis.position(value), value_words(value)) for value in values]
    return [(position, text) for position, text in positions if position is not None]


def value_words(value: float) -> str:
    """Return a value as text: ``10⁴`` for a large or small power of ten, otherwise a number."""
    # 0 is no power of ten. The 0.5, which is not whole, makes it fail the test below.
    exponent = math.log10(value) if value > 0 else 0.5
    if abs(exponent - round(exponent)) < 1e-9 and not MIN_PLAIN <= value <= MAX_PLAIN:
        return "10" + str(round(exponent)).translate(SUPERSCRIPTS)
    return number(value, 3)
