"""What coordinate ascent keeps: its state, its settings as numbers, its working memory.

As in :mod:`solvers.methods.smo.smo` the variables are signed, ``beta_i = y_i alpha_i``.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from solvers.jit.signatures import Contiguous, Indices, Matrix, Vector
from solvers.kernels.rows import Rows

VISITED, OPTIMAL, STUCK, UNBOUNDED, COINCIDENT, UNREACHED, INSEPARABLE = range(7)
# Stands for 1 / k(x, x) where that is not above 0. Finite, since 0 times it has to be 0.
ENDLESS = 1e300
# Places in State.level and State.count.
WORST, CALM, DISTANCE = range(3)
STEPS, VALUES, SWEEP, PLACE, ACTIVE, SINCE, MOVED, CODE, ASK = range(9)
EVENT = np.dtype([("i", "i4")])
Events = Annotated[np.ndarray, Contiguous(EVENT, 1)]
Order = Annotated[np.ndarray, Contiguous(np.uint32, 1)]


class State(NamedTuple):
    """Raw variables of coordinate ascent.

    Attributes
    ----------
    beta : float64 array, shape (n,)
    w : float64 array, shape (D,); ``sum_i beta_i z_i`` (linear kernel only)
    sums : float64 array, shape (n,); ``f(x_i)`` (empty for the linear kernel)
    order : int32 array, shape (n,); the points of this sweep come first, as many as are active
    level : float64 array, shape (3,); the largest violation of this sweep, up to where a sweep
        looks calm, and how near the hulls were found to be where there is no hard margin
    count : int64 array, shape (9,); steps, kernel values asked for, sweeps done, place in the
        sweep, active points, visits since all points were looked at, whether any of them moved
        something, the reason to stop, and the step to ask for separability after
    """

    beta: Vector
    w: Vector
    sums: Vector
    order: Order
    level: Vector
    count: Indices


class Rule(NamedTuple):
    """The settings as compiled code takes them."""

    tol: float
    seed: int
    C: float
    hard: bool
    shuffled: bool
    shrinking: bool
    linear: bool


class Work(NamedTuple):
    """Working memory of the steps.

    Attributes
    ----------
    rows : Rows
    inverse : float64 array, shape (n,); ``1 / k(x_i, x_i)``, or ENDLESS
    f : float64 array, shape (n,); ``f(x_i)`` when all points are looked at
    table : float64 array, shape (n, D + 2); what a visit needs of a point, side by side in memory:
        ``y_i``, ``1 / k(x_i, x_i)``, and ``z_i = (1, x_i)``, filled up with zeros to D = 3 at
        least; for 1 stands 0 where there is no bias (linear kernel only)
    """

    rows: Rows
    inverse: Vector
    f: Vector
    table: Matrix
