"""The point of a hull nearest to the origin: its state, its gradients and the test of optimality.

Problem: ``min 1/2 ||z||^2`` with ``z = sum_i sign_i tau_i phi(x_i)``, where ``0 <= tau <= cap``,
and ``sum tau = 1`` in each of one or two groups of points. The signs are the labels. If the groups
are the two classes, z is ``p - q``, the difference of a point of each hull. If all points form one
group, z is a point of the hull of ``y_i phi(x_i)``. The distance of this hull from the origin is
the largest margin of a boundary through the origin.

Let ``gradient_i = sign_i <z, phi(x_i)>``. If point i of a group can grow in weight, and point j of
the group can shrink, ``gradient_j - gradient_i`` is the *gradient gap* of this pair. A group is
optimal if no pair has a gradient gap above 0. The steps are in :mod:`solvers.geometry.wolfe` and
:mod:`solvers.methods.hulls.steps`.

The *corral* of Wolfe's method is the set of *free* points, whose weights change in a step. The
first free point of each group is its *head*. A step solves equations for the changes of the weights
of all free points except heads. Since the weights of a group have a fixed sum, the weight of its
head changes by minus the sum of the changes of all other free points of the group.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from solvers.jit.compiled import inner
from solvers.jit.signatures import (
    Contiguous,
    FixedVector,
    Indices,
    Matrix,
    Switches,
    Vector,
)
from solvers.kernels.kernel_rows import Rows, slot_of
from solvers.problem.problem import DualForm
from solvers.rounding import EPS
from solvers.run.records import new_record

# Why a search ended, or RUNNING. OPTIMAL: the gap is within the tolerance. HULLS_MEET: z = 0 up to
# rounding error. STALLED: the remaining gap is rounding error. UNBOUNDED: the weights grow without
# bound, which is possible with an indefinite kernel. HULLS_TOO_NEAR: the distance d of the hulls is
# so small that ``2 / d^2``, by which weights are multiplied to give alpha, would exceed the limit
# in :mod:`solvers.methods.hulls`.
RUNNING, OPTIMAL, HULLS_MEET, STALLED, UNBOUNDED, HULLS_TOO_NEAR = range(6)
# The scalars of a state.
SCALARS = np.dtype(
    [
        # ||z||^2 now.
        ("squared_norm", "f8"),
        # ||z||^2 when a point was last added to the corral.
        ("earlier_squared_norm", "f8"),
        # The largest gradient gap of each group, summed over the groups.
        ("gap", "f8"),
        # max_i |k(x_i, x_i)|, the square of the data's extent in the kernel's space.
        ("squared_extent", "f8"),
        ("steps", "i8"),
        # Kernel evaluations; cached values count too.
        ("evaluations", "i8"),
        # Why the search ended, or RUNNING.
        ("stop_code", "i8"),
        # 1 if a point left the corral in the last step, otherwise 0.
        ("has_dropped", "i8"),
        # Number of successive major cycles (see `wolfe.py`) without progress.
        ("idle_cycles", "i8"),
        # The number of points in the corral.
        ("corral_size", "i8"),
    ]
)
# The number of used entries of `Corral.previous_points`, and how many of them are heads.
SIZES = np.dtype([("previous", "i8"), ("heads", "i8")])
Scalars = Annotated[np.ndarray, Contiguous(SCALARS, 1)]
# If ||z||^2 is at most this fraction of `squared_extent`, it is rounding error, and the hulls count
# as meeting. ||z|| is then at most about 1e-7 times the extent.
NOISE = 64 * EPS
# Maximum number of free points whose weights a step of Wolfe's method changes. With this number,
# each matrix of a `Corral` takes 18 MB.
MAX_FREE = 1500


class Hull(NamedTuple):
    """A hull, given by the signs and groups of the points, and by the cap on the weights.

    Attributes
    ----------
    sign : float64 array, shape (n,); -1 or +1
    group : int64 array, shape (n,); 0 or 1
    cap : float; the maximum of a weight, infinite if only the sum 1 bounds the weights
    """

    sign: FixedVector
    group: Indices
    cap: float


class Weights(NamedTuple):
    """A point of the hull, and the state of the search.

    Attributes
    ----------
    tau : float64 array, shape (n,); the weights, at least 0, with sum 1 in each group
    S : float64 array, shape (n,); ``<z, phi(x_i)>``
    free : bool array, shape (n,); whether a point is in the corral
    order : int64 array, shape (n,); the points of the corral during the last step, in the order in
        which they were added; a point that left it at the end of the step is still in this list
    scalars : structured array, shape (1,); see :data:`SCALARS`
    """

    tau: Vector
    S: Vector
    free: Switches
    order: Indices
    scalars: Scalars


class Corral(NamedTuple):
    """Working memory of Wolfe's method: kernel rows, and the equations for the free points.

    m is the maximum number of free points. If there are fewer, only the first entries of the arrays
    of length m are used.

    Attributes
    ----------
    rows : Rows
    points : int64 array, shape (m,); the free points, heads first
    previous_points : int64 array, shape (m,); the free points of the previous step, for which
        ``gram`` and ``factor`` were computed
    sizes : structured array, shape (1,); see :data:`SIZES`
    listed : bool array, shape (n,); whether a point has already been written into
        ``Weights.order``, while this list is made
    gram : float64 array, shape (m, m); the lower triangle of the Gram matrix of ``points``
    factor : float64 array, shape (m, m); the Cholesky factor of the equations, an upper triangle
    move : float64 array, shape (m,); right side of the equations, then the change of each weight
    column : float64 array, shape (m,); the column that is being added to ``factor``
    """

    rows: Rows
    points: Indices
    previous_points: Indices
    sizes: Annotated[np.ndarray, Contiguous(SIZES, 1)]
    listed: Switches
    gram: Matrix
    factor: Matrix
    move: Vector
    column: Vector


def make_corral(dual_form: DualForm, cache_bytes: int) -> Corral:
    """Allocate a :class:`Corral`; only entries of its matrices that are written take memory.

    ``cache_bytes`` is the maximum size of the cache of kernel rows.
    """
    n = len(dual_form.X)
    max_free = min(n, MAX_FREE)
    return Corral(
        dual_form.make_rows(cache_bytes),
        np.zeros(max_free, dtype=np.int64),
        np.zeros(max_free, dtype=np.int64),
        new_record(SIZES),
        np.zeros(n, dtype=np.bool_),
        np.empty((max_free, max_free)),
        np.empty((max_free, max_free)),
        np.empty(max_free),
        np.empty(max_free),
    )


def first_weights(hull: Hull, diagonal: np.ndarray) -> Weights:
    """Return the weights from which a search starts.

    In each group, as many first points as the sum 1 allows have the weight ``cap``, the next point
    has the rest of the sum, and all points after it have the weight 0. If ``cap`` is infinite, the
    first point of each group has the weight 1.
    """
    n = len(hull.sign)
    tau = np.zeros(n)
    for group in np.unique(hull.group):
        members = np.flatnonzero(hull.group == group)
        n_capped = min(len(members), int(1.0 / hull.cap + EPS * n))
        tau[members[:n_capped]] = hull.cap if n_capped else 0.0
        remainder = 1.0 - n_capped * hull.cap if n_capped else 1.0
        if remainder > EPS * n:
            tau[members[n_capped]] = remainder
    free = (tau > 0.0) & (tau < hull.cap)
    scalars = new_record(SCALARS)
    scalars["earlier_squared_norm"], scalars["squared_extent"] = np.inf, np.abs(diagonal).max()
    return Weights(tau, np.zeros(n), free, np.zeros(n, dtype=np.int64), scalars)


@inner
def recompute(dual_form: DualForm, hull: Hull, state: Weights, rows: Rows) -> None:
    """Compute ``S_i = <z, phi(x_i)>`` and ``||z||^2`` from the weights, without earlier values."""
    S, tau, scalars = state.S, state.tau, state.scalars[0]
    n = len(S)
    for k in range(n):
        S[k] = 0.0
    for i in range(n):
        if tau[i] != 0.0:
            weight = hull.sign[i] * tau[i]
            row = rows.cached[slot_of(rows, i)]
            for k in range(n):
                S[k] += weight * row[k]
            scalars.evaluations += n
    total = 0.0
    for i in range(n):
        total += hull.sign[i] * tau[i] * S[i]
    scalars.squared_norm = total if total > 0.0 else 0.0


@inner
def min_gradient_up(hull, state, group):
    """Return the point with the smallest gradient among those of a group whose weight can grow.

    Return -1 if there is no such point.
    """
    point, smallest = -1, np.inf
    for i in range(len(state.S)):
        if hull.group[i] == group and state.tau[i] < hull.cap:
            gradient = hull.sign[i] * state.S[i]
            if gradient < smallest:
                point, smallest = i, gradient
    return point


@inner
def max_gradient_low(hull, state, group):
    """Return the point with the largest gradient among those of a group whose weight can shrink.

    Return -1 if there is no such point.
    """
    point, largest = -1, -np.inf
    for i in range(len(state.S)):
        if hull.group[i] == group and state.tau[i] > 0.0:
            gradient = hull.sign[i] * state.S[i]
            if gradient > largest:
                point, largest = i, gradient
    return point


@inner
def gradient_gap(hull, state, i, j):
    """Return how much the gradient at j exceeds the gradient at i; 0 if i or j is -1."""
    if i < 0 or j < 0:
        return 0.0
    return hull.sign[j] * state.S[j] - hull.sign[i] * state.S[i]


@inner
def measure_gap(hull: Hull, tol: float, state: Weights) -> int:
    """Compute the gap; return RUNNING, or the reason to stop.

    The gap bounds the distance of the hull from the origin: ``||z'|| >= ||z|| - gap / ||z||`` for
    every point z' of the hull. The reason: on the way from z to z', a total weight of at most 1
    moves within each group, at best from the point with the largest gradient to the point with the
    smallest. So ``<z, z'> >= ||z||^2 - gap``.
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
    # Here ||z||^2 is more than 4 times this limit of the gap, so z separates in spite of the gap.
    if gap <= 0.25 * NOISE * scalars.squared_extent:
        return STALLED
    return RUNNING
