"""Convex hulls in the plane: of points, and of the difference set of two classes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from solvers.problem.expansion import freeze


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
