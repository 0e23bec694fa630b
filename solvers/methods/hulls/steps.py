"""Compiled steps towards the nearest points of two hulls: the pairwise sweep, and MDM.

phi(x) is the point x in the kernel's space. z is ``p - q``, or ``u - v`` in the relaxed form below,
and ``S_i = <z, phi(x_i)>`` (see :mod:`solvers.geometry.min_norm_point`). The step of Wolfe's method
is in :mod:`solvers.geometry.wolfe`.

The *pairwise* sweep solves the relaxed form, in which the sums ``u = sum tau+ x`` and ``v = sum
tau- x`` are not normalised::

    min ||u - v||^2 - sum tau+ - sum tau-   s.t. tau >= 0, sum tau+ = sum tau-

The sweep visits every pair of a positive point i and a negative point j. Both weights change by the
same delta. The objective is a parabola in delta. delta is the vertex of the parabola, or ``M =
max(-tau_i, -tau_j)`` if M is larger; with delta = M one of the weights becomes 0::

    delta = max(M, (1 - <u - v, x_i - x_j>) / ||x_i - x_j||^2)

u and v are updated before the next pair. Pairs with delta = 0 are skipped, so each step changes
weights.

*MDM* (Mitchell, Dem'yanov and Malozemov 1974) moves weight within one class. Distances from the
other hull are measured along p - q. Weight moves from the farthest point that has weight to the
nearest point whose weight is below the cap. In each class the weights keep the sum 1.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from solvers.geometry.min_norm_point import (
    OPTIMAL,
    RUNNING,
    STALLED,
    UNBOUNDED,
    Corral,
    Hull,
    Scalars,
    Weights,
    gradient_gap,
    max_gradient_low,
    measure_gap,
    min_gradient_up,
    recompute,
)
from solvers.geometry.wolfe import wolfe_step
from solvers.jit.compiled import compiled, inner
from solvers.jit.signatures import Contiguous, Indices, Marks, Switches, Vector
from solvers.kernels.kernel_rows import slot_of
from solvers.problem.problem import DualForm
from solvers.run.trace import SUPPORT_CHANGED, SWEEP_STARTED

# The scalars of the pairwise sweep.
PAIRWISE = np.dtype(
    [
        # The largest change of f(x_i) - f(x_j) by the move of a pair (i, j) in this sweep,
        # 2 |delta| ||x_i - x_j||^2.
        ("largest_change", "f8"),
        # The largest |delta| in this sweep, and whether the run ends by it (see `end_sweep`).
        ("largest_delta", "f8"),
        ("ends_by_delta", "i8"),
        # The next pair that moves, as indices into Work.plus and Work.minus.
        ("plus", "i8"),
        ("minus", "i8"),
        # The number of pairs that were skipped between the last pair that moved and the next pair.
        ("skipped", "i8"),
        # 1 if the next pair is the first that moves in its sweep, otherwise 0.
        ("is_first", "i8"),
        # Number of completed sweeps, and of moves in the current sweep.
        ("sweeps", "i8"),
        ("moves", "i8"),
    ]
)
# Maximum weight in the relaxed form. The square of this number is still a finite double.
MAX_WEIGHT = 1e130
# The record of a step. Pairwise and MDM: i and j are the points, `delta` is the change of tau_i,
# and `unclipped` is delta at the vertex. `low` is a bound of delta: for pairwise the lower bound M,
# for MDM the upper bound. `skipped` is the number of skipped pairs before a pairwise step. Wolfe: i
# is the point that joined the corral (if two did, the one whose weight should grow), and j is the
# point whose weight ended the move at its bound; each is -1 if there is no such point.
EVENT = np.dtype(
    [("i", "i4"), ("j", "i4"), ("skipped", "i8")]
    + [(name, "f8") for name in ("delta", "unclipped", "low")]
)
Events = Annotated[np.ndarray, Contiguous(EVENT, 1)]


class State(NamedTuple):
    """The variables of all three algorithms: the fields of :class:`.Weights`, and two more.

    Attributes
    ----------
    tau, S : float64 arrays, shape (n,)
        The weights, and ``<z, phi(x_i)>``.
    free, order, scalars
        See :class:`.Weights`.
    pairwise : structured array, shape (1,); see :data:`PAIRWISE`
    scale : float64 array, shape (1,); the expansion has ``beta_i = y_i scale tau_i``
    """

    tau: Vector
    S: Vector
    free: Switches
    order: Indices
    scalars: Scalars
    pairwise: Annotated[np.ndarray, Contiguous(PAIRWISE, 1)]
    scale: Vector


class Work(NamedTuple):
    """The constants of a run, and working memory.

    Attributes
    ----------
    dual_form : DualForm
        With centred points if the kernel is linear.
    hull : Hull
    corral : Corral
    plus, minus : int64 arrays, shapes (n+,) and (n-,); the indices of the points of each class
    """

    dual_form: DualForm
    hull: Hull
    corral: Corral
    plus: Indices
    minus: Indices


@inner
def weights_of(state):
    """Return the fields of a state that :mod:`solvers.geometry` works on."""
    return Weights(state.tau, state.S, state.free, state.order, state.scalars)


@inner
def kernel_value(work, i, j):
    """Return ``k(x_i, x_j)``, and cache the kernel row of i."""
    row = work.corral.rows.cached[slot_of(work.corral.rows, i)]
    return row[j]


@compiled
def distance_of(work: Work, i: int, j: int) -> float:
    """Return ``||x_i - x_j||^2`` in the kernel's space."""
    diagonal = work.dual_form.diagonal
    return diagonal[i] + diagonal[j] - 2.0 * kernel_value(work, i, j)


