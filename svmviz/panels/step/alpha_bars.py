"""Positions and heights of the bars of the alpha chart, and how many points share a bar."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from solvers import Problem
from svmviz.base.kinds import kinds_of
from svmviz.base.notation import of_keys
from svmviz.base.words import class_titles, listed, number
from svmviz.camera.ticks import linear_ticks, power_text, round_up
from svmviz.document.document import Document
from svmviz.frames.frame import Lane
from svmviz.frames.objective_curves import ObjectiveCurve

# Minimum width of a bar, px at scale 1. If there is less room, neighbouring points share a bar.
MIN_BAR_WIDTH = 1.0
# Width of a bar that no neighbour is near, px at scale 1: few points have alpha above 0, and thin
# bars are hard to see.
LONE_WIDTH = 5.0
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
        # LONE_WIDTH in units of the axis.
        self._lone_width = 0.0

    @property
    def extent(self) -> tuple[float, float]:
        """Range of the horizontal axis."""
        return -0.5, self._length + 0.5

    def fit(self, width: float) -> None:
        """Set the number of points per bar for a chart of this width, px at scale 1."""
        self._per_bar = max(1, math.ceil(self._length * MIN_BAR_WIDTH / max(width, 1.0)))
        self._lone_width = LONE_WIDTH * self._length / max(width, 1.0)

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
            middle, width = middle[is_visible], width[is_visible]
            if len(middle) and self._per_bar == 1:
                steps = np.diff(middle, prepend=-np.inf, append=np.inf)
                free = 0.8 * np.minimum(steps[:-1], steps[1:])
                width = np.maximum(width, np.minimum(self._lone_width, free))
            yield name, middle, width, highest[is_visible]

    def marks_of(self, points: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """Return the middles and the widths of marks for single points, each of shape (m,).

        If points share a bar, a mark is as wide as a bar, because the width of one point would be
        too thin to see.
        """
        indices = np.asarray(points, dtype=int)
        width = max(0.8, self._lone_width) if self._per_bar == 1 else self._per_bar
        return self._middles[indices], np.full(len(indices), width)

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


def largest_alpha(lane: Lane, curves: Sequence[ObjectiveCurve]) -> float:
    """Return the largest alpha of the step shown and of the recorded steps of its run."""
    recorded = [curve.largest_alpha for curve in curves if curve.run == lane.run]
    return max(float(lane.certificate.alpha.max()), *recorded, 0.0)


def caps_of(document: Document, problem: Problem) -> list[tuple[float, str]]:
    """Return the values of the upper bound of alpha, each with a text: "C = 10".

    With weights of the classes it is "Cᵢ = 10 for Adelie"; for the hard margin there is none.
    """
    limit = kinds_of(problem).limit
    if problem.hard:
        return []
    if problem.weights is None:
        return [(problem.C, limit.format(number(problem.C)))]
    names: dict[float, list[str]] = {}
    titles = class_titles(document.all_points)
    for class_ in np.unique(document.classes).tolist():
        cap = problem.C * float(document.weight_per_class[class_])
        names.setdefault(cap, []).append(of_keys(titles[class_]))
    return [(cap, f"{limit.format(number(cap))} for {listed(of)}") for cap, of in names.items()]


def words_above(caps: Sequence[tuple[float, str]], top: float) -> str:
    """Return words on the bounds that are above the top of an axis; empty if none is."""
    above = [words for cap, words in caps if cap > top]
    return f"{listed(above)} {'is' if len(above) == 1 else 'are'} above" if above else ""


class AlphaAxis:
    """The vertical axis of alpha, which is linear up to C and logarithmic above C.

    Iterates that are not dual feasible may be far above C at first: after one step of Pegasos an
    alpha is C n. On a linear axis the alphas of all later steps would look like 0. If all alphas of
    the run are below C / 2, the axis may end below C, at a round value. It never shrinks within the
    run, and since it contains all recorded steps, it grows only while the run does.

    A *height* is where a value is drawn: the value itself up to C, and less than the value above.

    Attributes
    ----------
    linear_end : float
        Height of the end of the linear part: C, or a round value if all alphas so far are far below
        C. If all are 0, it is C, or 1 if C is infinite.
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
        """Extend the axis so that it contains the largest alpha of a run so far.

        Parameters
        ----------
        run : int
            Number of the run. A new run begins with a new axis.
        bound : float
            C, the upper bound of alpha; may be infinite.
        largest : float
            See :func:`largest_alpha`.
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
        end = round_up(self._largest) if self._largest > 0.0 else math.inf
        self.linear_end = self.top = min(end, bound) if math.isfinite(min(end, bound)) else 1.0

    def to_height(self, alpha: np.ndarray) -> np.ndarray:
        """Return the heights at which values of alpha are drawn, of the same shape."""
        ratio = np.maximum(alpha / self.linear_end, 1.0)
        return np.minimum(alpha, self.linear_end) + self.linear_end * DECADE * np.log10(ratio)

    def ticks(self, most: int, whole: bool = False) -> list[tuple[float, str]]:
        """Return height and text of each tick; ``most`` is about the maximum number of ticks.

        If ``whole``, only whole numbers have one.
        """
        if not self.has_log_part:
            return linear_ticks(0.0, self.top, most, whole=whole).pairs
        linear = linear_ticks(0.0, 0.8 * self.linear_end, max(2, most // 2), whole=whole).pairs
        # The log part may end at a half decade. The 0.01 makes `round` round it up.
        decades = round((self.top / self.linear_end - 1.0) / DECADE + 0.01)
        exponent = math.log10(self.linear_end)
        return linear + [
            (self.linear_end * (1.0 + DECADE * power), power_text(exponent + power))
            for power in range(1, decades + 1)
        ]
