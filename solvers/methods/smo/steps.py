"""The state of SMO, and its step, compiled: how far a pair moves, and the update of F.

All choices of the pair share this step; :mod:`solvers.methods.smo.choice` has the choices, and the
loops over steps. The mathematics is at the top of :mod:`solvers.methods.smo.smo`. In this module, N
is the number of dual variables, and a *point* means a dual variable with its row of X: in a
regression each data point appears twice, for alpha* and for alpha.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from solvers.jit.compiled import compiled, inner
from solvers.jit.signatures import Contiguous, Indices, Vector
from solvers.jit.simd import larger, smaller
from solvers.kernels.kernel_rows import Rows, slot_of
from solvers.rounding import EPS, NOISE

# The codes with which steps end. After MOVED, NO_MOVE_IN_PASS and CHECK_DUE the run continues, or
# may continue.
(
    # There is no reason to stop.
    MOVED,
    # The tolerance is met.
    OPTIMAL,
    # All possible moves are too small.
    STALLED,
    # Alpha grows without bound.
    UNBOUNDED,
    # With a hard margin: two points of different classes coincide.
    COINCIDENT,
    # With a hard margin: the convex hulls of the classes meet.
    INSEPARABLE,
    # No point moved in a sweep over all points. F is recomputed to decide whether the run ends.
    NO_MOVE_IN_PASS,
    # The checks of SMO._check are due.
    CHECK_DUE,
    # These two replace OPTIMAL and UNBOUNDED if the run found that K is not positive semi-definite
    # (see ``indefinite`` in SCALARS).
    INDEFINITE_OPTIMUM,
    INDEFINITE_RAY,
    # The random choice made too many sweeps without a move.
    GAVE_UP,
) = range(11)

# The record of a step: the pair of variables, their beta after the step, and m and M before it.
EVENT = np.dtype(
    [("i", "i4"), ("j", "i4"), ("beta_i", "f8"), ("beta_j", "f8"), ("m", "f8"), ("M", "f8")]
)
PairEvent = Annotated[Any, EVENT]
PairEvents = Annotated[np.ndarray, Contiguous(EVENT, 1)]

# The scalars of a state.
SCALARS = np.dtype(
    [
        # m is the maximum of F over the active points whose beta may rise, M is the minimum of F
        # over the active points whose beta may fall.
        ("m", "f8"),
        ("M", "f8"),
        # Bound on the rounding error of F, if F was recomputed after the last step; otherwise 0.
        ("F_error", "f8"),
        # For Platt's choice and the random choice: the threshold b (see choice.py).
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
        # this sweep (see choice.py), the number of its moves, and the number of earlier sweeps.
        ("sweep_position", "i8"),
        ("sweep_kind", "i8"),
        ("sweep_moves", "i8"),
        ("sweep", "i8"),
    ]
)
Scalars = Annotated[np.ndarray, Contiguous(SCALARS, 1)]
# In the choice of a pair this replaces a curvature of at most 0, for example that of identical
# points (LIBSVM's tau). It does not determine how far the pair moves.
TAU = 1e-12
# Limits of the step t, and of ``t^2 (|K_ii| + |K_jj|)``. Within them no number of a step overflows.
MAX_STEP, MAX_RISE = 1e130, 1e260
# Points per block. The maximum of each block is computed in vector registers. The index of the
# overall maximum is then searched only in the block that contains it.
BLOCK = 256


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
        0 if beta may rise, otherwise -inf: the maximum of ``F + up_mask`` ignores these points.
    low_mask : float64 array, shape (a,)
        0 if beta may fall, otherwise +inf: the minimum of ``F + low_mask`` ignores these points.
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


@inner
def step_length(eta, diagonal_size, difference, to_bound):
    """Return t: the distance to the top of the parabola, but at most ``to_bound``.

    ``to_bound`` is the distance to the nearer bound, ``difference`` is ``F_i - F_j``, and
    ``diagonal_size`` is ``|K_ii| + |K_jj|``. If eta is not positive, the parabola has no top. The
    step then goes to the bound. But if the bound is infinitely far away, as it can be with a hard
    margin, eta is replaced by ``EPS * diagonal_size``, because rounding hides any smaller eta.
    """
    length = difference / eta
    if eta <= 0.0:
        length = difference / (EPS * diagonal_size) if to_bound == np.inf else to_bound
    return min(length, to_bound)


@inner
def index_of(values: Vector, mask: Vector, block: int, value: float, last: bool) -> int:
    """Return the index in a block at which ``values + mask`` is equal to ``value``.

    If there are several, return the last of them if ``last`` is true, otherwise the first. The
    block begins at index ``block`` and has BLOCK entries.

    The loop computes a minimum over integers, because LLVM can vectorise that. LLVM cannot
    vectorise a loop that stops early, or a loop that converts integers to floats. If ``last`` is
    true, the bits of each index k are inverted, ``k ^ -1 = -k - 1``, so the minimum belongs to the
    last k.
    """
    block_values, block_mask = values[block : block + BLOCK], mask[block : block + BLOCK]
    flip = -1 if last else 0
    lowest = len(values)
    for k in range(len(block_values)):
        lowest = min(lowest, k ^ flip if block_values[k] + block_mask[k] == value else len(values))
    return block + (lowest ^ flip)


@inner
def update(
    F: Vector,
    up_mask: Vector,
    low_mask: Vector,
    change_i: float,
    change_j: float,
    K_i: Vector,
    K_j: Vector,
    last: bool,
) -> tuple[float, int, float, int]:
    """Subtract ``change_i K_i + change_j K_j`` from F; return ``(m, i, M, j)`` of the new F.

    K_i and K_j are the kernel rows of the pair that moved. The returned i and j are candidates for
    the next pair: i attains m, the maximum of ``F + up_mask``, and j attains M, the minimum of ``F
    + low_mask``. If several points attain m or M, the last of them is returned if ``last`` is true,
    otherwise the first.

    ``change_i`` and ``change_j`` are opposite up to rounding. So the subtracted sum is computed as
    ``change_i (K_i - K_j) + (change_i + change_j) K_j``, which has a smaller rounding error. But if
    ``last`` is true, it is computed as ``change_i K_i + change_j K_j``, as in LIBSVM. The two ways
    can lead to different pairs: after a step inside the box, F of the two moved points is equal up
    to rounding, so rounding errors can determine the next pair.
    """
    # Factors of K_j inside and outside the bracket ``(K_i - K_j)``.
    factor_inside = 0.0 if last else 1.0
    factor_outside = change_j if last else change_i + change_j
    m, M = -np.inf, np.inf
    block_m, block_M = 0, 0
    for start in range(0, len(F), BLOCK):
        stop = start + BLOCK
        F_block, row_i, row_j = F[start:stop], K_i[start:stop], K_j[start:stop]
        up, low = up_mask[start:stop], low_mask[start:stop]
        top, bottom = -np.inf, np.inf
        for k in range(len(F_block)):
            change = change_i * (row_i[k] - factor_inside * row_j[k]) + factor_outside * row_j[k]
            value = F_block[k] - change
            F_block[k] = value
            top = larger(top, value + up[k])
            bottom = smaller(bottom, value + low[k])
        if top > m or (last and top == m):
            m, block_m = top, start
        if bottom < M or (last and bottom == M):
            M, block_M = bottom, start
    i = index_of(F, up_mask, block_m, m, last)
    j = index_of(F, low_mask, block_M, M, last)
    return m, i, M, j


@inner
def set_masks(points, k):
    """Set ``up_mask`` and ``low_mask`` of variable k from beta_k and its bounds."""
    points.up_mask[k] = 0.0 if points.beta[k] < points.upper[k] else -np.inf
    points.low_mask[k] = 0.0 if points.beta[k] > points.lower[k] else np.inf


@inner
def fill_masks(points: Points) -> None:
    """Set the masks of all variables."""
    for k in range(len(points.beta)):
        set_masks(points, k)


@inner
def find_extremes(points: Points, last: bool) -> tuple[float, int, float, int]:
    """Set the masks; return ``(m, i, M, j)`` of the present F, as :func:`update` does."""
    fill_masks(points)
    # The changes are 0, so any array can stand for the kernel rows.
    row = points.diagonal
    return update(points.F, points.up_mask, points.low_mask, 0.0, 0.0, row, row, last)


@inner
def at_bounds(points, i, j, new_i, new_j):
    """Return the new beta of a pair; set a beta to its bound if only rounding separates them.

    Both can reach their bounds in one step. A beta that rounding leaves beside its bound would
    count as a free support vector.
    """
    noise = NOISE * (abs(points.beta[i]) + abs(points.beta[j]))
    upper, lower = points.upper[i], points.lower[j]
    return upper if upper - new_i <= noise else new_i, lower if new_j - lower <= noise else new_j


@inner
def move_pair(points, i, j, last, event):
    """Raise beta_i and lower beta_j by the same t, to the maximum of the dual or to a bound.

    Fill in the record ``event``. Return ``(code, changed, extremes)``: MOVED or the reason that the
    pair did not move, whether the set of support vectors changed, and ``(m, i, M, j)`` after the
    step (zeros if the pair did not move).
    """
    beta, F, scalars, cached = points.beta, points.F, points.scalars[0], points.rows.cached
    K_i, K_j = cached[slot_of(points.rows, i)], cached[slot_of(points.rows, j)]
    to_bound_i = points.upper[i] - beta[i]
    to_bound_j = beta[j] - points.lower[j]
    eta = points.diagonal[i] + points.diagonal[j] - 2.0 * K_i[j]
    diagonal_size = abs(points.diagonal[i]) + abs(points.diagonal[j])
    t = step_length(eta, diagonal_size, F[i] - F[j], min(to_bound_i, to_bound_j))

    # A variable that reaches its bound is set to the bound, so that its alpha is exactly 0 or C.
    old_i, old_j = beta[i], beta[j]
    new_i = points.upper[i] if t == to_bound_i else old_i + t
    new_j = points.lower[j] if t == to_bound_j else old_j - t
    # If only one variable reaches its bound, the other is computed from the constant sum of both,
    # ``old_i + old_j``. This has a smaller rounding error than adding or subtracting t.
    if t == to_bound_i and t < to_bound_j:
        new_j = max(points.lower[j], (old_i + old_j) - new_i)
    elif t == to_bound_j and t < to_bound_i:
        new_i = min(points.upper[i], (old_i + old_j) - new_j)
    new_i, new_j = at_bounds(points, i, j, new_i, new_j)
    # The changes of the rounded beta can differ from t. F is updated with them, to match beta.
    change_i, change_j = new_i - old_i, new_j - old_j
    extremes = (0.0, 0, 0.0, 0)
    code = MOVED
    if t > MAX_STEP or t * t * diagonal_size > MAX_RISE:
        code = UNBOUNDED
    elif change_i == 0.0 and change_j == 0.0:
        code = STALLED
    else:
        beta[i], beta[j] = new_i, new_j
        # A variable that is at its bound may still be there: rounding can cancel its change.
        set_masks(points, i)
        set_masks(points, j)
        up, low = points.up_mask, points.low_mask
        extremes = update(F, up, low, change_i, change_j, K_i, K_j, last)
        if eta < -8.0 * NOISE * diagonal_size:
            scalars.indefinite = 1
        scalars.steps += 1
        scalars.evaluations += 2 * len(points.order)
        event.i, event.j = points.order[i], points.order[j]
        event.beta_i, event.beta_j = new_i, new_j
        event.m, event.M = scalars.m, scalars.M
        # Adding 0.0 turns -0.0 into 0.0. Which of the two a maximum returns depends on the
        # compiler.
        scalars.m, scalars.M = extremes[0] + 0.0, extremes[2] + 0.0
        scalars.F_error = 0.0
    changed = (old_i == 0.0) != (new_i == 0.0) or (old_j == 0.0) != (new_j == 0.0)
    return code, changed, extremes


@compiled
def subtract(points: Points, weights: Vector, F: Vector, term_sums: Vector) -> None:
    """Subtract ``sum_i weights_i K_ik`` from every F_k.

    Add ``sum_i |weights_i K_ik|`` to every ``term_sums_k``, for a bound on the rounding error.
    """
    for i in range(len(points.order)):
        weight = weights[i]
        if weight != 0.0:
            K_i = points.rows.cached[slot_of(points.rows, i)]
            for k in range(len(F)):
                term = weight * K_i[k]
                F[k] -= term
                term_sums[k] += abs(term)
