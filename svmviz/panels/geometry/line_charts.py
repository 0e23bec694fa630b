"""The two charts of the Line panel: the margin over the direction of w, and the axis of w."""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np

from solvers.geometry.lines import Line
from svmviz.plane.line_study import ANGLES, LineStudy
from svmviz.widgets.charts.chart import Chart
from svmviz.widgets.charts.chart_painter import DASHED, DOTTED, ChartPainter
from svmviz.widgets.charts.plot_area import Range

# Diameter of a point on the axis of w, px at scale 1.
POINT = 7.0
# Heights of the two rows of points on the axis of w, from 0 to 1.
ROW_OF_CLASS = {1.0: 0.7, -1.0: 0.3}


class AngleChart(Chart):
    """The largest margin of a line for each direction of w, over half a turn.

    The dot is the line of the study. It lies below the curve if b is not the best one.
    """

    def __init__(self) -> None:
        super().__init__(self._draw, "direction of w", "margin", height=210.0)
        self.study: LineStudy | None = None
        self.set_ticks(0, [(float(t), f"{t}°") for t in range(0, 181, 45)])

    def show_study(self, study: LineStudy) -> None:
        """Show a line; the range of margins is that of all directions."""
        self.study = study
        if study.margins is not None:
            low = min(float(study.margins.min()), study.margin, 0.0)
            high = max(float(study.margins.max()), 0.0)
            # Above the top there is room for the word.
            self.set_ranges((0.0, 180.0), (low - 0.1 * (high - low), high + 0.5 * (high - low)))
        self.update()

    def _draw(self, paint: ChartPainter) -> None:
        study, theme = self.study, paint.theme
        if study is None or study.margins is None:
            return
        paint.rule(0.0, theme.line_strong, 1.0, DASHED, vertical=False)
        degrees = np.degrees(ANGLES)
        paint.curve(np.column_stack([degrees, study.margins]), theme.series[1])
        if study.best is not None and study.best_margin is not None:
            best = degrees_of(study.best), study.best_margin
            paint.text("best", best, theme.muted, (0.0, -14.0), small=True)
            paint.dots(np.array([best]), theme.muted, edge=theme.card)
        here = degrees_of(study.line)
        largest = float(np.interp(here, degrees, study.margins))
        ends = np.array([[here, largest], [here, study.margin]])
        paint.curve(ends, theme.text, 1.25, DOTTED)
        paint.dots(ends[1:], theme.series[1], edge=theme.card)


class AxisChart(Chart):
    """The points projected on the axis of w, one row per class, the gap between them, and -b."""

    def __init__(self) -> None:
        super().__init__(self._draw, "⟨w, x⟩ / ‖w‖", "", height=130.0)
        self.study: LineStudy | None = None
        # Indices of the points that have an outline.
        self.marked: Collection[int | None] = ()
        self.set_ticks(1, [])

    def show_study(self, study: LineStudy) -> None:
        """Show a line; the range is that of the projections and of the line."""
        self.study = study
        positions = [*(study.points @ study.line.unit).tolist(), study.line.offset]
        self.set_ranges(_padded(min(positions), max(positions), 0.06), (0.0, 1.0))
        self.update()

    def point_at(self, x: float, y: float) -> int | None:
        """Return the index of the point at a position of the chart."""
        return None if self.study is None else self.nearest(self._places(self.study), x, y)

    @staticmethod
    def _places(study: LineStudy) -> np.ndarray:
        heights = np.where(study.labels > 0, ROW_OF_CLASS[1.0], ROW_OF_CLASS[-1.0])
        return np.column_stack([study.points @ study.line.unit, heights])

    def _draw(self, paint: ChartPainter) -> None:
        study, theme = self.study, paint.theme
        if study is None:
            return
        if study.gap is not None:
            ends = sorted((study.gap.low, study.gap.high))
            colour = theme.good_soft if study.gap.margin > 0.0 else theme.bad_soft
            paint.band(ends[0], ends[1], colour)
        places = self._places(study)
        marked = [index for index in self.marked if index is not None and index < len(places)]
        paint.points(places, study.labels, POINT)
        paint.rings(places[marked], theme.text, POINT + 3.0)
        paint.rule(study.line.offset, theme.series[1], 2.5)


def degrees_of(line: Line) -> float:
    """Return the direction of w in degrees, from 0 to below 180: opposite ones are the same."""
    return math.degrees(math.atan2(line.w[1], line.w[0])) % 180.0


def _padded(low: float, high: float, share: float) -> Range:
    edge = share * ((high - low) or 1.0)
    return low - edge, high + edge
