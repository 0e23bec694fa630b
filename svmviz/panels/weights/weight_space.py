"""The primal over the plane of weights, and the path of the iterates in it, without Qt.

This needs the linear kernel in two dimensions. For each ``w`` the bias is the one that minimises
the primal, and is computed exactly. The slack ``sum_i max(0, 1 - y_i (<w, x_i> + b))`` decreases in
b while fewer than n+ of the numbers ``y_i - <w, x_i>`` are below b, where n+ is the size of the
class +1. So the best b is the n+-th smallest of these numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import contourpy
import numpy as np

from solvers import Cursor, Linear, Problem
from solvers.problem.expansion import freeze
from solvers.run.run import Run
from svmviz.frames.frame import Frame, Lane

# Number of nodes of the grid along each axis.
NODES = 101
# Maximum number of steps of the path that are drawn.
SAMPLES = 300
# Number of newest steps of which none is left out.
RECENT = 40
# Number of contours of the primal.
LEVELS = 12
# At least this fraction of the steps is in view. The first steps of Pegasos go far away.
SHARE = 0.9
# Space around the path, as a fraction of its width.
MARGIN = 0.25
# A ball is shown in full if its radius is at most this multiple of the width of the path.
MAX_BALL = 2.5
# Width of the grid as a multiple of the square that must be seen.
GRID_WIDTH = 2.4


@dataclass(frozen=True, eq=False)
class Landscape:
    """The primal over a rectangle of weights.

    Attributes
    ----------
    x, y : (float, float)
        Ranges of w1 and w2 to show, in solver units.
    reach : (float, float, float, float)
        Left, right, bottom and top of the grid. The grid is larger than the ranges, so that it
        fills panels of any shape.
    values : float64 array, shape (NODES, NODES)
        P at the nodes, from the smallest w2; infinite where the hard margin is violated.
    contours : list of arrays, shape (m, 2)
    """

    x: tuple[float, float]
    y: tuple[float, float]
    reach: tuple[float, float, float, float]
    values: np.ndarray
    contours: list[np.ndarray]


@dataclass(frozen=True, eq=False)
class WeightStudy:
    """The data of the panel.

    Attributes
    ----------
    landscape : Landscape
    path : array, shape (m, 2)
        The w of the iterates from step 0 to the step shown; in a long run some are left out.
    other : array, shape (m, 2), or None
        The same for a second iterate, if the method has one (:meth:`Method.other_iterate`).
    other_name : str
        Name of the second iterate.
    radius : float
        Radius of a ball that contains the optimum; infinite if none is known.
    """

    landscape: Landscape
    path: np.ndarray
    other: np.ndarray | None
    other_name: str
    radius: float


def best_primal(problem: Problem, w: np.ndarray) -> np.ndarray:
    """Return ``min_b P(w, b)`` for weights (m, 2), shape (m,), with the problem's kind of bias."""
    scores = w @ problem.X.T
    half = 0.5 * (w * w).sum(axis=1)
    if problem.bias == "none":
        b = np.zeros(len(w))
    else:
        b = _best_bias(problem, scores)
    slack = np.maximum(0.0, 1.0 - problem.y * (scores + b[:, None]))
    if problem.bias == "augmented":
        half = half + 0.5 * b * b
    if problem.hard:
        return np.where(slack.max(axis=1) <= 1e-9, half, np.inf)
    return half + problem.C * slack.sum(axis=1)


def _best_bias(problem: Problem, scores: np.ndarray) -> np.ndarray:
    """Return the best b for each row of ``<w, x_i>``, shape (m, n)."""
    jumps = np.sort(problem.y - scores, axis=1)
    positive = int((problem.y > 0).sum())
    if problem.bias == "free":
        return 0.5 * (jumps[:, positive - 1] + jumps[:, positive])
    # With b^2 / 2 the slope is b + C (count below b - n+). It increases and crosses 0 once: between
    # two jumps, at C (n+ - count), or at a jump.
    C = problem.C if not problem.hard else 1e12
    between = C * (positive - np.arange(jumps.shape[1] + 1.0))
    first = (between[:-1] <= jumps).argmax(axis=1)
    none = ~(between[:-1] <= jumps).any(axis=1)
    first[none] = jumps.shape[1]
    rows = np.arange(len(jumps))
    below = np.where(first > 0, jumps[rows, np.maximum(first, 1) - 1], -np.inf)
    return np.maximum(between[first], below)


