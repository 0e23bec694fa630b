"""The Pair panel: two alphas or hull weights, the line they move on, and the objective along it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from solvers.run.beats import PairPart
from svmviz.base.words import number
from svmviz.camera.ticks import round_up
from svmviz.frames.frame import Frame, Lane
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.step.alpha_bars import AlphaAxis, largest_alpha
from svmviz.panels.step.choice_chart import ChoiceChart
from svmviz.panels.step.pair_charts import (
    SAMPLES,
    Pair,
    WeightPair,
    paint_bounds,
    paint_move,
    paint_objective,
    paint_parabola,
    paint_tangent,
    paint_weights,
)
from svmviz.stage.stage import Stage
from svmviz.widgets.charts.chart import Chart
from svmviz.widgets.charts.chart_painter import DASHED, DOTTED, ChartPainter
from svmviz.widgets.column import Column
from svmviz.widgets.plain_text import ChartTitle, set_tip
from svmviz.widgets.still_text import StillLabel, StillText

# Space around the square of the chart of alpha_i and alpha_j, as a fraction of the square's side.
PADDING = 0.16
# From an end of the segment to its name, px at scale 1: outwards, and away from the box's edge.
END_NAME = 16.0, 11.0
# The square zooms to the segment if that is shorter than this fraction of the square's side, but
# not if the ratio is below the minimum, which is rounding; and the space around it, as a fraction.
ZOOMED, MIN_ZOOMED, ZOOM_PADDING = 0.4, 1e-6, 0.45
# Minimum width of the panel to put square and parabola side by side, px at scale 1.
MIN_WIDTH_ACROSS = 350
KEY = "Grey: old. Magenta: new. Ring: top."
# What the charts answer.
PROMISES, MAY_MOVE = "What each partner promises", "Which α may move"
LINE, GAIN = "Where the pair may move", "What D gains there"
WEIGHTS, DISTANCE = "Where the weights may move", "How near the hulls get"
NO_PAIR = "Take a step: this panel then shows the pair that moved."
NOT_CHOSEN = "The pair is not chosen yet."


class PairPanel(FramePanel):
    """The old, the unclipped and the new pair as points, and the objective along their line.

    Parameters
    ----------
    stage : Stage

    Attributes
    ----------
    pair : Pair or None
        The step shown, if it is an SMO step.
    weights : WeightPair or None
        The step shown, if it is a step of a hull method.
    shown_part : PairPart
        The charts are drawn up to this part, which the beat names. Without a beat it is ``NEW``,
        the last part: the charts are complete.
    """

    name = "pair"
    may_stack = True

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.pair: Pair | None = None
        self.weights: WeightPair | None = None
        self.shown_part = PairPart.NEW
        self._pair_points: tuple[int, ...] = ()
        # Number of the run of hulls, and side of the square in units of alpha or tau.
        self._run, self._size = 0, 1.0
        self._axis = AlphaAxis()
        self.words = self.add(StillText(lines=1))
        self.constraint = self.add(StillText(lines=1))
        self.key = self.add(StillLabel(KEY))
        set_tip(self.key, KEY)
        # What a chart answers; only where the panel is brief, among others.
        self.titles = [ChartTitle() for _ in range(3)]
        self.add(self.titles[0])
        self.choice = self.add(ChoiceChart(), 1)
        self.link(self.choice, self._candidate)
        self._beside = self.add(Column(gap=1.0, across=True), 1)
        square, parabola = (self._beside.add(Column(gap=1.0), share) for share in (3, 2))
        square.add(self.titles[1])
        parabola.add(self.titles[2])
        self.square = square.add(Chart(self._paint_square, equal=True, height=220.0), 1)
        set_tip(
            self.square,
            "The mouse over the name of an axis highlights its point; a click selects it.",
        )
        self.link(self.square, self._point_of_axis_name)
        self.parabola = parabola.add(Chart(self._paint_parabola, height=220.0), 1)
        # This keeps the sentence at the top if no chart is visible.
        self.box.addStretch(0)

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        self._lay_out()
        event = lane.explained_event if lane else None
        shown_beat = lane.shown_beat if lane else None
        self.shown_part = shown_beat.beat.pair if shown_beat else PairPart.NEW
        has_choice = shown_beat is not None and bool(shown_beat.beat.compared)
        if has_choice or self.shown_part == PairPart.NOTHING:
            event = None
        if lane is not None and shown_beat is not None and has_choice:
            is_regression = lane.problem.task == "regression"
            labels = frame.document.data.labels
            self.choice.show_beat(shown_beat.beat, labels, lane.run, is_regression)
        self.pair, self.weights = None, WeightPair.of(event)
        self._pair_points = event.touched if event else ()
        if lane is not None and self.weights is not None:
            self._draw_weights(lane, self.weights)
        elif lane is not None and event is not None and (pair := Pair.of(event)) is not None:
            self._draw_pair(lane, pair)
        else:
            sentence = NO_PAIR
            if shown_beat is not None:
                sentence = NOT_CHOSEN
            if event is not None:
                sentence = "This step did not move a pair, so this panel has nothing to show."
            self.words.setText(sentence)
        has_charts = self.pair is not None or self.weights is not None
        self._beside.setVisible(has_charts)
        self.choice.setVisible(has_choice)
        promises = has_choice and self.choice.has_rises
        self.titles[0].setText(PROMISES if promises else MAY_MOVE)
        self.titles[1].setText(LINE if self.pair else WEIGHTS)
        self.titles[2].setText(GAIN if self.pair else DISTANCE)
        for title, has_chart in zip(self.titles, (has_choice, True, True), strict=True):
            title.setVisible(self.brief and has_chart)
        self.words.setVisible(not ((has_charts or has_choice) and self.brief))
        for label in (self.constraint, self.key):
            label.setVisible(has_charts and not self.brief)

    def _draw_pair(self, lane: Lane, pair: Pair) -> None:
        """Set ranges, labels and sentences for an SMO step."""
        self.pair = pair
        bound = float(lane.problem.caps.max())
        self._axis.follow(lane.run, bound, largest_alpha(lane, self.stage.feed.curves))
        self._show_square(self._axis.linear_end, *map(lane.problem.name_of, (pair.i, pair.j)))
        # Elsewhere the axes stay the same from step to step.
        if self.brief:
            self._zoom_to_segment(pair)
        self.parabola.set_labels(lane.problem.name_of(pair.j), "rise of D")
        self.parabola.set_ranges(*self._parabola_ranges(pair))
        self._show_words(pair)

    def _draw_weights(self, lane: Lane, pair: WeightPair) -> None:
        """Set ranges, labels and sentences for a step of a hull method."""
        if lane.run != self._run:
            self._run, self._size = lane.run, 0.0
        size = max(self._size, round_up(max(*pair.old, *pair.new, 1e-12)))
        names = (f"{pair.symbol} of point {index + 1}" for index in (pair.i, pair.j))
        self._show_square(size, *names)
        self.parabola.set_labels("δ", "objective")
        self.parabola.set_ranges(*pair.ranges())
        self.words.setText(pair.words())
        self.constraint.setText(pair.constraint_words())

    def _show_square(self, size: float, x_name: str, y_name: str) -> None:
        self._size, edge = size, PADDING * size
        self.square.set_ranges((-edge, size + edge), (-edge, size + edge))
        self.square.set_labels(x_name, y_name)

    def _zoom_to_segment(self, pair: Pair) -> None:
        """Zoom in if the segment is much shorter than the side of the square.

        The vertex is shown too, unless it is farther away than the segment is long.
        """
        length = pair.high - pair.low
        if not MIN_ZOOMED * self._size < length < ZOOMED * self._size:
            return
        nearest = min(max(pair.vertex, pair.low - length), pair.high + length)
        shown = [pair.low, pair.high, *([pair.vertex] if nearest == pair.vertex else [])]
        ends = np.array([pair.at(alpha_j) for alpha_j in shown])
        low, high = ends.min(axis=0), ends.max(axis=0)
        self._size = float((high - low).max())
        edge = ZOOM_PADDING * self._size
        self.square.set_ranges(*zip((low - edge).tolist(), (high + edge).tolist(), strict=True))

    def mark(self) -> None:
        """Repaint the charts, in which the highlighted and the selected points are marked."""
        for chart in (self.choice, self.square, self.parabola):
            chart.update()

    def _lay_out(self) -> None:
        """Put square and parabola side by side or one above the other, as the size allows."""
        wide = self.lies_across(MIN_WIDTH_ACROSS)
        self._beside.lay_across(wide)
        # One above the other, both have the same height: the parabola must not be a strip.
        self._beside.box.setStretch(1, 3 if self.brief and not wide else 2)

    def _parabola_ranges(self, pair: Pair) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the range of alpha_j, and the range of the rise of the dual for these alpha_j.

        The range of alpha_j contains the old and the new value. It also contains each end of the
        segment and the vertex, unless these are far away.
        """
        values_of_step = pair.values
        step_span = max(max(values_of_step) - min(values_of_step), 1e-9 * self._size, 1e-300)
        padding = min(step_span, max(pair.high - pair.low, abs(pair.new[1] - pair.old[1])))
        low = max(min(values_of_step) - padding, min(pair.low, pair.old[1]) - 0.3 * padding)
        high = min(max(values_of_step) + padding, max(pair.high, pair.old[1]) + 0.3 * padding)
        x = (low, max(high, low + 1e-9 * step_span))
        values = pair.rise(np.linspace(*x, SAMPLES))
        top = max(float(values.max()), pair.step_rise, 1e-300)
        # Far from the vertex the parabola falls steeply; only the part near the top is shown.
        bottom = max(float(values.min()), -1.2 * top)
        return x, (bottom - 0.05 * (top - bottom), top + 0.15 * (top - bottom))

    def _show_words(self, pair: Pair) -> None:
        """Write where the step ends, and the constraint."""
        new, vertex = number(pair.new[1]), number(pair.vertex)
        if self.shown_part < PairPart.SEGMENT:
            self.words.setText("")
        elif not pair.has_vertex:
            end = "H" if pair.new[1] >= pair.high else "L"
            stop = (
                f"the step goes to {new}" if pair.is_endless else f"the step goes to {end} = {new}"
            )
            self.words.setText(f"D has no top, because η is not above 0: {stop}.")
        elif not pair.is_clipped:
            self.words.setText(f"The top of D, at {new}, is in [L, H]: the step goes there.")
        elif pair.new[1] >= pair.high:
            self.words.setText(
                f"The top of D, at {vertex}, is beyond H: the step stops at H = {new}."
            )
        elif pair.new[1] <= pair.low:
            self.words.setText(
                f"The top of D, at {vertex}, is below L: the step stops at L = {new}."
            )
        else:
            self.words.setText(f"The step ends at {new}, before the top of D at {vertex}.")
        signs = "The classes" if pair.has_labels else "The signs"
        relation = (
            "agree: the sum of both α" if pair.signs_agree else "differ: the difference of both α"
        )
        self.constraint.setText(f"{signs} {relation} is constant. η = {number(pair.eta)}.")
        set_tip(
            self.constraint,
            "η = Kᵢᵢ + Kⱼⱼ − 2 Kᵢⱼ: the curvature of D along the line.\n"
            f"L = {number(pair.low)} and H = {number(pair.high)}: the smallest and the largest "
            "αⱼ on the line in the box.",
        )

    # Mouse.

    def _point_of_axis_name(self, x: float, y: float) -> int | None:
        """Return the point of the axis on whose name (x, y) is, or None.

        Each axis shows alpha or tau of one point, and its name is below the plot or left of it.
        """
        if self.pair is None and self.weights is None:
            return None
        (left, _), (bottom, _) = self.square.ranges
        if y < bottom:
            return self._pair_points[0]
        return self._pair_points[-1] if x < left else None

    def _candidate(self, x: float, y: float) -> int | None:
        """Return the point of the choice chart near (x, y), in units of its axes, or None."""
        near = self.choice.nearest(self.choice.positions, x, y)
        return None if near is None else int(self.choice.points[near])

    # Painting.

    def _paint_square(self, paint: ChartPainter) -> None:
        if self.weights is not None:
            paint_weights(paint, self.weights, self.shown_part)
            self._paint_guide(paint, self.weights.new)
        if self.pair is None:
            return
        theme, pair = paint.theme, self.pair
        # Cut the box off outside the plot, where painting is imprecise.
        (left, right), (bottom, top) = (
            (max(0.0, low - self._size), min(side, high + self._size))
            for (low, high), side in zip((paint.area.x, paint.area.y), pair.box, strict=True)
        )
        box = QRectF(paint.area.pixel(left, top), paint.area.pixel(right, bottom))
        paint.painter.fillRect(box, QColor(theme.accent_soft))
        if math.isfinite(pair.box[0]):
            paint.set_pen(theme.text, 1.5)
            paint.painter.drawRect(box)
        # Cut the segment off far outside the plot, where painting is imprecise.
        reach = 8.0 * self._size
        ends = pair.ends_within(pair.old[1] - reach, pair.old[1] + reach)
        self._paint_line(paint, pair, ends)
        # Beside the ends and away from each other, so that the names never overlap.
        right, down = END_NAME if pair.signs_agree else (-END_NAME[0], END_NAME[1])
        for value, name, shift in (
            (pair.low, "L", (right, -down)),
            (pair.high, "H", (-right, down)),
        ):
            if math.isfinite(value) and self.shown_part >= PairPart.SEGMENT:
                paint.text(name, pair.at(value), theme.accent, shift)
        if self.shown_part == PairPart.NEW:
            self._paint_guide(paint, pair.new)
        vertex = pair.at(pair.vertex) if pair.has_vertex else None
        paint_move(paint, pair.old, pair.new, vertex, self.shown_part)

    def _paint_guide(self, paint: ChartPainter, new: tuple[float, float]) -> None:
        """Paint a line from the new position to the axis of each highlighted or selected point."""
        (left, _), (bottom, _), (x, y) = paint.area.x, paint.area.y, new
        for points, colour in (
            (self.stage.session.selection, paint.theme.focus),
            (self.stage.spotlight.points, paint.theme.text),
        ):
            if self._pair_points[0] in points:
                paint.curve(np.array([[x, y], [x, bottom]]), colour, 2.0, DOTTED)
            if self._pair_points[-1] in points:
                paint.curve(np.array([[x, y], [left, y]]), colour, 2.0, DOTTED)

    def _paint_line(self, paint: ChartPainter, pair: Pair, ends: np.ndarray) -> None:
        """Paint the constraint line and, on it, the segment between ``ends``."""
        slope = -1.0 if pair.signs_agree else 1.0
        reach = 10.0 * self._size * np.array([[-1.0, -slope], [1.0, slope]])
        paint.curve(np.array(pair.old) + reach, paint.theme.muted, 1.0, DASHED)
        if self.shown_part >= PairPart.SEGMENT:
            paint.curve(ends, paint.theme.accent, 3.0)

    def _paint_parabola(self, paint: ChartPainter) -> None:
        if self.weights is not None:
            paint_objective(paint, self.weights, self.shown_part)
        if self.pair is None:
            return
        pair, part = self.pair, self.shown_part
        if part < PairPart.VERTEX:
            paint_tangent(paint, pair.old[1], pair.slope)
            return
        if part >= PairPart.SEGMENT:
            paint_bounds(paint, pair.low, pair.high, {"L": pair.low, "H": pair.high})
        vertex = pair.vertex if pair.has_vertex else None
        paint_parabola(paint, pair.rise, pair.old[1], pair.new[1], vertex, part)
