"""The KKT panel: a line on which the KKT conditions hold, and each point relative to this line."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtGui import QHideEvent

from solvers import Problem
from solvers.problem.certificate import BOUND, FREE, ZERO
from solvers.problem.kkt import nearest
from solvers.run.method import counted
from svmviz.base.kinds import kinds_of
from svmviz.base.words import number
from svmviz.frames.frame import Frame, Lane
from svmviz.panels.fitted_range import FittedRange
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.step.alpha_bars import AlphaAxis, caps_of, largest_alpha, words_above
from svmviz.plane.pair_candidates import candidates_line, shows_errors
from svmviz.stage.stage import Stage
from svmviz.widgets.charts.chart import Chart
from svmviz.widgets.charts.chart_painter import ChartPainter
from svmviz.widgets.charts.plot_area import Range
from svmviz.widgets.plain_text import ChartTitle, set_tip
from svmviz.widgets.still_text import StillText

# In a classification the axis of y f(x) stays within these limits. Points beyond a limit are drawn
# at that end of the axis.
LIMITS = (-4.5, 7.5)
# Minimum width of the range of y f(x), so that a deviation within the tolerance looks small.
MIN_WIDTH = 0.2
# In a regression the range of y - f(x) is at least this multiple of epsilon on each side of 0.
MIN_HALF_WIDTH = 2.5
# Space above and below the values on the vertical axis, as a fraction of `AlphaAxis.top`.
PADDING = 0.12
# Diameter of a dot, px at scale 1.
DOT = 8.0


# Labels of the horizontal and the vertical axis.
AXIS_LABELS = {"classification": ("y f(x)", "α"), "regression": ("y − f(x)", "β")}
# What KKT compares, and with what: at least, equal or at most, by the kind of a point.
CONDITIONS = {"classification": ("y f(x)", "1"), "regression": ("|y − f(x)|", "ε")}
# The labels for reduced hulls. r is the value of y f(x) at the free points of the class of x.
CAPPED_LABELS = "y f(x) − r + 1", "α"


class KktPanel(FramePanel):
    """A chart of the points at ``(y f(x), alpha)``, or in a regression at ``(y - f(x), beta)``.

    At the optimum all points lie on a line, the staircase of :mod:`solvers.problem.kkt`. A
    horizontal segment joins the line to each point that is not on it. The length of the segment is
    the KKT violation of the point.

    Parameters
    ----------
    stage : Stage

    Attributes
    ----------
    points : array, shape (n, 2)
        Positions of the points in the units of the chart.
    nearest_x : array, shape (n,)
        For each point, the horizontal position at which the line has the height of the point; if
        there are several, the nearest.
    """

    name = "kkt"

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._labels = np.zeros(0)
        self._alpha_axis = AlphaAxis()
        self._caps: list[tuple[float, str]] = []
        self._margin_range, self._residual_range = FittedRange(MIN_WIDTH), FittedRange()
        self.points = np.zeros((0, 2))
        self.nearest_x = np.zeros(0)
        self.title = self.add(ChartTitle("Which points violate KKT"))
        self.words = self.add(StillText(lines=1))
        self.counts = self.add(StillText(lines=3))
        self.candidates = self.add(StillText(lines=2))
        self.chart = self.add(Chart(self._paint, height=240.0), 1)
        self.link(self.chart, lambda x, y: self.chart.nearest(self.points, x, y))

    @property
    def violates(self) -> np.ndarray:
        """Whether each point violates its KKT condition by more than the tolerance, shape (n,)."""
        if self.lane is None:
            return np.zeros(0, dtype=bool)
        return self.lane.certificate.violation > self.lane.kkt_tolerance

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        self._labels = frame.document.data.labels
        # Only among other panels: the texts of this one say it too.
        self.title.setVisible(self.brief)
        is_capped = lane is not None and lane.certified_problem.capped
        axis_labels = CAPPED_LABELS if is_capped else AXIS_LABELS[frame.document.task]
        self.chart.set_labels(*axis_labels)
        if lane is None:
            self.points, self.nearest_x = np.zeros((0, 2)), np.zeros(0)
            self.words.setText(f"Every point is drawn here at ({', '.join(axis_labels)}).")
            self.counts.setText("")
            self.candidates.setVisible(False)
            return
        certificate, problem = lane.certificate, lane.certified_problem
        coordinates = problem.kkt_coordinates(certificate.decision, lane.expansion.beta)
        bound = float(problem.caps.max())
        self._alpha_axis.follow(lane.run, bound, largest_alpha(lane, self.stage.feed.curves))
        self._caps = caps_of(frame.document, problem)
        low, high = self._x_range(lane, coordinates[:, 0])
        self._show_ranges(problem, low, high)
        # A point beyond an end of the axis is drawn just inside it, where it can be seen.
        padding = 0.01 * (high - low)
        x = np.clip(coordinates[:, 0], low + padding, high - padding)
        # The staircase of a point with a weight is that of the problem, times the weight.
        heights = coordinates[:, 1] * (1.0 if problem.weights is None else problem.weights)
        self.points = np.column_stack([x, self._heights(heights, problem)])
        self.nearest_x = np.clip(nearest(problem.kkt_corners, coordinates), low, high)
        self._show_words(lane)
        self.counts.setVisible(not self.brief)
        # An audience cannot read lists of points: they are one hover away.
        shows_candidates = shows_errors(lane) and not self.gives_way
        self.candidates.setVisible(shows_candidates)
        if shows_candidates:
            self.candidates.setText(candidates_line(lane))

    def mark(self) -> None:
        self.chart.update()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.stage.spotlight.name_points(self.name, ())

    def _x_range(self, lane: Lane, x: np.ndarray) -> Range:
        """Return the range of the horizontal axis.

        It contains the points, at the positions ``x``, shape (n,), and the corners of the KKT line.
        In a classification, what lies outside ``LIMITS`` counts as lying at the nearer limit.
        """
        corners = lane.certified_problem.kkt_corners[:, 0]
        corners = corners[np.isfinite(corners)]
        if lane.problem.task == "regression":
            # The range is symmetric about 0, so that the tube stays in the middle. The largest
            # corner is at epsilon. If that is 0, too, the range still must not be empty.
            half_width = max(float(np.abs(x).max()), MIN_HALF_WIDTH * float(corners.max()), 1e-12)
            _, half_width = self._residual_range.follow(lane.run, -half_width, half_width)
            return -half_width, half_width
        x = np.clip(np.append(x, corners), *LIMITS)
        return self._margin_range.follow(lane.run, float(x.min()), float(x.max()))

    def _show_ranges(self, problem: Problem, low: float, high: float) -> None:
        """Set the ranges of both axes; ``[low, high]`` is the range of the horizontal axis."""
        top, ticks = self._alpha_axis.top, self._alpha_axis.ticks(6)
        has_negative = bool((problem.kkt_corners[:, 1] < 0.0).any())
        if has_negative:
            ticks = [(-place, f"−{text}") for place, text in ticks if place > 0.0] + ticks
        bottom = -(1.0 + PADDING) * top if has_negative else -PADDING * top
        self.chart.set_ranges((low, high), (bottom, (1.0 + PADDING) * top))
        self.chart.set_ticks(1, ticks)

    def _heights(self, values: np.ndarray, problem: Problem) -> np.ndarray:
        """Return the heights of values of alpha or beta in the chart, shape (n,).

        Values beyond C are compressed; see :class:`AlphaAxis`. If the KKT line has no part below 0,
        as in a classification, negative values are drawn at 0.
        """
        lowest = float(problem.kkt_corners[:, 1].min())
        values = np.where((values < 0.0) & (lowest >= 0.0), 0.0, values)
        return np.sign(values) * self._alpha_axis.to_height(np.abs(values))

    def _show_words(self, lane: Lane) -> None:
        """Write how many points violate KKT, and the number of points of each kind."""
        kinds = kinds_of(lane.certified_problem)
        set_tip(self.counts, f"The conditions of the optimum, and their points. Free: {kinds.free}")
        set_tip(
            self.words,
            "The green line is where the optimum wants each point, by the conditions of Karush, "
            "Kuhn and Tucker (KKT).",
        )
        certificate, violates = lane.certificate, self.violates
        named: tuple[int, ...] = ()
        count, tolerance_text = int(violates.sum()), number(lane.kkt_tolerance)
        if count:
            worst = int(certificate.violation.argmax())
            largest = number(float(certificate.violation[worst]))
            words = f"{count:,} of {len(violates):,} points are off the green line"
            # The worst point is often the one that the next step takes. A question may ask for that
            # one.
            if not self.stage.prediction.is_asking:
                named = (worst,)
                words += f"; worst: point {worst + 1}"
            words += "." if self.brief else f", by {largest}."
        else:
            words = f"KKT holds: every point is on the green line (± {tolerance_text})."
        self.words.setText(words)
        # Beside other panels the marks of the step are enough, and while playing those of the run.
        is_read = self.isVisible() and not self.brief and not self.stage.playback.is_moving
        self.stage.spotlight.name_points(self.name, named if is_read else ())
        quantity, limit = CONDITIONS[lane.problem.task]
        limit = "r" if lane.certified_problem.capped else limit
        signs = "≤=≥" if lane.problem.task == "regression" else "≥=≤"
        counts = []
        for name, sign, code in zip(kinds.conditions, signs, (ZERO, FREE, BOUND), strict=True):
            of_kind = certificate.kinds == code
            violating = int((of_kind & violates).sum())
            off = f" ({violating:,} off)" if violating else ""
            points = counted(int(of_kind.sum()), "point")
            counts.append(f"{name}: {quantity} {sign} {limit} · {points}{off}")
        # With a hard margin no point is at C.
        self.counts.setText("\n".join(counts[:2] if lane.certified_problem.hard else counts))

    # Painting.

    def _paint(self, paint: ChartPainter) -> None:
        lane, theme, violates = self.lane, paint.theme, self.violates
        if lane is None:
            return
        self._paint_kkt_line(paint, lane.certified_problem)
        on_line = np.column_stack([self.nearest_x, self.points[:, 1]])
        paint.segments(self.points[violates], on_line[violates], theme.warning)
        # Before an audience the chart has the room for dots that are seen behind the line.
        dot, opacity = (1.6 * DOT, 0.8) if self.gives_way and not self.brief else (DOT, 0.45)
        paint.points(self.points[~violates], self._labels[~violates], dot, opacity)
        paint.points(self.points[violates], self._labels[violates], dot)
        for points, colour, size, width in (
            (() if lane.at_end else lane.marked, theme.highlight, DOT + 8.0, 2.5),
            (self.stage.session.selection, theme.focus, DOT + 6.0, 1.5),
            (self.stage.spotlight.points, theme.text, DOT + 6.0, 2.0),
        ):
            marked = [i for i in points if i < len(self.points)]
            paint.rings(self.points[marked], colour, size, width)

    def _paint_kkt_line(self, paint: ChartPainter, problem: Problem) -> None:
        (low, high), top, good = paint.area.x, self._alpha_axis.top, paint.theme.good
        x, y = problem.kkt_corners.T
        x = np.clip(x, low, high)
        # If C is above the chart, the vertical segments of the line end outside of the chart.
        above = np.column_stack([x, np.sign(y) * 2.0 * top])
        levels: list[tuple[tuple[float, float], str]] = []
        for cap, text in self._caps:
            if cap > top:
                continue
            heights = self._heights(y * (cap / problem.C), problem)
            paint.curve(np.column_stack([x, heights]), good, 3.0)
            # The label is at the height of C, where neither the line nor points are: at the right,
            # in a regression at the left.
            free_end = high if x[-1] == low else low
            levels.append(((free_end, float(heights[-1])), text))
        # Several are above their levels, since a label may be longer than the part without points.
        paint.level_texts(levels, paint.theme.text, above=len(levels) > 1)
        words = words_above(self._caps, top)
        if words or problem.hard:
            paint.curve(above, good, 3.0)
        if words:
            # The vertical segments pass through the top: the label is at the end far from them.
            end = max(x[[-1, 0]], key=lambda x: np.abs(above[1:-1, 0] - x).min())
            paint.text(words, (float(end), 2.0 * top), paint.theme.muted)
