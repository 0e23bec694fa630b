"""Hulls in the plane: convex and reduced ones, difference sets, and the lines that support hulls.

The reduced hull of points x_i contains the means ``sum_i tau_i x_i`` with ``sum_i tau_i = 1`` and
``0 <= tau_i <= mu``; with ``mu = 1`` it is the convex hull. In a direction u its farthest corner is
the mean of the points with the largest ``<u, x_i>``. Each of them has weight mu, except that the
last one has the rest.

Let p and q be points of the hulls of class +1 and class -1, and ``u = (p - q) / ||p - q||``. The
hull of class +1 lies where ``<u, x> >= B+``, the smallest value on it, and the hull of class -1
where ``<u, x> <= B-``, the largest. The two lines ``<u, x> = B+`` and ``<u, x> = B-`` *support* the
hulls: they touch them. So the distance of the hulls, which is the width of the widest street, is
at least ``B+ - B-``; and it is at most ``||p - q||``. The three are equal if and only if p and q
are the nearest points of hulls that do not meet.

Sources: Crisp and Burges 1999 (reduced hulls); Bennett and Bredensteiner 2000 (supporting lines).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from solvers.problem.expansion import freeze

# Number of directions, evenly spread, in which the corners of a reduced hull are searched.
DIRECTIONS = 720


def convex_hull(points: np.ndarray) -> np.ndarray:
    """Return the corners of the convex hull of points (m, 2), counter-clockwise, shape (h, 2).

    The algorithm is Andrew's monotone chain. Points on an edge are not corners.
    """
    ordered = np.unique(points, axis=0)
    if len(ordered) < 3:
        return freeze(ordered)

    def chain(path: list[list[float]]) -> list[list[float]]:
        """Return half of the hull: the points where ``path`` turns left, without the last point.

        ``path`` has all points, sorted by x: ascending for the lower half of the hull, descending
        for the upper half.
        """
        corners: list[list[float]] = []
        for x, y in path:
            while len(corners) > 1:
                (ax, ay), (bx, by) = corners[-2:]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0.0:
                    break
                corners.pop()
            corners.append([x, y])
        return corners[:-1]

    path = ordered.tolist()
    return freeze(np.array(chain(path) + chain(path[::-1])))


def difference_hull(plus: np.ndarray, minus: np.ndarray) -> np.ndarray:
    """Return the corners of the hull of ``V = {x+ - x-}``, shape (h, 2).

    Parameters
    ----------
    plus, minus : arrays, shape (m, 2)
        Points of the two classes.
    """
    corners = convex_hull(plus)[:, None, :] - convex_hull(minus)[None, :, :]
    return convex_hull(corners.reshape(-1, 2))


@dataclass(frozen=True, eq=False)
class Nearest:
    """The point of the boundary of a convex polygon that is nearest to the origin.

    Attributes
    ----------
    point : array, shape (2,)
    distance : float
        Distance of the origin from the boundary; negative if the origin lies inside.
    direction : array, shape (2,), or None
        The unit vector u with the largest ``min_v <u, v>`` over the polygon, which is
        ``distance``. None if the point is the origin and a corner of the polygon.
    """

    point: np.ndarray
    distance: float
    direction: np.ndarray | None


def nearest_to_origin(corners: np.ndarray) -> Nearest:
    """Return the point of the boundary that is nearest to the origin.

    Parameters
    ----------
    corners : array, shape (h, 2), h >= 1
        Counter-clockwise, as from :func:`convex_hull`.
    """
    starts, ends = corners, np.roll(corners, -1, axis=0)
    edges = ends - starts
    squared = (edges**2).sum(axis=1)
    shares = np.clip(
        -(starts * edges).sum(axis=1) / np.where(squared > 0.0, squared, 1.0), 0.0, 1.0
    )
    points = starts + shares[:, None] * edges
    lengths = np.hypot(*points.T)
    k = int(lengths.argmin())
    point, length = points[k], float(lengths[k])
    inward = np.array([-edges[k, 1], edges[k, 0]]) / (math.sqrt(squared[k]) or 1.0)
    is_inside = len(corners) > 2 and bool(
        (edges[:, 0] * starts[:, 1] <= edges[:, 1] * starts[:, 0]).all()
    )
    if is_inside:
        return Nearest(freeze(point), -length, freeze(inward))
    if length > 0.0:
        return Nearest(freeze(point), length, freeze(point / length))
    return Nearest(freeze(point), 0.0, freeze(inward) if len(corners) == 2 else None)


@dataclass(frozen=True, eq=False)
class SupportingLines:
    """The lines that are perpendicular to ``p - q`` and touch the hulls of the two classes.

    Attributes
    ----------
    unit : array, shape (2,)
        ``u = (p - q) / ||p - q||``.
    distance : float
        ``||p - q||``, an upper bound on the distance of the hulls.
    high, low : float
        ``B+``, the smallest ``<u, x>`` on the hull of class +1, and ``B-``, the largest on the hull
        of class -1.
    """

    unit: np.ndarray
    distance: float
    high: float
    low: float

    @property
    def gap(self) -> float:
        """``B+ - B-``, a lower bound on the distance of the hulls; it may be negative."""
        return self.high - self.low


def supporting_lines(
    p: np.ndarray, q: np.ndarray, plus: np.ndarray, minus: np.ndarray, mu: float = 1.0
) -> SupportingLines | None:
    """Return the supporting lines of the hulls for the direction ``p - q``; None if ``p = q``.

    Parameters
    ----------
    p, q : arrays, shape (2,)
    plus, minus : arrays, shape (m, 2)
        Points of class +1 and of class -1.
    mu : float
        Cap on the weights; at least 1 / m for both classes.
    """
    distance = math.hypot(*(p - q))
    if not distance > 0.0:
        return None
    unit = freeze((p - q) / distance)
    high = -_largest_mean(-(plus @ unit), mu)
    return SupportingLines(unit, distance, high, _largest_mean(minus @ unit, mu))


def reduced_hull(points: np.ndarray, mu: float) -> np.ndarray:
    """Return the corners of ``{sum tau x: 0 <= tau <= mu, sum tau = 1}``, shape (h, 2).

    The farthest corner is found in each of ``DIRECTIONS`` directions. Corners of very short edges
    may be missed.

    Parameters
    ----------
    points : array, shape (m, 2)
    mu : float
        At least 1 / m.
    """
    spread = points.std(axis=0)
    # Directions are spread evenly in the plane that is scaled to standard deviation 1 along both
    # axes. Scaling the axes scales the hull too, so its corners are the same points.
    scaled = points / np.where(spread > 0.0, spread, 1.0)
    weights = _weights(len(points), mu)
    angles = np.linspace(0.0, 2.0 * np.pi, DIRECTIONS, endpoint=False)
    projections = scaled @ np.array([np.cos(angles), np.sin(angles)])
    farthest = np.argsort(-projections, axis=0, kind="stable")[: len(weights)]
    return convex_hull(np.einsum("k,kdc->dc", weights, points[farthest]))


def _largest_mean(projections: np.ndarray, mu: float) -> float:
    """Return the largest mean of numbers, shape (m,), whose weights are at most mu."""
    weights = _weights(len(projections), mu)
    rest = len(projections) - len(weights)
    return float(weights @ np.sort(np.partition(projections, rest)[rest:])[::-1])


def _weights(m: int, mu: float) -> np.ndarray:
    """Return the weights of the farthest of m points: each mu, and the last the rest."""
    full_count = min(math.floor(1.0 / mu + 1e-9), m)
    rest = max(0.0, 1.0 - full_count * mu)
    weights = np.full(full_count, mu)
    if full_count < m:
        weights = np.append(weights, rest)
    return weights / weights.sum()
