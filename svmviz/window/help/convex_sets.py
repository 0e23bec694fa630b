"""Sets in the plane: convex ones by their names, and one that is not convex."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

# Returns whether points (k, 2) are in a set, shape (k,).
Contains = Callable[[np.ndarray], np.ndarray]

# The part of the plane in which convex sets are shown: lower left and upper right corner.
BOX = np.array([[-2.55, -0.9], [-0.2, 0.9]])
CENTRE = BOX.mean(axis=0)
# Number of directions in which the edge of a set is searched, and of halvings of the search.
DIRECTIONS, HALVINGS = 1440, 40
# Number of points of an arc.
NODES = 120
# A point within this distance of a line is on it.
ON_LINE = 1e-9


@dataclass(frozen=True)
class PlaneSet:
    """A set in the plane.

    Attributes
    ----------
    outline : array, shape (m, 2)
        Corners of the part of the set that is shown.
    edge : array, shape (m + 1, 2)
        The outline as a closed curve, with NaN where the set continues beyond the part shown.
    contains : callable(array) -> array
    start : array, shape (2, 2)
        Two points of the set, the ends of the first segment.
    nearest : callable(array) -> array
        Returns the place of a point after it is dragged to a place (2,).
    """

    outline: np.ndarray
    edge: np.ndarray
    contains: Contains
    start: np.ndarray
    nearest: Callable[[np.ndarray], np.ndarray] = lambda place: place


def _from_inside(contains: Contains, centre: np.ndarray = CENTRE) -> PlaneSet:
    """Return a convex set with ``centre`` inside; its edge is searched in all directions."""
    angles = np.linspace(0.0, 2.0 * np.pi, DIRECTIONS, endpoint=False)
    rays = np.column_stack([np.cos(angles), np.sin(angles)])
    with np.errstate(divide="ignore"):
        far = np.maximum((BOX[0] - centre) / rays, (BOX[1] - centre) / rays).min(axis=1)
    low, high = np.zeros(DIRECTIONS), far.copy()
    goes_on = contains(centre + far[:, None] * rays)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        is_inside = contains(centre + middle[:, None] * rays)
        low, high = np.where(is_inside, middle, low), np.where(is_inside, high, middle)
    outline = centre + np.where(goes_on, far, low)[:, None] * rays
    edge = np.where(goes_on[:, None], np.nan, outline)
    start = centre + 0.7 * (outline[[DIRECTIONS * 5 // 8, DIRECTIONS // 10]] - centre)
    return PlaneSet(outline, np.vstack([edge, edge[:1]]), contains, start)


def _half_space(slope: tuple[float, float], bound: float) -> Contains:
    """Return the test of ``<a, x - centre> <= c``."""
    return lambda points: (points - CENTRE) @ np.array(slope) <= bound


def _all_of(*tests: Contains) -> Contains:
    return lambda points: np.all([test(points) for test in tests], axis=0)


def _ellipsoid(matrix: list[list[float]]) -> Contains:
    """Return the test of ``(x - centre)' A (x - centre) <= 1``."""
    return lambda points: (((points - CENTRE) @ np.array(matrix)) * (points - CENTRE)).sum(1) <= 1.0


def _ball(order: float) -> Contains:
    """Return the test of ``||x - centre||_p <= 0.8``."""
    return lambda points: np.linalg.norm(points - CENTRE, order, axis=1) <= 0.8


def _affine() -> PlaneSet:
    """Return a line."""
    normal, along = np.array([-0.6, 1.0]), np.array([1.0, 0.6])
    ends = CENTRE + np.outer([-1.17, 1.17], along)

    def nearest(place: np.ndarray) -> np.ndarray:
        return CENTRE + (place - CENTRE) @ along / (along @ along) * along

    def contains(points: np.ndarray) -> np.ndarray:
        return np.abs((points - CENTRE) @ normal) <= ON_LINE

    return PlaneSet(ends, ends, contains, CENTRE + np.outer([-0.7, 0.6], along), nearest)


