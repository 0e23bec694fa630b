"""The point of a set that is nearest to another point, and sets in which there is none."""

from __future__ import annotations

import numpy as np

from solvers.geometry.plane_hulls import convex_hull, nearest_to_origin
from svmviz.base.words import number
from svmviz.widgets.charts.chart_painter import DASHED, DOTTED, SOLID, ChartPainter
from svmviz.widgets.charts.handle_chart import SIZE
from svmviz.widgets.inputs.segmented import Segmented
from svmviz.widgets.still_text import StillText
from svmviz.window.help.tried_picture import TriedPicture

# Preferred height of the chart, px at scale 1, and its ranges.
HEIGHT = 210.0
RANGES = (0.0, 8.0), (-0.5, 4.0)
KINDS = (("closed", "Hull"), ("open", "Open set"), ("unbounded", "Unbounded"))
# The handles at first: p and the points of the hull; for the unbounded sets, FIRST_PAIR.
FIRST = np.array([[1.0, 0.5], [4.0, 0.5], [7.0, 1.0], [6.5, 3.0], [4.5, 3.5], [3.5, 2.0]])
FIRST_PAIR = np.array([[1.0, 1.0]])
# The unbounded sets are y <= 0 and y >= 1 / x. Minimum x of the handle on the curve y = 1 / x.
LEAST_X = 0.25
# Number of points of the sequence that approaches the edge, and of those whose distances are named.
STEPS, SAID = 8, 4
FILL_OPACITY = 0.22


