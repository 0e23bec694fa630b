"""The state of SMO, which is the same for every choice of the pair, and the arrays of its steps.

The mathematics is at the top of :mod:`solvers.methods.smo.smo`. In this module, N is the number of
dual variables, and a *point* means a dual variable with its row of X: in a regression each data
point appears twice, for alpha* and for alpha.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from solvers.jit.signatures import Contiguous, Indices, Vector
from solvers.kernels.kernel_rows import Rows

# Codes that say whether a run continues. MOVED: it continues. CHECK_DUE: it continues after the
# checks of SMO._check. NO_MOVE_IN_PASS: no point moved in a sweep over all points; F is recomputed
# to decide whether the run ends. The other codes end the run. OPTIMAL: the tolerance is met.
# STALLED: all possible moves are too small. UNBOUNDED: alpha grows without bound. COINCIDENT and
# INSEPARABLE are only for a hard margin: two points of different classes coincide, or the convex
# hulls of the classes meet.
MOVED, OPTIMAL, STALLED, UNBOUNDED, COINCIDENT, INSEPARABLE, NO_MOVE_IN_PASS, CHECK_DUE = range(8)
# More codes that end the run. INDEFINITE_OPTIMUM and INDEFINITE_RAY replace OPTIMAL and UNBOUNDED
# if the run found that K is not positive semi-definite (see ``indefinite`` in SCALARS). GAVE_UP
# means that the random choice made too many sweeps without a move.
INDEFINITE_OPTIMUM, INDEFINITE_RAY, GAVE_UP = 8, 9, 10

# The record of a step: the pair of variables, their beta after the step, and m and M before it.
EVENT = np.dtype(
    [("i", "i4"), ("j", "i4"), ("beta_i", "f8"), ("beta_j", "f8"), ("m", "f8"), ("M", "f8")]
)
PairEvent = Annotated[Any, EVENT]
PairEvents = Annotated[np.ndarray, Contiguous(EVENT, 1)]

# The scalars of a state.
SCALARS = np.dtype(
    [
        # m is the maximum of F over the active points whose beta can grow, M is the minimum of F
        # over the active points whose beta can shrink.
        ("m", "f8"),
        ("M", "f8"),
        # Bound on the rounding error of F, if F was recomputed after the last step; otherwise 0.
        ("F_error", "f8"),
        # For Platt's choice and the random choice: the threshold b (see threshold.py).
        ("b", "f8"),
        # Distance between the convex hulls of the classes, if they are inseparable.
        ("hull_distance", "f8"),
        ("steps", "i8"),
        # Kernel evaluations; cached values count too.
        ("evaluations", "i8"),
        # Step counts at which checks are due: next_shrink is for shrinking, next_margin_check for
        # the test of separability, and next_check is the smaller of these two.
        ("next_check", "i8"),
        ("next_shrink", "i8"),
        ("next_margin_check", "i8"),
        # How often shrunk (deactivated) points were reactivated because the active set was optimal.
        ("unshrinks", "i8"),
        # Why the run ended; MOVED before its end.
        ("stop_code", "i8"),
        # 1 if ``K_ii + K_jj - 2 K_ij`` was negative for some pair that moved, or ``beta' K beta``
        # was negative at a test of separability; otherwise 0.
        ("indefinite", "i8"),
        # For Platt's choice and the random choice: the next point of the current sweep, the kind of
        # this sweep (see platt.py), the number of its moves, and the number of earlier sweeps.
        ("sweep_position", "i8"),
        ("sweep_kind", "i8"),
        ("sweep_moves", "i8"),
        ("sweep", "i8"),
    ]
)
Scalars = Annotated[np.ndarray, Contiguous(SCALARS, 1)]


class State(NamedTuple):
    """Raw variables of SMO.

    Attributes
    ----------
    beta : float64 array, shape (N,)
    F : float64 array, shape (N,)
        ``target - K beta``, up to date for active points only.
    scalars : structured array, shape (1,); see :data:`SCALARS`
    active : uint8 array, shape (N,)
        1 for active points, 0 for shrunk points. Empty without shrinking.
    reference : float64 array, shape (N,)
        The beta with which F of the shrunk points was computed. Empty without shrinking.
    """

    beta: np.ndarray
    F: np.ndarray
    scalars: np.ndarray
    active: np.ndarray
    reference: np.ndarray


class Points(NamedTuple):
    """The active points in contiguous arrays, which loops process in vector registers.

    Without shrinking all points are active. The arrays have the length a, a multiple of
    :data:`solvers.jit.simd.PAD`: the active points come first, then points that cannot move.

    Attributes
    ----------
    scalars : structured array, shape (1,)
        The scalars of the state.
    diagonal, lower, upper, beta, F : float64 arrays, shape (a,)
    up_mask : float64 array, shape (a,)
        0 if beta can grow, otherwise -inf: the maximum of ``F + up_mask`` ignores these points.
    low_mask : float64 array, shape (a,)
        0 if beta can shrink, otherwise +inf: the minimum of ``F + low_mask`` ignores these points.
    gain : float64 array, shape (a,)
        Working memory for the second-order choice.
    order : int64 array, shape (number of active points,)
        Index of each active point in the problem.
    rows : Rows
        Coordinates of these points, and rows of their Gram matrix.
    """

    scalars: Scalars
    diagonal: Vector
    lower: Vector
    upper: Vector
    beta: Vector
    F: Vector
    up_mask: Vector
    low_mask: Vector
    gain: Vector
    order: Indices
    rows: Rows
