"""The compiled step of Pegasos: draw a batch, count the points inside their margin, project.

The mathematics is at the top of :mod:`solvers.methods.pegasos.pegasos`.
"""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

import numpy as np

from solvers.jit.compiled import compiled, inner
from solvers.jit.signatures import Contiguous, Indices, Marks, Vector
from solvers.kernels.kernel_rows import Rows, slot_of
from solvers.problem.problem import AUGMENTED, FREE_BIAS, DualForm
from solvers.run.random_numbers import draw
from solvers.run.trace import SUPPORT_CHANGED, SWEEP_STARTED

# The record of a step: the first drawn point, the number of drawn points inside their margin, and
# the factor of the projection.
EVENT = np.dtype([("i", "i4"), ("n_violating", "i4"), ("projection", "f8")])
Events = Annotated[np.ndarray, Contiguous(EVENT, 1)]
# The scalars of a state.
SCALARS = np.dtype(
    [
        # Factor of all counts: the product of the factors of all projections since the last
        # multiply_out, which multiplies the counts by the scale and sets the scale to 1.
        ("scale", "f8"),
        # For the average: the sum of scale / (lam t k) over the steps since the last multiply_out,
        # and the sum of b over all steps.
        ("weight_sum", "f8"),
        ("bias_sum", "f8"),
        # b, if it is free; otherwise 0.
        ("bias", "f8"),
        # ||v||^2, including an augmented bias.
        ("squared_norm", "f8"),
        ("steps", "i8"),
        # Kernel evaluations; cached values count too.
        ("evaluations", "i8"),
    ]
)
# If the scale falls below this number, multiply_out multiplies the counts by the scale and sets the
# scale to 1. Without this, projections would lower the scale without bound. A new point adds
# 1 / scale to its count, so the counts would grow without bound. The average is computed as
# `counts * weight_sum - lag` (see State): this difference of ever larger numbers would lose digits.
SMALL_SCALE = 1e-3


class State(NamedTuple):
    """The variables of Pegasos; ``v = sum_i count_i y_i x_i`` and ``w = scale v / (lam t k)``.

    The counts of :mod:`solvers.methods.pegasos.pegasos` are ``scale * counts``.

    Attributes
    ----------
    counts : float64 array, shape (n,); integers unless there is a projection
    lag : float64 array, shape (n,); used for the average: the sum of all iterates has the
        coefficients ``y * (counts * weight_sum - lag)``. When ``amount`` is added to a count,
        weight_sum already contains the weights of earlier iterates, in which this addition has no
        part. So ``lag += amount * weight_sum`` takes them out. multiply_out sets weight_sum to 0.
        So it first moves the sum of the iterates so far into the lag: ``lag -= counts *
        weight_sum``
    sums : float64 array, shape (n,); ``<v, x_i>`` (empty for the linear kernel)
    v : float64 array, shape (d + 1,); the d components of v, then ``sum_i count_i y_i``; all 0 for
        other kernels than the linear kernel
    scalars : structured array, shape (1,); see :data:`SCALARS`
    """

    counts: Vector
    lag: Vector
    sums: Vector
    v: Vector
    scalars: Annotated[np.ndarray, Contiguous(SCALARS, 1)]


class Params(NamedTuple):
    """The settings for compiled code; ``batch`` is the number k of points per step."""

    lam: float
    batch: int
    cyclic: bool
    seed: int
    bias: int
    project: bool
    linear: bool


class Work(NamedTuple):
    """Working memory: kernel rows, and the points of the batch inside their margin, shape (k,)."""

    rows: Rows
    violating: Indices


@compiled
def visited(params: Params, t: int, r: int, n: int) -> int:
    """Return the r-th of the points of step t: drawn at random, or the next one in turn."""
    if params.cyclic:
        return ((t - 1) * params.batch + r) % n
    return draw(params.seed, t, r, n)


@inner
def inner_product(dual_form, params, state, i):
    """Return ``<v, x_i>``, including an augmented bias."""
    if not params.linear:
        return state.sums[i]
    total = state.v[-1] if params.bias == AUGMENTED else 0.0
    x = dual_form.X[i]
    for c in range(len(x)):
        total += state.v[c] * x[c]
    return total


