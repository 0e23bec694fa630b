"""The two charts of the Loss panel: the loss with the points on it, and the two parts of P."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF

from solvers.problem.losses import LOSSES, Loss, Objective
from solvers.run.method import counted
from svmviz.base.words import number
from svmviz.camera.ticks import linear_ticks, nice_step
from svmviz.panels.fitted_range import FittedRange
from svmviz.panels.objective.loss_values import LossValues
from svmviz.theme import LABEL
from svmviz.widgets.charts.chart import Chart
from svmviz.widgets.charts.chart_painter import DASHED, DOTTED, ChartPainter

# The axis of y f(x) stays within these limits, and contains at least the second pair. Points beyond
# a limit are drawn at that end of the axis.
LIMITS, ALWAYS_SHOWN = (-4.5, 7.5), (-1.0, 2.0)
# In a regression the axis reaches at least this multiple of epsilon on each side of 0.
MIN_TUBES = 2.5
# Height of the histogram below the axis of losses, as a fraction of the largest loss shown.
HISTOGRAM, HISTOGRAM_GAP = 0.42, 0.2
MAX_BARS = 24
# Diameter of a dot, and reach of the handle of the supporting line, px at scale 1.
DOT, HANDLE_REACH = 8.0, 14.0
# The handle is this far right of the kink, as a fraction of the width of the axis.
HANDLE_SHARE = 0.22
FAN_OPACITY = 0.14
# The series of the theme whose colours the two parts of P have.
PART_SERIES = (0, 2)


class LossChart(Chart):
    """A loss as a curve, every point on it, and below it the histogram of its argument.

    Signals
    -------
    tilted(float)
        The line that supports the loss at its kink was dragged to this slope.
    """

    tilted = Signal(float)

    def __init__(self) -> None:
        super().__init__(self._draw, "y f(x)", "loss", height=260.0)
        self.shown: LossValues | None = None
        self.labels = np.zeros(0)
        # Positions of the points, in the units of the chart, shape (n, 2).
        self.points = np.zeros((0, 2))
        # Indices of the points with a ring, by the name of its colour in the theme.
        self.marked: dict[str, list[int]] = {}
        # The slope of the line that supports the hinge at its kink; None without such a line.
        self.slope: float | None = None
        self._margin_range, self._residual_range = FittedRange(2.0), FittedRange()
        self._top_ranges: dict[str, FittedRange] = {}
        self._counts = np.zeros((2, 1))
        self._edges = np.zeros(2)

    # Contents.

    def show_values(self, values: LossValues, labels: np.ndarray, run: int) -> None:
        """Show the losses of all points; ``run`` is the number of the run."""
        self.shown, self.labels = values, labels
        low, high = self._range(values, run)
        x = np.clip(values.arguments, low, high)
        self.points = np.column_stack([x, values.loss.values(x, values.epsilon)])
        ends = values.loss.values(np.array([low, high]), values.epsilon)
        top_range = self._top_ranges.setdefault(values.loss.name, FittedRange(1.0))
        top = top_range.follow(run, 0.0, float(ends.max()))[1]
        is_regression = values.problem.task == "regression"
        self.set_ranges((low, high), (-(HISTOGRAM + HISTOGRAM_GAP) * top, top))
        self.set_ticks(1, linear_ticks(0.0, top, 5).pairs)
        self._count(x, labels, low, high)
        highest = counted(int(self._counts.sum(axis=0).max(initial=0.0)), "point")
        name = "y − f(x)" if is_regression else "y f(x)"
        self.set_labels(f"{name}, highest bar: {highest}", "loss")
        self.update()

    def _range(self, values: LossValues, run: int) -> tuple[float, float]:
        z = values.arguments
        if values.problem.task == "regression":
            half = max(float(np.abs(z).max()), MIN_TUBES * values.epsilon, 1e-12)
            half = self._residual_range.follow(run, -half, half)[1]
            return -half, half
        shown = np.clip(np.append(z, ALWAYS_SHOWN), *LIMITS)
        low, high = self._margin_range.follow(run, float(shown.min()), float(shown.max()))
        return max(low, LIMITS[0] - 0.5), min(high, LIMITS[1] + 0.5)

    def _count(self, x: np.ndarray, labels: np.ndarray, low: float, high: float) -> None:
        """Count the points of each class in bars whose edges are round numbers."""
        width = nice_step(high - low, MAX_BARS)
        first, last = math.floor(low / width + 1e-9), math.ceil(high / width - 1e-9)
        self._edges = width * np.arange(first, last + 1)
        # A point on its margin, up to rounding, belongs to the bar right of 1.
        x = x + 1e-9 * width
        self._counts = np.array(
            [np.histogram(x[labels * side > 0], self._edges)[0] for side in (-1, 1)]
        )

    def point_at(self, x: float, y: float) -> int | None:
        """Return the index of the point at a position of the chart."""
        return self.nearest(self.points, x, y)

    # The line that supports the loss at its kink.

    @property
    def handle(self) -> tuple[float, float] | None:
        """The position of the handle that turns the supporting line; None without a line."""
        if self.slope is None or self.shown is None or not self.shown.loss.kinks(0.0):
            return None
        kink = self.shown.loss.kinks(0.0)[0]
        (low, high), away = self.ranges[0], HANDLE_SHARE
        x = kink - away * (high - low)
        return x, self.slope * (x - kink)

    def takes(self, x: float, y: float) -> bool:
        """Return whether a press at this position takes hold of the supporting line."""
        handle = self.handle
        return handle is not None and self.nearest(np.array([handle]), x, y, HANDLE_REACH) == 0

    def tilt(self, x: float, y: float) -> None:
        """Turn the supporting line towards a position, as far as it supports the hinge."""
        kink = 1.0
        if x < kink:
            self.tilted.emit(min(0.0, max(-1.0, y / (x - kink))))

    # Painting.

    def _draw(self, paint: ChartPainter) -> None:
        values, theme = self.shown, paint.theme
        if values is None:
            return
        self._draw_histogram(paint)
        paint.rule(0.0, theme.line_strong, 1.0, vertical=False)
        if values.problem.task != "regression":
            for name, style in (("zero-one", DOTTED), ("hinge", DASHED)):
                if name != values.loss.name:
                    paint.curve(self._curve(LOSSES[name], 0.0), theme.muted, 1.5, style)
        self._draw_support(paint)
        paint.curve(self._curve(values.loss, values.epsilon), theme.series[1], 2.5)
        self._draw_tangent(paint)
        paint.points(self.points, self.labels, DOT, 0.8)
        for colour, indices in self.marked.items():
            paint.rings(self.points[indices], getattr(theme, colour), DOT + 6.0, 2.0)

    def _curve(self, loss: Loss, epsilon: float) -> np.ndarray:
        """Return points of the curve; a jump is a vertical segment."""
        low, high = self.ranges[0]
        kinks = np.array(loss.kinks(epsilon))
        near = 1e-9 * (high - low)
        x = np.sort(np.concatenate([np.linspace(low, high, 121), kinks, kinks - near]))
        return np.column_stack([x, loss.values(x, epsilon)])

    def _draw_histogram(self, paint: ChartPainter) -> None:
        theme, (bottom, top) = paint.theme, self.ranges[1]
        highest = max(1.0, float(self._counts.sum(axis=0).max(initial=0.0)))
        unit = HISTOGRAM * top / highest
        base = np.full(len(self._edges) - 1, bottom)
        middles, widths = 0.5 * (self._edges[:-1] + self._edges[1:]), np.diff(self._edges)
        # A gap of 1 px between two bars.
        gap = paint.px(1.0) * (self.ranges[0][1] - self.ranges[0][0]) / paint.area.rect.width()
        for counts, colour in zip(self._counts, (theme.negative, theme.positive), strict=True):
            paint.bars(middles, base + unit * counts, widths - gap, colour, base=base)
            base = base + unit * counts

    def _draw_tangent(self, paint: ChartPainter) -> None:
        """Draw the line that supports the loss at the highlighted point."""
        values, indices = self.shown, self.marked.get("text", [])
        if values is None or values.loss.slopes is None or len(indices) != 1:
            return
        x, y = self.points[indices[0]].tolist()
        slope = float(values.loss.slopes(np.array([x]), values.epsilon).mean())
        self._draw_line(paint, x, y, slope, paint.theme.text, 1.25)

    def _draw_line(
        self, paint: ChartPainter, x: float, y: float, slope: float, colour: str, width: float
    ) -> None:
        ends = np.array(self.ranges[0])
        paint.painter.save()
        # Not over the histogram.
        below = paint.area.rect.bottom() - paint.area.pixel(0.0, 0.0).y() - 2.0
        paint.painter.setClipRect(paint.area.rect.adjusted(0.0, 0.0, 0.0, -below))
        paint.curve(np.column_stack([ends, y + slope * (ends - x)]), colour, width)
        paint.painter.restore()

    def _draw_support(self, paint: ChartPainter) -> None:
        """Draw all lines that support the hinge at its kink as a fan, and one of them."""
        if self.handle is None or self.slope is None:
            return
        theme, low = paint.theme, self.ranges[0][0]
        fan = np.array([[1.0, 0.0], [low, 1.0 - low], [low, 0.0]])
        paint.fill(fan, theme.highlight, FAN_OPACITY)
        self._draw_line(paint, 1.0, 0.0, self.slope, theme.highlight, 2.0)
        paint.dots(np.array([self.handle]), theme.highlight, 12.0, edge=theme.card)


class PartsChart(Chart):
    """Two bars, each made of regulariser and C times the losses: the shown one and the optimum."""

    def __init__(self) -> None:
        super().__init__(self._draw, "½‖w‖² + C Σ loss", "", height=160.0)
        self._axes[0].swatches = PART_SERIES
        self.shown: LossValues | None = None
        self._fitted: dict[str, FittedRange] = {}

    def show_values(self, values: LossValues, run: int) -> None:
        """Show the parts; ``run`` is the number of the run."""
        self.shown = values
        totals = [
            objective.primal
            for objective in (values.objective, values.optimum)
            if objective is not None and math.isfinite(objective.primal)
        ]
        fitted = self._fitted.setdefault(values.loss.name, FittedRange())
        top = fitted.follow(run, 0.0, max(totals, default=1.0) or 1.0)[1]
        self.set_ranges((0.0, top), (0.0, 2.0))
        best = [(0.5, "best")] if values.optimum is not None else []
        self.set_ticks(1, [(1.5, "line" if values.is_line else "step"), *best])
        self.set_labels(f"{'P = ' * values.is_primal}■ ½‖w‖² + ■ {values.penalty_name}", "")
        self.update()

    def _draw(self, paint: ChartPainter) -> None:
        values, theme = self.shown, paint.theme
        if values is None:
            return
        first, second = (theme.series[number] for number in PART_SERIES)
        self._draw_bar(paint, values.objective, 1.5, (first, second), theme.card)
        if values.optimum is not None:
            colours = theme.line_strong, theme.line
            self._draw_bar(paint, values.optimum, 0.5, colours, theme.text)

    def _draw_bar(
        self,
        paint: ChartPainter,
        objective: Objective,
        middle: float,
        colours: tuple[str, str],
        ink: str,
    ) -> None:
        """Draw a bar at the height ``middle``: the regulariser, then the losses."""
        look, painter, pixel = paint.look, paint.painter, paint.area.pixel
        painter.setFont(look.font(LABEL))
        measure = QFontMetricsF(painter.font())
        if math.isinf(objective.primal):
            painter.setPen(QColor(look.theme.muted))
            box = QRectF(pixel(0.0, middle + 0.4), pixel(self.ranges[0][1], middle - 0.4))
            words = look.letters(" ∞: some y f < 1")
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, words)
            return
        start = 0.0
        names = "½‖w‖²", self.shown.penalty_name if self.shown else ""
        parts = objective.regulariser, objective.penalty
        for part, name, colour in zip(parts, names, colours, strict=True):
            box = QRectF(pixel(start, middle + 0.36), pixel(start + part, middle - 0.36))
            painter.fillRect(box, QColor(colour))
            for words in (f"{name} = {number(part, 3)}", number(part, 3)):
                words = look.letters(words)
                width = measure.horizontalAdvance(words) + look.metrics.px(6)
                if width <= box.width() and measure.height() <= box.height() + 2.0:
                    painter.setPen(QColor(ink))
                    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
                    break
            start += part
