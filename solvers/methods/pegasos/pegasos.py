"""Pegasos: stochastic sub-gradient descent on the primal, a few points per step.

Problem: ``min lam/2 ||w||^2 + 1/n sum_i max(0, 1 - y_i f(x_i))`` with ``lam = 1 / (C n)``.
Step t draws a batch B of k points and moves by ``1 / (lam t)``::

    w <- (1 - 1/t) w + 1/(lam t k) sum_{i in B, y_i f(x_i) < 1} y_i x_i

The factors ``1 - 1/t`` telescope: after t steps ``w = 1/(lam t k) sum_i count_i y_i x_i``, where
``count_i`` is how often point i was drawn while it was inside its margin (``y_i f(x_i) < 1``). So
only these integer counts are stored, and w is never multiplied by ``1 - 1/t``. The optional
projection onto the ball of radius ``1/sqrt(lam)`` multiplies all counts. The product of these
factors is stored as one number.

Lectures often use the sum theta of the added terms, without the factor ``1 / (lam t)``:
``theta(t+1) = theta(t) + 1/k sum_{i in B, y_i f(x_i) < 1} y_i x_i``, and
``w(t+1) = theta(t+1) / (lam t)``. (Some lectures print ``w(t) = theta(t) / (lam t)``. Then step t
would compute ``theta(t+1) / (lam (t+1))``, which is another method.) The setting ``form`` chooses
the notation on screen; the steps are the same.

Source: Shalev-Shwartz, Singer, Srebro and Cotter 2011 (figures 1 to 3; the batch is drawn with
replacement). A free bias moves by the same step, but is not regularised; the convergence rate
``O(log T / (lam T))`` is not proved for it. With an augmented bias the rate holds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from solvers.methods.pegasos.steps import EVENT, SCALARS, Params, State, Work, advance
from solvers.methods.pegasos.values import step_values
from solvers.methods.pegasos.words import STEPS, code_of
from solvers.methods.weight_updates import in_feature_space
from solvers.problem.problem import BIAS_CODES, Problem
from solvers.run.beats import PseudoCode
from solvers.run.event import Event
from solvers.run.method import Method, Stop
from solvers.run.records import new_record
from solvers.settings import random_seed, setting, step_limit

# Limits on the number of steps of a segment. A replay repeats the steps of a segment, and each step
# with a point inside its margin updates n sums. So a segment has about SEGMENT_UPDATES / n steps,
# and at most MAX_SEGMENT. The lower limits are MIN_SEGMENT and 4 n; see `Pegasos.segment_size`.
MIN_SEGMENT, MAX_SEGMENT = 4096, 32_768
SEGMENT_UPDATES = 8_000_000


@dataclass(frozen=True)
class Pegasos(Method):
    """Stochastic sub-gradient descent on the primal, linear and kernel."""

    name: ClassVar[str] = "pegasos"
    label: ClassVar[str] = "Pegasos"
    source: ClassVar[str] = "Shalev-Shwartz, Singer, Srebro and Cotter 2011"
    help: ClassVar[str] = (
        "Draws a few points per step at random and moves w towards those inside their margin "
        "lines, by 1/(λt) in step t. Fast to a rough answer, slow to a precise one."
    )
    biases: ClassVar[tuple[str, ...]] = ("free", "none", "augmented")
    dual_feasible: ClassVar[bool] = False
    guarantees: ClassVar[tuple[str, ...]] = ("ball", "counts")
    hard_margin: ClassVar[bool] = False
    finite_C: ClassVar[str] = "its λ = 1 / (C n) is 0 at the hard margin"
    event_dtype: ClassVar[np.dtype] = EVENT
    keeps_events: ClassVar[bool] = False

    batch_size: int = setting(
        1,
        "Batch size |B|",
        "Points per step; at random they are drawn with replacement.",
        low=1,
        high=100,
        hard_low=1,
        hard_high=100_000,
    )
    order: str = setting(
        "random",
        "Order",
        "Random: every step draws its points. Cyclic: 1, 2, 3 and so on, and again from 1; the "
        "convergence rate is proved for random points.",
        choices=(("random", "random"), ("cyclic", "cyclic")),
    )
    project: bool = setting(
        False,
        "Projection",
        "After each step, scale w into the ball ‖w‖ ≤ 1/√λ, which contains the optimum.",
    )
    average: bool = setting(
        False,
        "Averaged iterate",
        "Show the mean of the iterates after steps 1 to t instead of the last one. The convergence "
        "rate is proved for a mean, unless the bias is free.",
    )
    mean_from: str = setting(
        "first-step",
        "Mean of",
        "The averaged iterate is the mean of the w after each step, or of w₁ = 0 too, as lectures "
        "write it: the mean of w₁ to w(t+1) is t/(t+1) times the other.",
        choices=(("first-step", "w after each step"), ("start", "w₁ = 0 too")),
    )
    form: str = setting(
        "w",
        "Notation",
        "The same steps in three notations: of w itself, or of the sum θ, with w = θ/(λt). After "
        "step t Pegasos has w(t+1) = θ(t+1)/(λt), so that w(t) = θ(t)/(λ(t−1)). Lectures write "
        "w(t) = θ(t)/(λt): the same sums, with indices one lower.",
        choices=(("w", "steps of w"), ("theta", "sums θ"), ("lecture", "θ(t)/(λt) of lectures")),
    )
    max_steps: int = step_limit(
        20_000,
        "Number of steps to take; Pegasos has no stopping rule of its own.",
        label="Steps",
        high=1_000_000,
    )
    seed: int = random_seed("The same seed draws the same points.")

    def segment_size(self, problem: Problem) -> int:
        # A step of a small problem takes nanoseconds, and the state at the start of a segment has
        # about n numbers. In a short segment, copying the state would take longer than the steps.
        n = problem.n
        return max(MIN_SEGMENT, 4 * n, min(MAX_SEGMENT, SEGMENT_UPDATES // n))

    def start(self, problem: Problem, guess: np.ndarray | None = None) -> State:
        """Return zeros; a guess has no effect: the first step multiplies w by 1 - 1/1 = 0."""
        n, d = problem.X.shape
        sums = np.zeros(0 if problem.linear else n)
        scalars = new_record(SCALARS)
        scalars["scale"] = 1.0
        return State(np.zeros(n), np.zeros(n), sums, np.zeros(d + 1), scalars)

    def workspace(self, problem: Problem, cache_bytes: int) -> Work:
        rows = problem.dual_form.make_rows(0 if problem.linear else cache_bytes)
        return Work(rows, np.empty(self.batch_size, dtype=np.int64))

    def advance(self, problem: Problem, state: Any, work: Any, events: Any, marks: Any) -> Any:
        return advance(problem.dual_form, self.params(problem), state, work, events, marks)

    def stop(self, code: int, problem: Problem, state: Any) -> Stop:
        raise AssertionError("Pegasos has no stopping rule of its own")

    def expand(self, problem: Problem, state: Any) -> tuple[np.ndarray, float]:
        scalars = state.scalars[0]
        t = int(scalars["steps"])
        if t == 0:
            return np.zeros(problem.n), 0.0
        if self.average:
            count = self.mean_count(t)
            beta = problem.y * (state.counts * scalars["weight_sum"] - state.lag) / count
            bias = scalars["bias_sum"] / count
        else:
            weight = scalars["scale"] / (problem.lam * t * self.batch_size)
            beta = problem.y * state.counts * weight
            bias = scalars["bias"]
        return beta + 0.0, float(beta.sum() if problem.bias == "augmented" else bias)

    def other_iterate(self, problem: Problem, state: Any) -> tuple[str, np.ndarray]:
        """Return name and beta of the iterate that is not shown: the average or the last one."""
        other = replace(self, average=not self.average)
        return "average" if other.average else "last iterate", other.expand(problem, state)[0]

    def radius(self, problem: Problem) -> float:
        """Return ``1 / sqrt(lam)``: by duality ``||w||^2 <= sum alpha <= C n`` at the optimum."""
        return 1.0 / math.sqrt(problem.lam)

    def describe(self, problem: Problem, before: Any, after: Any, record: Any) -> Event:
        values = step_values(self, problem, before, after, record)
        code = self.pseudo_code(problem)
        return STEPS[self.form].fill(values, dict.fromkeys(values["batch"]), code)

    def pseudo_code(self, problem: Problem) -> PseudoCode:
        mean_from = self.mean_from if self.average else ""
        code = code_of(self.form, self.order, self.project, mean_from, problem.bias)
        return in_feature_space(code, problem)

    def mean_count(self, t: int) -> int:
        """Return the number of iterates of which the averaged one is the mean after t steps."""
        return t + 1 if self.mean_from == "start" else t

    def params(self, problem: Problem) -> Params:
        """Return the settings for compiled code."""
        bias = BIAS_CODES[problem.bias]
        is_cyclic = self.order == "cyclic"
        return Params(
            problem.lam, self.batch_size, is_cyclic, self.seed, bias, self.project, problem.linear
        )
