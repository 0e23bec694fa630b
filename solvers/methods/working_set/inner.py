"""Steps within a round, compiled: the pairs of SMO on a dense local Gram matrix, Newton between.

The local problem is a :class:`solvers.methods.smo.state.Points` like SMO's own, so its pairs are
chosen and moved by the same code; the rows of its Gram matrix are short, and made when they are
first used.
"""

from __future__ import annotations

from solvers.jit.compiled import compiled, inlined
from solvers.jit.separate import compiled_apart
from solvers.jit.signatures import Marks
from solvers.jit.simd import PAD
from solvers.kernels.rows import Rows, kernel_row
from solvers.methods.smo.most_violating_pair import Rule as PairRule
from solvers.methods.smo.most_violating_pair import step
from solvers.methods.smo.state import BEST, LEAST, MOVED, STEPS, STUCK, VALUES, VERDICT, Points
from solvers.methods.smo.steps import look
from solvers.methods.working_set.newton import find_free, newton_step
from solvers.methods.working_set.state import (
    INNER,
    LOCAL_ROWS,
    NEWTON,
    PAIR,
    ROUND,
    SINCE,
    SIZE,
    STREAK,
    TARGET,
    WAIT,
    Rule,
    State,
    StepEvents,
    Work,
)
from solvers.problem.problem import DualForm
from solvers.run.trace import SUPPORT_CHANGED

# A round ends after so many steps a point, and some: with a hard margin the wait would be long
# where none exists; else F would gather rounding.
STEPS_A_POINT, STEPS_A_POINT_HARD, SOME_STEPS = 100, 2, 100
# Pair steps before the first Newton step of a round.
FIRST_WAIT = 16
# A Newton step on f free variables costs as much as f^3 over this pair steps.
NEWTON_COST = 5000
# Newton steps in a row, while each meets a wall.
LONGEST_STREAK = 8
# Kernel values after which a call returns, so that the window hears of it every few milliseconds.
PATIENCE = 4_000_000


@inlined
def local_row(work, q, k):
    """Row k of what the set has of each point, shape (q,)."""
    return work.local[k * q : (k + 1) * q]


@inlined
def local_points(work, d, q):
    """The points of the set, shape (q, d), and transposed."""
    begin, size = LOCAL_ROWS * q, d * q
    X, XT = work.local[begin : begin + size], work.local[begin + size : begin + 2 * size]
    return X.reshape(q, d), XT.reshape(d, q)


