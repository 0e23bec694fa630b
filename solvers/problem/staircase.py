"""Optimality of the points as a picture: a staircase on which all of them lie at the optimum.

``-beta_i`` is a slope of ``C loss(f(x_i))`` at every optimum (the derivative of the Lagrangian in
f vanishes). Losses of straight pieces have slopes that are constant but for jumps at their kinks,
so the places that this allows form a staircase: flat on each piece, upright at each kink. A
problem gives its corners (:attr:`Problem.corners`) and the places of its points
(:meth:`Problem.place`). Level with a point, its distance to the staircase equals its KKT violation,
which :mod:`solvers.problem.certificate` computes.
"""

from __future__ import annotations

import itertools

import numpy as np


def nearest(corners: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Where on the staircase a point would be right without a change of its alpha.

    Parameters
    ----------
    corners : array, shape (m, 2)
        Corners of the staircase in order; the first and the last may be infinite.
    places : array, shape (n, 2)
        Levels outside of the staircase count as its nearest one.

    Returns
    -------
    array, shape (n,)
        The first coordinate of the nearest place of the staircase on the same level.
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
