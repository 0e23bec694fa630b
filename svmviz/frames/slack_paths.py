"""Slack as a path: from a point to the place at its margin, where y f(x) = 1."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

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
LONGEST, FRACTION, SHORTEST, MAX_STEPS = 2.5, 0.02, 0.1, 20
# If the cosine between two directions of a path is below this, their mean is taken.
TURN = 0.6
# A path ends where y f differs from 1 by at most END, or where y f has a maximum that is below 1 by
# at most TOP: that is the tip of f at a free support vector, which the grid cuts off.
END, TOP = 0.005, 0.05


@dataclass(frozen=True, eq=False)
class SlackPaths:
    """The paths of the points with slack, in data units.

    Attributes
    ----------
    rows : int array, shape (m,)
        Indices of the points.
    paths : array, shape (m, k, 2)
        The places of each path. The first is the point, and the last one repeats itself.
    is_open : bool array, shape (m,)
        Whether the path does not reach the margin: it leaves the grid, or y f has a maximum below 1
        on it.
    """

    rows: np.ndarray
    paths: np.ndarray
    is_open: np.ndarray


NO_PATHS = SlackPaths(np.zeros(0, dtype=int), np.zeros((0, 1, 2)), np.zeros(0, dtype=bool))


# The paths of each lane that is still in use.
_kept: WeakKeyDictionary[Lane, SlackPaths] = WeakKeyDictionary()


def slack_paths(lane: Lane, document: Document) -> SlackPaths:
    """Return the paths of a lane of a document, which are computed once."""
    found = _kept.get(lane)
    if found is None:
        found = _kept[lane] = _compute(lane, document)
    return found


def _compute(lane: Lane, document: Document) -> SlackPaths:
    """Return the paths of the largest slacks; none in regression, and without coordinates.

    For the linear kernel the path is the perpendicular to the margin. For others it follows the
    gradient of f in solver units, from the grid of f.
    """
    if document.is_regression or not document.has_coordinates:
        return NO_PATHS
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
            return NO_PATHS
        f = expansion(starts / document.factors)
        left = np.maximum(0.0, 1.0 - labels * f)
        with np.errstate(over="ignore"):
            ends = starts + (labels * left / squared)[:, None] * weights * document.factors
        is_seen = _is_on_grid(ends, lane.shown_field)
        return SlackPaths(rows, np.stack([starts, ends], axis=1), ~is_seen)
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
    # At the start f is 0 everywhere: there is no direction in which a margin could be.
    if not np.ptp(field.values):
        return NO_PATHS
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
        return NO_PATHS
    paths, is_open = _climb(field.values, places, signs, metric)
    return SlackPaths(rows, corner + paths * cell, is_open)


def _climb(
    values: np.ndarray, places: np.ndarray, signs: np.ndarray, metric: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Climb from places in cells, shape (m, 2), to y f = 1.

    Parameters
    ----------
    values : array, shape (rows, columns)
        f at the nodes.
    places : array, shape (m, 2)
    signs : array, shape (m,)
        y of each point.
    metric : array, shape (2,)
        Factors from the gradient per cell to the direction of the path.

    Returns
    -------
    paths, is_open : arrays
        As in `SlackPaths`, in cells.
    """
    sample, last = _Sampler(values), np.array(values.shape[::-1]) - 1.0
    value, gradient = sample(places)
    value *= signs
    step = np.full(len(places), max(LONGEST, FRACTION * max(values.shape)))
    # The direction of the last step of each path; not a number before the first step.
    before = np.full((len(places), 2), np.nan)
    paths, is_open = [places.copy()], np.zeros(len(places), dtype=bool)
    moving = np.flatnonzero(value < 1.0 - 0.5 * END)
    for _ in range(MAX_STEPS):
        if not len(moving):
            break
        direction = gradient[moving] * metric * signs[moving, None]
        length = np.hypot(direction[:, 0], direction[:, 1])
        is_flat = length == 0.0
        direction /= (length + is_flat)[:, None]
        # Along a ridge of y f the gradient points to and fro across it; its mean, along it.
        turns = (direction * before[moving]).sum(axis=1) < TURN
        direction[turns] = _mean_direction(direction[turns], before[moving[turns]])
        target = places[moving] + direction * step[moving][:, None]
        reached, slopes = sample(target)
        reached *= signs[moving]
        rise = reached - value[moving]
        is_outside = ((target < 0.0) | (target > last)).any(axis=1)
        # A step beyond the margin is taken again, as long as it takes if f is linear.
        rises = (rise > 0.0) & ~is_outside
        exceeds = rises & (reached > 1.0 + END)
        step[moving[exceeds]] *= (1.0 - value[moving[exceeds]]) / rise[exceeds]
        moves = rises & ~exceeds
        ends = moves & (reached >= 1.0 - END)
        accepted = moving[moves]
        places[accepted], value[accepted] = target[moves], reached[moves]
        gradient[accepted], before[accepted] = slopes[moves], direction[moves]
        paths.append(places.copy())
        # Where y f falls, the step was too long, or there is a maximum.
        falls = ~rises
        step[moving[falls]] *= 0.4
        stops = falls & (is_outside | is_flat | (step[moving] < SHORTEST))
        is_open[moving[stops]] = True
        moving = moving[~(stops | ends)]
    is_open[moving] = True
    is_open &= value < 1.0 - TOP
    return np.stack(paths, axis=1), is_open


def _mean_direction(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    mean = one + other
    return mean / (np.hypot(mean[:, 0], mean[:, 1]) + 1e-9)[:, None]


class _Sampler:
    """f and its gradient between the nodes of a grid, by bilinear interpolation."""

    def __init__(self, values: np.ndarray) -> None:
        self._values, (self._rows, self._columns) = values.ravel(), values.shape

    def __call__(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return f and its gradient, shapes (m,) and (m, 2), at places in cells, shape (m, 2)."""
        x, y = places[:, 0].clip(0.0, self._columns - 1.0), places[:, 1].clip(0.0, self._rows - 1.0)
        column = x.astype(int).clip(max=self._columns - 2)
        row = y.astype(int).clip(max=self._rows - 2)
        across, up = x - column, y - row
        node = row * self._columns + column
        low, high = self._values[node], self._values[node + self._columns]
        below = self._values[node + 1] - low
        above = self._values[node + self._columns + 1] - high
        rise = high - low
        value = low + across * below + up * (rise + across * (above - below))
        slopes = np.empty((len(x), 2))
        slopes[:, 0] = below + up * (above - below)
        slopes[:, 1] = rise + across * (above - below)
        return value, slopes
