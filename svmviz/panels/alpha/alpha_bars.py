"""Positions and heights of the bars of points, and how many points share a bar."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from svmviz.widgets.charts.chart_ticks import linear_ticks, round_up, tick_texts

# Minimum width of a bar, px at scale 1; neighbours share a bar if there is less room.
MIN_BAR_WIDTH = 1.0
# Height of a factor of ten above C, as a fraction of C.
DECADE = 0.35


class Bars:
    """The positions of the bars of points, ordered by class and then by number.

    If there are more points than px, neighbours share a bar, which shows their largest alpha.

    Parameters
    ----------
    labels : int8 array, shape (n,)
    """

    def __init__(self, labels: np.ndarray) -> None:
        self.labels = labels
        self._groups = [np.flatnonzero(labels > 0), np.flatnonzero(labels <= 0)]
        first = len(self._groups[0])
        gap = max(1.0, 0.02 * len(labels))
        self._starts = [0.0, first + gap]
        self._total = len(labels) + gap
        self._rank = np.empty(len(labels))
        for group, start in zip(self._groups, self._starts, strict=True):
            self._rank[group] = start + np.arange(len(group)) + 0.5
        self._size = 1

    @property
    def extent(self) -> tuple[float, float]:
        """Range of the horizontal axis."""
        return -0.5, self._total + 0.5

    def fit(self, width: float) -> None:
        """Set the number of points per bar for a chart of this width, px at scale 1."""
        self._size = max(1, math.ceil(self._total * MIN_BAR_WIDTH / max(width, 1.0)))

    @property
    def shared(self) -> int:
        """Number of points that share a bar."""
        return self._size

    def heights(
        self, alpha: np.ndarray
    ) -> Iterator[tuple[str, np.ndarray, np.ndarray, np.ndarray]]:
        """Yield the name of each class with the middles, widths and heights of its bars.

        Bars of height 0 are left out.
        """
        for name, group, start in zip(
            ("positive", "negative"), self._groups, self._starts, strict=True
        ):
            first = np.arange(0, len(group), self._size)
            last = np.minimum(first + self._size, len(group))
            values = alpha[group]
            if len(first):
                highest = np.maximum.reduceat(values, first)
            else:
                highest = np.zeros(0)
            seen = highest > 0
            middle = start + 0.5 * (first + last)
            width = (last - first) * (0.8 if self._size == 1 else 1.0)
            yield name, middle[seen], width[seen], highest[seen]

    def places(self, points: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """Return middles and widths of the bars of single points, wide enough to be seen."""
        chosen = np.asarray(points, dtype=int)
        return self._rank[chosen], np.full(len(chosen), 0.8 if self._size == 1 else self._size)

    def names(self, names: tuple[str, str]) -> list[tuple[str, float]]:
        """Return the text under each class, and its middle."""
        return [
            (name if len(group) else "", start + 0.5 * len(group))
            for name, group, start in zip(names, self._groups, self._starts, strict=True)
        ]

    def point_at(self, x: float, alpha: np.ndarray) -> int | None:
        """Return the point whose bar is at x; in a shared bar, the point with the largest alpha."""
        for group, start in zip(self._groups, self._starts, strict=True):
            place = math.floor(x - start)
            if 0 <= place < len(group):
                first = place // self._size * self._size
                neighbours = group[first : first + self._size]
                if self._size == 1 or not alpha[neighbours].any():
                    return int(group[place])
                return int(neighbours[np.argmax(alpha[neighbours])])
        return None


class AlphaAxis:
    """The vertical axis, which is linear up to C and logarithmic above.

    Iterates that are not dual feasible exceed C by far at first, such as C n after one step of
    Pegasos. On a linear axis the alphas of all later steps would look like 0. If all alphas so far
    are far below C, the axis ends near the largest one. Within a run the axis never shrinks, and
    its end is a round value, so that it changes rarely.
    """

    def __init__(self) -> None:
        self.ceiling = 1.0
        self.top = 1.0
        self._run = 0
        self._seen = 0.0

    @property
    def above(self) -> bool:
        """Whether the axis has a part above C."""
        return self.top > self.ceiling

    def follow(self, run: int, ceiling: float, largest: float) -> None:
        """Extend the axis to the largest alpha; ``ceiling`` is the C of the run."""
        if run != self._run:
            self._run, self._seen = run, 0.0
        self._seen = max(self._seen, largest)
        if self._seen > ceiling:
            halves = math.ceil(2.0 * math.log10(self._seen / ceiling))
            self.ceiling = ceiling
            self.top = float(self.place(np.array([ceiling * 10.0 ** (halves / 2)]))[0])
            return
        shows_C = math.isfinite(ceiling) and (self._seen >= 0.1 * ceiling or self._seen == 0.0)
        self.ceiling = ceiling if shows_C else round_up(self._seen) if self._seen > 0 else 1.0
        self.top = self.ceiling

    def place(self, alpha: np.ndarray) -> np.ndarray:
        """Return the heights of values, shape as given."""
        ratio = np.maximum(alpha / self.ceiling, 1.0)
        return np.minimum(alpha, self.ceiling) + self.ceiling * DECADE * np.log10(ratio)

    def ticks(self, most: float) -> list[tuple[float, str]]:
        """Return heights and texts of the ticks of an axis with a part above C."""
        below = linear_ticks(0.0, 0.8 * self.ceiling, max(2.0, 0.5 * most))
        decades = round((self.top / self.ceiling - 1.0) / DECADE + 0.01)
        powers = range(1, decades + 1)
        places = [*below, *(self.ceiling * (1.0 + DECADE * power) for power in powers)]
        values = [*below, *(self.ceiling * 10.0**power for power in powers)]
        return list(zip(places, tick_texts(values), strict=True))
