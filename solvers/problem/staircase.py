"""The KKT staircase: a curve in the plane on which all points lie at the optimum.

At every optimum ``-beta_i`` is a slope of ``C loss(f(x_i))``, since the derivative of the
Lagrangian in f vanishes. A piecewise linear loss has a constant slope on each piece, and any slope
in between at a kink. So the pairs (f, beta) that are optimal form a staircase: horizontal on each
piece of the loss, vertical at each kink. A problem gives its corners (:attr:`Problem.kkt_corners`)
and the coordinates of its points (:meth:`Problem.kkt_coordinates`). The horizontal distance of a
point to the staircase equals its KKT violation, which :mod:`solvers.problem.certificate` computes.
"""

from __future__ import annotations

import itertools

import numpy as np


def nearest(corners: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return the abscissa at which each point would satisfy KKT with its alpha unchanged.

    Parameters
    ----------
    corners : array, shape (m, 2)
        Corners of the staircase in order; the first and the last may be infinite.
    places : array, shape (n, 2)
        Their second coordinates are clipped to the range of the staircase.

    Returns
    -------
    array, shape (n,)
        The first coordinate of the nearest point of the staircase with the same second coordinate.
    """
    x, levels = places.T
    low, high = corners[:, 1].min(), corners[:, 1].max()
    level = np.clip(levels, low, high)
    first, last = np.full(len(x), np.inf), np.full(len(x), -np.inf)
    for start, end in itertools.pairwise(corners):
        on = (min(start[1], end[1]) <= level) & (level <= max(start[1], end[1]))
        first = np.where(on, np.minimum(first, min(start[0], end[0])), first)
        last = np.where(on, np.maximum(last, max(start[0], end[0])), last)
    return np.clip(x, first, last)
