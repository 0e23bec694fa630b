"""Wolfe's method for the point of a hull that is nearest to the origin, compiled.

It keeps a set of *free* points (the corral). A major cycle adds the point that promises most;
then z goes to the point nearest to the origin on everything the free points span, and whenever a
weight would leave its interval on the way, z stops there and the point is dropped.

Source: Wolfe 1976, "Finding the nearest point in a polytope"; bounds as in any active-set method.
"""

from __future__ import annotations

import numpy as np

from solvers.compiled import compiled
from solvers.nearest import (
    CODE,
    DROPPED,
    EPS,
    GOING,
    IDLE,
    LAST,
    NORM,
    STEPS,
    STUCK,
    VALUES,
    compute_afresh,
    contradiction,
    heaviest,
    judge,
    lightest,
)
from solvers.rows import kernel_row

# A pivot below this part of its own size is rounding: the direction depends on others.
DEPENDENT = 1e-13
# Points can be added and dropped on the spot where several walls meet; this often, not for ever.
MOST_IDLE = 12
# Steps after which S is computed afresh.
REFRESH = 32


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
def factorise(m, heads, work):
    """Cholesky's ``U' U`` on the rows after the heads, in place; the upper triangle is used.

    Row by row from the top, so that inner loops run along rows. A direction that depends on
    earlier ones has no pivot left: it is marked by an infinite one, and leads nowhere new.
    """
    U = work.factor
    for k in range(heads, m):
        top = U[k, k:m]
        if top[0] > DEPENDENT * work.size[k]:
            root = np.sqrt(top[0])
            for e in range(len(top)):
                top[e] /= root
        else:
            for e in range(len(top)):
                top[e] = 0.0
            top[0] = np.inf
        for i in range(k + 1, m):
            part, row, above = U[k, i], U[i, i:m], U[k, i:m]
            for e in range(len(row)):
                row[e] -= part * above[e]


@compiled
def solve_equations(m, heads, work):
    """``U' U move = move`` on the rows after the heads, in place."""
    U, x = work.factor, work.move
    for k in range(heads, m):
        x[k] /= U[k, k]
        for i in range(k + 1, m):
            x[i] -= U[k, i] * x[k]
    for k in range(m - 1, heads - 1, -1):
        total = x[k]
        for i in range(k + 1, m):
            total -= U[k, i] * x[i]
        x[k] = total / U[k, k]


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
            work.factor[c, a] = gram[a, c] - gram[a, g] - gram[f, c] + gram[f, g]
        work.size[a] = work.factor[a, a]
    factorise(m, heads, work)
    solve_equations(m, heads, work)
    for h in range(heads):
        work.move[h] = 0.0
    for a in range(heads, m):
        work.move[head_of(hull, work, heads, a)] -= work.move[a]


@compiled
def go(hull, state, work, m):
    """Follow ``move`` up to the first wall.

    Return the point that met it, or -1, and whether a weight became 0 or left it; ``move`` is
    what was moved.
    """
    lam, t, met, changed = state.lam, 1.0, -1, False
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
        changed = changed or (lam[i] == 0.0) != (moved == 0.0)
        work.move[a] = moved - lam[i]
        lam[i] = moved
    return work.places[met] if met >= 0 else -1, changed


@compiled
def follow_move(form, hull, state, work, m):
    """S and ``||z||^2`` after the m free points moved by ``move``."""
    S, n = state.S, len(state.S)
    for a in range(m):
        i = work.places[a]
        weight = hull.sign[i] * work.move[a]
        if weight != 0.0:
            row = kernel_row(form, work.rows, i, 0)
            for k in range(n):
                S[k] += weight * row[k]
            state.count[VALUES] += n
    total = 0.0
    for i in range(n):
        total += hull.sign[i] * state.lam[i] * S[i]
    state.level[NORM] = max(total, 0.0)


@compiled
def wolfe_step(form, hull, tol, state, work):
    """One move towards the affine minimiser.

    Return the point added and the point dropped, -1 for none, and whether the support changed.
    """
    added = -1
    if state.count[DROPPED] == 0:
        state.level[LAST] = state.level[NORM]
        added = add_best(hull, state)
    m, heads = gather(form, hull, state, work)
    aim(hull, state, work, m, heads)
    dropped, changed = go(hull, state, work, m)
    for a in range(m):
        i = work.places[a]
        if i == dropped or state.lam[i] <= 0.0 or state.lam[i] >= hull.cap:
            state.free[i] = False
    state.count[DROPPED] = 1 if dropped >= 0 else 0
    state.count[STEPS] += 1
    follow_move(form, hull, state, work, m)
    code = judge(hull, tol, state)
    # Rounding gathers from step to step, so what ends a run is seen on a fresh S.
    if code != GOING or state.count[STEPS] % REFRESH == 0:
        compute_afresh(form, hull, state, work.rows)
        code = judge(hull, tol, state)
    level = state.level
    # Cycle after cycle that leads no nearer: rounding has the last word.
    if dropped < 0:
        nearer = level[NORM] < level[LAST] * (1.0 - 4.0 * EPS)
        state.count[IDLE] = 0 if nearer else state.count[IDLE] + 1
    if code == GOING and state.count[IDLE] > MOST_IDLE:
        code = STUCK
    state.count[CODE] = code
    return added, dropped, changed
