"""The perceptron: look at one point after the other, and learn from mistakes.

Looks for any ``f(x) = sum_j y_j count_j k(x_j, x) + b`` with ``y_i f(x_i) > 0`` at every point,
starting from 0. A step looks at point i::

    if y_i f(x_i) <= 0:   w <- w + y_i phi(x_i),  b <- b + y_i

so w is told by how often each point was a mistake: whole numbers, and the kernel perceptron is
the same algorithm. A learning rate would only scale f, so there is none. There is no C and no
margin: whatever boundary comes first without a mistake is the answer.

b is updated like the weight of one more component, 1, of every point; so the free and the
augmented bias take the same steps, and only the certificate's problem differs. On data that can
be separated there are at most ``(R / gamma)^2`` mistakes, in this augmented space.

Sources: Rosenblatt 1958; Novikoff 1962 (the bound).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from solvers.geometry.separation import margin_through_origin, separation
from solvers.jit.compiled import compiled
from solvers.kernels.rows import Rows, kernel_row, make_rows
from solvers.methods.weight_updates import Update, update_of
from solvers.problem.problem import Problem
from solvers.run.formulas import Formula, number, vector
from solvers.run.method import Event, Method, Reason, Stop, counted
from solvers.run.random_numbers import draw
from solvers.run.trace import SUPPORT_CHANGED, SWEEP_STARTED
from solvers.settings import random_seed, setting, step_limit

LOOKING, FAULTLESS, PROVED = range(3)
# Places in State.number: steps, mistakes, mistakes in this sweep, kernel values, whether it is
# proved that no boundary separates.
STEPS, MISTAKES, LATELY, VALUES, HOPELESS = range(5)
EVENT = np.dtype([("i", "i4"), ("mistake", "i4"), ("margin", "f8")])


class State(NamedTuple):
    """Raw variables of the perceptron.

    Attributes
    ----------
    count : int64 array, shape (n,); mistakes at each point
    sums : float64 array, shape (n,); ``f(x_i) = sum_j y_j count_j k(x_j, x_i) + b``
    number : int64 array, shape (5,); see the names above
    """

    count: np.ndarray
    sums: np.ndarray
    number: np.ndarray


class Rule(NamedTuple):
    """The settings as compiled code takes them; ``extra`` is 1 where b comes on top of k."""

    shuffle: bool
    seed: int
    sweeps: int
    extra: float


class Work(NamedTuple):
    """Working memory: kernel rows, the order of a sweep, shape (n,), and which sweep's it is."""

    rows: Rows
    order: np.ndarray
    sweep: np.ndarray


@compiled
def shuffle(seed, sweep, order):
    """The order of a sweep, a function of (seed, sweep): Fisher and Yates with hashed draws."""
    n = len(order)
    for i in range(n):
        order[i] = i
    for i in range(n - 1, 0, -1):
        k = draw(seed, sweep, i, i + 1)
        order[i], order[k] = order[k], order[i]


@compiled
def next_point(rule, state, work):
    """The point that the next step looks at."""
    n = len(state.count)
    sweep, place = state.number[STEPS] // n, state.number[STEPS] % n
    if not rule.shuffle:
        return place
    if work.sweep[0] != sweep:
        shuffle(rule.seed, sweep, work.order)
        work.sweep[0] = sweep
    return work.order[place]


@compiled
def verdict(rule, state):
    """Why to stop: after a sweep without a mistake, or when hope is proved to be in vain."""
    n, number = len(state.count), state.number
    if number[STEPS] == 0 or number[STEPS] % n != 0:
        return LOOKING
    if number[LATELY] == 0:
        return FAULTLESS
    if number[HOPELESS] != 0 and number[STEPS] >= n * rule.sweeps:
        return PROVED
    return LOOKING


