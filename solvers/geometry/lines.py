"""A line in the plane as a classifier of its own: distances, the gap of a direction, the margin.

A line is ``f(x) = <w, x> + b = 0``. Whether some line with the normal w separates the classes is
decided by the projections ``<u, x>`` of the points on the unit vector ``u = w / ||w||``: every
offset between ``B-(w) = max_{y=-1} <u, x>`` and ``B+(w) = min_{y=+1} <u, x>`` separates, and the
one in the middle has the largest margin, ``(B+ - B-) / 2``. If ``B+ < B-``, no line of this
direction separates, and the number is negative: half the width of the overlap.

The largest margin over all directions is half the distance of the origin from the hull of the
difference set ``V = {x+ - x-}``, since ``B+(w) - B-(w)`` is the smallest ``<u, v>`` of a v in V.

A set of functions *shatters* points if each of their ``2^n`` labelings is that of a function. Lines
shatter three points that are not on one line, and no four points: the VC dimension of lines in the
plane is 3 (Vapnik and Chervonenkis 1971). Of n points in general position they make
``2 sum_{i <= 2} binomial(n - 1, i)`` labelings (Cover 1965).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from solvers.geometry.plane_hulls import convex_hull, difference_hull, nearest_to_origin

# Margins up to this fraction of the largest coordinate are rounding.
MIN_MARGIN = 1e-9
# If a line has all points on one side, its distance from the nearest of them.
AWAY = 1.0


@dataclass(frozen=True)
class Line:
    """The function ``f(x) = <w, x> + b`` of points x in the plane.

    Attributes
    ----------
    w : (float, float)
        Not (0, 0).
    b : float
    """

    w: tuple[float, float]
    b: float

    def __call__(self, points: np.ndarray) -> np.ndarray:
        """Return f at points of shape (m, 2), shape (m,)."""
        return points @ self.w + self.b

    @property
    def norm(self) -> float:
        """``||w||``."""
        return math.hypot(*self.w)

    @cached_property
    def unit(self) -> np.ndarray:
        """``u = w / ||w||``, shape (2,)."""
        return np.array(self.w) / self.norm

    @property
    def offset(self) -> float:
        """``-b / ||w||``: ``<u, x>`` of the points of the line."""
        return -self.b / self.norm

    def distances(self, points: np.ndarray) -> np.ndarray:
        """Return the signed distances ``f(x) / ||w||`` of points (m, 2) from the line."""
        return self(points) / self.norm

    def feet(self, points: np.ndarray) -> np.ndarray:
        """Return the feet ``x - f(x) w / ||w||^2`` of the perpendiculars, shape (m, 2)."""
        return points - np.outer(self.distances(points), self.unit)

    def margin(self, points: np.ndarray, labels: np.ndarray) -> float:
        """Return ``min_i y_i f(x_i) / ||w||``; it is negative if the line errs."""
        return float((labels * self.distances(points)).min())


@dataclass(frozen=True)
class Gap:
    """The gap between the projections of two classes on a direction.

    Attributes
    ----------
    low, high : float
        ``B-``, the largest ``<u, x>`` of class -1, and ``B+``, the smallest of class +1.
    low_index, high_index : int
        The points whose projections are ``low`` and ``high``.
    """

    low: float
    high: float
    low_index: int
    high_index: int

    @property
    def margin(self) -> float:
        """Half the width of the gap; negative if the projections overlap."""
        return 0.5 * (self.high - self.low)

    @property
    def middle(self) -> float:
        """The offset of the line with the largest margin."""
        return 0.5 * (self.high + self.low)


def gap_of(direction: np.ndarray, points: np.ndarray, labels: np.ndarray) -> Gap:
    """Return the gap of a direction, which need not have length 1.

    Parameters
    ----------
    direction : array, shape (2,)
    points : array, shape (n, 2)
    labels : array, shape (n,)
        -1 and +1, both present.
    """
    projections = points @ (direction / math.hypot(*direction))
    low_index = int(np.where(labels < 0, projections, -math.inf).argmax())
    high_index = int(np.where(labels > 0, projections, math.inf).argmin())
    return Gap(float(projections[low_index]), float(projections[high_index]), low_index, high_index)


def margins_over_angles(
    points: np.ndarray, labels: np.ndarray, angles: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the largest margin of a line with the normal ``(cos t, sin t)``, for each angle t.

    Parameters
    ----------
    points : array, shape (n, 2)
    labels : array, shape (n,)
        -1 and +1, both present.
    angles : array, shape (m,)
        In radians.

    Returns
    -------
    forward, backward : arrays, shape (m,)
        ``(B+ - B-) / 2`` of the normal, and of the opposite normal, which exchanges the sides of
        the classes.
    """
    units = np.array([np.cos(angles), np.sin(angles)])
    # Only corners of the hulls can be the farthest points.
    plus, minus = (convex_hull(points[labels * side > 0]) @ units for side in (1, -1))
    forward = 0.5 * (plus.min(axis=0) - minus.max(axis=0))
    backward = 0.5 * (minus.min(axis=0) - plus.max(axis=0))
    return forward, backward