@compiled
def margin_of(dual_form: DualForm, params: Params, state: State, i: int) -> float:
    """Return ``y_i f(x_i)`` in the given state."""
    scalars = state.scalars[0]
    t = scalars.steps
    weight = scalars.scale / (params.lam * t * params.batch) if t > 0 else 0.0
    return dual_form.target[i] * (
        weight * inner_product(dual_form, params, state, i) + scalars.bias
    )


@inner
def add_point(dual_form, params, state, work, i):
    """Add point i: ``v <- v + y_i x_i / scale``, so that ``scale v`` changes by ``y_i x_i``."""
    scalars = state.scalars[0]
    amount = 1.0 / scalars.scale
    signed_amount = dual_form.target[i] * amount
    scalars.squared_norm += (
        2.0 * signed_amount * inner_product(dual_form, params, state, i)
        + amount * amount * dual_form.diagonal[i]
    )
    state.counts[i] += amount
    state.lag[i] += amount * scalars.weight_sum
    if params.linear:
        x = dual_form.X[i]
        for c in range(len(x)):
            state.v[c] += signed_amount * x[c]
        state.v[-1] += signed_amount
        scalars.evaluations += 1
    else:
        row = work.rows.cached[slot_of(work.rows, i)]
        for j in range(len(row)):
            state.sums[j] += signed_amount * row[j]
        scalars.evaluations += len(row)


@inner
def multiply_out(state):
    """Multiply the counts by the scale, and set the scale to 1 and ``weight_sum`` to 0.

    The lag is changed too, so that ``counts * weight_sum - lag`` stays the same. Return whether a
    count underflowed to 0, which changes the set of support vectors.
    """
    scalars = state.scalars[0]
    scale = scalars.scale
    underflowed = False
    for i in range(len(state.counts)):
        state.lag[i] -= state.counts[i] * scalars.weight_sum
        underflowed = underflowed or (state.counts[i] != 0.0 and state.counts[i] * scale == 0.0)
        state.counts[i] *= scale
    for j in range(len(state.sums)):
        state.sums[j] *= scale
    for c in range(len(state.v)):
        state.v[c] *= scale
    scalars.squared_norm *= scale * scale
    scalars.weight_sum = 0.0
    scalars.scale = 1.0
    return underflowed


@inner
def step(dual_form, params, state, work, event):
    """Take one step; return whether the set of support vectors changed."""
    n, scalars = len(dual_form.target), state.scalars[0]
    t = scalars.steps + 1

    # Find the points of the batch inside their margin before the step.
    n_violating = 0
    for r in range(params.batch):
        i = visited(params, t, r, n)
        if r == 0:
            event.i = i
        if margin_of(dual_form, params, state, i) < 1.0:
            work.violating[n_violating] = i
            n_violating += 1

    # No code multiplies w by 1 - 1/t: ``w = scale v / (lam t k)`` shrinks because t grows by 1.
    changed = False
    pull = 0.0
    for q in range(n_violating):
        i = work.violating[q]
        changed = changed or state.counts[i] == 0.0
        pull += dual_form.target[i]
        add_point(dual_form, params, state, work, i)
    if params.bias == FREE_BIAS:
        scalars.bias += pull / (params.lam * t * params.batch)
    weight = scalars.scale / (params.lam * t * params.batch)

    # Project onto the ball of radius 1/sqrt(lam), which contains the optimum.
    event.projection = 1.0
    if params.project:
        relative_norm = weight * math.sqrt(max(scalars.squared_norm, 0.0)) * math.sqrt(params.lam)
        if relative_norm > 1.0:
            event.projection = 1.0 / relative_norm
            scalars.scale /= relative_norm
            weight /= relative_norm

    scalars.weight_sum += weight
    scalars.bias_sum += scalars.bias
    if scalars.scale < SMALL_SCALE:
        changed = multiply_out(state) or changed
    scalars.steps = t
    event.n_violating = n_violating
    return changed


@compiled
def advance(
    dual_form: DualForm, params: Params, state: State, work: Work, events: Events, marks: Marks
) -> tuple[int, int]:
    """Step until ``marks`` is full; Pegasos has no stopping rule."""
    # The number of steps that together draw about n points counts as a sweep.
    sweep = max(1, len(dual_form.target) // params.batch)
    for k in range(len(marks)):
        start = SWEEP_STARTED if state.scalars[0].steps % sweep == 0 else 0
        changed = step(dual_form, params, state, work, events[0])
        marks[k] = start | (SUPPORT_CHANGED if changed else 0)
    return len(marks), 0
