"""A curve with a chord between two of its points and a supporting line, which can be dragged.

A function is convex if every chord lies above the curve. Then each point of the curve has a line
through it that is nowhere above the curve. This line *supports* the curve. At a kink there are many
such lines, with all slopes between that of the curve on the left and that on the right.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from PySide6.QtCore import Qt

from svmviz.theme import look_of
from svmviz.widgets.charts.chart_painter import DOTTED, ChartPainter
from svmviz.widgets.charts.handle_chart import SIZE, HandleChart
from svmviz.widgets.charts.plot_area import Range

# Number of points of the curve, besides its kinks.
NODES = 241
# Distance from a kink within which the touching point snaps to it, px at scale 1.
SNAP = 7.0
# Index of the handle where the line touches; those before it are the ends of the chord.
TOUCH = 2
# Length of the supporting line on one side of the handle that turns it, as a fraction of the range.
ARM = 0.18
FAN_OPACITY = 0.16


class Curve(Protocol):
    """A function of one number."""

    def values(self, t: np.ndarray, /) -> np.ndarray:
        """Return the value at each t, shape (m,)."""
        ...

    def slopes(self, t: np.ndarray, /) -> np.ndarray | None:
        """Return the slopes left and right of each t, shape (2, m); None if it is not convex."""
        ...

    def kinks(self) -> np.ndarray:
        """Return where the slope or the value jumps, shape (k,)."""
        ...


class ChordChart(HandleChart):
    """A curve, a chord and a supporting line.

    Parameters
    ----------
    x_label, y_label : str
    height : float
        Preferred height, px at scale 1.

    Attributes
    ----------
    ends : list of float
        Where the chord begins and ends.
    touch : float
        Where the supporting line touches the curve.
    share : float
        Which of the supporting lines at a kink is drawn: from 0 for the least slope to 1 for the
        largest slope.
    """

    def __init__(self, x_label: str = "", y_label: str = "", height: float = 240.0) -> None:
        title = "A chord and a supporting line"
        super().__init__(self._draw, title, x_label, y_label, height=height)
        self.curve: Curve | None = None
        self.ends = [0.15, 0.85]
        self.touch, self.share = 0.4, 0.5
        self._line = np.zeros((0, 2))
        # Places on the axis, and the texts there.
        self.names: list[tuple[float, str]] = []
        # Places with a ring on the curve, and the names of their colours in the theme.
        self.ringed: list[tuple[float, str]] = []
        # In the main window a click must not take the arrow keys, which step through the run.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    # Contents.

    def show_curve(self, curve: Curve, x: Range) -> None:
        """Show a curve over a range."""
        self.curve = curve
        low, high = x
        near = 1e-9 * (high - low)
        kinks = curve.kinks()
        kinks = kinks[(kinks > low) & (kinks < high)]
        nodes = np.sort(np.concatenate([np.linspace(low, high, NODES), kinks, kinks - near]))
        self._line = np.column_stack([nodes, curve.values(nodes)])
        bottom, top = float(self._line[:, 1].min()), float(self._line[:, 1].max())
        edge = 0.06 * ((top - bottom) or 1.0)
        self.set_ranges(x, (bottom - 2.0 * edge, top + edge))
        self.ends = [min(max(end, low), high) for end in self.ends]
        self.touch = min(max(self.touch, low), high)
        self.update()

    def value(self, t: float) -> float:
        """Return the curve at t."""
        assert self.curve is not None
        return float(self.curve.values(np.array([t]))[0])

    @property
    def slopes(self) -> tuple[float, float] | None:
        """The slopes of the lines that support the curve at ``touch``: the least and the largest.

        None if the curve is not convex.
        """
        slopes = None if self.curve is None else self.curve.slopes(np.array([self.touch]))
        return None if slopes is None else (float(slopes[0, 0]), float(slopes[1, 0]))

    @property
    def slope(self) -> float | None:
        """The slope of the supporting line drawn."""
        slopes = self.slopes
        return None if slopes is None else slopes[0] + self.share * (slopes[1] - slopes[0])

    @property
    def at_kink(self) -> bool:
        """Whether many lines support the curve at ``touch``."""
        slopes = self.slopes
        return slopes is not None and slopes[1] - slopes[0] > 1e-9 * (1.0 + abs(slopes[0]))

    @property
    def chord_is_above(self) -> bool:
        """Whether the chord lies nowhere below the curve."""
        first, second = sorted(self.ends)
        inside = self._line[(self._line[:, 0] > first) & (self._line[:, 0] < second)]
        size = 1e-9 * (1.0 + np.abs(self._line[:, 1]).max(initial=0.0))
        return bool((self._chord(inside[:, 0]) >= inside[:, 1] - size).all())

    def _chord(self, t: np.ndarray) -> np.ndarray:
        first, second = self.ends
        low, high = self.value(first), self.value(second)
        return low + (t - first) / ((second - first) or 1.0) * (high - low)

    # Handles: both ends of the chord, where the line touches, and at a kink the arm that turns it.

    def places(self) -> np.ndarray:
        if self.curve is None:
            return np.zeros((0, 2))
        handles = [(t, self.value(t)) for t in (*self.ends, self.touch)]
        slope = self.slope
        if slope is None:
            return np.array(handles[:2])
        if self.at_kink:
            # To the right, or to the left if it would be below the plot.
            at = handles[2][1]
            arm, (bottom, top) = ARM * (self.ranges[0][1] - self.ranges[0][0]), self.ranges[1]
            arm = arm if bottom <= at + slope * arm <= top else -arm
            handles.append((self.touch + arm, at + slope * arm))
        return np.array(handles)

    def move(self, index: int, x: float, y: float) -> bool:
        low, high = self.ranges[0]
        t = min(max(x, low), high)
        if index < TOUCH:
            self.ends[index] = t
        elif index == TOUCH:
            # A key moves the point so little that it could not leave a kink. So only the mouse
            # snaps.
            self.touch = t if self.held is None else self._snapped(t)
        else:
            self._turn(x, y)
        return True

    def _turn(self, x: float, y: float) -> None:
        """Turn the supporting line at a kink towards a position."""
        slopes = self.slopes
        if slopes is None or x == self.touch:
            return
        slope = (y - self.value(self.touch)) / (x - self.touch)
        width = slopes[1] - slopes[0]
        self.share = min(1.0, max(0.0, (slope - slopes[0]) / width)) if width > 0.0 else 0.5

    def _snapped(self, t: float) -> float:
        """Return the kink nearest to t, if it is near; otherwise t."""
        assert self.curve is not None
        kinks = self.curve.kinks()
        if not len(kinks):
            return t
        kink = float(kinks[np.abs(kinks - t).argmin()])
        distance = abs(self.area.pixel(kink, 0.0).x() - self.area.pixel(t, 0.0).x())
        return kink if distance <= SNAP * look_of(self).metrics.controls else t

    # Painting.

    def _draw(self, paint: ChartPainter) -> None:
        if self.curve is None:
            return
        theme = paint.theme
        for t, name in self.names:
            paint.rule(t, theme.muted, 1.0, DOTTED, text=name)
        self._draw_support(paint)
        paint.curve(self._line, theme.series[1], 2.5)
        self._draw_chord(paint)
        self._draw_rings(paint)
        places = self.places()
        paint.dots(places[TOUCH:], theme.highlight, SIZE, edge=theme.card)
        paint.dots(places[:TOUCH], theme.series[0], SIZE, edge=theme.card)

    def _draw_chord(self, paint: ChartPainter) -> None:
        """Draw the chord. Its parts below the curve have the colour of an error."""
        assert self.curve is not None
        first, second = sorted(self.ends)
        t = np.linspace(first, second, NODES)
        chord = np.column_stack([t, self._chord(t)])
        paint.curve(chord[[0, -1]], paint.theme.series[0], 2.5)
        size = 1e-9 * (1.0 + np.abs(chord[:, 1]).max())
        is_below = chord[:, 1] < self.curve.values(t) - size
        chord[~is_below, 1] = np.nan
        paint.curve(chord, paint.theme.bad, 3.0)

    def _draw_rings(self, paint: ChartPainter) -> None:
        """Ring places on the curve; an arrow at the edge points to one that is outside."""
        low, high = self.ranges[0]
        for t, name in self.ringed:
            colour = getattr(paint.theme, name)
            place = t, self.value(min(max(t, low), high))
            if not paint.arrow_beyond(place, colour):
                paint.rings(np.array([place]), colour)

    def _draw_support(self, paint: ChartPainter) -> None:
        """Draw the supporting line, and at a kink the fan of all of them."""
        slope, slopes = self.slope, self.slopes
        if slope is None or slopes is None:
            return
        here, ends = self.value(self.touch), np.array(self.ranges[0])

        def line(of_slope: float) -> np.ndarray:
            return np.column_stack([ends, here + of_slope * (ends - self.touch)])

        colour = paint.theme.highlight
        if self.at_kink:
            for side in (0, 1):
                fan = [(self.touch, here), line(slopes[0])[side], line(slopes[1])[side]]
                paint.fill(np.array(fan), colour, FAN_OPACITY)
        paint.curve(line(slope), colour, 2.0)
