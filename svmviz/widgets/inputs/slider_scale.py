"""The scale of a slider: positions, the numbers at them, and its ticks and stops."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from svmviz.widgets.charts.chart_ticks import power_text

PER_DECADE = 100
"""Number of slider positions per decade. Each power of ten is at a position."""

LINEAR_POSITIONS = 500
"""Number of slider positions from end to end of a linear scale."""

INFINITY_GAP = 40
"""Number of slider positions beyond the largest number, the last of which means infinity."""

MIN_NUMBERED_DECADES = 4.0
"""Minimum number of decades for which powers of ten are written below the scale."""


@dataclass(frozen=True)
class Track:
    """Range of the numbers that a slider can have, and its scale.

    Parameters
    ----------
    minimum, maximum : float
        Ends of the range.
    logarithmic : bool
        Equal distances are equal factors; needs ``minimum > 0``.
    whole : bool
        Only whole numbers.
    endless : bool
        There is a position for infinity beyond the maximum.
    """

    minimum: float
    maximum: float
    logarithmic: bool = True
    whole: bool = False
    endless: bool = False

    def __post_init__(self) -> None:
        """Refuse a range that is empty or has no logarithm."""
        ends = (self.minimum, self.maximum)
        if not (all(map(math.isfinite, ends)) and self.minimum < self.maximum):
            raise ValueError(f"expected minimum < maximum, got {ends}")
        if self.logarithmic and self.minimum <= 0:
            raise ValueError(f"a logarithmic range starts above 0, got {self.minimum}")

    @property
    def steps(self) -> int:
        """Position of the largest number."""
        if not self.logarithmic:
            return LINEAR_POSITIONS
        return math.ceil(self._per_decade * math.log10(self.maximum / self.minimum) - 1e-9)

    @property
    def last(self) -> int:
        """Largest position."""
        return self.steps + (INFINITY_GAP if self.endless else 0)

    @property
    def _per_decade(self) -> int:
        """Positions in a decade: more in a range that is shorter than two."""
        decades = math.log10(self.maximum / self.minimum)
        return PER_DECADE * max(1, math.ceil(2 / decades))

    def holds(self, value: float) -> bool:
        """Return whether a number can be set; infinity can if the scale is endless."""
        if math.isinf(value):
            return self.endless and value > 0
        if self.whole and value != round(value):
            return False
        return self.minimum <= value <= self.maximum

    def value(self, position: int) -> float:
        """Return the number at a position: a stop exactly, others with three digits."""
        if position in self._stop_values:
            return self._stop_values[position]
        if position > self.steps + INFINITY_GAP // 2:
            return math.inf
        if position <= 0 or position >= self.steps:
            return self.maximum if position > 0 else self.minimum
        if self.logarithmic:
            number = _significant(self.minimum * 10 ** (position / self._per_decade), 3)
        else:
            span = self.maximum - self.minimum
            places = max(0, -math.floor(math.log10(span / 100)))
            number = round(self.minimum + position / LINEAR_POSITIONS * span, places)
        number = float(round(number)) if self.whole else number
        return min(max(number, self.minimum), self.maximum)

    def position(self, value: float) -> int:
        """Return the position nearest to a number."""
        if math.isinf(value):
            return self.last
        value = min(max(value, self.minimum), self.maximum)
        if self.logarithmic:
            return round(self._per_decade * math.log10(value / self.minimum))
        return round((value - self.minimum) / (self.maximum - self.minimum) * LINEAR_POSITIONS)

    def notch(self, value: float) -> int:
        """Return how far a key moves, in positions: 1/20 decade, or to the next integer."""
        least = self._per_decade // 20 if self.logarithmic else LINEAR_POSITIONS // 100
        if not self.whole or math.isinf(value):
            return least
        above = value + 1 if value < self.maximum else value - 1
        return max(least, abs(self.position(above) - self.position(value)))

    def page(self) -> int:
        """Return how many positions the page keys move: a decade, or a tenth of a linear scale."""
        return self._per_decade if self.logarithmic else LINEAR_POSITIONS // 10

    def ticks(self) -> tuple[int, ...]:
        """Return the positions of powers of ten, or of zero and the ends; and of infinity."""
        if self.logarithmic:
            marks = tuple(self.position(10.0**power) for power in self._powers)
        else:
            inside = (0.0,) if self.minimum < 0 < self.maximum else ()
            marks = tuple(map(self.position, (self.minimum, *inside, self.maximum)))
        return (*marks, self.last) if self.endless else marks

    def stops(self) -> tuple[int, ...]:
        """Return the positions of 1, 2 and 5 times powers of ten, of the ends and of infinity.

        A linear scale has none.
        """
        if not self.logarithmic:
            return ()
        return tuple(sorted({0, *self._stop_values, self.steps, self.last}))

    def stop_beside(self, value: float, up: bool) -> float | None:
        """Return the next stop above a number, or below it; None if there is none."""
        stops = [self.value(position) for position in self.stops()]
        if up:
            return next((stop for stop in stops if stop > value), None)
        return next((stop for stop in reversed(stops) if stop < value), None)

    def numbers(self) -> dict[int, str]:
        """Return texts to be written below a wide scale, by position: powers of ten, infinity."""
        if not self.logarithmic or math.log10(self.maximum / self.minimum) < MIN_NUMBERED_DECADES:
            return {}
        texts = {self.position(10.0**power): power_text(power) for power in self._powers}
        return texts | ({self.last: "∞"} if self.endless else {})

    @property
    def _powers(self) -> range:
        """Exponents of the powers of ten between the ends."""
        first = math.ceil(math.log10(self.minimum) - 1e-9)
        return range(first, math.floor(math.log10(self.maximum) + 1e-9) + 1)

    @cached_property
    def _stop_values(self) -> dict[int, float]:
        """Numbers at the stops, by position."""
        if not self.logarithmic:
            return {}
        powers = range(self._powers.start - 1, self._powers.stop)
        values = (float(f"{factor}e{power}") for power in powers for factor in (1, 2, 5))
        return {self.position(value): value for value in values if self.holds(value)}


def _significant(value: float, digits: int) -> float:
    return float(f"{value:.{digits - 1}e}")
