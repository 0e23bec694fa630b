"""The compiled step of Pegasos: draw a batch, count the points inside their margin, project.

The mathematics is at the top of :mod:`solvers.methods.pegasos.pegasos`.
"""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

import numpy as np

from solvers.jit.compiled import compiled, inlined
from solvers.jit.signatures import Contiguous, Indices, Marks, Vector
from solvers.kernels.rows import Rows, kernel_row
from solvers.problem.problem import AUGMENTED, FREE_BIAS, DualForm
from solvers.run.random_numbers import draw
from solvers.run.trace import SUPPORT_CHANGED, SWEEP_STARTED

EVENT = np.dtype([("i", "i4"), ("violated", "i4"), ("projected", "f8")])
Events = Annotated[np.ndarray, Contiguous(EVENT, 1)]
# Indices into State.scalars.
SCALE, WEIGHT_SUM, BIAS, BIAS_SUM, SQUARED_NORM = range(5)
# Below this the running scale is multiplied out: projections lower it without bound, and the
# average is a difference of sums that would lose digits.
SMALL_SCALE = 1e-3


class State(NamedTuple):
    """The variables of Pegasos; ``v = sum_i count_i y_i x_i`` and ``w = scale v / (lam t k)``.

    Attributes
    ----------
    count : float64 array, shape (n,); integers unless there is a projection
    lag : float64 array, shape (n,); subtracted from ``count * weight_sum`` in the average
    sums : float64 array, shape (n,); ``<v, x_i>`` for kernels (empty for the linear one)
    v : float64 array, shape (d + 1,); for the linear kernel, the last entry for the bias
    scalars : float64 array, shape (5,); see the names above
    steps : int64 array, shape (2,); t, kernel evaluations
    """

    count: Vector
    lag: Vector
    sums: Vector
    v: Vector
    scalars: Vector
    steps: Indices


class Params(NamedTuple):
    """The settings, as passed to compiled code."""

    lam: float
    batch: int
    seed: int
    bias: int
    project: bool
    linear: bool


class Work(NamedTuple):
    """Working memory: kernel rows and the violating points of the batch, shape (k,)."""

    rows: Rows
    violating: Indices


@inlined
def inner(form, params, state, i):
    """Return ``<v, x_i>``, including an augmented bias."""
    if not params.linear:
        return state.sums[i]
    total = state.v[-1] if params.bias == AUGMENTED else 0.0
    x = form.X[i]
    for c in range(len(x)):
        total += state.v[c] * x[c]
    return total


@inlined
def margin_of(form: DualForm, params: Params, state: State, i: int) -> float:
    """Return ``y_i f(x_i)`` before the step."""
    s, t = state.scalars, state.steps[0]
    now = s[SCALE] / (params.lam * t * params.batch) if t > 0 else 0.0
    return form.target[i] * (now * inner(form, params, state, i) + s[BIAS])


@inlined
def add_point(form, params, state, work, i):
    """Add point i: ``v <- v + y_i x_i / scale``."""
    amount = 1.0 / state.scalars[SCALE]
    signed = form.target[i] * amount
    state.scalars[SQUARED_NORM] += (
        2.0 * signed * inner(form, params, state, i) + amount * amount * form.diagonal[i]
    )
    state.count[i] += amount
    state.lag[i] += amount * state.scalars[WEIGHT_SUM]
    if params.linear:
        x = form.X[i]
        for c in range(len(x)):
            state.v[c] += signed * x[c]
        state.v[-1] += signed
        state.steps[1] += 1
    else:
        row = kernel_row(form, work.rows, i, 0)
        for j in range(len(row)):
            state.sums[j] += signed * row[j]
        state.steps[1] += len(row)


@compiled
def multiply_out(state):
    """Reset the running scale to 1; the average so far moves into ``-lag``.

    Return whether a count underflowed to 0.
    """
    s = state.scalars
    scale = s[SCALE]
    lost = False
    for i in range(len(state.count)):
        state.lag[i] -= state.count[i] * s[WEIGHT_SUM]
        lost = lost or (state.count[i] != 0.0 and state.count[i] * scale == 0.0)
        state.count[i] *= scale
    for j in range(len(state.sums)):
        state.sums[j] *= scale
    for c in range(len(state.v)):
        state.v[c] *= scale
    s[SQUARED_NORM] *= scale * scale
    s[WEIGHT_SUM] = 0.0
    s[SCALE] = 1.0
    return lost


@inlined
def step(form, params, state, work, event):
    """Take one step; return whether the set of support vectors changed."""
    n, s = len(form.target), state.scalars
    t = state.steps[0] + 1

    # Find the points of the batch inside their margin before the step.
    violated = 0
    for r in range(params.batch):
        i = draw(params.seed, t, r, n)
        if r == 0:
            event.i = i
        if margin_of(form, params, state, i) < 1.0:
            work.violating[violated] = i
            violated += 1

    # Multiplying w by 1 - 1/t changes 1/(lam (t-1) k) to 1/(lam t k).
    changed = False
    pull = 0.0
    for q in range(violated):
        i = work.violating[q]
        changed = changed or state.count[i] == 0.0
        pull += form.target[i]
        add_point(form, params, state, work, i)
    if params.bias == FREE_BIAS:
        s[BIAS] += pull / (params.lam * t * params.batch)
    weight = s[SCALE] / (params.lam * t * params.batch)

    # Project onto the ball, which contains the optimum.
    event.projected = 1.0
    if params.project:
        length = weight * math.sqrt(max(s[SQUARED_NORM], 0.0)) * math.sqrt(params.lam)
        if length > 1.0:
            event.projected = 1.0 / length
            s[SCALE] /= length
            weight /= length

    s[WEIGHT_SUM] += weight
    s[BIAS_SUM] += s[BIAS]
    if s[SCALE] < SMALL_SCALE:
        changed = multiply_out(state) or changed
    state.steps[0] = t
    event.violated = violated
    return changed


@compiled
def advance(
    form: DualForm, params: Params, state: State, work: Work, events: Events, marks: Marks
) -> tuple[int, int]:
    """Step until the end of ``marks``; Pegasos has no stopping rule of its own."""
    sweep = max(1, len(form.target) // params.batch)
    for k in range(len(marks)):
        start = SWEEP_STARTED if state.steps[0] % sweep == 0 else 0
        changed = step(form, params, state, work, events[0])
        marks[k] = start | (SUPPORT_CHANGED if changed else 0)
    return len(marks), 0