@compiled_apart
def load(form: DualForm, state: State, work: Work) -> None:
    """Fetch the box and the points of the set; rows of its Gram matrix come when they are used."""
    count, size = state.count, state.count[SIZE]
    whole = size == len(state.F)
    if not (whole and work.held[1] == 1):
        d, q = form.XT.shape[0], -(-size // PAD) * PAD
        X, XT = local_points(work, d, q)
        lower, upper, diagonal = local_row(work, q, 0), local_row(work, q, 1), local_row(work, q, 2)
        for r in range(q):
            # Points that fill up stand on both walls.
            k = state.points[r] if r < size else state.points[0]
            for c in range(d):
                X[r, c] = XT[c, r] = form.XT[c, k]
            lower[r] = form.lower[k] if r < size else 0.0
            upper[r] = form.upper[k] if r < size else 0.0
            diagonal[r] = form.diagonal[k]
            work.owner[r] = -1
    work.held[0], work.held[1] = count[ROUND], whole


@inlined
def local_problem(form, state, work):
    """The set as SMO's choice and move see it: views into state and working memory."""
    d, size = form.XT.shape[0], state.count[SIZE]
    q = -(-size // PAD) * PAD
    X, XT = local_points(work, d, q)
    return Points(
        X=X,
        XT=XT,
        lower=local_row(work, q, 0),
        upper=local_row(work, q, 1),
        diagonal=local_row(work, q, 2),
        closed_up=local_row(work, q, 3),
        closed_low=local_row(work, q, 4),
        gain=local_row(work, q, 5),
        beta=state.local_beta[:q],
        F=state.local_F[:q],
        order=state.points[:size],
        level=state.level,
        count=state.count,
        ops=form.ops,
        args=form.args,
        rows=Rows(work.gram[: q * q].reshape(q, q), work.owner[:q], work.scratch, work.single),
    )


@inlined
def look_around(points):
    """Find m, its i, M and its j, and note m and M."""
    found = look(points, False)
    points.level[BEST], points.level[LEAST] = found[0] + 0.0, found[2] + 0.0
    return found


@inlined
def try_newton(state, points, rule, work, event):
    """A Newton step if it is time and if it is possible; return whether it was, and its mark."""
    count, taken, zero = points.count, False, False
    f, found = find_free(points, work.free, len(work.free), rule.seed)
    price = f * f * f // NEWTON_COST
    if f <= 2:
        count[SINCE] = count[STREAK] = 0
    elif count[STREAK] == 0 and count[SINCE] < price:
        # Pairs may end the round before they have cost as much.
        count[WAIT] = price
    else:
        for a in range(f):
            kernel_row(points, points.rows, work.free[a], 0)
        taken, met, zero = newton_step(points, work, f)
        note_newton(count, price, taken, met, found > f)
    if taken:
        for a in range(f):
            state.beta[points.order[work.free[a]]] = points.beta[work.free[a]]
        event.m, event.M = points.level[BEST], points.level[LEAST]
        event.kind, event.i, event.j = NEWTON, f, -1
    return taken, SUPPORT_CHANGED if zero else 0


@inlined
def try_pair(state, points, extremes, event):
    """Move the pair that promises most; return MOVED or why not, its mark, the next extremes."""
    second, code, changed, found = True, STUCK, False, extremes
    while True:
        pair = PairRule(second, False, points.level[TARGET], len(points.order))
        code, changed, found = step(points, pair, extremes, event)
        if code != STUCK or not second:
            break
        # It is lost in rounding; the pair that violates most may not be.
        second = False
    if code == MOVED:
        state.beta[event.i], state.beta[event.j] = event.beta_i, event.beta_j
        points.count[INNER] += 1
        points.count[SINCE] += 1
        event.kind = PAIR
    return code, SUPPORT_CHANGED if changed else 0, found


@compiled_apart
def inner_steps(
    form: DualForm,
    rule: Rule,
    state: State,
    work: Work,
    most: int,
    events: StepEvents,
    marks: Marks,
) -> tuple[int, bool]:
    """Pairs and Newton steps on the set; return how many, and whether the round is over.

    After ``most`` kernel values in all it returns early.
    """
    count, level, size = state.count, state.level, state.count[SIZE]
    if work.held[0] != count[ROUND]:
        load(form, state, work)
    points = local_problem(form, state, work)
    longest = (STEPS_A_POINT_HARD if rule.hard else STEPS_A_POINT) * size + SOME_STEPS
    extremes = look_around(points)
    for k in range(len(marks)):
        if level[BEST] - level[LEAST] < level[TARGET] or count[INNER] >= longest:
            return k, True
        if count[VALUES] > most:
            return k, False
        event, taken, mark = events[k], False, 0
        if rule.newton and (count[SINCE] >= count[WAIT] or count[STREAK] > 0):
            taken, mark = try_newton(state, points, rule, work, event)
            if taken:
                extremes = look_around(points)
        if not taken:
            code, mark, extremes = try_pair(state, points, extremes, event)
            if code != MOVED:
                count[VERDICT] = 0 if code == STUCK else code
                return k, True
        event.size = size
        marks[k] = mark
    return len(marks), False


@compiled
def note_newton(count, price, taken, met, crowded):
    """Count a Newton step that costs as much as so many pairs, and decide when to try the next."""
    count[SINCE] = 0
    if not taken:
        count[STREAK] = 0
        count[WAIT] *= 2
        return
    count[STEPS] += 1
    count[INNER] += 1
    count[STREAK] += 1
    count[WAIT] = FIRST_WAIT + price * count[STREAK]
    cheap = count[STREAK] < LONGEST_STREAK and price * count[STREAK] < FIRST_WAIT
    if not (met and (crowded or cheap)):
        count[STREAK] = 0
