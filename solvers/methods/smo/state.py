"""What SMO keeps, whatever the choice of the pair: its state, and the points in play.

The mathematics is at the top of :mod:`solvers.methods.smo.smo`.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from solvers.jit.signatures import Contiguous, Indices, Matrix, Vector
from solvers.kernels.rows import Rows

# What a step ends with. MOVED asks for more; DUE asks for a look between two steps (settle).
MOVED, OPTIMAL, STUCK, UNBOUNDED, COINCIDENT, INSEPARABLE, PASSED, DUE = range(8)
INDEFINITE_OPTIMUM, INDEFINITE_RAY, IDLE = 8, 9, 10
EVENT = np.dtype(
    [("i", "i4"), ("j", "i4"), ("beta_i", "f8"), ("beta_j", "f8"), ("m", "f8"), ("M", "f8")]
)
PairEvent = Annotated[Any, EVENT]
PairEvents = Annotated[np.ndarray, Contiguous(EVENT, 1)]
# Places in State.level: m, M, rounding that a fresh F found between them, b of Platt's kind,
# distance of the classes' hulls.
BEST, LEAST, ROUNDING, BIAS, DISTANCE = range(5)
# Places in State.count: steps, kernel values asked for, the step before which to look around,
# the next step to shrink before, and to ask for separability before, rebuilds so far, verdict,
# whether a negative curvature was met; the place in a sweep, its kind, moves in it, its number.
STEPS, VALUES, NEXT, SHRINK, ASK, REBUILDS, VERDICT, INDEFINITE = range(8)
PLACE, SWEEP_KIND, MOVES, SWEEP = range(8, 12)
COUNTS = 12


class State(NamedTuple):
    """Raw variables of SMO.

    Attributes
    ----------
    beta : float64 array, shape (n,)
    F : float64 array, shape (n,); ``target - K beta``, of the active points up to date
    level : float64 array, shape (5,); see the names above
    count : int64 array, shape (12,); see the names above
    active : uint8 array, shape (n,); which points are not set aside (empty without shrinking)
    reference : float64 array, shape (n,); beta that F of those set aside belongs to (or empty)
    """

    beta: np.ndarray
    F: np.ndarray
    level: np.ndarray
    count: np.ndarray
    active: np.ndarray
    reference: np.ndarray


class Points(NamedTuple):
    """The points in play, side by side, so that loops over them run over whole arrays.

    All points, or those that shrinking leaves. Padded to a multiple of a vector register by points
    that can neither grow nor shrink.

    Attributes
    ----------
    X, XT : float64 arrays, shape (a, d) and (d, a)
    diagonal, lower, upper, beta, F : float64 arrays, shape (a,)
    closed_up, closed_low : float64 arrays, shape (a,)
        0 where beta can grow (shrink), else -inf (+inf): added to F, they leave out the others.
    gain : float64 array, shape (a,); working memory
    order : int64 array, shape (real,); number of each point in the problem
    level, count : arrays of the state
    ops, args : the kernel's program
    rows : kernel rows of these points
    """

    X: Matrix
    XT: Matrix
    diagonal: Vector
    lower: Vector
    upper: Vector
    beta: Vector
    F: Vector
    closed_up: Vector
    closed_low: Vector
    gain: Vector
    order: Indices
    level: Vector
    count: Indices
    ops: Indices
    args: Matrix
    rows: Rows
