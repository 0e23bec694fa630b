"""Slack as a path: from a point to the place at its margin, where y f(x) = 1."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from solvers.kernels.grids import climb
from solvers.problem.expansion import freeze
from svmviz.document.document import Document
from svmviz.frames.frame import Field, Lane

# Minimum slack that is drawn. Smaller slack is within the tolerance of a solver.
MIN_SLACK = 2e-3
# Maximum number of paths. If more points have slack, only the largest slacks are drawn.
MAX_PATHS = 400
# Steps along the gradient, in cells of the grid: the first and longest one on a coarse grid, and on
# any grid as a fraction of its longer side; and the maximum number of steps. So a path is at most a
# third of the plot long.
LONGEST, FRACTION, MAX_STEPS = 2.5, 0.02, 20


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


def has_open_ends(lane: Lane, document: Document) -> bool:
    """Return whether some path has a direction, but does not reach the margin."""
    found = slack_paths(lane, document)
    return bool((found.paths[found.is_open] != found.paths[found.is_open][:, :1]).any())


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
    paths = np.empty((len(places), MAX_STEPS + 1, 2))
    is_open = np.empty(len(places), dtype=bool)
    longest = max(LONGEST, FRACTION * max(values.shape))
    climb(freeze(values), places, signs, metric, longest, paths, is_open)
    return paths, is_open
