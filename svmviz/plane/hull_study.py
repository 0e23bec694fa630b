"""The convex hulls of the classes, or their reduced hulls, and the nearest points of both hulls.

A *reduced* hull contains the convex combinations ``sum_i tau_i x_i`` whose weights tau are at most
a cap ``mu``. Distances depend on the units, so the nearest points are computed in solver units
(data units divided by ``Document.factors``), and then converted to data units. Outlines are in data
units.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from solvers import BadInput, Cursor, Hulls, Linear, Problem
from solvers.geometry.boundaries import Boundary, bisector, nu_boundary
from solvers.geometry.plane_hulls import (
    SupportingLines,
    convex_hull,
    reduced_hull,
    supporting_lines,
)
from solvers.geometry.separation import largest_separating_mu, separation
from solvers.problem.expansion import freeze
from solvers.run.run import Run
from svmviz.document.document import Document
from svmviz.document.view_options import HALF_PLANES, ViewOptions
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import Pending, SlowResult

# Maximum number of points for which the largest separating cap is searched: the largest mu at which
# the reduced hulls do not meet. The search computes the nearest points of some 20 pairs of hulls.
MAX_SEARCHED = 400
# Text on the plane while a study is being computed.
PENDING = "Looking for the nearest points of the hulls …"


@dataclass(frozen=True, eq=False)
class HullOutlines:
    """The corners of the hulls of both classes.

    Attributes
    ----------
    whole, reduced : pairs of arrays, shape (m, 2)
        Corners of the convex hulls and of the reduced hulls: first of class -1, then of class +1.
        They are counter-clockwise, in data units. If the cap is 1, both pairs are equal.
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
        Whether the method works on hulls. Then p and q are its points at the step shown. Otherwise
        they are the nearest points of the hulls, computed without the method.
    weights : array, shape (n,)
        The hull weights tau, with sum 1 in each class: p and q are the sums of ``tau_i x_i`` of
        the two classes. All are 0 at step 0 of the method's pairwise algorithm, which has no
        weights there yet.
    distance : float
        ``||p - q||`` in the feature space; NaN if p and q do not exist yet.
    meeting : bool
        Whether the hulls meet. Then p = q is a point of both hulls, and a method that works on
        hulls stops at once.
    largest : float or None
        If the hulls meet, the largest cap at which the reduced hulls do not meet. None if there is
        no such cap, or if it was not searched.
    outlines : HullOutlines or None
        None for a nonlinear kernel, whose hulls lie in the feature space.
    p, q : arrays, shape (2,), or None
        The points of the hulls of class +1 and of class -1, in data units.
    lines : SupportingLines or None
        The lines that are perpendicular to ``p - q`` and touch the hulls, in solver units. None if
        p and q do not exist, or if the hulls meet.
    middle, nu : Boundary or None
        The bisector of p and q, and the boundary of the nu-SVM, in solver units. They may differ
        for reduced hulls. For whole hulls they are the same, and ``nu`` is None. Both are None if
        they do not exist, as for hulls that meet. Both are also None if the method works on whole
        hulls: then the bisector is f = 0 of the method, which the plane already shows.
    """

    mu: float
    of_step: bool
    weights: np.ndarray
    distance: float
    meeting: bool
    largest: float | None
    outlines: HullOutlines | None
    p: np.ndarray | None = None
    q: np.ndarray | None = None
    lines: SupportingLines | None = None
    middle: Boundary | None = None
    nu: Boundary | None = None


class HullStudyMaker:
    """A study (:mod:`svmviz.frames.studies`) of the hulls, called with a frame and its runs.

    A call returns one result per lane: a :class:`HullStudy`, or None if the lane has no hulls to
    show. The fields that are the same at all steps are computed once per problem, in the
    background, and cached. While they are being computed, the result of the lane is a
    :class:`svmviz.base.background.Pending`.

    Parameters
    ----------
    search : bool
        Whether to search the largest separating cap (``HullStudy.largest``) if the hulls meet.
    """

    def __init__(self, search: bool = False) -> None:
        self._search = search
        self._problem: Problem | None = None
        self._common: dict[tuple[float, bool], HullStudy | None] = {}
        self._slow = SlowResult()
        self._cursors: dict[int, Cursor] = {}

    def __call__(
        self, frame: Frame, runs: tuple[Run, ...]
    ) -> tuple[HullStudy | Pending | None, ...]:
        numbers = {run.number for run in runs}
        self._cursors = {k: cursor for k, cursor in self._cursors.items() if k in numbers}
        by_number = {run.number: run for run in runs}
        return tuple(
            self._study_of(lane, by_number[lane.run], frame.document) for lane in frame.lanes
        )

    def _study_of(self, lane: Lane, run: Run, document: Document) -> HullStudy | Pending | None:
        problem, method = lane.problem, lane.method
        of_step = isinstance(method, Hulls)
        if problem.task != "classification" or not (of_step or isinstance(problem.kernel, Linear)):
            return None
        if not document.has_coordinates:
            return None
        if problem is not self._problem:
            self._problem, self._common = problem, {}
        mu = method.mu if isinstance(method, Hulls) else 1.0
        if (mu, of_step) not in self._common:
            result = self._slow.find(
                (problem, mu, of_step),
                partial(_common_to_steps, problem, document.factors, mu, of_step, self._search),
                PENDING,
            )
            if isinstance(result, Pending):
                return result
            self._common[mu, of_step] = result
        common = self._common[mu, of_step]
        if common is None or not isinstance(method, Hulls):
            return common
        state = self._cursors.setdefault(run.number, Cursor(run)).state(lane.step)
        result = replace(
            common,
            weights=freeze(method.weights(problem, state)),
            distance=method.distance(problem, state),
        )
        return with_nearest(result, problem, document.factors)


def with_nearest(study: HullStudy, problem: Problem, factors: np.ndarray) -> HullStudy:
    """Return the study with those of p, q, their supporting lines and boundaries that exist."""
    plus, minus = (np.where(problem.y * side > 0, study.weights, 0.0) for side in (1, -1))
    if study.outlines is None or not (plus.any() and minus.any()):
        return study
    p, q = plus @ problem.X, minus @ problem.X
    study = replace(study, p=p * factors, q=q * factors)
    if study.meeting:
        return study
    classes = problem.X[problem.y > 0], problem.X[problem.y < 0]
    study = replace(study, lines=supporting_lines(p, q, *classes, study.mu))
    if study.lines is None:
        return study
    if study.of_step and study.mu >= 1.0:
        # The bisector is f = 0 of the method, which the plane already shows.
        return study
    free_bias_problem = replace(problem, bias="free")
    try:
        middle = bisector(free_bias_problem, study.weights)
        nu = nu_boundary(free_bias_problem, study.weights, study.mu) if study.mu < 1.0 else None
    except BadInput:
        # f grows linearly with <p - q, x>. It must be +1 where that product is r+, and -1 where it
        # is r-. At an early step r+ may not be larger than r-; then no such f exists.
        return study
    return replace(study, middle=middle, nu=nu)


def _common_to_steps(
    problem: Problem, factors: np.ndarray, mu: float, of_step: bool, search: bool
) -> HullStudy:
    """Return the fields of the study that are the same at all steps.

    If ``of_step``, the method works on hulls, so p and q depend on the step and are left out.
    Otherwise p and q are the nearest points of the hulls.
    """
    free_bias_problem = replace(problem, bias="free")
    result = separation(free_bias_problem, mu, exact=not of_step)
    meeting = result.separable is False or (result.separable is None and result.distance == 0.0)
    largest_mu = None
    is_searched = search and meeting and problem.n <= MAX_SEARCHED
    if is_searched and free_bias_problem.is_concave:
        largest_mu = largest_separating_mu(free_bias_problem)
    outlines = None
    if isinstance(problem.kernel, Linear) and problem.X.shape[1] == 2:
        outlines = outline(problem.X * factors, problem.y, mu)
    distance = 0.0 if meeting else result.distance
    study = HullStudy(mu, of_step, result.weights, distance, meeting, largest_mu, outlines)
    return study if of_step else with_nearest(study, problem, factors)


def outline(points: np.ndarray, labels: np.ndarray, mu: float) -> HullOutlines:
    """Return the convex and the reduced hulls of both classes; ``points`` have shape (n, 2)."""
    classes = points[labels < 0], points[labels > 0]
    whole = convex_hull(classes[0]), convex_hull(classes[1])
    if mu >= 1.0:
        return HullOutlines(whole, whole)
    return HullOutlines(whole, (reduced_hull(classes[0], mu), reduced_hull(classes[1], mu)))


def is_shown(document: Document, options: ViewOptions) -> bool:
    """Return whether the plane shows hulls. Only the hulls of a linear kernel lie in the plane."""
    if document.is_regression or options.hulls == "never":
        return False
    if not isinstance(document.kernel, Linear):
        return False
    is_always = options.hulls in ("always", HALF_PLANES)
    return is_always or any(isinstance(m, Hulls) for m in document.methods)
