"""The state of coordinate ascent, its parameters and its working memory.

As in :mod:`solvers.methods.smo.smo` the variables are signed, ``beta_i = y_i alpha_i``.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from solvers.jit.signatures import Contiguous, Matrix, Vector
from solvers.kernels.kernel_rows import Rows

# Stop codes. MARGIN_TOO_SMALL: the margin, if there is one, is too small for a finite alpha.
RUNNING, OPTIMAL, STALLED, UNBOUNDED, COINCIDENT, MARGIN_TOO_SMALL, INSEPARABLE = range(7)
# Replaces 1 / k(x, x) if k(x, x) is not above 0. Finite, since its product with 0 must be 0.
HUGE_INVERSE = 1e300
# The numbers of a state.
SCALARS = np.dtype(
    [
        # The largest violation in this sweep.
        ("violation", "f8"),
        # A sweep without a larger violation is followed by a check of all points.
        ("check_below", "f8"),
        # Distance between the convex hulls of the classes, if they are inseparable.
        ("hull_distance", "f8"),
        ("steps", "i8"),
        # Kernel evaluations; cached values count too.
        ("evaluations", "i8"),
        # Sweeps done, and the position in this one.
        ("sweep", "i8"),
        ("sweep_position", "i8"),
        # Number of active points.
        ("n_active", "i8"),
        # Visits since all points were checked, and whether one of them changed alpha: 0 or 1.
        ("visits_since_check", "i8"),
        ("has_moved", "i8"),
        # Why the run ended, or RUNNING.
        ("stop_code", "i8"),
        # The step before which separability is tested next.
        ("next_margin_check", "i8"),
    ]
)
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
    scalars : structured array, shape (1,); see :data:`SCALARS`
    """

    beta: Vector
    w: Vector
    sums: Vector
    order: Order
    scalars: Annotated[np.ndarray, Contiguous(SCALARS, 1)]


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
