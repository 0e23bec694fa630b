"""The user's line: a separating line, laid by the user through the plane, beside the model.

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
from solvers.settings import Checked, setting


@dataclass(frozen=True)
class LineParts(Checked):
    """Parts that are drawn with the line."""

    normal: bool = setting(
        True,
        "Arrow w",
        "Draw w: at a right angle to the line, in the direction in which f grows.",
    )
    street: bool = setting(True, "Street", "Draw the band up to the nearest points: 2 ρ wide.")
    best: bool = setting(True, "Best street", "Draw the widest street between the classes in grey.")
    foot: bool = setting(
        True,
        "Distance at the mouse",
        "Draw the perpendicular from the point under the mouse to the line.",
    )
    origin: bool = setting(
        False,
        "Distance of the origin",
        "Draw the perpendicular from the origin to the line, if the origin is in sight.",
    )
    parallels: bool = setting(
        False,
        "Parallels",
        "Draw a parallel through each point. Those through the last point of class −1 and the "
        "first of class +1 are strong: the gap is between them.",
    )
    pair: bool = setting(
        False,
        "Nearest pairs",
        "Join the two nearest points of different classes (dotted) and the two nearest points of "
        "the hulls.",
    )


@dataclass(frozen=True)
class UserLine:
    """The line ``f(x) = <w, x> + b = 0`` in data units.

    Attributes
    ----------
    w : (float, float)
        The normal vector, which points from class -1 to class +1.
    b : float
    parts : LineParts

    Raises
    ------
    BadInput
        If w is 0, or a number is not finite.
    """

    w: tuple[float, float]
    b: float
    parts: LineParts = LineParts()

    def __post_init__(self) -> None:
        size = math.hypot(*self.w)
        if not (math.isfinite(self.b) and math.isfinite(size) and size > 0.0):
            raise BadInput(f"A line needs finite w and b, with w not 0: got {self.w}, {self.b}.")

    def in_solver_units(self, factors: np.ndarray) -> Line:
        """Return the same function of points divided by ``factors``, shape (2,)."""
        w = np.array(self.w) * factors
        return Line((float(w[0]), float(w[1])), self.b)

    def following(self, line: Line, factors: np.ndarray) -> UserLine:
        """Return this line with w and b of another one, which is in solver units."""
        w = np.array(line.w) / factors
        return replace(self, w=(float(w[0]), float(w[1])), b=float(line.b))

    def shifted(self, offset: np.ndarray) -> UserLine:
        """Return the line shifted by an offset in data units, shape (2,)."""
        return replace(self, b=self.b - float(np.dot(self.w, offset)))

    def turned(self, centre: np.ndarray, angle: float, factors: np.ndarray) -> UserLine:
        """Return the line turned about a place on it, counterclockwise in solver units.

        Parameters
        ----------
        centre : array, shape (2,)
            In data units.
        angle : float
            In radians. ``||w||`` stays in solver units.
        factors : array, shape (2,)
        """
        line = self.in_solver_units(factors)
        cos, sin = math.cos(angle), math.sin(angle)
        w = (cos * line.w[0] - sin * line.w[1], sin * line.w[0] + cos * line.w[1])
        return self.following(Line(w, -float(np.dot(w, centre / factors))), factors)

    def scaled(self, kappa: float) -> UserLine:
        """Return the line with ``(kappa w, kappa b)``: other values of f, the same line."""
        return replace(self, w=(kappa * self.w[0], kappa * self.w[1]), b=kappa * self.b)


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
        They determine the sign of w. With two classes it is the sign with the larger margin, with
        one class the sign with the larger mean of y f.
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


def line_between_means(points: np.ndarray, labels: np.ndarray) -> Line:
    """Return the bisector of the means of the two classes, a first guess at a separating line.

    If there are no two different means, return the vertical line through the mean of all points.
    """
    centre, w = np.zeros(2), np.array([1.0, 0.0])
    if len(points):
        centre = points.mean(axis=0)
    if len(labels) and labels.min() < labels.max():
        plus, minus = (points[labels * side > 0].mean(axis=0) for side in (1, -1))
        centre = 0.5 * (plus + minus)
        w = plus - minus if math.hypot(*(plus - minus)) > 0.0 else w
    line = Line((float(w[0]), float(w[1])), -float(w @ centre))
    return canonical(line, points, labels)
