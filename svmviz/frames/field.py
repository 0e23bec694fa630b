"""From a decision function to what can be painted: shades, contours, band.

Runs in the background; knows nothing of Qt. Margins are contour levels of f, never shifted lines.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from solvers import Expansion, Problem, Regression
from solvers.kernels.grids import GridMemory
from solvers.problem.expansion import freeze
from solvers.rounding import EPS
from svmviz.frames.frame import Field, Outlines
from svmviz.frames.viewport import Window

LEVELS = (-1.0, 0.0, 1.0)
# |f| at which the shade has half its strength: small, so that where f is sure hue is left.
SOFT = 0.3
# A tube is drawn at least this wide, as a share of the window's height.
THINNEST = 1e-6
# Values that differ by less, as a share of the sizes that f is summed from, are one but for
# rounding: their contours would be thousands of crumbs.
ROUNDING = 64 * EPS
# Contours with more corners are noise, or aliasing, and painting them would stall the window.
MAX_CORNERS = 20_000


def make_field(
    problem: Problem,
    expansion: Expansion,
    factors: np.ndarray,
    window: Window,
    memory: GridMemory | None = None,
) -> Field:
    """Evaluate f over a window given in data units; ``factors`` lead to solver units.

    A memory of the problem's points makes it quicker from the second step on.

    In regression the field is ``(y - f(x)) / epsilon``: its contour 0 is the curve, those of -1
    and +1 are the edges of the tube, exactly, because it is linear in y.
    """
    xs, ys = window.xs, window.ys
    every = 2 if window.between else 1
    values = _evaluate(problem, expansion, factors, window, xs[::every], ys[::every], memory)
    if window.between:
        values = _refined(_refined(values).T).T
    values = freeze(_without_rounding(values, problem, expansion))
    contours, bands = _contours(xs, ys, values)
    shades = np.rint(127.5 + 127.5 * values / (SOFT + np.abs(values))).astype(np.uint8)
    return Field(window, values, freeze(np.ascontiguousarray(shades[::-1])), contours, bands)


def _evaluate(
    problem: Problem,
    expansion: Expansion,
    factors: np.ndarray,
    window: Window,
    xs: np.ndarray,
    ys: np.ndarray,
    memory: GridMemory | None,
) -> np.ndarray:
    """Values of the field at the nodes of a grid, shape (len(ys), len(xs))."""
    if not isinstance(problem, Regression):
        return expansion.on_grid(xs / factors[0], ys / factors[1], memory)
    curve = expansion(xs[:, None] / factors[0])
    # Without a tube both edges lie on the curve.
    half = max(problem.epsilon, THINNEST * (window.top - window.bottom))
    return (ys[:, None] - curve[None, :]) / half


def _without_rounding(values: np.ndarray, problem: Problem, expansion: Expansion) -> np.ndarray:
    """The same values, or a single one everywhere if they differ by rounding alone."""
    largest = float(np.abs(problem.form.diagonal).max()) * float(np.abs(expansion.beta).sum())
    low, high = float(values.min()), float(values.max())
    if high - low > ROUNDING * max(largest, abs(expansion.bias), -low, high):
        return values
    return np.full_like(values, low)


def _refined(values: np.ndarray) -> np.ndarray:
    """Rows of values with a row between any two, on the cubic through the nearest four.

    At the ends it is the parabola through the nearest three. For (m, k) values, (2 m - 1, k).
    """
    finer = np.empty((2 * len(values) - 1, values.shape[1]))
    finer[::2] = values
    inner = 9.0 * (values[1:-2] + values[2:-1]) - (values[:-3] + values[3:])
    finer[3:-3:2] = inner / 16.0
    finer[1] = (3.0 * values[0] + 6.0 * values[1] - values[2]) / 8.0
    finer[-2] = (3.0 * values[-1] + 6.0 * values[-2] - values[-3]) / 8.0
    return finer


def _contours(
    xs: np.ndarray, ys: np.ndarray, values: np.ndarray
) -> tuple[dict[float, list[np.ndarray]], tuple[Outlines, Outlines]]:
    generator = outliner(xs, ys, values)
    lines = {level: list(generator.lines(level)) for level in LEVELS}
    if sum(len(line) for found in lines.values() for line in found) > MAX_CORNERS:
        return {level: [] for level in LEVELS}, ([], [])
    below, above = (
        list(zip(*generator.filled(low, high), strict=True)) for low, high in pairwise(LEVELS)
    )
    return lines, (below, above)


def outliner(xs: np.ndarray, ys: np.ndarray, values: np.ndarray) -> Any:
    """What finds the contours of values on a grid, and what lies between two of them."""
    # Imported here because the first picture of the window needs no contours.
    import contourpy

    # Type checkers cannot see that the types of its answers depend on these two.
    return contourpy.contour_generator(
        xs,
        ys,
        values,
        line_type=contourpy.LineType.Separate,
        fill_type=contourpy.FillType.OuterOffset,
    )