@compiled
def step(form, rule, state, work, event):
    """Look at one point; return whether it became a support vector."""
    number = state.number
    if number[STEPS] % len(state.count) == 0:
        number[LATELY] = 0
    i = next_point(rule, state, work)
    margin = form.target[i] * state.sums[i]
    event.i, event.margin, event.mistake = i, margin, 0
    number[STEPS] += 1
    if margin > 0.0:
        return False

    event.mistake = 1
    number[MISTAKES] += 1
    number[LATELY] += 1
    state.count[i] += 1
    row = kernel_row(form, work.rows, i, 0)
    for j in range(len(row)):
        state.sums[j] += form.target[i] * (row[j] + rule.extra)
    number[VALUES] += len(row)
    return state.count[i] == 1


@compiled
def advance(form, rule, state, work, events, marks):
    """Step until a reason to stop or the end of ``marks``."""
    n = len(state.count)
    for k in range(len(marks)):
        code = verdict(rule, state)
        if code != LOOKING:
            return k, code
        sweep = SWEEP_STARTED if state.number[STEPS] % n == 0 else 0
        changed = step(form, rule, state, work, events[0])
        marks[k] = sweep | (SUPPORT_CHANGED if changed else 0)
    return len(marks), verdict(rule, state)


@dataclass(frozen=True)
class PointSeen(Event):
    """One perceptron step.

    Attributes
    ----------
    i : int
        The point that was looked at.
    sweep : int
        Number of the sweep, from 1.
    margin : float
        ``y_i f(x_i)`` before the step.
    mistake : bool
        Whether that is not above 0, so that w and b moved.
    count : int
        Mistakes at this point so far, this one included.
    mistakes : int
        Mistakes at all points so far.
    label : int
        y_i.
    bias : float or None
        b after the step; None where there is none.
    update : Update
        w before and after, or the point's coefficient.
    """

    i: int
    sweep: int
    margin: float
    mistake: bool
    count: int
    mistakes: int
    label: int
    bias: float | None
    update: Update

    def formulas(self) -> tuple[Formula, ...]:
        """What is looked at, and what a mistake does to w and b."""
        i, right = self.i + 1, r"\leq 0" if self.mistake else r"> 0"
        seen = Formula(
            r"y_i f(x_i) \leq 0 \ \text{ is a mistake}",
            rf"y_{{{i}}} f(x_{{{i}}}) = {number(self.margin)} {right}",
        )
        if not self.mistake:
            return seen, self._rest()
        sign = "+" if self.label > 0 else "-"
        told = self.update.of_w(r"w \leftarrow", "", "")
        if told is None:
            moved = self.update.of_beta(r"\beta_i \leftarrow \beta_i + y_i", "", "1")
        else:
            moved = Formula(r"w \leftarrow w + y_i x_i", told)
        if self.bias is None:
            return seen, moved
        before = number(self.bias - self.label)
        return (
            seen,
            moved,
            Formula(
                r"b \leftarrow b + y_i", rf"b \leftarrow {before} {sign} 1 = {number(self.bias)}"
            ),
        )

    def _rest(self) -> Formula:
        """Nothing moves."""
        if self.update.after is not None:
            return Formula(r"w \leftarrow w", rf"w \leftarrow {vector(self.update.after)}")
        one = self.update.told[0]
        numbers = rf"\beta_{{{one.i + 1}}} \leftarrow {number(one.new)}"
        return Formula(r"\beta_i \leftarrow \beta_i", numbers)


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
        """``(R / gamma)^2``."""
        return (self.radius / self.margin) ** 2


