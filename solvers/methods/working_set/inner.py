"""Steps within a round, compiled: pairs of SMO on a dense local Gram matrix, and Newton steps.

The *local* problem contains only the points of the round's set. It is a
:class:`solvers.methods.smo.state.Points`, so SMO's code chooses and moves its pairs. Rows of its
Gram matrix are short, and are computed on first use. m and M are those of the set: m is the largest
F of the points whose beta can grow, M the smallest F of those whose beta can shrink.
"""

from __future__ import annotations

from solvers.jit.compiled import compiled, inlined
from solvers.jit.separate import compiled_apart
from solvers.jit.signatures import Marks
from solvers.jit.simd import PAD
from solvers.kernels.kernel_rows import Rows, kernel_row
from solvers.methods.smo.most_violating_pair import Params as PairParams
from solvers.methods.smo.most_violating_pair import step
from solvers.methods.smo.state import MOVED, STALLED, Points
from solvers.methods.smo.steps import find_extremes
from solvers.methods.working_set.newton import find_free, newton_step
from solvers.methods.working_set.state import (
    DIAGONAL,
    GAIN,
    LOCAL_ROWS,
    LOW_MASK,
    LOWER,
    NEWTON,
    PAIR,
    UP_MASK,
    UPPER,
    Params,
    State,
    StepEvents,
    Work,
)
from solvers.problem.problem import DualForm
from solvers.run.trace import SUPPORT_CHANGED

# A round on s points takes at most ``s STEPS_PER_POINT + EXTRA_STEPS`` pair and Newton steps, to
# limit the rounding error in F. With a hard margin STEPS_PER_POINT_HARD replaces STEPS_PER_POINT:
# rounds must be shorter, since separability is tested between rounds.
STEPS_PER_POINT, STEPS_PER_POINT_HARD, EXTRA_STEPS = 100, 2, 100
# Pair steps before the first Newton step of a round.
FIRST_NEWTON_WAIT = 16
# A Newton step on f free variables takes about as long as f^3 / NEWTON_DIVISOR pair steps.
NEWTON_DIVISOR = 5000
# A Newton step that reaches a bound can be followed by another Newton step without a pair step
# between them. This is the maximum number of such successive steps, if each moves all free
# variables.
MAX_STREAK = 8
# `advance` (steps.py) returns after about this many kernel evaluations, which take some
# milliseconds.
MAX_EVALUATIONS = 4_000_000


@inlined
def local_row(work, q, k):
    """Return row k of ``work.local``, shape (q,), where k is one of LOWER to GAIN.

    Here and below, q is the size of the present set, padded.
    """
    return work.local[k * q : (k + 1) * q]


@inlined
def local_points(work, d, q):
    """Return the points of the set, shape (q, d), and their transpose, shape (d, q)."""
    begin, size = LOCAL_ROWS * q, d * q
    X, XT = work.local[begin : begin + size], work.local[begin + size : begin + 2 * size]
    return X.reshape(q, d), XT.reshape(d, q)


