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

from solvers.kernels.kernel_rows import make_rows
from solvers.methods.pegasos.beats import beats_of, code_of
from solvers.methods.pegasos.events import BatchDrawn, in_words
from solvers.methods.pegasos.steps import (
    EVENT,
    SCALARS,
    Params,
    State,
    Work,
    advance,
    margin_of,
)
from solvers.methods.weight_updates import Mean, update_of
from solvers.problem.problem import BIAS_CODES, Problem
from solvers.run.beats import Beat, PseudoCode
from solvers.run.method import Method, Stop
from solvers.run.random_numbers import draw
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
        "Draws a few points per step and moves w towards those inside their margin, "
        "by 1/(λt). Fast to a rough answer, slow to a precise one."
    )
    about: ClassVar[str] = (
        "Each step draws a batch B of points at random, multiplies w by 1 − 1/t, and adds "
        "y x/(λ t |B|) for each point of B with y f(x) < 1. The step size 1/(λt) falls with every "
        "step, so early steps are large and late ones small.\n\n"
        "With the linear kernel the cost of a step does not depend on the number of points; with "
        "another kernel it costs up to one kernel value per point of the data for each point of B. "
        "There is no stopping rule: Pegasos takes the number of steps that is set."
    )
    latex: ClassVar[tuple[str, ...]] = (
        r"\min_{w}\ \frac{\lambda}{2} \|w\|^2 + "
        r"\frac{1}{n} \sum_i \max\left(0,\ 1 - y_i f(x_i)\right), \quad \lambda = \frac{1}{C n}",
        r"w^{\mathrm{new}} = \left(1 - \frac{1}{t}\right) w + \frac{1}{\lambda t |B|} "
        r"\sum_{i \in B,\ y_i f(x_i) < 1} y_i x_i",
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
        "Points drawn per step, with replacement.",
        low=1,
        high=100,
        scale="integer",
        hard_low=1,
        hard_high=100_000,
    )
    project: bool = setting(
        False,
        "Projection",
        "After each step, scale w into the ball ‖w‖ ≤ 1/√λ, which contains the optimum.",
        scale="switch",
    )
    average: bool = setting(
        False,
        "Averaged iterate",
        "Show the mean of the iterates after steps 1 to t instead of the last one. The convergence "
        "rate is proved for a mean, unless the bias is free.",
        scale="switch",
    )
    form: str = setting(
        "w",
        "Notation",
        "The same steps in two notations: of w itself, or of the sum θ, with w = θ/(λt).",
        scale="choice",
        choices=(("w", "steps of w"), ("theta", "sums θ")),
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

    def workspace(self, problem: Problem, large_cache: bool) -> Work:
        n = 1 if problem.linear else problem.n
        rows = make_rows(n, len(problem.dual_form.ops), large_cache)
        return Work(rows, np.empty(self.batch_size, dtype=np.int64))

    def advance(self, problem: Problem, state: Any, work: Any, events: Any, marks: Any) -> Any:
        return advance(problem.dual_form, self._params(problem), state, work, events, marks)

    def stop(self, code: int, problem: Problem, state: Any) -> Stop:
        raise AssertionError("Pegasos has no stopping rule of its own")

    def expand(self, problem: Problem, state: Any) -> tuple[np.ndarray, float]:
        scalars = state.scalars[0]
        t = int(scalars["steps"])
        if t == 0:
            return np.zeros(problem.n), 0.0
        if self.average:
            beta = problem.y * (state.counts * scalars["weight_sum"] - state.lag) / t
            bias = scalars["bias_sum"] / t
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

    def evaluations(self, state: Any) -> int:
        return int(state.scalars["evaluations"][0])

    def describe(self, problem: Problem, before: Any, after: Any, record: Any) -> BatchDrawn:
        t = int(after.scalars["steps"][0])
        batch = tuple(int(draw(self.seed, t, r, problem.n)) for r in range(self.batch_size))
        margins = self._margins(problem, before, batch)
        violating = tuple(i for i, margin in zip(batch, margins, strict=True) if margin < 1.0)
        projection = float(record["projection"])
        rate = 1.0 / (problem.lam * t)
        last = replace(self, average=False)
        beta_before, b_before = last.expand(problem, before)
        beta, b = last.expand(problem, after)
        update = update_of(problem, beta_before, beta / projection, violating, batch[0])
        has_bias, is_regularised = problem.bias != "none", problem.bias == "augmented"
        sentence = in_words(self.form, t, batch, violating, margins, rate, projection)
        return BatchDrawn(
            touched=tuple(dict.fromkeys(batch)),
            sentence=sentence,
            why=f"{sentence[:-1]}; the mean of all w so far is shown." if self.average else "",
            t=t,
            batch=batch,
            violating=violating,
            margins=margins,
            rate=rate,
            projection=projection,
            theta_before=self._theta(problem, before),
            theta=self._theta(problem, after),
            update=update,
            counts=tuple(
                float(before.counts[coefficient.i] * before.scalars["scale"][0])
                for coefficient in update.shown
            ),
            bias_before=b_before if has_bias else None,
            bias=(b / projection if is_regularised else b) if has_bias else None,
            regularised=is_regularised,
            norm=self.radius(problem) / projection if projection < 1.0 else None,
            mean=self._mean(problem, before, after, update.shown[0].i) if self.average else None,
            form=self.form,
        )

    def beats(self, problem: Problem, before: Any, after: Any, event: Any) -> tuple[Beat, ...]:
        return beats_of(event, problem.n)

    def pseudo_code(self, problem: Problem) -> PseudoCode:
        return code_of(self.form, self.project, self.average, problem.bias)

    def _mean(self, problem: Problem, before: Any, after: Any, i: int) -> Mean:
        """Return the mean of the iterates: of w for the linear kernel, otherwise of ``beta_i``."""
        (old_mean, old_b), (mean, b) = (self.expand(problem, state) for state in (before, after))
        last, b_last = replace(self, average=False).expand(problem, after)
        has_bias = problem.bias != "none"

        def displayed_values(beta: np.ndarray) -> tuple[float, ...]:
            values = beta @ problem.X if problem.linear else beta[i : i + 1]
            return tuple((values + 0.0).tolist())

        return Mean(
            before=displayed_values(old_mean),
            last=displayed_values(last),
            after=displayed_values(mean),
            i=None if problem.linear else i,
            bias_before=old_b if has_bias else None,
            bias_last=b_last if has_bias else None,
            bias=b if has_bias else None,
        )

    def _theta(self, problem: Problem, state: Any) -> tuple[float, ...] | None:
        if not problem.linear:
            return None
        v = state.v if problem.bias == "augmented" else state.v[:-1]
        return tuple((v * state.scalars["scale"][0] / self.batch_size).tolist())

    def _margins(self, problem: Problem, state: Any, batch: tuple[int, ...]) -> tuple[float, ...]:
        params = self._params(problem)
        return tuple(float(margin_of(problem.dual_form, params, state, i)) for i in batch)

    def _params(self, problem: Problem) -> Params:
        bias = BIAS_CODES[problem.bias]
        return Params(problem.lam, self.batch_size, self.seed, bias, self.project, problem.linear)
