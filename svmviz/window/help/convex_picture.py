"""A picture of the help with segments in sets and chords over curves, which can be dragged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from svmviz.base.words import number
from svmviz.widgets.charts.chart_painter import ChartPainter
from svmviz.widgets.charts.chord_chart import ChordChart
from svmviz.widgets.charts.handle_chart import SIZE, HandleChart
from svmviz.widgets.inputs.choice_box import ChoiceBox
from svmviz.widgets.inputs.segmented import Segmented
from svmviz.widgets.inputs.slider import ValueSlider
from svmviz.widgets.inputs.slider_scale import Track
from svmviz.widgets.still_text import StillText
from svmviz.window.help.convex_functions import FUNCTIONS, SQUARE, power
from svmviz.window.help.convex_sets import BOX, CONVEX_SETS, PlaneSet, crescent
from svmviz.window.help.tried_picture import TriedPicture

# Preferred height of a chart, px at scale 1.
HEIGHT = 190.0
# Number of points of a segment that are computed.
NODES = 120
FILL_OPACITY = 0.22
POWERS = Track(-2.0, 4.0, logarithmic=False)


class SetChart(HandleChart):
    """Two sets. In each, two points can be dragged, and the segment between them is drawn.

    The handles are the two points of the first set, then those of the second.

    Attributes
    ----------
    sets : list of PlaneSet
        A convex set, and one that is not convex.
    """

    def __init__(self) -> None:
        super().__init__(
            self._draw, "Segments in two sets", equal=True, height=HEIGHT, limit=self._limit
        )
        other = crescent()
        self.sets = [other, other]
        self.handles = np.vstack([other.start, other.start])
        self.set_ranges((-2.6, 2.2), (-0.95, 0.95))
        for axis in (0, 1):
            self.set_ticks(axis, [])

    def show_set(self, convex: PlaneSet) -> None:
        """Show another convex set."""
        self.sets[0] = convex
        self.handles[:2] = convex.start
        self.update()

    def leaves(self, index: int) -> np.ndarray:
        """Return which points of the segment of a set are not in the set, shape (NODES,)."""
        return ~self.sets[index].contains(self._segment(index))

    def _segment(self, index: int) -> np.ndarray:
        first, second = self.handles[2 * index : 2 * index + 2]
        return first + np.linspace(0.0, 1.0, NODES)[:, None] * (second - first)

    def _limit(self, index: int, place: np.ndarray) -> np.ndarray | None:
        # A point stays in its set. In the first set, it also stays in the part that is shown.
        own = self.sets[index // 2]
        place = own.nearest(np.clip(place, *BOX) if index < 2 else place)
        return place if own.contains(place[None])[0] else None

    def _draw(self, paint: ChartPainter) -> None:
        theme = paint.theme
        for index, plane_set in enumerate(self.sets):
            paint.fill(plane_set.outline, theme.series[1], FILL_OPACITY)
            paint.curve(plane_set.edge, theme.series[1], 1.5)
            segment = self._segment(index)
            paint.curve(segment[[0, -1]], theme.series[0], 2.5)
            segment[~self.leaves(index)] = np.nan
            paint.curve(segment, theme.bad, 3.0)
        paint.dots(self.handles, theme.series[0], SIZE, edge=theme.card)


class ConvexPicture(TriedPicture):
    """Sets and functions, convex ones and others, with segments and chords to be dragged.

    Parameters
    ----------
    title : str
        Description for screen readers.
    """

    def __init__(self, title: str) -> None:
        super().__init__(title)
        self.kind = self.add(Segmented([("sets", "Sets"), ("functions", "Functions")]))
        self.set = self.add(ChoiceBox("Convex set", [each[:2] for each in CONVEX_SETS]))
        functions = [(shown.key, shown.title) for shown in FUNCTIONS.values()]
        self.function = self.add(ChoiceBox("Function", functions))
        self.exponent = self.add(ValueSlider("a", POWERS, SQUARE))
        self.sets = self.add(SetChart())
        self.chart = self.add(ChordChart("z", "", height=HEIGHT))
        self.words = self.add(StillText(lines=4))
        self.shown = FUNCTIONS["hinge"]
        for chosen in (self.kind.chosen, self.set.chosen, self.function.chosen):
            chosen.connect(self._show)
        self.exponent.moved.connect(self._show)
        self.exponent.released.connect(self._show)
        self.chart.changed.connect(self._show_words)
        self._show()

    def _show(self, _choice: object = None) -> None:
        shows_sets = self.kind.value == "sets"
        for widget in (self.set, self.sets):
            widget.setVisible(shows_sets)
        for widget in (self.function, self.chart):
            widget.setVisible(not shows_sets)
        has_exponent = not shows_sets and self.function.value == "power"
        self.exponent.setVisible(has_exponent)
        if shows_sets:
            self.sets.show_set(next(each[3] for each in CONVEX_SETS if each[0] == self.set.value)())
        else:
            self._show_function()
        self._show_words()

    def _show_function(self) -> None:
        before, self.shown = self.shown, FUNCTIONS[self.function.value]
        if self.shown.key == "power":
            a = self.exponent.value
            self.shown = replace(self.shown, curve=power(a), is_concave=0.0 <= a <= 1.0)
        low, high = self.shown.limits
        if self.shown.key != before.key or self.chart.curve is None:
            self.chart.ends = [low + 0.1 * (high - low), low + 0.75 * (high - low)]
            middle = 0.5 * (low + high)
            kinks = self.shown.curve.kinks()
            self.chart.touch = min(kinks.tolist(), key=lambda t: abs(t - middle), default=middle)
        self.chart.set_labels(*self.shown.names)
        self.chart.show_curve(self.shown.curve, (low, high))

    def _show_words(self) -> None:
        chart = self.chart
        if self.kind.value == "sets":
            _, name, what, _ = next(each for each in CONVEX_SETS if each[0] == self.set.value)
            text = (
                f"{name.partition(',')[0]}: {what}. Every segment stays in it: it is convex. At "
                "the right a segment may leave the set (red): it is not convex. Drag the points."
            )
        elif self.shown.is_concave and self.shown.curve.slopes(np.ones(1)) is not None:
            text = "Every chord lies on the curve: it is both convex and concave."
        elif self.shown.is_concave:
            text = (
                "Every chord runs below the curve (red): it is concave, and the same with a minus "
                "sign is convex."
            )
        elif not chart.chord_is_above:
            text = "This chord runs below the curve (red): it is not convex."
        elif chart.slopes is None:
            text = "This chord is above the curve. Is there one that is not?"
        else:
            which = "many lines touch it that are" if chart.at_kink else "one that is"
            text = (
                f"Every chord is above the curve: it is convex. At the dot of the line, {which} "
                "nowhere above it."
            )
        if self.kind.value == "functions" and self.shown.key == "power":
            text = f"a = {number(self.exponent.value, 3)}. {text}"
        self.words.setText(text)