@inner
def best_move(state, work, i, j):
    """Return delta of a pair, delta at the vertex, M, and ``||x_i - x_j||^2``.

    The first delta is 0 if the pair cannot move. The delta at the vertex and the squared distance
    are then not always computed, and can be 0.
    """
    tau, S = state.tau, state.S
    low = max(-tau[i], -tau[j])
    slope = 1.0 - (S[i] - S[j])
    if slope <= 0.0 and low == 0.0:
        return 0.0, 0.0, low, 0.0
    eta = distance_of(work, i, j)
    # eta is the squared distance. It is positive unless the kernel is indefinite, since `start`
    # ends the run if points of both classes coincide.
    if eta <= 0.0:
        return 0.0, 0.0, low, eta
    delta = max(low, slope / eta)
    if tau[i] + delta == tau[i] and tau[j] + delta == tau[j]:
        delta = 0.0
    return delta, slope / eta, low, eta


@inner
def update_S(state: State, work: Work, i: int, j: int, t: float) -> None:
    """Update S and ``||z||^2`` after z moved by ``t (phi(x_i) - phi(x_j))``."""
    rows, S, n = work.corral.rows, state.S, len(state.S)
    scalars, eta = state.scalars[0], distance_of(work, i, j)
    norm = scalars.squared_norm + 2.0 * t * (S[i] - S[j]) + t * t * eta
    scalars.squared_norm = max(0.0, norm)
    row_i = rows.cached[slot_of(rows, i)]
    row_j = rows.cached[slot_of(rows, j)]
    for k in range(n):
        S[k] += t * (row_i[k] - row_j[k])
    scalars.evaluations += 2 * n


@inner
def recompute_S(state, work):
    """Recompute S and ``||z||^2``, without the rounding errors accumulated by steps."""
    recompute(work.dual_form, work.hull, weights_of(state), work.corral.rows)


@inner
def violation(state, work):
    """Return the largest KKT violation of ``f = 2 <u - v, x> + b``.

    b is chosen so that f = 0 bisects p and q. If all weights of a class are 0, p or q does not
    exist, and the violation is infinite.
    """
    tau, S, sign = state.tau, state.S, work.hull.sign
    sum_plus, sum_minus, weighted_plus, weighted_minus = 0.0, 0.0, 0.0, 0.0
    for i in range(len(S)):
        if sign[i] > 0.0:
            sum_plus += tau[i]
            weighted_plus += tau[i] * S[i]
        else:
            sum_minus += tau[i]
            weighted_minus += tau[i] * S[i]
    if sum_plus == 0.0 or sum_minus == 0.0:
        return np.inf
    b = -(weighted_plus / sum_plus + weighted_minus / sum_minus)
    worst = 0.0
    for i in range(len(S)):
        shortfall = 1.0 - sign[i] * (2.0 * S[i] + b)
        worst = max(worst, abs(shortfall) if tau[i] > 0.0 else shortfall)
    return worst


