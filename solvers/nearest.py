"""The point of a hull that is nearest to the origin, by Wolfe's method, compiled.

Problem: ``min 1/2 ||z||^2`` with ``z = sum_i sign_i lambda_i phi(x_i)``, where in each group of
points ``sum lambda = 1`` and ``0 <= lambda <= cap``. Two groups, the classes, with their labels
as signs: z is ``p - q``, the shortest way between the two hulls. One group with the labels as
signs: the hull of ``y_i phi(x_i)``, whose distance from the origin is the best margin of a
boundary through the origin.

Wolfe's method keeps a set of *free* points (the corral). A major cycle adds the point that
promises most; then z goes to the point nearest to the origin on everything the free points
span, and whenever a weight would leave its interval on the way, z stops there and the point is
dropped. With ``gradient_i = sign_i <z, phi(x_i)>`` a group is optimal when no point that can grow
has a smaller gradient than one that can shrink.

Source: Wolfe 1976, "Finding the nearest point in a polytope"; bounds as in any active-set method.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.compiled import compiled
from solvers.rows import Rows, kernel_row, make_rows

GOING, OPTIMAL, MEETING, STUCK = range(4)
# Places in Weights.level: ||z||^2; the sum over groups of the largest contradiction between two
# gradients; ||z||^2 when the last point was added; the squared extent of the data.
NORM, GAP, LAST, EXTENT = range(4)
# Places in Weights.count: steps, kernel values, why it ended, whether a point was just dropped,
# and how many cycles in a row led no nearer.
STEPS, VALUES, CODE, DROPPED, IDLE = range(5)
EPS = float(np.finfo(float).eps)
# ||z||^2 below this part of the squared extent is rounding: the hulls meet (distance 1e-7).
NOISE = 64 * EPS
# More free points than this are not solved for.
MOST_FREE = 1500
# Points can be added and dropped on the spot where several walls meet; this often, not for ever.
MOST_IDLE = 12


class Hull(NamedTuple):
    """Which points may be mixed, and how.

    Attributes
    ----------
    sign : float64 array, shape (n,); -1 or +1
    group : int64 array, shape (n,); 0 or 1
    cap : float; the largest weight, infinite where the sum alone bounds it
    """

    sign: np.ndarray
    group: np.ndarray
    cap: float


class Weights(NamedTuple):
    """A point of the hull.

    Attributes
    ----------
    lam : float64 array, shape (n,); lambda, at least 0, with sum 1 in each group
    S : float64 array, shape (n,); ``<z, phi(x_i)>``
    free : bool array, shape (n,); the corral
    level : float64 array, shape (4,); see the names above
    count : int64 array, shape (5,)
    """

    lam: np.ndarray
    S: np.ndarray
    free: np.ndarray
    level: np.ndarray
    count: np.ndarray


class Corral(NamedTuple):
    """Working memory: kernel rows, and the equations of the free points.

    Attributes
    ----------
    rows : Rows
    places : int64 array, shape (m,); the free points
    gram, factor : float64 arrays, shape (m, m)
    move : float64 array, shape (m,)
    """

    rows: Rows
    places: np.ndarray
    gram: np.ndarray
    factor: np.ndarray
    move: np.ndarray


def make_corral(n: int, depth: int, keep: bool) -> Corral:
    """Allocate a :class:`Corral`; memory is only touched as far as it is needed."""
    most = min(n, MOST_FREE)
    return Corral(
        make_rows(n, depth, keep),
        np.zeros(most, dtype=np.int64),
        np.empty((most, most)),
        np.empty((most, most)),
        np.empty(most),
    )


def first_weights(hull: Hull, diagonal: np.ndarray) -> Weights:
    """The first points of each group, each as heavy as it may be."""
    n = len(hull.sign)
    lam = np.zeros(n)
    for group in np.unique(hull.group):
        members = np.flatnonzero(hull.group == group)
        full = min(len(members), int(1.0 / hull.cap + EPS * n))
        lam[members[:full]] = hull.cap if full else 0.0
        rest = 1.0 - full * hull.cap if full else 1.0
        if rest > EPS * n:
            lam[members[full]] = rest
    free = (lam > 0.0) & (lam < hull.cap)
    level = np.array([0.0, 0.0, np.inf, np.abs(diagonal).max()])
    return Weights(lam, np.zeros(n), free, level, np.zeros(5, dtype=np.int64))


@compiled
def compute_afresh(form, hull, state, rows):
    """``S_i = <z, phi(x_i)>`` and ``||z||^2`` from the weights."""
    S, lam = state.S, state.lam
    n = len(S)
    for k in range(n):
        S[k] = 0.0
    for i in range(n):
        if lam[i] != 0.0:
            weight = hull.sign[i] * lam[i]
            row = kernel_row(form, rows, i, 0)
            for k in range(n):
                S[k] += weight * row[k]
            state.count[VALUES] += n
    total = 0.0
    for i in range(n):
        total += hull.sign[i] * lam[i] * S[i]
    state.level[NORM] = total if total > 0.0 else 0.0


@compiled
def lightest(hull, state, group):
    """The point of a group that can grow with the smallest gradient, or -1."""
    best, value = -1, np.inf
    for i in range(len(state.S)):
        if hull.group[i] == group and state.lam[i] < hull.cap:
            gradient = hull.sign[i] * state.S[i]
            if gradient < value:
                best, value = i, gradient
    return best


@compiled
def heaviest(hull, state, group):
    """The point of a group that can shrink with the largest gradient."""
    best, value = -1, -np.inf
    for i in range(len(state.S)):
        if hull.group[i] == group and state.lam[i] > 0.0:
            gradient = hull.sign[i] * state.S[i]
            if gradient > value:
                best, value = i, gradient
    return best


@compiled
def contradiction(hull, state, i, j):
    """How much the gradient at j, which can shrink, exceeds that at i, which can grow."""
    if i < 0 or j < 0:
        return 0.0
    return hull.sign[j] * state.S[j] - hull.sign[i] * state.S[i]


@compiled
def judge(hull, tol, state):
    """Measure the gap, and say whether to go on.

    No point of the hull is nearer to the origin than ``||z|| - gap / ||z||``, since at most the
    whole weight of a group can move from its worst point to its best.
    """
    level = state.level
    gap = 0.0
    for group in range(2):
        i, j = lightest(hull, state, group), heaviest(hull, state, group)
        gap += max(0.0, contradiction(hull, state, i, j))
    level[GAP] = gap
    if level[NORM] <= NOISE * level[EXTENT]:
        return MEETING
    if gap <= tol * level[NORM]:
        return OPTIMAL
    if gap <= 0.25 * NOISE * level[EXTENT]:
        return STUCK
    return GOING


@compiled
def add_best(hull, state):
    """Free the point that contradicts most; two where nothing of its group is free."""
    group, i, j, most = 0, -1, -1, -1.0
    for candidate in range(2):
        low, high = lightest(hull, state, candidate), heaviest(hull, state, candidate)
        found = contradiction(hull, state, low, high)
        if low >= 0 and high >= 0 and found > most:
            group, i, j, most = candidate, low, high, found
    middle, count = 0.0, 0
    for k in range(len(state.S)):
        if state.free[k] and hull.group[k] == group:
            middle += hull.sign[k] * state.S[k]
            count += 1
    if count == 0:
        state.free[i] = True
        state.free[j] = True
        return i
    # Free points of a group agree, so only one end can be far from them.
    middle /= count
    below = middle - hull.sign[i] * state.S[i]
    above = hull.sign[j] * state.S[j] - middle
    added = i if below >= above else j
    state.free[added] = True
    return added


@compiled
def gather(form, hull, state, work):
    """List the free points, the first of each group in front of the list, with their Gram matrix.

    Returns how many there are, and how many of them stand for a group.
    """
    m, heads = 0, 0
    for group in range(2):
        for i in range(len(state.free)):
            if state.free[i] and hull.group[i] == group:
                work.places[m] = work.places[heads]
                work.places[heads] = i
                heads += 1
                m += 1
                break
    for i in range(len(state.free)):
        head = False
        for h in range(heads):
            head = head or work.places[h] == i
        if state.free[i] and not head and m < len(work.places):
            work.places[m] = i
            m += 1
    for a in range(m):
        i = work.places[a]
        row = kernel_row(form, work.rows, i, 0)
        for c in range(m):
            j = work.places[c]
            work.gram[a, c] = hull.sign[i] * hull.sign[j] * row[j]
    state.count[VALUES] += m * m
    return m, heads


@compiled
def head_of(hull, work, heads, a):
    """The place of the point that stands for the group of the a-th free point."""
    group = hull.group[work.places[a]]
    return 0 if heads < 2 or hull.group[work.places[0]] == group else 1


@compiled
def solve_equations(m, heads, work):
    """Cholesky's ``factor factor' move = move`` on the rows after the heads, in place.

    A direction that depends on earlier ones has no pivot and is left out: it leads nowhere new.
    """
    L, x = work.factor, work.move
    for a in range(heads, m):
        size = L[a, a]
        for c in range(heads, a + 1):
            total = L[a, c]
            for e in range(heads, c):
                total -= L[a, e] * L[c, e]
            if c < a:
                L[a, c] = total / L[c, c] if L[c, c] < np.inf else 0.0
            else:
                L[a, a] = np.sqrt(total) if total > 1e-13 * size else np.inf
        total = x[a]
        for e in range(heads, a):
            total -= L[a, e] * x[e]
        x[a] = total / L[a, a]
    for a in range(m - 1, heads - 1, -1):
        total = x[a]
        for e in range(a + 1, m):
            total -= L[e, a] * x[e] if L[e, e] < np.inf else 0.0
        x[a] = total / L[a, a]


@compiled
def aim(hull, state, work, m, heads):
    """``move``: from the weights to the nearest point on all that the free points span."""
    gram = work.gram
    for a in range(heads, m):
        f = head_of(hull, work, heads, a)
        i, first = work.places[a], work.places[f]
        work.move[a] = hull.sign[first] * state.S[first] - hull.sign[i] * state.S[i]
        for c in range(heads, a + 1):
            g = head_of(hull, work, heads, c)
            work.factor[a, c] = gram[a, c] - gram[a, g] - gram[f, c] + gram[f, g]
    solve_equations(m, heads, work)
    for h in range(heads):
        work.move[h] = 0.0
    for a in range(heads, m):
        work.move[head_of(hull, work, heads, a)] -= work.move[a]


@compiled
def go(hull, state, work, m):
    """Follow ``move`` up to the first wall; return the point that met one, or -1."""
    lam, t, met = state.lam, 1.0, -1
    for a in range(m):
        i, move = work.places[a], work.move[a]
        room = lam[i] if move < 0.0 else hull.cap - lam[i]
        if abs(move) * t > room:
            t = room / abs(move)
            met = a
    for a in range(m):
        i = work.places[a]
        # A weight that meets its wall is put on it; rounding may not push another one through.
        moved = min(max(lam[i] + t * work.move[a], 0.0), hull.cap)
        if a == met:
            moved = 0.0 if work.move[a] < 0.0 else hull.cap
        lam[i] = moved
    return work.places[met] if met >= 0 else -1


@compiled
def wolfe_step(form, hull, tol, state, work):
    """One move towards the affine minimiser; return (point added, point dropped), -1 for none."""
    added = -1
    if state.count[DROPPED] == 0:
        state.level[LAST] = state.level[NORM]
        added = add_best(hull, state)
    m, heads = gather(form, hull, state, work)
    aim(hull, state, work, m, heads)
    dropped = go(hull, state, work, m)
    for a in range(m):
        i = work.places[a]
        if i == dropped or state.lam[i] <= 0.0 or state.lam[i] >= hull.cap:
            state.free[i] = False
    state.count[DROPPED] = 1 if dropped >= 0 else 0
    compute_afresh(form, hull, state, work.rows)
    state.count[STEPS] += 1
    code = judge(hull, tol, state)
    level = state.level
    # Cycle after cycle that leads no nearer: rounding has the last word.
    if dropped < 0:
        nearer = level[NORM] < level[LAST] * (1.0 - 4.0 * EPS)
        state.count[IDLE] = 0 if nearer else state.count[IDLE] + 1
    if code == GOING and state.count[IDLE] > MOST_IDLE:
        code = STUCK
    state.count[CODE] = code
    return added, dropped
