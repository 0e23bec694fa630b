"""Slack as sticks from points to their margin, computed in the frame thread, without Qt."""

from __future__ import annotations

import numpy as np

from solvers import Certificate, Expansion, Problem, Regression
from solvers.kernels.grids import GridMemory
from svmviz.base.aspect import are_comparable
from svmviz.frames.field import outliner

# Nodes along each side of the grid on which the ends of sticks are found.
STICK_NODES = 64
# Slack below this is within the tolerance of a solver and gets no stick.
MIN_SLACK = 2e-3
# On the way to the margin, y f may fall by this much below its value at the point.
DIP = 0.1
# Places on a stick at which that is checked, and the length of a stub as a share of the data.
PLACES, STUB = 8, 0.02
# More sticks could not be distinguished.
MAX_STICKS = 1500


def slack_sticks(
    problem: Problem,
    expansion: Expansion,
    certificate: Certificate,
    factors: np.ndarray,
    memory: GridMemory | None = None,
) -> np.ndarray:
    """Return segments from points with slack to their margin ``f = y``, (m, 4), data units.

    For the linear kernel the stick is the perpendicular, of length ``xi / ||w||``. Otherwise
    it ends at the nearest point of the contour, found among the contour's own segments; its length
    is that distance, not xi. Distances are in solver units, or, if its axes are of different kinds,
    relative to the ranges of the data. If y f falls on the way, another region lies between; then
    a stub only indicates the slack.
    """
    violating = np.flatnonzero(certificate.slack > MIN_SLACK)[:MAX_STICKS]
    if not len(violating):
        return np.zeros((0, 4))
    if isinstance(problem, Regression):
        return _upright_sticks(problem, certificate, factors, violating)
    points = problem.X[violating]
    w = expansion.w
    if w is not None:
        squared = float(w @ w)
        if squared == 0.0:
            return np.zeros((0, 4))
        reach = (problem.y - certificate.decision)[violating] / squared
        ends, found = points + reach[:, None] * w, np.ones(len(points), dtype=bool)
    else:
        ends, found = _nearest_on_margins(problem, expansion, points, problem.y[violating], memory)
    return np.hstack([points[found] * factors, ends[found] * factors])


def _upright_sticks(
    problem: Regression, certificate: Certificate, factors: np.ndarray, violating: np.ndarray
) -> np.ndarray:
    """Return vertical sticks from points outside the tube to its edge, as long as the slack."""
    x, y = problem.X[violating, 0] * factors[0], problem.y[violating]
    edge = y - np.sign(y - certificate.decision[violating]) * certificate.slack[violating]
    return np.column_stack([x, y, x, edge])


def _nearest_on_margins(
    problem: Problem,
    expansion: Expansion,
    points: np.ndarray,
    labels: np.ndarray,
    memory: GridMemory | None,
) -> tuple[np.ndarray, np.ndarray]:
    low, high = problem.X.min(axis=0), problem.X.max(axis=0)
    # Far from 0, a range of 0 must be widened until nodes differ.
    extent = np.maximum(high - low, 1e-9 * np.maximum(1.0, np.maximum(np.abs(low), np.abs(high))))
    # If the axes are of different kinds, a stick along the shorter one would look too long.
    unit = np.ones(2) if are_comparable(high - low) else extent
    room = 0.3 * extent
    xs = np.linspace(low[0] - room[0], high[0] + room[0], STICK_NODES)
    ys = np.linspace(low[1] - room[1], high[1] + room[1], STICK_NODES)
    values = expansion.on_grid(xs, ys, memory)
    generator = outliner(xs, ys, values)
    ends, found = points.copy(), np.zeros(len(points), dtype=bool)
    for label in (-1.0, 1.0):
        own = labels == label
        lines = generator.lines(label)
        if own.any() and lines:
            near = _nearest_on_lines(points[own] / unit, [line / unit for line in lines])
            ends[own] = near * unit
            found |= own
    astray = found & _dips(points, ends, labels, xs, ys, values)
    ends[astray] = _stubs(points[astray], ends[astray], STUB * (high - low))
    return ends, found


def _dips(
    points: np.ndarray,
    ends: np.ndarray,
    labels: np.ndarray,
    xs: np.ndarray,
    ys: np.ndarray,
    values: np.ndarray,
) -> np.ndarray:
    """Return whether y f falls on the way from points to ends, both (m, 2), by a grid of f."""
    shares = np.linspace(0.0, 1.0, PLACES)[:, None, None]
    way = points + shares * (ends - points)
    spots = [
        np.clip((way[..., axis] - grid[0]) / (grid[1] - grid[0]), 0.0, len(grid) - 1.001)
        for axis, grid in enumerate((xs, ys))
    ]
    (column, across), (row, up) = ((spot.astype(int), spot % 1.0) for spot in spots)
    below = values[row, column] * (1.0 - across) + values[row, column + 1] * across
    above = values[row + 1, column] * (1.0 - across) + values[row + 1, column + 1] * across
    margins = labels * (below * (1.0 - up) + above * up)
    return margins.min(axis=0) < margins[0] - DIP


def _stubs(points: np.ndarray, ends: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Return ends of sticks, cut to a share of the data's extent along each axis."""
    way = ends - points
    long = np.hypot(*(way / np.where(size > 0.0, size, 1.0)).T)
    return points + way / np.maximum(long, 1.0)[:, None]


def _nearest_on_lines(points: np.ndarray, lines: list[np.ndarray]) -> np.ndarray:
    """Return the nearest point on any of the polylines, for each of (m, 2) points.

    Only the segments at the three nearest corners are searched: 25 times faster than all, and
    different only if two stretches of line are as near as a segment is long.
    """
    # Imported here because it takes 60 ms, and the first picture needs no sticks.
    from scipy.spatial import KDTree

    corners = np.concatenate(lines)
    lengths = np.array([len(line) for line in lines])
    # The line of each corner, and the first and the last segment of each line.
    line = np.repeat(np.arange(len(lines)), lengths)
    last = np.cumsum(lengths - 1) - 1
    first = last - lengths + 2
    starts = np.delete(corners, np.cumsum(lengths) - 1, axis=0)
    steps = np.delete(corners, np.cumsum(lengths) - lengths, axis=0) - starts
    squared = np.maximum((steps**2).sum(axis=1), 1e-300)
    # The segments after and before each corner; at the end of a line, its only one twice.
    after = np.arange(len(corners)) - line
    before, after = np.maximum(after - 1, first[line]), np.minimum(after, last[line])
    near = KDTree(corners).query(points, k=min(3, len(corners)))[1].reshape(len(points), -1)
    chosen = np.hstack([before[near], after[near]])
    # Coordinate by coordinate: numpy is slow along an axis of two.
    (x, y), (from_x, from_y), (step_x, step_y) = points.T[:, :, None], starts.T, steps.T
    from_x, from_y, step_x, step_y = (side[chosen] for side in (from_x, from_y, step_x, step_y))
    share = ((x - from_x) * step_x + (y - from_y) * step_y) / squared[chosen]
    share = np.minimum(np.maximum(share, 0.0), 1.0)
    feet_x, feet_y = from_x + share * step_x, from_y + share * step_y
    best = ((x - feet_x) ** 2 + (y - feet_y) ** 2).argmin(axis=1)[:, None]
    return np.hstack([np.take_along_axis(feet, best, axis=1) for feet in (feet_x, feet_y)])
