"""Steps within a round, compiled: pairs of SMO on a dense local Gram matrix, and Newton steps.

The *local* problem contains only the points of the round's set. It is a
:class:`solvers.methods.smo.steps.Points`, so SMO's code chooses and moves its pairs. Rows of its
Gram matrix are short, and are computed on first use. m and M are those of the set: m is the largest
F of the points whose beta may rise, M the smallest F of those whose beta may fall.
"""

from __future__ import annotations

from solvers.jit.compiled import called_by_address, inner
from solvers.jit.signatures import Marks
from solvers.jit.simd import PAD, call_at
from solvers.kernels.kernel_rows import ELSEWHERE, OWNER, SLOT, SLOT_ROWS, Rows, slot_of
from solvers.methods.smo.choice import best_partner, is_hidden_by_rounding
from solvers.methods.smo.steps import MOVED, STALLED, Points, find_extremes, move_pair
from solvers.methods.working_set.newton import find_free
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


@inner
def load(dual_form: DualForm, state: State, work: Work, points: Points) -> None:
    """Copy the points of the set and their bounds into working memory, after a set was chosen.

    Mark all rows of the set's Gram matrix as not computed, or as ELSEWHERE if the row of the Gram
    matrix of all points is cached: with more than a few features, copying takes less time than
    computing. But if the set has all points and working memory already contains them, nothing is
    copied, and the computed rows stay valid.
    """
    size, loaded, known = state.round[0].size, work.loaded[0], work.rows.slots[SLOT]
    has_all = size == len(state.F)
    if not (has_all and loaded.has_all == 1):
        X, XT, all_X = points.rows.X, points.rows.blocks[0], work.rows.X
        slots = points.rows.slots
        for r in range(len(points.F)):
            # Padding points have lower = upper = 0 and cannot move.
            k = state.points[r] if r < size else state.points[0]
            for c in range(len(XT)):
                X[r, c] = all_X[k, c]
            points.lower[r] = dual_form.lower[k] if r < size else 0.0
            points.upper[r] = dual_form.upper[k] if r < size else 0.0
            points.diagonal[r] = dual_form.diagonal[k]
            slots[SLOT, r] = slots[OWNER, r] = -1
            if work.together > 1 and r < size and known[k] >= 0:
                slots[SLOT, r] = ELSEWHERE
        # In blocks, since with many features all entries of a point are far apart in XT.
        for start in range(0, len(X), PAD):
            for c in range(len(XT)):
                for r in range(start, start + PAD):
                    XT[c, r] = X[r, c]
    loaded.round, loaded.has_all = state.round[0].number, has_all


@inner
def copy_row(work: Work, points: Points, r: int) -> None:
    """Copy row r of the set's Gram matrix if it is ELSEWHERE, before it is needed.

    If the same round was run before, its end may have removed the row from the cache. Then
    :func:`slot_of` computes it.
    """
    slots, members = points.rows.slots, points.order
    if slots[SLOT, r] == ELSEWHERE:
        slot = work.rows.slots[SLOT, members[r]]
        if slot >= 0:
            row, set_row = work.rows.cached[slot], points.rows.cached[r]
            for c in range(len(set_row)):
                set_row[c] = row[members[c if c < len(members) else 0]]
        slots[SLOT, r] = slots[OWNER, r] = r if slot >= 0 else -1


@inner
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
            copy_row(work, points, work.free[a])
            slot_of(points.rows, work.free[a])
        taken, is_at_bound, any_zero = call_at(
            work.parts.newton_step, (points, work, f), (False, False, False)
        )
        schedule_newton(state, cost, taken, is_at_bound, n_free > f)
    if taken:
        for a in range(f):
            state.beta[points.order[work.free[a]]] = points.beta[work.free[a]]
        event.m, event.M = points.scalars[0].m, points.scalars[0].M
        event.kind, event.i, event.j = NEWTON, f, -1
    return taken, SUPPORT_CHANGED if any_zero else 0


@inner
def try_pair(state, work, points, extremes, event):
    """Move the pair with the largest predicted rise of the dual.

    ``extremes`` is ``(m, i, M, j)`` of the set before the step. Return MOVED or the reason that no
    pair moved, the mark of the step, and ``(m, i, M, j)`` after the step.
    """
    code, changed, new_extremes, current = STALLED, False, extremes, state.round[0]
    if not is_hidden_by_rounding(points.scalars[0]):
        i = extremes[1]
        copy_row(work, points, i)
        j = best_partner(points, i, False)
        for _ in range(2):
            copy_row(work, points, j)
            code, changed, new_extremes = move_pair(points, i, j, False, event)
            if code != STALLED:
                break
            # Rounding cancels the step of this pair. The maximal violating pair may still move.
            j = extremes[3]
    if code == MOVED:
        state.beta[event.i], state.beta[event.j] = event.beta_i, event.beta_j
        current.steps += 1
        current.pairs_since_newton += 1
        event.kind = PAIR
    return code, SUPPORT_CHANGED if changed else 0, new_extremes


@inner
def set_rows(work, X, XT, gram, slots):
    """Return the rows of the set's Gram matrix, as far as they are computed."""
    rows = work.rows
    address, ops, args, stack = rows.compute, rows.ops, rows.args, rows.stack
    return Rows(address, rows.evaluator, ops, args, X, XT, gram, slots, stack, work.together)


@called_by_address
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
    current, scalars, size = state.round[0], state.scalars[0], state.round[0].size
    # The set as SMO's Points: views into state and working memory. q is the padded size of the set.
    d, q = work.rows.X.shape[1], -(-size // PAD) * PAD
    local, end = work.local[: LOCAL_ROWS * q].reshape(LOCAL_ROWS, q), (LOCAL_ROWS + d) * q
    X = work.local[LOCAL_ROWS * q : end].reshape(q, d)
    XT, gram = work.local[end : end + d * q].reshape(1, d, q), work.gram[: q * q].reshape(q, q)
    slots = work.slots[: SLOT_ROWS * (q + 1)].reshape(SLOT_ROWS, q + 1)
    points = Points(
        scalars=state.scalars,
        diagonal=local[DIAGONAL],
        lower=local[LOWER],
        upper=local[UPPER],
        beta=state.local_beta[:q],
        F=state.local_F[:q],
        up_mask=local[UP_MASK],
        low_mask=local[LOW_MASK],
        gain=local[GAIN],
        order=state.points[:size],
        rows=set_rows(work, X, XT, gram, slots),
    )
    if work.loaded[0].round != current.number:
        load(dual_form, state, work, points)
    max_steps = (STEPS_PER_POINT_HARD if params.hard else STEPS_PER_POINT) * size + EXTRA_STEPS
    extremes = find_extremes(points, False)
    scalars.m, scalars.M = extremes[0] + 0.0, extremes[2] + 0.0
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
                extremes = find_extremes(points, False)
                scalars.m, scalars.M = extremes[0] + 0.0, extremes[2] + 0.0
        if not taken:
            code, mark, extremes = try_pair(state, work, points, extremes, event)
            if code != MOVED:
                # A stalled pair ends only the round. The test of the round decides about the run.
                scalars.stop_code = MOVED if code == STALLED else code
                return k, True
        event.size = size
        marks[k] = mark
    return len(marks), False


@inner
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
