"""A line of one's own: a separating line that the user lays through the plane, beside the model.

It is part of the document, so that it is saved, exported and undone; no run depends on it. It is
stored in data units and computed with in solver units, as the margins of the model are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from solvers import BadInput
from solvers.data.coordinates import MAX_COORDINATE
from solvers.geometry.lines import Line, gap_of

# What can be drawn with the line: key in scene files, label, and help.
PARTS = {
    "normal": ("Arrow w", "w, at a right angle to the line, in the direction in which f grows."),
    "street": ("Street", "The band up to the nearest points, and the margin τ of the line."),
    "best": ("Best street", "The widest street between the classes, in grey."),
    "parallels": (
        "Parallels",
        "A parallel of the line through every point; those through the last point of class −1 and "
        "the first of class +1 are strong: the gap lies between them.",
    ),
    "foot": ("Distance", "The perpendicular from the point under the mouse to the line."),
    "origin": (
        "Distance of the origin",
        "The perpendicular from the origin to the line, if the origin is in sight: |b| / ‖w‖.",
    ),
    "pair": (
        "Nearest pairs",
        "The two nearest points of different classes, and the two nearest points of the hulls.",
    ),
}
DEFAULT_PARTS = ("normal", "street", "best", "foot")


@dataclass(frozen=True)
class OwnLine:
    """The line ``f(x) = <w, x> + b = 0`` in data units.

    Attributes
    ----------
    w : (float, float)
        Points from class -1 to class +1.
    b : float
    parts : tuple of str
        What is drawn with the line, keys of PARTS.

    Raises
    ------
    BadInput
        If w is 0, a number is not finite, or a part is unknown.
    """

    w: tuple[float, float]
    b: float
    parts: tuple[str, ...] = DEFAULT_PARTS

    def __post_init__(self) -> None:
        size = math.hypot(*self.w)
        if not (math.isfinite(self.b) and math.isfinite(size) and size > 0.0):
            raise BadInput(f"A line needs finite w and b, with w not 0: got {self.w}, {self.b}.")
        if unknown := set(self.parts) - set(PARTS):
            raise BadInput(f"A line has the parts {', '.join(PARTS)}: got {min(unknown)!r}.")
        object.__setattr__(self, "parts", tuple(part for part in PARTS if part in self.parts))

    def in_solver_units(self, factors: np.ndarray) -> Line:
        """Return the same function of points divided by ``factors``, shape (2,)."""
        w = np.array(self.w) * factors
        return Line((float(w[0]), float(w[1])), self.b)

    def following(self, line: Line, factors: np.ndarray) -> OwnLine:
        """Return this line with w and b of another one, which is in solver units."""
        w = np.array(line.w) / factors
        return replace(self, w=(float(w[0]), float(w[1])), b=float(line.b))

    def scaled(self, kappa: float) -> OwnLine:
        """Return the line with ``(kappa w, kappa b)``: other values of f, the same line."""
        return replace(self, w=(kappa * self.w[0], kappa * self.w[1]), b=kappa * self.b)

    def switched(self, part: str, on: bool) -> OwnLine:
        """Return the line with a part drawn or not."""
        others = tuple(other for other in self.parts if other != part)
        return replace(self, parts=(*others, part) if on else others)


def canonical(line: Line, points: np.ndarray, labels: np.ndarray) -> Line:
    """Return the line scaled so that ``|f| = 1`` at the nearest points of a line that separates.

    For a line that does not separate, ``|f|`` is 1 on average. The line is unchanged if all points
    lie on it.

    Parameters
    ----------
    line : Line
    points : array, shape (n, 2)
    labels : array, shape (n,)
    """
    values = labels * line(points)
    size = float(values.min(initial=math.inf))
    if not 0.0 < size < math.inf:
        size = float(np.abs(values).mean()) if len(values) else line.norm
    if not size > 0.0:
        return line
    return Line((line.w[0] / size, line.w[1] / size), line.b / size)


def line_through(
    first: np.ndarray, second: np.ndarray, points: np.ndarray, labels: np.ndarray
) -> Line | None:
    """Return the line through two places, with w towards class +1; None if the places coincide.

    Parameters
    ----------
    first, second : arrays, shape (2,)
    points : array, shape (n, 2)
    labels : array, shape (n,)
        w is chosen such that the margin, or with one class the mean of y f, is larger.
    """
    along = np.asarray(second) - np.asarray(first)
    length = math.hypot(*along)
    if not 0.0 < length < MAX_COORDINATE:
        return None
    u = np.array([-along[1], along[0]]) / length
    line = Line((float(u[0]), float(u[1])), -float(u @ first))
    if len(labels):
        values = labels * line(points)
        towards = values.mean()
        if labels.min() < labels.max():
            towards = gap_of(u, points, labels).margin - gap_of(-u, points, labels).margin
        if towards < 0.0:
            line = Line((-line.w[0], -line.w[1]), -line.b)
    return canonical(line, points, labels)
