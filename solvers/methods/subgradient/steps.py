"""The compiled step of batch sub-gradient descent: move w, then compute f and the objective.

The mathematics is at the top of :mod:`solvers.methods.subgradient.subgradient`.
"""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

import numpy as np

from solvers.jit.compiled import compiled, inner
from solvers.jit.signatures import Contiguous, Marks, Vector
from solvers.kernels.kernel_rows import Rows, slot_of
from solvers.problem.problem import AUGMENTED, FREE_BIAS, DualForm
from solvers.run.trace import SUPPORT_CHANGED, SWEEP_STARTED

# Stop codes.
RUNNING, DIVERGED, SLOW = range(3)
# Step rules.
INVERSE, CONSTANT_STEP, ROOT = range(3)
# Limit of ||w||^2, well below the largest double. The run stops before a step that could exceed it.
MAX_NORM = 1e280
# For nonlinear kernels, ``pull`` (see State) is updated by adding and subtracting kernel rows. Once
# in this many steps it is recomputed from scratch, since rounding errors accumulate.
RECOMPUTE_PERIOD = 256
# With the setting `stop_early`, the run stops if this many steps lower the best objective too
# little.
PROGRESS_SPAN = 100
# The scalars of a state.
SCALARS = np.dtype(
    [
        # The last iterate: the free bias and the objective.
        ("bias", "f8"),
        ("objective", "f8"),
        # The best iterate: its objective, free bias and step.
        ("best_objective", "f8"),
        ("best_bias", "f8"),
        ("best_step", "i8"),
        # The best objective after the last step whose number is a multiple of PROGRESS_SPAN.
        ("earlier_objective", "f8"),
        ("steps", "i8"),
        # Kernel evaluations; cached values count too.
        ("evaluations", "i8"),
        # Why the run ended, or RUNNING.
        ("stop_code", "i8"),
    ]
)
# The record of a step: the number of points inside their margin before the step, the objective
# after the step, and the step size.
EVENT = np.dtype([("n_violating", "i4"), ("value", "f8"), ("eta", "f8")])
Events = Annotated[np.ndarray, Contiguous(EVENT, 1)]


class State(NamedTuple):
    """The variables of sub-gradient descent.

    Attributes
    ----------
    beta : float64 array, shape (n,)
    w : float64 array, shape (d + 1,); ``sum_i beta_i (x_i, 1)`` (linear kernel only)
    f : float64 array, shape (n,); ``f(x_i)`` without a free bias
    inside : uint8 array, shape (n,); 1 if point i is inside its margin, ``y_i (f_i + bias) < 1``,
        otherwise 0
    pull : float64 array, shape (n,); ``sum_j inside_j y_j k(x_j, x_i)`` (nonlinear kernels only)
    best : float64 array, shape (n,); beta of the best iterate (empty unless it is shown)
    scalars : structured array, shape (1,); see :data:`SCALARS`
    """

    beta: Vector
    w: Vector
    f: Vector
    inside: Marks
    pull: Vector
    best: Vector
    scalars: Annotated[np.ndarray, Contiguous(SCALARS, 1)]


class Params(NamedTuple):
    """The settings for compiled code.

    ``rate`` is the code of the step rule. ``progress`` is the fraction by which PROGRESS_SPAN steps
    must lower the best objective, or -1 if slow progress does not stop a run.
    """

    lam: float
    rate: int
    eta0: float
    progress: float
    bias: int
    linear: bool
    best: bool


class Work(NamedTuple):
    """Working memory: kernel rows, and the sum by which a step moves ``(w, b)``.

    ``direction`` is ``sum y_i (x_i, 1)`` over the points inside their margin, shape (d + 1,). For
    nonlinear kernels only its last entry, ``sum y_i``, is computed.
    """

    rows: Rows
    direction: Vector


@compiled
def step_size(params: Params, t: int) -> float:
    """Return the step size eta of step t, where the first step is 1."""
    if params.rate == INVERSE:
        return 1.0 / (params.lam * t)
    return params.eta0 / math.sqrt(t) if params.rate == ROOT else params.eta0


@compiled
def measure(dual_form: DualForm, params: Params, state: State, work: Work) -> None:
    """Write ``inside``, ``pull`` and the objective of the current iterate into the state.

    For the linear kernel, f is computed from w first, and there is no ``pull``. For other kernels,
    f must be up to date, and kernel rows of the points at which ``inside`` changes are added to
    ``pull`` or subtracted.
    """
    n, d = dual_form.X.shape
    f, scalars = state.f, state.scalars[0]
    if params.linear:
        f[:] = state.w[d] if params.bias == AUGMENTED else 0.0
        for c in range(d):
            w_c, column = state.w[c], work.rows.blocks[0, c]
            for i in range(n):
                f[i] += w_c * column[i]
    from_scratch = not params.linear and scalars.steps % RECOMPUTE_PERIOD == 0
    if from_scratch:
        state.pull[:] = 0.0
    slack, squared_norm = 0.0, 0.0
    for i in range(n):
        slack_i = 1.0 - dual_form.target[i] * (f[i] + scalars.bias)
        slack += max(slack_i, 0.0)
        squared_norm += state.beta[i] * f[i]
        is_inside = 1.0 if slack_i > 0.0 else 0.0
        change = is_inside if from_scratch else is_inside - state.inside[i]
        state.inside[i] = np.uint8(is_inside)
        if not params.linear and change != 0.0:
            K_i = work.rows.cached[slot_of(work.rows, i)]
            for j in range(n):
                state.pull[j] += change * dual_form.target[i] * K_i[j]
            scalars.evaluations += n
    if params.linear:
        scalars.evaluations += n
    scalars.objective = 0.5 * params.lam * squared_norm + slack / n


