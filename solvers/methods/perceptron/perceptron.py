"""The perceptron: visit one point after the other, and update f at mistakes.

It finds any ``f(x) = sum_j y_j count_j k(x_j, x) + b`` with ``y_i f(x_i) > 0`` at every point,
starting from 0. A step visits point i::

    if y_i f(x_i) <= 0:   w <- w + y_i phi(x_i),  b <- b + y_i

so w is determined by the number of mistakes at each point, and the kernel perceptron is the same
algorithm. A learning rate would only scale f, so there is none. C and the margin play no part: the
first boundary without a mistake is the answer.

b is updated like the weight of one more component, 1, of every point; so the free and the
augmented bias take the same steps, and only the certificate's problem differs. On data that can
be separated there are at most ``(R / gamma)^2`` mistakes, in this augmented space.

Sources: Rosenblatt 1958; Novikoff 1962 (the bound).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from solvers.geometry.separation import margin_through_origin, separation
from solvers.kernels.rows import make_rows
from solvers.methods.perceptron.events import PointSeen, in_words
from solvers.methods.perceptron.steps import (
    EVENT,
    FAULTLESS,
    INSEPARABLE,
    MISTAKES,
    STEPS,
    VALUES,
    Params,
    State,
    Work,
    advance,
)
from solvers.methods.weight_updates import update_of
from solvers.problem.problem import Problem
from solvers.run.method import Method, Reason, Stop, counted
from solvers.settings import random_seed, setting, step_limit


@dataclass(frozen=True)
class Novikoff:
    """Novikoff's bound: at most ``(R / gamma)^2`` mistakes, whatever the order.

    Attributes
    ----------
    radius : float
        ``R = max_i ||phi(x_i)||``, with the component 1 of the bias.
    margin : float
        gamma, the best margin of a boundary through the origin of that space.
    """

    radius: float
    margin: float

    @property
    def mistakes(self) -> float:
        """Return ``(R / gamma)^2``."""
        return (self.radius / self.margin) ** 2


@dataclass(frozen=True)
class Perceptron(Method):
    """The perceptron, linear and kernel."""

    name: ClassVar[str] = "perceptron"
    label: ClassVar[str] = "Perceptron"
    source: ClassVar[str] = "Rosenblatt 1958; Novikoff 1962"
    help: ClassVar[str] = (
        "Visits one point after the other and adds y·x of every mistake to w, until a whole sweep "
        "has none. It ends at the first boundary that separates the points; C is not used."
    )
    about: ClassVar[str] = (
        "A point with y f(x) > 0 changes nothing; any other point is a mistake, and moves the "
        "boundary towards itself. A point with f(x) = 0 is a mistake in either class; lecture "
        "notes that predict +1 there take it as correct in the class +1, so their steps differ. f "
        "is determined by how often each point was a mistake, and "
        "every kernel can be used.\n\n"
        "If a boundary separates the points, there are at most (R/γ)² mistakes: R is the length of "
        "the longest (x, 1), γ the widest margin of a boundary through the origin of that space. "
        "With a nonlinear kernel φ(x) stands for x, and without a bias there is no 1. The "
        "perceptron ends at the first separating boundary, not at the one with the widest margin. "
        "If there is none, it would never end, and is stopped."
    )
    latex: ClassVar[tuple[str, ...]] = (
        r"y_i f(x_i) \leq 0 \quad \Rightarrow \quad w^{\mathrm{new}} = w + y_i x_i, \quad "
        r"b^{\mathrm{new}} = b + y_i",
        r"\mathrm{mistakes} \leq \left(\frac{R}{\gamma}\right)^2",
    )
    biases: ClassVar[tuple[str, ...]] = ("free", "none", "augmented")
    dual_feasible: ClassVar[bool] = False
    guarantees: ClassVar[tuple[str, ...]] = ("mistakes", "separates")
    aim: ClassVar[str] = "separates"
    maximizes_margin: ClassVar[bool] = False
    event_dtype: ClassVar[np.dtype] = EVENT
    records: ClassVar[bool] = False

    order: str = setting(
        "cyclic",
        "Order",
        "Cyclic: the points in the order of the table. Random: shuffled for every sweep.",
        scale="choice",
        choices=(("cyclic", "cyclic"), ("random", "random")),
    )
    sweeps: int = setting(
        20,
        "Sweeps before giving up",
        "Stop after this many sweeps if it is proved that no boundary separates the points.",
        low=1,
        high=1000,
        scale="integer",
        hard_low=1,
        hard_high=1e6,
    )
    max_steps: int = step_limit(1_000_000, "Stop after this many visits of a point.", high=1e7)
    seed: int = random_seed("The same seed gives the same random order.")

    def segment_size(self, problem: Problem) -> int:
        return max(4096, 4 * problem.n)

    def start(self, problem: Problem, guess: np.ndarray | None = None) -> State:
        """Return zeros, since a guess is no count of mistakes; test the points' separability."""
        number = np.zeros(5, dtype=np.int64)
        number[INSEPARABLE] = separation(problem).separable is False
        return State(np.zeros(problem.n, dtype=np.int64), np.zeros(problem.n), number)

    def workspace(self, problem: Problem, keep: bool) -> Work:
        rows = make_rows(problem.n, len(problem.form.ops), keep)
        order = np.zeros(problem.n, dtype=np.int64)
        return Work(rows, order, np.full(1, -1, dtype=np.int64))

    def advance(self, problem: Problem, state: Any, work: Any, events: Any, marks: Any) -> Any:
        return advance(problem.form, self._params(problem), state, work, events, marks)

    def stop(self, code: int, problem: Problem, state: Any) -> Stop:
        steps, mistakes = int(state.number[STEPS]), int(state.number[MISTAKES])
        made = counted(mistakes, "mistake")
        if code == FAULTLESS:
            return Stop(
                Reason.CONVERGED,
                f"Converged after {steps:,} steps and {made}: a whole sweep without one.",
            )
        met = (
            "no boundary through the origin separates these points"
            if problem.bias == "none"
            else "the hulls of the two classes meet, so no boundary separates them"
        )
        return Stop(
            Reason.NOT_SEPARABLE,
            f"Stopped after {self.sweeps:,} sweeps and {made}: {met}, and it would never end.",
        )

    def expand(self, problem: Problem, state: Any) -> tuple[np.ndarray, float]:
        """Return ``beta_i = y_i count_i``, and b, their sum: each mistake changed it by ``y_i``."""
        beta = problem.y * state.count + 0.0
        return beta, 0.0 if problem.bias == "none" else float(beta.sum())

    def evaluations(self, state: Any) -> int:
        return int(state.number[VALUES])

    def describe(self, problem: Problem, before: Any, after: Any, record: Any) -> PointSeen:
        # Show -0 as 0.
        i, margin = int(record["i"]), float(record["margin"]) + 0.0
        mistake, count = bool(record["mistake"]), int(after.count[i])
        beta_before, beta = (self.expand(problem, state)[0] for state in (before, after))
        return PointSeen(
            touched=(i,),
            sentence=in_words(i, margin, mistake, count),
            i=i,
            sweep=(int(after.number[STEPS]) - 1) // problem.n + 1,
            margin=margin,
            mistake=mistake,
            count=count,
            mistakes=int(after.number[MISTAKES]),
            label=int(problem.y[i]),
            bias=None if problem.bias == "none" else float(problem.y @ after.count),
            update=update_of(problem, beta_before, beta, [i] if mistake else [], i),
        )

    def bound(self, problem: Problem) -> Novikoff | None:
        """Return Novikoff's bound on the mistakes, or None if nothing separates these points."""
        margin = margin_through_origin(problem)
        if margin <= 0.0:
            return None
        extra = 0.0 if problem.bias == "none" else 1.0
        largest = float(problem.kernel.diagonal(problem.X).max())
        return Novikoff(math.sqrt(largest + extra), margin)

    def _params(self, problem: Problem) -> Params:
        extra = 1.0 if problem.bias == "free" else 0.0
        return Params(self.order == "random", self.seed, self.sweeps, extra)
