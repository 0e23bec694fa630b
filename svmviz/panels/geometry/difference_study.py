"""The difference set of the two classes at a step: its hull, the origin, and p - q."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers.geometry.plane_hulls import Nearest, difference_hull, nearest_to_origin
from solvers.problem.expansion import freeze
from solvers.problem.problem import Problem
from svmviz.plane.hull_study import HullOutlines, HullStudy

# Maximum number of differences that are drawn, in 4 ms. Of more, a random choice is drawn.
MAX_DRAWN = 1000


@dataclass(frozen=True, eq=False)
class DifferenceSet:
    """What the differences ``x+ - x-`` have at all steps in common, in solver units.

    Attributes
    ----------
    count : int
        Number of all pairs of points of different classes.
    pairs : array, shape (m, 2)
        The pairs that are drawn: indices of the point of class +1 and of the point of class -1.
    differences : array, shape (m, 2)
        ``x+ - x-`` of these pairs.
    whole, reduced : arrays, shape (h, 2)
        Corners of the hull of all differences, and of the difference of the reduced hulls. Both are
        the same array if the cap is 1.
    nearest : Nearest
        The point of the boundary of ``reduced`` that is nearest to the origin.
    """

    count: int
    pairs: np.ndarray
    differences: np.ndarray
    whole: np.ndarray
    reduced: np.ndarray
    nearest: Nearest


@dataclass(frozen=True, eq=False)
class DifferenceStudy:
    """The difference set, and the hulls at one step of one lane.

    Attributes
    ----------
    hulls : HullStudy
    set : DifferenceSet
    difference : array, shape (2,), or None
        ``p - q`` in solver units; None if p and q do not exist yet.
    """

    hulls: HullStudy
    set: DifferenceSet
    difference: np.ndarray | None


def difference_study(
    hulls: HullStudy, found: DifferenceSet, factors: np.ndarray
) -> DifferenceStudy:
    """Return the study of the hulls at a step, whose difference set is ``found``."""
    difference = None
    if hulls.p is not None and hulls.q is not None:
        # Of hulls that meet, p and q are one point but for rounding.
        difference = freeze(np.zeros(2) if hulls.meeting else (hulls.p - hulls.q) / factors)
    return DifferenceStudy(hulls, found, difference)


def difference_set(problem: Problem, outlines: HullOutlines, factors: np.ndarray) -> DifferenceSet:
    """Return the difference set of a problem in the plane.

    Parameters
    ----------
    problem : Problem
        Its points have shape (n, 2), and both classes have points.
    outlines : HullOutlines
        The hulls, in data units.
    factors : array, shape (2,)
        Data units per solver unit.
    """
    plus, minus = np.flatnonzero(problem.y > 0), np.flatnonzero(problem.y < 0)
    count = len(plus) * len(minus)
    chosen = np.arange(count)
    if count > MAX_DRAWN:
        # A random choice, since an even one could draw a pattern. It is the same every time.
        chosen = np.unique(np.random.default_rng(0).integers(0, count, MAX_DRAWN))
    pairs = np.column_stack([plus[chosen // len(minus)], minus[chosen % len(minus)]])
    differences = problem.X[pairs[:, 0]] - problem.X[pairs[:, 1]]
    whole = _hull(outlines.whole, factors)
    is_reduced = outlines.reduced is not outlines.whole
    reduced = _hull(outlines.reduced, factors) if is_reduced else whole
    return DifferenceSet(
        count, freeze(pairs), freeze(differences), whole, reduced, nearest_to_origin(reduced)
    )


def _hull(outlines: tuple[np.ndarray, np.ndarray], factors: np.ndarray) -> np.ndarray:
    """Return the corners of the difference of two hulls, first of class -1, in solver units."""
    minus, plus = (corners / factors for corners in outlines)
    return difference_hull(plus, minus)
