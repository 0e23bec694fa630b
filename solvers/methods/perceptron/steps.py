"""The compiled step of the perceptron: visit a point, and update f if it is a mistake.

The mathematics is at the top of :mod:`solvers.methods.perceptron.perceptron`.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from solvers.jit.compiled import compiled, inner
from solvers.jit.signatures import Contiguous, Indices, Marks, Vector
from solvers.kernels.kernel_rows import Rows, slot_of
from solvers.problem.problem import DualForm
from solvers.run.random_numbers import draw
from solvers.run.trace import SUPPORT_CHANGED, SWEEP_STARTED

# Stop codes.
RUNNING, NO_MISTAKE, INSEPARABLE = range(3)
# The scalars of a state.
SCALARS = np.dtype(
    [
        ("steps", "i8"),
        ("mistakes", "i8"),
        # Mistakes in this sweep.
        ("sweep_mistakes", "i8"),
        # Kernel evaluations; cached values count too.
        ("evaluations", "i8"),
        # 1 if the points are proved inseparable, otherwise 0.
        ("is_inseparable", "i8"),
    ]
)
# The record of a step: the visited point, 1 if it is a mistake (otherwise 0), and y f of the point
# before the step.
EVENT = np.dtype([("i", "i4"), ("mistake", "i4"), ("margin", "f8")])
Events = Annotated[np.ndarray, Contiguous(EVENT, 1)]


class State(NamedTuple):
    """The variables of the perceptron.

    Attributes
    ----------
    counts : int64 array, shape (n,); mistakes at each point
    sums : float64 array, shape (n,); ``f(x_i) = sum_j y_j count_j k(x_j, x_i) + b``
    scalars : structured array, shape (1,); see :data:`SCALARS`
    """

    counts: Indices
    sums: Vector
    scalars: Annotated[np.ndarray, Contiguous(SCALARS, 1)]


class Params(NamedTuple):
    """The settings for compiled code.

    ``sweeps`` is the limit for inseparable points. ``extra`` is what the bias adds to k: 1 for a
    free bias; 0 without a bias, and for an augmented bias, which is already part of k.
    ``zero_is_positive`` says whether f = 0 predicts +1.
    """

    shuffle: bool
    seed: int
    sweeps: int
    extra: float
    zero_is_positive: bool


class Work(NamedTuple):
    """Working memory: kernel rows and, only for the random order, the order of the present sweep.

    ``order`` has shape (n,). ``sweep`` has shape (1,): the number of the sweep whose order this is,
    -1 before the first one.
    """

    rows: Rows
    order: Indices
    sweep: Indices


@compiled
def shuffle(seed: int, sweep: int, order: Indices) -> None:
    """Write into ``order`` the random order of a sweep: a Fisher-Yates shuffle by (seed, sweep)."""
    n = len(order)
    for i in range(n):
        order[i] = i
    for i in range(n - 1, 0, -1):
        k = draw(seed, sweep, i, i + 1)
        order[i], order[k] = order[k], order[i]


@inner
def next_point(params, state, work):
    """Return the point that the next step visits."""
    n = len(state.counts)
    steps = state.scalars[0].steps
    sweep, position = steps // n, steps % n
    if not params.shuffle:
        return position
    if work.sweep[0] != sweep:
        shuffle(params.seed, sweep, work.order)
        work.sweep[0] = sweep
    return work.order[position]


@inner
def stop_code(params, state):
    """Return RUNNING or a stop code; a run stops only at the end of a sweep.

    It stops after a sweep without a mistake, or at the sweep limit if the points are inseparable.
    """
    n, scalars = len(state.counts), state.scalars[0]
    if scalars.steps == 0 or scalars.steps % n != 0:
        return RUNNING
    if scalars.sweep_mistakes == 0:
        return NO_MISTAKE
    if scalars.is_inseparable != 0 and scalars.steps >= n * params.sweeps:
        return INSEPARABLE
    return RUNNING


@inner
def step(dual_form, params, state, work, event):
    """Visit one point; return whether the point became a support vector: its first mistake."""
    scalars = state.scalars[0]
    if scalars.steps % len(state.counts) == 0:
        scalars.sweep_mistakes = 0
    i = next_point(params, state, work)
    margin = dual_form.target[i] * state.sums[i]
    event.i, event.margin, event.mistake = i, margin, 0
    scalars.steps += 1
    if margin > 0.0 or (params.zero_is_positive and margin == 0.0 and dual_form.target[i] > 0.0):
        return False

    event.mistake = 1
    scalars.mistakes += 1
    scalars.sweep_mistakes += 1
    state.counts[i] += 1
    row = work.rows.cached[slot_of(work.rows, i)]
    for j in range(len(row)):
        state.sums[j] += dual_form.target[i] * (row[j] + params.extra)
    scalars.evaluations += len(row)
    return state.counts[i] == 1


@compiled
def advance(
    dual_form: DualForm, params: Params, state: State, work: Work, events: Events, marks: Marks
) -> tuple[int, int]:
    """Step until there is a reason to stop, or ``marks`` is full; return the steps and the code."""
    n = len(state.counts)
    for k in range(len(marks)):
        code = stop_code(params, state)
        if code != RUNNING:
            return k, code
        sweep = SWEEP_STARTED if state.scalars[0].steps % n == 0 else 0
        # Records are not kept, so each step overwrites the record of the step before it.
        changed = step(dual_form, params, state, work, events[0])
        marks[k] = sweep | (SUPPORT_CHANGED if changed else 0)
    return len(marks), stop_code(params, state)
