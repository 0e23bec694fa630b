"""A step of a hull method that moves two weights, and the objective along the line of the step."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from solvers import Event
from solvers.run.beats import PairPart
from svmviz.base.words import number
from svmviz.panels.step.pair_marks import (
    paint_bounds,
    paint_move,
    paint_parabola,
    paint_tangent,
)
from svmviz.widgets.charts.chart_painter import DASHED, ChartPainter
from svmviz.widgets.charts.plot_area import Range


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
                return f"The vertex δ = {minimum} is above M: stop at M = {delta}."
            return f"The vertex δ = {minimum} is not above M: go there."
        if not self.is_clipped:
            return f"The vertex δ = {minimum} is not below M: go there."
        zero_points = [
            str(index + 1)
            for index, weight in zip((self.i, self.j), self.new, strict=True)
            if weight == 0.0
        ]
        zeros_text = (
            f"; {self.symbol} of point {' and '.join(zero_points)} is 0" if zero_points else ""
        )
        return f"The vertex δ = {minimum} is below M: stop at M = {delta}{zeros_text}."

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
