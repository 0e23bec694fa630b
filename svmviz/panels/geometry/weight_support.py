"""The lines in the plane of weights that support P at a w, without Qt.

Here ``P(w) = min_b P(w, b)``, whose contours the panel shows. For a sub-gradient g of it at w,
``P(v) >= P(w) + <g, v - w>`` for all v. So P is at least ``P(w)`` on one side of the line through w
at a right angle to g: the line supports the set of all v with ``P(v) <= P(w)``. At a kink there are
many such lines.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from solvers import Problem
from solvers.problem.subgradients import subdifferential
from svmviz.panels.geometry.weight_space import best_bias


@dataclass(frozen=True, eq=False)
class WeightSupport:
    """The sub-gradients of P at w.

    Attributes
    ----------
    w : array, shape (2,)
    ends : array, shape (2, 2)
        Two sub-gradients; those between them are sub-gradients too. They are equal unless w is at a
        kink.
    """

    w: np.ndarray
    ends: np.ndarray

    @property
    def at_kink(self) -> bool:
        """Whether there is more than one sub-gradient."""
        size = 1e-9 * (1.0 + float(np.abs(self.ends).max()))
        return bool(np.abs(self.ends[1] - self.ends[0]).max() > size)

    def gradient(self, share: float) -> np.ndarray:
        """Return the sub-gradient at this share of the way between the two ends, shape (2,)."""
        return self.ends[0] + share * (self.ends[1] - self.ends[0])

    def share_towards(self, direction: np.ndarray) -> float:
        """Return the share whose sub-gradient is nearest to pointing in a direction (2,)."""
        shares = np.linspace(0.0, 1.0, 201)
        gradients = self.ends[0] + shares[:, None] * (self.ends[1] - self.ends[0])
        lengths = np.maximum(np.hypot(*gradients.T), 1e-300)
        return float(shares[(gradients @ direction / lengths).argmax()])


def support_at(problem: Problem, w: np.ndarray) -> WeightSupport | None:
    """Return the sub-gradients of ``min_b P(w, b)`` at w, shape (2,); None for the hard margin."""
    if problem.hard:
        return None
    b = (
        0.0
        if problem.bias == "none"
        else float(best_bias(problem, (w @ problem.centered.T)[None, :])[0])
    )
    corners = subdifferential(problem, w, b).corners(b_free=problem.bias != "none")[:, :2]
    if not len(corners):
        return None
    # With the kinks of two points the corners are the ends of a segment; otherwise a part of the
    # sub-gradients is shown, between the two that differ most.
    distances = np.hypot(*(corners[:, None, :] - corners[None, :, :]).transpose(2, 0, 1))
    first, second = np.unravel_index(int(distances.argmax()), distances.shape)
    return WeightSupport(w, corners[[first, second]])


def taken_at(problem: Problem, w: np.ndarray, b: float) -> np.ndarray:
    """Return the part for w of the sub-gradient that sub-gradient descent takes, shape (2,)."""
    return subdifferential(problem, w, b).base[:2]


def snapped(problem: Problem, w: np.ndarray, reach: float) -> np.ndarray:
    """Return the nearest w at a kink of P, if it is within ``reach`` of w; otherwise w.

    With a free bias the best b lies between two neighbours of the sorted numbers
    ``y_i - <w, x_i>``; the kink is where the two are equal.
    """
    jumps = problem.y - problem.centered @ w
    if problem.bias == "free":
        n_plus = int((problem.y > 0).sum())
        i, j = np.argsort(jumps)[[n_plus - 1, n_plus]]
        normal, level = problem.centered[j] - problem.centered[i], problem.y[j] - problem.y[i]
        place = _foot(w, normal, float(level))
    elif problem.bias == "none":
        feet = [_foot(w, x, y) for x, y in zip(problem.centered, problem.y, strict=True)]
        place = min(feet, key=lambda foot: math.dist(foot, w))
    else:
        return w
    return place if math.dist(place, w) <= reach else w


def _foot(w: np.ndarray, normal: np.ndarray, level: float) -> np.ndarray:
    """Return the point of the line ``<normal, v> = level`` nearest to w, or infinity."""
    square = float(normal @ normal)
    if square == 0.0:
        return np.full(2, np.inf)
    return w + (level - float(normal @ w)) / square * normal