@inner
def end_sweep(tol, state, work):
    """End a sweep; return RUNNING, or the reason that the run ends.

    A run ends by delta if no |delta| of the sweep exceeds ``tol``. Otherwise it ends by the KKT
    violation, which is tested if no f(x_i) - f(x_j) has changed by more than ``tol``.
    """
    pairwise = state.pairwise[0]
    if pairwise.ends_by_delta != 0:
        if pairwise.largest_delta <= tol:
            recompute_S(state, work)
            return OPTIMAL
    elif pairwise.largest_change <= tol:
        recompute_S(state, work)
        if violation(state, work) <= tol:
            return OPTIMAL
    if pairwise.moves == 0:
        return STALLED
    pairwise.sweeps += 1
    pairwise.is_first = 1
    pairwise.moves = 0
    pairwise.largest_change, pairwise.largest_delta = 0.0, 0.0
    return RUNNING


@inner
def find_pair(tol: float, state: State, work: Work) -> None:
    """Skip pairs until one can move, or write the reason that the run ends into the state."""
    pairwise = state.pairwise[0]
    # Local variables instead of fields make a step 10% faster, since most pairs do not move.
    plus, minus, skipped = pairwise.plus, pairwise.minus, 0
    while True:
        if plus == len(work.plus):
            plus = 0
            code = end_sweep(tol, state, work)
            if code != RUNNING:
                state.scalars[0].stop_code = code
                break
        i, j = work.plus[plus], work.minus[minus]
        delta = best_move(state, work, i, j)[0]
        if max(state.tau[i], state.tau[j]) + delta > MAX_WEIGHT:
            state.scalars[0].stop_code = UNBOUNDED
        if delta != 0.0:
            break
        skipped += 1
        plus, minus = pair_after(work, plus, minus)
    pairwise.plus, pairwise.minus, pairwise.skipped = plus, minus, skipped


@inner
def pair_after(work, plus, minus):
    """Return the pair after this one in the sweep, as indices into Work.plus and Work.minus.

    Each positive point is paired with all negative points before the next positive point follows.
    """
    if minus + 1 == len(work.minus):
        return plus + 1, 0
    return plus, minus + 1


@inner
def pairwise_step(tol, state, work, event):
    """Move the next pair; return whether the set of points with nonzero weight changed."""
    pairwise, tau = state.pairwise[0], state.tau
    i, j = work.plus[pairwise.plus], work.minus[pairwise.minus]
    delta, unclipped, low, eta = best_move(state, work, i, j)
    event.i, event.j, event.skipped = i, j, pairwise.skipped
    event.delta, event.unclipped, event.low = delta, unclipped, low
    zero_i, zero_j = tau[i] == 0.0, tau[j] == 0.0

    # If delta is M, one weight becomes exactly 0.
    tau[i] = 0.0 if delta == -tau[i] else tau[i] + delta
    tau[j] = 0.0 if delta == -tau[j] else tau[j] + delta
    update_S(state, work, i, j, delta)

    pairwise.largest_change = max(pairwise.largest_change, 2.0 * abs(delta) * eta)
    pairwise.largest_delta = max(pairwise.largest_delta, abs(delta))
    state.scalars[0].steps += 1
    pairwise.moves += 1
    pairwise.is_first = 0
    pairwise.plus, pairwise.minus = pair_after(work, pairwise.plus, pairwise.minus)
    find_pair(tol, state, work)
    return zero_i != (tau[i] == 0.0) or zero_j != (tau[j] == 0.0)