class WeightSpace:
    """The study of the panel; it caches the landscape of a run and the weights of its steps."""

    def __init__(self) -> None:
        self._run: Run | None = None
        self._cursor: Cursor | None = None
        self._seen: dict[int, tuple[np.ndarray, np.ndarray | None]] = {}
        self._other_name = ""
        self._landscape: Landscape | None = None
        self._known = -1

    def __call__(self, frame: Frame, runs: tuple[Run, ...]) -> WeightStudy | None:
        lane = frame.lane
        if lane is None or not fits(lane.problem):
            return None
        self._follow(next(run for run in runs if run.number == lane.run))
        path = _shown_steps(lane.step, lane.length)
        for step in path:
            self._record(step, lane)
        if self._landscape is None or lane.length > 2 * self._known:
            self._survey(lane)
        pairs = [self._seen[step] for step in path]
        other = None
        if pairs[0][1] is not None:
            other = freeze(np.array([pair[1] for pair in pairs]))
        landscape = self._landscape
        assert landscape is not None
        return WeightStudy(
            landscape,
            path=freeze(np.array([w for w, _ in pairs])),
            other=other,
            other_name=self._other_name,
            radius=lane.method.radius(lane.problem),
        )

    def _follow(self, run: Run) -> None:
        if run is not self._run:
            self._run, self._cursor = run, Cursor(run)
            self._seen, self._landscape, self._known = {}, None, -1

    def _record(self, step: int, lane: Lane) -> None:
        """Store the w of a step, and of the second iterate if the method has one."""
        if step in self._seen:
            return
        assert self._cursor is not None
        state: Any = self._cursor.state(step)
        method, X = lane.method, lane.problem.X
        w = method.expand(lane.problem, state)[0] @ X
        other = None
        kept = method.other_iterate(lane.problem, state)
        if kept is not None:
            self._other_name, beta = kept
            other = beta @ X
        self._seen[step] = w, other

    def _survey(self, lane: Lane) -> None:
        """Choose a square with the origin, the end and most of the path, and compute P there."""
        self._known = lane.length
        for step in _spread(lane.length):
            self._record(step, lane)
        path = np.array([self._seen[step][0] for step in sorted(self._seen)])
        far = np.linalg.norm(path, axis=1)
        shown = path[far <= np.quantile(far, SHARE)]
        shown = np.vstack([shown, path[-1:], np.zeros((1, 2))])
        low, high = shown.min(axis=0), shown.max(axis=0)
        radius = lane.method.radius(lane.problem)
        if radius <= MAX_BALL * float((high - low).max()):
            low, high = np.minimum(low, -radius), np.maximum(high, radius)
        centre = 0.5 * (low + high)
        half = 0.5 * max(float((high - low).max()), 1e-12) * (1.0 + 2.0 * MARGIN)
        # The contours show the primal of the soft margin. The primal of reduced hulls is no
        # function of w alone.
        self._landscape = survey(
            lane.problem
            if lane.certified_problem.capped or lane.method.aim
            else lane.certified_problem,
            centre,
            half,
        )


def survey(problem: Problem, centre: np.ndarray, half: float) -> Landscape:
    """Compute the primal on a grid around the square about ``centre`` (2,) of width ``2 half``."""
    far = GRID_WIDTH * half
    x = np.linspace(centre[0] - far, centre[0] + far, NODES)
    y = np.linspace(centre[1] - far, centre[1] + far, NODES)
    nodes = np.column_stack([np.tile(x, NODES), np.repeat(y, NODES)])
    values = best_primal(problem, nodes).reshape(NODES, NODES)
    finite = np.where(np.isfinite(values), values, np.nan)
    contours = []
    if np.isfinite(values).any():
        low, high = float(np.nanmin(finite)), float(np.nanmax(finite))
        generator = contourpy.contour_generator(x, y, np.ma.masked_invalid(finite))
        # Levels are denser near the minimum, where the solver ends.
        for part in np.linspace(0.0, 1.0, LEVELS + 2)[1:-1] ** 2:
            contours.extend(generator.lines(low + part * (high - low)))
    return Landscape(
        (centre[0] - half, centre[0] + half),
        (centre[1] - half, centre[1] + half),
        (float(x[0]), float(x[-1]), float(y[0]), float(y[-1])),
        freeze(values),
        contours,
    )


def fits(problem: Problem) -> bool:
    """Return whether there is a plane of weights: a linear kernel in two dimensions."""
    return isinstance(problem.kernel, Linear) and problem.X.shape[1] == 2


def _spread(length: int) -> list[int]:
    return np.unique(np.rint(np.linspace(0, length, SAMPLES)).astype(int)).tolist()


def _shown_steps(step: int, length: int) -> list[int]:
    """Return evenly spaced steps up to ``step``, and all of the newest steps."""
    early = [s for s in _spread(length) if s < step - RECENT]
    return early + list(range(max(0, step - RECENT), step + 1))
