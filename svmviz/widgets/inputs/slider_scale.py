"""The scale of a slider, which maps integer positions to numbers, with its ticks and stops.

A stop is a round number; a slider that is dragged near a stop jumps to it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from svmviz.camera.ticks import power_text

PER_DECADE = 100
"""Number of positions per decade of a logarithmic scale of at least two decades.

Each power of ten is at a position.
"""

LINEAR_POSITIONS = 500
"""Number of positions from end to end of a linear scale."""

INFINITY_GAP = 40
"""Number of positions after that of the maximum.

The first half of them still gives the maximum, and the second half infinity.
"""

MIN_NUMBERED_DECADES = 4.0
"""Powers of ten are written below a scale if it has at least this number of decades."""


@dataclass(frozen=True)
class Track:
    """Range of the numbers of a slider, and its scale.

    Parameters
    ----------
    minimum, maximum : float
        Ends of the range.
    logarithmic : bool
        Whether the scale is logarithmic; needs ``minimum > 0``.
    whole : bool
        Whether all numbers are whole.
    endless : bool
        Whether there is a position for infinity beyond the maximum.
    """

    minimum: float
    maximum: float
    logarithmic: bool = True
    whole: bool = False
    endless: bool = False

    def __post_init__(self) -> None:
        """Check that the range is not empty, and starts above 0 if the scale is logarithmic."""
        ends = (self.minimum, self.maximum)
        if not (all(map(math.isfinite, ends)) and self.minimum < self.maximum):
            raise ValueError(f"expected minimum < maximum, got {ends}")
        if self.logarithmic and self.minimum <= 0:
            raise ValueError(f"a logarithmic range starts above 0, got {self.minimum}")

    @property
    def steps(self) -> int:
        """Position of the maximum."""
        if not self.logarithmic:
            return LINEAR_POSITIONS
        return math.ceil(self._per_decade * math.log10(self.maximum / self.minimum) - 1e-9)

    @property
    def last(self) -> int:
        """The largest position, that of the maximum or of infinity."""
        return self.steps + (INFINITY_GAP if self.endless else 0)

    @property
    def _per_decade(self) -> int:
        """Number of positions per decade; it is larger if the range has less than two decades."""
        decades = math.log10(self.maximum / self.minimum)
        return PER_DECADE * max(1, math.ceil(2 / decades))

    def holds(self, value: float) -> bool:
        """Return whether the scale contains a number; an endless scale contains infinity."""
        if math.isinf(value):
            return self.endless and value > 0
        if self.whole and value != round(value):
            return False
        return self.minimum <= value <= self.maximum

    def value(self, position: int) -> float:
        """Return the number at a position: exact at a stop, otherwise with about 3 digits."""
        if position in self._stop_values:
            return self._stop_values[position]
        if position > self.steps + INFINITY_GAP // 2:
            return math.inf
        if position <= 0 or position >= self.steps:
            return self.maximum if position > 0 else self.minimum
        if self.logarithmic:
            number = float(f"{self.minimum * 10 ** (position / self._per_decade):.2e}")
        else:
            span = self.maximum - self.minimum
            decimals = max(0, -math.floor(math.log10(span / 100)))
            number = round(self.minimum + position / LINEAR_POSITIONS * span, decimals)
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
        """Return how many positions an arrow key moves the slider from a number.

        An arrow key moves it by 1/20 decade, or 1/100 of a linear scale; if all numbers are whole,
        at least to the next integer.
        """
        positions = self._per_decade // 20 if self.logarithmic else LINEAR_POSITIONS // 100
        if not self.whole or math.isinf(value):
            return positions
        next_integer = value + 1 if value < self.maximum else value - 1
        return max(positions, abs(self.position(next_integer) - self.position(value)))

    def page(self) -> int:
        """Return how many positions the page keys move: a decade, or a tenth of a linear scale."""
        return self._per_decade if self.logarithmic else LINEAR_POSITIONS // 10

    def ticks(self) -> tuple[int, ...]:
        """Return the positions of the ticks.

        A logarithmic scale has ticks at powers of ten, a linear one at both ends and at zero. An
        endless scale also has a tick at infinity.
        """
        if self.logarithmic:
            marks = tuple(self.position(10.0**power) for power in self._powers)
        else:
            inside = (0.0,) if self.minimum < 0 < self.maximum else ()
            marks = tuple(map(self.position, (self.minimum, *inside, self.maximum)))
        return (*marks, self.last) if self.endless else marks

    def stops(self) -> tuple[int, ...]:
        """Return the positions of the stops; a linear scale has none.

        They are at 1, 2 and 5 times powers of ten, at the ends and at infinity.
        """
        if not self.logarithmic:
            return ()
        return tuple(sorted({0, *self._stop_values, self.steps, self.last}))

    def stop_beside(self, value: float, up: bool) -> float | None:
        """Return the next stop above a number, or below it if not ``up``; None if there is none."""
        stops = [self.value(position) for position in self.stops()]
        if up:
            return next((stop for stop in stops if stop > value), None)
        return next((stop for stop in reversed(stops) if stop < value), None)

    def numbers(self) -> dict[int, str]:
        """Return the texts below the scale, by position: powers of ten and infinity.

        A linear scale, and one with fewer decades than ``MIN_NUMBERED_DECADES``, has no texts.
        """
        if not self.logarithmic or math.log10(self.maximum / self.minimum) < MIN_NUMBERED_DECADES:
            return {}
        texts = {self.position(10.0**power): power_text(power) for power in self._powers}
        return texts | ({self.last: "∞"} if self.endless else {})

    @property
    def _powers(self) -> range:
        """Exponents of the powers of ten from end to end."""
        first = math.ceil(math.log10(self.minimum) - 1e-9)
        return range(first, math.floor(math.log10(self.maximum) + 1e-9) + 1)

    @cached_property
    def _stop_values(self) -> dict[int, float]:
        if not self.logarithmic:
            return {}
        powers = range(self._powers.start - 1, self._powers.stop)
        values = (float(f"{factor}e{power}") for power in powers for factor in (1, 2, 5))
        return {self.position(value): value for value in values if self.holds(value)}
