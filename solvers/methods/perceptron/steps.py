"""The compiled step of the perceptron: visit a point, and update f if it is a mistake.

The mathematics is at the top of :mod:`solvers.methods.perceptron.perceptron`.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from solvers.jit.compiled import compiled
from solvers.jit.signatures import Contiguous, Indices, Marks, Vector
from solvers.kernels.rows import Rows, kernel_row
from solvers.problem.problem import DualForm
from solvers.run.random_numbers import draw
from solvers.run.trace import SUPPORT_CHANGED, SWEEP_STARTED

RUNNING, FAULTLESS, PROVED = range(3)
# Indices into State.number: steps, mistakes, mistakes in this sweep, kernel evaluations, whether
# the points are proved inseparable.
STEPS, MISTAKES, SWEEP_MISTAKES, VALUES, INSEPARABLE = range(5)
EVENT = np.dtype([("i", "i4"), ("mistake", "i4"), ("margin", "f8")])
Events = Annotated[np.ndarray, Contiguous(EVENT, 1)]


class State(NamedTuple):
    """The variables of the perceptron.

    Attributes
    ----------
    count : int64 array, shape (n,); mistakes at each point
    sums : float64 array, shape (n,); ``f(x_i) = sum_j y_j count_j k(x_j, x_i) + b``
    number : int64 array, shape (5,); see the names above
    """

    count: Indices
    sums: Vector
    number: Indices


class Params(NamedTuple):
    """The settings, as passed to compiled code; ``extra`` is 1 if b is not part of k."""

    shuffle: bool
    seed: int
    sweeps: int
    extra: float


class Work(NamedTuple):
    """Working memory: kernel rows, the order of a sweep, shape (n,), and the sweep's number."""

    rows: Rows
    order: Indices
    sweep: Indices


@compiled
def shuffle(seed: int, sweep: int, order: Indices) -> None:
    """Shuffle the order of a sweep, a function of (seed, sweep): Fisher-Yates with hashed draws."""
    n = len(order)
    for i in range(n):
        order[i] = i
    for i in range(n - 1, 0, -1):
        k = draw(seed, sweep, i, i + 1)
        order[i], order[k] = order[k], order[i]


@compiled
def next_point(params, state, work):
    """Return the point that the next step visits."""
    n = len(state.count)
    sweep, place = state.number[STEPS] // n, state.number[STEPS] % n
    if not params.shuffle:
        return place
    if work.sweep[0] != sweep:
        shuffle(params.seed, sweep, work.order)
        work.sweep[0] = sweep
    return work.order[place]


@compiled
def stop_code(params, state):
    """Return the stop code: after a sweep without a mistake, or if the points are inseparable."""
    n, number = len(state.count), state.number
    if number[STEPS] == 0 or number[STEPS] % n != 0:
        return RUNNING
    if number[SWEEP_MISTAKES] == 0:
        return FAULTLESS
    if number[INSEPARABLE] != 0 and number[STEPS] >= n * params.sweeps:
        return PROVED
    return RUNNING


@compiled
def step(form, params, state, work, event):
    """Visit one point; return whether it became a support vector."""
    number = state.number
    if number[STEPS] % len(state.count) == 0:
        number[SWEEP_MISTAKES] = 0
    i = next_point(params, state, work)
    margin = form.target[i] * state.sums[i]
    event.i, event.margin, event.mistake = i, margin, 0
    number[STEPS] += 1
    if margin > 0.0:
        return False

    event.mistake = 1
    number[MISTAKES] += 1
    number[SWEEP_MISTAKES] += 1
    state.count[i] += 1
    row = kernel_row(form, work.rows, i, 0)
    for j in range(len(row)):
        state.sums[j] += form.target[i] * (row[j] + params.extra)
    number[VALUES] += len(row)
    return state.count[i] == 1


@compiled
def advance(
    form: DualForm, params: Params, state: State, work: Work, events: Events, marks: Marks
) -> tuple[int, int]:
    """Step until a reason to stop or the end of ``marks``."""
    n = len(state.count)
    for k in range(len(marks)):
        code = stop_code(params, state)
        if code != RUNNING:
            return k, code
        sweep = SWEEP_STARTED if state.number[STEPS] % n == 0 else 0
        changed = step(form, params, state, work, events[0])
        marks[k] = sweep | (SUPPORT_CHANGED if changed else 0)
    return len(marks), stop_code(params, state)
