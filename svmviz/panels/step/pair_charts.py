"""The drawings of the Pair panel: a step of SMO or of a hull method, and the marks of both.

The horizontal axis of the parabola is the variable that the step moves: an alpha, or delta.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from solvers import Event
from solvers.run.beats import PairPart
from svmviz.base.words import number
from svmviz.widgets.charts.chart_painter import DASHED, ChartPainter
from svmviz.widgets.charts.plot_area import Range

# Number of points at which a parabola is computed.
SAMPLES = 81


@dataclass(frozen=True)
class Pair:
    """One SMO step: the constraint line, its *segment* in their box, and the dual along it.

    Attributes
    ----------
    i, j : int
        The variables.
    old, new : tuple of two floats
        ``(alpha_i, alpha_j)`` before and after the step.
    low, high : float
        The ends L and H of the segment, between which alpha_j must lie.
    vertex : float
        alpha_j at the vertex of the parabola. Without a vertex (``has_vertex``) it is infinite; but
        if the step has no end (``is_endless``), it is that of ``new``.
    eta : float
        The curvature of the parabola.
    slope : float
        The slope of the parabola at the old alpha_j.
    step_rise : float
        By how much the dual rose.
    box : tuple of two floats
        The upper bounds of both alphas; may be infinite.
    signs_agree : bool
        Whether the signs of the two variables agree, in a classification their labels. If so, the
        sum of the two alphas is constant, otherwise their difference.
    has_labels : bool
        Whether the signs are labels.
    """

    i: int
    j: int
    old: tuple[float, float]
    new: tuple[float, float]
    low: float
    high: float
    vertex: float
    eta: float
    slope: float
    step_rise: float
    box: tuple[float, float]
    signs_agree: bool
    has_labels: bool
    has_vertex: bool
    is_endless: bool

    @classmethod
    def of(cls, event: Event) -> Pair | None:
        """Return the pair of an event, or None if the step moved no pair of alphas."""
        if event.kind != "pair":
            return None
        values = event.values
        return cls(
            values["i"],
            values["j"],
            (values["old_i"], values["old_j"]),
            (values["new_i"], values["new_j"]),
            values["low"],
            values["high"],
            values["unclipped"],
            values["eta"],
            -values["y_j"] * values["slope"],
            values["rise"],
            (values["C_i"], values["C_j"]),
            values["same_signs"],
            values["classification"],
            values["has_top"],
            values["is_endless"],
        )

    def ends_within(self, low: float, high: float) -> np.ndarray:
        """Return the ends of the part of the segment with alpha_j in [low, high], shape (2, 2)."""
        return np.array([self.at(max(self.low, low)), self.at(min(self.high, high))])

    def at(self, alpha_j: float) -> tuple[float, float]:
        """Return ``(alpha_i, alpha_j)`` on the constraint line for an alpha_j."""
        old_i, old_j = self.old
        change = alpha_j - old_j
        return (old_i - change if self.signs_agree else old_i + change), alpha_j

    def rise(self, alpha_j: np.ndarray) -> np.ndarray:
        """Return the rise of the dual from its old value for each alpha_j; same shape.

        The rise is the parabola ``s t - eta t^2 / 2``. Here t is the change of alpha_j, and s is
        the slope at the old value.
        """
        change = alpha_j - self.old[1]
        return change * (self.slope - 0.5 * self.eta * change)

    @property
    def values(self) -> tuple[float, ...]:
        """The old and the new alpha_j, and that at the vertex, if there is a vertex."""
        return self.old[1], self.new[1], *((self.vertex,) if self.has_vertex else ())

    @property
    def is_clipped(self) -> bool:
        """Whether the step did not reach the vertex of the parabola."""
        return not math.isclose(self.new[1], self.vertex, rel_tol=1e-9)


@dataclass(frozen=True)
class WeightPair:
    """One step that moves two weights by delta.

    Attributes
    ----------
    i, j : int
        Indices of the two points.
    old, new : tuple of two floats
        ``(tau_i, tau_j)`` before and after the step.
    delta, unclipped : float
        The delta of the step, and the delta at the vertex: the objective is a parabola in delta.
    low, high : float
        The bounds of delta. For a pair of opposite classes they are ``M = max(-tau_i, -tau_j)`` and
        infinity. For a pair of one class they are 0 and M, the largest delta that tau_j and the cap
        allow.
    eta : float
        ``||x_i - x_j||^2`` in the kernel's space.
    both_by_delta : bool
        True for a pair of opposite classes: both weights change by delta. False for a pair of one
        class: tau_i grows by delta and tau_j falls by delta.
    symbol : str
        The symbol of the weights in texts: ζ for the weights of a pair of opposite classes, whose
        sum varies, otherwise τ.
    """

    i: int
    j: int
    old: tuple[float, float]
    new: tuple[float, float]
    delta: float
    unclipped: float
    low: float
    high: float
    eta: float
    both_by_delta: bool
    symbol: str

    @classmethod
    def of(cls, event: Event | None) -> WeightPair | None:
        """Return the pair of an event, or None if it moved no pair of weights."""
        if event is None or event.kind not in ("opposite-pair", "pair-in-class"):
            return None
        values, is_opposite = event.values, event.kind == "opposite-pair"
        return cls(
            values["i"],
            values["j"],
            (values["old_i"], values["old_j"]),
            (values["new_i"], values["new_j"]),
            values["delta"],
            values["unclipped"],
            values["low"] if is_opposite else 0.0,
            math.inf if is_opposite else values["low"],
            values["eta"],
            is_opposite,
            values["symbol"],
        )

    @property
    def is_clipped(self) -> bool:
        """Whether the step ended at a bound, before it reached the vertex."""
        return not math.isclose(self.delta, self.unclipped, rel_tol=1e-9)

    def at(self, delta: float) -> tuple[float, float]:
        """Return ``(tau_i, tau_j)`` for a delta."""
        return self.old[0] + delta, self.old[1] + (delta if self.both_by_delta else -delta)

    def change(self, delta: np.ndarray) -> np.ndarray:
        """Return the change of the objective for each delta: ``eta (delta^2 - 2 delta unclipped)``.

        For a pair of opposite classes the objective is ``||u - v||^2 - sum tau``, where u and v are
        the sums of ``tau_k x_k`` of the two classes. For a pair of one class it is ``||p - q||^2``,
        where p and q are these sums; with MDM, the weights of each class sum to 1.
        """
        return self.eta * delta * (delta - 2.0 * self.unclipped)

    def ranges(self) -> tuple[Range, Range]:
        """Return the ranges of the chart of the parabola: of delta, and of the objective's change.

        The range of delta contains 0, the step and the vertex, and each bound that is near.
        """
        deltas = [0.0, self.delta, self.unclipped]
        # A range that contains a bound far away would make the step too small to see.
        max_distance = 4.0 * max(abs(self.delta), abs(self.unclipped))
        deltas += [end for end in (self.low, self.high) if abs(end) <= max_distance]
        low, high = min(deltas), max(deltas)
        padding = 0.25 * max(high - low, 1e-12)
        x = (low - padding, high + padding)
        depth = max(-float(self.change(np.array(self.unclipped))), 1e-300)
        decrease = -float(self.change(np.array(self.delta)))
        # If the objective at the vertex is far below that at the end of the step, the lower part of
        # the parabola is not shown.
        depth_shown = min(depth, 3.0 * max(decrease, 1e-300))
        return x, (-1.15 * depth_shown, 0.35 * depth_shown)

    def words(self) -> str:
        """Return a sentence on whether the step reached the vertex or stopped at M."""
        minimum, delta = number(self.unclipped), number(self.delta)
        if not self.both_by_delta:
            if self.is_clipped:
                return f"The minimum, δ = {minimum}, is above M: the step stops at M = {delta}."
            return f"The minimum, δ = {minimum}, is not above M: the step goes there."
        if not self.is_clipped:
            return f"The minimum, δ = {minimum}, is not below M: the step goes there."
        zero_points = [
            str(index + 1)
            for index, weight in zip((self.i, self.j), self.new, strict=True)
            if weight == 0.0
        ]
        zeros_text = (
            f"; {self.symbol} of point {' and '.join(zero_points)} is 0" if zero_points else ""
        )
        return f"The minimum, δ = {minimum}, is below M: the step stops at M = {delta}{zeros_text}."

    def constraint_words(self) -> str:
        """Return the constraint in words."""
        if self.both_by_delta:
            return f"Both τ change by δ ≥ M = max(−τᵢ, −τⱼ) = {number(self.low + 0.0)}."
        return (
            f"Point {self.i + 1} gains what point {self.j + 1} loses:"
            f" 0 ≤ δ ≤ M = {number(self.high)}."
        )


def paint_weights(paint: ChartPainter, pair: WeightPair, shown_part: PairPart) -> None:
    """Paint the quadrant of weights of at least 0, the constraint line, and old and new weights.

    Of the parts in :class:`PairPart`, those up to ``shown_part`` are painted.
    """
    theme, right, top = paint.theme, paint.area.x[1], paint.area.y[1]
    quadrant = QRectF(paint.area.pixel(0.0, top), paint.area.pixel(right, 0.0))
    paint.painter.fillRect(quadrant, QColor(theme.accent_soft))
    paint.curve(np.array([[0.0, top], [0.0, 0.0], [right, 0.0]]), theme.text, 1.5)
    reach = 4.0 * (right + top)
    line = np.array([pair.at(-reach), pair.at(reach)])
    paint.curve(line, theme.muted, 1.0, DASHED)
    if shown_part >= PairPart.SEGMENT:
        ends = np.array([pair.at(pair.low), pair.at(min(pair.high, reach))])
        paint.curve(ends, theme.accent, 3.0)
        if pair.both_by_delta:
            paint.text("M", pair.at(pair.low), theme.accent, (13.0, 10.0))
    paint_move(paint, pair.old, pair.new, pair.at(pair.unclipped), shown_part)


def paint_objective(paint: ChartPainter, pair: WeightPair, shown_part: PairPart) -> None:
    """Paint the objective as a function of delta, its vertex, the bounds, and the step's delta.

    Of the parts in :class:`PairPart`, those up to ``shown_part`` are painted.
    """
    if shown_part < PairPart.VERTEX:
        paint_tangent(paint, 0.0, -2.0 * pair.eta * pair.unclipped)
        return
    if shown_part >= PairPart.SEGMENT:
        # M is the lower bound for a pair of opposite classes, and the upper bound for one class.
        end = pair.low if pair.both_by_delta else pair.high
        paint_bounds(paint, pair.low, pair.high, {"M": end})
    paint_parabola(paint, pair.change, 0.0, pair.delta, pair.unclipped, shown_part)


def paint_move(
    paint: ChartPainter,
    old: tuple[float, float],
    new: tuple[float, float],
    vertex: tuple[float, float] | None,
    shown_part: PairPart,
) -> None:
    """Paint the pair before and after the step, and at the vertex, as far as the part shows them.

    At the vertex is a ring, or an arrow to it if it is outside the plot.
    """
    theme, ends = paint.theme, np.array([old, new])
    if shown_part >= PairPart.VERTEX and vertex is not None:
        paint.rings(np.array([vertex]), theme.muted)
        paint.arrow_beyond(vertex, theme.muted)
    if shown_part == PairPart.NEW:
        paint.curve(ends, theme.highlight, 2.5)
        paint.dots(ends[1:], theme.highlight)
    paint.dots(ends[:1], theme.muted)


def paint_tangent(paint: ChartPainter, old: float, slope: float) -> None:
    """Paint the tangent of a parabola at the old position ``(old, 0)``.

    The method knows the slope before it knows the vertex, so the tangent is shown first.
    """
    ends = np.array([[x, slope * (x - old)] for x in paint.area.x])
    paint.curve(ends, paint.theme.muted, 1.5, DASHED)
    paint.dots(np.array([[old, 0.0]]), paint.theme.muted)


def paint_bounds(paint: ChartPainter, low: float, high: float, names: Mapping[str, float]) -> None:
    """Paint the feasible interval, a line at each bound that is in the plot, and their names."""
    left, right = paint.area.x
    paint.band(max(low, left), min(high, right), paint.theme.accent_soft)
    for bound in (low, high):
        if left <= bound <= right:
            paint.rule(bound, paint.theme.accent)
    for name, bound in names.items():
        if left <= bound <= right:
            side = 11.0 if bound == low else -11.0
            paint.text(name, (bound, paint.area.y[0]), paint.theme.accent, (side, -12.0))


def paint_parabola(
    paint: ChartPainter,
    objective: Callable[[np.ndarray], np.ndarray],
    old: float,
    new: float,
    vertex: float | None,
    shown_part: PairPart,
) -> None:
    """Paint the objective over the range shown, with its vertex, and the old and new positions.

    The new position is painted only in the last of the parts in :class:`PairPart`.
    """
    x = np.linspace(*paint.area.x, SAMPLES)
    paint.curve(np.column_stack([x, objective(x)]), paint.theme.text)

    def place(at: float) -> np.ndarray:
        return np.array([[at, float(objective(np.array(at)))]])

    if vertex is not None and paint.area.x[0] <= vertex <= paint.area.x[1]:
        paint.rings(place(vertex), paint.theme.muted)
    paint.dots(place(old), paint.theme.muted)
    if shown_part == PairPart.NEW:
        paint.dots(place(new), paint.theme.highlight)