# The apex of the cone of positive semi-definite matrices. The matrix (a b; b a) is shown at APEX +
# (a, b). Its eigenvalues are a + b and a - b.
APEX = np.array([BOX[0, 0] + 0.25, 0.0])


def _semidefinite(points: np.ndarray) -> np.ndarray:
    a, b = (points - APEX).T
    matrices = np.array([[a, b], [b, a]]).transpose(2, 0, 1)
    return np.linalg.eigvalsh(matrices)[:, 0] >= -1e-12


def crescent() -> PlaneSet:
    """Return a set that is not convex: a disc without a part that lies in another disc."""
    centre, radius = np.array([1.2, 0.0]), 0.85
    bite, bite_radius = np.array([1.65, 0.0]), 0.6
    # The x coordinate of the two points where the circles meet.
    x = 0.5 * (centre[0] + bite[0]) + (radius**2 - bite_radius**2) / (2 * (bite[0] - centre[0]))
    first, second = (np.arccos((x - c[0]) / r) for c, r in ((centre, radius), (bite, bite_radius)))
    angles = np.linspace(first, 2.0 * np.pi - first, NODES)
    outer = centre + radius * np.column_stack([np.cos(angles), np.sin(angles)])
    angles = np.linspace(2.0 * np.pi - second, second, NODES)
    inner = bite + bite_radius * np.column_stack([np.cos(angles), np.sin(angles)])

    def contains(points: np.ndarray) -> np.ndarray:
        in_disc = ((points - centre) ** 2).sum(axis=1) <= radius**2
        return in_disc & (((points - bite) ** 2).sum(axis=1) >= bite_radius**2)

    outline = np.vstack([outer, inner])
    start = np.array([[1.35, 0.72], [1.35, -0.72]])
    return PlaneSet(outline, np.vstack([outline, outline[:1]]), contains, start)


_HALF = _half_space((0.5, 1.0), 0.25)
_CORNERS = tuple(
    _half_space((float(np.cos(angle)), float(np.sin(angle))), bound)
    for angle, bound in ((0.2, 0.9), (1.3, 0.6), (2.6, 0.95), (3.9, 0.75), (5.1, 0.65))
)
# The convex sets: key, name, description, and the function that makes the set.
CONVEX_SETS: tuple[tuple[str, str, str, Callable[[], PlaneSet]], ...] = (
    ("ellipsoid", "Ellipsoid",
     "all x with ⟨x, A x⟩ ≤ 1, for a positive definite A, or moved",
     lambda: _from_inside(_ellipsoid([[0.8, -0.35], [-0.35, 1.7]]))),
    ("affine", "Affine set", "all x with ⟨a, x⟩ = c, here a line", _affine),
    ("half-space", "Half-space", "all x with ⟨a, x⟩ ≤ c, one side of a line",
     lambda: _from_inside(_HALF)),
    ("polyhedron", "Polyhedron", "the intersection of finitely many half-spaces",
     lambda: _from_inside(_all_of(*_CORNERS))),
    ("ball-1", "Norm ball, ‖x‖₁ = |x₁| + |x₂|", "all x with ‖x‖₁ ≤ r",
     lambda: _from_inside(_ball(1.0))),
    ("ball-2", "Norm ball, ‖x‖", "all x with ‖x‖ ≤ r, a disc", lambda: _from_inside(_ball(2.0))),
    ("ball-max", "Norm ball, ‖x‖∞ = max |xᵢ|", "all x with ‖x‖∞ ≤ r",
     lambda: _from_inside(_ball(np.inf))),
    ("psd", "PSD cone",
     "positive semi-definite matrices, here (a b; b a), with a to the right and b up: a ≥ |b|",
     lambda: _from_inside(_semidefinite, APEX + np.array([0.9, 0.0]))),
    ("intersection", "Intersection", "an ellipsoid, a disc and a half-space have this in common",
     lambda: _from_inside(_all_of(
         _ellipsoid([[0.8, -0.35], [-0.35, 1.7]]), _ball(2.0), _half_space((0.5, 1.0), 0.3)
     ))),
)  # fmt: skip
