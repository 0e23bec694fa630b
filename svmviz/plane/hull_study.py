"""The convex hulls of the classes, whole and reduced, and their nearest points.

Outlines and points are in data units. Scaling the axes keeps hulls and convex combinations, but not
distances: so the nearest points are found in solver units, and converted to data units.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from solvers import BadInput, Cursor, Hulls, Linear, Problem
from solvers.geometry.boundaries import Boundary, bisector, nu_boundary
from solvers.geometry.separation import largest_separating_mu, separation
from solvers.problem.expansion import freeze
from solvers.run.run import Run
from svmviz.base.background import BackgroundTask, Pending
from svmviz.document.document import Document
from svmviz.document.view_options import ViewOptions
from svmviz.frames.frame import Frame, Lane

# Directions in which the corners of a reduced hull are searched.
DIRECTIONS = 720
# The largest separating cap is searched for at most this many points: the search solves for the
# nearest points of some twenty pairs of hulls.
MAX_SEARCHED = 400
PENDING = "Looking for the nearest points of the hulls …"


@dataclass(frozen=True, eq=False)
class Outlines:
    """Corners of hulls, counter-clockwise, in data units; one array (m, 2) per class, -1 first.

    Attributes
    ----------
    whole, reduced : pair of arrays
        Equal if the cap excludes nothing.
    """

    whole: tuple[np.ndarray, np.ndarray]
    reduced: tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class HullStudy:
    """The hulls at one step of one lane.

    Attributes
    ----------
    mu : float
        The cap on weights; 1 for whole hulls.
    of_step : bool
        Whether p and q are those of the method's step. Otherwise they are the nearest points,
        computed separately.
    weights : array, shape (n,)
        The hull weights tau, with sum 1 in each class. The algorithm that sweeps over pairs starts
        at weights that are all 0.
    distance : float
        ``||p - q||`` in the feature space; nan before there are p and q.
    meeting : bool
        Whether the (reduced) hulls meet: then the weights give a point that both contain.
    largest : float or None
        If the hulls meet, the largest cap that separates them; None if none does, or if it is not
        known.
    outlines : Outlines or None
        None for a nonlinear kernel, whose hulls lie in the feature space.
    p, q : arrays, shape (2,), or None
        In data units; p belongs to the class +1.
    normal : array, shape (2,), or None
        Normal, in data units, of the supporting lines. These are the lines through p and through q
        that are perpendicular to ``p - q`` in solver units.
    middle, nu : Boundary or None
        Two boundaries in solver units, which may differ for reduced hulls: the bisector of p and q,
        and the boundary of the nu-SVM. ``nu`` is None for whole hulls. Both are None if the
        method's own f = 0 is the only boundary.
    """

    mu: float
    of_step: bool
    weights: np.ndarray
    distance: float
    meeting: bool
    largest: float | None
    outlines: Outlines | None
    p: np.ndarray | None = None
    q: np.ndarray | None = None
    normal: np.ndarray | None = None
    middle: Boundary | None = None
    nu: Boundary | None = None


class HullStudyMaker:
    """A study (:mod:`svmviz.frames.studies`) of the hulls: call it with a frame and its runs.

    A call returns one result per lane: its :class:`HullStudy`, or None if the lane has no hulls to
    show. What is the same at all steps is computed once per problem, in the background, and cached.
    Until it is known, the result of the lane is :class:`svmviz.base.background.Pending`.

    Parameters
    ----------
    search : bool
        Whether to search the largest cap that separates, if the hulls meet.
    """

    def __init__(self, search: bool = False) -> None:
        self._search = search
        self._problem: Problem | None = None
        self._known: dict[tuple[float, bool], HullStudy | None] = {}
        self._task = BackgroundTask()
        # Each problem has its own number.
        self._number = 0
        self._cursors: dict[int, Cursor] = {}

    def __call__(
        self, frame: Frame, runs: tuple[Run, ...]
    ) -> tuple[HullStudy | Pending | None, ...]:
        numbers = {run.number for run in runs}
        self._cursors = {k: cursor for k, cursor in self._cursors.items() if k in numbers}
        by_number = {run.number: run for run in runs}
        return tuple(self._of(lane, by_number[lane.run], frame.document) for lane in frame.lanes)

    def _of(self, lane: Lane, run: Run, document: Document) -> HullStudy | Pending | None:
        problem, method = lane.problem, lane.method
        of_step = isinstance(method, Hulls)
        if problem.task != "classification" or not (of_step or isinstance(problem.kernel, Linear)):
            return None
        if problem is not self._problem:
            self._problem, self._known = problem, {}
            self._number += 1
        mu = method.mu if isinstance(method, Hulls) else 1.0
        if (mu, of_step) not in self._known:
            found = self._task.find(
                (self._number, mu, of_step),
                partial(_common_to_steps, problem, document.factors, mu, of_step, self._search),
                PENDING,
            )
            if isinstance(found, Pending):
                return found
            self._known[mu, of_step] = found
        known = self._known[mu, of_step]
        if known is None or not isinstance(method, Hulls):
            return known
        state = self._cursors.setdefault(run.number, Cursor(run)).state(lane.step)
        found = replace(
            known,
            weights=freeze(method.weights(problem, state)),
            distance=method.distance(problem, state),
        )
        return with_nearest(found, problem, document.factors)


def with_nearest(found: HullStudy, problem: Problem, factors: np.ndarray) -> HullStudy:
    """Return the study with p, q, the supporting lines and the boundaries, if they can be drawn."""
    plus, minus = (np.where(problem.y * side > 0, found.weights, 0.0) for side in (1, -1))
    if found.outlines is None or not (plus.any() and minus.any()):
        return found
    p, q = plus @ problem.X, minus @ problem.X
    found = replace(found, p=p * factors, q=q * factors)
    if found.meeting or not np.hypot(*(p - q)) > 0.0:
        return found
    found = replace(found, normal=(p - q) / factors)
    if found.of_step and found.mu >= 1.0:
        # Both boundaries are the method's own f = 0.
        return found
    free = replace(problem, bias="free")
    try:
        middle = bisector(free, found.weights)
        nu = nu_boundary(free, found.weights, found.mu) if found.mu < 1.0 else None
    except BadInput:
        # A boundary has f = +1 at a level of <p - q, x> for the class +1, and f = -1 at a lower
        # level for the class -1. At an early step these levels may be in the wrong order.
        return found
    return replace(found, middle=middle, nu=nu)


def _common_to_steps(
    problem: Problem, factors: np.ndarray, mu: float, of_step: bool, search: bool
) -> HullStudy:
    """Return the study without what depends on the step.

    The p and q of a hull method (``of_step``) depend on the step. For other methods they are the
    nearest points of the hulls, and included.
    """
    free = replace(problem, bias="free")
    apart = separation(free, mu, exact=not of_step)
    meeting = apart.separable is False or (apart.separable is None and apart.distance == 0.0)
    largest = None
    if search and meeting and problem.n <= MAX_SEARCHED and problem.kernel.mercer:
        largest = largest_separating_mu(free)
    outlines = None
    if isinstance(problem.kernel, Linear) and problem.X.shape[1] == 2:
        outlines = outline(problem.X * factors, problem.y, mu)
    distance = 0.0 if meeting else apart.distance
    found = HullStudy(mu, of_step, apart.weights, distance, meeting, largest, outlines)
    return found if of_step else with_nearest(found, problem, factors)


def outline(points: np.ndarray, labels: np.ndarray, mu: float) -> Outlines:
    """Return the hulls of both classes of points (n, 2), and those reduced to a cap."""
    classes = points[labels < 0], points[labels > 0]
    whole = convex_hull(classes[0]), convex_hull(classes[1])
    if mu >= 1.0:
        return Outlines(whole, whole)
    return Outlines(whole, (reduced_hull(classes[0], mu), reduced_hull(classes[1], mu)))


def convex_hull(points: np.ndarray) -> np.ndarray:
    """Return the corners of the convex hull of points (m, 2), counter-clockwise, shape (h, 2).

    Andrew's monotone chain; points on an edge are no corners.
    """
    ordered = np.unique(points, axis=0)
    if len(ordered) < 3:
        return freeze(ordered)

    def chain(way: list[list[float]]) -> list[list[float]]:
        found: list[list[float]] = []
        for x, y in way:
            while len(found) > 1:
                (ax, ay), (bx, by) = found[-2:]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0.0:
                    break
                found.pop()
            found.append([x, y])
        return found[:-1]

    way = ordered.tolist()
    return freeze(np.array(chain(way) + chain(way[::-1])))


def reduced_hull(points: np.ndarray, mu: float) -> np.ndarray:
    """Return the corners of ``{sum tau x: 0 <= tau <= mu, sum tau = 1}``, shape (h, 2).

    The corner that is farthest in a direction is a weighted mean of the points that are farthest in
    it: each has weight mu, and the last of them has what is left of the sum 1. The corners are
    searched in 720 directions, so corners at very short edges may be missed.
    """
    m = len(points)
    spread = points.std(axis=0)
    # Directions are spread evenly over the plane in which both axes have standard deviation 1.
    # Scaling the axes scales the hull with them, so the corners are the same points.
    scaled = points / np.where(spread > 0.0, spread, 1.0)
    full = min(math.floor(1.0 / mu + 1e-9), m)
    share = np.zeros(m)
    share[:full] = mu
    if full < m:
        share[full] = max(0.0, 1.0 - full * mu)
    share /= share.sum()
    angles = np.linspace(0.0, 2.0 * np.pi, DIRECTIONS, endpoint=False)
    along = scaled @ np.array([np.cos(angles), np.sin(angles)])
    farthest = np.argsort(-along, axis=0, kind="stable")[: full + 1]
    corners = np.einsum("k,kdc->dc", share[: len(farthest)], points[farthest])
    return convex_hull(corners)


def is_shown(document: Document, options: ViewOptions) -> bool:
    """Return whether the plane shows hulls, which only a linear kernel has."""
    if document.is_regression or options.hulls == "never":
        return False
    if not isinstance(document.kernel, Linear):
        return False
    return options.hulls == "always" or any(isinstance(m, Hulls) for m in document.methods)
