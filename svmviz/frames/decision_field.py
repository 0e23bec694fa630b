"""The decision function f on a grid: its values, shades, contours and margin band.

They are computed in the frame thread, without Qt. The margins are the contours f = -1 and f = +1,
so they need not be parallel to the boundary f = 0.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from solvers import Expansion, Problem, Regression
from solvers.kernels.grids import MAX_TERMS, GridMemory
from solvers.problem.expansion import finite, freeze
from solvers.rounding import EPS
from svmviz.frames.frame import Field, Outlines
from svmviz.frames.viewport import Grid

# Levels of the contours: margin, boundary, margin.
LEVELS = (-1.0, 0.0, 1.0)
# A shade is f / (HALF_LEVEL + |f|), so it is 1/2 if f = HALF_LEVEL, and 0.77 at the margin f = 1.
HALF_LEVEL = 0.3
# Minimum epsilon of a tube that is drawn, as a fraction of the height of the grid, in data units.
MIN_TUBE_SHARE = 1e-6
# Bound on the rounding error of f, relative to a bound on |f| and on the terms of f. Values of f
# that differ by less than the rounding error would give contours of thousands of fragments.
ROUNDING = 64 * EPS
# Maximum number of kernel values over a grid with a node per px, if the kernel is not separable.
MAX_KERNEL_VALUES = 100_000_000
# A point with an |f| of at most this fraction of those around it is near the boundary.
NEAR = 0.1
# Maximum number of corners of all contours together. If there are more, no contour is drawn: such
# contours are noise or aliasing, and painting them would stall the window.
MAX_CORNERS = 20_000


def make_field(
    problem: Problem,
    expansion: Expansion,
    factors: np.ndarray,
    grid: Grid,
    memory: GridMemory | None = None,
    decision: np.ndarray | None = None,
) -> Field:
    """Evaluate f over a grid; for points without coordinates, the field is empty.

    In regression the field is ``(y - f(x)) / epsilon``. Its contour 0 is the curve y = f(x). Its
    contours -1 and +1 are exactly the edges of the tube, because the field is linear in y.

    Parameters
    ----------
    problem : Problem
    expansion : Expansion
        beta and b.
    factors : array, shape (2,)
        Data units are divided by these to get solver units.
    grid : Grid
        In data units.
    memory : GridMemory, optional
        Stores kernel terms of the points, which makes further steps on the same grid faster.
    decision : array, shape (n,), optional
        f at the points of a classification. If the grid misses some of them, the field has a finer
        grid, and the indices of those that this misses, too.
    """
    if problem.kernel.domain != "points":
        return _no_field(grid)
    stride = 2 if grid.interpolates else 1
    xs, ys = grid.xs[::stride], grid.ys[::stride]
    values = _evaluate(problem, expansion, factors, grid, xs, ys, memory)
    if grid.interpolates:
        # Compiled code takes rows that are contiguous.
        values = np.ascontiguousarray(_with_rows_between(_with_rows_between(values).T).T)
    if decision is None or isinstance(problem, Regression):
        return _field_of(values, problem, expansion, grid)
    points = problem.X * factors
    missed = missed_points(grid, values, points, decision)
    if len(missed) and grid.finest != grid and _is_affordable(expansion, grid.finest):
        grid = grid.finest
        values = _evaluate(problem, expansion, factors, grid, grid.xs, grid.ys, None)
        missed = missed_points(grid, values, points, decision)
    if len(missed):
        # Where f turns between the nodes, some nodes meet it by chance.
        values = without_thin_parts(values)
        missed = missed_points(grid, values, points, decision)
    return replace(_field_of(values, problem, expansion, grid), missed=freeze(missed))


def _no_field(grid: Grid) -> Field:
    """Return the field of points without coordinates: f is no function on the plane."""
    values = freeze(np.zeros((len(grid.ys), len(grid.xs))))
    shades = freeze(np.full(values.shape, 128, dtype=np.uint8))
    return Field(grid, values, shades, {level: [] for level in LEVELS}, ([], []))


def field_between(
    problem: Problem, start: Field, end: Field, expansion: Expansion, share: float
) -> Field:
    """Return the field of ``(1 - share) f_start + share f_end``.

    No kernel is evaluated, so this is fast for every kernel.

    Parameters
    ----------
    problem : Problem
    start, end : Field
        Fields over the same grid.
    expansion : Expansion
        The mixture of both expansions with the same ``share``.
    share : float
        Weight of ``end``, from 0 to 1.
    """
    if problem.kernel.domain != "points" or start.values.shape != end.values.shape:
        return end
    values = start.values + share * (end.values - start.values)
    return replace(_field_of(values, problem, expansion, end.grid), missed=end.missed)


def _is_affordable(expansion: Expansion, grid: Grid) -> bool:
    """Return whether f over a grid takes at most about a second."""
    support = expansion.support
    one, corner = expansion.centered[support[:1]], np.zeros(1)
    terms = expansion.kernel.separable_terms(one, corner, corner)
    is_fast = terms is not None and len(terms) <= MAX_TERMS
    return is_fast or len(support) * grid.columns * grid.rows <= MAX_KERNEL_VALUES


def missed_points(
    grid: Grid, values: np.ndarray, points: np.ndarray, decision: np.ndarray
) -> np.ndarray:
    """Return the indices of the points that a grid misses.

    A grid misses a point if f has one sign there, and the other one at all four nodes around it.
    Near the boundary |f| is small in comparison with these nodes; there the point is not missed.

    Parameters
    ----------
    grid : Grid
    values : array, shape (rows, columns)
        f at the nodes.
    points : array, shape (n, 2)
        In data units.
    decision : array, shape (n,)
        f at the points.
    """
    with np.errstate(all="ignore"):
        column = (points[:, 0] - grid.left) / (grid.right - grid.left) * (grid.columns - 1)
        row = (points[:, 1] - grid.bottom) / (grid.top - grid.bottom) * (grid.rows - 1)
    inside = (column >= 0) & (column <= grid.columns - 1) & (row >= 0) & (row <= grid.rows - 1)
    found = np.flatnonzero(inside)
    c = np.minimum(column[found].astype(int), grid.columns - 2)
    r = np.minimum(row[found].astype(int), grid.rows - 2)
    corners = np.stack([values[r, c], values[r, c + 1], values[r + 1, c], values[r + 1, c + 1]])
    f = decision[found]
    least = (-np.sign(f) * corners).min(axis=0)
    # Far from all points f may be exactly 0: exp underflows.
    return found[(least >= 0.0) & (np.abs(f) > NEAR * least)]


def without_thin_parts(values: np.ndarray) -> np.ndarray:
    """Return values without parts above or below a level that are only one node high or wide.

    At such a node the new value is the mean of the two values on both sides of the part.
    """
    for _ in range(2):
        is_thin = np.zeros((len(values) - 2, values.shape[1]), dtype=bool)
        for level in LEVELS:
            above = values >= level
            is_thin |= (above[1:-1] != above[:-2]) & (above[1:-1] != above[2:])
        means = 0.5 * (values[:-2] + values[2:])
        values = values.copy()
        values[1:-1][is_thin] = means[is_thin]
        values = values.T
    return np.ascontiguousarray(values)


def _field_of(values: np.ndarray, problem: Problem, expansion: Expansion, grid: Grid) -> Field:
    """Return the field with these values at the nodes of its grid, shape (rows, columns)."""
    values = freeze(_without_rounding(values, problem, expansion))
    noise = _rounding_error(values, problem, expansion)
    contours, bands = _contours(grid.xs, grid.ys, values, noise)
    shades = np.rint(127.5 + 127.5 * values / (HALF_LEVEL + np.abs(values))).astype(np.uint8)
    return Field(grid, values, freeze(np.ascontiguousarray(shades[::-1])), contours, bands)


def _evaluate(
    problem: Problem,
    expansion: Expansion,
    factors: np.ndarray,
    grid: Grid,
    xs: np.ndarray,
    ys: np.ndarray,
    memory: GridMemory | None,
) -> np.ndarray:
    """Return the values of the field at the nodes (x, y) of ``xs`` and ``ys``, in data units.

    The shape is (len(ys), len(xs)). ``grid`` is used in regression only, for its height.
    """
    if not isinstance(problem, Regression):
        return expansion.on_grid(xs / factors[0], ys / factors[1], memory)
    curve = finite(expansion(xs[:, None] / factors[0]))
    # With epsilon = 0 both edges of the tube lie on the curve.
    epsilon = max(problem.epsilon, MIN_TUBE_SHARE * (grid.top - grid.bottom))
    with np.errstate(over="ignore"):
        return finite((ys[:, None] - curve[None, :]) / epsilon)


def _without_rounding(values: np.ndarray, problem: Problem, expansion: Expansion) -> np.ndarray:
    """Return the values; if they differ only by rounding error, one value at all nodes."""
    low, high = float(values.min()), float(values.max())
    if high - low > _rounding_error(values, problem, expansion):
        return values
    return np.full_like(values, low)


def _rounding_error(values: np.ndarray, problem: Problem, expansion: Expansion) -> float:
    largest = float(np.abs(problem.dual_form.diagonal).max()) * float(np.abs(expansion.beta).sum())
    low, high = float(values.min()), float(values.max())
    return ROUNDING * max(largest, abs(expansion.constant), -low, high)


def _with_rows_between(values: np.ndarray) -> np.ndarray:
    """Insert an interpolated row between any two rows: from shape (m, k) to (2 m - 1, k).

    In each column, a new value lies on the cubic through the four nearest old values. The first and
    the last new value lie on the parabola through the three nearest old values.
    """
    finer = np.empty((2 * len(values) - 1, values.shape[1]))
    finer[::2] = values
    inner = 9.0 * (values[1:-2] + values[2:-1]) - (values[:-3] + values[3:])
    finer[3:-3:2] = inner / 16.0
    finer[1] = (3.0 * values[0] + 6.0 * values[1] - values[2]) / 8.0
    finer[-2] = (3.0 * values[-1] + 6.0 * values[-2] - values[-3]) / 8.0
    return finer


def _contours(
    xs: np.ndarray, ys: np.ndarray, values: np.ndarray, noise: float
) -> tuple[dict[float, list[np.ndarray]], tuple[Outlines, Outlines]]:
    """Return the lines of each level, and the two halves of the margin band.

    ``noise`` is a bound on the rounding error of the values. A line is drawn only where f differs
    from the level by more than ``noise`` on both sides of the line. Far from all points f can be
    constant and equal to a level, as with the kernel ``k + 1``. A line there would only follow
    rounding errors.
    """
    touched = [level for level in LEVELS if (np.abs(values - level) <= noise).any()]
    generator = contour_generator(xs, ys, _away_from_levels(values, touched, noise))
    lines = {level: generator.lines(level) for level in LEVELS}
    for level in touched:
        pieces = (_crossings(line, xs, ys, values, level, noise) for line in lines[level])
        lines[level] = list(chain.from_iterable(pieces))
    if sum(len(line) for contour in lines.values() for line in contour) > MAX_CORNERS:
        return {level: [] for level in LEVELS}, ([], [])
    # If there are regions where f is 0 up to rounding error, they belong to neither half of the
    # band: its halves then end at -noise and +noise, otherwise at 0.
    edge = noise if noise < 1.0 and _has_plateau(values, noise) else 0.0
    below, above = (
        list(zip(*generator.filled(low, high), strict=True))
        for low, high in ((LEVELS[0], -edge), (edge, LEVELS[2]))
    )
    return lines, (below, above)


def _has_plateau(values: np.ndarray, noise: float) -> bool:
    """Return whether f is 0 up to rounding error at all corners of a cell, but not everywhere."""
    is_zero = np.abs(values) <= noise
    rows = is_zero[1:] & is_zero[:-1]
    return bool((rows[:, 1:] & rows[:, :-1]).any()) and not is_zero.all()


def _away_from_levels(values: np.ndarray, touched: list[float], noise: float) -> np.ndarray:
    """Return the values without noise around a level that f touches but does not cross.

    ``touched`` are the levels that some values equal up to noise. If all other values are above the
    level, values that equal it up to noise are moved to ``level + noise``; if all are below, to
    ``level - noise``.
    """
    moved = values
    for level in touched:
        touches = np.abs(values - level) <= noise
        below, above = (values < level - noise).any(), (values > level + noise).any()
        if below != above:
            moved = np.where(touches, level + noise if above else level - noise, moved)
    return moved


def _crossings(
    line: np.ndarray, xs: np.ndarray, ys: np.ndarray, values: np.ndarray, level: float, noise: float
) -> list[np.ndarray]:
    """Return the pieces of a contour, shape (m, 2) each, along which f crosses the level.

    f crosses the level at a corner of the contour if, at the 3 x 3 nodes around the corner, some
    value is below ``level - noise`` and some value is above ``level + noise``. These nodes include
    both ends of the grid edge on which the corner lies.
    """
    column = np.rint((line[:, 0] - xs[0]) / (xs[1] - xs[0])).astype(int)
    row = np.rint((line[:, 1] - ys[0]) / (ys[1] - ys[0])).astype(int)
    offsets = np.arange(-1, 2)
    rows = np.clip(row[:, None, None] + offsets[:, None], 0, len(ys) - 1)
    columns = np.clip(column[:, None, None] + offsets, 0, len(xs) - 1)
    nodes = values[rows, columns].reshape(len(line), -1) - level
    crosses = (nodes.min(axis=1) < -noise) & (nodes.max(axis=1) > noise)
    ends = np.flatnonzero(np.diff(crosses)) + 1
    pieces = np.split(line, ends)
    return [p for p, c in zip(pieces, np.split(crosses, ends), strict=True) if c[0] and len(p) > 1]


def contour_generator(xs: np.ndarray, ys: np.ndarray, values: np.ndarray) -> Any:
    """Return contourpy's generator of contours on a grid, and of the regions between them."""
    # Imported here because the first picture of the window needs no contours.
    import contourpy

    # The return type is Any, because the types of contours depend on line_type and fill_type.
    return contourpy.contour_generator(
        xs,
        ys,
        values,
        line_type=contourpy.LineType.Separate,
        fill_type=contourpy.FillType.OuterOffset,
    )
