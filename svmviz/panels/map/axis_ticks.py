"""Ticks of an axis of parameters, in steps from its first value."""

from __future__ import annotations

import math

from svmviz.base.words import number
from svmviz.selection.axes import Axis
from svmviz.widgets.charts.chart_ticks import SUPERSCRIPTS, linear_ticks, log_ticks

# Powers of ten between these are written as numbers.
MIN_PLAIN, MAX_PLAIN = 0.01, 1000.0


def ticks_of(axis: Axis, most: float) -> list[tuple[float, str]]:
    """Return about ``most`` ticks: place in steps from the first value, and text."""
    if axis.low == axis.high:
        return [(0.0, value_words(axis.low))]
    if axis.logarithmic:
        powers, _ = log_ticks(math.log10(axis.low), math.log10(axis.high), most)
        values = [10.0**power for power in powers]
    else:
        values = linear_ticks(axis.low, axis.high, most, whole=axis.whole)
    places = [(axis.place(value), value_words(value)) for value in values]
    return [(place, text) for place, text in places if place is not None]


def value_words(value: float) -> str:
    """Return a value, as a power of ten where that is shorter."""
    exponent = math.log10(value) if value > 0 else 0.5
    if abs(exponent - round(exponent)) < 1e-9 and not MIN_PLAIN <= value <= MAX_PLAIN:
        return "10" + str(round(exponent)).translate(SUPERSCRIPTS)
    return number(value, 3)