@dataclass(frozen=True)
class Perceptron(Method):
    """The perceptron, linear and kernel."""

    name: ClassVar[str] = "perceptron"
    label: ClassVar[str] = "Perceptron"
    source: ClassVar[str] = "Rosenblatt 1958; Novikoff 1962"
    help: ClassVar[str] = (
        "Looks at one point after the other and adds y·x of every mistake to w, until a whole "
        "sweep is without one. It ends at the first boundary that separates; C plays no part."
    )
    about: ClassVar[str] = (
        "The oldest learner of a boundary. A point on its own side is passed over; a mistake "
        "turns the boundary towards it. So f is told by how often each point was a mistake, and "
        "any kernel will do.\n\n"
        "If a boundary separates the points, there are at most (R/γ)² mistakes, with R the length "
        "of the longest (x, 1) and γ the widest margin there. It ends at whatever boundary comes "
        "first, not at the widest. If none separates, it would go on for ever, so it is stopped."
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
    event_dtype: ClassVar[np.dtype] = EVENT
    records: ClassVar[bool] = False

    order: str = setting(
        "cyclic",
        "Order",
        "Cyclic: the points as they are listed. Random: shuffled afresh in every sweep.",
        scale="choice",
        choices=(("cyclic", "cyclic"), ("random", "random")),
    )
    sweeps: int = setting(
        20,
        "Sweeps in vain",
        "Stop after this many sweeps where it is proved that no boundary separates the points.",
        low=1,
        high=1000,
        scale="integer",
        hard_low=1,
        hard_high=1e6,
    )
    max_steps: int = step_limit(1_000_000, "Stop after looking this often at a point.", high=1e7)
    seed: int = random_seed("Which random order; the same seed shuffles the same way.")

    def segment_size(self, problem: Problem) -> int:
        return max(4096, 4 * problem.n)

    def start(self, problem: Problem, guess: np.ndarray | None = None) -> State:
        """Zeros, since a guess of beta holds no whole numbers; and whether there is any hope."""
        number = np.zeros(5, dtype=np.int64)
        number[HOPELESS] = separation(problem).separable is False
        return State(np.zeros(problem.n, dtype=np.int64), np.zeros(problem.n), number)

    def workspace(self, problem: Problem, keep: bool) -> Work:
        rows = make_rows(problem.n, len(problem.form.ops), keep)
        order = np.zeros(problem.n, dtype=np.int64)
        return Work(rows, order, np.full(1, -1, dtype=np.int64))

    def advance(self, problem: Problem, state: Any, work: Any, events: Any, marks: Any) -> Any:
        return advance(problem.form, self._rule(problem), state, work, events, marks)

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
        """``beta_i = y_i count_i``, and b their sum: each mistake moved it by ``y_i``."""
        beta = problem.y * state.count + 0.0
        return beta, 0.0 if problem.bias == "none" else float(beta.sum())

    def evaluations(self, state: Any) -> int:
        return int(state.number[VALUES])

    def describe(self, problem: Problem, before: Any, after: Any, record: Any) -> PointSeen:
        # Nothing is told as -0.
        i, margin = int(record["i"]), float(record["margin"]) + 0.0
        mistake, count = bool(record["mistake"]), int(after.count[i])
        beta_before, beta = (self.expand(problem, state)[0] for state in (before, after))
        return PointSeen(
            touched=(i,),
            sentence=_sentence(i, margin, mistake, count),
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
        """Novikoff's bound on the mistakes, or None if nothing separates these points."""
        margin = margin_through_origin(problem)
        if margin <= 0.0:
            return None
        extra = 0.0 if problem.bias == "none" else 1.0
        largest = float(problem.kernel.diagonal(problem.X).max())
        return Novikoff(math.sqrt(largest + extra), margin)

    def _rule(self, problem: Problem) -> Rule:
        extra = 1.0 if problem.bias == "free" else 0.0
        return Rule(self.order == "random", self.seed, self.sweeps, extra)


def _sentence(i: int, margin: float, mistake: bool, count: int) -> str:
    """One plain sentence: right or wrong, and what follows."""
    if not mistake:
        return f"Point {i + 1} is on its side of the boundary, y·f = {margin:.2g}: nothing moves."
    times = "once" if count == 1 else "twice" if count == 2 else f"{count:,} times"
    where = "is on the boundary" if margin == 0.0 else "is on the wrong side"
    return (
        f"Point {i + 1} {where}, y·f = {margin:.2g}: y·x of this point is added to w,"
        f" {times} by now."
    )
