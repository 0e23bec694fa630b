"""The KKT conditions of the optimum: as variables that may rise or fall, and as a staircase.

For variable v of the dual (:class:`solvers.problem.problem.DualForm`), let
``E_v = f(x_v) - target_v``. The variable may rise if ``beta_v < upper_v``, and may fall if
``beta_v > lower_v``. At the optimum there is a b such that ``E_v >= 0`` for every variable that may
rise and ``E_v <= 0`` for every variable that may fall. Differences of E do not depend on b.

The *KKT staircase* is a curve on which the pairs (f(x_i), beta_i) of all points lie at the optimum.
There ``-beta_i`` is a subgradient of ``C loss`` at f(x_i), since the derivative of the
Lagrangian in f vanishes. A piecewise linear loss has a constant slope on each piece, and at a kink
its subgradients are the slopes between those of the two pieces. So the optimal pairs (f, beta) lie
on a staircase: horizontal on each piece of the loss, vertical at each kink. A problem returns the
corners of its staircase (:attr:`Problem.kkt_corners`) and the coordinates of its points
(:meth:`Problem.kkt_coordinates`). To have one staircase for all points, classification uses the
coordinates ``(y f, alpha)``, and regression ``(y - f, beta)``. The horizontal distance of a point
to the staircase equals its KKT violation, which :mod:`solvers.problem.certificate` computes.
"""

from __future__ import annotations

import itertools

import numpy as np

from solvers.problem.problem import Problem


def errors(problem: Problem, decision: np.ndarray) -> np.ndarray:
    """Return ``E = f - target`` of each variable, shape (N,), from f at the points, shape (n,)."""
    return problem.to_variables(decision) - problem.target


def may_rise(problem: Problem, beta: np.ndarray) -> np.ndarray:
    """Return which variables may rise, bool, shape (N,); ``beta`` has the variables, shape (N,)."""
    return beta < problem.dual_form.upper


def may_fall(problem: Problem, beta: np.ndarray) -> np.ndarray:
    """Return which variables may fall, bool, shape (N,); ``beta`` has the variables, shape (N,)."""
    return beta > problem.dual_form.lower


def is_free(problem: Problem, beta: np.ndarray) -> np.ndarray:
    """Return which variables are free: those that may rise and may fall, bool, shape (N,)."""
    return may_rise(problem, beta) & may_fall(problem, beta)


def nearest(corners: np.ndarray, coordinates: np.ndarray) -> np.ndarray:
    """Return the first coordinate of each point after a horizontal move to the staircase.

    Parameters
    ----------
    corners : array, shape (m, 2)
        Corners of the staircase in order; the first and the last may be infinite.
    coordinates : array, shape (n, 2)
        Coordinates of the points. The second is clipped to the range of the staircase.

    Returns
    -------
    array, shape (n,)
        For each point, the first coordinate of the nearest point of the staircase at the same
        height. If f were changed to this coordinate, the point would satisfy KKT with its present
        beta.
    """
    x, levels = coordinates.T
    low, high = corners[:, 1].min(), corners[:, 1].max()
    level = np.clip(levels, low, high)
    first, last = np.full(len(x), np.inf), np.full(len(x), -np.inf)
    for start, end in itertools.pairwise(corners):
        reaches_level = (min(start[1], end[1]) <= level) & (level <= max(start[1], end[1]))
        first = np.where(reaches_level, np.minimum(first, min(start[0], end[0])), first)
        last = np.where(reaches_level, np.maximum(last, max(start[0], end[0])), last)
    return np.clip(x, first, last)