@inner
def mdm_step(tol, state, work, event):
    """Move weight between two points of the class with the larger gradient gap, from j to i.

    Of the points of the class that can lose weight, j has the largest gradient; of those that can
    gain weight, i has the smallest (see :mod:`solvers.geometry.min_norm_point`). Return whether the
    set of points with nonzero weight changed.
    """
    hull, tau, weights = work.hull, state.tau, weights_of(state)
    i, j = min_gradient_up(hull, state, 0), max_gradient_low(hull, state, 0)
    i_1, j_1 = min_gradient_up(hull, state, 1), max_gradient_low(hull, state, 1)
    if gradient_gap(hull, state, i_1, j_1) > gradient_gap(hull, state, i, j):
        i, j = i_1, j_1
    gap = gradient_gap(hull, state, i, j)
    eta = distance_of(work, i, j)
    max_delta = min(tau[j], hull.cap - tau[i])
    unclipped = gap / eta if eta > 0.0 else max_delta
    t = min(max_delta, unclipped)
    event.i, event.j, event.skipped = i, j, 0
    event.delta, event.unclipped, event.low = t, unclipped, max_delta
    zero_i, zero_j = tau[i] == 0.0, tau[j] == 0.0
    is_idle = tau[i] + t == tau[i] and tau[j] - t == tau[j]
    tau[i] = hull.cap if t == hull.cap - tau[i] else tau[i] + t
    tau[j] = 0.0 if t == tau[j] else tau[j] - t
    update_S(state, work, i, j, hull.sign[i] * t)

    code = measure_gap(hull, tol, weights)
    if code != RUNNING or is_idle:
        recompute_S(state, work)
        code = measure_gap(hull, tol, weights)
        if code == RUNNING and is_idle:
            code = STALLED
    state.scalars[0].steps += 1
    state.scalars[0].stop_code = code
    return zero_i != (tau[i] == 0.0) or zero_j != (tau[j] == 0.0)


@compiled
def begin(tol: float, state: State, work: Work) -> None:
    """Compute S and the stop code before the first step of MDM or of Wolfe's method."""
    recompute_S(state, work)
    state.scalars[0].stop_code = measure_gap(work.hull, tol, weights_of(state))


@compiled
def begin_pairwise(tol: float, state: State, work: Work) -> None:
    """Compute S before the first step, and find the first pair that moves."""
    recompute_S(state, work)
    state.pairwise[0].is_first = 1
    find_pair(tol, state, work)


# There is a loop for each algorithm, so that only the algorithm in use is compiled.


@compiled
def advance_pairwise(
    tol: float, state: State, work: Work, events: Events, marks: Marks
) -> tuple[int, int]:
    """Step until the run ends or ``marks`` is full; return the number of steps and a code."""
    for k in range(len(marks)):
        if state.scalars[0].stop_code != RUNNING:
            return k, state.scalars[0].stop_code
        sweep = SWEEP_STARTED if state.pairwise[0].is_first != 0 else 0
        changed = pairwise_step(tol, state, work, events[k])
        marks[k] = sweep | (SUPPORT_CHANGED if changed else 0)
    return len(marks), state.scalars[0].stop_code


@compiled
def advance_mdm(
    tol: float, state: State, work: Work, events: Events, marks: Marks
) -> tuple[int, int]:
    """Step until the run ends or ``marks`` is full; return the number of steps and a code."""
    for k in range(len(marks)):
        if state.scalars[0].stop_code != RUNNING:
            return k, state.scalars[0].stop_code
        changed = mdm_step(tol, state, work, events[k])
        marks[k] = SUPPORT_CHANGED if changed else 0
    return len(marks), state.scalars[0].stop_code


@compiled
def advance_wolfe(
    tol: float, state: State, work: Work, events: Events, marks: Marks
) -> tuple[int, int]:
    """Step until the run ends or ``marks`` is full; return the number of steps and a code."""
    for k in range(len(marks)):
        if state.scalars[0].stop_code != RUNNING:
            return k, state.scalars[0].stop_code
        weights = weights_of(state)
        added, dropped, changed = wolfe_step(work.dual_form, work.hull, tol, weights, work.corral)
        events[k].i, events[k].j = added, dropped
        marks[k] = SUPPORT_CHANGED if changed else 0
    return len(marks), state.scalars[0].stop_code
