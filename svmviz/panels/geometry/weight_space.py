"""The primal over the plane of weights, and the path of the iterates in it, without Qt.

The kernel must be linear, and the points must have two dimensions. For each ``w``, the bias that
minimises the primal is computed exactly. Let n+ be the number of points of class +1. The slope of
the slack ``sum_i max(0, 1 - y_i (<w, x_i> + b))`` in b is the number of ``y_i - <w, x_i>`` below b,
minus n+. So a free b is best anywhere between the n+-th smallest of these numbers and the next
larger one; the middle is used.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import contourpy
import numpy as np

from solvers import Cursor, Linear, Problem
from solvers.problem.expansion import freeze
from solvers.problem.subgradients import subdifferential
from solvers.run.run import Run
from svmviz.frames.frame import Frame, Lane

# The primal is computed on a grid with this number of nodes along each axis.
NODES = 101
# If a run is long, the path has only some of the steps up to the current one: all of the last
# NEWEST_STEPS steps and, of the earlier steps, those among SPREAD_STEPS steps that are spread
# evenly over the whole run.
SPREAD_STEPS = 300
NEWEST_STEPS = 40
# Number of contours of the primal.
LEVELS = 12
# At least this fraction of the steps is in view, not all: the first steps of Pegasos go far away.
STEPS_IN_VIEW = 0.9
# Space on each side of the path, as a fraction of the width of the path.
MARGIN = 0.25
# For some methods, a ball that contains the optimum is known. All of it is in view if its radius is
# at most this multiple of the width of the path.
MAX_BALL = 2.5
# Width of the grid as a multiple of the square that is always in view. A panel that is not square
# shows more than this square.
GRID_WIDTH = 2.4


@dataclass(frozen=True, eq=False)
class Landscape:
    """The primal over a rectangle of weights.

    Attributes
    ----------
    x, y : (float, float)
        Ranges of w1 and w2 that must be in view. Here w is that of the scaled points, which the
        method sees.
    reach : (float, float, float, float)
        Left, right, bottom and top of the grid, which is larger than the ranges ``x`` and ``y``.
    values : float64 array, shape (NODES, NODES)
        P at the nodes; the first row has the smallest w2. Infinite where no b satisfies the hard
        margin.
    contours : list of arrays, shape (m, 2)
        Lines of equal P.
    """

    x: tuple[float, float]
    y: tuple[float, float]
    reach: tuple[float, float, float, float]
    values: np.ndarray
    contours: list[np.ndarray]


@dataclass(frozen=True, eq=False)
class WeightStudy:
    """Data of the panel.

    Attributes
    ----------
    landscape : Landscape
    path : array, shape (m, 2)
        The w of the iterates from step 0 to the current step; in a long run some are left out.
    other : array, shape (m, 2), or None
        Like ``path``, for a second iterate, if the method has one (:meth:`Method.other_iterate`).
    other_name : str
        Name of the second iterate.
    radius : float
        Radius of a ball around 0 that contains the optimum; infinite if no ball is known.
    """

    landscape: Landscape
    path: np.ndarray
    other: np.ndarray | None
    other_name: str
    radius: float


def best_primal(problem: Problem, w: np.ndarray) -> np.ndarray:
    """Return ``min_b P(w, b)``, shape (m,), for each row of ``w``, shape (m, 2).

    The problem's kind of bias decides which b are allowed, and whether P contains ``b^2 / 2``.
    """
    scores = w @ problem.centered.T
    regulariser = 0.5 * (w * w).sum(axis=1)
    if problem.bias == "none":
        b = np.zeros(len(w))
    else:
        b = best_bias(problem, scores)
    slack = np.maximum(0.0, 1.0 - problem.y * (scores + b[:, None]))
    if problem.bias == "augmented":
        regulariser = regulariser + 0.5 * b * b
    if problem.hard:
        return np.where(slack.max(axis=1) <= 1e-9, regulariser, np.inf)
    weights = np.ones(problem.n) if problem.weights is None else problem.weights
    return regulariser + problem.C * (slack * weights).sum(axis=1)


def best_bias(problem: Problem, scores: np.ndarray) -> np.ndarray:
    """Return the best b of each row of scores ``<w, x_i>``, shape (m, n); one row per w."""
    # As b grows, the slope of the total slack in b jumps at each of these numbers, by the weight of
    # the point. `passed` is the sum of the weights up to each jump.
    weights = np.ones(problem.n) if problem.weights is None else problem.weights
    order = np.argsort(problem.y - scores, axis=1)
    jumps = np.take_along_axis(problem.y - scores, order, axis=1)
    passed = np.cumsum(weights[order], axis=1)
    plus = float(weights[problem.y > 0].sum())
    rows = np.arange(len(jumps))
    if problem.bias == "free":
        # The slope is 0 between two jumps, or changes its sign at one.
        first = (passed >= plus * (1.0 - 1e-12)).argmax(axis=1)
        is_flat = passed[rows, first] <= plus * (1.0 + 1e-12)
        return 0.5 * (jumps[rows, first] + jumps[rows, first + is_flat])
    # With b^2 / 2 in P, the slope of P in b is b + C (s - plus), where s is the weight of the jumps
    # below b. It increases and crosses 0 once: between two jumps, at b = C (plus - s), or at one.
    # A hard margin is computed with a C so large that only the slack counts.
    C = problem.C if not problem.hard else 1e12
    roots = C * (plus - np.insert(passed, 0, 0.0, axis=1))
    k = (roots[:, :-1] <= jumps).argmax(axis=1)
    is_above_all = ~(roots[:, :-1] <= jumps).any(axis=1)
    k[is_above_all] = jumps.shape[1]
    last_jump = np.where(k > 0, jumps[rows, np.maximum(k, 1) - 1], -np.inf)
    return np.maximum(roots[rows, k], last_jump)


class WeightSpace:
    """Study of the panel, with a cache of the landscape of a run and the weights of its steps."""

    def __init__(self) -> None:
        self._run: Run | None = None
        self._cursor: Cursor | None = None
        # By step: the w of the iterate, and that of the second iterate if the method has one.
        self._weights: dict[int, tuple[np.ndarray, np.ndarray | None]] = {}
        self._other_name = ""
        self._landscape: Landscape | None = None
        # Length of the run for which the landscape was computed.
        self._landscape_length = -1

    def __call__(self, frame: Frame, runs: tuple[Run, ...]) -> WeightStudy | None:
        lane = frame.lane
        if lane is None or not fits(lane.problem):
            return None
        self._follow(next(run for run in runs if run.number == lane.run))
        path = _path_steps(lane.step, lane.length)
        for step in path:
            self._record(step, lane)
        if self._landscape is None or lane.length > 2 * self._landscape_length:
            self._choose_landscape(lane)
        pairs = [self._weights[step] for step in path]
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
        """Clear the cache if this is another run than before."""
        if run is not self._run:
            self._run, self._cursor = run, Cursor(run)
            self._weights, self._landscape, self._landscape_length = {}, None, -1

    def _record(self, step: int, lane: Lane) -> None:
        """Store the w of a step, and of the second iterate if the method has one."""
        if step in self._weights:
            return
        assert self._cursor is not None
        state: Any = self._cursor.state(step)
        method, X = lane.method, lane.problem.centered
        w = method.expand(lane.problem, state)[0] @ X
        other = None
        second_iterate = method.other_iterate(lane.problem, state)
        if second_iterate is not None:
            self._other_name, beta = second_iterate
            other = beta @ X
        self._weights[step] = w, other

    def _choose_landscape(self, lane: Lane) -> None:
        """Choose a square with the origin, most of the path and its end; compute P around it."""
        self._landscape_length = lane.length
        for step in _spread_steps(lane.length):
            self._record(step, lane)
        path = np.array([self._weights[step][0] for step in sorted(self._weights)])
        norms = np.linalg.norm(path, axis=1)
        near = path[norms <= np.quantile(norms, STEPS_IN_VIEW)]
        in_view = np.vstack([near, path[-1:], np.zeros((1, 2))])
        low, high = in_view.min(axis=0), in_view.max(axis=0)
        radius = lane.method.radius(lane.problem)
        if radius <= MAX_BALL * float((high - low).max()):
            low, high = np.minimum(low, -radius), np.maximum(high, radius)
        centre = 0.5 * (low + high)
        half = 0.5 * max(float((high - low).max()), 1e-12) * (1.0 + 2.0 * MARGIN)
        # The contours show the primal of the lane's certified problem, but that of the document's
        # problem in two cases: for reduced hulls, because the primal of their certified problem is
        # no function of w alone; and for methods with another aim than the optimum (their `aim` is
        # not empty).
        use_document = lane.certified_problem.capped or lane.method.aim
        problem = lane.problem if use_document else lane.certified_problem
        self._landscape = compute_landscape(problem, centre, half)


def compute_landscape(problem: Problem, centre: np.ndarray, half: float) -> Landscape:
    """Return the primal on a grid around the square that must be in view.

    Parameters
    ----------
    problem : Problem
    centre : array, shape (2,)
        Centre of the square.
    half : float
        Half the width of the square. The grid is ``GRID_WIDTH`` times as wide as the square.
    """
    half_grid = GRID_WIDTH * half
    x = np.linspace(centre[0] - half_grid, centre[0] + half_grid, NODES)
    y = np.linspace(centre[1] - half_grid, centre[1] + half_grid, NODES)
    nodes = np.column_stack([np.tile(x, NODES), np.repeat(y, NODES)])
    values = best_primal(problem, nodes).reshape(NODES, NODES)
    finite = np.where(np.isfinite(values), values, np.nan)
    contours = []
    if np.isfinite(values).any():
        low, high = float(np.nanmin(finite)), float(np.nanmax(finite))
        generator = contourpy.contour_generator(x, y, np.ma.masked_invalid(finite))
        # Levels are denser near the minimum, where the path ends.
        for fraction in np.linspace(0.0, 1.0, LEVELS + 2)[1:-1] ** 2:
            contours.extend(generator.lines(low + fraction * (high - low)))
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


def _spread_steps(length: int) -> list[int]:
    """Return about ``SPREAD_STEPS`` evenly spaced steps of a run, from 0 to its length."""
    return np.unique(np.rint(np.linspace(0, length, SPREAD_STEPS)).astype(int)).tolist()


def _path_steps(step: int, length: int) -> list[int]:
    """Return the steps of the path up to ``step``: spread ones, then all of the last ones."""
    early = [s for s in _spread_steps(length) if s < step - NEWEST_STEPS]
    return early + list(range(max(0, step - NEWEST_STEPS), step + 1))


@dataclass(frozen=True, eq=False)
class WeightSupport:
    """The sub-gradients of P at w.

    Attributes
    ----------
    w : array, shape (2,)
    ends : array, shape (2, 2)
        Two sub-gradients; those between them are sub-gradients too. They are equal unless w is at a
        kink.
    """

    w: np.ndarray
    ends: np.ndarray

    @property
    def at_kink(self) -> bool:
        """Whether there is more than one sub-gradient."""
        size = 1e-9 * (1.0 + float(np.abs(self.ends).max()))
        return bool(np.abs(self.ends[1] - self.ends[0]).max() > size)

    def gradient(self, share: float) -> np.ndarray:
        """Return the sub-gradient at this share of the way between the two ends, shape (2,)."""
        return self.ends[0] + share * (self.ends[1] - self.ends[0])

    def share_towards(self, direction: np.ndarray) -> float:
        """Return the share whose sub-gradient is nearest to pointing in a direction (2,)."""
        shares = np.linspace(0.0, 1.0, 201)
        gradients = self.ends[0] + shares[:, None] * (self.ends[1] - self.ends[0])
        lengths = np.maximum(np.hypot(*gradients.T), 1e-300)
        return float(shares[(gradients @ direction / lengths).argmax()])


def support_at(problem: Problem, w: np.ndarray) -> WeightSupport | None:
    """Return the sub-gradients of ``min_b P(w, b)`` at w, shape (2,); None for the hard margin."""
    if problem.hard:
        return None
    b = (
        0.0
        if problem.bias == "none"
        else float(best_bias(problem, (w @ problem.centered.T)[None, :])[0])
    )
    corners = subdifferential(problem, w, b).corners(b_free=problem.bias != "none")[:, :2]
    if not len(corners):
        return None
    # The sub-gradients form a point, a segment or a polygon with these corners. Of a polygon, only
    # those between the two corners that are farthest apart are shown.
    distances = np.hypot(*(corners[:, None, :] - corners[None, :, :]).transpose(2, 0, 1))
    first, second = np.unravel_index(int(distances.argmax()), distances.shape)
    return WeightSupport(w, corners[[first, second]])


def taken_at(problem: Problem, w: np.ndarray, b: float) -> np.ndarray:
    """Return the part for w of the sub-gradient that sub-gradient descent takes, shape (2,)."""
    return subdifferential(problem, w, b).base[:2]


def snapped(problem: Problem, w: np.ndarray, reach: float) -> np.ndarray:
    """Return the nearest w at a kink of P, if it is within ``reach`` of w; otherwise w.

    With a free bias the best b lies between two neighbours of the sorted numbers
    ``y_i - <w, x_i>``; the kink is where the two are equal.
    """
    jumps = problem.y - problem.centered @ w
    if problem.bias == "free":
        n_plus = int((problem.y > 0).sum())
        i, j = np.argsort(jumps)[[n_plus - 1, n_plus]]
        normal, level = problem.centered[j] - problem.centered[i], problem.y[j] - problem.y[i]
        place = _foot(w, normal, float(level))
    elif problem.bias == "none":
        feet = [_foot(w, x, y) for x, y in zip(problem.centered, problem.y, strict=True)]
        place = min(feet, key=lambda foot: math.dist(foot, w))
    else:
        return w
    return place if math.dist(place, w) <= reach else w


def _foot(w: np.ndarray, normal: np.ndarray, level: float) -> np.ndarray:
    """Return the point of the line ``<normal, v> = level`` nearest to w, or infinity."""
    square = float(normal @ normal)
    if square == 0.0:
        return np.full(2, np.inf)
    return w + (level - float(normal @ w)) / square * normal