def widest_street(points: np.ndarray, labels: np.ndarray) -> Line | None:
    """Return the line whose margin is largest, scaled so that f is +1 and -1 at the nearest points.

    If no line separates the classes, the result is the line of least overlap, with ``||w|| = 1``.
    It is None if the hulls touch in such a way that no direction is better than all others, or if a
    class has no points.

    Parameters
    ----------
    points : array, shape (n, 2)
    labels : array, shape (n,)
    """
    plus, minus = points[labels > 0], points[labels < 0]
    if not len(plus) or not len(minus):
        return None
    nearest = nearest_to_origin(difference_hull(plus, minus))
    if nearest.direction is None:
        return None
    u = nearest.direction
    gap = gap_of(u, points, labels)
    norm = 1.0 / gap.margin if gap.margin > 0.0 else 1.0
    return Line((float(norm * u[0]), float(norm * u[1])), -norm * gap.middle)


def nearest_pair(points: np.ndarray, labels: np.ndarray) -> tuple[int, int] | None:
    """Return the points of different classes with the smallest distance: first of class +1.

    Parameters
    ----------
    points : array, shape (n, 2)
    labels : array, shape (n,)
    """
    plus, minus = np.flatnonzero(labels > 0), np.flatnonzero(labels < 0)
    if not len(plus) or not len(minus):
        return None
    # Imported here, since scipy.spatial takes a fifth of a second.
    from scipy.spatial import KDTree

    distances, neighbours = KDTree(points[minus]).query(points[plus])
    i = int(np.asarray(distances).argmin())
    return int(plus[i]), int(minus[np.asarray(neighbours)[i]])


def labelings(n: int) -> np.ndarray:
    """Return all labelings of n points, -1 or +1, shape (2^n, n): all -1 first, all +1 last."""
    bits = np.arange(2**n)[:, None] >> np.arange(n)[::-1] & 1
    return 2.0 * bits - 1.0


def separating_line(points: np.ndarray, labels: np.ndarray) -> Line | None:
    """Return a line with ``y_i f(x_i) > 0`` for all points, or None if there is none.

    It has the largest margin; if all labels are equal, it is a horizontal line below the points.

    Parameters
    ----------
    points : array, shape (n, 2), n >= 1
    labels : array, shape (n,)
    """
    if labels.min() == labels.max():
        side = float(labels[0])
        return Line((0.0, side), side * (AWAY - float(points[:, 1].min())))
    line = widest_street(points, labels)
    size = max(1.0, float(np.abs(points).max()))
    return line if line is not None and line.margin(points, labels) > MIN_MARGIN * size else None


def separating_lines(points: np.ndarray) -> list[Line | None]:
    """Return a line for each of the :func:`labelings` of points (n, 2) that a line makes."""
    tried = labelings(len(points))[::-1][: 2 ** (len(points) - 1)]
    half = [separating_line(points, labels) for labels in tried]
    # The opposite labeling is made by -f.
    opposite = [line and Line((-line.w[0], -line.w[1]), -line.b) for line in half]
    return opposite + half[::-1]
