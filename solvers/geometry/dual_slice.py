"""The dual of a few points as a function of one or two of its variables.

With a free bias, one variable follows from the others, because ``sum_i y_i alpha_i = 0``. So the
dual of two points has one variable, and that of three points has two. For four points a slice is
used, in which the further variables are fixed. Without that condition there is one more variable.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from solvers.errors import BadInput
from solvers.problem.problem import Problem
from solvers.problem.quadratic_program import QuadraticProgram, quadratic_program

MAX_POINTS = 4


@dataclass(frozen=True, eq=False)
class DualSlice:
    """``D`` over the variables ``axes``; the others follow from them, or are fixed.

    Attributes
    ----------
    qp : QuadraticProgram
    y : array, shape (n,)
    axes : tuple of int
        One or two variables.
    dependent : int or None
        The variable that follows from ``sum_i y_i alpha_i = 0``; None without this condition.
    fixed : array, shape (n,)
        The alpha whose entries are used for all other variables.
    bounds : array, shape (n,)
        The upper bound of each variable, infinite for the hard margin.
    """

    qp: QuadraticProgram
    y: np.ndarray
    axes: tuple[int, ...]
    dependent: int | None
    fixed: np.ndarray
    bounds: np.ndarray

    def alphas(self, coordinates: np.ndarray) -> np.ndarray:
        """Return alpha, shape (m, n), at values of the variables ``axes``, shape (m, len(axes))."""
        coordinates = np.asarray(coordinates, dtype=np.float64).reshape(-1, len(self.axes))
        alpha = np.tile(self.fixed, (len(coordinates), 1))
        alpha[:, self.axes] = coordinates
        if self.dependent is not None:
            alpha[:, self.dependent] = 0.0
            alpha[:, self.dependent] = -self.y[self.dependent] * (alpha @ self.y)
        return alpha

    def values(self, coordinates: np.ndarray) -> np.ndarray:
        """Return D, shape (m,), also where alpha is not feasible."""
        alpha = self.alphas(coordinates)
        return -(0.5 * np.einsum("mi,ij,mj->m", alpha, self.qp.P, alpha) + alpha @ self.qp.q)

    def feasible(self, coordinates: np.ndarray, tolerance: float = 0.0) -> np.ndarray:
        """Return whether ``0 <= alpha_i <= C_i`` holds, shape (m,)."""
        alpha = self.alphas(coordinates)
        return np.all((alpha >= -tolerance) & (alpha <= self.bounds + tolerance), axis=1)

    def region(self, top: float) -> np.ndarray:
        """Return the corners of the feasible region, shape (m, 2) or (2, 1).

        ``top`` is the largest upper bound, also if C is infinite. The region may be empty, with no
        corners.
        """
        bounds = np.minimum(self.bounds, top)
        right = bounds[self.axes[0]]
        if len(self.axes) == 1:
            corners = np.array([[0.0], [right]])
        else:
            upper = bounds[self.axes[1]]
            corners = np.array([[0.0, 0.0], [right, 0.0], [right, upper], [0.0, upper]])
        if self.dependent is None:
            return corners
        for low in (True, False):
            limit = 0.0 if low else bounds[self.dependent]
            inside = self.alphas(corners)[:, self.dependent] - limit
            corners = _clip(corners, inside if low else -inside)
        return corners


def dual_slice(problem: Problem, alpha: np.ndarray) -> DualSlice:
    """Return the slice through an alpha, shape (n,).

    Raises
    ------
    BadInput
        If the problem is a regression, or has more than ``MAX_POINTS`` points.
    """
    if problem.task == "regression" or problem.n > MAX_POINTS:
        raise BadInput(f"The dual is drawn for a classification of at most {MAX_POINTS} points.")
    dependent = None
    if problem.bias == "free":
        # If a class has only one point, this point is taken: its alpha is the sum of the others.
        positive = np.flatnonzero(problem.y > 0)
        negative = np.flatnonzero(problem.y < 0)
        dependent = int((positive if len(positive) == 1 else negative)[-1])
    others = [i for i in range(problem.n) if i != dependent]
    qp = quadratic_program(problem)
    return DualSlice(qp, problem.y, tuple(others[:2]), dependent, alpha, problem.bounds)


def _clip(corners: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """Return the part of a convex polygon, or segment, where a linear function is at least 0.

    ``inside`` are its values at the corners (Sutherland and Hodgman 1974).
    """
    kept: list[np.ndarray] = []
    m = len(corners)
    is_segment = corners.shape[1] == 1
    for k in range(m):
        if inside[k] >= 0.0:
            kept.append(corners[k])
        following = (k + 1) % m
        if is_segment and following == 0:
            break
        if (inside[k] > 0.0) != (inside[following] > 0.0) and inside[k] != inside[following]:
            share = inside[k] / (inside[k] - inside[following])
            if 0.0 < share < 1.0:
                kept.append(corners[k] + share * (corners[following] - corners[k]))
    return np.array(kept).reshape(-1, corners.shape[1])


def region_top(C: float, largest: float) -> float:
    """Return the end of the axes of the variables: C; if C is infinite, more than the largest."""
    return C if math.isfinite(C) else 1.5 * max(largest, 1e-12)
