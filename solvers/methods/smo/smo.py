"""Sequential minimal optimisation: the dual, two variables at a time.

Problem (in signed variables ``beta_i = y_i alpha_i``; classification and regression alike)::

    max  sum_i target_i beta_i - 1/2 beta' K beta
    s.t. lower <= beta <= upper,  sum_i beta_i = 0

With ``F_i = target_i - sum_j beta_j K_ij`` the bias would have to be at least ``F_i`` for every i
that can still grow (*up*: ``beta_i < upper_i``) and at most ``F_j`` for every j that can still
shrink (*low*: ``beta_j > lower_j``). A step takes a pair that contradicts this, ``F_i > F_j``, and
moves it as far as the parabola along ``beta_i + t, beta_j - t`` and the box allow.

Sources: Platt 1998 (the idea); Keerthi, Shevade, Bhattacharyya and Murthy 2001 (the maximal
violating pair and the stop); Fan, Chen and Lin 2005 (the second-order choice of j).
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from solvers.geometry.hard_margin import contradicted, has_contradiction
from solvers.methods.smo import most_violating_pair, platt, random_pair
from solvers.methods.smo.active_set import INTERVAL, Work, survey
from solvers.methods.smo.ends import BENT, ENDS
from solvers.methods.smo.events import PairMoved, describe_pair
from solvers.methods.smo.hard_margin_check import ask_for_separability
from solvers.methods.smo.state import (
    ASK,
    BEST,
    BIAS,
    COINCIDENT,
    COUNTS,
    DISTANCE,
    DUE,
    EVENT,
    IDLE,
    INDEFINITE,
    LEAST,
    NEXT,
    OPTIMAL,
    PASSED,
    ROUNDING,
    SHRINK,
    STEPS,
    STUCK,
    VALUES,
    VERDICT,
    Points,
    State,
)
from solvers.methods.smo.threshold import LEAST_MOVE, Rule, violations
from solvers.problem.certificate import feasible_start
from solvers.problem.problem import Problem
from solvers.run.method import NEVER, Method, Stop, counted
from solvers.run.trace import copy_state
from solvers.settings import random_seed, setting, step_limit, tolerance

# With a hard margin, separability is asked for after this many steps and twice n.
FIRST_ASK = 100


@dataclass(frozen=True)
class SMO(Method):
    """Sequential minimal optimisation with a full-width choice of the pair."""

    name: ClassVar[str] = "smo"
    label: ClassVar[str] = "SMO"
    source: ClassVar[str] = "Platt 1998; Keerthi et al. 2001; Fan, Chen and Lin 2005"
    help: ClassVar[str] = (
        "Moves two dual variables at a time, so that Σ αᵢyᵢ = 0 always holds, "
        "until no pair violates optimality by more than the tolerance."
    )
    about: ClassVar[str] = (
        "The constraint Σ αᵢyᵢ = 0 forbids moving a single α, so the smallest possible step moves "
        "two. Along the line that the constraint leaves to them the dual is a parabola, and its "
        "top, cut off at the walls of the box, is known in closed form.\n\n"
        "What remains is the choice of the pair. The errors Eᵢ = f(xᵢ) − yᵢ tell which two points "
        "contradict each other most; once no pair does so by more than the tolerance, the picture "
        "is optimal."
    )
    latex: ClassVar[tuple[str, ...]] = (
        r"\max_{\alpha}\ \sum_i \alpha_i - \frac{1}{2} \sum_{i,j} \alpha_i \alpha_j y_i y_j K_{ij}",
        r"0 \leq \alpha_i \leq C, \quad \sum_i \alpha_i y_i = 0",
        r"\alpha_j^{\mathrm{new}} = \mathrm{clip}\left(\alpha_j + "
        r"\frac{y_j (E_i - E_j)}{K_{ii} + K_{jj} - 2 K_{ij}},\ L,\ H\right)",
        r"\alpha_i^{\mathrm{new}} = \alpha_i + y_i y_j (\alpha_j - \alpha_j^{\mathrm{new}})",
    )
    tasks: ClassVar[tuple[str, ...]] = ("classification", "regression")
    guarantees: ClassVar[tuple[str, ...]] = ("box", "equality", "dual-rises", "converges")
    event_dtype: ClassVar[np.dtype] = EVENT
    moves_pairs: ClassVar[bool] = True

    pair: str = setting(
        "second-order",
        "Choice of the pair",
        "Second order: the worst point, with the partner that promises the largest rise of the "
        "dual. Maximal violation: the two points that contradict each other most. Platt: his two "
        "loops and second choices, as printed in 1998. Random: a violating point and a random "
        "partner, as in many courses; nothing guarantees that it converges.",
        scale="choice",
        choices=(
            ("second-order", "second order"),
            ("maximal-violation", "maximal violation"),
            ("platt", "Platt 1998"),
            ("random", "random partner"),
        ),
    )
    tol: float = tolerance("Stop when the largest violation m − M falls below this, in units of f.")
    max_steps: int = step_limit(
        2_000_000, "Stop after this many pairs, converged or not.", high=1e7
    )

    shrinking: bool = setting(
        False,
        "Shrinking",
        "Set aside points at a bound that no violating pair could use now, and bring them back "
        "before the end. Violations are then those of the points in play. Platt's choice and the "
        "random one do without.",
        scale="switch",
    )
    seed: int = random_seed(
        "Which random places and partners Platt's choice and the random one take."
    )
    # Decide as LIBSVM does where it matters for the number of steps; no setting of a form.
    as_libsvm: bool = False

    def __post_init__(self) -> None:
        """A random partner promises less than the class declares."""
        super().__post_init__()
        if self.pair == "random":
            object.__setattr__(self, "guarantees", ("box", "equality", "dual-rises"))

    def start(self, problem: Problem, guess: np.ndarray | None = None) -> State:
        """Zeros, or the guess made feasible: clipped to the box, the equality restored."""
        beta, F = feasible_start(problem, guess)
        level, count = np.zeros(5), np.zeros(COUNTS, dtype=np.int64)
        shrinks = self.shrinking and not self._has_threshold
        shrunk = problem.size if shrinks else 0
        active, reference = np.ones(shrunk, dtype=np.uint8), np.zeros(shrunk)
        state = State(beta, F, level, count, active, reference)
        count[SHRINK] = min(problem.size, INTERVAL) if shrinks else NEVER
        count[ASK] = FIRST_ASK + 2 * problem.n if problem.hard else NEVER
        count[NEXT] = min(count[SHRINK], count[ASK])
        if problem.hard and has_contradiction(problem):
            count[VERDICT] = COINCIDENT
        survey(problem.form, state)
        return state

    def workspace(self, problem: Problem, keep: bool) -> Work:
        return Work(problem, keep, self.as_libsvm)

    def advance(self, problem: Problem, state: Any, work: Any, events: Any, marks: Any) -> Any:
        taken = 0
        while True:
            if state.count[VERDICT]:
                return taken, int(state.count[VERDICT])
            points = work.load(state)
            part = slice(taken, taken + work.before_keeping(state))
            steps, code = self._steps(points, problem, events[part], marks[part])
            work.store(state)
            taken += steps
            while code == PASSED:
                steps, code = self._confirm(state, work, events[taken:], marks[taken:])
                taken += steps
            if code != DUE:
                return taken, code
            self._look_around(state, work)
            if self._is_optimal(state):
                return taken, OPTIMAL

    def _confirm(self, state: State, work: Work, events: Any, marks: Any) -> tuple[int, int]:
        """Nobody breaks its condition, or nobody can move: go on if a fresh F says otherwise.

        An end leaves the state as it was.
        """
        fresh = copy_state(state)
        fresh.F[:], _ = work.afresh(state)
        form = work.problem.form
        survey(form, fresh)
        if violations(form, fresh.beta, fresh.F, fresh.level[BIAS]).max() <= self.tol:
            return 0, OPTIMAL
        steps, code = self._steps(work.load(fresh), work.problem, events, marks)
        work.store(fresh)
        if steps == 0:
            return 0, STUCK if code == PASSED else code
        for old, new in zip(state, fresh, strict=True):
            old[:] = new
        return steps, code

    def _steps(self, points: Points, problem: Problem, events: Any, marks: Any) -> tuple[int, int]:
        """As many steps as can be taken without a look around, by the chosen rule."""
        if self._has_threshold:
            choice = platt if self.pair == "platt" else random_pair
            twins = problem.n if problem.size > problem.n else 0
            return choice.advance(points, Rule(self.tol, self.seed, twins), events, marks)
        second_order = self.pair == "second-order"
        rule = most_violating_pair.Rule(second_order, self.as_libsvm, self.tol, problem.size)
        return most_violating_pair.advance(points, rule, events, marks)

    @property
    def _has_threshold(self) -> bool:
        """Whether points are held against one threshold b (else against each other)."""
        return self.pair in ("platt", "random")

    def _look_around(self, state: State, work: Work) -> None:
        """Between two steps: see whether this is the optimum, and who takes part in the next."""
        count, level = state.count, state.level
        if self._is_optimal(state):
            work.check(state, self.tol)
        if level[BEST] - level[LEAST] >= self.tol and count[STEPS] >= count[SHRINK]:
            work.shrink(state)
        if count[STEPS] >= count[ASK]:
            ask_for_separability(work.problem, state)
        count[NEXT] = min(count[SHRINK], count[ASK])

    def _is_optimal(self, state: State) -> bool:
        """Whether m and M say so; the choices with a threshold ask each point."""
        m, M = state.level[:2].tolist()
        return m - M < self.tol and not (self._has_threshold or state.count[VERDICT])

    def stop(self, code: int, problem: Problem, state: Any) -> Stop:
        steps = int(state.count[STEPS])
        m, M = state.level[:2]
        if code in BENT and state.count[INDEFINITE]:
            code = BENT[code]
        reason, sentence = ENDS[code]
        words = {
            "taken": f"after {counted(steps, 'step')}",
            "tol": self.tol,
            "violation": m - M,
            "least": f"{LEAST_MOVE:g} of its α" if self._has_threshold else "rounding",
            "distance": state.level[DISTANCE],
            "contradicted": contradicted(problem),
        }
        if code == IDLE:
            broken = violations(problem.form, state.beta, state.F, state.level[BIAS])
            worst = int(broken.argmax())
            words |= {"worst": problem.point_of(worst) + 1, "broken": broken[worst]}
        return Stop(reason, sentence.format(**words))

    def expand(self, problem: Problem, state: Any) -> tuple[np.ndarray, float]:
        """b is the mean of F over the free variables, else the middle of what the rest allow.

        The choices with a threshold have a b of their own.
        """
        form, beta = problem.form, state.beta
        if self._has_threshold:
            return problem.fold(beta).copy(), float(state.level[BIAS])
        free = (beta > form.lower) & (beta < form.upper)
        if free.any():
            return problem.fold(beta).copy(), float(state.F[free].mean())
        return problem.fold(beta).copy(), float(0.5 * (state.level[BEST] + state.level[LEAST]))

    def rounding(self, problem: Problem, state: Any) -> float:
        if self._has_threshold:
            return super().rounding(problem, state)
        return float(state.level[ROUNDING])

    def evaluations(self, state: Any) -> int:
        return int(state.count[VALUES])

    def describe(self, problem: Problem, before: Any, after: Any, record: Any) -> PairMoved:
        return describe_pair(problem, before, after, record, self.pair)


def ordered_as_libsvm(problem: Problem) -> Problem:
    """The same problem as LIBSVM sees it: the smaller label is +1, and its points come first.

    Together with ``SMO(as_libsvm=True)`` (kernel rows in single precision, the last of equal
    candidates) the choice of second order takes LIBSVM's steps, without shrinking.
    """
    order = np.argsort(problem.y, kind="stable")
    return dataclasses.replace(problem, X=problem.X[order], y=-problem.y[order])
