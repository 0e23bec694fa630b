"""The chart of the difference set: dots, hull, origin, and p - q with its supporting line."""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np
from PySide6.QtCore import QPointF

from svmviz.panels.geometry.difference_study import DifferenceStudy
from svmviz.widgets.charts.chart import Chart
from svmviz.widgets.charts.chart_painter import DASHED, DOTTED, ChartPainter
from svmviz.widgets.charts.plot_area import Range

# Diameter of a difference, half the diagonal of p - q, radius of the ring, and half a stroke of the
# origin, px at scale 1.
DOT, DIAMOND, RING, CROSS = 3.5, 6.5, 9.0, 7.0


class DifferenceChart(Chart):
    """All differences of points of different classes, with equal units on both axes."""

    def __init__(self) -> None:
        super().__init__(self._draw, "x1", "x2", equal=True, height=260.0)
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
        """Return the pair whose difference is drawn at a position, of class +1 first."""
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
            # Of one point, all its differences; of two points, the one of both.
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
        """Draw the goal, a ring; p - q, a diamond that a line joins to the origin; the origin."""
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
    # The origin is often at an edge, and its name is still beside it.
    edge = 0.14 * ((high - low) or 1.0)
    return low - edge, high + edge