@inner
def keep_best(state, t):
    """Record the iterate of step t as the best one if its objective is the lowest so far.

    Return whether the set of support vectors of the best iterate changed.
    """
    scalars = state.scalars[0]
    if not scalars.objective < scalars.best_objective:
        return False
    scalars.best_objective, scalars.best_bias = scalars.objective, scalars.bias
    scalars.best_step = t
    changed = False
    for i in range(len(state.best)):
        changed = changed or (state.best[i] == 0.0) != (state.beta[i] == 0.0)
        state.best[i] = state.beta[i]
    return changed


@inner
def would_overflow(dual_form, decay, share, state):
    """Return whether ``||w||^2`` could overflow in this step.

    The step multiplies beta by ``decay``, and adds ``share`` to some of its entries.
    """
    largest, largest_diagonal = 0.0, 0.0
    for i in range(len(state.beta)):
        largest = max(largest, abs(state.beta[i]))
        largest_diagonal = max(largest_diagonal, abs(dual_form.diagonal[i]))
    length = len(state.beta) * (abs(decay) * largest + share)
    return not length * length * max(largest_diagonal, 1.0) <= MAX_NORM


@inner
def move(dual_form, params, state, work, eta):
    """Set ``w <- (1 - eta lam) w + eta/n sum_{inside} y_i x_i``, and beta, f and b accordingly.

    For the linear kernel f is not changed here, since :func:`measure` computes it. Return whether
    the set of support vectors changed.
    """
    n, d = dual_form.X.shape
    decay, share = 1.0 - eta * params.lam, eta / n
    w, direction = state.w, work.direction
    direction[:] = 0.0
    changed = False
    for i in range(n):
        signed_label = state.inside[i] * dual_form.target[i]
        old = state.beta[i]
        state.beta[i] = decay * old + share * signed_label
        changed = changed or (old == 0.0) != (state.beta[i] == 0.0)
        direction[d] += signed_label
        if params.linear:
            for c in range(d):
                direction[c] += signed_label * dual_form.X[i, c]
    if params.linear:
        for c in range(d + 1):
            w[c] = decay * w[c] + share * direction[c]
    else:
        for i in range(n):
            state.f[i] = decay * state.f[i] + share * state.pull[i]
    if params.bias == FREE_BIAS:
        state.scalars[0].bias += share * direction[d]
    return changed


@inner
def step(dual_form, params, state, work, event):
    """Take one step.

    Return RUNNING or a stop code, and whether the set of support vectors changed. It is the set of
    the iterate that is shown: the best so far with the setting ``best``, otherwise the last.
    """
    n, scalars = len(dual_form.target), state.scalars[0]
    if scalars.stop_code != RUNNING:
        return scalars.stop_code, False
    t = scalars.steps + 1
    eta = step_size(params, t)
    if would_overflow(dual_form, 1.0 - eta * params.lam, eta / n, state):
        return DIVERGED, False
    event.eta = eta
    event.n_violating = 0
    for i in range(n):
        event.n_violating += np.int32(state.inside[i])

    changed = move(dual_form, params, state, work, eta)
    scalars.steps = t
    measure(dual_form, params, state, work)
    changed_best = keep_best(state, t)
    event.value = scalars.objective

    if params.progress >= 0.0 and t % PROGRESS_SPAN == 0:
        earlier = scalars.earlier_objective
        if earlier - scalars.best_objective <= params.progress * abs(earlier):
            scalars.stop_code = SLOW
        scalars.earlier_objective = scalars.best_objective
    return RUNNING, changed_best if params.best else changed


@compiled
def advance(
    dual_form: DualForm, params: Params, state: State, work: Work, events: Events, marks: Marks
) -> tuple[int, int]:
    """Step until there is a reason to stop, or ``marks`` is full; return the steps and the code."""
    for k in range(len(marks)):
        code, changed = step(dual_form, params, state, work, events[k])
        if code != RUNNING:
            return k, code
        # A step visits all points, so each step is a sweep.
        marks[k] = SWEEP_STARTED | (SUPPORT_CHANGED if changed else 0)
    return len(marks), RUNNING
