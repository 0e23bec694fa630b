"""The convex hulls of the classes, or their reduced hulls, and the nearest points of both.

A *reduced* hull contains the convex combinations whose weights are at most a cap mu. Outlines and
points are in data units. Scaling the axes changes distances, so the nearest points are computed in
solver units, and then converted to data units.
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

# Number of directions in which the corners of a reduced hull are searched.
DIRECTIONS = 720
# Maximum number of points for which the largest separating cap is searched. The search computes the
# nearest points of some twenty pairs of hulls.
MAX_SEARCHED = 400
PENDING = "Looking for the nearest points of the hulls …"


@dataclass(frozen=True, eq=False)
class Outlines:
    """The corners of the hulls of both classes.

    Attributes
    ----------
    whole, reduced : pairs of arrays, shape (m, 2)
        Corners of the convex hulls and of the reduced hulls: first of class -1, then of class +1.
        They are counter-clockwise, in data units. Both pairs are equal if the cap is 1.
    """

    whole: tuple[np.ndarray, np.ndarray]
    reduced: tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class HullStudy:
    """The hulls at one step of one lane.

    Attributes
    ----------
    mu : float
        The cap on the weights; 1 for convex hulls that are not reduced.
    of_step : bool
        Whether p and q are those of the method's step. Otherwise they are the nearest points,
        computed separately.
    weights : array, shape (n,)
        The hull weights tau, with sum 1 in each class. They are all 0 at the start of the method
        that sweeps over pairs.
    distance : float
        ``||p - q||`` in the feature space; NaN if there are no p and q yet.
    meeting : bool
        Whether the hulls meet. Then p = q is a point of both hulls.
    largest : float or None
        If the hulls meet, the largest cap at which the reduced hulls do not. None if there is no
        such cap, or if it was not searched.
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

    A call returns one result per lane: a :class:`HullStudy`, or None if the lane has no hulls to
    show. Results that are the same at all steps are computed once per problem, in the background,
    and cached. While they are being computed, the result of the lane is a
    :class:`svmviz.base.background.Pending`.

    Parameters
    ----------
    search : bool
        Whether to search the largest separating cap if the hulls meet.
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
    """Return the study with p, q, the normal and the boundaries, as far as they exist."""
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
        # f is scaled so that it is +1 and -1 at two levels of <p - q, x>, one for each class. At an
        # early step the level of the class +1 may not be the higher one; then there is no such f.
        return found
    return replace(found, middle=middle, nu=nu)


def _common_to_steps(
    problem: Problem, factors: np.ndarray, mu: float, of_step: bool, search: bool
) -> HullStudy:
    """Return the fields of the study that are the same at all steps.

    With ``of_step``, the method computes hulls, so its p and q depend on the step and are left out.
    Otherwise p and q are the nearest points of the hulls.
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
    """Return the convex hulls and the reduced hulls of both classes of points, shape (n, 2)."""
    classes = points[labels < 0], points[labels > 0]
    whole = convex_hull(classes[0]), convex_hull(classes[1])
    if mu >= 1.0:
        return Outlines(whole, whole)
    return Outlines(whole, (reduced_hull(classes[0], mu), reduced_hull(classes[1], mu)))


def convex_hull(points: np.ndarray) -> np.ndarray:
    """Return the corners of the convex hull of points (m, 2), counter-clockwise, shape (h, 2).

    The algorithm is Andrew's monotone chain. Points on an edge are not corners.
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

    In each of ``DIRECTIONS`` directions, the farthest corner is a weighted mean of the points that
    are farthest in this direction. Each of these points has weight mu, except the last one, whose
    weight makes the sum 1. Corners at very short edges may be missed.
    """
    m = len(points)
    spread = points.std(axis=0)
    # Directions are spread evenly over the plane in which both axes have standard deviation 1.
    # Scaling the axes scales the hull with them, so the corners are the same points.
    scaled = points / np.where(spread > 0.0, spread, 1.0)
    full = min(math.floor(1.0 / mu + 1e-9), m)
    weights = np.zeros(m)
    weights[:full] = mu
    if full < m:
        weights[full] = max(0.0, 1.0 - full * mu)
    weights /= weights.sum()
    angles = np.linspace(0.0, 2.0 * np.pi, DIRECTIONS, endpoint=False)
    along = scaled @ np.array([np.cos(angles), np.sin(angles)])
    farthest = np.argsort(-along, axis=0, kind="stable")[: full + 1]
    corners = np.einsum("k,kdc->dc", weights[: len(farthest)], points[farthest])
    return convex_hull(corners)


def is_shown(document: Document, options: ViewOptions) -> bool:
    """Return whether the plane shows hulls. Only those of a linear kernel lie in the plane."""
    if document.is_regression or options.hulls == "never":
        return False
    if not isinstance(document.kernel, Linear):
        return False
    return options.hulls == "always" or any(isinstance(m, Hulls) for m in document.methods)