class NearestPicture(TriedPicture):
    """A point p and the hull of points, with or without its edge; or two unbounded sets.

    Parameters
    ----------
    title : str
        Description for screen readers.
    """

    def __init__(self, title: str) -> None:
        super().__init__(title)
        self.kind = self.add(Segmented(KINDS))
        self.chart = self.add_chart(
            self._draw, "A point and a set", RANGES, height=HEIGHT, per_unit=20
        )
        for axis in (0, 1):
            self.chart.set_ticks(axis, [])
        self.words = self.add(StillText(lines=4))
        self.chart.handles = FIRST.copy()
        # The handles of hulls (False), and the single handle of the unbounded sets (True).
        self._kept = {False: self.chart.handles, True: FIRST_PAIR.copy()}
        self.kind.chosen.connect(self._show)
        self.chart.changed.connect(self._show_words)
        self._show("closed")

    @property
    def point(self) -> np.ndarray:
        """The point p."""
        return self.chart.handles[0]

    @property
    def hull(self) -> np.ndarray:
        """The corners of the hull of the other points, shape (h, 2)."""
        return convex_hull(self.chart.handles[1:])

    @property
    def nearest(self) -> tuple[np.ndarray, float]:
        """The point of the hull that is nearest to p, and its distance."""
        found = nearest_to_origin(self.hull - self.point)
        # If the distance is negative, p lies inside the hull, and is the nearest point itself.
        if found.distance <= 0.0:
            return self.point.copy(), 0.0
        return self.point + found.point, found.distance

    @property
    def sequence(self) -> np.ndarray:
        """Points inside the hull, each half as far from the nearest point as the one before."""
        middle = self.chart.handles[1:].mean(axis=0)
        nearest = self.nearest[0]
        return nearest + 0.5 ** np.arange(1.0, STEPS + 1)[:, None] * (middle - nearest)

    def limit(self, index: int, place: np.ndarray) -> np.ndarray:
        place = super().limit(index, place)
        if self.kind.value == "unbounded":
            x = max(float(place[0]), LEAST_X)
            return np.array([x, 1.0 / x])
        return place

    def _show(self, kind: str) -> None:
        is_pair = kind == "unbounded"
        self._kept[len(self.chart.handles) == 1] = self.chart.handles
        self.chart.handles, self.chart.chosen = self._kept[is_pair], None
        self._show_words()
        self.chart.update()

    def _show_words(self) -> None:
        self.words.setText(getattr(self, f"_{self.kind.value}_words")())

    def _closed_words(self) -> str:
        distance = self.nearest[1]
        if distance == 0.0:
            return "p is in the hull: it is the nearest point itself, at the distance 0."
        return (
            f"The hull with its edge is compact: one of its points, q, is nearest to p, at the "
            f"distance {number(distance)}. Drag p and the points."
        )

    def _open_words(self) -> str:
        distance = self.nearest[1]
        if len(self.hull) < 3:
            return "The points lie on one line: without its edge, their hull is empty."
        if self._is_inside():
            return "p is in the open set: it is the nearest point itself, at the distance 0."
        tried = np.hypot(*(self.sequence[:SAID] - self.point).T)
        return (
            f"The edge (dashed) is not in the set, so q is not. The dots are: their distances "
            f"{', '.join(number(float(each)) for each in tried)}, … fall to {number(distance)}, "
            "and for each there is a nearer one. None is nearest."
        )

    def _unbounded_words(self) -> str:
        x, y = self.chart.handles[0].tolist()
        return (
            f"The sets y ≥ 1 / x, x > 0, and y ≤ 0 are closed and convex, but not bounded. Above "
            f"x = {number(x)} they are {number(y)} apart, farther right they are nearer, and they "
            "never meet: no two points are nearest."
        )

    def _is_inside(self) -> bool:
        """Return whether p is in the hull, and not on its edge."""
        return nearest_to_origin(self.hull - self.point).distance < -1e-9

    # Painting.

    def _draw(self, paint: ChartPainter) -> None:
        if self.kind.value == "unbounded":
            self._draw_pair(paint)
            return
        theme, is_open = paint.theme, self.kind.value == "open"
        corners = self.hull
        paint.fill(corners, theme.series[1], FILL_OPACITY)
        style = DASHED if is_open else SOLID
        paint.curve(np.vstack([corners, corners[:1]]), theme.series[1], 2.0, style)
        nearest, distance = self.nearest
        paint.dots(self.chart.handles[1:], theme.series[1], SIZE, edge=theme.card)
        if distance > 0.0:
            paint.curve(np.array([self.point, nearest]), theme.muted, 1.5, DOTTED)
            if not is_open:
                paint.diamond(nearest, theme.highlight, SIZE)
            elif len(corners) > 2:
                paint.dots(self.sequence, theme.highlight, 7.0)
                paint.dots(nearest[None], theme.card, 8.0)
                paint.rings(nearest[None], theme.highlight, 10.0)
            paint.text("q", nearest, theme.highlight, (0.0, -14.0))
        paint.dots(self.point[None], theme.series[0], SIZE, edge=theme.card)
        paint.text("p", self.point, theme.series[0], (0.0, -14.0))

    def _draw_pair(self, paint: ChartPainter) -> None:
        theme, (low, high) = paint.theme, self.chart.ranges[0]
        bottom, top = self.chart.ranges[1]
        x = np.linspace(max(low, 0.5 / top), high + 1.0, 300)
        paint.ribbon(x, 1.0 / x, np.full(len(x), top + 1.0), theme.series[1], FILL_OPACITY)
        paint.curve(np.column_stack([x, 1.0 / x]), theme.series[1], 2.0)
        ends, zero = np.array([low, high]), np.zeros(2)
        paint.ribbon(ends, zero + bottom, zero, theme.series[2], FILL_OPACITY)
        paint.curve(np.column_stack([ends, zero]), theme.series[2], 2.0)
        at = self.chart.handles[0]
        paint.curve(np.array([at, (at[0], 0.0)]), theme.highlight, 2.0)
        middle = (float(at[0]), 0.5 * float(at[1]))
        paint.text(number(float(at[1])), middle, theme.highlight, (-24.0, 0.0), on_card=True)
        paint.dots(at[None], theme.series[0], SIZE, edge=theme.card)
