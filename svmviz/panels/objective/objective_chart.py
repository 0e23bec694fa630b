"""Charts of primal, dual and duality gap over the steps of the run."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtGui import QResizeEvent, QShowEvent

from svmviz.base.words import number as number_text
from svmviz.base.words import primal_help, primal_name
from svmviz.camera.ticks import nice_step
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.objective_curves import ObjectiveCurve
from svmviz.panels.frame_panel import FramePanel
from svmviz.stage.stage import Stage
from svmviz.theme import MARKS, look_of
from svmviz.widgets.charts.chart import ZOOM_TIP, Chart
from svmviz.widgets.charts.chart_painter import ChartPainter
from svmviz.widgets.charts.legend import CurveEntry, Legend
from svmviz.widgets.charts.plot_area import LOGARITHMIC, WHOLE
from svmviz.widgets.column import Column
from svmviz.widgets.plain_text import set_tip

# Values of at most this size are rounding error, and are not drawn on logarithmic axes.
ROUNDING = 1e-14
# The charts are side by side if the ratio of the panel's width to its height is larger than
# MIN_RATIO, and each chart is wider than MIN_CHART_WIDTH, px at scale 1.
MIN_RATIO, MIN_CHART_WIDTH = 1.6, 220
# Minimum height of each of two charts one above the other, px at scale 1.
MIN_CHART_HEIGHT = 100
GAP_TIP = "Duality gap: P is at most this far above the optimum."
KKT_TIP = (
    "The most by which f breaks a point's condition of the optimum (KKT); within the "
    "tolerance, the badge says “optimal”."
)
BOUND_TIP = (
    "Largest dual value of an α made feasible, up to this step: the optimum is at least this value."
)
DUAL_TIP = (
    "Dual objective D, which is maximised: the optimum is at least D. SMO, coordinate ascent and "
    "the working set never lower it; other methods may for a step."
)
PRIMAL_TIP = (
    "Primal objective P, which is minimised: the optimum is at most P. P may rise from one step to "
    "the next."
)


@dataclass(frozen=True, eq=False)
class LaneCurves:
    """The curves of a lane: steps, and log10 of objective values, NaN where there is none.

    All arrays have shape (m,).
    """

    steps: np.ndarray
    primal: np.ndarray
    dual: np.ndarray
    gap: np.ndarray

    @classmethod
    def of(cls, curve: ObjectiveCurve) -> LaneCurves:
        """Return the logarithms of the values of a curve; its dual is the best one so far."""
        return cls(curve.steps, *map(log10_or_nan, (curve.primal, curve.best_dual, curve.gap)))


class ObjectiveChart(FramePanel):
    """A chart of primal and dual, and a chart of the gap, both with logarithmic vertical axes.

    They show the lane in focus. In a wide panel the charts are side by side, otherwise one above
    the other. If the panel is too low for two charts, all curves are in one. The axes contain all
    recorded steps. A click or a drag goes to a step; the wheel zooms in (see `Chart`).

    Parameters
    ----------
    stage : Stage
    """

    name = "objective"

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._curve: ObjectiveCurve | None = None
        self.curves: LaneCurves | None = None
        # Reading of the clock before the last click.
        self._reading_before = 0
        # End of the axis of steps.
        self._last_step = 1.0
        # Whether the gap is drawn in the chart of primal and dual.
        self._is_shared = False
        self.legend = self.add(Legend())
        self._charts_box = self.add(Column(gap=1.0), 1)
        self.values, self.gaps = (
            self._charts_box.add(Chart(paint, x=WHOLE, y=LOGARITHMIC, height=90.0), 1)
            for paint in (self._paint_values, self._paint_gap)
        )
        self.gaps.link_x(self.values)
        for chart in (self.values, self.gaps):
            chart.pressed.connect(self._on_pressed)
            chart.restored.connect(lambda: stage.playback.seek(self._reading_before))
            set_tip(chart, f"Click or drag to go to a step. {ZOOM_TIP}")
        stage.feed.curves_changed.connect(self._show_curves)
        stage.playback.focus_changed.connect(self._show_focus)

    def _lay_out(self) -> None:
        """Arrange the charts for the size of the panel."""
        px, edges = look_of(self).metrics.px, self.box.contentsMargins()
        available = self.height() - self.legend.height() - edges.top() - edges.bottom()
        is_wide = self.width() > max(MIN_RATIO * self.height(), 2 * px(MIN_CHART_WIDTH))
        self._is_shared = not is_wide and available < 2 * px(MIN_CHART_HEIGHT)
        self._set_ranges()
        self._charts_box.lay_across(is_wide)
        self.gaps.setVisible(not self._is_shared)
        self.values.show_bottom(is_wide or self._is_shared)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._lay_out()
        super().resizeEvent(event)

    def _on_pressed(self, x: float, _y: float) -> None:
        self._reading_before = self.stage.feed.reading
        self.stage.playback.seek_step(max(0, round(x)))

    # Curves.

    def _show_focus(self) -> None:
        self._show_curves(self.stage.feed.curves)

    def _show_curves(self, curves: tuple[ObjectiveCurve, ...]) -> None:
        if not self.isVisible():
            return
        before, focus = self._curve, min(self.stage.playback.focus, len(curves) - 1)
        self._curve = curve = curves[focus] if curves else None
        if before is None or curve is None or before.run != curve.run:
            # What was zoomed into belongs to another run.
            self.values.show_whole()
            self.gaps.show_whole()
        self.curves = None if curve is None else LaneCurves.of(curve)
        self._lay_out()
        self._show_legend()
        self.values.update()
        self.gaps.update()

    def _paint_values(self, paint: ChartPainter) -> None:
        """Paint primal and dual, and the gap if it has no chart of its own."""
        if self.curves is None:
            return
        # Primal and gap nearly coincide at first. The gap must not cover the primal.
        if self._is_shared:
            self._paint_gap(paint)
        for values, colour in zip((self.curves.primal, self.curves.dual), paint.theme.series):
            paint.curve(np.column_stack([self.curves.steps, values]), colour, MARKS.curve_width)

    def _paint_gap(self, paint: ChartPainter) -> None:
        if self.curves is not None:
            points = np.column_stack([self.curves.steps, self.curves.gap])
            paint.curve(points, paint.theme.text, MARKS.curve_width)

    def _set_ranges(self) -> None:
        """Set ranges that contain all curves, with round ends, so that the ranges rarely change.

        If the run has ended, the axis of steps ends at its last step.
        """
        lane, curves = self.stage.feed.panel_frame.lane, self.curves
        last = float(curves.steps[-1]) if curves is not None and len(curves.steps) else 0.0
        longest = max(1.0, last, lane.length if lane is not None else 0.0)
        self._last_step = end = longest if lane is None or lane.stop else round_end(longest)
        gaps = [curves.gap] if curves else []
        values = [curves.primal, curves.dual] if curves else []
        self.values.set_ranges((0.0, end), range_of(values + gaps * self._is_shared))
        self.gaps.set_ranges((0.0, end), range_of(gaps))

    # The step shown.

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        for chart in (self.values, self.gaps):
            chart.set_cursor(None if lane is None else lane.step)
        if (
            lane is not None
            and lane.length != self._last_step
            and (lane.stop or lane.step > self._last_step)
        ):
            self._set_ranges()
        self._show_legend()

    def _show_legend(self) -> None:
        theme, lane = look_of(self).theme, self.stage.feed.panel_frame.lane
        bound = self._bound(lane) if lane else math.nan
        primal = lane.certificate.primal if lane else math.nan
        dual_label, dual_tip, gap_label = "dual D", DUAL_TIP, "gap P − D"
        if lane is not None and not lane.method.dual_feasible:
            dual_label, dual_tip = "best bound so far (repaired α)", BOUND_TIP
            gap_label = "gap P − bound"
        primal_tip = (primal_help(lane.certified_problem) if lane else "") or PRIMAL_TIP
        self.legend.show_entries(
            (
                CurveEntry(
                    primal_name(lane.certified_problem) if lane else "primal P",
                    theme.series[0],
                    legend_number(primal),
                    tip=primal_tip,
                ),
                CurveEntry(dual_label, theme.series[1], legend_number(bound), tip=dual_tip),
                CurveEntry(gap_label, theme.text, legend_number(primal - bound), tip=GAP_TIP),
                # A number without a curve.
                CurveEntry(
                    "worst KKT violation",
                    "transparent",
                    legend_number(lane.certificate.kkt if lane else math.nan),
                    tip=KKT_TIP,
                ),
            )
        )

    def _bound(self, lane: Lane) -> float:
        """Return the largest dual value up to the step shown, a lower bound on the optimum.

        In a long run the lane's curve has samples of only some steps. Of the steps before the step
        shown, only these samples are used.
        """
        bound, curve = lane.certificate.dual, self._curve
        if curve is not None and curve.run == lane.run:
            sample_count = int(np.searchsorted(curve.steps, lane.step, side="right"))
            if sample_count:
                bound = max(bound, float(curve.best_dual[sample_count - 1]))
        return bound

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_curves(self.stage.feed.curves)


def log10_or_nan(values: np.ndarray) -> np.ndarray:
    """Return logarithms to base 10; NaN for values that are infinite or at most ``ROUNDING``."""
    usable = np.isfinite(values) & (values > ROUNDING)
    return np.log10(values, out=np.full(len(values), np.nan), where=usable)


def range_of(curves: list[np.ndarray]) -> tuple[float, float]:
    """Return a range with all finite values of some curves; its ends are multiples of 0.1.

    If there are no finite values, return (-1, 1).
    """
    values = np.concatenate([np.zeros(0), *curves])
    values = values[np.isfinite(values)]
    if not len(values):
        return -1.0, 1.0
    low = math.floor(10 * (float(values.min()) - 0.04)) / 10
    high = math.ceil(10 * (float(values.max()) + 0.04)) / 10
    return low, high


def round_end(steps: float) -> float:
    """Return a round number of at least ``steps``, so that the axis of a growing run is stable."""
    step = nice_step(max(steps, 1.0), 5)
    return math.ceil(steps / step - 1e-9) * step


def legend_number(value: float) -> str:
    """Return the text of a value in the legend: rounding error below 0 as 0, NaN as a dash."""
    return number_text(max(value, 0.0) if abs(value) < ROUNDING else value)
