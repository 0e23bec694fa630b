"""The state of coordinate ascent, its parameters and its working memory.

As in :mod:`solvers.methods.smo.smo` the variables are signed, ``beta_i = y_i alpha_i``.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from solvers.jit.signatures import Contiguous, Indices, Matrix, Vector
from solvers.kernels.rows import Rows

VISITED, OPTIMAL, STUCK, UNBOUNDED, COINCIDENT, UNREACHED, INSEPARABLE = range(7)
# Replaces 1 / k(x, x) if k(x, x) is not above 0. Finite, since its product with 0 must be 0.
HUGE_INVERSE = 1e300
# Indices into State.level and State.count.
WORST, CALM, DISTANCE = range(3)
STEPS, VALUES, SWEEP, POSITION, ACTIVE, SINCE_CHECK, MOVED, CODE, NEXT_CHECK = range(9)
EVENT = np.dtype([("i", "i4")])
Events = Annotated[np.ndarray, Contiguous(EVENT, 1)]
Order = Annotated[np.ndarray, Contiguous(np.uint32, 1)]


class State(NamedTuple):
    """The variables of coordinate ascent.

    Attributes
    ----------
    beta : float64 array, shape (n,)
    w : float64 array, shape (D,); ``sum_i beta_i z_i`` (linear kernel only)
    sums : float64 array, shape (n,); ``f(x_i)`` (empty for the linear kernel)
    order : uint32 array, shape (n,); the active points of this sweep come first
    level : float64 array, shape (3,); the largest violation of this sweep, the largest violation
        of a calm sweep, and the distance of the hulls if there is no hard margin
    count : int64 array, shape (9,); steps, kernel evaluations, sweeps done, position in the sweep,
        active points, visits since all points were checked, whether any of them changed alpha,
        stop code, and the step of the next check of separability
    """

    beta: Vector
    w: Vector
    sums: Vector
    order: Order
    level: Vector
    count: Indices


class Params(NamedTuple):
    """The settings, as passed to compiled code."""

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
    inverse : float64 array, shape (n,); ``1 / k(x_i, x_i)``, or HUGE_INVERSE
    f : float64 array, shape (n,); ``f(x_i)``, used when all points are checked
    table : float64 array, shape (n, D + 2); the data of a visit, contiguous in memory: ``y_i``,
        ``1 / k(x_i, x_i)``, and ``z_i = (1, x_i)``, padded with zeros to at least D = 3; 0
        replaces 1 if there is no bias (linear kernel only)
    """

    rows: Rows
    inverse: Vector
    f: Vector
    table: Matrix
