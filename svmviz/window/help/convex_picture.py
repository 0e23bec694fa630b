"""A picture of the help that one can try: segments in sets, and chords over curves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from solvers.data.datasets import DATASETS
from solvers.problem.losses import LOSSES, Loss
from solvers.problem.slices import Slice
from svmviz.widgets.charts.chart_painter import ChartPainter
from svmviz.widgets.charts.chord_chart import ChordChart, Curve
from svmviz.widgets.charts.handle_chart import SIZE, HandleChart
from svmviz.widgets.inputs.segmented import Segmented
from svmviz.widgets.still_text import StillText
from svmviz.window.help.tried_picture import TriedPicture

# Preferred height of a chart, px at scale 1.
HEIGHT = 190.0
# Number of points of an outline, and of a segment, that are computed.
NODES = 120
FILL_OPACITY = 0.22


@dataclass(frozen=True)
class PlaneSet:
    """A set in the plane.

    Attributes
    ----------
    outline : array, shape (m, 2)
    contains : callable(array) -> array
        Returns whether points (k, 2) are in the set, shape (k,).
    """

    outline: np.ndarray
    contains: Callable[[np.ndarray], np.ndarray]


def _ellipse() -> PlaneSet:
    """Return a convex set: an ellipse."""
    centre, radii = np.array([-1.35, 0.0]), np.array([1.15, 0.8])
    angles = np.linspace(0.0, 2.0 * np.pi, NODES)
    outline = centre + radii * np.column_stack([np.cos(angles), np.sin(angles)])
    return PlaneSet(outline, lambda p: (((p - centre) / radii) ** 2).sum(axis=1) <= 1.0)


def _crescent() -> PlaneSet:
    """Return a set that is not convex: a disc of which another disc is taken away."""
    centre, radius = np.array([1.2, 0.0]), 0.85
    bite, bite_radius = np.array([1.65, 0.0]), 0.6
    # Where the circles meet: the same x on both.
    x = 0.5 * (centre[0] + bite[0]) + (radius**2 - bite_radius**2) / (2 * (bite[0] - centre[0]))
    first, second = (np.arccos((x - c[0]) / r) for c, r in ((centre, radius), (bite, bite_radius)))
    angles = np.linspace(first, 2.0 * np.pi - first, NODES)
    outer = centre + radius * np.column_stack([np.cos(angles), np.sin(angles)])
    angles = np.linspace(2.0 * np.pi - second, second, NODES)
    inner = bite + bite_radius * np.column_stack([np.cos(angles), np.sin(angles)])

    def contains(points: np.ndarray) -> np.ndarray:
        in_disc = ((points - centre) ** 2).sum(axis=1) <= radius**2
        return in_disc & (((points - bite) ** 2).sum(axis=1) >= bite_radius**2)

    return PlaneSet(np.vstack([outer, inner]), contains)


class SetChart(HandleChart):
    """Two sets, in each of them two points to be dragged, and the segment between these.

    The handles are the two points of the first set, then those of the second.

    Attributes
    ----------
    sets : tuple of PlaneSet
    """

    def __init__(self) -> None:
        super().__init__(self._draw, equal=True, height=HEIGHT, limit=self._limit)
        self.sets = _ellipse(), _crescent()
        self.handles = np.array([[-2.0, -0.35], [-0.7, 0.4], [1.35, 0.72], [1.35, -0.72]])
        self.set_ranges((-2.6, 2.2), (-0.95, 0.95))
        for axis in (0, 1):
            self.set_ticks(axis, [])

    def leaves(self, number: int) -> np.ndarray:
        """Return which points of the segment of a set are not in the set, shape (NODES,)."""
        return ~self.sets[number].contains(self._segment(number))

    def _segment(self, number: int) -> np.ndarray:
        first, second = self.handles[2 * number : 2 * number + 2]
        return first + np.linspace(0.0, 1.0, NODES)[:, None] * (second - first)

    def _limit(self, index: int, place: np.ndarray) -> np.ndarray | None:
        # A point stays in its set.
        return place if self.sets[index // 2].contains(place[None])[0] else None

    def _draw(self, paint: ChartPainter) -> None:
        theme = paint.theme
        for number, plane_set in enumerate(self.sets):
            paint.fill(plane_set.outline, theme.series[1], FILL_OPACITY)
            paint.curve(np.vstack([plane_set.outline, plane_set.outline[:1]]), theme.series[1], 1.5)
            segment = self._segment(number)
            paint.curve(segment[[0, -1]], theme.series[0], 2.5)
            segment[~self.leaves(number)] = np.nan
            paint.curve(segment, theme.bad, 3.0)
        paint.dots(self.handles, theme.series[0], SIZE, edge=theme.card)


@dataclass(frozen=True)
class LossCurve:
    """A loss of z, plus ``weight / 2 z^2``."""

    loss: Loss
    weight: float = 0.0

    def values(self, z: np.ndarray) -> np.ndarray:
        """Return the value at each z, shape (m,)."""
        return self.loss.values(z, 0.0) + 0.5 * self.weight * z * z

    def slopes(self, z: np.ndarray) -> np.ndarray | None:
        """Return the slopes left and right of each z, shape (2, m); None if it is not convex."""
        if self.loss.slopes is None:
            return None
        return self.loss.slopes(z, 0.0) + self.weight * z

    def kinks(self) -> np.ndarray:
        """Return where the slope or the value jumps, shape (k,)."""
        return np.array(self.loss.kinks(0.0))


def example_slice() -> Slice:
    """Return P of 40 points along the line from w = 0 to the difference of the class means."""
    data = DATASETS["gaussians"].generate(40, 0.9, 0)
    y = data.labels.astype(np.float64)
    plus, minus = (data.points[y * side > 0].mean(axis=0) for side in (1, -1))
    w = plus - minus
    change = y * ((data.points - 0.5 * (plus + minus)) @ w)
    return Slice((0.0, 0.0, float(w @ w)), np.zeros(len(y)), change, 1.0, 0.0, LOSSES["hinge"])


# The functions to choose from: key, text of the button, names of the axes, and curve.
FUNCTIONS: tuple[tuple[str, str, tuple[str, str], Curve], ...] = (
    ("hinge", "Hinge", ("z", "hinge"), LossCurve(LOSSES["hinge"])),
    ("zero-one", "0-1", ("z", "0-1 loss"), LossCurve(LOSSES["zero-one"])),
    ("sum", "Sum", ("z", "hinge + ¼ z²"), LossCurve(LOSSES["hinge"], 0.5)),
    ("P", "P", ("t, along a line", "P"), example_slice()),
)
RANGES = {"P": (-0.3, 1.2)}
RANGE = (-2.0, 3.0)
SETS_WORDS = (
    "Drag the points. Left, every segment stays in the set: it is convex. Right, a segment may "
    "leave the set (red): it is not convex."
)


class ConvexPicture(TriedPicture):
    """Sets and functions, convex ones and others, with segments and chords to be dragged.

    Parameters
    ----------
    title : str
        Description for screen readers.
    """

    def __init__(self, title: str) -> None:
        super().__init__(title)
        buttons = [("sets", "Sets"), *(function[:2] for function in FUNCTIONS)]
        self.choice = self.add(Segmented(buttons))
        self.sets = self.add(SetChart())
        self.chart = self.add(ChordChart("z", "", height=HEIGHT))
        self.words = self.add(StillText(lines=3))
        self.choice.chosen.connect(self._show)
        self.chart.changed.connect(self._show_words)
        self._show("sets")

    def _show(self, key: str) -> None:
        self.sets.setVisible(key == "sets")
        self.chart.setVisible(key != "sets")
        for _, _, names, curve in (function for function in FUNCTIONS if function[0] == key):
            low, high = RANGES.get(key, RANGE)
            self.chart.ends = [low + 0.1 * (high - low), low + 0.75 * (high - low)]
            kinks = curve.kinks()
            self.chart.touch = float(kinks[np.abs(kinks - 0.5 * (low + high)).argmin()])
            self.chart.set_labels(*names)
            self.chart.show_curve(curve, (low, high))
        self._show_words()

    def _show_words(self) -> None:
        if self.choice.value == "sets":
            self.words.setText(SETS_WORDS)
        elif not self.chart.chord_is_above:
            self.words.setText("This chord runs below the curve (red): it is not convex.")
        elif self.chart.slopes is None:
            self.words.setText("This chord is above the curve. Is there one that is not?")
        else:
            lines = (
                "many lines touch it that are"
                if self.chart.at_kink
                else "one line touches it that is"
            )
            self.words.setText(
                f"Every chord is above the curve: it is convex. At the dot of the line, {lines} "
                "nowhere above it."
            )
