"""Marks of the Pair panel's charts that steps of SMO and of the hull methods share.

The horizontal axis of the parabola is the variable that the step moves: an alpha, or delta.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from solvers.run.beats import PairPart
from svmviz.widgets.charts.chart_painter import DASHED, ChartPainter

# Number of points at which a parabola is computed.
SAMPLES = 81


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
