"""What the Feature map panel draws in three dimensions: lifted points, the lifted grid, planes."""

from __future__ import annotations

import numpy as np

from solvers.kernels.feature_maps import FeatureMap
from svmviz.frames.frame import Lane
from svmviz.panels.kernels.plane_box import plane_box
from svmviz.panels.kernels.solid_view import Plane, Solid

# Lines of the plane's own grid that are lifted, and points along each.
GRID_LINES, LINE_POINTS = 11, 33
# Space around the points, as a fraction of their range.
MARGIN = 0.1
# f is drawn from minus this number to this number, and cut off beyond.
MAX_HEIGHT = 2.5


def chosen_coordinates(feature_map: FeatureMap) -> tuple[int, int, int] | None:
    """Return the first three coordinates that are not constant; None if there are fewer."""
    varying = [k for k, c in enumerate(feature_map.coordinates) if "x" in c.letters]
    return (varying[0], varying[1], varying[2]) if len(varying) >= 3 else None


def lifted(
    lane: Lane, feature_map: FeatureMap, chosen: tuple[int, int, int], share: float
) -> Solid:
    """Return the points and the grid of the plane, lifted by ``share``, from 0 (flat) to 1.

    If phi has no further coordinate, the planes ``f = -1, 0, 1`` are drawn as well.
    """
    problem = lane.problem
    grid = _grid(problem.X)
    heights = feature_map(np.concatenate([problem.X, *grid]))[:, chosen]
    middle, half = _box(heights)
    low, high = plane_box(problem.X, MARGIN)
    flat_middle, flat_half = 0.5 * (low + high), 0.5 * (high - low)

    def place(points: np.ndarray) -> np.ndarray:
        up = (feature_map(points)[:, chosen] - middle) / half
        flat = np.column_stack([(points - flat_middle) / flat_half, np.full(len(points), -1.0)])
        return (1.0 - share) * flat + share * up

    lines = [(place(line), "line_strong", 1.0) for line in grid]
    planes: tuple[Plane, ...] = ()
    others = [k for k in range(len(feature_map.coordinates)) if k not in chosen]
    constants = [k for k in others if "x" not in feature_map.coordinates[k].letters]
    if share == 1.0 and feature_map.is_exact and len(constants) == len(others):
        phi = feature_map(problem.X)
        w = lane.expansion.beta @ phi
        bias = lane.expansion.bias + float(w[constants] @ phi[0, constants])
        normal = w[list(chosen)] * half
        away = bias + float(w[list(chosen)] @ middle)
        if np.abs(normal).max() > 0.0:
            planes = tuple(
                Plane(normal, level - away, colour, opacity)
                for level, colour, opacity in (
                    (0.0, "text", 0.18), (1.0, "positive", 0.12), (-1.0, "negative", 0.12),
                )
            )  # fmt: skip
    names = tuple(f"φ{k + 1}" for k in chosen)
    return Solid(place(problem.X), problem.y, lines, planes, (names[0], names[1], names[2]))


def surface(lane: Lane, factors: np.ndarray) -> Solid:
    """Return ``z = f(x)`` over the plane, with its levels -1, 0 and 1 and the points on it.

    ``factors``, shape (2,), are data units per solver unit.
    """
    X, f = lane.problem.X, lane.expansion
    low, high = plane_box(X, MARGIN)
    middle, half = 0.5 * (low + high), 0.5 * (high - low)

    def place(points: np.ndarray, heights: np.ndarray) -> np.ndarray:
        height = np.clip(heights, -MAX_HEIGHT, MAX_HEIGHT) / MAX_HEIGHT
        return np.column_stack([(points - middle) / half, height])

    lines = [(place(line, f(line)), "line_strong", 1.0) for line in _grid(X)]
    colours = {-1.0: "negative", 0.0: "text", 1.0: "positive"}
    for level, contours in lane.field.contours.items():
        for contour in contours:
            points = contour / factors
            inside = ((points >= low) & (points <= high)).all(axis=1)
            for part in np.split(points, np.flatnonzero(np.diff(inside)) + 1):
                if len(part) > 1 and ((part >= low) & (part <= high)).all():
                    on_it = place(part, np.full(len(part), level))
                    lines.append((on_it, colours[level], 2.5))
    planes = (Plane(np.array([0.0, 0.0, 1.0]), 0.0, "text", 0.1),)
    return Solid(
        place(X, lane.certificate.decision), lane.problem.y, lines, planes, ("x₁", "x₂", "f")
    )


def _grid(X: np.ndarray) -> list[np.ndarray]:
    """Return lines of the plane, each of shape (LINE_POINTS, 2)."""
    low, high = plane_box(X, MARGIN)
    along = np.linspace(low, high, LINE_POINTS)
    at = np.linspace(low, high, GRID_LINES)
    across = [np.column_stack([along[:, 0], np.full(LINE_POINTS, y)]) for y in at[:, 1]]
    up = [np.column_stack([np.full(LINE_POINTS, x), along[:, 1]]) for x in at[:, 0]]
    return [*across, *up]


def _box(heights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the middle and half the range of each column."""
    low, high = heights.min(axis=0), heights.max(axis=0)
    return 0.5 * (low + high), np.maximum(0.5 * (high - low), 1e-12)
