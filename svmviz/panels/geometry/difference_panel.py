"""The Difference set panel: all differences of points of the two classes, and p - q among them."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF

from solvers.geometry.plane_hulls import Nearest, difference_hull, nearest_to_origin
from solvers.problem.expansion import freeze
from solvers.problem.problem import Problem
from svmviz.base.words import axis_titles, number, vector_text
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import LaneStudies, Pending, Study
from svmviz.panels.frame_panel import FramePanel
from svmviz.plane.hull_study import HullOutlines, HullStudy, HullStudyMaker
from svmviz.plane.overlays import OVERLAYS
from svmviz.stage.stage import Stage
from svmviz.widgets.charts.chart import Chart
from svmviz.widgets.charts.chart_painter import DASHED, DOTTED, ChartPainter
from svmviz.widgets.charts.plot_area import Range
from svmviz.widgets.still_text import StillText

# Maximum number of differences that are drawn, in 4 ms. If there are more, a random sample of them
# is drawn.
MAX_DRAWN = 1000
# Diameter of a difference, half the diagonal of p - q, radius of the ring, and half a stroke of the
# origin, px at scale 1.
DOT, DIAMOND, RING, CROSS = 3.5, 6.5, 9.0, 7.0


@dataclass(frozen=True, eq=False)
class DifferenceSet:
    """The results on the differences ``x+ - x-`` that are the same at all steps, in solver units.

    Attributes
    ----------
    count : int
        Number of all pairs of points of different classes.
    pairs : array, shape (m, 2)
        The pairs that are drawn: indices of the point of class +1 and of the point of class -1.
    differences : array, shape (m, 2)
        ``x+ - x-`` of these pairs.
    whole, reduced : arrays, shape (h, 2)
        Corners of the hull of all differences, and of the difference of the reduced hulls. Both are
        the same array if the cap is 1.
    nearest : Nearest
        The point of the boundary of ``reduced`` that is nearest to the origin.
    """

    count: int
    pairs: np.ndarray
    differences: np.ndarray
    whole: np.ndarray
    reduced: np.ndarray
    nearest: Nearest


@dataclass(frozen=True, eq=False)
class DifferenceStudy:
    """The difference set, and the hulls at one step of one lane.

    Attributes
    ----------
    hulls : HullStudy
    set : DifferenceSet
    difference : array, shape (2,), or None
        ``p - q`` in solver units; None if p and q do not exist yet.
    """

    hulls: HullStudy
    set: DifferenceSet
    difference: np.ndarray | None


def difference_study(
    hulls: HullStudy, found: DifferenceSet, factors: np.ndarray
) -> DifferenceStudy:
    """Return the study of the hulls at a step, whose difference set is ``found``."""
    difference = None
    if hulls.p is not None and hulls.q is not None:
        # If the hulls meet, p and q are the same point up to rounding error.
        difference = freeze(np.zeros(2) if hulls.meeting else (hulls.p - hulls.q) / factors)
    return DifferenceStudy(hulls, found, difference)


def difference_set(problem: Problem, outlines: HullOutlines, factors: np.ndarray) -> DifferenceSet:
    """Return the difference set of a problem in the plane.

    Parameters
    ----------
    problem : Problem
        Its points have shape (n, 2), and both classes have points.
    outlines : HullOutlines
        The hulls, in data units.
    factors : array, shape (2,)
        Data units per solver unit.
    """
    plus, minus = np.flatnonzero(problem.y > 0), np.flatnonzero(problem.y < 0)
    count = len(plus) * len(minus)
    chosen = np.arange(count)
    if count > MAX_DRAWN:
        # A random choice, since an even one could draw a pattern. It is the same every time.
        chosen = np.unique(np.random.default_rng(0).integers(0, count, MAX_DRAWN))
    pairs = np.column_stack([plus[chosen // len(minus)], minus[chosen % len(minus)]])
    differences = problem.X[pairs[:, 0]] - problem.X[pairs[:, 1]]
    whole = _hull(outlines.whole, factors)
    is_reduced = outlines.reduced is not outlines.whole
    reduced = _hull(outlines.reduced, factors) if is_reduced else whole
    return DifferenceSet(
        count, freeze(pairs), freeze(differences), whole, reduced, nearest_to_origin(reduced)
    )


def _hull(outlines: tuple[np.ndarray, np.ndarray], factors: np.ndarray) -> np.ndarray:
    """Return the corners of the difference of two hulls, first of class -1, in solver units."""
    minus, plus = (corners / factors for corners in outlines)
    return difference_hull(plus, minus)


class DifferenceChart(Chart):
    """All differences of points of different classes, with equal units on both axes."""

    def __init__(self) -> None:
        super().__init__(self._draw, "x₁", "x₂", equal=True, height=260.0)
        self.study: DifferenceStudy | None = None
        self._points: np.ndarray | None = None
        self._pair: tuple[int, int] | None = None
        self._highlighted: Collection[int] = ()
        self._selected: Collection[int] = ()

    def show_study(
        self,
        study: DifferenceStudy | None,
        points: np.ndarray | None,
        pair: tuple[int, int] | None,
    ) -> None:
        """Show a study, the points, shape (n, 2), and the pair of the step: class +1 first."""
        self.study, self._points, self._pair = study, points, pair
        if study is not None:
            places = np.concatenate([study.set.whole, np.zeros((1, 2))])
            (left, bottom), (right, top) = places.min(axis=0), places.max(axis=0)
            self.set_ranges(_padded(float(left), float(right)), _padded(float(bottom), float(top)))
        self.update()

    def mark(self, highlighted: Collection[int], selected: Collection[int]) -> None:
        """Mark the differences of highlighted and of selected points."""
        self._highlighted, self._selected = highlighted, selected
        self.update()

    def pair_at(self, x: float, y: float) -> tuple[int, int] | None:
        """Return the pair whose difference is drawn at a position, the point of class +1 first."""
        if self.study is None:
            return None
        index = self.nearest(self.study.set.differences, x, y)
        if index is None:
            return None
        plus, minus = self.study.set.pairs[index].tolist()
        return plus, minus

    def difference_of(self, plus: int, minus: int) -> np.ndarray | None:
        """Return the difference of two points; None if it is no difference of the set."""
        points = self._points
        if points is None or max(plus, minus) >= len(points) or self.study is None:
            return None
        return points[plus] - points[minus]

    # Painting.

    def _draw(self, paint: ChartPainter) -> None:
        study, theme = self.study, paint.theme
        if study is None:
            return
        if study.set.reduced is not study.set.whole:
            paint.curve(_closed(study.set.whole), theme.muted, 1.0, DOTTED)
        paint.fill(study.set.reduced, theme.accent, 0.13)
        paint.curve(_closed(study.set.reduced), theme.accent, 1.5)
        # Many dots are paler, so that their crowd is not darker than what moves in it.
        opacity = min(0.75, max(0.25, 16.0 / math.sqrt(len(study.set.pairs) + 1)))
        paint.dots(study.set.differences, theme.axis, DOT, opacity=opacity)
        self._draw_marked(paint, study)
        self._draw_supporting_line(paint, study)
        self._draw_nearest(paint, study)

    def _draw_marked(self, paint: ChartPainter, study: DifferenceStudy) -> None:
        """Draw the differences of selected and of highlighted points, and that of the step."""
        theme, pairs = paint.theme, study.set.pairs
        for points, colour in ((self._selected, theme.focus), (self._highlighted, theme.text)):
            if not points:
                continue
            ends = np.isin(pairs, list(points))
            # If one point is marked, mark all its differences; if several are, only those between
            # them.
            is_marked = ends.all(axis=1) if len(points) > 1 else ends.any(axis=1)
            paint.dots(study.set.differences[is_marked], colour, 2.0 * DOT)
        if self._pair is not None:
            difference = self.difference_of(*self._pair)
            if difference is not None:
                paint.rings(difference[None], theme.highlight, 13.0, 2.5)

    def _draw_supporting_line(self, paint: ChartPainter, study: DifferenceStudy) -> None:
        """Draw the line that is perpendicular to p - q and touches the hull of the differences."""
        lines = study.hulls.lines
        if lines is None:
            return
        reach = sum(high - low for low, high in self.ranges)
        along = reach * np.array([-lines.unit[1], lines.unit[0]])
        foot = lines.gap * lines.unit
        paint.curve(np.array([foot - along, foot + along]), paint.theme.text, 1.25, DASHED)

    def _draw_nearest(self, paint: ChartPainter, study: DifferenceStudy) -> None:
        """Draw the goal as a ring, the origin, and p - q as a diamond joined to the origin."""
        theme, origin, away = paint.theme, np.zeros(2), np.array([0.0, -1.0])
        if not study.hulls.meeting:
            paint.rings(study.set.nearest.point[None], theme.text, 2.0 * RING, 1.5)
        if study.difference is not None:
            paint.curve(np.array([origin, study.difference]), theme.text, 2.5)
            paint.diamond(study.difference.tolist(), theme.highlight, 2.0 * DIAMOND)
            length = float(np.hypot(*study.difference))
            away = -study.difference / length if length > 0.0 else away
            self._write(paint, "p − q", study.difference, -away)
        self._write(paint, "0", origin, away)
        place, reach = paint.area.pixel(0.0, 0.0), paint.px(CROSS)
        paint.set_pen(theme.text, 2.5)
        for right, down in ((reach, 0.0), (0.0, reach)):
            paint.painter.drawLine(place - QPointF(right, down), place + QPointF(right, down))

    def _write(self, paint: ChartPainter, words: str, place: np.ndarray, away: np.ndarray) -> None:
        """Write words beside a place, in the direction ``away``, within the plot."""
        shift = (away[0] * (4.5 * len(words) + 14.0), -22.0 * away[1])
        paint.text(words, place.tolist(), paint.theme.text, shift, on_card=True)


def _closed(corners: np.ndarray) -> np.ndarray:
    return np.concatenate([corners, corners[:1]])


def _padded(low: float, high: float) -> Range:
    # The origin is often at the edge of the differences, and its name needs room beside it.
    edge = 0.14 * ((high - low) or 1.0)
    return low - edge, high + edge


class DifferencePanel(FramePanel):
    """The hull of all differences x+ - x-, the origin, and p - q at the step shown.

    Parameters
    ----------
    stage : Stage
    """

    name = "difference-set"
    speaks_of_hulls = True
    study_key = OVERLAYS["hulls"].key

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.shown: DifferenceStudy | None = None
        self._reading = ""
        # The difference set of the outlines for which it was computed last.
        self._known: tuple[HullOutlines, DifferenceSet] | None = None
        self.words = self.add(StillText(lines=2))
        self.numbers = self.add(StillText(lines=1))
        self.chart = self.add(DifferenceChart(), 1)
        self.chart.hovered.connect(self._on_hovered)
        self.chart.pressed.connect(self._on_pressed)
        self.chart.left.connect(lambda: stage.spotlight.highlight(None))

    def make_study(self) -> Study:
        return LaneStudies(HullStudyMaker)

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        result = study[min(frame.focus, len(study) - 1)] if study else None
        self.shown = None
        if lane is not None and isinstance(result, HullStudy) and result.outlines is not None:
            if self._known is None or self._known[0] is not result.outlines:
                found = difference_set(lane.problem, result.outlines, frame.document.factors)
                self._known = result.outlines, found
            self.shown = difference_study(result, self._known[1], frame.document.factors)
        names = axis_titles(frame.document.data)
        self.chart.set_labels(*(f"difference in {name}" for name in names))
        pair = pair_of(lane) if lane and self.shown else None
        self.chart.show_study(self.shown, lane.problem.X if lane else None, pair)
        if isinstance(result, Pending):
            self.words.setText(result.words)
        else:
            self.words.setText(sentence(self.shown, lane is not None and lane.at_end))
        is_scaled = not (frame.document.factors == 1.0).all()
        self._reading = reading(self.shown, is_scaled)

    def mark(self) -> None:
        """Mark the highlighted and the selected points, and show a highlighted pair as numbers."""
        points, shown = self.stage.spotlight.points, self.shown
        self.chart.mark(points, self.stage.session.selection)
        self.numbers.setText(self._reading)
        if shown is None or len(points) != 2:
            return
        plus, minus = points
        difference = self.chart.difference_of(plus, minus)
        if difference is not None:
            vector = vector_text(difference.tolist())
            self.numbers.setText(f"x{plus + 1} − x{minus + 1} = {vector}")

    # Mouse.

    def _on_hovered(self, x: float, y: float) -> None:
        self.stage.spotlight.highlight(*(self.chart.pair_at(x, y) or (None, None)))

    def _on_pressed(self, x: float, y: float) -> None:
        pair = self.chart.pair_at(x, y)
        if pair is not None and max(pair) < self.stage.session.document.n:
            self.stage.session.select(set(pair))


def pair_of(lane: Lane) -> tuple[int, int] | None:
    """Return the points of class +1 and -1 of a step that moves two points of different classes."""
    points = [i for i in lane.touched if i < lane.problem.n]
    if len(points) != 2 or np.sum(lane.problem.y[points]) != 0.0:
        return None
    first, second = points
    return (first, second) if lane.problem.y[first] > 0 else (second, first)


def sentence(study: DifferenceStudy | None, at_end: bool) -> str:
    """Return one or two sentences on where the origin lies, and on p - q.

    Parameters
    ----------
    study : DifferenceStudy or None
    at_end : bool
        Whether the last step of a run that has ended is shown.
    """
    if study is None:
        return "The differences of points of both classes are shown here, for the linear kernel."
    hulls, which = study.hulls, "reduced hulls" if study.hulls.mu < 1.0 else "hulls"
    if hulls.meeting:
        return f"The origin lies in the hull of the differences: the {which} meet."
    if study.difference is None:
        return "The origin lies outside: the hulls are apart. The first step defines p − q."
    if at_end or not hulls.of_step:
        return "p − q is the point nearest to the origin. Its distance is that of the hulls."
    return "p − q moves in the hull of the differences to the point nearest to the origin."


def reading(study: DifferenceStudy | None, is_scaled: bool) -> str:
    """Return the two bounds on the distance of the hulls, and how many differences are drawn."""
    if study is None:
        return ""
    parts = []
    lines = study.hulls.lines
    if lines is not None:
        length, gap = number(lines.distance), number(lines.gap)
        parts.append(
            f"‖p − q‖ = {length}"
            if length == gap
            else f"‖p − q‖ = {length} ≥ distance of the hulls ≥ {gap}"
            if lines.gap > 0.0
            else f"‖p − q‖ = {length}"
        )
        if is_scaled:
            parts.append("in scaled units")
    drawn = len(study.set.pairs)
    if drawn < study.set.count:
        parts.append(f"{drawn:,} of {study.set.count:,} differences are drawn")
    return "  ·  ".join(parts)
