"""Between the position of a slider and the number it stands for."""

from __future__ import annotations

import math
from dataclasses import dataclass

PER_DECADE = 100
"""Positions from a number to ten times that, so that powers of ten are hit exactly."""

LINEAR = 500
"""Positions from end to end where equal steps are equal differences."""

GAP = 40
"""Positions beyond the largest number, at whose end infinity lies."""


@dataclass(frozen=True)
class Track:
    """Range of numbers under a slider.

    Parameters
    ----------
    minimum, maximum : float
        Ends of the range.
    logarithmic : bool
        Equal steps are equal factors; needs ``minimum > 0``.
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
            return LINEAR
        return math.ceil(self._per_decade * math.log10(self.maximum / self.minimum) - 1e-9)

    @property
    def last(self) -> int:
        """Largest position."""
        return self.steps + (GAP if self.endless else 0)

    @property
    def _per_decade(self) -> int:
        """Positions in a decade: more in a range that is shorter than two."""
        decades = math.log10(self.maximum / self.minimum)
        return PER_DECADE * max(1, math.ceil(2 / decades))

    def holds(self, value: float) -> bool:
        """Whether a number can be set, infinity included where there is one."""
        if math.isinf(value):
            return self.endless and value > 0
        if self.whole and value != round(value):
            return False
        return self.minimum <= value <= self.maximum

    def value(self, position: int) -> float:
        """Number at a position, rounded to three significant digits as it is shown."""
        if position > self.steps + GAP // 2:
            return math.inf
        if position <= 0 or position >= self.steps:
            return self.maximum if position > 0 else self.minimum
        if self.logarithmic:
            number = _significant(self.minimum * 10 ** (position / self._per_decade), 3)
        else:
            span = self.maximum - self.minimum
            places = max(0, -math.floor(math.log10(span / 100)))
            number = round(self.minimum + position / LINEAR * span, places)
        number = float(round(number)) if self.whole else number
        return min(max(number, self.minimum), self.maximum)

    def position(self, value: float) -> int:
        """Nearest position to a number."""
        if math.isinf(value):
            return self.last
        value = min(max(value, self.minimum), self.maximum)
        if self.logarithmic:
            return round(self._per_decade * math.log10(value / self.minimum))
        return round((value - self.minimum) / (self.maximum - self.minimum) * LINEAR)

    def notch(self, value: float) -> int:
        """Positions that a key moves from a number: a twentieth of a decade, or one whole."""
        least = self._per_decade // 20 if self.logarithmic else LINEAR // 100
        if not self.whole or math.isinf(value):
            return least
        above = value + 1 if value < self.maximum else value - 1
        return max(least, abs(self.position(above) - self.position(value)))

    def page(self) -> int:
        """Positions that the page keys move: a decade, or a tenth."""
        return self._per_decade if self.logarithmic else LINEAR // 10

    def ticks(self) -> tuple[int, ...]:
        """Positions of the powers of ten, or of the ends and of zero; and of infinity."""
        if self.logarithmic:
            first = math.ceil(math.log10(self.minimum) - 1e-9)
            last = math.floor(math.log10(self.maximum) + 1e-9)
            marks = tuple(self.position(10.0**power) for power in range(first, last + 1))
        else:
            inside = (0.0,) if self.minimum < 0 < self.maximum else ()
            marks = tuple(map(self.position, (self.minimum, *inside, self.maximum)))
        return (*marks, self.last) if self.endless else marks


def _significant(value: float, digits: int) -> float:
    return float(f"{value:.{digits - 1}e}")
