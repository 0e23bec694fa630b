"""The point of a hull nearest to the origin: its state, its gradients and the test of optimality.

Problem: ``min 1/2 ||z||^2`` with ``z = sum_i sign_i tau_i phi(x_i)``, where in each group of
points ``sum tau = 1`` and ``0 <= tau <= cap``. The signs are the labels. If the groups are the two
classes, z is ``p - q``, the difference of points of the two hulls. If all points are one group, z
is in the hull of ``y_i phi(x_i)``; the distance of that hull from the origin is the largest margin
of a boundary through the origin.

With ``gradient_i = sign_i <z, phi(x_i)>`` a group is optimal when no point whose weight can grow
has a smaller gradient than one whose weight can shrink. The steps are in
:mod:`solvers.geometry.wolfe` and :mod:`solvers.methods.hulls.steps`.

The *corral* of Wolfe's method is the set of *free* points: those whose weights its step may change.
The free points of each group have one *head*, the first of them. Since the weights of a group have
a fixed sum, a step solves equations for the changes of the other weights only, and the head changes
by the opposite of their sum.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from solvers.jit.compiled import compiled
from solvers.jit.separate import compiled_apart
from solvers.jit.signatures import (
    Contiguous,
    FixedVector,
    Indices,
    Matrix,
    Switches,
    Vector,
)
from solvers.kernels.kernel_rows import Rows, kernel_row, make_rows
from solvers.problem.problem import DualForm
from solvers.rounding import EPS
from solvers.run.records import new_record

# Why a search ended. HULLS_MEET: z = 0 up to rounding error. STALLED: only rounding error is left.
# UNBOUNDED: the weights grow without bound, as an indefinite kernel allows. HULLS_TOO_NEAR: the
# distance is so small that alpha would be larger than any that is computed.
RUNNING, OPTIMAL, HULLS_MEET, STALLED, UNBOUNDED, HULLS_TOO_NEAR = range(6)
# The numbers of a state.
SCALARS = np.dtype(
    [
        # ||z||^2 now.
        ("squared_norm", "f8"),
        # ||z||^2 when a point was last added to the corral.
        ("earlier_squared_norm", "f8"),
        # The sum over groups of the largest gradient gap.
        ("gap", "f8"),
        # max_i |k(x_i, x_i)|.
        ("squared_extent", "f8"),
        ("steps", "i8"),
        # Kernel evaluations; cached values count too.
        ("evaluations", "i8"),
        # Why the search ended, or RUNNING.
        ("stop_code", "i8"),
        # Whether the last step dropped a point: 0 or 1.
        ("has_dropped", "i8"),
        # Successive cycles without progress.
        ("idle_cycles", "i8"),
        # The number of points in the corral.
        ("corral_size", "i8"),
    ]
)
# The number of entries of `Corral.known`, and of the heads among them, which come first.
SIZES = np.dtype([("known", "i8"), ("heads", "i8")])
Scalars = Annotated[np.ndarray, Contiguous(SCALARS, 1)]
# If ||z||^2 is at most this fraction of the squared extent, it is rounding error, and the hulls
# count as meeting. Then ||z|| is at most about 1e-7 times the extent.
NOISE = 64 * EPS
# A step of Wolfe's method changes the weights of at most this many free points.
MAX_FREE = 1500


class Hull(NamedTuple):
    """The hull: its points, their signs and groups, and the cap on weights.

    Attributes
    ----------
    sign : float64 array, shape (n,); -1 or +1
    group : int64 array, shape (n,); 0 or 1
    cap : float; the largest weight, infinite if only the sum bounds it
    """

    sign: FixedVector
    group: Indices
    cap: float


class Weights(NamedTuple):
    """A point of the hull, and the state of the search.

    Attributes
    ----------
    tau : float64 array, shape (n,); tau, at least 0, with sum 1 in each group
    S : float64 array, shape (n,); ``<z, phi(x_i)>``
    free : bool array, shape (n,); whether a point is in the corral
    order : int64 array, shape (n,); the points that the last step worked on, in the order in which
        they were added. Points that left the corral at its end are still in this list.
    scalars : structured array, shape (1,); see :data:`SCALARS`
    """

    tau: Vector
    S: Vector
    free: Switches
    order: Indices
    scalars: Scalars


class Corral(NamedTuple):
    """Working memory of Wolfe's method: kernel rows, and the equations for the free points.

    Attributes
    ----------
    rows : Rows
    places : int64 array, shape (m,); the free points, heads first
    known : int64 array, shape (m,); the free points of the previous step, to which ``gram`` and
        ``factor`` belong
    sizes : structured array, shape (1,); see :data:`SIZES`
    listed : bool array, shape (n,); whether a point is in ``Weights.order``, while it is written
    gram : float64 array, shape (m, m); the Gram matrix of ``places``, only its lower triangle
    factor : float64 array, shape (m, m); the Cholesky factor of the equations, an upper triangle
    move : float64 array, shape (m,); right side of the equations, then the change of each weight
    column : float64 array, shape (m,); the column that is being added to ``factor``
    """

    rows: Rows
    places: Indices
    known: Indices
    sizes: Annotated[np.ndarray, Contiguous(SIZES, 1)]
    listed: Switches
    gram: Matrix
    factor: Matrix
    move: Vector
    column: Vector


def make_corral(n: int, depth: int, large_cache: bool) -> Corral:
    """Allocate a :class:`Corral`; its matrices use memory only where they are written.

    ``depth`` is the number of operations of the kernel's program; see :func:`make_rows`.
    """
    most = min(n, MAX_FREE)
    return Corral(
        make_rows(n, depth, large_cache),
        np.zeros(most, dtype=np.int64),
        np.zeros(most, dtype=np.int64),
        new_record(SIZES),
        np.zeros(n, dtype=np.bool_),
        np.empty((most, most)),
        np.empty((most, most)),
        np.empty(most),
        np.empty(most),
    )


def first_weights(hull: Hull, diagonal: np.ndarray) -> Weights:
    """Return the start: the first points of each group, each with the largest weight allowed."""
    n = len(hull.sign)
    tau = np.zeros(n)
    for group in np.unique(hull.group):
        members = np.flatnonzero(hull.group == group)
        full = min(len(members), int(1.0 / hull.cap + EPS * n))
        tau[members[:full]] = hull.cap if full else 0.0
        rest = 1.0 - full * hull.cap if full else 1.0
        if rest > EPS * n:
            tau[members[full]] = rest
    free = (tau > 0.0) & (tau < hull.cap)
    scalars = new_record(SCALARS)
    scalars["earlier_squared_norm"], scalars["squared_extent"] = np.inf, np.abs(diagonal).max()
    return Weights(tau, np.zeros(n), free, np.zeros(n, dtype=np.int64), scalars)


@compiled_apart
def recompute(dual_form: DualForm, hull: Hull, state: Weights, rows: Rows) -> None:
    """Compute ``S_i = <z, phi(x_i)>`` and ``||z||^2`` from the weights alone."""
    S, tau, scalars = state.S, state.tau, state.scalars[0]
    n = len(S)
    for k in range(n):
        S[k] = 0.0
    for i in range(n):
        if tau[i] != 0.0:
            weight = hull.sign[i] * tau[i]
            row = kernel_row(dual_form, rows, i, 0)
            for k in range(n):
                S[k] += weight * row[k]
            scalars.evaluations += n
    total = 0.0
    for i in range(n):
        total += hull.sign[i] * tau[i] * S[i]
    scalars.squared_norm = total if total > 0.0 else 0.0


@compiled
def min_gradient_up(hull, state, group):
    """Return the point with the smallest gradient among those whose weight can grow, or -1."""
    best, value = -1, np.inf
    for i in range(len(state.S)):
        if hull.group[i] == group and state.tau[i] < hull.cap:
            gradient = hull.sign[i] * state.S[i]
            if gradient < value:
                best, value = i, gradient
    return best


@compiled
def max_gradient_low(hull, state, group):
    """Return the point with the largest gradient among those whose weight can shrink, or -1."""
    best, value = -1, -np.inf
    for i in range(len(state.S)):
        if hull.group[i] == group and state.tau[i] > 0.0:
            gradient = hull.sign[i] * state.S[i]
            if gradient > value:
                best, value = i, gradient
    return best


@compiled
def gradient_gap(hull, state, i, j):
    """Return how much the gradient at j exceeds that at i; weight can move from j to i."""
    if i < 0 or j < 0:
        return 0.0
    return hull.sign[j] * state.S[j] - hull.sign[i] * state.S[i]


@compiled_apart
def measure_gap(hull: Hull, tol: float, state: Weights) -> int:
    """Measure the gap; return RUNNING, or the reason to stop.

    The gap bounds how far z is from the optimum: no point z' of the hull is nearer to the origin
    than ``||z|| - gap / ||z||``. In each group at most the weight 1 can move, and at best from the
    largest gradient to the smallest. So ``<z, z'> >= ||z||^2 - gap``.
    """
    scalars = state.scalars[0]
    gap = 0.0
    for group in range(2):
        i, j = min_gradient_up(hull, state, group), max_gradient_low(hull, state, group)
        gap += max(0.0, gradient_gap(hull, state, i, j))
    scalars.gap = gap
    if scalars.squared_norm <= NOISE * scalars.squared_extent:
        return HULLS_MEET
    if gap <= tol * scalars.squared_norm:
        return OPTIMAL
    if gap <= 0.25 * NOISE * scalars.squared_extent:
        return STALLED
    return RUNNING
