"""Positions and heights of the bars of the alpha chart, and how many points share a bar."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from svmviz.widgets.charts.chart_ticks import linear_ticks, round_up, tick_texts

# Minimum width of a bar, px at scale 1. If there is less room, neighbouring points share a bar.
MIN_BAR_WIDTH = 1.0
# Height of a factor of ten on the logarithmic part of the vertical axis (see `AlphaAxis`), as a
# fraction of the height of the linear part.
DECADE = 0.35


class Bars:
    """The positions of the bars of points, ordered by class and then by number.

    If there are more points than px, neighbouring points of a class share a bar, which shows the
    largest alpha of them. On the horizontal axis, 1 is the width that one point takes.

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
        self._length = len(labels) + gap
        self._middles = np.empty(len(labels))
        for group, start in zip(self._groups, self._starts, strict=True):
            self._middles[group] = start + np.arange(len(group)) + 0.5
        self._per_bar = 1

    @property
    def extent(self) -> tuple[float, float]:
        """Range of the horizontal axis."""
        return -0.5, self._length + 0.5

    def fit(self, width: float) -> None:
        """Set the number of points per bar for a chart of this width, px at scale 1."""
        self._per_bar = max(1, math.ceil(self._length * MIN_BAR_WIDTH / max(width, 1.0)))

    @property
    def points_per_bar(self) -> int:
        """Number of points that share a bar."""
        return self._per_bar

    def class_bars(
        self, alpha: np.ndarray
    ) -> Iterator[tuple[str, np.ndarray, np.ndarray, np.ndarray]]:
        """Yield the name of each class with the middles, widths and alphas of its bars.

        Bars with alpha = 0 are left out.
        """
        for name, group, start in zip(
            ("positive", "negative"), self._groups, self._starts, strict=True
        ):
            first = np.arange(0, len(group), self._per_bar)
            last = np.minimum(first + self._per_bar, len(group))
            values = alpha[group]
            if len(first):
                highest = np.maximum.reduceat(values, first)
            else:
                highest = np.zeros(0)
            is_visible = highest > 0
            middle = start + 0.5 * (first + last)
            width = (last - first) * (0.8 if self._per_bar == 1 else 1.0)
            yield name, middle[is_visible], width[is_visible], highest[is_visible]

    def marks_of(self, points: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """Return the middles and the widths of marks for single points, each of shape (m,).

        If points share a bar, a mark is as wide as a bar, because the width of one point would be
        too thin to see.
        """
        indices = np.asarray(points, dtype=int)
        return self._middles[indices], np.full(
            len(indices), 0.8 if self._per_bar == 1 else self._per_bar
        )

    def class_labels(self, names: tuple[str, str]) -> list[tuple[str, float]]:
        """Return, for each class, the text under its bars and the middle of these bars."""
        return [
            (name if len(group) else "", start + 0.5 * len(group))
            for name, group, start in zip(names, self._groups, self._starts, strict=True)
        ]

    def point_at(self, x: float, alpha: np.ndarray) -> int | None:
        """Return the point whose bar is at x; in a shared bar, the point with the largest alpha."""
        for group, start in zip(self._groups, self._starts, strict=True):
            rank = math.floor(x - start)
            if 0 <= rank < len(group):
                first = rank // self._per_bar * self._per_bar
                neighbours = group[first : first + self._per_bar]
                if self._per_bar == 1 or not alpha[neighbours].any():
                    return int(group[rank])
                return int(neighbours[np.argmax(alpha[neighbours])])
        return None


class AlphaAxis:
    """The vertical axis of alpha, which is linear up to C and logarithmic above C.

    Iterates that are not dual feasible may be far above C at first: after one step of Pegasos an
    alpha is C n. On a linear axis the alphas of all later steps would look like 0. If all alphas so
    far are far below C, the axis ends near the largest of them, at a round value, so that its end
    changes rarely. While all alphas of a run are 0, the axis ends at C. Once an alpha is above 0,
    the axis never shrinks within the run.

    A *height* is where a value is drawn: the value itself up to C, and less than the value above.

    Attributes
    ----------
    linear_end : float
        Height of the end of the linear part: C, or a round value if all alphas so far are far below
        C. It is 1 if C is infinite and all alphas so far are 0.
    top : float
        Height of the upper end of the axis: ``linear_end`` if there is no logarithmic part.
    """

    def __init__(self) -> None:
        self.linear_end = 1.0
        self.top = 1.0
        self._run = 0
        self._largest = 0.0

    @property
    def has_log_part(self) -> bool:
        """Whether the axis has a logarithmic part, above C."""
        return self.top > self.linear_end

    def follow(self, run: int, bound: float, largest: float) -> None:
        """Extend the axis so that it contains the largest alpha of a step.

        Parameters
        ----------
        run : int
            Number of the run. A new run begins with a new axis.
        bound : float
            C, the upper bound of alpha; may be infinite.
        largest : float
            The largest alpha of the step.
        """
        if run != self._run:
            self._run, self._largest = run, 0.0
        self._largest = max(self._largest, largest)
        if self._largest > bound:
            # The axis ends at C times a power of sqrt(10).
            half_decades = math.ceil(2.0 * math.log10(self._largest / bound))
            self.linear_end = bound
            self.top = float(self.to_height(np.array([bound * 10.0 ** (half_decades / 2)]))[0])
            return
        shows_bound = math.isfinite(bound) and (
            self._largest >= 0.1 * bound or self._largest == 0.0
        )
        self.linear_end = (
            bound if shows_bound else round_up(self._largest) if self._largest > 0 else 1.0
        )
        self.top = self.linear_end

    def to_height(self, alpha: np.ndarray) -> np.ndarray:
        """Return the heights at which values of alpha are drawn, of the same shape."""
        ratio = np.maximum(alpha / self.linear_end, 1.0)
        return np.minimum(alpha, self.linear_end) + self.linear_end * DECADE * np.log10(ratio)

    def ticks(self, most: float) -> list[tuple[float, str]]:
        """Return height and text of each tick of an axis with a logarithmic part.

        ``most`` is about the maximum number of ticks.
        """
        linear = linear_ticks(0.0, 0.8 * self.linear_end, max(2.0, 0.5 * most))
        # The log part may end at a half decade. The 0.01 makes `round` round it up.
        decades = round((self.top / self.linear_end - 1.0) / DECADE + 0.01)
        powers = range(1, decades + 1)
        heights = [*linear, *(self.linear_end * (1.0 + DECADE * power) for power in powers)]
        values = [*linear, *(self.linear_end * 10.0**power for power in powers)]
        return list(zip(heights, tick_texts(values), strict=True))
