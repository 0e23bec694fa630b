"""One step of sequential minimal optimisation, compiled: choose a pair and move it.

The mathematics is at the top of :mod:`solvers.smo`. ``F`` is updated from step to step, which
gathers rounding; so before a state is called optimal, F is computed afresh from beta.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.compiled import compiled, compiled_strictly
from solvers.rows import Rows, kernel_row
from solvers.simd import larger, smaller
from solvers.trace import SUPPORT_CHANGED, SWEEP_STARTED

MOVED, OPTIMAL, STUCK, UNBOUNDED, INSEPARABLE = range(5)
SECOND_ORDER, MAXIMAL_VIOLATION = 0, 1
# Stands for a curvature that is not above 0: identical points, an indefinite kernel (LIBSVM's tau).
TAU = 1e-12
# Relative rounding of a kernel value; a violation of a few such units of F is rounding, too.
EPS = float(np.finfo(float).eps)
NOISE = 4 * EPS
# Longest step: the square of it and of the kernel still fit into a double.
LONGEST, LARGEST_RISE = 1e130, 1e260

EVENT = np.dtype(
    [("i", "i4"), ("j", "i4"), ("beta_i", "f8"), ("beta_j", "f8"), ("m", "f8"), ("M", "f8")]
)


class State(NamedTuple):
    """Raw variables of SMO.

    Attributes
    ----------
    beta : float64 array, shape (n,)
    F : float64 array, shape (n,); ``target - K beta``
    level : float64 array, shape (3,); ``m``, ``M``, and the rounding that a fresh F found between
    count : int64 array, shape (2,); steps taken, kernel values asked for
    """

    beta: np.ndarray
    F: np.ndarray
    level: np.ndarray
    count: np.ndarray


class Work(NamedTuple):
    """Working memory: kernel rows and the gains of the candidates j, shape (n,)."""

    rows: Rows
    gain: np.ndarray


@compiled
def extremes(form, state):
    """``m = max F over up`` and ``M = min F over low``."""
    beta, F, lower, upper = state.beta, state.F, form.lower, form.upper
    m, M = -np.inf, np.inf
    for k in range(len(F)):
        m = larger(m, F[k] if beta[k] < upper[k] else -np.inf)
        M = smaller(M, F[k] if beta[k] > lower[k] else np.inf)
    return m, M


@compiled
def compute_afresh(form, state, work):
    """``F = target - K beta`` from nothing; return how far rounding may have moved an entry."""
    F, size = state.F, work.gain
    for k in range(len(F)):
        F[k] = form.target[k]
        size[k] = 0.0
    for i in range(len(F)):
        weight = state.beta[i]
        if weight != 0.0:
            K_i = kernel_row(form, work.rows, i, 0)
            for k in range(len(F)):
                F[k] -= weight * K_i[k]
                size[k] += abs(weight * K_i[k])
    largest = 0.0
    for k in range(len(F)):
        largest = larger(largest, size[k])
    return NOISE * largest


@compiled
def measure(form, tol, state, work):
    """Find m and M; where they promise the optimum, check that on a fresh F."""
    m, M = extremes(form, state)
    rounding = 0.0
    if m - M < tol:
        rounding = compute_afresh(form, state, work)
        m, M = extremes(form, state)
    # Plus 0.0, since which of 0.0 and -0.0 is the larger one is up to the compiler.
    state.level[0], state.level[1], state.level[2] = m + 0.0, M + 0.0, rounding


@compiled
def first_up(form, state, value):
    """The first index of the up set with ``F = value``."""
    for k in range(len(state.F)):
        if state.F[k] == value and state.beta[k] < form.upper[k]:
            return k
    return -1


@compiled
def first_low(form, state, value):
    """The first index of the low set with ``F = value``."""
    for k in range(len(state.F)):
        if state.F[k] == value and state.beta[k] > form.lower[k]:
            return k
    return -1


@compiled
def curvature(K_ii, K_jj, K_ij):
    """``eta = K_ii + K_jj - 2 K_ij``, or TAU where that is not above 0."""
    eta = K_ii + K_jj - 2.0 * K_ij
    return eta if eta > 0.0 else TAU


@compiled
def step_length(eta, size, difference, room):
    """To the top of the parabola or to the first wall, whichever comes first.

    Where the parabola has no top, to the wall; where there is no wall either (hard margin), as
    far as a curvature that is lost in the rounding of kernel values of this size may lead.
    """
    if eta <= 0.0:
        if room < np.inf:
            return room
        eta = EPS * size
    return min(difference / eta, room)


@compiled
def coincide(form, i, j):
    """Whether two points are one."""
    same = True
    for c in range(form.X.shape[1]):
        same = same and form.X[i, c] == form.X[j, c]
    return same


@compiled_strictly
def moved_by(old, new):
    """``new - old`` as rounded: ``old + t`` may be nearer to old than t, or old itself."""
    return new - old


@compiled
def best_partner(form, state, i, m, K_i, gain):
    """The j of the low set whose pair with i promises the largest rise of the dual.

    Along the pair the dual rises by ``(m - F_j)^2 / (2 eta)`` if the box does not interfere.
    """
    beta, F, lower, diagonal = state.beta, state.F, form.lower, form.diagonal
    K_ii = diagonal[i]
    best = 0.0
    for k in range(len(F)):
        difference = m - F[k]
        rise = difference * difference / curvature(K_ii, diagonal[k], K_i[k])
        gain[k] = rise if beta[k] > lower[k] and difference > 0.0 else 0.0
        best = larger(best, gain[k])
    for k in range(len(F)):
        if gain[k] == best:
            return k
    return -1


@compiled
def step(form, choice, tol, state, work, event):
    """Move one pair; return MOVED or why not, and whether the set of support vectors changed."""
    beta, F = state.beta, state.F
    m, M, rounding = state.level[0], state.level[1], state.level[2]
    if m - M < tol:
        return OPTIMAL, False
    if m - M <= max(rounding, NOISE * max(abs(m), abs(M))):
        return STUCK, False

    # Choose the pair: i violates most; j violates most, or promises most.
    i = first_up(form, state, m)
    K_i = kernel_row(form, work.rows, i, 0)
    if choice == SECOND_ORDER:
        j = best_partner(form, state, i, m, K_i, work.gain)
    else:
        j = first_low(form, state, M)
    K_j = kernel_row(form, work.rows, j, 1)

    # How far?
    K_ii, K_jj = form.diagonal[i], form.diagonal[j]
    room_i = form.upper[i] - beta[i]
    room_j = beta[j] - form.lower[j]
    if min(room_i, room_j) == np.inf and coincide(form, i, j):
        return INSEPARABLE, False
    size = abs(K_ii) + abs(K_jj)
    t = step_length(K_ii + K_jj - 2.0 * K_i[j], size, m - F[j], min(room_i, room_j))
    if t > LONGEST or t * t * size > LARGEST_RISE:
        return UNBOUNDED, False

    # A variable that meets its wall is put on it, so that its zero (or C) is exact.
    old_i, old_j = beta[i], beta[j]
    beta[i] = form.upper[i] if t == room_i else old_i + t
    beta[j] = form.lower[j] if t == room_j else old_j - t
    # What was moved after rounding, so that F belongs to beta and not to what was wished.
    moved = moved_by(beta[j], old_j)
    excess = moved_by(old_i, beta[i]) - moved
    if moved == 0.0 and excess == 0.0:
        return STUCK, False
    for k in range(len(F)):
        F[k] -= moved * (K_i[k] - K_j[k]) + excess * K_i[k]
    measure(form, tol, state, work)

    state.count[0] += 1
    state.count[1] += 2 * len(F)
    event.i, event.j = i, j
    event.beta_i, event.beta_j = beta[i], beta[j]
    event.m, event.M = m, M
    changed = (old_i == 0.0) != (beta[i] == 0.0) or (old_j == 0.0) != (beta[j] == 0.0)
    return MOVED, changed


@compiled
def advance(form, choice, tol, state, work, events, marks):
    """Step until a reason to stop or the end of ``marks``."""
    for k in range(len(marks)):
        sweep = SWEEP_STARTED if state.count[0] % len(state.F) == 0 else 0
        code, changed = step(form, choice, tol, state, work, events[k])
        if code != MOVED:
            return k, code
        marks[k] = sweep | (SUPPORT_CHANGED if changed else 0)
    return len(marks), MOVED
