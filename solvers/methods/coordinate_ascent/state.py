"""The state of coordinate ascent, its parameters and its working memory.

As in :mod:`solvers.methods.smo.smo`, the variables have signs: ``beta_i = y_i alpha_i``. For the
linear kernel, point i has the features ``z_i = (1, x_i)``, or ``(0, x_i)`` without a bias, padded
with zeros to D >= 3 entries. Other kernels have no features: D = 0.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from solvers.jit.signatures import Contiguous, Matrix, Vector
from solvers.kernels.kernel_rows import Rows

# Stop codes. RUNNING: the run continues. OPTIMAL: the tolerance is met. STALLED: the violation is
# rounding error. The others are only for a hard margin. UNBOUNDED: alpha would overflow.
# COINCIDENT: two points of different classes coincide. MARGIN_TOO_SMALL: there is no margin, or it
# is so small that alpha would be huge. INSEPARABLE: the convex hulls of the classes meet.
RUNNING, OPTIMAL, STALLED, UNBOUNDED, COINCIDENT, MARGIN_TOO_SMALL, INSEPARABLE = range(7)
# Replaces 1 / k(x, x) if k(x, x) is not above 0, or if 1 / k(x, x) is larger. HUGE_INVERSE is
# finite, so that its product with a slope of 0 is 0.
HUGE_INVERSE = 1e300
# The scalars of a state.
SCALARS = np.dtype(
    [
        # The largest KKT violation at the points visited so far in this sweep.
        ("violation", "f8"),
        # If no violation in a sweep was above this number, all points are checked after the sweep,
        # also those that the sweep skipped. sweeps.end_sweep names other occasions of this check.
        ("check_below", "f8"),
        # Computed distance of the convex hulls of the classes, if the code is INSEPARABLE.
        ("hull_distance", "f8"),
        ("steps", "i8"),
        # Kernel evaluations; cached values count too.
        ("evaluations", "i8"),
        # Number of completed sweeps, and the position in the current sweep.
        ("sweep", "i8"),
        ("sweep_position", "i8"),
        # Number of active points: the sweep visits these and skips all others; see
        # sweeps.check_all.
        ("n_active", "i8"),
        # Since all points were last checked: the number of visits, and 1 if any of these visits
        # changed alpha, otherwise 0.
        ("visits_since_check", "i8"),
        ("has_moved", "i8"),
        # Why the run ended; RUNNING before its end.
        ("stop_code", "i8"),
        # Separability is checked next after this many steps.
        ("next_margin_check", "i8"),
    ]
)
# The record of a step: the visited point.
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
    """The settings for compiled code.

    The order is random if ``shuffled`` or ``uniform``: points are then drawn without or with
    replacement.
    """

    tol: float
    seed: int
    C: float
    hard: bool
    shuffled: bool
    uniform: bool
    shrinking: bool
    linear: bool


class Work(NamedTuple):
    """Working memory of the steps.

    Attributes
    ----------
    rows : Rows
    inverse : float64 array, shape (n,); ``1 / k(x_i, x_i)``, at most HUGE_INVERSE
    f : float64 array, shape (n,); ``f(x_i)``, written when all points are checked
    table : float64 array, shape (n, D + 2); for the linear kernel, the data of a visit: ``y_i``,
        ``1 / k(x_i, x_i)``, and the features z_i
    """

    rows: Rows
    inverse: Vector
    f: Vector
    table: Matrix
