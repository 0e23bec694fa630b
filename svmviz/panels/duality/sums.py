"""The sum of which a model consists: the vectors of w, or the bumps of f along a cut."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers.kernels.feature_geometry import OffSpan, off_span
from solvers.problem.problem import Problem

# Maximum number of terms that are drawn: those with the largest coefficients.
MAX_TERMS = 200
# Places along the cut at which the terms are computed.
PLACES = 241
# Maximum number of points for which a direction off their span is computed.
MAX_SPAN = 400


@dataclass(frozen=True, eq=False)
class VectorSum:
    """``w = sum_i beta_i x_i`` as vectors, head to tail.

    Attributes
    ----------
    points : int array, shape (m,)
        Index of the point of each vector; those of class -1 come first.
    corners : array, shape (m + 1, 2)
        Where the vectors begin and end; the first is the origin.
    rest : array, shape (2,)
        The sum of the vectors that are not drawn.
    """

    points: np.ndarray
    corners: np.ndarray
    rest: np.ndarray

    @property
    def w(self) -> np.ndarray:
        """The sum of all vectors, shape (2,)."""
        return self.corners[-1] + self.rest


@dataclass(frozen=True, eq=False)
class BumpSum:
    """``f(x) = sum_i beta_i k(x_i, x) + b`` along a horizontal line of the plane.

    Attributes
    ----------
    points : int array, shape (m,)
        Index of the point of each term.
    places : array, shape (PLACES, d)
        Places along the cut.
    terms : array, shape (m, PLACES)
    total : array, shape (PLACES,)
        f, with all terms and b.
    """

    points: np.ndarray
    places: np.ndarray
    terms: np.ndarray
    total: np.ndarray

    @property
    def x(self) -> np.ndarray:
        """The first coordinate along the cut, shape (PLACES,)."""
        return self.places[:, 0]

    def without(self, indices: frozenset[int]) -> np.ndarray:
        """Return f without the terms of some points, shape (PLACES,)."""
        dropped = np.isin(self.points, list(indices))
        return self.total - self.terms[dropped].sum(axis=0)


def drawn_terms(problem: Problem, beta: np.ndarray) -> np.ndarray:
    """Return the indices of the points whose terms are drawn, class -1 first, shape (m,)."""
    points = np.flatnonzero(beta)
    if len(points) > MAX_TERMS:
        points = np.sort(points[np.argsort(-np.abs(beta[points]), kind="stable")[:MAX_TERMS]])
    return points[np.argsort(problem.sign[points], kind="stable")]


def vector_sum(problem: Problem, beta: np.ndarray) -> VectorSum:
    """Return the vectors whose sum is w; the problem has the linear kernel."""
    points = drawn_terms(problem, beta)
    vectors = beta[points, None] * problem.centered[points, :2]
    corners = np.concatenate([np.zeros((1, 2)), np.cumsum(vectors, axis=0)])
    others = np.setdiff1d(np.flatnonzero(beta), points)
    return VectorSum(points, corners, beta[others] @ problem.centered[others, :2])


def bump_sum(
    problem: Problem, beta: np.ndarray, bias: float, span: tuple[float, float], level: float
) -> BumpSum:
    """Return the terms of f along ``(x, level)``, x within ``span``, in solver units.

    ``bias`` is that at the problem's origin. In a regression the line of inputs itself is the cut,
    and ``level`` is not used.
    """
    points = drawn_terms(problem, beta)
    x = np.linspace(*span, PLACES)
    places = x[:, None] if problem.X.shape[1] == 1 else np.column_stack([x, np.full(PLACES, level)])
    X, kernel = problem.centered, problem.used_kernel
    at = places if problem.origin is None else places - problem.origin
    terms = beta[points, None] * kernel(X[points], at)
    others = np.setdiff1d(np.flatnonzero(beta), points)
    rest = beta[others] @ kernel(X[others], at) if len(others) else 0.0
    return BumpSum(points, places, terms, terms.sum(axis=0) + rest + bias)


@dataclass(frozen=True, eq=False)
class OffSpanStudy:
    """A direction off the span of a problem's points; ``direction`` is None if there is none."""

    problem: Problem
    direction: OffSpan | None


def study_off_span(problem: Problem, places: np.ndarray) -> OffSpanStudy:
    """Return a direction off the span of the points.

    Parameters
    ----------
    problem : Problem
    places : array, shape (m, d)
        Places where the direction must be visible: those along the cut.
    """
    # After a change of the task, the places may still be those of the document before.
    is_suited = places.shape[1] == problem.X.shape[1] and problem.n <= MAX_SPAN
    has_phi = problem.kernel.mercer and is_suited
    return OffSpanStudy(problem, off_span(problem.kernel, problem.X, places) if has_phi else None)
