"""Slack as a path: from a point to the place at its margin, where y f(x) = 1."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from svmviz.document.document import Document
from svmviz.frames.frame import Field, Lane

# Minimum slack that is drawn. Smaller slack is within the tolerance of a solver.
MIN_SLACK = 2e-3
# Maximum number of paths. If more points have slack, only the largest slacks are drawn.
MAX_PATHS = 400
# Steps along the gradient, in cells of the grid: the first and longest one on a coarse grid, on any
# grid as a fraction of its longer side, the shortest one; and the maximum number of steps. So a
# path is at most a third of the plot long.
LONGEST, FRACTION, SHORTEST, MAX_STEPS = 1.5, 0.012, 0.1, 32


@dataclass(frozen=True, eq=False)
class SlackPaths:
    """The paths of the points with slack, in data units.

    Attributes
    ----------
    rows : int array, shape (m,)
        Indices of the points.
    paths : list of arrays, shape (k, 2)
        The path of each point, which begins at the point.
    is_open : bool array, shape (m,)
        Whether the path does not reach the margin: it leaves the grid, or y f has a maximum below 1
        on it.
    """

    rows: np.ndarray
    paths: list[np.ndarray]
    is_open: np.ndarray


# The cache has one result for each plane of a race.
@lru_cache(maxsize=4)
def slack_paths(lane: Lane, document: Document) -> SlackPaths:
    """Return the paths of the largest slacks of a classification.

    For the linear kernel the path is the perpendicular to the margin. For others it follows the
    gradient of f in solver units, from the grid of f.
    """
    slack = lane.certificate.slack
    rows = np.flatnonzero(slack > MIN_SLACK)
    if len(rows) > MAX_PATHS:
        rows = np.sort(rows[np.argpartition(-slack[rows], MAX_PATHS)[:MAX_PATHS]])
    starts, labels = document.data.points[rows], document.data.labels[rows]
    expansion = lane.expansion if lane.glide is None else lane.glide.expansion
    weights = expansion.w
    if weights is not None:
        squared = float(weights @ weights)
        if squared == 0.0:
            return SlackPaths(rows[:0], [], np.zeros(0, dtype=bool))
        f = expansion(starts / document.factors)
        left = np.maximum(0.0, 1.0 - labels * f)
        with np.errstate(over="ignore"):
            ends = starts + (labels * left / squared)[:, None] * weights * document.factors
        is_seen = _is_on_grid(ends, lane.shown_field)
        return SlackPaths(rows, list(np.stack([starts, ends], axis=1)), ~is_seen)
    return _along_the_gradient(rows, starts, labels, lane.shown_field, document.factors)


def _is_on_grid(places: np.ndarray, field: Field) -> np.ndarray:
    grid = field.grid
    (x, y) = places.T
    return (x >= grid.left) & (x <= grid.right) & (y >= grid.bottom) & (y <= grid.top)


def _along_the_gradient(
    rows: np.ndarray, starts: np.ndarray, labels: np.ndarray, field: Field, factors: np.ndarray
) -> SlackPaths:
    """Follow the gradient of y f from points on the grid until y f is 1."""
    grid = field.grid
    inside = _is_on_grid(starts, field)
    rows, starts, signs = rows[inside], starts[inside], labels[inside].astype(float)
    corner = np.array([grid.left, grid.bottom])
    cell = np.array([grid.right - grid.left, grid.top - grid.bottom])
    cell /= (grid.columns - 1, grid.rows - 1)
    # The gradient in solver units, as a direction in cells. Points at the limits of numbers have
    # cells of size 0.
    with np.errstate(all="ignore"):
        metric = factors / cell
        metric = (metric / metric.max()) ** 2
        places = (starts - corner) / cell
    if not (np.isfinite(places).all() and np.isfinite(metric).all()):
        return SlackPaths(rows[:0], [], np.zeros(0, dtype=bool))
    value = signs * _values_at(field.values, places)
    step = np.full(len(rows), max(LONGEST, FRACTION * max(grid.columns, grid.rows)))
    paths = [[place] for place in places.copy()]
    is_open = np.zeros(len(rows), dtype=bool)
    moving = np.flatnonzero(value < 1.0)
    for _ in range(MAX_STEPS):
        if not len(moving):
            break
        gradient = (
            signs[moving, None] * _gradients_at(field.values, places[moving], step[moving]) * metric
        )
        length = np.hypot(*gradient.T)
        length[length == 0.0] = np.inf
        target = places[moving] + (step[moving] / length)[:, None] * gradient
        reached = signs[moving] * _values_at(field.values, target)
        left = ((target < 0.0) | (target > (grid.columns - 1, grid.rows - 1))).any(axis=1)
        rises = (reached > value[moving]) & ~left
        ends = rises & (reached >= 1.0)
        share = np.where(ends, (1.0 - value[moving]) / (reached - value[moving] + ~rises), 1.0)
        target = places[moving] + share[:, None] * (target - places[moving])
        for index, place in zip(moving[rises].tolist(), target[rises], strict=True):
            paths[index].append(place)
        places[moving[rises]], value[moving[rises]] = target[rises], reached[rises]
        # Where y f falls, the step was too long, or there is a maximum.
        step[moving[~rises]] *= 0.4
        stopped = left | (step[moving] < SHORTEST) | np.isinf(length)
        is_open[moving[stopped & ~ends]] = True
        moving = moving[~(ends | stopped)]
    is_open[moving] = True
    in_data = [corner + np.array(path) * cell for path in paths]
    return SlackPaths(rows, in_data, is_open)


def _values_at(values: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return f between the nodes, by bilinear interpolation; places are in cells, shape (m, 2)."""
    rows, columns = values.shape
    x, y = np.clip(places[:, 0], 0.0, columns - 1.0), np.clip(places[:, 1], 0.0, rows - 1.0)
    c, r = np.minimum(x.astype(int), columns - 2), np.minimum(y.astype(int), rows - 2)
    u, v = x - c, y - r
    return (1.0 - v) * ((1.0 - u) * values[r, c] + u * values[r, c + 1]) + v * (
        (1.0 - u) * values[r + 1, c] + u * values[r + 1, c + 1]
    )


def _gradients_at(values: np.ndarray, places: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Return the direction of the gradient of f, shape (m, 2), from values a step away.

    With values nearer than that, a path along a ridge of f, where f has a kink, would go to and
    fro across it.
    """
    away = np.maximum(0.5, step)[:, None]
    across, up = away * (1.0, 0.0), away * (0.0, 1.0)
    around = np.concatenate([places + across, places - across, places + up, places - up])
    right, left, above, below = _values_at(values, around).reshape(4, -1)
    return np.stack([right - left, above - below], axis=1)
