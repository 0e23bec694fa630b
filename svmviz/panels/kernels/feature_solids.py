"""The drawings of the Feature map panel in three dimensions: lifted points and grid, planes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import contourpy
import numpy as np

from solvers.kernels.feature_maps import FeatureMap
from solvers.run.beats import subscript
from svmviz.frames.frame import Lane
from svmviz.panels.kernels.plane_box import plane_box
from svmviz.panels.kernels.solid_view import CuttingPlane, Solid

# Number of lines of the plane's grid along each axis, which are lifted, and of points along each
# line.
GRID_LINES, LINE_POINTS = 11, 33
# Space around the points, as a fraction of their range.
MARGIN = 0.1
# Points whose range is a smaller share of that of the grid count as being at one height.
MIN_SHARE = 1e-3
# f is drawn from minus this number to this number, and cut off beyond.
MAX_HEIGHT = 2.5
# The grid of polar coordinates: numbers of circles around 0, of rays from 0, and of points along
# each.
CIRCLES, RAYS, POLAR_NODES = 6, 12, 97
# Colours of the levels of f by name in the theme, and the width of their lines.
LEVEL_COLOURS = {-1.0: "negative", 0.0: "text", 1.0: "positive"}
LEVEL_WIDTH = 2.5


Chosen = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class MappedLine:
    """A line of the plane, flat and where a map puts it, each of shape (m, 3)."""

    flat: np.ndarray
    up: np.ndarray
    colour: str = "line_strong"
    width: float = 1.0


@dataclass(frozen=True, eq=False)
class Lift:
    """Points and lines of the plane, flat and where a map puts them.

    Attributes
    ----------
    flat, up : array, shape (n, 3)
        The points.
    labels : array, shape (n,)
    lines : tuple of MappedLine
    planes : tuple of CuttingPlane
        The planes ``f = 0, 1, -1``; none if f depends on further coordinates of phi.
    names : tuple of str
        Names of the three axes.
    """

    flat: np.ndarray
    up: np.ndarray
    labels: np.ndarray
    lines: tuple[MappedLine, ...]
    planes: tuple[CuttingPlane, ...]
    names: tuple[str, str, str]

    def solid(self, share: float) -> Solid:
        """Return the drawing in which all is lifted by ``share``, from 0 (flat) to 1."""
        lines = [
            ((1.0 - share) * line.flat + share * line.up, line.colour, line.width)
            for line in self.lines
        ]
        places = (1.0 - share) * self.flat + share * self.up
        return Solid(places, self.labels, lines, self.planes if share == 1.0 else (), self.names)


def chosen_coordinates(feature_map: FeatureMap, wanted: Chosen | None = None) -> Chosen | None:
    """Return three coordinates that are not constant: ``wanted``, or the first three.

    Return None if there are fewer.
    """
    varying = feature_map.varying
    if wanted is not None and set(wanted) <= set(varying):
        return wanted
    return (varying[0], varying[1], varying[2]) if len(varying) >= 3 else None


def lift(lane: Lane, feature_map: FeatureMap, chosen: Chosen) -> Lift:
    """Return the points and the grid of the plane, flat and by three coordinates of phi."""
    problem = lane.problem
    places = np.concatenate([problem.X, *_grid(problem.X)])
    part = FeatureMap(tuple(feature_map.coordinates[k] for k in chosen))
    heights = part(places)
    middle, half = _box(heights, problem.n)
    low, high = plane_box(problem.X, MARGIN)
    flat = (places - 0.5 * (low + high)) / (0.5 * (high - low))
    names = tuple(f"φ{subscript(k + 1)}" for k in chosen)
    flat = np.column_stack([flat, np.full(len(flat), -1.0)])
    up, n = (heights - middle) / half, problem.n
    shape = -1, LINE_POINTS, 3
    grid = zip(flat[n:].reshape(shape), up[n:].reshape(shape), strict=True)
    return Lift(
        flat[:n],
        up[:n],
        problem.y,
        tuple(part for lines in grid for part in _inside(*lines)),
        _planes(lane, feature_map, chosen, middle, half),
        (names[0], names[1], names[2]),
    )


def polar(lane: Lane) -> tuple[Lift, tuple[float, float] | None]:
    """Return points, circles around 0, rays and levels of f, flat and by distance and angle.

    Also return the least and largest distance r of f = 0 from 0, in solver units; None if f = 0 is
    nowhere within reach of the points.
    """
    X = lane.problem.X
    reach = max(float(np.hypot(*X.T).max()) * (1.0 + MARGIN), 1e-9)

    def place(r: np.ndarray, angle: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        below = np.full(r.shape, -1.0)
        flat = np.column_stack([r * np.cos(angle) / reach, r * np.sin(angle) / reach, below])
        return flat, np.column_stack([2.0 * r / reach - 1.0, angle / np.pi, below])

    around, out = np.linspace(-np.pi, np.pi, POLAR_NODES), np.linspace(0.0, reach, POLAR_NODES)
    circles, rays = np.linspace(0.0, reach, CIRCLES + 1), np.linspace(-np.pi, np.pi, RAYS + 1)
    lines = [MappedLine(*place(np.full_like(around, r), around)) for r in circles]
    lines += [MappedLine(*place(out, np.full_like(out, angle))) for angle in rays]
    r, angle = np.meshgrid(out, around)
    nodes = np.column_stack([(r * np.cos(angle)).ravel(), (r * np.sin(angle)).ravel()])
    contours = contourpy.contour_generator(out, around, lane.expansion(nodes).reshape(r.shape))
    radii = []
    for level, colour in LEVEL_COLOURS.items():
        for line in map(np.asarray, contours.lines(level)):
            lines.append(MappedLine(*place(*line.T), colour, LEVEL_WIDTH))
            radii += [line[:, 0]] if level == 0.0 else []
    flat, up = place(np.hypot(*X.T), np.arctan2(X[:, 1], X[:, 0]))
    lifted = Lift(flat, up, lane.problem.y, tuple(lines), (), ("r", "θ", ""))
    if not radii:
        return lifted, None
    found = np.concatenate(radii)
    return lifted, (float(found.min()), float(found.max()))


def _planes(
    lane: Lane, feature_map: FeatureMap, chosen: Chosen, middle: np.ndarray, half: np.ndarray
) -> tuple[CuttingPlane, ...]:
    """Return the planes ``f = 0, 1, -1`` if phi has no coordinate besides the chosen ones."""
    others = set(range(len(feature_map.coordinates))) - set(chosen)
    if not feature_map.is_exact or others & set(feature_map.varying):
        return ()
    constants = sorted(others)
    phi = feature_map(lane.expansion.centered)
    w = lane.expansion.beta @ phi
    bias = lane.expansion.bias + float(w[constants] @ phi[0, constants])
    normal = w[list(chosen)] * half
    away = bias + float(w[list(chosen)] @ middle)
    if not np.abs(normal).max() > 0.0:
        return ()
    return tuple(
        CuttingPlane(normal, level - away, colour, opacity)
        for level, colour, opacity in (
            (0.0, "text", 0.18), (1.0, "positive", 0.12), (-1.0, "negative", 0.12),
        )
    )  # fmt: skip


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
    for level, contours in lane.field.contours.items():
        for contour in contours:
            points = contour / factors
            inside = ((points >= low) & (points <= high)).all(axis=1)
            for part in np.split(points, np.flatnonzero(np.diff(inside)) + 1):
                if len(part) > 1 and ((part >= low) & (part <= high)).all():
                    on_it = place(part, np.full(len(part), level))
                    lines.append((on_it, LEVEL_COLOURS[level], LEVEL_WIDTH))
    planes = (CuttingPlane(np.array([0.0, 0.0, 1.0]), 0.0, "text", 0.1),)
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


def _inside(flat: np.ndarray, up: np.ndarray) -> Iterator[MappedLine]:
    """Yield the parts of a line that are inside the box once they are lifted."""
    line, away = np.hstack([flat, up]), np.abs(up).max(axis=1)
    is_inside = away <= 1.0
    # Where the line leaves the box, it gets one more place.
    k = np.flatnonzero(is_inside[1:] != is_inside[:-1])
    share = ((1.0 - away[k]) / (away[k + 1] - away[k]))[:, None]
    line = np.insert(line, k + 1, line[k] + share * (line[k + 1] - line[k]), axis=0)
    is_inside = np.insert(is_inside, k + 1, True)
    ends = np.flatnonzero(is_inside[1:] != is_inside[:-1]) + 1
    for part in np.split(np.arange(len(line)), ends):
        if is_inside[part[0]]:
            yield MappedLine(line[part, :3], line[part, 3:])


def _box(heights: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the middle and half the range of each column, for the first n rows with some room.

    Beyond these, the points, the grid of the plane may go far up: the points would be low in a box
    of all. If the points are at one height, the box is that of all rows.
    """
    low, high = heights[:n].min(axis=0), heights[:n].max(axis=0)
    whole = 0.5 * np.ptp(heights, axis=0)
    half = (0.5 + MARGIN) * (high - low)
    half = np.where(half > MIN_SHARE * whole, half, whole)
    return 0.5 * (low + high), np.maximum(half, 1e-12)