@compiled_apart
def load(dual_form: DualForm, state: State, work: Work) -> None:
    """Copy the points of the set and their bounds into working memory, after a set was chosen.

    Mark all rows of the set's Gram matrix as not computed. But if the set has all points and
    working memory already contains them, nothing is copied, and the computed rows stay valid.
    """
    size, loaded = state.round[0].size, work.loaded[0]
    has_all = size == len(state.F)
    if not (has_all and loaded.has_all == 1):
        d, q = dual_form.XT.shape[0], -(-size // PAD) * PAD
        X, XT = local_points(work, d, q)
        lower, upper = local_row(work, q, LOWER), local_row(work, q, UPPER)
        diagonal = local_row(work, q, DIAGONAL)
        for r in range(q):
            # Padding points have lower = upper = 0 and cannot move.
            k = state.points[r] if r < size else state.points[0]
            for c in range(d):
                X[r, c] = XT[c, r] = dual_form.XT[c, k]
            lower[r] = dual_form.lower[k] if r < size else 0.0
            upper[r] = dual_form.upper[k] if r < size else 0.0
            diagonal[r] = dual_form.diagonal[k]
            work.owner[r] = -1
    loaded.round, loaded.has_all = state.round[0].number, has_all


@inlined
def local_problem(dual_form, state, work):
    """Return the set as SMO's :class:`Points`: views into state and working memory."""
    d, size = dual_form.XT.shape[0], state.round[0].size
    q = -(-size // PAD) * PAD
    X, XT = local_points(work, d, q)
    return Points(
        scalars=state.scalars,
        X=X,
        XT=XT,
        lower=local_row(work, q, LOWER),
        upper=local_row(work, q, UPPER),
        diagonal=local_row(work, q, DIAGONAL),
        up_mask=local_row(work, q, UP_MASK),
        low_mask=local_row(work, q, LOW_MASK),
        gain=local_row(work, q, GAIN),
        beta=state.local_beta[:q],
        F=state.local_F[:q],
        order=state.points[:size],
        ops=dual_form.ops,
        args=dual_form.args,
        rows=Rows(work.gram[: q * q].reshape(q, q), work.owner[:q], work.scratch, work.single),
    )


@inlined
def store_local_extremes(points):
    """Return ``(m, i, M, j)`` of the set, where i attains m and j attains M; store m and M."""
    extremes = find_extremes(points, False)
    points.scalars[0].m, points.scalars[0].M = extremes[0] + 0.0, extremes[2] + 0.0
    return extremes


@inlined
def try_newton(state, points, params, work, event):
    """Take a Newton step if one is possible and worth its cost.

    Return whether it was taken, and the mark of the step: SUPPORT_CHANGED if some beta became 0,
    otherwise 0.
    """
    current, taken, any_zero = state.round[0], False, False
    f, n_free = find_free(points, work.free, len(work.free), params.seed)
    # The cost of a Newton step, in pair steps.
    cost = f * f * f // NEWTON_DIVISOR
    if f <= 2:
        current.pairs_since_newton = current.newton_streak = 0
    elif current.newton_streak == 0 and current.pairs_since_newton < cost:
        # First take pair steps for as long as the Newton step would take: they may end the round.
        current.newton_wait = cost
    else:
        for a in range(f):
            kernel_row(points, points.rows, work.free[a], 0)
        taken, is_at_bound, any_zero = newton_step(points, work, f)
        schedule_newton(state, cost, taken, is_at_bound, n_free > f)
    if taken:
        for a in range(f):
            state.beta[points.order[work.free[a]]] = points.beta[work.free[a]]
        event.m, event.M = points.scalars[0].m, points.scalars[0].M
        event.kind, event.i, event.j = NEWTON, f, -1
    return taken, SUPPORT_CHANGED if any_zero else 0


@inlined
def try_pair(state, points, extremes, event):
    """Move the pair with the largest predicted rise of the dual.

    ``extremes`` is ``(m, i, M, j)`` of the set before the step. Return MOVED or the reason that no
    pair moved, the mark of the step, and ``(m, i, M, j)`` after the step.
    """
    second_order, code, changed, new_extremes = True, STALLED, False, extremes
    current = state.round[0]
    while True:
        pair = PairParams(second_order, False, current.inner_tol, len(points.order))
        code, changed, new_extremes = step(points, pair, extremes, event)
        if code != STALLED or not second_order:
            break
        # Rounding cancels the step of this pair. The maximal violating pair may still move.
        second_order = False
    if code == MOVED:
        state.beta[event.i], state.beta[event.j] = event.beta_i, event.beta_j
        current.steps += 1
        current.pairs_since_newton += 1
        event.kind = PAIR
    return code, SUPPORT_CHANGED if changed else 0, new_extremes


@compiled_apart
def inner_steps(
    dual_form: DualForm,
    params: Params,
    state: State,
    work: Work,
    max_evaluations: int,
    events: StepEvents,
    marks: Marks,
) -> tuple[int, bool]:
    """Take pair and Newton steps on the set; return their number, and whether the round is over.

    Return early, before the round is over, once the run has made more than ``max_evaluations``
    kernel evaluations since its start, or ``marks`` is full.
    """
    current, scalars = state.round[0], state.scalars[0]
    size = current.size
    if work.loaded[0].round != current.number:
        load(dual_form, state, work)
    points = local_problem(dual_form, state, work)
    max_steps = (STEPS_PER_POINT_HARD if params.hard else STEPS_PER_POINT) * size + EXTRA_STEPS
    extremes = store_local_extremes(points)
    for k in range(len(marks)):
        if scalars.m - scalars.M < current.inner_tol or current.steps >= max_steps:
            return k, True
        if scalars.evaluations > max_evaluations:
            return k, False
        event, taken, mark = events[k], False, 0
        is_due = current.pairs_since_newton >= current.newton_wait or current.newton_streak > 0
        if params.newton and is_due:
            taken, mark = try_newton(state, points, params, work, event)
            if taken:
                extremes = store_local_extremes(points)
        if not taken:
            code, mark, extremes = try_pair(state, points, extremes, event)
            if code != MOVED:
                # A stalled pair ends only the round. The test of the round decides about the run.
                scalars.stop_code = MOVED if code == STALLED else code
                return k, True
        event.size = size
        marks[k] = mark
    return len(marks), False


@compiled
def schedule_newton(state, cost, taken, is_at_bound, more_are_free):
    """Update the counters after a Newton step was tried; decide when to try the next one.

    ``cost`` is the number of pair steps that take as long as the Newton step. The other parameters
    say whether the step was taken, whether it reached a bound, and whether some free variables were
    not part of it.
    """
    current = state.round[0]
    current.pairs_since_newton = 0
    if not taken:
        current.newton_streak = 0
        current.newton_wait *= 2
        return
    state.scalars[0].steps += 1
    current.steps += 1
    current.newton_streak += 1
    streak = current.newton_streak
    current.newton_wait = FIRST_NEWTON_WAIT + cost * streak
    # After a step that reached a bound, another Newton step follows at once if some free variables
    # were not part of it, or if such steps are cheap.
    is_cheap = streak < MAX_STREAK and cost * streak < FIRST_NEWTON_WAIT
    if not (is_at_bound and (more_are_free or is_cheap)):
        current.newton_streak = 0
